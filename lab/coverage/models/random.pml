/* A random graph of NODES nodes from which DEGREE edges lead to nodes that a hash function picks; SEED
   chooses the graph. A few nodes are the target of no step and cannot be reached.
   Graph: as wide as can be, logarithmic depth, no structure at all.
   Without reduction at the defaults: states=98057 transitions=392229
   -DNODES=100000 (at most 2^20), -DDEGREE=4 (2 to 8), -DSEED=1 (at most 255). */
#ifndef NODES
#define NODES 100000
#endif
#ifndef DEGREE
#define DEGREE 4
#endif
#ifndef SEED
#define SEED 1
#endif

int node;

/* Four rounds that mix the two halves of 16 bits; a product fits 31 bits. What is left over in `a` and
   `b` is forgotten, so that `node` is the whole state. */
#define EDGE(edge) d_step { \
    a = node & 65535; \
    b = SEED * 256 + (node >> 16) * 8 + edge; \
    b = (b ^ ((a * 31337) >> 9)) & 65535; \
    a = (a ^ ((b * 27191) >> 11)) & 65535; \
    b = (b + ((a * 32003) >> 10)) & 65535; \
    a = (a + ((b * 25409) >> 9)) & 65535; \
    node = ((b & 32767) * 65536 + a) % NODES; \
    a = 0; b = 0 }

active proctype Walk() {
  int a, b;
  do
  :: EDGE(0)
  :: EDGE(1)
#if DEGREE > 2
  :: EDGE(2)
#endif
#if DEGREE > 3
  :: EDGE(3)
#endif
#if DEGREE > 4
  :: EDGE(4)
#endif
#if DEGREE > 5
  :: EDGE(5)
#endif
#if DEGREE > 6
  :: EDGE(6)
#endif
#if DEGREE > 7
  :: EDGE(7)
#endif
  od
}
