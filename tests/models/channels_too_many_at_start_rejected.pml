/* A channel's number is one byte: the initial state may have 255 channels and no more.
 * expect: rejected */
chan c[256] = [1] of { byte };
init { c[255]!7 }
