"""One run as the window knows it: its place in the list, its curves, its events, and what can be asked of it."""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from lab.base.problems import LabError, Problem, told_problem
from lab.base.units import bits_per_byte
from lab.recipes import Recipe
from lab.runs import Status
from lab.runs.folder import State
from lab.runs.library.labels import Label
from lab.runs.library.recipe_fields import Value
from lab.runs.metrics.clocks import flops_per_token
from lab.shell.session.runs.formatting import loss_told, name_of, settings_of, state_words
from lab.shell.session.runs.texts import Place, Texts, texts_since
from lab.training.control import Control
from lab.widgets.charts.chart import Flag
from lab.widgets.core.i18n import tr
from lab.widgets.runs.list_model import RunRow
from lab.workbench import SavedRun
from lab.workbench.analysis.curves import Curves
from lab.workbench.analysis.floors import KnownFloors
from lab.workbench.launch.known_corpora import localised
from lab.workbench.runners.commands import control_of
from lab.workbench.runners.runner import ENDED, Runner, RunState

LATELY = 50
"""Steps over which the speed is taken."""
PACE = 30.0
"""Seconds over which the pace is taken that tells the time left, evaluations included."""


class RunModel:
    """A run in the window.

    Args:
        key: Its identity in the window.
        run: It, on its way or opened from disk.
        label: What a person says of it, with its colour.
        status: What a run on disk told of itself when it was listed; read here where it is not given.

    Attributes:
        active: It, while this process trains it, or follows the one it started for it.
        label: What a person says of it.
        labelled: Whether that stands in its folder.
        told_apart: Its name among runs of its title, made of what differs; "" where no other has its title.
        checkpoints: The steps of its checkpoints, as they were when it was selected or ended.
        curves: Its series so far.
        shown: Whether its curves are drawn beside those of the selected run.
        samples: (step, text) of what it wrote at evaluations.
        flags: Its events on the curve.
        changed: Live settings that were changed while it trained, by path.
        texts_read: Up to where its samples and events were read.
        loaded: Whether the series of a run on disk were read.
        home: Its folder, where it was there before this process trained it.
        waits_for_past: Whether it goes on from a checkpoint, and its series up to there are not read yet.
        verification: What training its last steps anew gave, where that was tried.
        row, words: Its row in the list, and all in which a search looks, each behind the moment of which it is.
        verifying: How far that is, 0 to 1, while it is tried; None otherwise.
    """

    def __init__(self, key: str, run: Runner | SavedRun, label: Label, status: Status | None = None) -> None:
        self.key, self.label = key, label
        self.labelled = isinstance(run, SavedRun)
        self.told_apart = ""
        self.checkpoints: list[int] = []
        self.run = run
        self.active = run if isinstance(run, Runner) else None
        self.recipe: Recipe = run.recipe
        self.curves = Curves()
        self.shown = False
        self.samples: list[tuple[int, str]] = []
        self.flags: list[Flag] = []
        self.changed: dict[str, Any] = {}
        self.loaded = False
        self.home: Path | None = None
        self.waits_for_past = False
        self.verification: Any = None  # lab.workbench.analysis.verify.Verification
        self.verifying: float | None = None
        self.row: tuple[Any, RunRow] | None = None
        self.words: tuple[Any, str] | None = None
        self._reader: Any = None  # lab.training.recording.telemetry.Reader
        self.texts_read: Place = (0, 0)
        self._paused = self._missed = False  # whether it told of a pause last; whether rows were overwritten unseen
        self._pace: deque[tuple[float, int]] = deque()  # (when, step), newest last
        self._recipe_here: Recipe | None = None
        self._floors = KnownFloors()
        self._settings: dict[str, Value] | None = None
        status = run.status if isinstance(run, SavedRun) and status is None else status
        self._summary: dict[str, Any] = dict(status.summary) if status is not None else {}
        self._state: RunState = "queued" if status is None else status.state
        self._step = 0 if status is None else status.step
        self._problem = told_problem(status.problem) if status is not None and status.problem else None

    # ------------------------------------------------------------------------------------------------------ what it is

    @property
    def path(self) -> Path | None:
        """Its folder, once it has one."""
        folder = self.run.folder
        return self.home if folder is None else folder.path

    @property
    def name(self) -> str:
        """What people call it: what a person named it, else its title, or what differs from others of that title."""
        return self.label.name or self.told_apart or self.base_name

    @property
    def base_name(self) -> str:
        """Its title, or what it has in place of one; others may have the same."""
        return name_of(self.recipe)

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
        """Its identity for ever; "" until it has a folder."""
        folder = self.run.folder
        return "" if folder is None else folder.id

    @property
    def parent(self) -> Mapping[str, Any] | None:
        """The run it branched off: "id", "name", "step", "changes"; None where it began anew."""
        folder = self.run.folder
        return None if folder is None else folder.parent

    @property
    def created(self) -> str:
        """When it was made: UTC, ISO 8601; "" until it has a folder."""
        folder = self.run.folder
        return "" if folder is None else folder.created

    @property
    def settings(self) -> dict[str, Value]:
        """The settings of its recipe by path, its corpus by name alone; the first call is for a thread of its own."""
        if self._settings is None:
            self._settings = settings_of(self.recipe)
        return self._settings

    @settings.setter
    def settings(self, known: dict[str, Value]) -> None:
        self._settings = known

    @property
    def state(self) -> RunState:
        """Where it is in its life."""
        if self.active is None:
            return "paused" if self.elsewhere and self._paused else self._state
        return self.active.state

    @property
    def control(self) -> Control | None:
        """What takes orders for its training, here or in another process; None where it does not train."""
        if isinstance(self.run, Runner):
            return self.run.control
        return control_of(self.run.folder) if self.elsewhere else None

    @property
    def elsewhere(self) -> bool:
        """Whether another process trains it."""
        return self.active is None and self._state == "running"

    @property
    def recipe_here(self) -> Recipe:
        """Its recipe with the corpus where it lies on this machine, if that is known."""
        if self._recipe_here is None:
            self._recipe_here = self.recipe
            if isinstance(self.run, SavedRun):
                with contextlib.suppress(LabError):
                    self._recipe_here = localised(self.recipe, self.run.folder)
        return self._recipe_here

    @property
    def works(self) -> bool:
        """Whether it is under way or waits for its turn."""
        return self.active is not None and self.state not in ENDED

    @property
    def trains(self) -> bool:
        """Whether it makes steps right now."""
        return self.active is not None and self.state == "running"

    @property
    def on_processor(self) -> bool:
        """Whether it computes where the window does."""
        placement = None if self.run.folder is None else self.run.folder.facts.get("placement")
        return not isinstance(placement, dict) or placement.get("device") == "cpu"

    @property
    def step(self) -> int:
        """Steps made."""
        return self._step if self.active is None else self.active.step

    @property
    def last_step(self) -> int:
        """Steps after which it is finished."""
        if self.active is not None:
            return self.active.last_step
        told = self._summary.get("last_step")
        return told if isinstance(told, int) else self.recipe.training.steps

    @property
    def problem(self) -> Problem | None:
        """Why it failed, or what it waits for."""
        if self.active is not None:
            return self.active.waits_for or self.active.problem
        return self._problem

    @property
    def floors(self) -> dict[str, float]:
        """Floors by name, in nats per token."""
        return self._floors.of(self.run.folder)

    def take_floors(self) -> bool:
        """Reads its floors again where more were found since. Whether there are others now."""
        return self._floors.take(self.run.folder)

    # ----------------------------------------------------------------------------------------------------- its figures

    def last(self, series: str) -> float | None:
        """The newest value of a series, be it infinite; None where it is no number."""
        if series not in self.curves.names():
            return None
        values = self.curves.values(series)
        value = float(values[-1]) if len(values) else math.nan
        return None if math.isnan(value) else value

    @property
    def loss(self) -> float | None:
        """Its validation loss, nats per token; the training loss until there is one."""
        validation = self.last("validation loss")
        if validation is None:
            validation = loss_told(self._summary, "validation_loss")
        return self.train_loss if validation is None else validation

    def moment(self) -> tuple[object, ...]:
        """What is another one when something changed of a run that this process does not train; quickly made."""
        places = (id(self.label), id(self._summary), id(self.curves), id(self.verification))
        return (*places, self.curves.revision, self.shown, self.told_apart, self._state, self._step)

    @property
    def stored_state(self) -> State:
        """Its state as its folder has it."""
        return self.state if self.state in get_args(State) else "running"  # type: ignore[return-value]

    def figures(self) -> dict[str, Any]:
        """Its summary as it stands, with the losses as they are now."""
        now = {"train_loss": self.train_loss, **self._evaluation}
        return {**self._summary, **{name: value for name, value in now.items() if value is not None}}

    @property
    def train_loss(self) -> float | None:
        """Its loss on the training text, nats per token."""
        value = self.last("train loss")
        return loss_told(self._summary, "train_loss") if value is None else value

    @property
    def is_validated(self) -> bool:
        """Whether its loss is one of the validation text."""
        return self.last("validation loss") is not None or loss_told(self._summary, "validation_loss") is not None

    @property
    def bits_per_byte_factor(self) -> float | None:
        """Bits per byte of text for a loss of one nat per token; None where targets are no text."""
        told = self._evaluation
        bits, nats = told.get("bits_per_byte"), told.get("validation_loss")
        if bits and nats and math.isfinite(nats):
            return float(bits) / float(nats)
        folder = self.run.folder
        size = None if folder is None else folder.facts.get("bytes_per_token")
        return bits_per_byte(1.0, 1.0, size) if isinstance(size, int | float) and size > 0 else None

    @property
    def protocol(self) -> str | None:
        """How its validation loss was evaluated."""
        return self._evaluation.get("protocol")

    @property
    def reads_later(self) -> bool:
        """Whether its model reads the tokens that it is to guess, so that its loss is no forecast."""
        return bool(self._evaluation.get("reads_later_tokens"))

    @property
    def _evaluation(self) -> Mapping[str, Any]:
        """Of its summary what tells of its last evaluation: the whole summary counts parameters at every call."""
        return self._summary if self.active is None else self.active.evaluated

    def seconds_left(self) -> float | None:
        """Time until the last step at the pace of the last half minute; None where no step tells of the next one."""
        if not self.trains or len(self._pace) < 2 or self.counts:
            return None
        (began, first), (now, step) = self._pace[0], self._pace[-1]
        return (now - began) / (step - first) * max(0, self.last_step - step) if step > first else None

    @property
    def counts(self) -> bool:
        """Whether the model counts: each of its steps reads twice the text of the one before."""
        return self._summary.get("learns") == "counting" if self.active is None else self.active.counts

    def tokens_per_second(self) -> float | None:
        """Speed over the last steps."""
        if not {"seconds", "tokens"} <= set(self.curves.names()):
            return None
        seconds, tokens = self.curves.values("seconds"), self.curves.values("tokens")
        count = min(len(seconds), len(tokens))
        if count < 2:
            return None
        first = max(0, count - 1 - LATELY)
        elapsed = float(seconds[count - 1] - seconds[first])
        return float(tokens[count - 1] - tokens[first]) / elapsed if elapsed > 0 else None

    @property
    def told_state(self) -> str:
        """Its state in a word."""
        return state_words()["elsewhere" if self.elsewhere else self.state]

    def detail(self) -> str:
        """Its state and how far it is, in a few words."""
        begun = self.state not in ("queued", "preparing")
        return tr("{state} · step {step}", state=self.told_state, step=f"{self.step:,}") if begun else self.told_state

    # ---------------------------------------------------------------------------------------------------- what is new

    def take(self) -> bool:
        """Takes over what the training told since the last call; called in the main thread. Whether there was any."""
        ring = None if self.active is None else self.active.ring
        if ring is None or self.waits_for_past:
            return False
        if self._reader is None:
            self._reader = ring.reader()
            self._reader.read = 0  # from the first row on
            folder = self.run.folder
            self.curves.flops_per_token = None if folder is None else flops_per_token(folder.facts)
        rows = self._reader.take()
        self._missed = self._missed or bool(rows.missed)
        if len(rows):
            self.curves.feed(rows, ring.names)
        self._keep_pace()
        return bool(len(rows))

    def _keep_pace(self) -> None:
        now = time.monotonic()
        if self.state != "running":
            self._pace.clear()
        elif not self._pace or self._pace[-1][1] != self.step:
            self._pace.append((now, self.step))
            while now - self._pace[0][0] > PACE:
                self._pace.popleft()

    def take_texts(self) -> bool:
        """Reads what is new of samples and events. Whether there was any."""
        folder = self.run.folder
        return folder is not None and not self.waits_for_past and self.hear(texts_since(folder, self.texts_read))

    def hear(self, texts: Texts) -> bool:
        """Takes over samples and events, unless others were taken over since they were read. Whether there were any."""
        if texts.since != self.texts_read or texts.until == texts.since:
            return False
        self.texts_read = texts.until
        self._paused = self._paused if texts.paused is None else texts.paused
        self.samples, self.changed = self.samples + texts.samples, {**self.changed, **texts.changed}
        self.flags = list(dict.fromkeys([*self.flags, *texts.flags]))  # a run that goes on tells some again
        return True

    def go_on(self, run: Runner) -> None:
        """It trains again from a checkpoint: its series are what stands in its file, and then what this run tells."""
        self.home = self.path
        self.run, self.active, self._reader, self._missed = run, run, None, False
        self.waits_for_past = True
        self.flags, self.samples, self.changed, self.texts_read = [], [], {}, (0, 0)
        self._pace.clear()

    def settle(self, saved: SavedRun) -> bool:
        """The training ended: from here on it is the run on disk. Whether its curves lack what it told."""
        active = self.active
        if active is not None:
            self.take()
            self._recipe_here = self.recipe
            self._state, self._step, self._summary = active.state, self.step, active.summary()
            self._problem = active.problem
        self.run, self.active = saved, None
        lacks, self.waits_for_past = self._missed or self.waits_for_past, False
        self.loaded, self.checkpoints = not lacks, saved.folder.checkpoint_steps()
        self.take_texts()
        return lacks

    def told(self, status: Status) -> None:
        """Another process that trains it told how far it is."""
        self._summary, self._state, self._step = dict(status.summary), status.state, status.step
        self._problem = told_problem(status.problem) if status.problem else None
