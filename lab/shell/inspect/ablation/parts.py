"""The parts that a model offers to be switched off or replaced, by kind, and one kind of them as a table."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from lab.api import Intervention

BLOCKS = "layer"
"""The intervention that skips a whole block; its targets stand as a column beside those of other kinds."""
BRANCHES = ("mixer", "residual")
"""The interventions on what is added up in a block."""
MOST = 32
"""Parts of a block that are shown together; of more, a window of WINDOW, chosen by number."""
WINDOW = 16
_ADDRESS = re.compile(r"((?P<stack>[a-z_]+)\.)?(?P<number>[1-9]\d*)(\.(?P<index>.+))?", re.ASCII)
"""The address of a part of a block, "2.3" or "encoder.2.3", or of a block."""


@dataclass(frozen=True)
class Part:
    """One thing that can be changed in a model.

    Args:
        target: What the engine calls it ("head:2.3", "mean:head:2.3").
        block: The number of its block, from 1, or the stack and the number ("encoder 1"); None outside the blocks.
        index: Which part of the block it is ("3", "token"); "" for the block itself.
    """

    target: str
    block: int | str | None
    index: str


KindKey = tuple[str, str]
"""The change of the parts ("" to switch them off, "mean" …) and their kind ("head")."""


@dataclass(frozen=True)
class Kind:
    """All parts of one kind, changed in one way.

    Args:
        change: The intervention whose addresses are targets of others, as "mean"; "" where there is none.
        name: The intervention, or the one that those targets are of ("head").
        parts: In the order of the model.
        singular: What one of them is called, in English, with "{n}" for its index; "" if nobody gave it.
        plural: What they are called together, in English.
    """

    change: str
    name: str
    parts: tuple[Part, ...]
    singular: str = ""
    plural: str = ""

    @property
    def key(self) -> KindKey:
        """Its identity."""
        return self.change, self.name

    @functools.cached_property
    def indices(self) -> tuple[str, ...]:
        """The labels of its parts inside their blocks, each once."""
        return tuple(dict.fromkeys(part.index for part in self.parts))

    @property
    def is_large(self) -> bool:
        """True if it has so many parts that only some of them are shown at once."""
        return len(self.indices) > MOST


Kinds = dict[KindKey, Kind]


@dataclass(frozen=True)
class Table:
    """Parts as rows and columns.

    Args:
        kind: What they are.
        rows: The blocks, from top to bottom; None outside the blocks.
        columns: What the parts are called inside their blocks, from left to right; "" for the block itself.
        parts: By row and column, both from 0.
        first: The index of the first part of a window in a large kind.
    """

    kind: Kind
    rows: tuple[int | str | None, ...]
    columns: tuple[str, ...]
    parts: Mapping[tuple[int, int], Part]
    first: int = 0

    @property
    def with_blocks(self) -> bool:
        """True if the first column is that of the blocks themselves, beside the parts of another kind."""
        return self.kind.name != BLOCKS and self.columns[:1] == ("",)


def kinds_of(offered: Mapping[str, Sequence[str]], cards: Mapping[str, Intervention] = MappingProxyType({})) -> Kinds:
    """Return the kinds of parts that a model offers: what is switched off first, small parts before whole blocks.

    Args:
        offered: The addresses of each intervention. One whose addresses are targets of others ("head:2.3") changes
            these in its own way.
        cards: The interventions by name, which label their parts.
    """
    found: dict[KindKey, list[Part]] = {}
    for name, addresses in offered.items():
        for address in addresses:
            inner, colon, rest = address.partition(":")
            key = (name, inner) if colon and inner in offered else ("", name)
            found.setdefault(key, []).append(_part(f"{name}:{address}", key[1], rest if key[0] else address))
    labels = {name: (card.singular, card.plural) for name, card in cards.items()}
    kinds = (Kind(*key, tuple(parts), *labels.get(key[1], ("", ""))) for key, parts in found.items())
    return {kind.key: kind for kind in sorted(kinds, key=_rank)}


def _rank(kind: Kind) -> tuple[str, bool, bool, bool]:
    return kind.change, kind.is_large, kind.name == BLOCKS, kind.name in BRANCHES


def table_of(kinds: Kinds, key: KindKey, first: int = 0) -> Table:
    """Return the table of a kind, with a column of the blocks themselves where they are changed in the same way.

    Args:
        kinds: What the model offers.
        key: The kind.
        first: The index of the first part to show, where the kind is large.
    """
    kind = kinds[key]
    indices, start = kind.indices, 0
    if kind.is_large:
        start = max(0, min(first, len(indices) - WINDOW))
        indices = indices[start : start + WINDOW]
    blocks = kinds.get((kind.change, BLOCKS))
    in_blocks = any(part.block is not None for part in kind.parts)
    alongside = blocks.parts if blocks is not None and blocks is not kind and in_blocks else ()
    columns = ("", *indices) if alongside else indices
    parts = [*alongside, *(part for part in kind.parts if part.index in indices)]
    numbers = {part.block for part in (*alongside, *kind.parts)}
    rows = tuple(sorted(numbers, key=_order))
    cells = {(rows.index(part.block), columns.index(part.index)): part for part in parts}
    return Table(kind, rows, columns, cells, start)


def _order(block: int | str | None) -> tuple[int, str, int]:
    """Return what rows are sorted by: those outside the blocks, the model's own blocks, those of other stacks."""
    if isinstance(block, str):
        stack, _, number = block.rpartition(" ")
        return 2, stack, int(number)
    return (0, "", 0) if block is None else (1, "", block)


def _part(target: str, name: str, address: str) -> Part:
    found = _ADDRESS.fullmatch(address)
    if found is None or (found["index"] is None) != (name == BLOCKS):
        return Part(target, None, address)
    number = int(found["number"])
    return Part(target, f"{found['stack']} {number}" if found["stack"] else number, found["index"] or "")
