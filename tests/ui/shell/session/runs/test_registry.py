"""The list of runs: those that train and those on disk, newest first, shown, selected, damaged and deleted."""

import json
import shutil

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.shell.inspect.model import State
from lab.shell.session.scales import run_colour
from lab.widgets.runs.list_model import ROW

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
        return x * self.weight * (float("nan") if self.calls > 40 else 1.0)


@hookimpl
def lab_register_mixers(register):
    register(Mixer(name="poison", title="Poison", kind="token", config=PoisonConfig, build=Poison))
'''


def listed(window):
    """The rows of the list of runs."""
    return window.runs.list.rows.rows


def test_runs_on_disk_are_listed_newest_first(saved_run, open_window, until):
    for number in range(3):
        saved_run(f"Run {number}")
    window = open_window()
    until(lambda: len(listed(window)) == 3)
    assert [row.name for row in listed(window)] == ["Run 2", "Run 1", "Run 0"]
    assert {row.state for row in listed(window)} == {"finished"}
    assert window.session.selected is None


def test_fifty_runs_are_listed_and_found_by_a_part_of_their_name(saved_run, open_window, until, qtbot):
    for number in range(MANY):
        saved_run(f"Run {number}", losses=(2.0,))
    window = open_window()
    until(lambda: len(listed(window)) == MANY)
    assert len({row.name for row in listed(window)}) == MANY
    qtbot.keyClicks(window.runs._find, "Run 17")
    rows = window.runs.list.rows
    assert [rows.index(place).data(ROW).name for place in range(rows.rowCount())] == ["Run 17"]


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
def test_a_damaged_run_is_reported_and_the_others_are_listed(saved_run, open_window, until, reported, file, content):
    saved_run("Whole")
    damaged = saved_run("Damaged")
    if content is None:
        (damaged / file).unlink()
    else:
        (damaged / file).write_text(content)
    saved_run("Another")
    window = open_window()
    until(lambda: {"Whole", "Another"} <= {row.name for row in listed(window)})
    assert any(damaged.name in problem.line() or file in problem.line() for problem in reported)


@pytest.mark.parametrize("file", ["metrics.sqlite", "samples.jsonl", "events.jsonl"])
def test_a_run_with_a_damaged_file_inside_can_be_selected_and_others_still_shown(saved_run, open_window, until, file):
    whole = saved_run("Whole")
    damaged = saved_run("Damaged")
    (damaged / file).write_bytes(b"\xff\xfe nothing that can be read \x00" * 50)
    window = open_window()
    until(lambda: len(listed(window)) == 2)
    window.session.open_paths([str(damaged), str(whole)])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)
    assert window.session.selected.name == "Whole"


def test_numbers_make_names_distinct_from_those_of_runs_on_disk(saved_run, open_window, click, until):
    saved_run("Small")
    saved_run("Small")
    window = open_window()
    until(lambda: len(listed(window)) == 2)
    click(window.top.start)
    assert sorted(view.name for view in window.session.registry.views) == ["Small", "Small 2", "Small 3"]


def test_runs_opened_before_the_list_was_read_are_listed_once_with_distinct_names(saved_run, open_window, until):
    path = saved_run("Small")
    saved_run("Small")
    window = open_window(ready=False)
    window.session.registry.open(path)
    until(lambda: len(window.session.registry.views) == 2)
    until(lambda: window.session.warm_up.ready)
    assert sorted(view.name for view in window.session.registry.views) == ["Small", "Small 2"]
    assert len({view.colour for view in window.session.registry.views}) == 2


def test_shown_runs_are_drawn_together_in_their_own_colours(saved_run, window, until):
    for number in range(3):
        window.session.open_paths([str(saved_run(f"Run {number}", losses=[3.0, 2.0 - number / 10]))])
    until(lambda: len([line for line in window.train.loss.chart._lines if line.key.endswith("/train")]) == 3)
    views = window.session.registry.shown
    colours = {line.key.partition("/")[0]: line.colour for line in window.train.loss.chart._lines}
    assert colours == {view.key: run_colour(view) for view in views}
    assert len(set(colours.values())) == 3


def test_the_eye_hides_a_run_and_shows_it_again(saved_run, window, until):
    window.session.open_paths([str(saved_run("One")), str(saved_run("Other"))])
    until(lambda: len({line.key.partition("/")[0] for line in window.train.loss.chart._lines}) == 2)
    one = next(view for view in window.session.registry.views if view.name == "One")
    window.runs.list.shown_changed.emit(one.key, False)
    until(lambda: len({line.key.partition("/")[0] for line in window.train.loss.chart._lines}) == 1)
    window.runs.list.shown_changed.emit(one.key, True)
    until(lambda: len({line.key.partition("/")[0] for line in window.train.loss.chart._lines}) == 2)


def test_browsing_the_list_draws_the_selected_run_and_those_whose_eye_a_person_opened(saved_run, open_window, until):
    for name in ("One", "Two", "Three"):
        saved_run(name)
    window = open_window()
    until(lambda: len(listed(window)) == 3)
    registry = window.session.registry
    one, two, three = (next(view for view in registry.views if view.name == name) for name in ("One", "Two", "Three"))
    for view in (one, two, three):
        registry.select(view.key)
    assert [view.name for view in registry.shown] == ["Three"]
    window.runs.list.shown_changed.emit(two.key, True)
    registry.select(one.key)
    assert [view.name for view in registry.shown] == ["Two", "One"]


def test_a_click_selects_a_run_and_the_toolbar_names_it(saved_run, open_window, until, qtbot):
    saved_run("One")
    saved_run("Other")
    window = open_window()
    until(lambda: len(listed(window)) == 2)
    place = window.runs.list.visualRect(window.runs.list.rows.index(1)).center()
    qtbot.mouseClick(window.runs.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.session.selected.name == "One"
    until(lambda: window.top._run.text().startswith("One"))


def test_a_selected_run_shows_its_loss_and_its_floor(saved_run, window, until):
    window.session.open_paths([str(saved_run("One", losses=[3.0, 2.0]))])
    until(lambda: window.train.loss._number.text() == "2.00 nats")
    assert window.train.loss._caption.text().startswith("·  0.80 below unigram")


def test_a_deleted_folder_of_a_run_is_reported_and_the_window_continues(saved_run, open_window, until, reported, qtbot):
    gone, other = saved_run("Gone"), saved_run("Other")
    window = open_window()
    until(lambda: len(listed(window)) == 2)
    shutil.rmtree(gone)
    window.session.registry.select(next(view.key for view in window.session.registry.views if view.name == "Gone"))
    until(lambda: len(reported) > 0)
    window.show_place("inspect")
    until(lambda: window.inspect.model.state is State.REFUSED)
    window.show_place("play")
    until(lambda: window.play._problem.isVisible())
    window.show_place("train")
    window.session.open_paths([str(other)])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)


def test_a_run_of_a_missing_architecture_is_listed_and_its_curve_drawn(saved_run, window, until, small):
    path = saved_run("Stranger")
    recipe = (path / "recipe.toml").read_text().replace('name = "transformer"', 'name = "nobodys-model"')
    (path / "recipe.toml").write_text(recipe)
    window.session.open_paths([str(path)])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 3)
    window.show_place("play")
    until(lambda: window.play._problem.isVisible())


def test_a_run_without_records_shows_a_message(saved_run, window, until):
    window.session.open_paths([str(saved_run("Empty", losses=()))])
    until(lambda: window.train.loss._other.shown_text[0] == "Empty recorded no loss.")


def test_a_run_whose_loss_is_nan_fails_with_a_reason(open_window, plugin, until, click, small, reported):
    window = open_window(enable=[plugin("poison", POISON)])
    assert window.session.draft.apply({"architecture": {"name": "poison", "layers": 1, "width": 16}}) is None
    click(window.top.start)
    until(lambda: window.session.selected.state == "failed")
    until(lambda: listed(window)[0].state == "failed")
    assert any("the loss is nan" in problem.what for problem in reported)
    assert "the loss is nan" in window.session.selected.problem.what
    assert any("the loss is nan" in flag.label for flag in window.session.selected.flags)


def test_nan_and_infinite_values_do_not_break_the_chart(saved_run, window, until):
    window.session.open_paths([str(saved_run("Holes", losses=[3.0, float("nan"), 2.0, float("inf"), 1.0]))])
    until(lambda: len(window.session.selected.curves.values("train loss")) == 5)
    until(lambda: window.train.loss.state == "content")
    assert np.isfinite(window.session.selected.loss)
