"""One run as the window knows it: its state, its series, its samples and events, and its losses."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, TypeVar, get_args

from lab.base.problems import LabError, Problem, problem_from_dict
from lab.base.units import bits_per_byte
from lab.recipes import Recipe
from lab.runs import Status
from lab.runs.folder import State
from lab.runs.library.labels import Label
from lab.runs.library.recipe_fields import Value
from lab.shell.session.runs.formatting import loss_in_summary, run_title, settings_of, state_labels
from lab.shell.session.runs.pace import Pace
from lab.shell.session.runs.series import RunSeries, SeriesState
from lab.shell.session.runs.texts import RunTexts, TextUpdate, read_texts
from lab.training.control import Control
from lab.widgets.charts.chart import Flag
from lab.widgets.core.i18n import tr
from lab.workbench import SavedRun
from lab.workbench.analysis.curves import Curves
from lab.workbench.analysis.floors import KnownFloors
from lab.workbench.launch.known_corpora import localised
from lab.workbench.runners.commands import control_of
from lab.workbench.runners.runner import ENDED, Runner, RunState

T = TypeVar("T")


class Host(Enum):
    """The process that trains a run."""

    HERE = auto()
    """This process, or one that it started and follows."""
    ELSEWHERE = auto()
    """Another process."""
    NONE = auto()
    """None: the run is over, or was interrupted."""


@dataclass(frozen=True)
class LastStatus:
    """The last status of a run that this process does not train, as its folder has it.

    Args:
        state: Its state; "queued" before it has a folder.
        step: Steps made.
        summary: Its latest figures by name.
        problem: Why it stopped or failed.
    """

    state: RunState = "queued"
    step: int = 0
    summary: Mapping[str, Any] = field(default_factory=dict)
    problem: Problem | None = None

    @classmethod
    def of(cls, status: Status) -> LastStatus:
        """Return the status that a folder has."""
        problem = problem_from_dict(status.problem) if status.problem else None
        return cls(status.state, status.step, dict(status.summary), problem)


class RunModel:
    """A run in the window.

    Args:
        key: Its identity in the window.
        run: The run, under way or opened from disk.
        label: Its name, colour, star, tags and note.
        status: The status of a run on disk when it was listed; read here where it is not given.

    Attributes:
        run: The run, under way or on disk.
        active: The run while this process trains it or follows it; else None.
        home: Its folder, where it had one before this process trained it.
        last_status: Its last status while this process does not train it.
        series: Its curves.
        texts: Its samples and events.
        is_labelled: True if its label stands in its folder.
        distinct_name: Its name among runs of its title, made of what differs; "" where no other has its title.
        checkpoints: The steps of its checkpoints, as they were when it was selected or ended.
        shown: True if its curves are drawn.
        verification: The result of training its last steps again, where that was done.
        verifying: The progress of that, 0 to 1; None while it is not under way.
    """

    def __init__(self, key: str, run: Runner | SavedRun, label: Label, status: Status | None = None) -> None:
        self.key, self.label = key, label
        self.run = run
        self.active = run if isinstance(run, Runner) else None
        self.recipe: Recipe = run.recipe
        self.home: Path | None = None
        if isinstance(run, SavedRun) and status is None:
            status = run.status
        self.last_status = LastStatus() if status is None else LastStatus.of(status)
        self.series = RunSeries()
        self.texts = RunTexts()
        self.is_labelled = isinstance(run, SavedRun)
        self.distinct_name = ""
        self.checkpoints: list[int] = []
        self.shown = False
        self.verification: Any = None  # lab.workbench.analysis.verify.Verification
        self.verifying: float | None = None
        self._pace = Pace()
        self._floors = KnownFloors()
        self._recipe_here: Recipe | None = None
        self._settings: dict[str, Value] | None = None
        self._cache: dict[str, tuple[object, Any]] = {}

    # ---------------------------------------------------------------------------------------------------- its identity

    @property
    def path(self) -> Path | None:
        """Its folder, once it has one."""
        folder = self.run.folder
        return self.home if folder is None else folder.path

    @property
    def name(self) -> str:
        """Its name: the one that a person gave, else its title, or what differs from others of that title."""
        return self.label.name or self.distinct_name or self.base_name

    @property
    def base_name(self) -> str:
        """Its title, or the name of its architecture; other runs may have the same."""
        return run_title(self.recipe)

    @property
    def on_examples(self) -> bool:
        """True if it learns from generated examples, not from a text."""
        return self.recipe.tokenizer.name == "symbol"

    @property
    def colour(self) -> int:
        """The number of its style: hue, then dashes."""
        return self.label.colour or 0

    @property
    def id(self) -> str:
        """Its permanent identity; "" until it has a folder."""
        folder = self.run.folder
        return "" if folder is None else folder.id

    @property
    def parent(self) -> Mapping[str, Any] | None:
        """The run from which it was branched: "id", "name", "step", "changes"; None where it is no branch."""
        folder = self.run.folder
        return None if folder is None else folder.parent

    @property
    def created(self) -> str:
        """The time of its creation: UTC, ISO 8601; "" until it has a folder."""
        folder = self.run.folder
        return "" if folder is None else folder.created

    @property
    def settings(self) -> dict[str, Value]:
        """The settings of its recipe by path, its corpus by name alone; the first call is made in a thread."""
        if self._settings is None:
            self._settings = settings_of(self.recipe)
        return self._settings

    @settings.setter
    def settings(self, known: dict[str, Value]) -> None:
        self._settings = known

    @property
    def recipe_here(self) -> Recipe:
        """Its recipe with the path of the corpus on this machine, if that is known."""
        if self._recipe_here is None:
            self._recipe_here = self.recipe
            if isinstance(self.run, SavedRun):
                with contextlib.suppress(LabError):
                    self._recipe_here = localised(self.recipe, self.run.folder)
        return self._recipe_here

    # ------------------------------------------------------------------------------------------------------- its state

    @property
    def host(self) -> Host:
        """The process that trains it."""
        if self.active is not None:
            return Host.HERE
        return Host.ELSEWHERE if self.last_status.state == "running" else Host.NONE

    @property
    def elsewhere(self) -> bool:
        """True if another process trains it."""
        return self.host is Host.ELSEWHERE

    @property
    def state(self) -> RunState:
        """Its state."""
        if self.active is not None:
            return self.active.state
        return "paused" if self.elsewhere and self.texts.is_paused else self.last_status.state

    @property
    def stored_state(self) -> State:
        """Its state as its folder has it."""
        return self.state if self.state in get_args(State) else "running"  # type: ignore[return-value]

    @property
    def state_label(self) -> str:
        """Its state, for people."""
        return state_labels()["elsewhere" if self.elsewhere else self.state]

    def detail(self) -> str:
        """Return its state and step, for people."""
        if self.state in ("queued", "preparing"):
            return self.state_label
        return tr("{state} · step {step}", state=self.state_label, step=f"{self.step:,}")

    @property
    def works(self) -> bool:
        """True if it trains, or waits for its turn."""
        return self.active is not None and self.state not in ENDED

    @property
    def trains(self) -> bool:
        """True if this process makes steps right now."""
        return self.active is not None and self.state == "running"

    @property
    def on_processor(self) -> bool:
        """True if it trains on the processor that also draws the window."""
        placement = None if self.run.folder is None else self.run.folder.facts.get("placement")
        return not isinstance(placement, dict) or placement.get("device") == "cpu"

    @property
    def control(self) -> Control | None:
        """What takes commands for its training, here or in another process; None where it does not train."""
        if isinstance(self.run, Runner):
            return self.run.control
        return control_of(self.run.folder) if self.elsewhere else None

    @property
    def step(self) -> int:
        """Steps made."""
        return self.last_status.step if self.active is None else self.active.step

    @property
    def last_step(self) -> int:
        """The step at which it is finished."""
        if self.active is not None:
            return self.active.last_step
        stored = self.last_status.summary.get("last_step")
        return stored if isinstance(stored, int) else self.recipe.training.steps

    @property
    def problem(self) -> Problem | None:
        """Why it failed, or what it waits for."""
        if self.active is not None:
            return self.active.waits_for or self.active.problem
        return self.last_status.problem

    def version(self) -> tuple[object, ...]:
        """Return what differs whenever something shown of a run that this process does not train differs.

        It is quick to make and to compare: equal parts are mostly the same objects.
        """
        parts = (self.label, self.last_status, self.verification, self.series.version)
        return (*parts, self.shown, self.distinct_name, self.state)

    def cached(self, name: str, key: object, make: Callable[[], T]) -> T:
        """Return what was made of this version of the run, or make it.

        Args:
            name: What it is.
            key: What else it depends on.
            make: Makes it.
        """
        current = (key, self.version())
        known = self._cache.get(name)
        if known is None or known[0] != current:
            known = self._cache[name] = (current, make())
        made: T = known[1]
        return made

    # ----------------------------------------------------------------------------------------------------- its figures

    @property
    def curves(self) -> Curves:
        """Its series so far."""
        return self.series.curves

    @property
    def loaded(self) -> bool:
        """True if the series of a run on disk were read, or are being read."""
        return self.series.state is SeriesState.READ

    @property
    def samples(self) -> list[tuple[int, str]]:
        """Step and text of its samples, oldest first."""
        return self.texts.samples

    @property
    def flags(self) -> list[Flag]:
        """Its events on the curve."""
        return self.texts.flags

    @property
    def changed(self) -> dict[str, Any]:
        """The value of each live setting that was changed while it trained, by path."""
        return self.texts.changed

    @property
    def floors(self) -> dict[str, float]:
        """Floors by name, in nats per token."""
        return self._floors.of(self.run.folder)

    def take_floors(self) -> bool:
        """Read its floors again where more were found; return True if they differ now."""
        return self._floors.take(self.run.folder)

    @property
    def loss(self) -> float | None:
        """Its validation loss, nats per token; the training loss until there is one."""
        validation = self.series.last("validation loss")
        if validation is None:
            validation = loss_in_summary(self.last_status.summary, "validation_loss")
        return self.train_loss if validation is None else validation

    @property
    def train_loss(self) -> float | None:
        """Its loss on the training text, nats per token."""
        value = self.series.last("train loss")
        return loss_in_summary(self.last_status.summary, "train_loss") if value is None else value

    @property
    def is_validated(self) -> bool:
        """True if its loss is one of the validation text."""
        if self.series.last("validation loss") is not None:
            return True
        return loss_in_summary(self.last_status.summary, "validation_loss") is not None

    def figures(self) -> dict[str, Any]:
        """Return its summary with the losses as they are now."""
        now = {"train_loss": self.train_loss, **self._evaluation}
        return {**self.last_status.summary, **{name: value for name, value in now.items() if value is not None}}

    @property
    def bits_per_byte_factor(self) -> float | None:
        """Bits per byte of text for a loss of one nat per token; None where targets are no text."""
        bits, nats = self._evaluation.get("bits_per_byte"), self._evaluation.get("validation_loss")
        if bits and nats and math.isfinite(nats):
            return float(bits) / float(nats)
        folder = self.run.folder
        size = None if folder is None else folder.facts.get("bytes_per_token")
        return bits_per_byte(1.0, 1.0, size) if isinstance(size, int | float) and size > 0 else None

    @property
    def protocol(self) -> str | None:
        """The protocol of its evaluation."""
        return self._evaluation.get("protocol")

    @property
    def reads_later(self) -> bool:
        """True if its model reads the tokens that it predicts, so that its loss is no forecast."""
        return bool(self._evaluation.get("reads_later_tokens"))

    @property
    def _evaluation(self) -> Mapping[str, Any]:
        """Its last evaluation; of an active run not its complete summary, which counts parameters at every call."""
        return self.last_status.summary if self.active is None else self.active.evaluated

    @property
    def counts(self) -> bool:
        """True if the model counts: each of its steps reads twice the text of the one before."""
        return self.last_status.summary.get("learns") == "counting" if self.active is None else self.active.counts

    def seconds_left(self) -> float | None:
        """Return the time until the last step; None where the pace is not known, or does not predict it."""
        if not self.trains or self.counts:
            return None
        return self._pace.seconds_for(max(0, self.last_step - self.step))

    def tokens_per_second(self) -> float | None:
        """Return the speed over the last steps; None where it is not known."""
        return self.series.tokens_per_second()

    # --------------------------------------------------------------------------------------------------------- updates

    def take_rows(self) -> bool:
        """Add what the training wrote to the series since the last call; in the main thread.

        Returns:
            True if there was any.
        """
        ring = None if self.active is None else self.active.ring
        if ring is None or self.series.state is SeriesState.PAST_NOT_READ:
            return False
        folder = self.run.folder
        has_rows = self.series.take(ring, {} if folder is None else folder.facts)
        if self.state == "running":
            self._pace.add(time.monotonic(), self.step)
        else:
            self._pace.clear()
        return has_rows

    def take_texts(self) -> bool:
        """Read what is new of samples and events; return True if there was any."""
        folder = self.run.folder
        if folder is None or self.series.state is SeriesState.PAST_NOT_READ:
            return False
        return self.add_texts(read_texts(folder, self.texts.offsets))

    def add_texts(self, update: TextUpdate) -> bool:
        """Add samples and events; see `RunTexts.add`."""
        return self.texts.add(update)

    def update_status(self, status: Status) -> None:
        """Take the status that another process wrote."""
        self.last_status = LastStatus.of(status)

    def resume(self, run: Runner) -> None:
        """Note that it trains again from a checkpoint."""
        self.home = self.path
        self.run, self.active = run, run
        self.series.resume()
        self.texts.clear()
        self._pace.clear()

    def end(self, saved: SavedRun) -> bool:
        """Note that the training ended: from here on it is the run on disk.

        Returns:
            True if its curves have gaps, so that they are to be read from disk.
        """
        active = self.active
        if active is not None:
            self.take_rows()
            self._recipe_here = self.recipe
            self.last_status = LastStatus(active.state, self.step, active.summary(), active.problem)
        self.run, self.active = saved, None
        has_gaps = self.series.end()
        self.checkpoints = saved.folder.checkpoint_steps()
        self.take_texts()
        return has_gaps
