"""The plan at the end of a script: a run's settings as Python code that calls the definitions above."""

from __future__ import annotations

import pprint
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lab.api import Mixer, MixerStackConfig, ModelConfig, PatternStackConfig
from lab.base import BadInput
from lab.interop.script.joining import STAND_INS, Definition, Joined
from lab.training.resolution import Resolved

LOOP = "lab.interop.script.loop"
"""The module that trains in a script."""

INDENT = " " * 4
WIDTH = 100

Factory = Callable[..., Any] | str


class PlanText:
    """A writer of the plan that includes everything it names.

    Names are known only after everything is included, so the text contains marks for them until `finished`.

    Attributes:
        joined: The collector of the script's statements.
    """

    def __init__(self) -> None:
        self.joined = Joined()
        self._marks: list[Definition] = []
        self._derived: dict[type, str] = {}
        self._plan, self._main = self.name(LOOP, "Plan"), self.name(LOOP, "main")

    def name(self, module: str, name: str) -> str:
        """Include a name of a module's top level and return its mark.

        Raises:
            BadInput: It, or something it needs, cannot be included.
        """
        self._marks.append(self.joined.take(module, name))
        return f"\x00{len(self._marks) - 1}\x00"

    def factory(self, factory: Factory) -> str:
        """Include the factory of a card and return its mark.

        Raises:
            BadInput: It has no name of its own, or cannot be included.
        """
        if isinstance(factory, str):
            module, _, name = factory.partition(":")
        else:
            module, name = str(getattr(factory, "__module__", "")), getattr(factory, "__qualname__", "")
        if not name.isidentifier():
            raise BadInput(
                f"{name or factory} has no name at the top of a module, so a script cannot call it",
                field="architecture",
                value=module,
                remedy="Build the card with a function or class of the module",
            )
        return self.name(module, name)

    def call(self, factory: Factory, argument: str) -> str:
        """Return a call of a card's factory."""
        return f"{self.factory(factory)}({argument})"

    def call_with(self, factory: Factory, values: Mapping[str, str]) -> str:
        """Return a call of a class or function with keywords, whose values are code."""
        return _call(self.factory(factory), values)

    def made(self, resolved: Resolved) -> str:
        """Return the code that makes the object of a card with its settings."""
        return self.call(resolved.card.build, self.settings(resolved.config))

    def settings(self, config: ModelConfig) -> str:
        """Return a call that recreates these settings.

        Raises:
            BadInput: Their class cannot be included, or a value is not plain data.
        """
        unused = config.unused(dict(config))
        taken = {name: value for name, value in config if name not in unused or not isinstance(value, ModelConfig)}
        return _call(self._kind(config), {name: self._value(value) for name, value in taken.items()})

    def plain_settings(self, values: Mapping[str, Any]) -> str:
        """Return the code of settings without a class of their own."""
        return _call(self.name(STAND_INS, "ModelConfig"), {name: self.literal(value) for name, value in values.items()})

    def literal(self, value: Any) -> str:
        """Return plain data as Python code, on several lines if it is long."""
        if isinstance(value, dict) and all(isinstance(part, int | float) for pair in value.items() for part in pair):
            rows = textwrap.wrap(repr(value)[1:-1].replace(": ", ":\xa0"), WIDTH)  # a table of numbers
            lines = [row.replace("\xa0", " ") for row in rows]
            return "{" + lines[0] + "}" if len(lines) == 1 else _block("{", lines, "}") if lines else "{}"
        if isinstance(value, dict) and any(isinstance(part, dict | list) for part in value.values()):
            return _block("{", [f"{name!r}: {self.literal(part)}," for name, part in value.items()], "}")
        return pprint.pformat(value, width=WIDTH, sort_dicts=False)

    def finished(self, plan: Mapping[str, str], text: Callable[[], str]) -> str:
        """Return the script except for its head.

        Args:
            plan: The plan's fields.
            text: Returns the imports and definitions, after everything is included.
        """
        start = f'if __name__ == "__main__":\n{INDENT}{self._main}(PLAN)\n'
        parts = [*self._derived.values(), f"PLAN = {_call(self._plan, plan)}", start]
        self.joined.settle({"PLAN", *(kind.__name__ for kind in self._derived)})
        end = "\n\n".join(parts)
        end = re.sub("\x00(\\d+)\x00", lambda mark: self.joined.name(self._marks[int(mark[1])]), end)
        return "\n\n\n".join([text(), f"# {'-' * 30} the run\n\n\n{end}"])

    def _value(self, value: Any) -> str:
        if isinstance(value, ModelConfig):
            return self.settings(value)
        if isinstance(value, list | tuple) and any(isinstance(one, ModelConfig) for one in value):
            parts = "".join(f"{self._value(one)}, " for one in value)
            return f"[{parts}]" if isinstance(value, list) else f"({parts})"
        return self.literal(value)

    def _kind(self, config: ModelConfig) -> str:
        """Return the name of the class of some settings; a derived class has no source, so its code is made here."""
        kind = type(config)
        if getattr(sys.modules.get(kind.__module__), kind.__name__, None) is kind:
            return self.name(kind.__module__, kind.__name__)
        if kind not in self._derived:
            if isinstance(config, MixerStackConfig):
                description, member = (
                    f"a stack of the mixer {config.mixer.name}",
                    f"mixer = {self._mixer(config.mixer)}",
                )
            elif isinstance(config, PatternStackConfig):
                named = {name: self._mixer(config.mixers[name]) for block in config.blocks() for name in block.mixers}
                description = "a stack of the mixers that a pattern names"
                member = _block("mixers = {", [f"{name!r}: {mixer}," for name, mixer in named.items()], "}")
            else:
                what = f"the class {kind.__name__} of its settings has no source at the top of a module"
                raise BadInput(what, field="architecture", value=kind.__module__)
            base = self.name(kind.__mro__[1].__module__, kind.__mro__[1].__name__)
            body = [f'"""Settings of {description}, which the lab derives."""\n', *member.split("\n")]
            self._derived[kind] = _block(f"class {kind.__name__}({base}):", body, "")
        return kind.__name__

    def _mixer(self, mixer: Mixer) -> str:
        return f"{self.name(STAND_INS, 'Mixer')}({mixer.key!r}, {self.factory(mixer.build)}, {mixer.kind!r})"


def _call(name: str, values: Mapping[str, str]) -> str:
    """Return a call with keywords, on one line if it fits."""
    line = f"{name}({', '.join(f'{one}={value}' for one, value in values.items())})"
    if len(line) <= WIDTH and "\n" not in line:
        return line
    return _block(f"{name}(", [f"{one}={value}," for one, value in values.items()], ")")


def _block(begin: str, parts: Iterable[str], end: str) -> str:
    """Return parts on lines of their own, indented by one level."""
    return "\n".join([begin, *textwrap.indent("\n".join(parts), INDENT).split("\n"), end])
