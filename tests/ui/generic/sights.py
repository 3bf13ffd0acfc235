"""Everything that the window can show, one sight after the other: fake runs, readings and problems in a real window.

Run as a script it looks at all of them in one theme and prints what the checks say as JSON; Qt reads the scale of the
screen from the environment once for a process, so a process of its own is what another scale takes.
"""

import contextlib
import gc
import importlib
import json
import math
import os
import pkgutil
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Literal
from unittest.mock import patch

import numpy as np
from checks import CHECKS, SMALLEST, Sight
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLineEdit, QMenu, QScrollArea, QVBoxLayout, QWidget
from resting import settle
from sights_class import of_class
from sights_text import of_lengths, of_short_text, of_text

import lab.shell
import lab.widgets
import lab_moe.views
import lab_ngram.views
from lab.api import Draw, ModelConfig, Reading, setting, settings_of
from lab.base.folders import runs_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.system.policy import HIDEABLE, policy_of
from lab.host import PluginInfo, Plugins
from lab.recipes import QUICK_START, Link, LinkedCorpus, LinkedRun, Recipe, write_link
from lab.runs import MetricWriter, RunFolder
from lab.runs.readings import write_readings
from lab.shell.inspect.ablation.card import AblationCard
from lab.shell.inspect.ablation.measurement import Ablations
from lab.shell.inspect.inspection_view import ABLATION, replacement, view_of
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.recipe.card_box import NAME
from lab.shell.recipe.limits import Limit
from lab.shell.recipe.schedule.curve import LearningRateCurve
from lab.shell.recipe.start_question import StartQuestion
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.draft import BranchPoint, quick_start
from lab.shell.session.session import Session
from lab.shell.train.equations import EquationsPanel
from lab.shell.window.main_window import Window
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.card import Card
from lab.widgets.core.controls import follow_in_tab_order, tab_stops
from lab.widgets.core.i18n import language, localized, tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import themes
from lab.widgets.figures.table import DataTable
from lab.widgets.figures.view import ExportButton
from lab.widgets.forms.form import Form
from lab.widgets.forms.groups import GroupHead
from lab.widgets.readings.context import LiveSetting
from lab.widgets.readings.state import STATE_AXES
from lab.workbench.access.ablation import Ablation, Baseline
from lab.workbench.access.generation import LikeliestTokens, Piece
from lab.workbench.access.inspection import Inspection
from lab.workbench.access.next_token import LinePiece, NextToken, ShownStage, TokenStages
from lab.workbench.access.text_use import TextUse
from lab.workbench.analysis.verify import Verification
from lab.workbench.doctor import Finding, Level, Result
from lab.workbench.exchange.link import link_of_recipe
from lab.workbench.launch.preflight import Preflight

LAPTOP, DESK = (1366, 768), (1600, 1000)
STEPS = 400
MOMENTS = (0, 1, 10, 100, 400)
TOKENS = tuple("KING: I have the grace\nto speak of it, my lord.")
SIZES = {"head": 6, "source": 9, "channel": 32, "unit": 48, "state": 8, "expert": 8, "vocabulary": 40, "order": 7,
         "quantity": 3, "layer": 4, "lag": 30, "bin": 20, "component": 3, "writer": 8}  # fmt: skip
"""Places along the axes that do not run along the text."""
AXES = (
    ("head", "query", "key"), ("query", "key"), ("head", "token", "source"), ("token", "channel"), ("token", "unit"),
    ("expert", "token"), ("token", "expert"), ("order", "token"), ("channel", "state"), ("token", "channel", "state"),
    ("token",), ("expert",), (), ("head", "channel", "state", "token"), ("batch", "head", "query", "key"),
    ("quantity", "lag"), ("head", "bin"), ("token", "component"), ("quantity", "layer", "token"),
    ("quantity", "layer", "head"), ("quantity", "head", "writer"), ("quantity", "unit"),
    ("order", "vocabulary"), ("order",),
)  # fmt: skip
"""Those of every reading that a built-in reports, and others: experts, one axis, none, more than can be drawn."""
PARTS = {
    "head": [f"{block}.{head}" for block in range(1, 5) for head in range(1, 5)],
    "layer": list("1234"),
    "mixer": [f"{block}.{mixer}" for block in range(1, 5) for mixer in ("token", "channel")],
    "unit": [f"{block}.{unit}" for block in range(1, 5) for unit in range(1, 513)],
}
"""What can be left out of the model."""
PRETRAINED = {"name": "a-pretrained-model-with-a-long-name-1.4b-deduped", "title": "GPT-NeoX", "layers": 24,
              "width": 2048, "parameters": 1_414_647_808, "symbols": 50_254, "context_length": 2048,
              "bytes": 2_829_330_208}  # fmt: skip
"""What is told of a pretrained model that was found."""
LONG = "the file /home/somebody/a rather long folder/with_a_long_name_that_has_no_end/shakespeare.txt cannot be read"
TRACE = "Traceback (most recent call last):\n" + '  File "somewhere.py", line 12, in forward\n' * 12 + "ValueError: no"


class Gru(ModelConfig):
    kind: Literal["gru"] = setting("gru", help="Recurrent.")
    size: int = setting(8, ge=1, le=64, help="Units.")


class Conv(ModelConfig):
    kind: Literal["conv"] = setting("conv", help="Convolution.")
    reach: int = setting(3, ge=1, le=9, help="Tokens.")


class Inner(ModelConfig):
    decay: float = setting(0.5, gt=0, lt=1, live=True, help="What is kept per token.")
    mixer: Gru | Conv = setting(Gru(), help="What mixes.")


class EveryKind(ModelConfig):
    layers: int = setting(4, ge=1, le=100, unit="blocks", help="Blocks on top of each other.", cite="Somebody 1999")
    learning_rate: float = setting(1e-3, gt=0, le=10, log=True, live=True, help="Size of an update.")
    clip: float = setting(1.0, ge=0, help="Longest gradient.")
    norm: Literal["layer", "root_mean_square"] = setting("layer", help="Normalisation.")
    bias: bool = setting(False, help="Whether there is a bias.")
    limit: int | None = setting(None, ge=1, help="A limit.")
    betas: list[float] = setting([0.9, 0.99], min_length=1, help="Shares.")
    pattern: str = setting("aab", pattern=r"^[ab]+$", help="Order of the mixers.")
    inner: Inner = setting(Inner(), help="What is inside.")
    extra: Conv | None = setting(None, help="May be left out.")


# ----------------------------------------------------------------------------------------------------- what is made up


def values_along(axes):
    """Return values with a shape for each axis: shares where a text is read, waves elsewhere."""
    shape = [3 if axis == "batch" else SIZES.get(axis, len(TOKENS)) for axis in axes]
    values = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    if axes[-2:] == ("query", "key"):
        weights = np.exp(2 * values) * np.tri(len(TOKENS), dtype=np.float32)
        values = weights / weights.sum(-1, keepdims=True)
    return values


def readings(kinds=AXES):
    """Return fake readings, three layers of each kind."""
    names = {axes: "attention" if "key" in axes else f"{'-'.join(axes) or 'number'} of it" for axes in AXES}
    return [
        Reading(names[axes], axes, values_along(axes), layer, path=f"blocks.{layer}", units="share")
        for axes in kinds
        for layer in range(3)
    ]


def of_state():
    """Return the readings of a layer with a state that are shown together."""
    kinds = {"step size": ("token", "channel"), "state norm": ("token", "head"), "eigenvalues": ("quantity", "state"),
             "influence by lag": ("quantity", "lag"), "recall by lag": ("quantity", "lag")}  # fmt: skip
    return [Reading(name, axes, values_along(axes)[:2] if "quantity" in axes else values_along(axes), layer=1)
            for name, axes in kinds.items()]  # fmt: skip


class Known(NextToken):
    """The logits of a model that answers at once, and a draw from them."""

    def __init__(self, tokens):
        self.tokens = tokens

    def stages(self, decoding, settings=None, *, seed=0, count=16):
        shares = tuple(share for _, _, share in self.tokens)
        left = (0.6, 0.4, *[0.0] * (len(shares) - 2))
        logits = tuple(math.log(share) if share else -math.inf for share in left)
        whole = tuple(map(math.log, shares))
        stages = [
            ShownStage("model", 65, shares, whole, 3.1, 1.0),
            ShownStage("temperature", 65, shares, whole, 3.1, 1.0),
        ]
        stages += [ShownStage(name, 2, left, logits, 0.97, 0.6) for name in ("top-k", "top-p")]
        labels = tuple(label for label, _, _ in self.tokens)
        line = (LinePiece(0, 0.6, 0), LinePiece(0.6, 1, 1))
        draw = Draw("inverse CDF", uniform=0.42, interval=(0.0, 0.6))
        return TokenStages(1234, labels, labels, 0, tuple(stages), draw, line)


class Subject:
    """A model that answers at once."""

    recipe, text_use = Recipe(), TextUse.PROMPT

    def inspect(self, text=None, **_):
        return Inspection(1234, TOKENS, readings())

    def next_tokens(self, prompt, count=20):
        shares = np.exp(-0.5 * np.arange(count))
        labels = [*"␣etaoin⏎shrdlu,.;", "ing", "the", "a long token"][:count]
        return LikeliestTokens(1234, tuple(zip(labels, labels, (0.9 * shares / shares.sum()).tolist(), strict=False)))

    def generate(self, prompt, *, alternatives=5, count=120, **_):
        rng = np.random.default_rng(0)
        for number in range(120):
            token = TOKENS[number % len(TOKENS)]
            others = self.next_tokens(prompt, alternatives).tokens
            share = float(rng.uniform(0.02, 1))
            yield Piece(token, token, share, others, number == 60, 1234, None, None, 2.5, 1 + number % 7)

    def next_token(self, prompt):
        return Known(self.next_tokens(prompt, 16).tokens)

    def default_prompt(self):
        return "The "

    def recorded_steps(self):
        return []

    def evaluate_without(self, targets, **_):
        return Ablation(2.134, (), 2.201, 4096, "windows", 9)

    def interventions(self):
        return {**PARTS, "mean": [f"{name}:{address}" for name in PARTS for address in PARTS[name]]}


def recipe_of(title, *assignments):
    return Recipe().with_values({"title": title}).with_assignments(*assignments)


def make_run(name, state="finished", loss=1.83, curves=False, problem=None, assignments=()):
    """Make a run on disk, with curves if requested."""
    floors = {"ln V": math.log(65), "unigram": 3.31, "Kneser-Ney": 1.52}
    recipe = recipe_of(f"{name}: made up", f"training.steps={STEPS}", *assignments)
    folder = RunFolder.create(runs_folder() / name.replace(" ", "-"), recipe.to_toml(), {"floors": floors})
    if curves:
        with MetricWriter(folder.metrics_file) as writer:
            writer.append(list(points(loss)))
        folder.append_event({"event": "set", "step": 150, "path": "training.optimizer.learning_rate",
                             "before": 0.001, "value": 0.002})  # fmt: skip
        for step in (100, 200, 300, 400):
            folder.append_sample(
                {"step": step, "text": f"KING:\nI have the {step} grace to\tspeak of it, my lord. " * 3}
            )
    summary = {"validation_loss": loss, "protocol": "windows", "bits_per_byte": loss / math.log(2)}
    folder.update(state=state, step=STEPS, problem=problem, summary=summary)
    return folder


def points(loss):
    rng = np.random.default_rng(0)
    for step in range(1, STEPS + 1):
        now = loss + 2.3 * math.exp(-step / 90)
        yield step, "train loss", now + 0.1 * rng.normal()
        yield step, "gradient norm", 0.8 + 0.2 * rng.normal() ** 2
        for layer in range(4):
            yield step, f"gradient norm block {layer}", 0.3 + 0.1 * rng.normal() ** 2
        yield step, "learning rate", 1e-3 * math.cos(step / STEPS)
        yield step, "tokens", 8192.0 * step
        yield step, "seconds", 0.11 * step
        if step % 50 == 0:
            yield step, "validation loss", now + 0.05


# ----------------------------------------------------------------------------------------------------------- the window


class Scene:
    """A window with a fake engine: it is ready at once, and its model answers at once."""

    def __init__(self, size=SMALLEST):
        session = Session(Plugins(safe_mode=True))
        begun = []
        session.warm_up.start = begun.append
        session._prepare_manual = lambda job: None  # the Python manual takes seconds
        session.devices = lambda: ["cuda:0"]
        session.workbench.preflight = lambda _: Preflight(
            10_700_000,
            10_700_000,
            6.4e7,
            1_200_000,
            65,
            10**6,
            10**8,
            1000,
            9.35,
            2_400_000_000,
            812.0,
            {"embedding": 24_960, "blocks.0": 1_770_000, "blocks.1": 1_770_000, "norm": 384},
            73_000.0,
            1.2e9,
            1.2e9,
            "2 × 6 layers × 6 heads × 64 × 256 tokens × 4 B",
        )
        subject = Subject()
        session.model_provider.current = lambda place: (subject, None)
        self.session = session
        with themes.undressed(QApplication.instance()):  # as `lm-lab` makes it
            self.window = Window(session, WindowState())
        session.setParent(self.window)
        self.window.resize(*size)
        self.window.show()
        self.window.activateWindow()
        settle(lambda: begun)
        self.window.watchdog.stop()  # it would tell of every picture that is taken

    def be_ready(self):
        """End the warm-up."""
        self.session.warm_up.charts_loaded.emit()
        self.session.warm_up.ready = True
        self.session.warm_up.done.emit()
        settle()

    def resize(self, size):
        self.window.resize(*size)
        settle()
        assert (self.window.width(), self.window.height()) == size

    def place(self, key):
        self.window.show_place(key)
        settle()

    def list_runs(self):
        """Let the window read its list of runs again."""
        before = len(self.session.registry.runs)
        self.session.registry.begin()
        settle(lambda: len(self.session.registry.runs) > before)

    def select(self, name):
        """Select a run and wait for its curves."""
        run = next(run for run in self.session.registry.runs if run.name == name)
        self.session.registry.select(run.key)
        settle(lambda: run.curves.names() and run.samples)
        return run

    def look(self):
        """Fill Inspect."""
        self.place("inspect")
        self.window.inspect.ask()
        settle(lambda: any(isinstance(card, ReadingCard) for card in self.window.inspect.cards))

    def write(self):
        """Let Play generate text."""
        self.place("play")
        self.window.generate()
        settle(lambda: self.window.play.writing is False)
        settle()

    def close(self):
        """Close the window like a person."""
        closed = []
        self.window.closed.connect(lambda: closed.append(True))
        self.window.close()
        settle(lambda: bool(closed))
        self.window.deleteLater()
        settle()


def sights(scene, short=False):
    """Show one sight after the other, and yield (name, widget to check) for each."""
    window, session = scene.window, scene.session
    yield from of_every_place(scene, "at the first second", [SMALLEST] if short else [SMALLEST, LAPTOP, DESK])
    scene.be_ready()
    scene.resize(SMALLEST)
    make_run("rope", curves=True)
    make_run("alibi, quite a long name for a run of a small transformer", loss=1.97, curves=True)
    make_run("stopped", "stopped"), make_run("running elsewhere", "running"), make_run("interrupted", "interrupted")
    make_run("failed", "failed", problem=Problem("the loss is not a number any more", remedy="Lower the learning rate"))
    scene.list_runs()
    scene.select("rope")
    scene.look()
    scene.write()
    yield from of_every_place(scene, "with a run", [SMALLEST] if short else [SMALLEST, LAPTOP, DESK])
    yield from of_runs(scene)
    yield from of_overlays(scene)
    yield from of_live_settings(scene)
    yield from of_problems(scene)
    if short:
        yield from of_short_text(scene)
    else:
        yield from of_plugins(scene)
        yield from of_policy(scene)
        yield from of_notices(scene)
        yield from of_moments(scene)
        yield from of_stages(scene)
        yield from of_written_text(scene)
        yield from of_questions_about_a_run(scene)
        yield from of_tour(scene)
        yield from of_readings(scene, (*AXES, STATE_AXES))
        yield from of_ways_to_see(scene)
        yield from of_model(scene)
        yield from of_routing(scene)
        yield from of_ablations(scene)
        yield from of_charts(scene)
        yield from of_forms(scene)
        yield from of_every_knob()
        yield from of_text(scene)
        yield from of_lengths(scene)
    for number in range(16 if short else 46):  # more than the list has room for
        make_run(f"run {number}", loss=1.5 + number / 40)
    scene.list_runs()
    for run in session.registry.runs[:6]:
        session.registry.show(run.key, True)
    scene.place("train")
    for size in (SMALLEST, DESK):
        scene.resize(size)
        settle()
        yield f"many runs at {size[0]} × {size[1]}", window
    yield from of_broken_cards(scene)


def of_every_place(scene, when, sizes):
    """Show every place in windows of several sizes, and the lists that open over it."""
    for size in sizes:
        scene.resize(size)
        for key in ("home", "train", "inspect", "play", "compare", "learn", "plugins", "settings"):
            scene.place(key)
            yield f"{key} {when} at {size[0]} × {size[1]}", scene.window
    scene.resize(SMALLEST)
    scene.place("train")
    scene.window.runs_side.toggle()
    settle()
    yield f"the runs over the centre {when}", scene.window
    scene.window.runs_side.fold()
    scene.window.show_log(True)
    settle()
    yield f"the log {when}", scene.window
    scene.window.show_log(False)
    settle()


def of_stages(scene):
    """Show the stages of the next token."""
    scene.place("play")
    play = scene.window.play
    play.next_card.shows_stages.click()
    settle(play.next_card.stages.isVisible)
    yield "the stages of the next token", scene.window
    play.next_card.shows_stages.click()
    settle()


def of_written_text(scene):
    """Show a text as a tree of branches, as a table, being edited, and beside another one; and the name of a preset."""
    play = scene.window.play
    scene.write()
    pages = play.pages
    play.text.choose(5)
    play.next_card.tokens.picked.emit(play.model.tokens[5].alternatives[3][1])
    settle(lambda: not play.writing and len(play.model.document.tree.nodes) > 3)
    pages.shows_tree.click()
    settle()
    yield "the tree of what was written", scene.window
    rows = list(pages.tree._items.values())
    for row in rows[-2:]:
        row.setSelected(True)
    pages.tree.compare.click()
    settle()
    yield "two texts beside each other", scene.window
    pages.comparison.closed.emit()
    pages.shows_tree.click()
    pages.shows_table.click()
    settle()
    yield "a text as a table", scene.window
    pages.shows_table.click()
    pages.edit.click()
    settle()
    yield "a text being edited", scene.window
    pages.edit.click()
    presets = scene.window.play_panel.presets
    presets._ask("mine", tr("Save"), presets._save)
    settle()
    yield "a preset that gets a name", scene.window
    presets._close_row()
    settle()


def of_plugins(scene):
    """Show plugins by others in every state, with long names, problems and a traceback."""
    place, folder = scene.window.plugins, "/home/somebody/a rather long folder/with more in it/plugins"
    broken = Problem("its import failed: ModuleNotFoundError: No module named 'x' (wave.py, line 2)", trace=TRACE)
    newer = Problem("written for version 99 of the lab's API", "LAB_API_VERSION", allowed="1 to 2",
                    remedy="Update the lab")  # fmt: skip
    changed = Problem("it was enabled as version 1.2, and is version 1.3 now")
    forbidden = Problem(
        "this plugin is not allowed by /etc/lm-lab/policy.toml (allowed_plugins)", remedy="Ask somebody"
    )
    infos = [
        PluginInfo("off", "", "file", f"{folder}/off.py", "off"),
        PluginInfo("a_plugin_with_quite_a_long_name_for_a_file", "What it is.", "file", f"{folder}/a.py", "on", (),
                   {"mixers": ("average",), "schedules": tuple(f"schedule {n}" for n in range(30))}, enabled=True),
        PluginInfo("wave", "", "file", f"{folder}/wave", "failed", (broken,), enabled=True),
        PluginInfo("newer", "", "file", f"{folder}/newer.py", "failed", (newer,), enabled=True),
        PluginInfo("crashed", "", "file", f"{folder}/crashed.py", "left out", (Problem("it crashed"),), enabled=True),
        PluginInfo("shared", "", "shared", "/usr/local/share/lm-lab/plugins/shared.py", "off"),
        PluginInfo("fixed", "", "shared", "/usr/share/lm-lab/plugins/fixed.py", "on", enabled=True, is_fixed=True),
        PluginInfo("forbidden", "", "file", f"{folder}/forbidden.py", "not allowed", (forbidden,), is_fixed=True),
        PluginInfo("extra", "", "package", "lm-extra 1.3", "off", (changed,), version="1.3"),
        PluginInfo("unused", "", "package", "lm-unused 2.0", "skipped", version="2.0", enabled=True),
        PluginInfo("soon", "", "package", "lm-soon 0.1", "waiting", version="0.1", enabled=True),
    ]  # fmt: skip
    host = place.model._host
    place.model._host = SimpleNamespace(listed=lambda: [*infos, *host.listed()])
    scene.place("plugins")
    for info in infos:
        place.model.select(info.name)
        place._refresh()
        settle()
        yield f"a plugin that is {info.state}", scene.window
    place.model.select("wave")
    place._refresh()
    place.details.trace_button.click()
    settle()
    yield "the traceback of a plugin", scene.window
    place.details.trace_button.click()
    place.model.begin_change("wave")
    place._refresh()
    settle()
    yield "a plugin that is being enabled", scene.window
    place.model._host = host
    place.model.end_change("wave")
    place.model.select("lab_transformer")
    place._refresh()
    settle()
    yield "a built-in plugin", scene.window


def of_moments(scene):
    """Show snapshots: one, one next to a pinned one, their playback, and the note about those left out."""
    window, run = scene.window, scene.session.selected
    film, moments = window.inspect.panel.timeline, window.inspect.snapshots
    kinds = AXES[:3]
    for step in MOMENTS:
        write_readings(run.path, step, readings(kinds))
    run.source.recorded = lambda step: Inspection(step, TOKENS, readings(kinds))
    scene.place("inspect")
    moments.find()
    settle(lambda: moments.is_read and len(film.steps) == len(MOMENTS))
    film.slider.setValue(1)
    settle()
    yield "a recorded moment", window
    film.pin_requested.emit()
    film.slider.setValue(3)
    settle()
    yield "a moment beside a pinned one", window
    film.toggle()
    settle()
    yield "a film that plays", window
    film.stop()
    film.show_notes("60 snapshots · 64 of 64 MB\nColours keep one scale over all snapshots.", LONG)
    settle()
    yield "moments that the budget left out", window
    film.pin_requested.emit()
    film.now.click()
    settle()
    scene.place("train")
    for button in window.train.loss.findChildren(ExportButton):
        button.menu().popup(window.mapToGlobal(window.rect().center()))
        settle()
        yield "the forms of an export", button.menu()
        button.menu().hide()
    settle()


def of_model(scene):
    """Show the drawing of the model, its folded and unfolded parts, and why a model cannot be drawn."""
    window, drawing = scene.window, scene.window.train.model.drawing
    scene.place("train")
    window.train.show_model()
    drawing._take(scene.session.workbench.structure(drawing.recipe, settings=True))
    settle()
    yield "the drawing of the model", window
    diagram = window.train.model.area.diagram
    diagram.toggle(next(part.path for part in diagram.tree.walk() if part.name == "attention"))
    diagram.select(diagram.diagram.boxes[-1].part.path)
    settle()
    yield "a part of the model", window
    window.train.model.show_equations()
    settle()
    yield "the equations of the model", window.findChild(EquationsPanel)  # it covers half of the texts below it
    window.findChild(EquationsPanel).shut()
    settle()
    drawing._refuse(Problem("does not divide the width", field="architecture.heads", value="7"))
    settle()
    yield "a model that cannot be drawn", window
    window.train.show_charts()
    settle()


def of_runs(scene):
    """Show details of runs, their table, and the questions about them."""
    window, registry, runs_controller = scene.window, scene.session.registry, scene.window.runs_controller
    run = next(run for run in registry.runs if run.name == "interrupted")
    tags = ("baseline", "a-rather-long-tag", "for-the-paper", "seed-study", "again")
    registry.label(run, star=True, tags=tags, note="It stopped when the power went, and the curve before looks fine.")
    registry.select(run.key)
    run.verification = Verification("close", 100, 200, 2e-4, "the processor is another one")
    scene.session.run_commands.lacks_text.emit(run, Problem("was not found", field="corpus.path"))
    runs_controller.side.unfold()
    settle()
    yield "an interrupted run whose text is not here", window
    runs_controller.rename()
    settle()
    yield "a name that is edited", window
    window.runs.list.setFocus()
    window.runs.search_for("nothing is called so")
    settle()
    yield "a search that finds nothing", window
    window.runs.search_for("")
    runs_controller.side.fold()
    runs_controller.toggle_table()
    runs_controller.table.table.select([run.key for run in registry.runs[:3]])
    runs_controller.table.toggle_column("training.seed")
    settle()
    yield "the table of runs", window
    runs_controller.table.shut()
    runs_controller.train_further()
    runs_controller.question.field.setText("1")
    runs_controller.question.agree.click()
    settle()
    yield "a question and why the answer cannot be used", window
    runs_controller.question.shut()
    runs_controller.question.ask_choice("Branch from rope", "The configuration becomes what held there.", "Use it", str,
                            [(str(step), f"step {step:,}") for step in (100, 12_000)])  # fmt: skip
    settle()
    yield "a question with choices", window
    runs_controller.question.shut()
    folder = run.source.folder
    assert scene.session.draft.branch_from(BranchPoint(run.name, folder.path, 1200, run.recipe)) is None
    scene.place("train")
    yield "a draft that branches", window
    scene.session.draft.clear_branch_point()
    edits = [{"step": 100 * number, "path": "training.clip", "value": 0.5} for number in range(1, 14)]
    assert scene.session.draft.apply({"training": {"edits": edits}}) is None
    settle()
    yield "a draft with a schedule of edits", window
    assert scene.session.draft.edit("training.edits", None) is None
    scene.select("rope")


def of_tour(scene):
    """Show every stop of the tour."""
    window = scene.window
    window.tour.start()
    for number in range(window.tour.model.count):
        settle()
        yield f"stop {number + 1} of the tour", window
        window.tour.pointer.next.click()
    settle()


def of_policy(scene):
    """Show the settings with a policy that fixes all it can, and that is broken too."""
    place, file = scene.window._places["settings"], Path("/Library/Application Support/lm-lab/policy.toml")
    rules = {
        "devices": ("cuda",), "threads": 2, "memory_gb": 2.5, "disk_gb": 10, "allowed_plugins": ("average", "other"),
        "enabled_plugins": ("average",), "hidden_places": HIDEABLE, "lessons": ("never-seen",), "language": "de",
        "theme": "light",
    }  # fmt: skip
    found = replace(policy_of({"netwrk": False, "threads": "two"}, file), **rules)
    with patch("lab.shell.settings.place.policy", lambda: found):
        card = place._policy()
    place.cards[0].parentWidget().layout().insertWidget(0, card)
    scene.place("settings")
    settle()
    yield "the settings with a policy", scene.window
    card.hide()
    card.deleteLater()
    settle()


def of_live_settings(scene):
    """Show the live settings of a run that would train, folded and open, and the question for the path of a corpus."""
    window, live = scene.window, scene.window.train.live
    scene.place("train")
    live._take(scene.session.selected)
    live._show_values()
    live.show()
    for opened in (False, True):
        live.section.set_open(opened)
        settle()
        yield f"live settings that are {'open' if opened else 'folded'}", window
    live.hide()
    corpus = window.draft_panel.sections.choices["corpus"]
    corpus._select(corpus._box.findData("file", NAME))
    settle()
    yield "a corpus whose path is asked for", window
    corpus._drop_question()
    settle()


def of_overlays(scene):
    """Open every overlay of the window."""
    window = scene.window
    window.command_palette.toggle()
    settle()
    yield "the palette", window
    field = window.command_palette.findChild(QLineEdit)
    field.setText("qqq")
    field.textEdited.emit("qqq")
    settle()
    yield "the palette without a match", window
    window.command_palette.toggle()
    window.show_place("train")
    settle()
    window.train.loss.findChild(ExportButton).view.show_table()
    settle()
    yield "the data of a chart as a table", window
    window.findChild(DataTable).shut()
    settle()
    window.shortcuts.toggle()
    settle()
    yield "the shortcuts", window
    window.shortcuts.shut()
    window.help.show_page("using/readings")
    settle()
    yield "the help", window
    window.help.index.field.setText("gradient norm")
    settle()
    yield "the help with what a search found", window
    window.help.index.field.setText("qqq")
    settle()
    yield "the help without a page that was found", window
    window.help.index.field.clear()
    window.help.shut()
    yield from of_doctor(window)
    pretrained = window.files.pretrained
    pretrained.inspect(Path(LONG))
    settle(lambda: "config.json" in pretrained._refused.text())
    yield "a folder without a model", window
    with patch(
        "lab.workbench.exchange.pretrained.find_pretrained", lambda *_: SimpleNamespace(facts=lambda: PRETRAINED)
    ):
        pretrained.inspect(Path(LONG))
        settle(pretrained.agree.isEnabled)
    yield "a pretrained model that was found", window
    pretrained.shut()
    yield from of_links(scene)
    yield from of_class(scene)
    panel = window.shutdown.panel
    panel.ask([f"Training run {number} of some length, for 2 min" for number in range(9)], can_continue=True)
    settle()
    yield "the question before closing", window
    panel.show_progress(["Training rope: saving the checkpoint of step 12,000", "Writing"])
    settle()
    yield "what is seen while closing", window
    panel.shut()
    settle()


def of_questions_about_a_run(scene):
    """Show what the next run costs and whether to start it, how its rate goes, and how runs compare."""
    window, panel = scene.window, scene.window.draft_panel
    scene.place("train")
    panel.costs.opener.click()
    settle()
    yield "all figures of the next run", window
    panel.costs.opener.click()
    panel.groups.open("Training/Schedule")
    settle(lambda: any(curve.isVisible() for curve in panel.findChildren(LearningRateCurve)))
    yield "the curve of the learning rate", window
    with patch.object(panel.costs, "limits", [Limit("memory", 58.9e9, 8e9, asks=True)]):
        panel.ask_before(lambda: None)
    settle()
    yield "the question before a start", window
    window.findChild(StartQuestion).shut()
    registry = scene.session.registry
    make_run("deeper", curves=True, assignments=["architecture.layers=9"])
    scene.list_runs()
    other = next(run for run in registry.runs if run.name == "deeper")
    registry.show(other.key, True)
    window.show_place("compare")
    settle()
    yield "whether the losses compare", window
    window.show_place("train")
    registry.show(other.key, False)


def of_links(scene):
    """Share a recipe and open links."""
    window, shown = scene.window, scene.window.links.opened
    window.links.share_draft()
    settle(lambda: window.links.shared.copy.isEnabled())
    yield "a link", window
    far = recipe_of("A title " * 20).with_values({"tokenizer": {"name": "pretrained", "path": LONG}})
    window.links.shared.share(LONG, lambda job: link_of_recipe(far, scene.session.plugins))
    settle(lambda: window.links.shared._refused.isVisible())
    yield "a recipe that no link holds", window
    window.links.shared.shut()
    shown.open("")
    settle()
    yield "a field for a link", window
    shown.open("lmlab:1damaged")
    settle()
    yield "a damaged link", window
    run = LinkedRun(name="A run with a long name " * 9, step=12_000, validation_loss=1.2345, branched=True)
    assignments = [f"training.{name}={n}" for n, name in enumerate(("steps", "seed", "clip", "average", "threads"), 2)]
    recipe = recipe_of("A title " * 20, *assignments, "readings.tokens=9", "readings.moments=3", "training.keep_last=9")
    far = recipe.with_values({"corpus": {"name": "file", "path": "shakespeare.txt"}})
    shown.open(write_link(Link(far, LinkedCorpus(name="shakespeare.txt", characters=1_115_394), run)))
    settle()
    yield "a link whose text is not here", window
    shown.shut()


def of_notices(scene):
    """Show notices of every level."""
    window = scene.window
    notify("info", "Saved recipe.toml")
    notify("warning", Problem(LONG, field="corpus.path", remedy="Choose another file"))
    notify("error", Problem("the model returned no logits", plugin="lab_other", trace=TRACE, remedy="Ask its author"))
    notify("error", Problem("the model returned no logits", plugin="lab_other", trace=TRACE, remedy="Ask its author"))
    settle(lambda: len(window.toasts.toasts) == 2)
    yield "notices of every level", window
    notify("error", Problem(LONG * 5, trace=TRACE))
    settle(lambda: any(LONG in toast.accessibleName() for toast in window.toasts.toasts[1:]))
    yield "more notices than are shown", window
    window.show_log(True)
    settle()
    yield "the log with notices", window
    window.show_log(False)
    for toast in list(window.toasts.toasts):
        window.toasts.dismiss(toast)
    settle()


def of_problems(scene):
    """Show problems of the draft."""
    window = scene.window
    scene.place("train")
    what = "is larger than the context that the corpus allows in its validation part"
    window.configuration.show_refusal(Problem(what, field="training.context_length", value="4096", allowed="1 to 512",
                                remedy="Take a longer corpus"))  # fmt: skip
    settle()
    yield "a problem at its field", window
    window.configuration.show_refusal(Problem(LONG, remedy="Choose another file"))
    window.configuration.reveal("training.optimizer.learning_rate")
    settle()
    yield "a problem of no field", window
    scene.session.draft.changed.emit()
    settle()


def reading_card(axes, plugins, pinned=False):
    """Return a card with the fake readings along some axes, with or without those of a pinned snapshot."""
    shown = of_state() if axes == STATE_AXES else [one for one in readings() if one.axes == axes]
    scene, earlier = (view_of(Inspection(step, TOKENS, shown), f"rope · step {step:,}", {}) for step in (1234, 50))
    (key,) = scene.groups
    card = ReadingCard(key, plugins, replacement(key, plugins.cards("views")))
    card.show_inspection(scene, earlier if pinned else None, 1, scene.limits)
    return card


def of_readings(scene, kinds):
    """Show every reading in its view, in a card as small as Inspect makes them and in a large one."""
    plugins = scene.session.plugins
    for axes in kinds:
        for width, height, pinned in ((300, 220, False), (640, 400, False), (640, 400, True)):
            card = reading_card(axes, plugins, pinned)
            card.resize(width, height)
            card.show()
            settle()
            what = f"a reading along {' × '.join(axes) or 'nothing'}{' and a pinned one' if pinned else ''}"
            yield f"{what} in {width} × {height}", card
            card.hide()
            card.deleteLater()
    settle()


def of_ways_to_see(scene):
    """Show the other displays of readings: the heads of all blocks, lines between tokens, over the training."""
    axes = ("head", "query", "key")
    for kind, choices in ((axes, ("heads of all blocks",)), (axes, ("heads of all blocks", "lines"))):
        card = reading_card(kind, scene.session.plugins, False)
        for action in (action for menu in card.findChildren(QMenu) for action in menu.actions()):
            if action.text() in map(tr, choices):
                action.trigger()
        yield from of_card(card, f"a reading along {' × '.join(kind)} as {' and '.join(choices)}")
    of_layers = [Reading("mixing", axes, values_along(axes), layer=layer) for layer in (0, 1)]
    influence = Reading("influence", axes[1:], values_along(axes[1:]))
    mixing, beside = (
        view_of(Inspection(step, TOKENS, [*of_layers, influence]), name, {})
        for step, name in ((1234, "a transformer · step 1,234"), (50, "a recurrent network · step 50"))
    )
    beside = replace(beside, of_other_run=True)
    for among, chosen in ((None, "what a layer reads"), (beside, "influence")):
        card = ReadingCard(next(iter(mixing.groups)), scene.session.plugins)
        card.show_inspection(mixing, among, 1, mixing.limits)
        for action in (action for menu in card.findChildren(QMenu) for action in menu.actions()):
            if action.text() == tr(chosen):
                action.trigger()
        yield from of_card(card, f"{chosen}{' of two runs' if among else ''}")
    looks = [Inspection(step, TOKENS, readings([("quantity", "layer", "head")])) for step in MOMENTS]
    now = view_of(looks[2], "made up", {})
    card = ReadingCard(next(iter(now.groups)), scene.session.plugins)
    card.show_inspection(now, None, 0, {}, looks)
    next(button for button in card.findChildren(QAbstractButton) if button.text() == tr("over steps")).click()
    yield from of_card(card, "a reading over the training")


def of_routing(scene):
    """Show the card of routing: all its parts if there is room, and one at a time if there is not."""
    rng = np.random.default_rng(3)
    readings = []
    for layer in range(2):
        p = rng.dirichlet(np.full(8, 0.3), len(TOKENS)).astype(np.float32)
        g = np.where(p >= np.sort(p, axis=1)[:, -2:-1], p, 0)
        g[:, 5] = 0
        for name, values in (("routing", p), ("gates", g)):
            readings.append(Reading(name, ("token", "expert"), values, layer, f"blocks.{layer}.channel"))
    now, *looks = (Inspection(step, TOKENS, readings) for step in (1234, *MOMENTS))
    seen = view_of(now, "rope · step 1,234", scene.session.plugins.cards("views"))
    (key,) = seen.groups
    parts = ("text", "router", "gates", "classes", "favourites", "together")
    sizes = [
        ((1000, 600), parts),
        ((640, 400), parts[:1]),
        ((500, 360), ("training",)),
        ((300, 220), ("load", *parts, "training")),
    ]
    for (width, height), shown in sizes:
        for part in shown:
            session = scene.session
            card = ReadingCard(key, session.plugins, "routing", session.model_provider, session.background)
            card.resize(width, height)
            card.show()
            settle()
            card.show_inspection(seen, None, 1, seen.limits, looks)
            live = LiveSetting(next(one for one in settings_of(EveryKind) if one.live), 0.01, 0.01)
            card.foot.balance._take("architecture.balance", live)
            card.foot._arrange()
            follow_in_tab_order(tab_stops(card._faces)[-1], card.foot)  # as the card does when its foot has changed
            card.foot.balance.knob.show_value(0.01, 0.1)
            card._view._second.show_value(part)
            card._view._on_choice(part)
            if part in ("text", "load"):
                card.foot.switches.switch(1, 2, 8)
                settle(lambda card=card: localized("2.201") in card.foot.switches.message.full_text)
            yield from of_card(card, f"routing with {part} in {width} × {height}", (width, height))


def of_ablations(scene):
    """Show the losses without a part: of none, of some while others wait, cancelled, of units, and without weights."""
    session = scene.session
    ablations = Ablations(session.registry, session.model_provider, session.background, session.plugins, scene.window)
    sizes = (640, 400), (300, 220), (900, 500)
    for size in sizes:
        ablations.follow(None)
        card = AblationCard(ablations)
        card.resize(*size)
        card.show()
        settle(lambda card=card: card.state == "content")
        card._select_kind(":head")
        settle()
        yield f"parts that are not measured in {size[0]} × {size[1]}", card
        measure_some(ablations)
        settle()
        yield f"parts that are being measured in {size[0]} × {size[1]}", card
        card.button.click()
        for row, column in ((0, 2), (1, 0), (3, 3)):
            card._select(row, column)
            card.map.select(row, column)
            settle()
            yield f"the loss of a part in {size[0]} × {size[1]}", card
        for kind in (":unit", "mean:mixer"):
            card._select_kind(kind)
            settle()
            yield f"parts of the kind {kind} in {size[0]} × {size[1]}", card
        ablations.follow(50)
        settle()
        yield f"parts of a snapshot in {size[0]} × {size[1]}", card
        card.hide()
        card.deleteLater()
        settle()
    ablations.close()
    ablations.deleteLater()
    scene.place("inspect")
    scene.window.inspect.panel.want_readings([ABLATION])
    settle()
    yield "the losses without a part in Inspect", scene.window
    card = next(card for card in scene.window.inspect.cards if isinstance(card, AblationCard))
    button = next(button for button in card.findChildren(QAbstractButton) if button.text() == "?")
    button.click()
    settle()
    yield "how the losses without a part are read", scene.window
    button.click()
    settle()


def of_doctor(window):
    """Show the check of the machine with made-up findings."""
    findings = (
        Finding("the full profile is used"),
        Finding(
            "torch is made for CUDA, and finds no card", Level.NOTE, "If the machine has a card, install its driver"
        ),
        Finding("the folder for recorded runs cannot be used: Permission denied", Level.WRONG, "Take another", LONG),
    )
    with patch("lab.shell.doctor.page.examine", lambda subject, started: iter([Result("Memory", findings, 0.1)])):
        window.doctor.open()
        settle(window.doctor.again.isVisible)
    yield "the check of the machine", window
    window.doctor.shut()


def measure_some(ablations):
    """Make up a measurement that is under way: one part cannot be measured, and one is just measured."""
    model = ablations.model
    number, targets = model.request(model.unmeasured, 0.0)
    model.take_baseline(number, Baseline(2.1343, 0, 16384, "windows"), 0.0)
    for index, target in enumerate(targets[: len(targets) // 2]):
        problem = Problem(LONG) if index == 3 else None
        model.take_loss(number, target, None if problem else 2.1343 + 3.1 / (index + 1) ** 2 - 0.05, problem)
    ablations.changed.emit()


def of_card(card, what, size=(640, 400)):
    """Show a card in its usual size."""
    card.resize(*size)
    card.show()
    settle()
    yield what, card
    card.hide()
    card.deleteLater()
    settle()


def of_charts(scene):
    """Change what charts show."""
    train = scene.window.train
    scene.place("train")
    scene.resize(LAPTOP)
    buttons = [card.findChildren(QWidget) for card in (train.loss,)]
    for button in [one for one in buttons[0] if getattr(one, "isCheckable", bool)()]:
        button.click()
    train.show_by("tokens")
    settle()
    yield "logarithmic axes", scene.window
    for button in [one for one in buttons[0] if getattr(one, "isCheckable", bool)()]:
        button.click()
    train.show_by("steps")
    scene.resize(SMALLEST)


def of_forms(scene):
    """Show the form of every card that a recipe can name, and of a preset with sizes."""
    panel, draft, plugins = scene.window.draft_panel, scene.session.draft, scene.session.plugins
    scene.place("train")
    for field, (kind, _) in Recipe().choices().items():
        for name in plugins.cards(kind):
            if draft.edit(f"{field}.name", name) is None:
                show_whole_form(scene)
                yield f"the form with {field}.name = {name}", panel
    for name, card in plugins.cards("architectures").items():
        if card.sizes:
            assert draft.edit("architecture.name", name) is None
            panel.presets._take_preset(next(iter(card.sizes)))
            show_whole_form(scene)
            yield f"the form with a preset of {name} that has sizes", panel
    draft.take(quick_start(), QUICK_START)
    scene.resize(SMALLEST)


def show_whole_form(scene):
    """Make the window high enough for the complete form."""
    window = scene.window
    area = window.draft_panel.findChild(QScrollArea)
    scene.resize((SMALLEST[0], max(2400, window.height())))
    below = area.widget().height() - area.viewport().height()
    if below > 0:
        scene.resize((SMALLEST[0], window.height() + below))
    assert area.widget().height() <= area.viewport().height()


def of_every_knob():
    """Show a form with a setting of every kind, with valid and invalid entries."""
    panel = QFrame()
    panel.setProperty("role", "panel")
    form = Form(EveryKind, parent=panel)
    QVBoxLayout(panel).addWidget(form)
    panel.resize(272, 800)
    panel.show()
    settle()
    yield "a form with every kind of setting", panel
    form.show_values({"layers": 9, "limit": 3, "extra": {}, "inner": {"mixer": {"kind": "conv"}}}, {})
    for path in ("layers", "inner.decay"):
        form.show_problem(path, Problem("is larger than what the corpus can fill", field=path, remedy="Take less"))
    for group in panel.findChildren(GroupHead):
        group.click()
    settle()
    yield "a form with invalid entries and its groups switched", panel
    panel.hide()
    panel.deleteLater()
    settle()


def of_broken_cards(scene):
    """Break every card."""
    for key in ("train", "inspect", "play"):
        scene.place(key)
        for card in getattr(scene.window, key).cards:
            card.show_broken(Problem(LONG, plugin="lab_other", trace=TRACE))
        settle()
        yield f"{key} with broken cards", scene.window


# ------------------------------------------------------------------------------------------------------------ all of it


def survey(theme, short=False):
    """Look at every sight in a theme: {"faults": {check: [line]}, "missing": [class never seen], …}."""
    began = time.monotonic()
    themes.choose("light" if theme == "dark" else "dark")
    scene = Scene()
    themes.choose(theme)  # while everything is there, as a person does
    settle()
    faults, seen = {name: {} for name in CHECKS}, set()
    count = 0
    for name, root in sights(scene, short):
        sight = Sight(name, root)
        count += 1
        seen |= {type(widget) for widget in sight.widgets}
        for words, check in CHECKS.items():
            for line in check(sight):
                faults[words].setdefault(line, []).append(name)
    scene.close()
    return {
        "faults": {words: [f"{line}  [{', '.join(names[:3])}{' …' if len(names) > 3 else ''}]"
                           for line, names in found.items()] for words, found in faults.items()},
        "missing": [] if short else sorted(kind.__name__ for kind in kinds_of_the_lab() - seen),
        "sights": count,
        "seconds": time.monotonic() - began,
    }  # fmt: skip


def kinds_of_the_lab():
    """Return every widget class of the window's packages that has no subclass there."""
    for package in (lab.widgets, lab.shell, lab_moe.views, lab_ngram.views):
        for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            importlib.import_module(module.name)
    ours, kinds, waiting = ("lab.widgets.", "lab.shell.", "lab_moe.views.", "lab_ngram.views."), set(), [QWidget]
    while waiting:
        below = waiting.pop().__subclasses__()
        waiting += below
        kinds |= {kind for kind in below if kind.__module__.startswith(ours)}
    return kinds - {base for kind in kinds for base in kind.__mro__[1:] if base not in (Card, Overlay)} - {Overlay}


def main():
    """Print the survey of the given theme; the second argument is the file that caches the text of the manual.

    Further arguments: "short" for fewer sights, "de" for the window in German.
    """
    gc.disable()  # it would look through all modules again and again
    with (
        tempfile.TemporaryDirectory() as home,
        patch("lab.text.corpora.manual._cache_file", lambda: Path(sys.argv[2])),
        patch("lab.base.system.profile.SLOWEST", math.inf),  # or a slow machine shows a notice about it
    ):
        os.environ["LAB_HOME"] = home
        application = QApplication([])
        themes.start(application, Appearance(theme="dark"))
        language.use("de" if "de" in sys.argv[3:] else "en")
        print(json.dumps(survey(sys.argv[1], "short" in sys.argv[3:])))
        with contextlib.suppress(Exception):
            settle()


if __name__ == "__main__":
    main()
