"""Small edits of a generated model, as a user would make them between two checks.

An edit need not give a valid model: whoever compares versions passes over what the front end rejects. Each
function takes the tree and a random generator and returns the edited tree, or None where it finds nothing
to do.
"""

import re

from .tree import HOLE, Node, at, code, inline_text, replace, seq, walk

TYPES = ("bit", "bool", "byte", "short", "int", "unsigned", "mtype", "pid")
OPERATORS = (("+", "-", "*", "/", "%"), ("<", "<=", ">", ">=", "==", "!="), ("&&", "||"), ("&", "|", "^"),
             ("<<", ">>"))
SYMBOL = re.compile(r"<<|>>|<=|>=|==|!=|&&|\|\||->|\+\+|--|::|[-+*/%<>&|^]")
NUMBER = re.compile(r"\b\d+\b")
WORD = re.compile(r"\b[a-z_]\w*\b", re.I)
BRACKETS = ("atomic", "d_step", "block")


def choose(tree, rng, wanted):
    found = [path for path, node in walk(tree) if wanted(node)]
    return rng.choice(found) if found else None


def is_code(node):
    return node.kind == "code"


def edit_text(tree, rng, pattern, new_text):
    """Replaces one match of the pattern in the text of one node."""
    path = choose(tree, rng, lambda node: is_code(node) and pattern.search(node.text))
    if path is None:
        return None
    node = at(tree, path)
    match = rng.choice(list(pattern.finditer(node.text)))
    new = new_text(match[0])
    if new is None:
        return None
    return replace(tree, path, Node(node.kind, node.text[:match.start()] + new + node.text[match.end():],
                                    node.kids))


def change_number(tree, rng):
    return edit_text(tree, rng, NUMBER, lambda old: rng.choice([n for n in "01234" if n != old]))


def change_operator(tree, rng):
    def other(old):
        group = next((group for group in OPERATORS if old in group), None)
        return group and rng.choice([op for op in group if op != old])
    return edit_text(tree, rng, SYMBOL, other)


def change_word(tree, rng):
    """One name for another: variables, channels, labels, types, process types."""
    text = str(tree)
    words = sorted(set(WORD.findall(text)))
    kinds = {}
    for word in words:
        kinds.setdefault("type" if word in TYPES else re.sub(r"\d", "", word), []).append(word)

    def other(old):
        kind = "type" if old in TYPES else re.sub(r"\d", "", old)
        same = [word for word in (TYPES if kind == "type" else kinds.get(kind, [])) if word != old]
        return rng.choice(same or [word for word in words if word not in TYPES])
    return edit_text(tree, rng, WORD, other)


def change_type(tree, rng):
    return edit_text(tree, rng, re.compile(r"\b(" + "|".join(TYPES) + r")\b"),
                     lambda old: rng.choice([name for name in TYPES if name != old]))


def change_message_operator(tree, rng):
    swap = {"!": "!!", "!!": "!", "?": "??", "??": "?"}
    return edit_text(tree, rng, re.compile(r"(?<=\w)(!!?|\?\??)(?!=)"), swap.get)


def statement(tree, rng):
    """The path of a sequence and an index in it."""
    path = choose(tree, rng, lambda node: node.kind == "seq" and node.kids)
    if path is None:
        return None, 0
    return path, rng.randrange(len(at(tree, path).kids))


def edit_sequence(tree, rng, edit):
    path, index = statement(tree, rng)
    if path is None:
        return None
    kids = list(at(tree, path).kids)
    edit(kids, index)
    return replace(tree, path, seq(kids))


def delete_statement(tree, rng):
    return edit_sequence(tree, rng, lambda kids, i: kids.pop(i))


def double_statement(tree, rng):
    return edit_sequence(tree, rng, lambda kids, i: kids.insert(i, kids[i]))


def swap_statements(tree, rng):
    def edit(kids, i):
        j = (i + 1) % len(kids)
        kids[i], kids[j] = kids[j], kids[i]
    return edit_sequence(tree, rng, edit)


def insert_statement(tree, rng):
    """One from elsewhere, or a plain one."""
    path, index = statement(tree, rng)
    new = at(tree, path).kids[index] if path is not None and rng.random() < 0.7 else \
        code(rng.choice(("skip", "x0 = 1", "x0 = x0 + 1", "assert(x0 != 1)", "x0 > 0", "timeout", "else",
                         "run P1()", "c0!1", "c0?x0", "break", "printf(\"m\")", "pc_value(0) > 3")))
    return edit_sequence(tree, rng, lambda kids, i: kids.insert(i, new))


def edit_options(tree, rng):
    path = choose(tree, rng, lambda node: node.kind in ("if", "do"))
    if path is None:
        return None
    node = at(tree, path)
    options = list(node.kids)
    i = rng.randrange(len(options))
    what = rng.randrange(5)
    if what == 0 and len(options) > 1:
        del options[i]
    elif what == 1:
        options.insert(rng.randrange(len(options) + 1), options[i])
    elif what == 2:
        rng.shuffle(options)
    elif what == 3:
        options.append(seq([code(rng.choice(("else", "skip", "x0 == 1", "timeout")))]))
    else:
        return replace(tree, path, Node("do" if node.kind == "if" else "if", "", options))
    return replace(tree, path, node.with_kids(options))


def edit_brackets(tree, rng):
    path = choose(tree, rng, lambda node: node.kind in (*BRACKETS, "unless"))
    if path is not None and rng.random() < 0.6:
        node = at(tree, path)
        if rng.random() < 0.4:
            return replace(tree, path, list(node.kids[0].kids))
        return replace(tree, path, Node(rng.choice(BRACKETS), "", node.kids[:1]))

    def edit(kids, i):
        j = rng.randrange(i, len(kids)) + 1
        body = seq(kids[i:j])
        if rng.random() < 0.3:
            kids[i:j] = [Node("unless", "", [body, seq([code(rng.choice(("x0 == 1", "x0 > 1", "c0?x0")))])])]
        else:
            kids[i:j] = [Node(rng.choice(BRACKETS[:2]), "", [body])]
    return edit_sequence(tree, rng, edit)


def edit_labels(tree, rng):
    path = choose(tree, rng, lambda node: node.kind == "label")
    what = rng.randrange(4)
    if path is not None and what == 0:
        return replace(tree, path, at(tree, path).kids[0])
    if path is not None and what == 1:
        return replace(tree, path, Node("label", rng.choice(("end", "accept", "progress")) + "_m",
                                        at(tree, path).kids))
    if what == 2:
        return edit_text(tree, rng, re.compile(r"(?<=goto )\w+"), lambda old: rng.choice(
            [node.text for _, node in walk(tree) if node.kind == "label"] or [old]))
    name = rng.choice(("end_m", "accept_m", "progress_m", "plain_m"))

    def edit(kids, i):
        kids[i] = Node("label", name, [kids[i]])
    return edit_sequence(tree, rng, edit)


def edit_header(tree, rng):
    path = choose(tree, rng, lambda node: node.kind == "proc")
    if path is None:
        return None
    node = at(tree, path)
    header = node.kids[0]
    text = header.text
    what = rng.randrange(5)
    if what == 0 and "provided" not in text:
        text += rng.choice((" provided (x0 == 0)", " provided (_pid > 0)", " provided (x0 < 2)"))
    elif what == 1:
        text = text.replace("D_proctype", "proctype") if "D_proctype" in text else \
            text.replace("proctype", "D_proctype")
    elif what == 2:
        text = text.replace("active", "active [2]", 1) if "active [" not in text else text
    elif what == 3:
        text += f" priority {rng.randrange(1, 4)}"
    else:
        text = re.sub(r" provided.*", "", text)
        if text.count(HOLE) != len(header.kids):
            return None
    return replace(tree, path, node.with_kids((Node("code", text, header.kids), *node.kids[1:])))


DECLARATIONS = ("byte m0", "byte m0 = 2", "hidden byte m0", "chan m1 = [1] of { byte }", "chan m1 = [0] of { byte }",
                "byte m2[2]", "bit x9")


def add_declaration(tree, rng):
    if rng.random() < 0.5:
        kids = list(tree.kids)
        kids.insert(rng.randrange(len(kids) + 1), code(rng.choice(DECLARATIONS)))
        return tree.with_kids(kids)
    path = choose(tree, rng, lambda node: node.kind == "proc")
    if path is None:
        return None
    node = at(tree, path)
    kids = list(node.kids[1].kids)
    kids.insert(0, code("decl " + rng.choice([d for d in DECLARATIONS if "hidden" not in d])))
    return replace(tree, path, node.with_kids((node.kids[0], seq(kids))))


def edit_units(tree, rng):
    """Declarations and processes: gone, exchanged."""
    kids = list(tree.kids)
    i = rng.randrange(len(kids))
    if rng.random() < 0.4:
        del kids[i]
    else:
        j = rng.randrange(len(kids))
        kids[i], kids[j] = kids[j], kids[i]
    return tree.with_kids(kids)


EDITS = {
    change_number: 5, change_operator: 3, change_word: 4, change_type: 2, change_message_operator: 2,
    delete_statement: 3, double_statement: 2, swap_statements: 3, insert_statement: 4, edit_options: 4,
    edit_brackets: 5, edit_labels: 4, edit_header: 3, add_declaration: 2, edit_units: 1,
}


def mutate(tree, rng):
    """The name of an edit, and the tree with it; the text differs from that of `tree`."""
    before = str(tree)
    while True:
        edit = rng.choices(list(EDITS), EDITS.values())[0]
        new = edit(tree, rng)
        if new is not None and str(new) != before:
            return edit.__name__, new
