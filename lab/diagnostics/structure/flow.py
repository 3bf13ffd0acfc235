"""The data flow between the parts of a module: which part reads which, and what is added to what entered it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from lab.diagnostics.structure.trace import Trace, Value


@dataclass(frozen=True)
class Flow:
    """The order of the parts of a module.

    Args:
        rows: Indices of the parts by row; a part reads only parts of earlier rows.
        branches: (first, last) row of each residual branch.
    """

    rows: tuple[tuple[int, ...], ...]
    branches: tuple[tuple[int, int], ...]


def flow_of(trace: Trace, path: str, parts: Sequence[str], weights: Sequence[bool]) -> Flow:
    """Return the data flow between parts of a module.

    A sum x + y is a residual branch if y was computed from x by parts of the module, whatever the code looks like:
    nothing needs to be declared.

    Args:
        trace: A recorded pass.
        path: The module.
        parts: Paths of its parts, in the order of registration.
        weights: For each part, whether it is a parameter, which alone is no branch.
    """
    walk = _Walk(trace, path, parts)
    order = sorted(range(len(parts)), key=lambda part: (walk.first.get(part, len(trace.operations)), part))
    level = _levels(order, walk, weights)
    count = max(level.values(), default=-1) + 1
    rows = [tuple(part for part in order if level[part] == row) for row in range(count)]
    branches = set()
    for between in walk.branches:
        real = {part for part in between if not weights[part]}
        if not real:
            continue
        first, last = min(level[part] for part in real), max(level[part] for part in real)
        if all(part in between for row in rows[first : last + 1] for part in row if not weights[part]):
            branches.add((first, last))
    return Flow(tuple(rows), tuple(sorted(branches)))


def _levels(order: Sequence[int], walk: _Walk, weights: Sequence[bool]) -> dict[int, int]:
    """Return the row of each part."""
    position = {part: index for index, part in enumerate(order)}
    reads = {part: {one for one in walk.edges.get(part, ()) if position[one] < position[part]} for part in order}
    for part, following in itertools.pairwise(order):
        # on the meta device, code may make an empty result instead of reading what it would compute it from
        if part not in walk.leading and not any(part in reads[other] for other in order):
            reads[following].add(part)
    level: dict[int, int] = {}
    for part in order:
        level[part] = max((level[other] for other in reads[part]), default=-1) + 1
    for part in order:
        if weights[part] and not reads[part]:  # beside what comes just before the part that reads it
            level[part] = max(0, min((level[other] for other in order if part in reads[other]), default=1) - 1)
    return level


class _Walk:
    """The operations of one module, and what they tell of its parts.

    Attributes:
        first: By part, the number of its first operation on what the model reads, else of its first one.
        edges: By part, the parts whose results it reads, directly or through operations of the module itself.
        leading: The parts from which the last operation of the module was computed.
        branches: For each sum of something and what parts made of it, these parts.
    """

    def __init__(self, trace: Trace, path: str, parts: Sequence[str]) -> None:
        self._operations = trace.operations
        self._parts = {part: index for index, part in enumerate(parts)}
        self._labels: dict[str, int | None] = {}
        self.first: dict[int, int] = {}
        self.edges: dict[int, set[int]] = {}
        self.branches: list[set[int]] = []
        seen: dict[int, int] = {}
        live = trace.from_outside
        sources: dict[int, frozenset[int]] = {}  # by operation of the module itself: the parts that it reads
        mine = trace.inside.get(path, [])
        self._mine = set(mine)
        for number in mine:
            operation = trace.operations[number]
            read: set[int] = set()
            for made_by, _ in operation.reads:
                if made_by in self._mine:
                    label = self._label(self._operations[made_by].home)
                    read |= {label} if label is not None else sources.get(made_by, frozenset())
            here = self._label(operation.home)
            if here is None:
                sources[number] = frozenset(read)
                if operation.adds:
                    one, other = operation.reads
                    self._add_branch(one, other, sources)
            else:
                seen.setdefault(here, number)
                if live[number]:
                    self.first.setdefault(here, number)
                self.edges.setdefault(here, set()).update(read - {here})
        self.first = seen | self.first
        self.leading = self._parts_before(mine[-1]) if mine else set()

    def _label(self, home: str) -> int | None:
        """Return the part that a path belongs to; None for the module itself."""
        if home not in self._labels:
            pieces = home.split(".")
            prefixes = (".".join(pieces[:length]) for length in range(len(pieces), 0, -1))
            self._labels[home] = next((self._parts[prefix] for prefix in prefixes if prefix in self._parts), None)
        return self._labels[home]

    def _add_branch(self, one: Value, other: Value, sources: dict[int, frozenset[int]]) -> None:
        for entered, added in ((one, other), (other, one)):
            between = self._between(entered, added)
            made_by = self._label(self._operations[entered[0]].home) if entered[0] >= 0 else None
            before = sources.get(entered[0], frozenset()) if made_by is None else {made_by}
            if between and not between & before:
                self.branches.append(between)

    def _parts_before(self, last: int) -> set[int]:
        """Return the parts from which an operation was computed, and the part it belongs to."""
        found, left, seen = set[int](), [last], {last}
        while left:
            operation = self._operations[left.pop()]
            label = self._label(operation.home)
            if label is not None:
                found.add(label)
            numbers = {number for number, _ in operation.reads if number in self._mine} - seen
            left += numbers
            seen |= numbers
        return found

    def _between(self, entered: Value, added: Value) -> set[int]:
        """Return the parts by which one tensor was computed from another; none if it was not."""
        found, reached, left, seen = set[int](), False, [added], {added}
        while left:
            value = left.pop()
            if value == entered:
                reached = True
                continue
            number = value[0]
            if number <= entered[0] or number not in self._mine:
                continue
            label = self._label(self._operations[number].home)
            if label is not None:
                found.add(label)
            left += [read for read in self._operations[number].reads if read not in seen]
            seen.update(self._operations[number].reads)
        return found if reached else set()
