"""Makes a model smaller while it keeps a disagreement: delta debugging on the generator's tree.

Each round proposes smaller trees, the most drastic first (drop half of a list, drop one element,
replace a compound statement by one of its bodies, replace an expression by a part of it or by a
constant), and keeps the first for which `still_fails` holds. The rounds end when nothing smaller
fails or when the tries are used up. Whether a proposal is valid Promela is not checked here:
`still_fails` asks SPIN, and a rejected model fails differently.
"""

from .tree import Node, SKIP, at, code, inline_text, replace, walk

CONSTANTS = ("1", "0")


def shrink(tree, still_fails, tries=500):
    improved = True
    while improved and tries > 0:
        improved = False
        for smaller in proposals(tree):
            if tries == 0:
                break
            tries -= 1
            if still_fails(smaller):
                tree = smaller
                improved = True
                break
    return tree


def proposals(tree):
    """Smaller trees, the smallest first among those of one kind of change."""
    yield from dropped_lists(tree)
    yield from hoisted_bodies(tree)
    yield from plainer_code(tree)


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
