/* A channel travels through a channel, and the answer comes back through it.
 * expect: holds  states=7 transitions=8 */
chan post = [0] of { chan };
active proctype Asker() { chan me = [0] of { byte }; byte x; post!me; me?x; assert(x == 42) }
active proctype Helper() { chan to; post?to; to!42 }
