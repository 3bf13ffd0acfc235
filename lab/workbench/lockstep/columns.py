"""Runs, or checkpoints of one, that write side by side: a token each at a time, drawn with the same random numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, Chooser, Continuation, DecodingStep, Hypothesis
from lab.base.jobs import Cancelled
from lab.base.problems import LabError, Problem
from lab.recipes import Decoding
from lab.workbench.access.other_runs import shares_vocabulary
from lab.workbench.lockstep.agreement import Agreement, divergence

if TYPE_CHECKING:
    from torch import Tensor

    from lab.workbench.access.generation import Piece
    from lab.workbench.access.model_access import ModelAccess

MOST = 4
"""Most columns."""
TOKENS_PER_TOKEN = 64
"""Most tokens of a column with another vocabulary for each token that is asked of the first one."""
DRAWS = {"sampling": {"draw": "inverse"}}
"""Settings of strategies in columns: one uniform number for each token serves every vocabulary."""


@dataclass(frozen=True)
class Column:
    """A run that writes beside others.

    Args:
        access: Its model.
        name: Its name, for problems and files.
    """

    access: ModelAccess
    name: str


@dataclass(frozen=True)
class Written:
    """A token that a column wrote.

    Args:
        column: The index of the column.
        piece: The token.
        uniform: The uniform number by which it was drawn; None if there was none.
        own: The label of the token that the column itself chose, where it was held to the text of the first one.
        agreement: With the first column at the same token; None for the first column itself, for one that has another
            vocabulary, and behind the end of the first column's text.
    """

    column: int
    piece: Piece
    uniform: float | None = None
    own: str = ""
    agreement: Agreement | None = None


class Lockstep:
    """Columns that continue texts together, with the same settings and the same seed.

    Each column has its own generator of random numbers, of the same seed. Sampling draws by the inverse CDF, so that
    the i-th token of every column is drawn with the same uniform number (common random numbers): what differs then
    differs because of the models. A run that trains is copied at the start; the copy stays as it is.

    Columns that have the vocabulary of the first one go on token by token, and their predictions are compared with its.
    Where vocabularies differ, there is no KL divergence; such a column goes on character by character: it writes until
    its text is as long as the first one's, and ends with it.

    Args:
        columns: One to MOST columns.
        prompts: The text that each continues.
        decoding: Strategy, filters and what ends a text; of a strategy with one hypothesis.
        settings: As of ModelAccess.generate.
        seed: Of every column.
        count: Most tokens of the first column.
        held: Whether every column reads the text that the first one writes, so that all predict on the same text;
            what a column itself would have chosen is then in `Written.own`.
        alternatives: How many of the likeliest tokens come with each token.
        device: Where to compute; see ModelAccess.borrow.

    Attributes:
        problems: Why columns cannot write (any more), by index. Those of the first column are raised.
        comparable: Whether each column has the vocabulary of the first one.

    Raises:
        BadInput: There are too few or too many columns, or prompts.
    """

    def __init__(
        self,
        columns: Sequence[Column],
        prompts: Sequence[str],
        *,
        decoding: Decoding,
        settings: Mapping[str, Any] | None = None,
        seed: int = 0,
        count: int = 200,
        held: bool = False,
        alternatives: int = 5,
        device: str | None = None,
    ) -> None:
        if not 1 <= len(columns) <= MOST or len(prompts) != len(columns):
            remedy = f"Choose 1 to {MOST} runs"
            raise BadInput("cannot write side by side", field="columns", value=len(columns), remedy=remedy)
        self._columns, self._prompts, self._held = list(columns), list(prompts), held
        self._count, self._device = count, device
        self._options: dict[str, Any] = {
            "decoding": _with_common_draw(decoding), "settings": settings, "seed": seed, "alternatives": alternatives,
        }  # fmt: skip
        self.problems: dict[int, Problem] = {}
        self.comparable: list[bool] = []

    def write(self, cancelled: Callable[[], bool] = lambda: False) -> Iterator[list[Written]]:
        """Yield what the columns write in each round, the first column first.

        Args:
            cancelled: Called between tokens; True ends it.

        Raises:
            BadInput: The first column cannot use the prompt or the settings, or a setting is not allowed.
            Cancelled: It was cancelled.
            LabError: The first column has no model, or a plugin's code raised in it.
        """
        self.comparable = [self._compares(at) for at in range(len(self._columns))]
        recorders = [_Recorder() for _ in self._columns]
        texts: dict[int, Iterator[Piece]] = {}
        for at, recorder in enumerate(recorders):
            if at in self.problems:
                continue
            follows = self.comparable[at]
            if at and self._held:
                if not follows:
                    what = "has another vocabulary than the first run, and cannot be held to its tokens"
                    remedy = "Let each go on with its own text, or score the text under both runs"
                    self.problems[at] = Problem(what, field="run", value=self._columns[at].name, remedy=remedy)
                    continue
                recorder.leader = recorders[0]
            count = self._count if follows else self._count * TOKENS_PER_TOKEN
            texts[at] = self._columns[at].access.generate(
                self._prompts[at], count=count, device=self._device, around=recorder.of, **self._options
            )
        lengths = [0] * len(self._columns)  # characters
        try:
            while texts:
                found = []
                for at in list(texts):
                    for piece in self._next(at, texts, lengths, cancelled):
                        lengths[at] += len(piece.text)
                        found.append(self._written(at, piece, recorders))
                others = [recorders[at].taken for at in texts if at and self.comparable[at]]
                recorders[0].forget(min(others, default=recorders[0].taken))
                if found:
                    yield found
                if 0 not in texts:  # the others end with it where characters count
                    for at in [at for at in texts if not self.comparable[at] and lengths[at] >= lengths[0]]:
                        del texts[at]
        finally:
            for text in texts.values():
                text.close()  # type: ignore[attr-defined]

    def _next(
        self, at: int, texts: dict[int, Iterator[Piece]], lengths: Sequence[int], cancelled: Callable[[], bool]
    ) -> Iterator[Piece]:
        """Yield the tokens of a column in this round; one, or as many as its text is behind in characters."""
        length = lengths[at]
        while at in texts and (self.comparable[at] or length < lengths[0]):
            if cancelled():
                raise Cancelled
            try:
                piece = next(texts[at], None)
            except Cancelled:
                raise
            except LabError as error:
                del texts[at]
                if at == 0:
                    raise
                self.problems[at] = error.problem
                return
            if piece is None or piece.end is not None:
                del texts[at]
            if piece is None:
                return
            length += len(piece.text)
            yield piece
            if self.comparable[at]:
                return

    def _compares(self, at: int) -> bool:
        """Return True if a column has the vocabulary of the first one; note why that cannot be told."""
        if not at:
            return True
        try:
            return shares_vocabulary(self._columns[0].access, self._columns[at].access)
        except LabError as error:
            self.problems[at] = error.problem
            return False

    def _written(self, at: int, piece: Piece, recorders: Sequence[_Recorder]) -> Written:
        """Return a token with its comparison."""
        own, first = recorders[at], recorders[0]
        step = own.take()
        agreement = None
        if at and self.comparable[at] and own.taken <= first.known:
            agreement = _agreement(first.steps[own.taken - 1], step, same_text=own.same_text(first))
        if at:
            step.logits = None
        label = self._label(at, step) if self._held and at else ""
        return Written(at, piece, step.uniform, label, agreement)

    def _label(self, at: int, step: _Step) -> str:
        return self._columns[at].access.tokenizer.label(step.own_token)


@dataclass
class _Step:
    """A step of a column.

    Args:
        logits: (V,) of its model; None once they were compared.
        token: The token that came.
        own_token: The token that its strategy chose.
        ended: Whether the strategy ended the text with it.
        uniform: The uniform number of the draw.
    """

    logits: Tensor | None
    token: int
    own_token: int
    ended: bool
    uniform: float | None


class _Recorder(Chooser):
    """A strategy whose steps are recorded; one with a leader takes the tokens of that.

    Attributes:
        leader: The recorder of the first column, if the text is held to it.
        steps: The steps, of which those that are compared have no logits any more.
        taken: The number of steps whose tokens were handed over.
    """

    def __init__(self) -> None:
        self.leader: _Recorder | None = None
        self.steps: list[_Step] = []
        self.taken = self._forgotten = 0
        self._prompt: tuple[int, ...] = ()
        self._differs: int | None = None  # the first token that is not the first column's
        self._compared = 0

    def of(self, strategy: Chooser) -> Chooser:
        """Return this in the place of a strategy.

        Raises:
            BadInput: The strategy keeps several hypotheses.
        """
        if strategy.width > 1:
            raise _several()
        self._strategy, self.reads_hidden = strategy, strategy.reads_hidden
        return self

    @property
    def known(self) -> int:
        """The number of steps."""
        return len(self.steps)

    def next(self, step: DecodingStep) -> Sequence[Continuation]:
        """Return the only hypothesis with the token of the leader, or the one that the strategy chooses."""
        found = list(self._strategy.next(step))
        if len(found) != 1:
            raise _several()
        picked, own_token = found[0], found[0].token
        if not self.steps:
            self._prompt = tuple(step.hypotheses[0].tokens)
        if self.leader is not None:
            its = self.leader.steps[len(self.steps)]
            picked = replace(picked, token=its.token, ended=its.ended)
        uniform = None if picked.draw is None else picked.draw.uniform
        self.steps.append(_Step(step.logits[0], picked.token, own_token, picked.ended, uniform))
        return [picked]

    def is_done(self, live: Sequence[Hypothesis], ended: Sequence[Hypothesis], left: int | None) -> bool:
        """Return the strategy's answer."""
        return self._strategy.is_done(live, ended, left)

    def take(self) -> _Step:
        """Return the step of the next token."""
        self.taken += 1
        return self.steps[self.taken - 1]

    def same_text(self, first: _Recorder) -> bool:
        """Return True if the tokens before the last one that was taken are those of the first column."""
        if self._differs is None:
            if self._prompt != first._prompt:
                self._differs = -1
            for at in range(self._compared, self.taken - 1):
                if self.steps[at].token != first.steps[at].token and self._differs is None:
                    self._differs = at
            self._compared = self.taken - 1
        return self._differs is None

    def forget(self, count: int) -> None:
        """Free the logits of the first steps, with which nothing is compared any more."""
        for at in range(self._forgotten, count):
            self.steps[at].logits = None
        self._forgotten = max(self._forgotten, count)


def _several() -> BadInput:
    what = "keeps several hypotheses, and columns go on token by token"
    return BadInput(what, field="strategy.name", remedy="Choose a strategy with one hypothesis, such as sampling")


def _agreement(first: _Step, other: _Step, *, same_text: bool) -> Agreement | None:
    """Return the agreement of two steps; None where the symbols that can be drawn differ."""
    p, q = first.logits, other.logits
    if p is None or q is None or p.shape != q.shape:
        return None
    kl, overlap = divergence(p, q)
    return Agreement(kl, overlap, int(p.argmax()) == int(q.argmax()), first.own_token == other.own_token, same_text)


def _with_common_draw(decoding: Decoding) -> Decoding:
    """Return the decoding with a draw that uses one uniform number for each token."""
    own = DRAWS.get(decoding.strategy.name)
    if own is None:
        return decoding
    stored = decoding.stored()
    return Decoding.read({**stored, "strategy": {**stored["strategy"], **own}})
