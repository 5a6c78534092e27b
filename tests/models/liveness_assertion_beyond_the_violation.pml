/* The claim accepts every run, so it is violated in the initial state, and the search with the claim ends there. SPIN's continues,
   with -c0, and reports the assertion as well. Here the assertion is reported with safety, which is checked without the claim.
   expect: violated assertion  states=3 transitions=3
   property never: violated claim-violated
*/
active proctype P() { assert(false) }
never { accept: do :: skip od }
