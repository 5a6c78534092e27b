/* xr is no statement, and an option needs one.
 * expect: rejected */
chan c = [1] of { byte };
init { if :: xr c fi }
