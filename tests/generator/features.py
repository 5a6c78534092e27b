"""Which parts of the language one random model uses.

A model that uses everything at once fails for ten reasons and explains none. So each seed picks a
few features, and the model is built from those and from assignments, guards, `if` and `do`, which
are always there. The weights say how often a feature is picked; the corners where explicit-state
semantics is hardest weigh most.
"""

FEATURES = {
    # data
    "types": 3,       # truncation on assignment, all operators, conditional expressions
    "arrays": 2,
    "records": 2,     # typedefs, nested, with arrays, in arrays
    "mtypes": 2,
    "scopes": 3,      # declarations in mid-body, nested blocks, equal names in sibling blocks
    "hidden": 1,      # hidden, show, local, and the write-only variable _
    # messages
    "rendezvous": 5,
    "buffered": 5,
    "sorted": 2,      # !! and ??
    "copying": 2,     # c?<x>
    "polls": 2,       # c?[x], len, empty, full and their negations
    "eval": 2,
    "handles": 2,     # channels as values: passed, received, assigned
    "channel_arrays": 1,
    "channel_records": 1,  # channels in records: alone, in arrays, in arrays of records
    "local_channels": 2,
    "exclusive": 1,   # xr and xs, used correctly; SPIN takes no else beside messages then
    # control
    "gotos": 5,
    "skips": 3,       # skip chains, options of one statement, nested if and do as guards
    "counted": 2,     # for and select
    "else": 4,        # else, also beside sends and receives
    "ends": 2,        # end, progress and accept labels
    "atomic": 6,
    "d_step": 4,
    "unless": 6,
    "timeout": 3,
    # processes
    "run": 4,
    "provided": 2,
    "priority": 2,
    "deterministic": 1,  # D_proctype
    "specials": 2,    # _pid, _nr_pr, _last
    "enabled": 1,     # enabled, pc_value
    "remote": 2,      # P[n]@label, P[n]:variable
    # text
    "inlines": 2,     # also within inlines
    "macros": 1,
    "asserts": 3,
    "prints": 1,
    "claims": 1,      # never, ltl: read, but no part of a safety check
    "events": 1,      # trace and notrace
}
# Only in models that ask for them, by name or with `wide`: a seed without them keeps its model. A wide model has at
# least one.
WIDE = {
    "deep_records": 3,  # typedefs three deep, arrays and channels in them, records as messages and as arguments
    "relays": 2,        # channels that carry channels that carry channels
    "escapes": 4,       # unless around, inside and at the start of atomic and d_step, and within unless
    "embedded_c": 2,    # integers in c_code, c_expr, c_decl, c_state, c_track
    "never": 4,         # a never claim that is checked
}
NEED_CHANNELS = {"eval", "handles", "channel_arrays", "channel_records", "local_channels", "exclusive", "events"}


def pick_features(rng, wide=False):
    """Two to five features, by weight; seldom a broad mixture."""
    count = rng.choice((2, 2, 3, 3, 3, 4, 4, 5, 5, 9))
    picked = set()
    if wide:
        for _ in range(rng.choice((1, 1, 2, 3))):
            picked.add(rng.choices(list(WIDE), list(WIDE.values()))[0])
        count += len(picked)
    names = list(FEATURES)
    weights = list(FEATURES.values())
    while len(picked) < count:
        picked.add(rng.choices(names, weights)[0])
    return settle(picked, rng)


def settle(picked, rng):
    """Adds what the features need, and leaves out what SPIN does not take together with them."""
    if "relays" in picked:
        picked.add("handles")
    if "never" in picked:
        picked.discard("claims")  # one claim for each model
    if "embedded_c" in picked:
        picked.discard("hidden")  # C may read hidden variables: they count in Spoor (docs/spin-differences.md)
    if picked & {"sorted", "copying", "polls"} and "buffered" not in picked:
        picked.add("buffered")
    if picked & NEED_CHANNELS and not picked & {"buffered", "rendezvous"}:
        picked.add(rng.choice(("buffered", "rendezvous")))
    if "exclusive" in picked:
        picked.discard("else")
    if "priority" in picked:  # SPIN does not compile both
        picked.discard("rendezvous")
        if picked & NEED_CHANNELS:
            picked.add("buffered")
    if "rendezvous" in picked:
        picked.discard("enabled")  # nor accept both
    return picked
