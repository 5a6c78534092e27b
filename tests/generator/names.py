"""What a generated statement may refer to: variables, channels, processes, and scopes of them."""

import dataclasses

# Values that an assignment may leave in a variable of each type, when nothing wild is wanted.
TAME_TYPES = ("byte", "byte", "byte", "bit", "bool", "int", "short")
WILD_TYPES = ("bit", "bool", "byte", "short", "int", "unsigned", "pid")


@dataclasses.dataclass(frozen=True)
class Variable:
    """A readable and writable place of a basic type."""

    name: str            # as text: x, a[1], r.f, r.g[0].h
    type: str
    wild: bool = False   # may take any value of its type; others stay small

    @property
    def natural(self):
        """Never negative, so fit for an index after a remainder."""
        return self.type in ("byte", "bit", "bool", "unsigned", "pid")


@dataclasses.dataclass(frozen=True)
class Array:
    name: str
    type: str
    size: int


@dataclasses.dataclass(frozen=True)
class Channel:
    """A channel, or a variable that holds one of the same shape."""

    name: str
    capacity: int
    fields: tuple        # types; a field that is a channel has the type "chan"
    carried: tuple = ()  # fields of the channels that it carries

    @property
    def shape(self):
        return (self.capacity > 0, self.fields)


@dataclasses.dataclass(eq=False)
class Proctype:
    name: str
    parameters: list                    # of (type, name)
    labels: list = dataclasses.field(default_factory=list)
    watched: list = dataclasses.field(default_factory=list)  # locals others may look at
    active: int = 0                     # instances at the start
    first_pid: int = -1                 # of those
    c_variables: list = dataclasses.field(default_factory=list)  # names that embedded C can use
    c_local: bool = False               # has a c_state of its own


class Scope:
    """Names visible at a place; an inner scope sees its parents."""

    def __init__(self, parent=None):
        self.parent = parent
        self.variables = []
        self.arrays = []
        self.channels = []
        self.handles = []   # channels that may also be assigned

    def inner(self):
        return Scope(self)

    def all(self, what):
        scope, found = self, []
        while scope is not None:
            found += getattr(scope, what)
            scope = scope.parent
        return found
