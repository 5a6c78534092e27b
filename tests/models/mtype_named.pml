/* A named mtype has its own numbers.
 * expect: holds  states=5 transitions=5 */
mtype:fruit = { apple, pear };
mtype:tool = { saw };
mtype:fruit f = pear;
active proctype P() { assert(f == 1 && apple == 2 && saw == 1); f = apple; assert(f == 2) }
