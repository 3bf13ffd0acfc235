"""The model of one run in the window, without Qt: its state, series, samples, events and losses."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, TypeVar

from lab.api.text import ENTROPY_RATE
from lab.base.problems import LabError, Problem, problem_from_dict
from lab.base.run_state import ENDED, STORED, TRAINING, RunState
from lab.base.units import bits_per_byte
from lab.recipes import Recipe
from lab.runs import Status
from lab.runs.evaluations import part_tokens, reads_all
from lab.runs.library.labels import Label
from lab.runs.library.recipe_fields import Value
from lab.runs.library.titles import recipe_title
from lab.shell.session.requests import Requests
from lab.shell.session.runs.pace import Pace
from lab.shell.session.runs.series import RunSeries, SeriesState
from lab.shell.session.runs.texts import RunEvent, RunTexts, TextUpdate, read_texts
from lab.training.control import Control
from lab.workbench import SavedRun
from lab.workbench.analysis.curves import Curves
from lab.workbench.analysis.floors import KnownFloors
from lab.workbench.launch.known_corpora import localised, stored_settings
from lab.workbench.launch.summary import below_entropy
from lab.workbench.runners.commands import control_of
from lab.workbench.runners.runner import Runner

T = TypeVar("T")
LONG_STEP = 5.0
"""Seconds after which a step that delays a stop is reported with its time."""


class Host(Enum):
    """The process that trains a run."""

    HERE = auto()
    """This process, or one that it started and follows."""
    ELSEWHERE = auto()
    """Another process."""
    NONE = auto()
    """No process: the run has ended, or was interrupted."""


@dataclass(frozen=True)
class LastStatus:
    """The last status of a run that this process does not train, as stored in its folder.

    Args:
        state: Its state; "queued" before it has a folder.
        step: The number of steps made.
        summary: Its latest figures by name.
        problem: Why it stopped or failed; None if there is no problem.
    """

    state: RunState = RunState.QUEUED
    step: int = 0
    summary: Mapping[str, Any] = field(default_factory=dict)
    problem: Problem | None = None

    @classmethod
    def of(cls, status: Status) -> LastStatus:
        """Return the last status from the status of a folder."""
        problem = problem_from_dict(status.problem) if status.problem else None
        return cls(status.state, status.step, dict(status.summary), problem)


PER_TOKEN = "nats per token"
"""The unit of the loss of most objectives, and of runs that do not say it."""


class RunModel:
    """A run in the window.

    Args:
        key: Its identity in the window.
        source: The run, in progress or opened from disk.
        label: Its name, colour, star, tags and note.
        status: The status of a run on disk when it was listed; None reads it here.

    Attributes:
        source: The run, in progress or on disk.
        active: The run while this process trains or follows it; otherwise None.
        home: Its folder, if it had one before this process trained it.
        last_status: Its last status while this process does not train it.
        series: Its curves.
        texts: Its samples and events.
        is_labelled: True if its label is stored in its folder.
        distinct_name: For a run without an assigned name, a name made of the differences that distinguishes it from
            other such runs with the same title; "" if there are none.
        checkpoints: The steps of its checkpoints when it was selected or ended.
        shown: True if its curves are drawn.
        readings: The requests for its data on disk; a training that starts here makes the pending one stale.
        verification: The result of its verification; None if it was not verified.
        verifications: The requests to verify it.
        verifying: The progress of a running verification, 0 to 1; otherwise None.
        seconds_per_step: The last pace of its training in this window; None if it is unknown.
        corpus_titles: Returns the title of a card of corpora by its name; the registry provides it, with the plugins.
        waits_for: The run that has to end before it starts, if it is queued; None if no run has to.
    """

    def __init__(self, key: str, source: Runner | SavedRun, label: Label, status: Status | None = None) -> None:
        self.key, self.label = key, label
        self.source = source
        self.active = source if isinstance(source, Runner) else None
        self.recipe: Recipe = source.recipe
        self.home: Path | None = None
        if isinstance(source, SavedRun) and status is None:
            status = source.status
        elif self.active is not None and self.active.folder is not None:  # it is to be resumed
            with contextlib.suppress(LabError):
                status = self.active.folder.status()
        self.last_status = LastStatus() if status is None else LastStatus.of(status)
        self.corpus_titles: Callable[[str], str] = str
        self.series = RunSeries()
        self.texts = RunTexts()
        self.is_labelled = isinstance(source, SavedRun)
        self.distinct_name = ""
        self.checkpoints: list[int] = []
        self.shown = False
        self.readings = Requests()
        self.verifications = Requests()
        self.verification: Any = None  # lab.workbench.analysis.verify.Verification
        self.verifying: float | None = None
        self.seconds_per_step: float | None = None
        self._stepped: float | None = None  # the time at which its last step was recorded, or its training started
        self.waits_for: RunModel | None = None
        self._pace = Pace()
        self._floors = KnownFloors()
        self._recipe_here: Recipe | None = None
        self._settings: dict[str, Value] | None = None
        self._has_all_settings = False
        self._cache: dict[str, tuple[object, Any]] = {}

    # ---------------------------------------------------------------------------------------------------- its identity

    @property
    def path(self) -> Path | None:
        """Its folder; None until it is made."""
        folder = self.source.folder
        return self.home if folder is None else folder.path

    @property
    def name(self) -> str:
        """Its name: the one given by the user, or the one it got when it was made, or a distinct one, or its title."""
        return self.label.name or self.assigned_name or self.distinct_name or self.base_name

    @property
    def assigned_name(self) -> str:
        """The name that it got when it was started or queued; "" for a run of an earlier version of the lab."""
        folder = self.source.folder
        if folder is not None:
            return folder.assigned_name
        return "" if self.active is None else self.active.origin.name

    @property
    def base_name(self) -> str:
        """Its title, or the name of its architecture; other runs may have the same."""
        return recipe_title(self.recipe)

    @property
    def on_examples(self) -> bool:
        """True if it trains on generated examples, not on a text."""
        return self.recipe.tokenizer.name == "symbol"

    @property
    def colour(self) -> int:
        """The number of its style, which determines hue and dashes."""
        return self.label.colour or 0

    @property
    def id(self) -> str:
        """Its permanent identity; "" until it has a folder."""
        folder = self.source.folder
        return "" if folder is None else folder.id

    @property
    def parent(self) -> Mapping[str, Any] | None:
        """The run from which it was branched: "id", "name", "step", "changes"; None if it is not a branch."""
        folder = self.source.folder
        return None if folder is None else folder.parent

    @property
    def created(self) -> str:
        """The time of its creation: UTC, ISO 8601; "" until it has a folder."""
        folder = self.source.folder
        return "" if folder is None else folder.created

    @property
    def settings(self) -> dict[str, Value]:
        """The settings of its recipe by path, with only the name of its corpus; first read in a thread.

        Once it has a folder, these are all settings; before that, those that its recipe names.
        """
        folder = self.source.folder
        if self._settings is None or (folder is not None and not self._has_all_settings):
            self._has_all_settings = folder is not None
            with contextlib.suppress(LabError):  # a damaged folder
                self._settings = stored_settings(self.recipe if folder is None else folder.read_recipe())
        return self._settings or stored_settings(self.recipe)

    @settings.setter
    def settings(self, known: dict[str, Value]) -> None:
        self._settings, self._has_all_settings = known, True

    @property
    def reads(self) -> str:
        """The kind of rows that it reads, such as "vectors"; "" of a text, of examples, or before it is known."""
        folder = self.source.folder
        corpus = None if folder is None else folder.facts.get("corpus")
        kind = corpus.get("kind") if isinstance(corpus, dict) else None
        return kind if isinstance(kind, str) else ""

    @property
    def recipe_here(self) -> Recipe:
        """Its recipe with the path of the corpus on this machine, if that is known."""
        if self._recipe_here is None:
            self._recipe_here = self.recipe
            if isinstance(self.source, SavedRun):
                with contextlib.suppress(LabError):
                    self._recipe_here = localised(self.recipe, self.source.folder)
        return self._recipe_here

    # ------------------------------------------------------------------------------------------------------- its state

    @property
    def host(self) -> Host:
        """The process that trains it."""
        if self.active is not None:
            return Host.HERE
        return Host.ELSEWHERE if self.last_status.state == RunState.RUNNING else Host.NONE

    @property
    def elsewhere(self) -> bool:
        """True if another process trains it."""
        return self.host is Host.ELSEWHERE

    @property
    def state(self) -> RunState:
        """Its state; it is being saved from the moment in which it is to stop."""
        if self.active is not None:
            state = self.active.state
            return RunState.SAVING if self.is_stopping and state in TRAINING else state
        return RunState.PAUSED if self.elsewhere and self.texts.is_paused else self.last_status.state

    @property
    def is_stopping(self) -> bool:
        """True if it is about to stop and has not ended."""
        active = self.active
        return active is not None and active.state not in ENDED and active.control.stopping.is_set()

    def seconds_in_long_step(self) -> float | None:
        """Return the seconds that the step takes so far after which it stops; None if it is short or does not stop."""
        if not self.is_stopping or self._stepped is None:
            return None
        seconds = time.monotonic() - self._stepped
        return seconds if seconds >= LONG_STEP else None

    @property
    def stored_state(self) -> RunState:
        """Its state as stored in its folder."""
        state = self.state
        return state if state in STORED else RunState.RUNNING

    @property
    def works(self) -> bool:
        """True if it trains or is queued."""
        return self.active is not None and self.state not in ENDED

    @property
    def trains(self) -> bool:
        """True if it is making steps now, in this process or one that it follows."""
        return self.active is not None and self.state == RunState.RUNNING

    @property
    def on_processor(self) -> bool:
        """True if it trains on the CPU, which also draws the window."""
        placement = None if self.source.folder is None else self.source.folder.facts.get("placement")
        return not isinstance(placement, dict) or placement.get("device") == "cpu"

    @property
    def control(self) -> Control | None:
        """The control of its training, in this or another process; None if it does not train."""
        if isinstance(self.source, Runner):
            return self.source.control
        return control_of(self.source.folder) if self.elsewhere else None

    @property
    def step(self) -> int:
        """The number of steps made; until a resumed run trains, those before it ended."""
        return self.last_status.step if self.active is None or self.active.ring is None else self.active.step

    @property
    def last_step(self) -> int:
        """The number of steps after which it is finished."""
        if self.active is not None:
            return self.active.last_step
        stored = self.last_status.summary.get("last_step")
        return stored if isinstance(stored, int) else self.recipe.training.steps

    @property
    def problem(self) -> Problem | None:
        """The reason why it failed or is paused; None if there is none."""
        if self.active is not None:
            return self.active.waits_for or self.active.problem
        return self.last_status.problem

    def version(self) -> tuple[object, ...]:
        """Return a version that changes with everything shown of a run that this process does not train.

        It is quick to make and to compare, since equal parts are mostly the same objects.
        """
        parts = (self.label, self.last_status, self.verification, self.series.version)
        return (*parts, self.shown, self.assigned_name, self.distinct_name, self.state)

    def cached(self, name: str, key: object, make: Callable[[], T]) -> T:
        """Return a value made from this version of the run; make it if it is not in the cache.

        Args:
            name: The name of the value.
            key: Everything else that the value depends on.
            make: Makes the value.
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
    def events(self) -> list[RunEvent]:
        """Its live edits and problems, oldest first."""
        return self.texts.events

    @property
    def changed(self) -> dict[str, Any]:
        """The last values of live settings that were changed during the training, by path."""
        return self.texts.changed

    @property
    def floors(self) -> dict[str, float]:
        """Its floors by name, in nats per token."""
        return self._floors.of(self.source.folder)

    @property
    def searches_floors(self) -> bool:
        """True if some of its floors are still searched for, and the known ones may be replaced."""
        return not self._floors.is_complete

    def take_floors(self) -> bool:
        """Read its floors again if more were found. Return True if they changed."""
        return self._floors.take(self.source.folder)

    @property
    def loss(self) -> float | None:
        """Its validation loss in nats per token, or the training loss until there is one."""
        validation = self.series.last("validation loss")
        if validation is None:
            validation = _loss_in(self.last_status.summary, "validation_loss")
        return self.train_loss if validation is None else validation

    @property
    def train_loss(self) -> float | None:
        """Its training loss in nats per token."""
        value = self.series.last("train loss")
        return _loss_in(self.last_status.summary, "train_loss") if value is None else value

    @property
    def loss_unit(self) -> str:
        """The unit of its losses, "nats per token" unless its objective has another."""
        return str(self._evaluation.get("loss_unit") or PER_TOKEN)

    @property
    def is_validated(self) -> bool:
        """True if its loss is a validation loss."""
        if self.series.last("validation loss") is not None:
            return True
        return _loss_in(self.last_status.summary, "validation_loss") is not None

    def figures(self) -> dict[str, Any]:
        """Return its summary with the current losses."""
        now = {"train_loss": self.train_loss, **self._evaluation}
        return {**self.last_status.summary, **{name: value for name, value in now.items() if value is not None}}

    @property
    def is_finished(self) -> bool:
        """True if it has made all of its steps, and its last evaluation is done."""
        return self.state == RunState.FINISHED or (self._made_all_steps and self.state in ENDED)

    @property
    def awaits_evaluation(self) -> bool:
        """True if it has made all of its steps, and its last evaluation is not done yet."""
        return self._made_all_steps and self.state not in ENDED

    @property
    def _made_all_steps(self) -> bool:
        return 0 < self.last_step <= self.step

    @property
    def parameters(self) -> int | None:
        """The number of its trained parameters; None if it is not known yet."""
        figures = self.last_status.summary if self.active is None else self.active.summary()
        found = figures.get("parameters")
        return found if isinstance(found, int) else None

    @property
    def training_seconds(self) -> float | None:
        """The seconds that its training took so far, without pauses; None if they are not known."""
        found = self.series.last("seconds")
        stored = self.last_status.summary.get("seconds") if found is None else found
        return float(stored) if isinstance(stored, int | float) else None

    def full_seconds(self) -> float | None:
        """Return the duration of its whole training; None if it is unknown.

        It is measured if the run has finished, else that of the steps made so far at the pace of the last ones.
        """
        if self.active is None and self.state == RunState.FINISHED:
            stored = self.last_status.summary.get("seconds")
            return float(stored) if isinstance(stored, int | float) else None
        if self.counts:
            return None
        if self.seconds_per_step is not None:
            return self.seconds_per_step * self.last_step
        made = self.training_seconds
        return made / self.step * self.last_step if made is not None and self.step > 0 else None

    @property
    def bits_per_byte_factor(self) -> float | None:
        """Bits per byte of text for a loss of one nat per token; None if the targets are not text."""
        bits, nats = self._evaluation.get("bits_per_byte"), self._evaluation.get("validation_loss")
        if bits and nats and math.isfinite(nats):
            return float(bits) / float(nats)
        folder = self.source.folder
        size = None if folder is None else folder.facts.get("bytes_per_token")
        return bits_per_byte(1.0, 1.0, size) if isinstance(size, int | float) and size > 0 else None

    @property
    def protocol(self) -> str | None:
        """The protocol of its evaluation."""
        return self._evaluation.get("protocol")

    @property
    def reads_all_validation(self) -> bool:
        """True if its last evaluation read all of the validation text."""
        return reads_all(self.recipe, self._evaluation, finished=self.is_finished)

    @property
    def part_tokens(self) -> int | None:
        """The validation tokens that evaluations during its training read, if only the last one read more of them."""
        return part_tokens(self.recipe, self._evaluation, finished=self.is_finished)

    @property
    def reads_later(self) -> bool:
        """True if its model can read the tokens it predicts, so that its loss does not measure prediction."""
        return bool(self._evaluation.get("reads_later_tokens"))

    @property
    def standard_errors_below_entropy(self) -> float | None:
        """By how many standard errors its validation loss is below the entropy of its source; None for at most one."""
        found = self._evaluation
        error, entropy = found.get("standard_error"), self.floors.get(ENTROPY_RATE)
        return below_entropy(found.get("validation_loss"), error, entropy)

    @property
    def _evaluation(self) -> Mapping[str, Any]:
        """Its last evaluation; for an active run without the rest of the summary, which counts the parameters."""
        return self.last_status.summary if self.active is None else self.active.evaluated

    @property
    def counts(self) -> bool:
        """True if its model learns by counting; each of its steps then reads twice as much text as the one before."""
        return self.last_status.summary.get("learns") == "counting" if self.active is None else self.active.counts

    def seconds_left(self) -> float | None:
        """Return the estimated seconds until the last step; None if the pace is unknown or does not predict them."""
        if not self.trains or self.counts:
            return None
        return self._pace.seconds_for(max(0, self.last_step - self.step))

    def operations_per_second(self) -> float | None:
        """Return the speed of its training in this window, evaluations included; None if it is unknown."""
        flops = self.curves.flops_per_token
        if self.seconds_per_step is None or flops is None or "tokens" not in self.curves.names():
            return None
        tokens, steps = self.curves.values("tokens"), self.curves.steps("tokens")
        return float(tokens[-1] / steps[-1]) * flops / self.seconds_per_step if len(tokens) else None

    def tokens_per_second(self) -> float | None:
        """Return the speed over the last steps; None if it is unknown."""
        return self.series.tokens_per_second()

    # --------------------------------------------------------------------------------------------------------- updates

    def take_rows(self) -> bool:
        """Add the rows that the training wrote since the last call to the series; in the main thread.

        Returns:
            True if there were any.
        """
        ring = None if self.active is None else self.active.ring
        if ring is None or self.series.state is SeriesState.PAST_NOT_READ:
            return False
        folder = self.source.folder
        has_rows = self.series.take(ring, {} if folder is None else folder.facts)
        if has_rows or (self._stepped is None and self.state == RunState.RUNNING):
            self._stepped = time.monotonic()
        if self.state == RunState.RUNNING:
            self._pace.add(time.monotonic(), self.step)
            self.seconds_per_step = self._pace.seconds_for(1) or self.seconds_per_step
        else:
            self._pace.clear()
        return has_rows

    def take_texts(self) -> bool:
        """Read new samples and events. Return True if there were any."""
        folder = self.source.folder
        if folder is None or self.series.state is SeriesState.PAST_NOT_READ:
            return False
        return self.add_texts(read_texts(folder, self.texts.offsets))

    def add_texts(self, update: TextUpdate) -> bool:
        """Add samples and events; see `RunTexts.add`."""
        return self.texts.add(update)

    def update_status(self, status: Status) -> None:
        """Set the status that another process wrote."""
        self.last_status = LastStatus.of(status)

    def start_verifying(self) -> int:
        """Start a verification, and return the number of its request."""
        self.verifying = 0.0
        return self.verifications.start()

    def end_verifying(self, number: int, found: Any = None) -> bool:
        """End a verification. Return False, and change nothing, if its request is stale.

        Args:
            number: The number of its request.
            found: The result, a Verification; None leaves the last one.
        """
        if not self.verifications.end(number):
            return False
        self.verifying = None
        self.verification = self.verification if found is None else found
        return True

    def resume(self, run: Runner) -> None:
        """Switch to a runner that continues the training from a checkpoint."""
        self.readings.drop()
        self.home = self.path
        self.source, self.active = run, run
        self._stepped = None
        self.series.resume()
        self._pace.clear()

    def end(self, saved: SavedRun) -> bool:
        """Switch to the run on disk after the training has ended.

        Returns:
            True if its curves have gaps and must be read from disk.
        """
        active = self.active
        if active is not None:
            self.take_rows()
            self._recipe_here = self.recipe
            self.last_status = LastStatus(active.state, self.step, active.summary(), active.problem)
        self.source, self.active = saved, None
        has_gaps = self.series.end()
        self.checkpoints = saved.folder.checkpoint_steps()
        self.take_texts()
        return has_gaps


def _loss_in(summary: Mapping[str, Any], name: str) -> float | None:
    """Return a loss of a summary, which stores infinite losses as names; None if there is none."""
    if name in summary.get("infinite", ()):
        return math.inf
    value = summary.get(name)
    return float(value) if isinstance(value, int | float) else None
