"""The model of Inspect: its states, requests and results, without Qt."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from lab.shell.inspect.gallery.probe_selection import ProbeSelection
from lab.shell.inspect.gallery.reading_selection import Key, ReadingSelection
from lab.shell.session.requests import Requests

if TYPE_CHECKING:
    from lab.api import Reading
    from lab.base.problems import Problem
    from lab.shell.inspect.inspection_view import InspectionView
    from lab.shell.session.runs.model import RunModel
    from lab.workbench.access.inspection import Inspection
    from lab.workbench.access.model_access import ModelAccess

LEAST_PAUSE = 2.0
"""Seconds between two inspections of a model that trains, at least."""
FIND = 2.0
"""Seconds between two searches for snapshots that were recorded meanwhile."""


class State(Enum):
    """The states of Inspect, by what it shows."""

    NOT_READY = auto()
    """Nothing: models cannot be used before the lab is loaded."""
    EMPTY = auto()
    """Nothing: no model was inspected yet."""
    LOADING = auto()
    """That the first inspection of a model is under way."""
    SHOWN = auto()
    """An inspection; a newer one may be under way."""
    REFUSED = auto()
    """The reason why the selected step cannot be shown."""
    CLOSED = auto()
    """Whatever was shown last: the window closes, and answers are dropped."""


@dataclass(frozen=True)
class Request:
    """One inspection of a model.

    Args:
        number: Its number; an answer counts only while no later request was made.
        model: The model.
        run: Its run; None for the untrained model of the draft.
        step: The selected step; None for the model as it is now.
        text: What the model reads; "" for the run's own probe text.
        probes: The probes to run besides the model's own reports.
        spare: Further probes, run one after the other while there are fewer than `enough` kinds of readings.
        enough: Kinds of readings that fill the cards shown at first.
        stages: The probes that were started so far; written by the thread that runs them.
    """

    number: int
    model: ModelAccess
    run: RunModel | None
    step: int | None
    text: str
    probes: Sequence[str] = ()
    spare: Sequence[str] = ()
    enough: int = 0
    stages: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Result:
    """The result of an inspection.

    Args:
        inspection: All readings.
        kinds: By probe, name and axes of its readings.
        problems: By probe, why it found nothing.
        seconds: By probe, how long it took; that of "reports" is the time of the forward pass.
        work: Seconds in which a processor worked on it; None if these are not known.
    """

    inspection: Inspection
    kinds: dict[str, Collection[tuple[str, tuple[str, ...]]]] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    work: float | None = None

    def cards_of(self, probe: str, groups: Mapping[Key, list[Reading]]) -> tuple[list[Key], list[Key]]:
        """Return the cards that show something of what a probe found, and those of them that show nothing else."""
        kinds = self.kinds[probe]
        of_it = {key: [(one.name, tuple(one.axes)) in kinds for one in group] for key, group in groups.items()}
        return [key for key, found in of_it.items() if any(found)], [key for key, found in of_it.items() if all(found)]


class Compared(Enum):
    """The states of a comparison, by what is shown alongside the inspection."""

    NOTHING = auto()
    PINNED = auto()
    """An earlier inspection of the same run."""
    LOADING = auto()
    """Another run, of which nothing is shown yet."""
    SHOWN = auto()
    """Another run."""
    REFUSED = auto()
    """Nothing, since the other run cannot be shown."""


class ComparisonModel:
    """A comparison of the inspection: with a pinned one, or with another run at the same step on the same text.

    Attributes:
        state: What is shown alongside.
        run: The other run; None where an inspection is pinned, or nothing is compared.
        view: What is shown; None where nothing is, or not yet.
        problem: Why the other run cannot be shown.
        wanted: The inspection that the other run follows, its recorded step or None for now, and the probes.
        requests: Inspections of the other run's model.
    """

    def __init__(self) -> None:
        self.state = Compared.NOTHING
        self.run: RunModel | None = None
        self.view: InspectionView | None = None
        self.problem: Problem | None = None
        self.wanted: tuple[InspectionView, int | None, tuple[str, ...]] | None = None
        self.requests = Requests(LEAST_PAUSE)
        self._last: tuple[str, int, str, tuple[str, ...]] | None = None

    def pin(self, view: InspectionView | None) -> None:
        """Show an inspection as it is; None shows nothing alongside."""
        self.compare(None)
        self.view = view
        self.state = Compared.NOTHING if view is None else Compared.PINNED

    def compare(self, run: RunModel | None) -> None:
        """Compare with another run; None with nothing. Answers under way are dropped."""
        self.run, self.view, self.problem, self._last = run, None, None, None
        self.state = Compared.NOTHING if run is None else Compared.LOADING
        self.requests.drop()

    def follow(self, shown: InspectionView, step: int | None, probes: Sequence[str]) -> None:
        """Follow the selected run.

        Args:
            shown: What is shown of it.
            step: The recorded step of that; None for the model as it is now.
            probes: The probes to run besides the model's own reports.
        """
        self.wanted = shown, step, tuple(probes)

    def wait(self) -> None:
        """Show nothing of the other run until it is inspected again."""
        self.view, self._last, self.state = None, None, Compared.LOADING

    def request(self, run: RunModel, text: str, probes: Sequence[str], now: float) -> Request | None:
        """Return a request to inspect the model of the other run as it is now.

        Returns:
            None if that was requested already, or if only its step is another and the pause is not over.
        """
        key = (run.key, run.step, text, tuple(probes))
        last = self._last
        if last is not None:
            is_same_model = (last[0], last[2:]) == (key[0], key[2:])
            if key == last or (is_same_model and not self.requests.is_due(now)):
                return None
        self._last = key
        return Request(self.requests.start(now), run.source, run, None, text, tuple(probes))

    def show(self, view: InspectionView) -> None:
        """Show the other run."""
        self.view, self.problem, self.state = view, None, Compared.SHOWN

    def refuse(self, problem: Problem) -> None:
        """Note why the other run cannot be shown."""
        self.view, self.problem, self.state = None, problem, Compared.REFUSED


class InspectModel:
    """The state of Inspect. The widgets show it, and call it when the user selects something or an answer comes.

    Attributes:
        state: What is shown.
        run: The selected run, whose snapshots are offered; None without one.
        recorded: The steps that it recorded, in order.
        step: The selected step; None for the model as it is now.
        block: The selected block; None where no block reports.
        text: The probe text; "" for the run's own.
        reads_rows: True if the model reads rows of numbers or images: the text is then the number of a row.
        shown: The inspection that is shown; None where there is none.
        shown_step: The selected step to which what is shown belongs, a refusal too; None for now, or for nothing.
        readings: The cards that are offered and selected.
        probes: The probes that are offered and selected.
        seconds: By probe, how long it took the last time.
        comparison: What is shown alongside.
        requests: Inspections of the model.
        new_map: The map to show first in a card that has several, after its probe was switched on; "" for none.
        last_request: The newest inspection of the model; None before the first one.
        lacks_map: True while the map that answers the selected question is to be shown as soon as there is one.
    """

    def __init__(self) -> None:
        self.state = State.NOT_READY
        self.run: RunModel | None = None
        self.recorded: list[int] = []
        self.step: int | None = None
        self.block: int | None = None
        self.text = ""
        self.reads_rows = False
        self.shown: InspectionView | None = None
        self.shown_step: int | None = None
        self.readings = ReadingSelection()
        self.probes = ProbeSelection()
        self.seconds: dict[str, float] = {}
        self.comparison = ComparisonModel()
        self.requests = Requests(LEAST_PAUSE)
        self.probe_of: dict[Key, str] = {}
        """The probe that found all that a card shows."""
        self.new_map = ""
        self.last_request: Request | None = None
        self.lacks_map = False
        self._searched: float | None = None  # when snapshots were searched for last
        self._new_probe = ""  # switched on by the user, and not run yet
        self._ran: set[str] = set()  # the probes of the newest request
        self._shown_run = ""  # the key of the run of what is shown; "" for none
        self._source: weakref.ref[RunModel | ModelAccess] | None = None  # what was inspected last

    @property
    def read_text(self) -> str:
        """What the model is to read of the text of the user: nothing if it reads rows and the text is no number."""
        return "" if self.reads_rows and not self.text.strip().isdecimal() else self.text

    # --------------------------------------------------------------------------------------------------------- its life

    def start(self) -> None:
        """Note that models can be used now."""
        if self.state is State.NOT_READY:
            self.state = State.EMPTY

    def close(self) -> None:
        """Drop every answer from now on."""
        self.state = State.CLOSED
        self.requests.drop()
        self.comparison.requests.drop()

    @property
    def is_ready(self) -> bool:
        """True if models can be used."""
        return self.state not in (State.NOT_READY, State.CLOSED)

    # --------------------------------------------------------------------------------------------------- run and step

    def select_run(self, run: RunModel | None) -> bool:
        """Select another run; answers of the last one are dropped.

        Returns:
            False if it was selected already.
        """
        if run is self.run:
            return False
        self.run = run
        self.readings.clear()
        self.requests.drop()
        return True

    def offer_steps(self, recorded: Sequence[int]) -> bool:
        """Offer the steps that the run recorded, and step 0; stay at the selected one, or go to now.

        Returns:
            True if the selected step is another one now.
        """
        self.recorded = list(recorded)
        if self.step is None or self.step in self.steps:
            return False
        self.step = None
        return True

    @property
    def steps(self) -> list[int]:
        """The steps that can be selected, in order; none without a run."""
        return [] if self.run is None else sorted({0, *self.recorded})

    def start_search(self, now: float) -> None:
        """Note that the snapshots of the run are being searched for."""
        self._searched = now

    def is_search_due(self, now: float) -> bool:
        """Return True if the run may have recorded snapshots since they were searched for."""
        return self._searched is None or now - self._searched > FIND

    def select_step(self, step: int | None) -> None:
        """Select a step; None for the model as it is now."""
        self.step = step

    @property
    def is_recorded(self) -> bool:
        """True if the selected step was recorded, so that no model is used."""
        return self.step in self.recorded

    @property
    def is_untrained(self) -> bool:
        """True if the untrained model is inspected in place of a snapshot of step 0."""
        return self.step is not None and not self.is_recorded

    # ---------------------------------------------------------------------------------------------------- inspections

    def forget_source(self) -> None:
        """Treat the next request as that of another model, so that nothing old stays in view."""
        self._source = None

    def is_source(self, model: object) -> bool:
        """Return True if this model, or the model of this run, was inspected last."""
        return self._source is not None and self._source() is model

    def request(
        self,
        model: ModelAccess,
        run: RunModel | None,
        now: float,
        *,
        probes: Sequence[str] = (),
        spare: Sequence[str] = (),
        enough: int = 0,
    ) -> Request:
        """Return a request to inspect a model; nothing of another one stays in view.

        Args:
            model: The model.
            run: Its run; None for the untrained model of the draft.
            now: The time, in seconds.
            probes: The probes to run besides the model's own reports.
            spare: Further probes, while there are fewer than `enough` kinds of readings.
            enough: Kinds of readings that fill the cards shown at first.
        """
        source = model if run is None else run
        if not self.is_source(source):
            self._source = weakref.ref(source)
            self.shown, self.state = None, State.LOADING
        number = self.requests.start(now)
        self._ran = set(probes)
        request = Request(number, model, run, self.step, self.read_text, tuple(probes), tuple(spare), enough)
        self.last_request = request
        return request

    def is_awaited(self, request: Request) -> bool:
        """Return True if the answer to a request is still to be shown."""
        is_current = self.requests.is_current(request.number)
        return is_current and request.step == self.step and not self.is_recorded

    def is_due(self, now: float) -> bool:
        """Return True if the model trains and is to be inspected again."""
        return self.run is not None and self.run.works and self.step is None and self.requests.is_due(now)

    def lacks_now(self) -> bool:
        """Return True if the model is being inspected, and the newest snapshot of its run can be shown meanwhile."""
        is_awaited = self.is_ready and self.step is None and self.requests.pending and not self.text
        return is_awaited and self.run is not None and (self.shown is None or self.shown_step is not None)

    def is_newer(self, view: InspectionView) -> bool:
        """Return True if an inspection of now is later than what is shown of now, and no selected card loses anything.

        Without this, what is shown stands still while a busy machine takes long to inspect a model that trains.
        """
        shown = self.shown
        if not self.is_ready or self.step is not None or self.text or shown is None or self.shown_step is not None:
            return False
        return view.inspection.step > shown.inspection.step and all(
            {one.name for one in shown.groups.get(key, ())} <= {one.name for one in view.groups.get(key, ())}
            for key in self.readings.selected
        )

    @property
    def steps_behind(self) -> int:
        """The steps that the run has made since the model that is shown as now; 0 where a step is selected."""
        if self.run is None or self.shown is None or self.step is not None or self.shown_step is not None:
            return 0
        if not self.is_of_run:
            return 0
        return max(0, self.run.step - self.shown.inspection.step)

    @property
    def is_of_run(self) -> bool:
        """True if what is shown is of the selected run, or of the draft where no run is selected."""
        return self.shown is not None and self._shown_run == ("" if self.run is None else self.run.key)

    def show(self, view: InspectionView) -> None:
        """Show an inspection of the selected step."""
        self.shown, self.shown_step, self.state = view, self.step, State.SHOWN
        self._shown_run = "" if self.run is None else self.run.key

    def refuse(self, request: Request) -> bool:
        """Note that a request was refused; what is shown of the same step stays.

        Returns:
            True if nothing is shown any more.
        """
        if self.shown is not None and self.shown_step == request.step:
            return False
        self.readings.clear()
        self._refuse()
        return True

    def refuse_kind(self) -> None:
        """Note that the model reads no text; answers that are under way are dropped."""
        self.requests.drop()
        self.forget_source()
        self.readings.clear()
        self._refuse()

    def refuse_snapshot(self) -> bool:
        """Note that the snapshot of the selected step cannot be read.

        Returns:
            False if that is known.
        """
        if self.shown_step == self.step:
            return False
        self._refuse()
        return True

    def _refuse(self) -> None:
        self.shown, self.shown_step, self.state = None, self.step, State.REFUSED

    # --------------------------------------------------------------------------------------------------------- probes

    def switch_probe(self, name: str, on: bool) -> None:
        """Switch a probe for the user, with the cards that show nothing else; those of a new one are to be seen."""
        self._new_probe = name if on else ""
        self.probes.switch(name, on)
        for key in self.cards_of_probe(name):
            self.readings.switch(key, on)

    def cards_of_probe(self, name: str) -> list[Key]:
        """Return the cards that are offered and show nothing but what a probe found."""
        return [key for key in self.readings.offered if self.probe_of.get(key) == name]

    def select_view(self, view: str) -> None:
        """Show the user's selection, all cards, or those that answer a question; selected again, all its answers."""
        if view == self.readings.view:
            self.readings.reset()
            self.probes.reset()
        self.probes.view = view
        self.readings.select_view(view)

    def is_probe_missing(self) -> bool:
        """Return True if a probe is on that the newest inspection did not run."""
        return not set(self.probes.on) <= self._ran

    def learn_probes(self, result: Result, view: InspectionView) -> Collection[Key]:
        """Learn which probe is behind which card.

        Returns:
            The cards of the probe that the user has just switched on.
        """
        new: Collection[Key] = ()
        self.probes.problems = dict(result.problems)
        self.seconds |= result.seconds
        self._ran |= set(result.kinds)
        for probe in result.kinds:
            keys, alone = result.cards_of(probe, view.groups)
            self.probe_of |= dict.fromkeys(alone, probe)
            if probe == self._new_probe:
                self._new_probe, self.new_map, new = "", probe, keys  # a map is called as its probe
        return new
