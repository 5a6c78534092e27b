"""Trees of Promela text: what the generator builds and the shrinker cuts.

A node is a kind, a text and children. Nothing here knows what a statement means; a tree knows only
enough to print itself and to be made smaller without losing its shape.

    code     text with a hole (HOLE) per child: expressions, simple statements, declarations, headers
    seq      statements, one per line
    if, do   one seq per option
    atomic, d_step, block    one seq
    unless   main seq and escape seq
    loop     a code header such as `for (i : 0 .. 2)`, and a seq
    label    text is the name, the child is the statement
    proc     a code header such as `active proctype P()`, and a seq
    model    declarations, inlines and processes

Trees are never changed in place; `replace` builds a new one around the change.
"""

HOLE = "\N{SECTION SIGN}"
INDENT = "  "


class Node:
    __slots__ = ("kind", "text", "kids")

    def __init__(self, kind, text="", kids=()):
        self.kind = kind
        self.text = text
        self.kids = tuple(kids)

    def with_kids(self, kids):
        return Node(self.kind, self.text, kids)

    def __str__(self):
        return render(self)


def code(text, *kids):
    assert text.count(HOLE) == len(kids), (text, len(kids))
    return Node("code", text, kids)


def seq(statements):
    return Node("seq", "", statements)


SKIP = code("skip")


def is_declaration(node):
    return node.kind == "code" and node.text.startswith("decl ")


def declaration(text, *kids):
    """A variable declared in a sequence; it is no step and cannot stand alone."""
    return code("decl " + text, *kids)


def walk(node, path=()):
    """Every node with its path, parents first."""
    yield path, node
    for index, kid in enumerate(node.kids):
        yield from walk(kid, path + (index,))


def at(node, path):
    for index in path:
        node = node.kids[index]
    return node


def replace(node, path, new):
    """The tree with the node at `path` replaced; `new` may be a list, spliced into a seq."""
    if not path:
        return new
    kids = list(node.kids)
    index, rest = path[0], path[1:]
    if rest or not isinstance(new, list):
        kids[index] = replace(kids[index], rest, new)
    else:
        kids[index:index + 1] = new
    return node.with_kids(kids)


def inline_text(node):
    """A code node on one line."""
    parts = node.text.removeprefix("decl ").split(HOLE)
    pieces = [parts[0]]
    for part, kid in zip(parts[1:], node.kids):
        pieces.append(inline_text(kid))
        pieces.append(part)
    return "".join(pieces)


def end_of_unit(node):
    """What follows a declaration, macro or process at the top of a file."""
    return ";\n" if node.kind == "code" and not node.text.startswith("#") else "\n"


def render(node, depth=0):
    """Promela text; without a final newline."""
    pad = INDENT * depth
    kind = node.kind
    if kind == "code":
        return pad + inline_text(node)
    if kind == "seq":
        statements = list(node.kids)
        if not statements or is_declaration(statements[-1]):
            statements.append(SKIP)
        return ";\n".join(render(statement, depth) for statement in statements)
    if kind in ("if", "do"):
        options = [f"{pad}:: {render(option, depth + 1).lstrip()}" for option in node.kids]
        return "\n".join([pad + kind, *options, pad + {"if": "fi", "do": "od"}[kind]])
    if kind in ("atomic", "d_step", "block"):
        head = "" if kind == "block" else kind + " "
        return f"{pad}{head}{{\n{render(node.kids[0], depth + 1)}\n{pad}}}"
    if kind == "unless":
        main, escape = (render(kid, depth + 1) for kid in node.kids)
        return f"{pad}{{\n{main}\n{pad}}} unless {{\n{escape}\n{pad}}}"
    if kind == "label":
        return f"{pad}{node.text}:\n{render(node.kids[0], depth)}"
    if kind in ("loop", "proc"):
        return (f"{pad}{inline_text(node.kids[0])} {{\n{render(node.kids[1], depth + 1)}\n{pad}}}")
    if kind == "model":
        return "".join(render(kid) + end_of_unit(kid) for kid in node.kids)
    raise ValueError(kind)
