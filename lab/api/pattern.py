"""Patterns: one line that names the mixers of the blocks of a stack, and the config of such a stack."""

from __future__ import annotations

import difflib
import functools
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn, Self

from pydantic import create_model, field_validator

from lab.api.architecture import Architecture, Mixer
from lab.api.config import NotAllowed, StackConfig, setting, tie_setting
from lab.base import BadInput

LONGEST = 2000
"""The largest number of characters of a pattern."""

MOST = 1000
"""The largest number of blocks of a pattern: as many as a stack may have layers."""

DEEPEST = 16
"""The deepest nesting of groups."""

FORM = "blocks such as attention+mlp*2, mamba, (mamba*3, attention)*2, [attention+mlp]"
"""A description of patterns by examples of all forms."""

_TOKEN = re.compile(r"[^\W\d_][\w-]*|[0-9]+|\S")


@dataclass(frozen=True)
class PatternBlock:
    """One block in a pattern.

    Args:
        mixers: The name of a token mixer, of a channel mixer, or of one of each in this order.
        shared: Whether all blocks with these names that are also marked shared have one set of weights.
    """

    mixers: tuple[str, ...]
    shared: bool = False

    def __str__(self) -> str:
        names = "+".join(self.mixers)
        return f"[{names}]" if self.shared else names


def blocks_of(pattern: str) -> tuple[PatternBlock, ...]:
    """Return the blocks of one pass through a pattern, at most as many as a stack may have layers.

    Raises:
        NotAllowed: It is not a pattern.
    """
    reader = _Reader(pattern)
    blocks = reader.blocks(0)
    if reader.token:
        reader.refuse("a comma or the end")
    return tuple(blocks)


class _Reader:
    """A parser of `block, block*2, (block, block)*3, [block]`, from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._found = [(part[0], part.start()) for part in _TOKEN.finditer(pattern)] + [("", len(pattern))]
        self._at = 0

    @property
    def token(self) -> str:
        """The current token; "" at the end."""
        return self._found[self._at][0]

    def blocks(self, depth: int) -> list[PatternBlock]:
        found = self._repeated(depth)
        while self._accept(","):
            found = (found + self._repeated(depth))[:MOST]
        return found

    def refuse(self, wanted: str) -> NoReturn:
        """Report what was expected at this position.

        Raises:
            NotAllowed: Always.
        """
        read = self._pattern[: self._found[self._at][1]].strip()
        where = f"after {read[-20:]!r}" if read else "at the start"
        found = f"{self.token[:20]!r}" if self.token else "the end"
        raise NotAllowed(f"is not a pattern: found {found} {where}, expected {wanted}", allowed=FORM)

    def _repeated(self, depth: int) -> list[PatternBlock]:
        if self._accept("("):
            if depth == DEEPEST:
                raise NotAllowed("has too many groups within groups", allowed=f"groups at most {DEEPEST} deep")
            found = self.blocks(depth + 1)
            self._need(")")
        elif self._accept("["):
            found = [PatternBlock(self._mixers(), shared=True)]
            self._need("]")
        else:
            found = [PatternBlock(self._mixers())]
        if self._accept("*"):
            times = self._number()
            found = (found * min(times, -(-MOST // len(found))))[:MOST]
        return found

    def _mixers(self) -> tuple[str, ...]:
        names = [self._name()]
        while self._accept("+"):
            names.append(self._name())
        return tuple(names)

    def _name(self) -> str:
        name = self.token
        if not name[:1].isalpha():
            self.refuse("the name of a mixer")
        self._at += 1
        return name

    def _number(self) -> int:
        if not self.token.isdecimal():
            self.refuse("a number")
        times = int(self.token)
        if not 1 <= times <= MOST:
            what = f"repeats a block {self.token[:20]} times"
            raise NotAllowed(what, allowed=f"whole numbers, 1 ≤ n ≤ {MOST}")
        self._at += 1
        return times

    def _accept(self, part: str) -> bool:
        here = self.token == part
        self._at += here
        return here

    def _need(self, part: str) -> None:
        if not self._accept(part):
            self.refuse(f"{part!r}")


def pattern_setting(default: str) -> Any:
    """Declare the field `pattern` of a PatternStackConfig, with another default."""
    return setting(
        default,
        min_length=1,
        max_length=LONGEST,
        help="The mixers of the blocks from the first on, repeated until there are enough layers: mamba*3, "
        "attention+mlp is three blocks of Mamba and one of attention and feed-forward layer. (a, b)*2 repeats a group. "
        "[attention+mlp] has one set of weights for all its occurrences and reads the embedding besides the stream; "
        "its output is read only by the next block (Zamba).",
        cite="Lieber et al. 2024; Glorioso et al. 2024, section 3",
    )


class PatternStackConfig(StackConfig):
    """The config of a stack whose blocks a pattern names; an architecture's own is a subclass.

    The host adds the settings of every registered mixer to it, each nested under its name.

    Attributes:
        mixers: The mixers that a pattern may name, by name; empty until the host has added them.
    """

    mixers: ClassVar[Mapping[str, Mixer]] = {}

    pattern: str = pattern_setting("attention+mlp")
    tie: bool = tie_setting()

    @field_validator("pattern")
    @classmethod
    def _names_mixers(cls, pattern: str) -> str:
        for block in dict.fromkeys(blocks_of(pattern)):
            if cls.mixers:
                _check_block(block, cls.mixers)
        return pattern

    @classmethod
    def of(cls, mixers: Iterable[Mixer]) -> type[Self]:
        """Return this config with the settings of these mixers, except for those whose field name is taken."""
        offered: dict[str, Mixer] = {}
        nested: dict[str, Any] = {}
        for mixer in mixers:
            if mixer.key not in cls.model_fields and mixer.key not in nested:
                sentence = f"Settings of the mixer {mixer.title}, wherever the pattern names {mixer.name}."
                nested[mixer.key] = (mixer.config, setting(mixer.config(), label=mixer.title, help=sentence))
                offered[mixer.name] = mixer
        config = create_model(f"{cls.__name__}OfMixers", __base__=cls, **nested)
        config.mixers = offered
        return config

    @classmethod
    def takes(cls, mixer: Mixer, tasks: frozenset[str]) -> bool:
        """Return True if a pattern may name a mixer, in an architecture that can be trained for these tasks."""
        return tasks <= mixer.tasks

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings of mixers that the pattern does not name."""
        try:
            named = {name for block in blocks_of(str(values.get("pattern"))) for name in block.mixers}
        except NotAllowed:
            return frozenset()
        return frozenset(mixer.key for name, mixer in cls.mixers.items() if name not in named)

    def blocks(self) -> tuple[PatternBlock, ...]:
        """Return one block for each layer: the pattern, repeated as often as needed."""
        once = blocks_of(self.pattern)
        return tuple(once[layer % len(once)] for layer in range(self.layers))


class _ByIdentity(tuple[Any, ...]):
    """Objects that are compared by identity, as cards have no other."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(tuple(map(id, self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple) and len(self) == len(other) and all(map(operator.is_, self, other))


def completed(card: Architecture, mixers: Mapping[str, Mixer]) -> Architecture:
    """Return an architecture with a pattern completed by the registered mixers; return any other card unchanged.

    Mixers that cannot be trained for all its tasks are left out, and so are presets that name mixers that do not exist.
    The same card and mixers give the same result, which takes 4 ms to make.

    Raises:
        BadInput: There are no mixers, or its default pattern names one that does not exist; or a preset or size is not
            allowed.
    """
    if not issubclass(card.config, PatternStackConfig) or card.config.mixers:
        return card
    return _completed(_ByIdentity((card, *mixers.values())))


@functools.lru_cache(maxsize=16)
def _completed(cards: _ByIdentity) -> Architecture:
    """Complete the first card with the others, which are mixers."""
    card: Architecture = cards[0]
    mixers: dict[str, Mixer] = {mixer.name: mixer for mixer in cards[1:]}
    where = f"architectures.{card.name}"
    stack: Any = card.config  # a PatternStackConfig
    config = stack.of(mixer for mixer in mixers.values() if stack.takes(mixer, card.tasks))
    if not config.mixers:
        raise BadInput("no active plugin provides a mixer for its pattern", field=where, remedy="See: lm-lab plugins")
    config.read({}, field=where)
    presets: dict[str, Mapping[str, Any]] = {}
    for name, preset in card.presets.items():
        settings = preset.get("architecture", {})
        if _is_there(settings.get("pattern", config.model_fields["pattern"].default), config.mixers):
            complete = config.read(settings, field=f"{where}.presets.{name}.architecture")
            presets[name] = {**preset, "architecture": complete.stored()}  # all settings, to replace an earlier preset
    sizes = {name: each for name, each in card.sizes.items() if name in presets}
    for name, each in sizes.items():
        for size in each:
            values = {**presets[name].get("architecture", {}), **size.settings}
            config.read(values, field=f"{where}.sizes.{name}.{size.name}")
    return replace(card, config=config, presets=presets, sizes=sizes)


def _is_there(pattern: Any, mixers: Mapping[str, Mixer]) -> bool:
    """Return True if every mixer of a pattern exists; also if it is not a pattern, which is reported elsewhere."""
    try:
        return all(name in mixers for block in blocks_of(str(pattern)) for name in block.mixers)
    except NotAllowed:
        return True


def _check_block(block: PatternBlock, mixers: Mapping[str, Mixer]) -> None:
    """Refuse a block that is not a token mixer, a channel mixer or one of each, in this order."""
    for name in block.mixers:
        if name not in mixers:
            near = difflib.get_close_matches(name, mixers, n=1)
            hint = "A plugin that does not run may provide it, see: lm-lab plugins"
            remedy = f"Did you mean {near[0]}? {hint}" if near else hint
            what = f"names {name[:40]!r}, and there is no such mixer"
            raise NotAllowed(what, allowed=f"the mixers {', '.join(mixers)}", remedy=remedy)
    kinds = [mixers[name].kind for name in block.mixers]
    if kinds in (["token"], ["channel"], ["token", "channel"]):
        return
    what = f"names {'+'.join(block.mixers)[:80]}, {' and '.join(kinds[:3])} mixer, as one block"
    if kinds == ["channel", "token"]:
        remedy = f"Did you mean {'+'.join(reversed(block.mixers))}?"
    else:
        remedy = f"Write them as blocks of their own: {', '.join(block.mixers)[:80]}"
    raise NotAllowed(what, allowed="a token mixer, a channel mixer, or token+channel", remedy=remedy)
