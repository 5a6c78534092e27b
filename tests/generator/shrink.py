"""Makes a model smaller while it keeps a disagreement: delta debugging on the generator's tree.

A pass proposes smaller trees of one kind: parts of lists dropped, compound statements replaced by
one of their bodies, expressions by a part of them or by a constant. Whenever a proposal still fails
it is kept, and the pass goes on at the same place of the new tree, without starting again. The
passes are repeated until none of them helps or the tries are used up. Whether a proposal is valid
Promela is not checked here: `still_fails` asks SPIN, and a rejected model fails differently.
"""

import itertools

from .tree import Node, SKIP, at, code, inline_text, replace, walk

CONSTANTS = ("1", "0")


def shrink(tree, still_fails, tries=500):
    improved = True
    while improved:
        improved = False
        for kind in (dropped_lists, hoisted_bodies, plainer_code):
            place = 0
            while (smaller := next(itertools.islice(kind(tree), place, None), None)) is not None:
                if tries == 0:
                    return tree
                tries -= 1
                if still_fails(smaller):
                    tree = smaller
                    improved = True
                else:
                    place += 1
    return tree


def least(node):
    """How many children a node must keep; None when they are not a list."""
    return {"seq": 0, "model": 1, "if": 1, "do": 1}.get(node.kind)


def dropped_lists(tree):
    lists = [(path, node) for path, node in walk(tree) if least(node) is not None and node.kids]
    for path, node in lists:
        size = len(node.kids) // 2
        while size > 1:
            for start in range(0, len(node.kids), size):
                kept = node.kids[:start] + node.kids[start + size:]
                if len(kept) >= least(node):
                    yield replace(tree, path, node.with_kids(kept))
            size //= 2
    for path, node in lists:
        if len(node.kids) > least(node):
            for index in range(len(node.kids)):
                yield replace(tree, path, node.with_kids(node.kids[:index] + node.kids[index + 1:]))


def hoisted_bodies(tree):
    for path, node in walk(tree):
        if node.kind == "label":
            yield replace(tree, path, node.kids[0])
        if node.kind in ("if", "do", "atomic", "d_step", "block", "unless", "loop"):
            for kid in node.kids:
                if kid.kind != "seq":
                    continue
                if node.kind != "block":
                    yield replace(tree, path, Node("block", "", [kid]))
                elif at(tree, path[:-1]).kind == "seq":
                    yield replace(tree, path, list(kid.kids))


def plainer_code(tree):
    for path, node in walk(tree):
        if node.kind != "code" or not path:
            continue
        for index, kid in enumerate(node.kids):
            for grandkid in kid.kids:
                yield replace(tree, path + (index,), grandkid)
            for constant in CONSTANTS:
                if inline_text(kid) not in CONSTANTS:
                    yield replace(tree, path + (index,), code(constant))
        if at(tree, path[:-1]).kind in ("seq", "label") and inline_text(node) != "skip":
            yield replace(tree, path, SKIP)
