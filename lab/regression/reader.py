"""Reads the models of this experiment into the trees that tests/generator edits.

Only what these models use is understood: no `unless`, no macros inside bodies. Comments are dropped, `->` becomes `;`,
and an inline is a `proc` with its own header, so that an edit can be made in each "method" of a model.
"""

import re

from generator.tree import Node, code, declaration, seq

COMMENT = re.compile(r"/\*.*?\*/", re.S)
TOKEN = re.compile(r"\s*(\"[^\"]*\"|->|::|\w+|.)", re.S)
TYPES = ("bit", "bool", "byte", "short", "int", "mtype", "chan")
ENDS = ("}", "fi", "od", "::")
METHOD = re.compile(r"(active\s*(\[\w+\])?\s*)?(proctype|inline|init)\b")


class Reader:
    """Reads the body of one method."""

    def __init__(self, text):
        self.text = text
        self.tokens = [(match[1], match.start(1), match.end(1)) for match in TOKEN.finditer(text.rstrip())]
        self.next = 0

    def peek(self, ahead=0):
        at = self.next + ahead
        return self.tokens[at][0] if at < len(self.tokens) else "}"

    def take(self, expected=None):
        token = self.peek()
        assert expected in (None, token), f"{token} where {expected} should be"
        self.next += 1
        return token

    def sequence(self):
        statements = []
        while True:
            while self.peek() in (";", "->"):
                self.take()
            if self.peek() in ENDS:
                return seq(statements)
            statements.append(self.statement())

    def braces(self):
        self.take("{")
        body = self.sequence()
        self.take("}")
        return body

    def statement(self):
        word = self.peek()
        if word in ("if", "do"):
            self.take()
            options = []
            while self.peek() == "::":
                self.take()
                options.append(self.sequence())
            self.take({"if": "fi", "do": "od"}[word])
            return Node(word, "", options)
        if word in ("atomic", "d_step"):
            self.take()
            return Node(word, "", [self.braces()])
        if self.peek(1) == ":" and word.isidentifier():
            self.next += 2
            return Node("label", word, [self.statement()])
        return self.simple_statement()

    def simple_statement(self):
        first, depth = self.next, 0
        while depth > 0 or self.peek() not in (";", "->", *ENDS):
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(self.take(), 0)
        text = self.text[self.tokens[first][1]:self.tokens[self.next - 1][2]]
        return declaration(text) if self.tokens[first][0] in TYPES else code(text)


def end_of_braces(text, start):
    """The position behind the bracket that closes the one at `start`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end()
    raise ValueError("a bracket is not closed")


def read(text):
    """The tree of a model."""
    rest = COMMENT.sub("", text).lstrip()
    units = []
    while rest:
        if rest.startswith("#"):
            line, _, rest = rest.partition("\n")
            units.append(code(line.rstrip()))
        elif METHOD.match(rest):
            start = rest.index("{")
            end = end_of_braces(rest, start)
            reader = Reader(rest[start + 1:end - 1])
            units.append(Node("proc", "", [code(rest[:start].strip()), reader.sequence()]))
            assert reader.next == len(reader.tokens), f"not understood: {reader.peek()}"
            rest = rest[end:]
        else:
            is_record = rest.startswith("typedef")
            end = end_of_braces(rest, rest.index("{")) if is_record else rest.index(";")
            units.append(code(rest[:end]))
            rest = rest[end:].lstrip().removeprefix(";")
        rest = rest.lstrip()
    return Node("model", "", units)
