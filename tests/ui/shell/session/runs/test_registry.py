"""The list of runs: those that train and those on disk, newest first, shown, selected, damaged and deleted."""

import json
import shutil

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.host import Plugins
from lab.recipes import shipped
from lab.runs.library.labels import Label
from lab.shell.inspect.model import State
from lab.shell.session.runs.formatting import corpus_label
from lab.shell.session.runs.registry import BUSY_PULL, PULL
from lab.shell.session.scales import run_colour, run_dashes
from lab.workbench import ActiveRun
from lab.workbench.launch.origins import NewRun

MANY = 50
POISON = '''
"""A token mixer whose values are no numbers after some steps."""
import torch
from lab.api import Mixer, ModelConfig, hookimpl
from lab.layers import TokenMixer


class PoisonConfig(ModelConfig):
    """Nothing to set."""


class Poison(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(slot.width))
        self.calls = 0

    def forward(self, x):
        self.calls += self.training
        return x * self.weight * (float("nan") if self.calls > 10 else 1.0)


@hookimpl
def lab_register_mixers(register):
    register(Mixer(name="poison", title="Poison", kind="token", config=PoisonConfig, build=Poison))
'''


def listed(window):
    """The rows of the list of runs."""
    return window.runs.list.rows.rows


def drawn(window):
    """The keys of the runs whose lines are drawn."""
    return {line.key.partition("/")[0] for line in window.train.loss.chart._lines}


@pytest.fixture
def read(registry, until):
    """Read the list of runs without a window, until so many are listed."""

    def read(count):
        registry.begin()
        until(lambda: len(registry.runs) == count)
        return registry.runs

    return read


def test_runs_on_disk_are_listed_newest_first_selected_by_a_click_and_drawn_in_their_own_colours_by_their_eye(
    saved_run, open_window, small, until, qtbot
):
    for number in range(3):
        recipe = small(f"training.steps={number + 2}")
        saved_run(f"Run {number}", losses=[3.0, 2.0 - number / 10], recipe=recipe)
    window = open_window()
    until(lambda: len(listed(window)) == 3)
    assert [row.name for row in listed(window)] == ["Run 2", "Run 1", "Run 0"]
    assert {row.state for row in listed(window)} == {"finished"}
    assert window.session.selected is None
    place = window.runs.list.visualRect(window.runs.list.rows.index(1)).center()
    qtbot.mouseClick(window.runs.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.selected.name == "Run 1"
    until(lambda: window.top._run.text().startswith("Run 1"))
    registry = window.session.registry
    registry.show([run.key for run in registry.runs], True)
    until(lambda: len([line for line in window.train.loss.chart._lines if line.key.endswith("/train")]) == 3)
    colours = {line.key.partition("/")[0]: line.colour for line in window.train.loss.chart._lines}
    assert colours == {run.key: run_colour(run) for run in registry.shown}
    assert len(set(colours.values())) == 3
    one = next(run for run in registry.runs if run.name == "Run 0")
    window.runs.list.shown_changed.emit(one.key, False)
    until(lambda: drawn(window) == {run.key for run in registry.runs if run is not one})
    window.runs.list.shown_changed.emit(one.key, True)
    until(lambda: drawn(window) == {run.key for run in registry.runs})


@pytest.mark.long
def test_fifty_runs_are_listed(saved_run, open_runs, until):
    for number in range(MANY):
        saved_run(f"Run {number}", losses=(2.0,))
    window = open_runs()
    until(lambda: len(listed(window)) == MANY)
    assert {row.name for row in listed(window)} == {f"Run {number}" for number in range(MANY)}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("run.json", "{"),
        ("run.json", json.dumps({"format": 99})),
        ("recipe.toml", "[architecture]\nname = 5\n"),
        ("recipe.toml", None),
        ("status.json", "nothing"),
        ("status.json", None),
    ],
)
def test_a_damaged_run_is_reported_and_the_others_are_listed(saved_run, registry, until, reported, file, content):
    saved_run("Whole")
    damaged = saved_run("Damaged")
    if content is None:
        (damaged / file).unlink()
    else:
        (damaged / file).write_text(content)
    saved_run("Another")
    registry.begin()
    until(lambda: {"Whole", "Another"} <= {run.name for run in registry.runs})
    assert any(damaged.name in problem.line() or file in problem.line() for problem in reported)


def test_runs_with_a_damaged_file_inside_can_be_selected_and_others_still_shown(saved_run, open_runs, until):
    whole = saved_run("Whole")
    damaged = [saved_run(file) for file in ("metrics.sqlite", "samples.jsonl", "events.jsonl")]
    for path, file in zip(damaged, ("metrics.sqlite", "samples.jsonl", "events.jsonl"), strict=True):
        (path / file).write_bytes(b"\xff\xfe nothing that can be read \x00" * 50)
    window = open_runs()
    until(lambda: len(listed(window)) == 4)
    for path in damaged:
        window.session.open_paths([str(path)])
        until(lambda: not window.session.selected.readings.pending)
    window.session.open_paths([str(whole)])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)
    assert window.session.selected.name == "Whole"


def test_numbers_make_names_distinct_from_those_of_runs_on_disk(saved_run, open_session, until):
    saved_run("Small")
    saved_run("Small")
    session = open_session()
    until(lambda: len(session.registry.runs) == 2)
    session.start()
    assert sorted(run.name for run in session.registry.runs) == ["Small", "Small 2", "Small 3"]


def test_runs_opened_before_the_list_was_read_are_listed_once_with_distinct_names(saved_run, registry, read):
    path = saved_run("Small")
    saved_run("Small")
    registry.open(path)
    runs = read(2)
    assert sorted(run.name for run in runs) == ["Small", "Small 2"]
    assert len({run.colour for run in runs}) == 2


def test_data_is_pulled_half_as_often_while_a_run_trains_on_the_processor(registry, monkeypatch):
    for trains, interval in [(False, PULL), (True, BUSY_PULL), (False, PULL)]:
        monkeypatch.setattr(type(registry), "training_here", property(lambda _, trains=trains: trains))
        registry.pull()
        assert registry._timer.interval() == interval


def test_seeds_of_one_architecture_are_drawn_in_one_colour_with_dashes_of_their_own(saved_run, open_page, until, small):
    window = open_page("train")
    kinds = {"transformer": [], "lstm": []}
    for seed in (1, 2, 3):
        for name, paths in kinds.items():
            recipe = small(f"training.seed={seed}").with_values({"architecture": {"name": name}})
            paths.append(saved_run(f"{name} {seed}", losses=[3.0, 2.0], recipe=recipe))
    for path in [path for paths in kinds.values() for path in paths]:
        window.session.open_paths([str(path)])
    until(lambda: len([line for line in window.train.loss.chart._lines if line.key.endswith("/train")]) == 6)
    styles = {name: set() for name in kinds}
    for line in window.train.loss.chart._lines:
        run = window.session.registry.by_key(line.key.partition("/")[0])
        styles[run.recipe.architecture.name].add((line.colour, line.dashes))
    assert [len({colour for colour, _ in found}) for found in styles.values()] == [1, 1]
    assert [len({dashes for _, dashes in found}) for found in styles.values()] == [3, 3]
    assert not {colour for colour, _ in styles["transformer"]} & {colour for colour, _ in styles["lstm"]}


def test_a_repetition_in_the_queue_has_the_hue_of_its_run_and_another_run_has_not(open_session, until):
    session = open_session("training.steps=100000")
    session.start()
    first = session.selected
    until(lambda: first.path is not None)
    recipe = session.draft.recipe
    again = session.registry.start(recipe.with_assignments("training.seed=8"), select=False)
    third = session.registry.start(recipe.with_assignments("training.seed=9"), select=False)
    other = session.registry.start(recipe.with_assignments("training.batch_size=3"), select=False)
    assert run_colour(first) == run_colour(again) == run_colour(third) != run_colour(other)
    assert len({run_dashes(run) for run in (first, again, third)}) == 3


def test_browsing_the_list_draws_the_selected_run_and_those_whose_eye_a_person_opened(saved_run, registry, read):
    for name in ("One", "Two", "Three"):
        saved_run(name)
    three, two, one = read(3)
    for run in (one, two, three):
        registry.select(run.key)
    assert [run.name for run in registry.shown] == ["Three"]
    registry.show(two.key, True)
    registry.select(one.key)
    assert [run.name for run in registry.shown] == ["Two", "One"]


def test_a_selected_run_shows_its_loss_and_its_floor_or_that_it_recorded_none(saved_run, open_page, until):
    window = open_page("train")
    loss = window.train.loss
    window.session.open_paths([str(saved_run("Empty", losses=()))])
    until(lambda: loss._other is not None and loss._other.shown_text[0] == "Empty recorded no loss.")
    window.session.open_paths([str(saved_run("One", losses=[3.0, 2.0]))])
    until(lambda: loss._number.text() == "2.47 nats")  # the mean of both, as the line is smoothed
    assert loss._caption.text().startswith("0.33 below unigram")
    window.session.open_paths([str(saved_run("Holes", losses=[3.0, float("nan"), 2.0, float("inf"), 1.0]))])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 5)
    until(lambda: loss.state == "content" and loss._number.text() == "1.93 nats")
    assert np.isfinite(window.session.selected.loss)


@pytest.mark.long
def test_a_run_of_a_missing_architecture_or_folder_is_reported_and_the_window_continues(
    saved_run, open_window, until, reported
):
    stranger, gone, other = saved_run("Stranger"), saved_run("Gone"), saved_run("Other")
    recipe = (stranger / "recipe.toml").read_text().replace('name = "transformer"', 'name = "nobodys-model"')
    (stranger / "recipe.toml").write_text(recipe)
    window = open_window()
    until(lambda: len(listed(window)) == 3)
    window.session.open_paths([str(stranger)])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)
    window.show_place("play")
    until(lambda: window.play._problem.isVisible())
    missing = window.play._problem.text()
    window.show_place("train")
    reported.clear()
    shutil.rmtree(gone)
    window.session.registry.select(next(run.key for run in window.session.registry.runs if run.name == "Gone"))
    until(lambda: len(reported) > 0)
    window.show_place("inspect")
    until(lambda: window.inspect.model.state is State.REFUSED)
    window.show_place("play")
    until(lambda: window.play._problem.isVisible() and window.play._problem.text() != missing)
    window.show_place("train")
    window.session.open_paths([str(other)])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)


def test_a_run_whose_loss_is_nan_fails_with_a_reason(open_session, plugin, until, reported):
    session = open_session(enable=[plugin("poison", POISON)])
    assert session.draft.apply({"architecture": {"name": "poison", "layers": 1, "width": 16}}) is None
    session.start()
    until(lambda: session.selected.state == "failed" and session.selected.active is None)
    assert any("the loss is nan" in problem.what for problem in reported)
    assert "the loss is nan" in session.selected.problem.what
    assert any("the loss is nan" in event.problem for event in session.selected.events)


def test_a_run_whose_corpus_was_not_read_yet_has_the_title_of_its_card(german, open_session):
    registry = open_session().registry
    waiting = ActiveRun(NewRun(shipped("quick-start"), None), Plugins(), None)
    assert corpus_label(registry._made(waiting, Label())) == "Python-Handbuch"
