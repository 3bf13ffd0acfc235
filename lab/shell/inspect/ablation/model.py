"""The state of the losses without a part: what the model offers, what was measured at which step, what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from lab.base.problems import Problem
from lab.shell.inspect.ablation.parts import KindKey, Kinds, Table, table_of
from lab.shell.session.requests import Requests

if TYPE_CHECKING:
    from lab.workbench.access.ablation import Baseline


class State(Enum):
    """The states of the card, by what it shows."""

    EMPTY = auto()
    """Nothing: no model is inspected."""
    SNAPSHOT = auto()
    """Nothing: a recorded step is shown, of which there are readings and no weights."""
    LISTING = auto()
    """Nothing yet: the parts of the model are being listed."""
    REFUSED = auto()
    """The reason why the parts cannot be listed."""
    NOTHING = auto()
    """That the model offers nothing."""
    SHOWN = auto()
    """A table of parts; some may be under way."""
    CLOSED = auto()
    """Whatever was shown last: the window closes."""


class CellState(Enum):
    """The states of a part in the table."""

    UNMEASURED = auto()
    WAITING = auto()
    """It is measured after others."""
    RUNNING = auto()
    MEASURED = auto()
    FAILED = auto()
    CANCELLED = auto()
    """Its measurement was cancelled before it had a result."""


@dataclass(frozen=True)
class Cell:
    """A cell of the table: the state and the result of one part.

    Args:
        state: Its state.
        loss: Nats per token without it; None unless it was measured.
        change: That minus the loss of the model as it is.
        problem: Why it was not measured.
    """

    state: CellState
    loss: float | None = None
    change: float | None = None
    problem: Problem | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of a measurement.

    Args:
        done: Parts that were measured.
        count: All parts of it.
        seconds_left: As the parts so far took; None before the first.
    """

    done: int
    count: int
    seconds_left: float | None


@dataclass(eq=False)
class _Record:
    """The parts of one model and their results.

    Attributes:
        kinds: What it offers; None before that is known.
        refusal: Why that is not known.
        baseline: Its loss as it is, and the step of all losses here.
        losses: Nats per token by what was changed.
        problems: Why there is no loss, by what was changed.
        cancelled: What was cancelled.
    """

    kinds: Kinds | None = None
    refusal: Problem | None = None
    baseline: Baseline | None = None
    losses: dict[str, float] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)
    cancelled: set[str] = field(default_factory=set)

    def start_again(self, baseline: Baseline) -> None:
        """Take another loss of the model as it is; the losses of another step are forgotten."""
        if self.baseline is not None and self.baseline.step != baseline.step:
            self.losses, self.problems, self.cancelled = {}, {}, set()
        self.baseline = baseline

    def forget(self, target: str) -> None:
        """Forget what came of a part that is measured again."""
        self.problems.pop(target, None)
        self.cancelled.discard(target)


@dataclass
class _Measuring:
    """A measurement that is under way.

    Attributes:
        number: Of its request.
        targets: What is measured, in order.
        started: When the first part was, in seconds; None while the model as it is is evaluated.
        done: What has a result.
    """

    number: int
    targets: list[str]
    started: float | None = None
    done: set[str] = field(default_factory=set)

    @property
    def left(self) -> list[str]:
        """The targets without a result."""
        return [target for target in self.targets if target not in self.done]


class AblationModel:
    """The state of the card. The widgets show it, and call it when the user clicks or a result comes.

    Results belong to a model, which is the run or the untrained model that was inspected, and to one step of it.

    Attributes:
        step: The step of the model as it is now.
        selected: The part whose result is read out, as a target; "" for none.
        listing: Requests to list the parts of a model.
        measurements: Requests to measure.
    """

    def __init__(self) -> None:
        self.step = 0
        self.selected = ""
        self.listing = Requests()
        self.measurements = Requests()
        self._records: WeakKeyDictionary[object, _Record] = WeakKeyDictionary()
        self._current: _Record | None = None
        self._measuring: _Measuring | None = None
        self._kind: KindKey | None = None  # as the user selected it
        self._firsts: dict[KindKey, int] = {}
        self._is_snapshot = self._is_closed = False

    @property
    def state(self) -> State:
        """The state of the card."""
        record = self._current
        if self._is_closed:
            return State.CLOSED
        if record is None:
            return State.EMPTY
        if self._is_snapshot:
            return State.SNAPSHOT
        if record.refusal is not None:
            return State.REFUSED
        if record.kinds is None:
            return State.LISTING
        return State.SHOWN if record.kinds else State.NOTHING

    def close(self) -> None:
        """Drop every answer from now on."""
        self._is_closed = True
        self.listing.drop()
        self.measurements.drop()

    # ------------------------------------------------------------------------------------------------------- the model

    def select_model(self, source: object, step: int, snapshot: int | None = None) -> bool:
        """Show what is known of a model; what another one is measured for is cancelled.

        Args:
            source: Whatever has the model as long as it exists: its run, or the untrained model.
            step: Its step now.
            snapshot: The recorded step that is shown in its place; None for the model itself.

        Returns:
            True if it is another model.
        """
        record = self._records.get(source)
        if record is None:
            record = self._records[source] = _Record()
        is_other = record is not self._current
        if is_other:
            self.cancel()
            self.listing.drop()
            self._current, self.selected = record, ""
        self.step = step
        self._is_snapshot = snapshot is not None and snapshot != step
        return is_other

    def forget_refusal(self) -> None:
        """Let the parts be listed again."""
        if self._current is not None:
            self._current.refusal = None

    @property
    def needs_listing(self) -> bool:
        """True if the parts of the model are to be listed, and are not yet."""
        return self.state is State.LISTING and not self.listing.pending

    def offer(self, number: int, kinds: Kinds, now: float) -> bool:
        """Note what a model offers; return False if another model was selected meanwhile."""
        if not self.listing.end(number, now) or self._current is None:
            return False
        self._current.kinds = kinds
        return True

    def refuse(self, number: int, problem: Problem, now: float) -> bool:
        """Note why the parts cannot be listed; return False if another model was selected meanwhile."""
        if not self.listing.fail(number, now) or self._current is None:
            return False
        self._current.refusal = problem
        return True

    @property
    def refusal(self) -> Problem | None:
        """The reason why the parts cannot be listed."""
        return None if self._current is None else self._current.refusal

    # ------------------------------------------------------------------------------------------------------- the table

    @property
    def kinds(self) -> Kinds:
        """The kinds of parts that the model offers."""
        return {} if self._current is None else self._current.kinds or {}

    @property
    def kind(self) -> KindKey | None:
        """The kind that is shown: the selected one where the model has it, else the first; None where there is none."""
        return self._kind if self._kind in self.kinds else next(iter(self.kinds), None)

    def select_kind(self, key: KindKey) -> None:
        """Show another kind."""
        self._kind, self.selected = key, ""

    def select_first(self, first: int) -> None:
        """Show another window of a large kind.

        Args:
            first: The index of its first part, from 0.
        """
        if self.kind is not None:
            self._firsts[self.kind] = first
            self.selected = ""

    @property
    def table(self) -> Table | None:
        """The parts of the kind that is shown."""
        return None if self.kind is None else table_of(self.kinds, self.kind, self._firsts.get(self.kind, 0))

    @property
    def baseline(self) -> Baseline | None:
        """The loss of the model as it is, and the step of all losses; None before the first measurement."""
        return None if self._current is None else self._current.baseline

    @property
    def is_older(self) -> bool:
        """True if the losses are of an earlier step than the model has now."""
        return self.baseline is not None and self.baseline.step < self.step

    def cell(self, target: str) -> Cell:
        """Return what is known of a part."""
        record, measuring = self._current, self._measuring
        if record is None:
            return Cell(CellState.UNMEASURED)
        if measuring is not None and target in measuring.left:
            is_next = measuring.started is not None and measuring.left[0] == target
            return Cell(CellState.RUNNING if is_next else CellState.WAITING)
        loss = record.losses.get(target)
        if loss is not None and record.baseline is not None:
            return Cell(CellState.MEASURED, loss, loss - record.baseline.loss)
        if target in record.problems:
            return Cell(CellState.FAILED, problem=record.problems[target])
        return Cell(CellState.CANCELLED if target in record.cancelled else CellState.UNMEASURED)

    @property
    def unmeasured(self) -> list[str]:
        """The parts of the table that the user may want measured: all of them, if the losses are of an earlier step."""
        table = self.table
        targets = [] if table is None else [table.parts[at].target for at in sorted(table.parts)]
        if self.is_older:
            return targets
        done = (CellState.MEASURED, CellState.WAITING, CellState.RUNNING)
        return [target for target in targets if self.cell(target).state not in done]

    # --------------------------------------------------------------------------------------------------- measurements

    @property
    def is_measuring(self) -> bool:
        """True while something is measured."""
        return self._measuring is not None

    def request(self, targets: Sequence[str], now: float) -> tuple[int, list[str]] | None:
        """Request losses without some parts, each by itself.

        Args:
            targets: The parts; of those that were measured at this step, or are under way, none is measured again.
            now: The time, in seconds.

        Returns:
            The number of the request and what is to be measured: what runs already takes it too. None where there is
            nothing to measure.
        """
        record = self._current
        if record is None or self.state is not State.SHOWN:
            return None
        measuring = self._measuring
        under_way = set() if measuring is None else set(measuring.left)
        is_outdated = self.is_older and (measuring is None or measuring.started is None)
        known = set() if is_outdated else set(record.losses)
        wanted = [target for target in dict.fromkeys(targets) if target not in known | under_way]
        if not wanted:
            return None
        for target in wanted:
            record.forget(target)
        if measuring is None:
            measuring = self._measuring = _Measuring(self.measurements.start(now), wanted)
        else:
            measuring.done -= set(wanted)
            measuring.targets = [target for target in measuring.targets if target not in wanted] + wanted
        return measuring.number, wanted

    def take_baseline(self, number: int, baseline: Baseline, now: float) -> bool:
        """Note the loss of the model as it is; return False if the request is stale."""
        measuring, record = self._measuring, self._current
        if measuring is None or record is None or measuring.number != number:
            return False
        record.start_again(baseline)
        measuring.started = now
        return True

    def take_loss(self, number: int, target: str, loss: float | None, problem: Problem | None) -> bool:
        """Note a loss without a part, or why there is none; return False if the request is stale."""
        measuring, record = self._measuring, self._current
        if measuring is None or record is None or measuring.number != number:
            return False
        measuring.done.add(target)
        if problem is not None:
            record.problems[target] = problem
        elif loss is not None:
            record.losses[target] = loss
        return True

    def end(self, number: int, now: float) -> list[str]:
        """Note that a measurement ended; return what came too late for it and is to be requested again."""
        measuring = self._measuring
        if measuring is None or measuring.number != number:
            return []
        self._measuring = None
        self.measurements.end(number, now)
        return measuring.left

    def fail(self, number: int, problem: Problem, now: float) -> bool:
        """Note why nothing more can be measured; return False if the request is stale."""
        measuring, record = self._measuring, self._current
        if measuring is None or record is None or measuring.number != number:
            return False
        record.problems |= dict.fromkeys(measuring.left, problem)
        self._measuring = None
        self.measurements.fail(number, now)
        return True

    def cancel(self) -> bool:
        """Cancel what is measured; results so far stay. Return False if nothing is."""
        measuring, record = self._measuring, self._current
        if measuring is None or record is None:
            return False
        record.cancelled |= {target for target in measuring.left if target not in record.losses}
        self._measuring = None
        self.measurements.drop()
        return True

    def progress(self, now: float) -> Progress | None:
        """Return how far the measurement is; None where nothing is measured."""
        measuring = self._measuring
        if measuring is None:
            return None
        done, count = len(measuring.done), len(measuring.targets)
        left = None
        if measuring.started is not None and done:
            left = (now - measuring.started) / done * (count - done)
        return Progress(done, count, left)
