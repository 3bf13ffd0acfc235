"""Two runs of one workbench, driven at random: after every order telemetry, run folder and state say the same."""

import json
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from lab.api import capture
from lab.base import BadInput, LabError
from lab.base.jobs import running_jobs
from lab.base.notices import listen
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import read_readings, reading_steps
from lab.training.periodic.tasks import log_spaced
from lab.training.recording import recorder
from lab.training.recording.checkpoints import load_model_tables
from lab.training.recording.model_copy import ModelCopy
from lab.training.recording.telemetry import Reader
from lab.training.steps import counting
from lab.training.steps.gradient import GradientLearner
from lab.workbench import ActiveRun, Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 14
FOREVER = 10**9
BATCH, CONTEXT, MOMENTS = 3, 8, 6
EVERY = 5  # steps between evaluations
ENDED = ("finished", "stopped", "failed")
NEXT = {
    "queued": ("preparing", "running", "paused", "saving", *ENDED),
    "preparing": ("running", "paused", "saving", *ENDED),
    "running": ("paused", "saving", *ENDED),
    "paused": ("running", "saving", *ENDED),
    "saving": ENDED,
}
"""The states that may follow each state; shorter ones in between may go unnoticed."""

RATE, CLIP, PIECES = "training.optimizer.learning_rate", "training.clip", "training.accumulation"
DECAY, DROPOUT, WIDTH = "training.optimizer.weight_decay", "architecture.dropout", "architecture.width"
SMOOTHING, WEIGHT, K = "architecture.smoothing", "architecture.weight", "architecture.k"

LIVE = {
    "transformer": {RATE: 0.1, CLIP: 1.0, PIECES: 1, DECAY: 0.0, DROPOUT: 0.0},
    "n-gram": {SMOOTHING: "modified-kneser-ney", WEIGHT: None, K: 0.01},
}
"""The live settings of each architecture, as its recipe has them."""

BREAKS = 0.875
"""With this dropout a step fails."""

CHANGES = {
    "transformer": [
        (RATE, 0.02, 0.02), (RATE, 0.3, 0.3), (RATE, "0.05", 0.05), (CLIP, 0, 0.0), (CLIP, 0.5, 0.5), (PIECES, 2, 2),
        (PIECES, 3.0, 3), (DECAY, 0.1, 0.1), (DROPOUT, 0.25, 0.25), (DROPOUT, 0, 0.0), (DROPOUT, BREAKS, BREAKS),
    ],
    "n-gram": [
        (SMOOTHING, "add-k", "add-k"), (SMOOTHING, "jelinek-mercer", "jelinek-mercer"), (WEIGHT, 0.2, 0.2),
        (WEIGHT, "0.9", 0.9), (K, 1, 1.0),
    ],
}  # fmt: skip
"""(path, value, what is used from then on)."""

UNKNOWN = [
    ("", 1), ("training", 1), ("architecture.", 1), ("training.optimizer", {}), ("training.optimizer.colour", 1),
    (f"{DROPOUT}.more", 1), ("architecture.__dict__", {}), ("nothing.at.all", {"a": [1]}),
]  # fmt: skip
REFUSED = {
    "transformer": [
        (RATE, 0), (RATE, "fast"), (RATE, None), (RATE, float("nan")), (CLIP, -1), (CLIP, float("inf")), (CLIP, True),
        (PIECES, 0), (PIECES, 1.5), (DROPOUT, 1), (DROPOUT, [0.1]), (WIDTH, 16), ("training.seed", 3), (K, 1),
        *UNKNOWN,
    ],
    "n-gram": [(SMOOTHING, "none"), (WEIGHT, 1), (K, 0), ("architecture.order", 2), (CLIP, 0.5), (RATE, 0.1), *UNKNOWN],
}  # fmt: skip

# What is drawn must not depend on how far the runs are, or hypothesis could not draw it again: so numbers choose.
NUMBER, WHICH = st.integers(0, 100), st.integers(0, 3)
CHANGE, REFUSE = st.tuples(st.just("change"), NUMBER), st.tuples(st.just("refuse"), NUMBER)
ORDER = st.sampled_from([("pause",), ("resume",)]) | CHANGE | REFUSE
LASTS = [(), (("step", 3),), (("stop",),)]
STARTS = {
    "counts": st.booleans(),
    "steps": st.sampled_from([FOREVER, FOREVER, 12, 3, 0]),
    "beside": st.booleans(),
    "wait": st.booleans(),
    "orders": st.lists(ORDER, max_size=2),
    "last": st.sampled_from([(), (("step", 2),), (("step", 1), ("pause",))]),
}
FAULTS = []
"""The errors that occurred, as hypothesis would otherwise only report that they did not occur again."""


def order_for(name, drawn):
    """A drawn order, to a run of this architecture."""
    match drawn:
        case ("change", number):
            return ("set", *CHANGES[name][number % len(CHANGES[name])])
        case ("refuse", number):
            return ("set", *REFUSED[name][number % len(REFUSED[name])], None)
    return drawn


@dataclass(eq=False)
class Driven:
    """A run, and what must be true of it by now."""

    run: ActiveRun
    name: str
    last_step: int
    queued: bool
    waiting: list[tuple] = field(default_factory=list)  # orders that lie there until it begins
    paused: bool = False
    stopped: bool = False
    left: int | None = None  # steps until it pauses by itself
    step: int | None = 0  # where it stands, where that is known
    live: dict[str, Any] = field(default_factory=dict)
    events: list[dict] = field(default_factory=list)
    certain: int = 0  # events that it cannot have ended before
    over: bool = False
    seen: str = "queued"
    reader: Reader | None = None
    rows: dict[str, list] = field(default_factory=dict)  # (step, value) by series, from the ring
    stored: int = 0  # steps that were in the folder

    def __repr__(self):
        return f"{self.name}, {self.last_step} steps"

    def give(self, order):
        """Give the run an order. Returns whether it took it: what cannot be changed it refuses once it has begun."""
        control, begun = self.run.control, self.run.trainer is not None
        match order:
            case ("set", path, value, None):
                try:
                    control.set(path, value)
                except BadInput:
                    return False
                assert not begun
            case ("set", path, value, _):
                control.set(path, value)
            case ("step", steps):
                control.single_step(steps)
            case (word,):
                getattr(control, word)()
        return True

    def expect(self, order):
        """Return the expected effect of a command."""
        if self.stopped:
            return
        match order:
            case ("pause",):
                self.left = None
                self.expect_pause()
            case ("resume",):
                self.left = self.step = None
                self.expect_resume()
            case ("step", steps):
                self.left = steps
                self.expect_resume()
            case ("set", _, _, None):
                self.events.append({"event": "problem"})
            case ("set", path, _, after) if after != self.live[path]:  # the same value once more changes nothing
                self.events.append({"event": "set", "path": path, "value": after, "before": self.live[path]})
                self.live[path] = after
            case ("stop",):
                self.events.append({"event": "stop"})
                self.stopped = True

    def expect_pause(self):
        if not self.paused:
            self.events.append({"event": "pause"})
        self.paused = True

    def expect_resume(self):
        if self.paused:
            self.events.append({"event": "resume"})
        self.paused = False

    def expect_steps(self):
        """Return the expected effect of a command to make steps."""
        if self.left is not None and not self.stopped:
            to = None if self.step is None else min(self.step + self.left, self.last_step)
            self.left, self.step = None, to
            if to != self.last_step:
                self.expect_pause()
        elif not self.paused:
            self.step = None

    def recorded(self):
        """Return the effects of its commands, as recorded in the run folder."""
        folder = self.run.folder
        events = [] if folder is None else folder.events()
        if self.run.wait(0) and self.run.state == "failed":
            assert folder is not None, self.run.problem
            assert events.pop()["event"] == "problem"
        words = {"set": ("event", "path", "value", "before")}
        reported = [{name: event[name] for name in words.get(event["event"], ("event",))} for event in events]
        return list(zip(reported, [event["step"] for event in events], strict=True))

    @property
    def followed(self):
        """Return True if it has reached the state that its commands lead to."""
        if self.run.wait(0) or self.queued:
            return True
        if self.stopped or self.run.state != ("paused" if self.paused else "running"):
            return False
        return len(self.recorded()) >= len(self.events)

    def take_rows(self):
        """Take what is new in the ring."""
        ring = self.run.trainer.ring
        self.reader = self.reader or Reader(ring, 0)
        rows = self.reader.take()
        assert not rows.missed
        names = ring.names
        for step, number, value in zip(rows.steps.tolist(), rows.series.tolist(), rows.values.tolist(), strict=True):
            points = self.rows.setdefault(names[number], [])
            assert not points or points[-1][0] < step, f"{names[number]} has step {step} twice"
            points.append((step, value))

    def stored_series(self):
        """The series in the folder: (step, value) by name."""
        metrics = self.run.folder.metrics()
        return {name: list(zip(*map(np.ndarray.tolist, metrics.read(name)), strict=True)) for name in metrics.series()}


class Drive(RuleBasedStateMachine):
    """At most two runs at a time: a transformer that trains by gradient, and an n-gram model that counts."""

    def __init__(self):
        super().__init__()
        self.plugins = Plugins(safe_mode=True)
        self.bench = Workbench(self.plugins)
        self.driven = []
        self.reported = []
        self.done = []
        self.silence = listen(lambda notice: self.reported.append(notice.problem))
        self.threads = set(threading.enumerate())

    # ---------------------------------------------------------------------------------------------------- waiting

    def until(self, true, seconds=20):
        deadline = time.monotonic() + seconds
        while not true():
            self.watch()
            assert time.monotonic() < deadline, f"it did not come true in time: {self.driven}"
            time.sleep(0.002)
        self.watch()

    def watch(self):
        """Every state is followed only by what may follow it."""
        for driven in self.driven:
            state = driven.run.state
            if state != driven.seen:
                allowed = NEXT.get(driven.seen, ())
                assert state in allowed, f"{driven.seen} became {state}"
                driven.seen = state

    def catch_up(self, driven):
        """Wait until a run has followed its orders."""
        driven.expect_steps()
        self.until(lambda: driven.followed)
        if driven.run.wait(0) or driven.queued:
            return
        driven.certain = len(driven.events)
        if driven.paused:
            step = driven.run.trainer.step
            assert driven.step in (None, step)
            driven.step = step

    def quiet(self):
        """Wait for those that end by themselves, and for those that then begin."""
        for driven in self.driven:
            if not driven.queued and not driven.paused and driven.last_step < FOREVER:
                self.catch_up(driven)
                if not driven.paused:
                    self.until(lambda driven=driven: driven.run.wait(0))
        self.look_after()

    def look_after(self):
        """See who has begun and who has ended meanwhile."""
        for driven in self.driven:
            if driven.queued and driven.run.state != "queued":
                driven.queued = False
                for order in driven.waiting:
                    driven.expect(order)
                self.catch_up(driven)
            if driven.run.wait(0) and not driven.over:
                driven.over = True
                self.check_ended(driven)

    # ------------------------------------------------------------------------------------------------------ choosing

    def begun(self):
        return [driven for driven in self.driven if not driven.queued and not driven.over]

    def alive(self):
        return [driven for driven in self.driven if not driven.over]

    def pick(self, which):
        """One of those that have not ended, or the last one that did."""
        found = self.alive() + [driven for driven in self.driven if driven.over][-1:]
        return found[which % len(found)]

    def order(self, driven, *drawn):
        """Give orders, and wait until they were followed where it has begun."""
        orders = [order_for(driven.name, order) for order in drawn]
        self.done.append((driven, driven.run.state, *orders))
        if driven.queued:
            self.quiet()  # it may begin, but not while orders are given
        taken = [order for order in orders if driven.give(order)]
        if driven.over:
            return  # nobody follows them
        if driven.run.trainer is not None and not driven.paused:
            driven.step = None  # it has made steps meanwhile
        if driven.queued:
            assert taken == orders
            driven.waiting += orders
            return
        for order in taken:
            driven.expect(order)
        self.catch_up(driven)

    # --------------------------------------------------------------------------------------------------------- rules

    @initialize(**STARTS)
    def start_one(self, **drawn):
        self.start(**drawn)

    @rule(**STARTS)
    def start(self, counts, steps, beside, wait, orders, last):
        """Start a run where less than two are there."""
        names = {"n-gram" if counts else "transformer", *LIVE} - {driven.name for driven in self.alive()}
        if not names:
            return
        name = ["transformer", "n-gram"][counts] if len(names) == 2 else names.pop()
        self.quiet()
        queued = not beside and bool(self.begun())
        run = self.bench.start(self.recipe(name, steps), parallel=beside)
        last_step = {"transformer": steps, "n-gram": min(steps, 8)}[name]
        self.done.append(("start", name, steps, beside, wait))
        driven = Driven(run, name, last_step, queued, live=dict(LIVE[name]))
        self.driven.append(driven)
        self.watch()
        assert queued == (run in self.bench.queue)
        if orders:
            self.order(driven, *orders, *(last if queued else ()))
        elif wait:
            self.catch_up(driven)

    def recipe(self, name, steps):
        small = Recipe().with_values(
            {
                "corpus": {"name": "text", "text": TEXT},
                "architecture": {"name": name},
                "readings": {"moments": MOMENTS},
            },
            {"training": {"optimizer": {"name": "sgd", "momentum": 0.0}, "schedule": {"name": "constant"}}},
        )
        sizes = ["architecture.layers=1", "architecture.width=8", "architecture.heads=1"]
        return small.with_assignments(
            *(sizes if name == "transformer" else ["architecture.order=3"]),
            f"training.context_length={CONTEXT}", f"training.batch_size={BATCH}", f"training.steps={steps}",
            f"training.evaluate_every={EVERY}", "training.sample_tokens=4", "training.threads=1", "training.device=cpu",
            "readings.gauges_every=0",  # whose series have no value at most steps
        )  # fmt: skip

    @rule(which=WHICH)
    def pause(self, which):
        self.order(self.pick(which), ("pause",))

    @rule(which=WHICH, steps=st.integers(1, 7))
    def single_step(self, which, steps):
        self.order(self.pick(which), ("step", steps))

    @rule(which=WHICH)
    def resume(self, which):
        self.order(self.pick(which), ("resume",))

    @rule(which=WHICH, number=NUMBER)
    def change(self, which, number):
        self.order(self.pick(which), ("change", number))

    @rule(which=WHICH, number=NUMBER)
    def change_what_cannot_be(self, which, number):
        self.order(self.pick(which), ("refuse", number))

    @rule(
        which=WHICH,
        orders=st.lists(ORDER, min_size=2, max_size=5),
        last=st.sampled_from([(), (("step", 3),), (("stop",),)]),
    )
    def several_orders_at_once(self, which, orders, last):
        self.order(self.pick(which), *orders, *last)

    @rule(which=WHICH)
    def stop(self, which):
        self.order(self.pick(which), ("stop",))

    @rule()
    def unqueue(self):
        self.quiet()
        for driven in self.driven:
            if driven.queued:
                self.bench.unqueue(driven.run)
                self.check_withdrawn(driven)
                assert driven.run not in self.bench.runs

    @rule(which=WHICH, seed=st.integers(0, 3))
    def generate(self, which, seed):
        driven = self.pick(which)
        self.done.append(("generate", driven, driven.run.state))
        texts = []
        begun = driven.run.trainer is not None
        for _ in range(2):
            try:
                pieces = list(driven.run.generate("the ", settings={"temperature": 0.5}, seed=seed, count=2))
            except LabError as error:
                assert "Wait until it is prepared" in str(error)  # noqa: PT017 - it may have begun, or not
                assert not begun
                return
            assert len(pieces) == 2
            texts.append("".join(piece.text for piece in pieces))
        if begun and (driven.over or driven.paused):
            assert texts[0] == texts[1]

    @rule(which=WHICH)
    def look_inside(self, which):
        driven = self.pick(which)
        self.done.append(("look_inside", driven, driven.run.state))
        trainer = driven.run.trainer
        if trainer is None:
            return
        before = trainer.step
        copied = trainer.request_copy(ModelCopy())
        model = copied.wait()
        assert before <= copied.step <= trainer.step
        with torch.no_grad(), capture(model) as readings:
            model(torch.zeros(1, 4, dtype=torch.long))
        assert readings
        if driven.over or driven.paused:
            assert copied.step == trainer.step
            same_tables(model.tables(), trainer.model.tables())
        for step in reading_steps(driven.run.path):
            assert read_readings(driven.run.path, step)

    @rule(which=WHICH)
    def evaluate(self, which):
        driven = self.pick(which)
        self.done.append(("evaluate", driven, driven.run.state))
        run = driven.run
        if driven.over and run.trainer is not None:
            saved = self.bench.open(run.path)
            reported = run.trainer.evaluation
            again = saved.evaluate(device="cpu")
            events = run.folder.events()  # a setting that was changed behind the last evaluation makes another loss
            edited = any(event["event"] == "set" and event["step"] == run.trainer.step for event in events)
            if run.state != "failed" and not edited and reported.part == "all":
                assert again.loss == pytest.approx(reported.loss, rel=1e-5)
                assert (again.targets, again.protocol) == (reported.targets, reported.protocol)
            pieces = list(saved.generate("the ", count=2, settings={"temperature": 0.5}))
            assert pieces == list(run.generate("the ", seed=0, count=2, settings={"temperature": 0.5}))
            return
        try:
            self.bench.open(run.path).evaluate(device="cpu")
        except LabError:
            return
        assert run.folder.checkpoint_steps()  # meanwhile, or on the way

    @rule()
    def close(self):
        self.done.append("close")
        waited = [driven for driven in self.driven if driven.queued]
        stopped = self.begun()
        self.bench.close()
        assert running_jobs() == ()
        left = [thread.name for thread in set(threading.enumerate()) - self.threads if thread.name.startswith("lab")]
        assert left == []
        for driven in waited:
            assert driven.run.wait(0)
            if driven.run.trainer is None:
                self.check_withdrawn(driven)
        for driven in stopped:
            assert driven.run.wait(0)
            driven.expect(("stop",))
        self.look_after()
        assert self.bench.queue == ()
        assert all(run.state in ENDED for run in self.bench.runs)

    def teardown(self):
        fault = sys.exc_info()[1]
        try:
            if fault is None:
                self.close()
                self.check_all()
        except Exception as error:
            fault = error
            raise
        finally:
            if isinstance(fault, Exception):
                fault.add_note("\n".join(map(str, self.done)))
                FAULTS.append(fault)
            self.bench.close()
            self.silence()

    def check_all(self):
        """Nothing has changed since the ends, and no notice was given but of what was refused."""
        for driven in self.driven:
            if driven.run.trainer is not None:
                self.check_ended(driven)
        refused = [event for driven in self.driven for event, _ in driven.recorded() if event["event"] == "problem"]
        assert len(self.reported) == len(refused), self.reported

    # ---------------------------------------------------------------------------------------------------- invariants

    @invariant()
    def queue_and_runs_agree(self):
        self.look_after()
        if not self.begun():
            self.until(lambda: not self.bench.queue)
            self.look_after()
        assert set(self.bench.queue) <= {driven.run for driven in self.driven if driven.queued}
        assert {driven.run for driven in self.alive()} <= set(self.bench.runs)
        self.until(lambda: len(running_jobs()) <= len(self.begun()))
        self.watch()

    @invariant()
    def those_that_trained_agree(self):
        for driven in self.begun():
            if driven.run.trainer is None:
                continue
            if driven.paused and driven.followed and not driven.run.wait(0):
                self.check_paused(driven)
            else:
                self.check_running(driven)

    # -------------------------------------------------------------------------------------------------------- checks

    def check_withdrawn(self, driven):
        driven.queued, driven.over = False, True
        assert driven.run.state == "stopped"
        assert driven.run.wait(0)
        assert (driven.run.folder, driven.run.trainer) == (None, None)
        assert driven.run not in self.bench.queue

    def check_running(self, driven):
        run = driven.run
        steps = [step for step, _ in driven.stored_series().get("seconds", [])]
        made = run.trainer.step
        assert steps == [*range(1, len(steps) + 1)]
        assert driven.stored <= len(steps) <= made + 1  # a step is counted right after its numbers are out
        driven.stored = len(steps)
        status, checkpoints = run.folder.status(), run.folder.checkpoint_steps()
        if run.state not in ("saving", *ENDED):
            assert status.state == "running"
            assert all(step <= run.trainer.step for step in checkpoints)
        driven.take_rows()

    def check_paused(self, driven):
        """It stands still, and everything is in the folder."""
        run, trainer = driven.run, driven.run.trainer
        assert trainer.step == driven.step
        self.until(lambda: len(driven.stored_series().get("seconds", [])) == driven.step)
        self.until(lambda: run.folder.status().step == driven.step)
        assert (run.state, run.folder.status().state, trainer.state) == ("paused", "running", "paused")
        assert all(step <= driven.step for step in run.folder.checkpoint_steps())
        self.check_numbers(driven)
        self.check_events(driven, driven.events)
        assert (trainer.step, run.state) == (driven.step, "paused")

    def check_ended(self, driven):
        run, trainer = driven.run, driven.run.trainer
        recorded = [event for event, _ in driven.recorded()]
        failed = run.state == "failed"
        stopped = {"event": "stop"} in recorded
        assert run.state == trainer.state == ("failed" if failed else "stopped" if stopped else "finished")
        assert failed == (run.problem is not None)
        if failed:
            assert "as it was told to" in run.problem.what
            assert trainer.model.config.dropout == BREAKS
        if run.state == "finished":
            assert trainer.step == driven.last_step
        driven.certain = len(driven.events) if run.state == "stopped" else driven.certain
        assert driven.certain <= len(recorded) <= len(driven.events), (recorded, driven.events)
        driven.step = trainer.step
        driven.live = LIVE[driven.name] | {event["path"]: event["value"] for event in recorded if "path" in event}
        self.check_numbers(driven, ended=True)
        self.check_events(driven, driven.events[: len(recorded)])
        saved = self.bench.open(run.path)
        status = saved.status
        assert (status.state, status.step) == (run.state, trainer.step)
        assert status.summary == json.loads(json.dumps(run.summary()))
        assert (status.problem or {}).get("what") == (run.problem.what if failed else None)
        assert saved.folder.checkpoint_steps()[-1] == trainer.step
        same_tables(load_model_tables(saved.folder.checkpoint_folder(trainer.step)), trainer.model.tables())
        assert saved.recipe.training.steps == run.recipe.training.steps

    def check_events(self, driven, expected):
        """The events are those expected, in order; a setting changes what is used from then on."""
        recorded = driven.recorded()
        assert [event for event, _ in recorded] == expected
        steps = [step for _, step in recorded]
        assert steps == sorted(steps)
        assert all(0 <= step <= driven.step for step in steps)
        learner = driven.run.trainer.learner
        for path, value in driven.live.items():
            section, _, name = path.rpartition(".")
            config = {"training": learner.training, "architecture": learner.model.config}.get(section)
            assert getattr(config or learner.optimizer_config, name) == value, path
        if driven.name == "transformer":
            rates = self.values_by_step(driven, RATE)
            assert [rate for _, rate in driven.rows.get("learning rate", [])] == rates

    def values_by_step(self, driven, path):
        """The value of a live setting in every step that was made, by the recorded events."""
        values = [LIVE[driven.name][path]] * driven.step
        for event, step in driven.recorded():
            if event.get("path") == path:
                values[step:] = [event["value"]] * (driven.step - step)
        return values

    def check_numbers(self, driven, ended=False):
        """Ring, folder and trainer have the same numbers, of every step once; it was looked at the model when due."""
        run, trainer, step = driven.run, driven.run.trainer, driven.step
        driven.take_rows()
        self.until(lambda: driven.stored_series() == driven.rows)
        every_step = [*range(1, step + 1)]
        every = 1 if driven.name == "n-gram" else EVERY  # its steps are few
        looks = [n for n in every_step if n % every == 0 and n < driven.last_step]
        moments = {n for n in log_spaced(MOMENTS, driven.last_step) if n < step or (n == step and ended)}
        if ended and run.state != "failed":
            looks, moments = sorted({*looks, step}), moments | {step}
        self.until(lambda: [sample["step"] for sample in run.folder.samples()] == looks)
        self.until(lambda: set(reading_steps(run.path)) == moments)
        wanted = {"validation loss": looks, "tokens per second": [n for n in looks if n]}
        if driven.name == "transformer":
            clips = self.values_by_step(driven, CLIP)
            clipped = [n for n, clip in zip(every_step, clips, strict=True) if clip]
            wanted |= {"clipped gradient norm": clipped, "clipped steps": clipped}
        for name, points in driven.rows.items():
            assert [n for n, _ in points] == wanted.get(name, every_step), name
        tokens, seconds = ([0, *(value for _, value in driven.rows.get(name, []))] for name in ("tokens", "seconds"))
        assert (tokens[-1], seconds[-1]) == (trainer.tokens, trainer.seconds)
        assert seconds == sorted(seconds)
        if driven.name == "transformer":
            assert tokens == [n * BATCH * CONTEXT for n in (0, *every_step)]


def same_tables(ours, others):
    assert ours.keys() == others.keys()
    assert all(torch.equal(ours[name], others[name]) for name in ours)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Let the recorder write at once, and a model that counts take several slices of this short text."""
    monkeypatch.setattr(recorder, "INTERVAL", 0.005)
    monkeypatch.setattr(counting, "FIRST_SLICE", 9)
    accumulate = GradientLearner._accumulate

    def may_break(self, step):
        if self.model.config.dropout == BREAKS:
            raise RuntimeError("as it was told to")
        return accumulate(self, step)

    monkeypatch.setattr(GradientLearner, "_accumulate", may_break)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # threads take turns where they seldom do
    yield
    sys.setswitchinterval(interval)


def drive(sequences, rules):
    once_each = settings(
        max_examples=sequences,
        stateful_step_count=rules,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    FAULTS.clear()
    try:
        run_state_machine_as_test(Drive, settings=once_each)
    except Exception as error:  # noqa: BLE001 - the first one says more
        raise (FAULTS or [error])[0] from None


def test_two_runs_driven_at_random_never_contradict_themselves():
    drive(4, 6)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_two_runs_driven_at_random_two_hundred_times_never_contradict_themselves():
    drive(200, 30)
