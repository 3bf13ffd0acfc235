"""The state of the page Side by side, without Qt: the columns, what they write, and the lines of the chart."""

from __future__ import annotations

import itertools
import math
from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.recipes import Decoding
from lab.shell.play.choices import RunChoice
from lab.workbench.lockstep.columns import MOST, Column, Lockstep, Written
from lab.workbench.lockstep.texts import ColumnText, LockstepTexts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.model_access import ModelAccess

ALTERNATIVES = 8
"""Likeliest tokens in the tool tip of each token."""
MEAN = 16
"""Tokens over which the share of agreements is taken in the chart."""


class Quantity(Enum):
    """What the chart shows over the tokens."""

    KL_BITS = "kl bits"
    KL_NATS = "kl nats"
    OVERLAP = "overlap"
    LIKELIEST = "likeliest"
    SURPRISAL = "surprisal"

    @property
    def compares(self) -> bool:
        """True if it is against the first column."""
        return self is not Quantity.SURPRISAL


@dataclass
class Writing:
    """Columns that write; a thread appends rounds, the window takes them.

    Args:
        choices: The runs.
        prompts: What each continues.
        options: Arguments of the lockstep: decoding, seed, count, held.

    Attributes:
        rounds: What was written and not taken yet.
        lockstep: The columns, once their models are known.
        stopped: True if the thread should end.
    """

    choices: Sequence[RunChoice]
    prompts: Sequence[str]
    options: dict[str, Any]
    rounds: deque[list[Written]] = field(default_factory=deque)
    lockstep: Lockstep | None = None
    stopped: bool = False
    accesses: list[ModelAccess] = field(default_factory=list)

    def work(self, job: Job) -> None:
        """Write until the end or until it is stopped; in a thread."""
        self.accesses += [choice.access() for choice in self.choices]
        columns = [Column(access, one.name) for access, one in zip(self.accesses, self.choices, strict=True)]
        self.lockstep = Lockstep(columns, self.prompts, alternatives=ALTERNATIVES, **self.options)
        try:
            for new in self.lockstep.write():
                if self.stopped or job.cancelled:
                    return
                self.rounds.append(new)
        finally:
            self.stopped = True

    def forget(self, selected: RunModel | None) -> None:
        """Free the models that the window does not use otherwise."""
        for choice, access in zip(self.choices, self.accesses, strict=False):
            choice.forget(access, selected)


class LockstepModel:
    """The state of the page.

    Attributes:
        choices: The runs of the columns, the first one being what the others are compared with.
        texts: What they wrote; None before the first text.
        writing: What is being written; None while nothing is.
    """

    def __init__(self) -> None:
        self.choices: list[RunChoice] = []
        self.texts: LockstepTexts | None = None
        self.writing: Writing | None = None
        self._of: list[RunChoice] = []  # the runs that wrote the texts

    # ------------------------------------------------------------------------------------------------------ the columns

    @property
    def has_room(self) -> bool:
        """True if another column can be added."""
        return len(self.choices) < MOST

    def add(self, choice: RunChoice) -> None:
        """Add a column; texts that exist stay until the next one."""
        if self.has_room:
            self.choices.append(choice)

    def replace(self, at: int, choice: RunChoice) -> None:
        """Let another run have a column."""
        self.choices[at] = choice

    def remove(self, at: int) -> None:
        """Remove a column."""
        del self.choices[at]

    def text_of(self, at: int) -> ColumnText | None:
        """Return what the run of a column wrote; None if another one wrote in that column, or nothing did."""
        if self.texts is None or at >= len(self._of) or self._of[at] != self.choices[at]:
            return None
        return self.texts.columns[at]

    @property
    def can_go_on(self) -> bool:
        """True if the columns are those that wrote, so that their texts can be continued."""
        return self.texts is not None and self.writing is None and self._of == self.choices

    # ---------------------------------------------------------------------------------------------------------- writing

    def begin(self, prompt: str, options: dict[str, Any], *, held: bool) -> Writing:
        """Start new texts of all columns.

        Args:
            prompt: The prompt of all.
            options: decoding, seed and count.
            held: Whether all read the text of the first one.
        """
        self._of = list(self.choices)
        columns = [ColumnText(choice.name) for choice in self.choices]
        decoding: Decoding = options["decoding"]
        self.texts = LockstepTexts(prompt, decoding, [options["seed"]], held, columns)
        return self._write([prompt] * len(columns), options, held=held)

    def go_on(self, options: dict[str, Any]) -> Writing:
        """Continue the texts of all columns, in the same mode.

        Args:
            options: As of `begin`.
        """
        texts = self.texts
        assert texts is not None
        texts.seeds.append(options["seed"])
        texts.decoding = options["decoding"]
        own = [texts.prompt + column.text for column in texts.columns]
        return self._write([own[0]] * len(own) if texts.held else own, options, held=texts.held)

    def _write(self, prompts: Sequence[str], options: dict[str, Any], *, held: bool) -> Writing:
        self.writing = Writing(list(self.choices), prompts, {**options, "held": held})
        return self.writing

    def take(self) -> list[list[Written]]:
        """Take what was written since the last call, and return it by column."""
        writing, texts = self.writing, self.texts
        if writing is None or texts is None:
            return []
        rounds = [writing.rounds.popleft() for _ in range(len(writing.rounds))]
        new: list[list[Written]] = [[] for _ in texts.columns]
        for one in itertools.chain(*rounds):
            new[one.column].append(one)
        for column, own in zip(texts.columns, new, strict=True):
            column.add(own)
        lockstep = writing.lockstep
        if lockstep is not None:
            for at, column in enumerate(texts.columns):
                column.problem = lockstep.problems.get(at)
                if at < len(lockstep.comparable):
                    column.comparable = lockstep.comparable[at]
        return new

    def end(self) -> None:
        """Note that nothing is written any more; the texts stay. Call `take` first."""
        if self.writing is not None:
            self.writing.stopped = True
        self.writing = None

    # -------------------------------------------------------------------------------------------------------- the lines

    def line(self, at: int, quantity: Quantity) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
        """Return x and y of the line of a column; None where it has none.

        The x of what compares with the first column is the number of the token; that of the mean surprisal, in bits
        per character, the number of characters.
        """
        column = self.text_of(at)
        if column is None or not column.written:
            return None
        if quantity is Quantity.SURPRISAL:
            lengths = np.array(column.lengths, float)
            known = lengths > 0
            return lengths[known], np.array(column.nats)[known] / math.log(2) / lengths[known]
        found = column.series
        if not found.positions:
            return None
        x = np.array(found.positions, float)
        if quantity is Quantity.LIKELIEST:
            sums = np.array([0, *found.same_likeliest], float)
            ends = np.arange(1, len(x) + 1)
            starts = np.maximum(0, ends - MEAN)
            return x, (sums[ends] - sums[starts]) / (ends - starts)
        y = np.array(found.overlap if quantity is Quantity.OVERLAP else found.kl, float)
        y[~np.isfinite(y)] = np.nan  # a gap: nothing can be drawn there
        return x, y / math.log(2) if quantity is Quantity.KL_BITS else y
