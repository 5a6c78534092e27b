"""Random channels and the statements that use them.

A channel has a shape (buffered or rendezvous, and its field types); a variable that holds channels
only ever holds those of one shape, so that messages fit. Models that aim at errors break this.
"""

import re

from .names import Channel
from .tree import HOLE as H
from .tree import code, declaration, inline_text

FIELD_TYPES = ("byte", "byte", "byte", "bit", "short", "int")

# Variables that can hold every value of a field (a field of type bit holds a byte). SPIN takes a
# receive back by putting the value of the variable into the channel again: a value that was cut when
# it was stored comes back wrong.
HOLDERS = {
    "mtype": ("mtype",),
    "bit": ("byte", "short", "int", "pid"),
    "byte": ("byte", "short", "int", "pid"),
    "short": ("short", "int"),
    "int": ("int",),
}


def mentions(text, name):
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) is not None


def may_be_evaluated(text, filled):
    """SPIN evaluates again when it takes a receive back, so nothing that the receive changes may
    occur, such as the length of the channel; and it refuses remote references."""
    return not (re.search(r"len\(|\?\[|\]:|@|c_expr", text) or any(mentions(text, name) for name in filled))


class Messages:
    """Mixin of the builder: needs rng, features, scope, errors."""

    def channel_shapes(self):
        """One or two shapes per model, so that processes have something to say to each other."""
        rng, features = self.rng, self.features
        shapes = []
        for kind in ("rendezvous", "buffered"):
            if kind not in features:
                continue
            for _ in range(rng.choice((1, 1, 2))):
                capacity = 0 if kind == "rendezvous" else rng.choice((1, 1, 2, 2, 3))
                fields = [rng.choice(FIELD_TYPES) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
                if "mtypes" in features and rng.random() < 0.5:
                    fields[0] = "mtype"
                shapes.append((capacity, tuple(fields)))
        return shapes

    def global_channels(self):
        """Declares channels; returns the declarations."""
        rng, features, declared = self.rng, self.features, []
        for number, (capacity, fields) in enumerate(self.channel_shapes()):
            name = f"c{number}"
            types = ", ".join(fields)
            if "channel_arrays" in features and rng.random() < 0.6:
                declared.append(code(f"chan {name}[2] = [{capacity}] of {{ {types} }}"))
                for index in range(2):
                    self.scope.channels.append(Channel(f"{name}[{index}]", capacity, fields))
            elif "channel_records" in features and rng.random() < 0.8:
                declared += self.record_of_channels(number, capacity, fields)
            else:
                declared.append(code(f"chan {name} = [{capacity}] of {{ {types} }}"))
                self.scope.channels.append(Channel(name, capacity, fields))
        if "handles" in features and self.scope.channels:
            carried = rng.choice(self.scope.channels)
            capacity = rng.choice((0, 1, 2) if "priority" not in features else (1, 2))
            fields = rng.choice((("chan",), ("chan", "byte"), ("byte", "chan")))
            declared.append(code(f"chan post = [{capacity}] of {{ {', '.join(fields)} }}"))
            self.scope.channels.append(
                Channel("post", capacity, fields, (carried.capacity, carried.fields)))
            if "relays" in features:  # of fields that no other channel has, so that it carries only `post` and its like
                declared.append(code("chan relay = [1] of { bit, chan }"))
                self.scope.channels.append(Channel("relay", 1, ("bit", "chan"), (capacity, fields)))
        return declared

    def record_of_channels(self, number, capacity, fields):
        """A record with channels, and a variable of it: alone, within another record, or an array."""
        made = f"[{capacity}] of {{ {', '.join(fields)} }}"
        record, name = f"Port{number}", f"port{number}"
        declared = [code(f"typedef {record} {{ chan line[2] = {made}; chan spare = {made} }}")]
        kind = self.rng.choice(("alone", "nested", "array"))
        if kind == "nested":
            declared += [code(f"typedef Board{number} {{ byte n; {record} port }}"), code(f"Board{number} {name}")]
            places = [f"{name}.port"]
        elif kind == "array":
            declared.append(code(f"{record} {name}[2]"))
            places = [f"{name}[0]", f"{name}[1]"]
        else:
            declared.append(code(f"{record} {name}"))
            places = [name]
        found = [f"{place}.{field}" for place in places for field in ("line[0]", "line[1]", "spare")]
        for channel in self.rng.sample(found, 2):
            self.scope.channels.append(Channel(channel, capacity, fields))
        return declared

    def local_channel(self):
        """Declares a channel, or a variable that holds one, in a process."""
        rng, channels = self.rng, self.scope.all("channels")
        name = self.fresh("h")
        if "handles" in self.features and channels and rng.random() < 0.6:
            held = rng.choice(channels)
            handle = Channel(name, held.capacity, held.fields, held.carried)
            self.scope.channels.append(handle)
            self.scope.handles.append(handle)
            return declaration(f"chan {name} = {held.name}")
        capacity = rng.choice((1, 1, 2)) if "rendezvous" not in self.features else rng.choice((0, 1))
        fields = rng.choice((("byte",), ("byte", "bit")))
        self.scope.channels.append(Channel(name, capacity, fields))
        return declaration(f"chan {name} = [{capacity}] of {{ {', '.join(fields)} }}")

    def like(self, capacity, fields):
        return [c.name for c in self.scope.all("channels")
                if (c.capacity > 0) == (capacity > 0) and c.fields == fields]

    def sent_value(self, channel, type):
        if type == "mtype":
            return code(self.rng.choice(self.mtype_values))
        if type == "chan":
            return code(self.rng.choice(self.like(*channel.carried)))
        return self.number(1, wild="types" in self.features and self.rng.random() < 0.3)

    def join(self, operator, channel, arguments, close=""):
        if channel.fields[0] == "mtype" and len(arguments) > 1 and self.rng.random() < 0.3:
            rest = ", ".join([H] * (len(arguments) - 1))
            return code(f"{channel.name}{operator}{H}({rest}){close}", *arguments)
        return code(f"{channel.name}{operator}{', '.join([H] * len(arguments))}{close}", *arguments)

    def send(self, channel=None):
        rng = self.rng
        channel = channel or rng.choice(self.scope.all("channels"))
        values = [self.sent_value(channel, type) for type in channel.fields]
        if self.errors and rng.random() < 0.1:
            values = values[:-1] or values + [code("1")]
        operator = "!"
        if "sorted" in self.features and channel.capacity > 0 and rng.random() < 0.6:
            operator = "!!"
        return self.join(operator, channel, values)

    def receive(self, channel=None):
        rng = self.rng
        channel = channel or rng.choice(self.scope.all("channels"))
        arguments = self.patterns(channel)
        if self.errors and rng.random() < 0.1 and len(arguments) > 1:
            arguments = arguments[:-1]
        operator = "?"
        if "sorted" in self.features and channel.capacity > 0 and rng.random() < 0.6:
            operator = "??"
        if "copying" in self.features and channel.capacity > 0 and rng.random() < 0.5:
            listed = ", ".join([H] * len(arguments))
            return code(f"{channel.name}{operator}<{listed}>", *arguments)
        return self.join(operator, channel, arguments)

    def poll(self, channel):
        arguments = self.patterns(channel, poll=True)
        operator = "??" if "sorted" in self.features and self.rng.random() < 0.4 else "?"
        listed = ", ".join([H] * len(arguments))
        poll = f"{channel.name}{operator}[{listed}]"
        # SPIN's verifier takes the place of the message for the value of a random poll (docs/spin-differences.md).
        return code(f"({poll} != 0)" if operator == "??" else poll, *arguments)

    def patterns(self, channel, poll=False):
        """What a receive matches or fills; no variable is filled twice, nor filled and evaluated:
        SPIN, taking the receive back, would evaluate with the value that was just received."""
        rng, used, found = self.rng, set(), []
        for type in channel.fields:
            evaluated = " ".join(map(inline_text, found))
            variables = [v for v in self.scope.all("variables")
                         if v.name not in used and not mentions(evaluated, v.name)
                         and not mentions(channel.name, v.name) and not any(mentions(v.name, name) for name in used)
                         and v.type in HOLDERS.get(type, ())]
            choices = [lambda: code("_")]
            if type == "chan":
                handles = [h for h in self.scope.all("handles") if h.name not in used
                           and h.fields == channel.carried[1]
                           and (h.capacity > 0) == (channel.carried[0] > 0)]
                if handles:
                    choices = [lambda: self.take(rng.choice(handles), used)]
            elif type == "mtype":
                choices.append(lambda: code(rng.choice(self.mtype_values)))
            elif len(found) == 0:
                choices.append(lambda: code(str(rng.choice((0, 1, 1, 2)))))
            if variables and type != "chan":
                choices += [lambda: self.take(rng.choice(variables), used)] * 5
                if "eval" in self.features or poll:
                    choices += [lambda: code(f"eval({H})", code(rng.choice(variables).name))] * 2
            if "eval" in self.features and type not in ("chan", "mtype"):
                choices.append(lambda: code(f"eval({H})", self.number(1)))
            made = rng.choice(choices)()
            if made.text.startswith("eval") and not may_be_evaluated(inline_text(made), used):
                made = code("_")
            found.append(made)
        return found

    @staticmethod
    def take(variable, used):
        used.add(variable.name)
        return code(variable.name)
