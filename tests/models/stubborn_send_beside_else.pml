/* A send and a receive may change places, but not where an else asks whether there is a message.
 * expect: violated assertion  states=12 transitions=14 */
chan c = [1] of { byte };
active proctype A() { c!1 }
active proctype B() { byte x; if :: c?x :: else -> assert(false) fi }
