/* But not seventeen.
 * expect: rejected */
byte x;
inline f1() { x = 1 }
inline f2() { f1() }
inline f3() { f2() }
inline f4() { f3() }
inline f5() { f4() }
inline f6() { f5() }
inline f7() { f6() }
inline f8() { f7() }
inline f9() { f8() }
inline f10() { f9() }
inline f11() { f10() }
inline f12() { f11() }
inline f13() { f12() }
inline f14() { f13() }
inline f15() { f14() }
inline f16() { f15() }
inline f17() { f16() }
init { f17() }
