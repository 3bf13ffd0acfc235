"""Names, notes, stars, tags, colours and visibility are stored with runs; a search finds runs."""

import json
import os

import psutil
import pytest
from PySide6.QtCore import Qt

from lab.base.settings import read_section
from lab.runs import MetricWriter, RunFolder
from lab.runs.library.labels import read_label
from lab.shell.session.scales import run_colour
from lab.widgets.core.theme import THEMES


def names(window):
    return [row.name for row in window.runs.list.rows.rows]


@pytest.fixture
def listed(saved_run, open_runs, until):
    """Open a window that lists runs with these titles."""

    def listed(*titles):
        paths = [saved_run(title) for title in titles]
        window = open_runs()
        until(lambda: len(window.runs.list.rows.rows) == len(titles))
        return window, paths

    return listed


@pytest.fixture
def read(saved_run, registry, until):
    """Read a list of runs with these titles without a window, and return their folders."""

    def read(*titles):
        paths = [saved_run(title) for title in titles]
        registry.begin()
        until(lambda: len(registry.runs) == len(titles))
        return paths

    return read


def test_name_note_star_and_tags_are_stored_with_the_run(listed, registry, until, qtbot, click):
    window, (path, _) = listed("One", "Other")
    window.session.open_paths([str(path)])
    details = window.runs_controller.details
    window.runs_controller.rename()
    field = window.runs.list.focusWidget()
    qtbot.keyClicks(field, "the best one")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    until(lambda: "the best one" in names(window))
    click(details.star)
    details.edit_tags()
    qtbot.keyClicks(details.tags, "wide, baseline")
    qtbot.keyClick(details.tags, Qt.Key.Key_Return)
    qtbot.keyClicks(details.note, "looks fine")
    qtbot.keyClick(details.note, Qt.Key.Key_Return)
    until(lambda: read_label(path).note == "looks fine")
    label = read_label(path)
    assert (label.name, label.star, label.tags) == ("the best one", True, ("wide", "baseline"))
    assert "the best one" in names(window)
    registry.begin()
    until(lambda: "the best one" in [run.name for run in registry.runs])


def test_an_empty_name_restores_the_default_name(read, registry, until):
    (path,) = read("One")
    (run,) = registry.runs
    registry.label(run, name="mine")
    assert run.name == "mine"
    registry.label(run, name="")
    assert run.name == "One"
    until(lambda: read_label(path).name == "")


def test_a_name_that_cannot_be_stored_is_reported_and_the_old_one_stays(read, registry, until, reported):
    (path,) = read("One")
    (run,) = registry.runs
    registry.label(run, name="bad\x07name")
    until(lambda: reported)
    until(lambda: run.name == "One")
    assert read_label(path).name == ""


@pytest.mark.qt_log_ignore("support raise", "grabbing the keyboard", extend=True)
def test_tags_are_completed_from_those_of_other_runs_and_an_unfinished_note_is_stored(listed, until, qtbot):
    window, (one, other) = listed("One", "Other")
    window.session.registry.label(next(v for v in window.session.registry.runs if v.path == other), tags=("baseline",))
    window.session.open_paths([str(one)])
    details = window.runs_controller.details
    window.runs_controller.tags()
    qtbot.keyClicks(details.tags, "wide bas")
    details.tags.completer().complete()
    qtbot.keyClick(details.tags.completer().popup(), Qt.Key.Key_Down)
    qtbot.keyClick(details.tags.completer().popup(), Qt.Key.Key_Return)
    assert details.tags.text() == "wide baseline"
    window.runs_controller.note()
    qtbot.keyClicks(details.note, "half a note")
    window.session.open_paths([str(other)])
    until(lambda: read_label(one).note == "half a note")
    assert details.note.text() == ""
    assert read_label(other).note == ""


def test_a_run_keeps_its_colour_whatever_is_deleted_and_whenever_it_is_opened(saved_run, open_session, registry, until):
    paths = [saved_run(title) for title in ("One", "Two", "Three")]
    session = open_session()
    until(lambda: len(session.registry.runs) == 3)
    colours = {run.path: run.colour for run in session.registry.runs}
    assert len(set(colours.values())) == 3
    session.transfers.delete([run for run in session.registry.runs if run.path == paths[0]])
    until(lambda: not paths[0].exists())
    registry.begin()
    until(lambda: len(registry.runs) == 2)
    assert {run.path: run.colour for run in registry.runs} == {path: colours[path] for path in paths[1:]}


def test_a_started_run_keeps_its_first_colour(open_session, until):
    session = open_session("training.steps=2")
    session.start()
    run = session.selected
    colour = run.colour
    until(lambda: run.path is not None and read_label(run.path).colour == colour)


def test_an_open_eye_is_open_at_the_next_start(read, registry, open_page, until):
    one, _ = read("One", "Other")
    registry.show(next(run for run in registry.runs if run.path == one).key, True)
    until(lambda: read_label(one).shown)
    window = open_page("train")
    until(lambda: [run.path for run in window.session.registry.shown] == [one])
    until(lambda: any(line.x.size for line in window.train.loss.chart._lines))


def test_runs_of_one_title_are_listed_with_their_differences(saved_run, small, registry, until):
    for layers in (2, 3):
        saved_run("Small", recipe=small(f"architecture.layers={layers}"))
    registry.begin()
    until(lambda: sorted(run.name for run in registry.runs) == ["Small · 2 layers", "Small · 3 layers"])


@pytest.fixture
def ten(saved_run, small, open_runs, until):
    """A window with ten runs of one to ten layers; the fourth is starred and tagged, the sixth has a note."""
    paths = [saved_run(f"Run {n}", recipe=small(f"architecture.layers={n}")) for n in range(1, 11)]
    window = open_runs()
    until(lambda: len(names(window)) == 10)
    registry = window.session.registry
    runs = {run.path: run for run in registry.runs}
    registry.label(runs[paths[3]], tags=("baseline",), star=True)
    registry.label(runs[paths[5]], note="against the baseline")
    return window


def test_a_search_covers_names_notes_tags_and_settings(ten, until, qtbot, click, button):
    find = ten.runs._find
    qtbot.keyClicks(find, "Run 10")
    assert names(ten) == ["Run 10"]
    find.clear()
    qtbot.keyClicks(find, "baseline")
    assert sorted(names(ten)) == ["Run 4", "Run 6"]
    assert ten.runs._count.text() == "2 / 10"
    find.clear()
    qtbot.keyClicks(find, "layers>=9")
    until(lambda: sorted(names(ten)) == ["Run 10", "Run 9"])
    find.clear()
    assert len(names(ten)) == 10
    for state in ("finished", "Finished"):
        qtbot.keyClicks(find, f"state={state}")
        until(lambda: ten.runs._count.text() == "10 / 10")
        find.clear()
    qtbot.keyClicks(find, "lyaers=4")
    until(lambda: find.property("state") == "bad")
    assert "lyaers" in find.toolTip()
    assert names(ten) == []
    assert "lyaers" in ten.runs._none_found._text.text()
    click(button(ten.runs, "Show all runs"))
    assert len(names(ten)) == 10
    qtbot.keyClicks(find, "nothing has this")
    click(button(ten.runs, "Show all runs"))
    assert len(names(ten)) == 10


def test_a_run_that_was_started_here_is_found_by_settings_that_its_recipe_does_not_name(open_runs, until, qtbot):
    window = open_runs("training.steps=3")
    assert window.session.draft.apply({"architecture": {"name": "gru"}}) is None
    window.session.start()
    until(lambda: window.session.selected is not None and window.session.selected.state == "finished")
    qtbot.keyClicks(window.runs._find, "layers>=1")
    until(lambda: len(names(window)) == 1 and window.runs.search.problem is None)
    window.runs_controller.toggle_table()
    table = window.runs_controller.table
    table.toggle_column("architecture.layers")
    layers = str(window.session.draft.card("architecture").config.layers)
    until(lambda: table.table.model().index(0, table.table.model().columnCount() - 1).data() == layers)
    window.runs_controller.toggle_table()
    qtbot.keyClicks(window.runs._find, "00")
    until(lambda: names(window) == [])


def test_the_search_of_a_few_runs_stays_while_it_has_the_focus_and_a_run_goes_on(listed):
    window, _ = listed("One", "Other")
    window.runs.focus_search()
    window.runs.refresh()
    assert window.runs._find.isVisible()


def test_the_filter_adds_and_removes_a_condition(ten, until):
    def choose(words):
        ten.runs._conditions.aboutToShow.emit()
        next(action for action in ten.runs._conditions.actions() if action.text() == words).trigger()

    choose("starred")
    until(lambda: names(ten) == ["Run 4"])
    choose("starred")
    assert len(names(ten)) == 10


@pytest.mark.long
def test_the_ninth_kind_of_run_has_the_first_colour_with_dashes(saved_run, open_window, until, small):
    for number in range(9):
        saved_run(f"Run {number}", recipe=small(f"training.steps={number + 1}"))
    window = open_window()
    until(lambda: len(names(window)) == 9)
    runs = list(reversed(window.session.registry.runs))
    assert len({run_colour(run) for run in runs[:8]}) == 8
    rows = {row.key: row for row in window.runs.list.rows.rows}
    first, ninth = rows[runs[0].key], rows[runs[8].key]
    assert first.colour == ninth.colour
    assert (first.dashes, ninth.dashes) == (0, 1)
    window.session.registry.show([ninth.key], True)
    until(lambda: any(line.key.startswith(ninth.key) for line in window.train.loss.chart._lines))
    assert {line.dashes for line in window.train.loss.chart._lines if line.key.startswith(ninth.key)} == {1}


def test_runs_that_another_process_trains_are_followed_when_selected(saved_run, registry, until):
    path = saved_run("Elsewhere", losses=(3.0, 2.0))
    folder = RunFolder.open(path)
    status = json.loads((path / "status.json").read_text())
    parent = psutil.Process(os.getppid())
    status |= {"state": "running", "writer": {"pid": parent.pid, "started": parent.create_time()}}
    (path / "status.json").write_text(json.dumps(status))
    registry.begin()
    run = registry.open(path)
    until(lambda: len(run.curves.values("train loss")) == 2)
    assert run.elsewhere
    with MetricWriter(folder.metrics_file) as writer:
        writer.append([(3, "train loss", 1.0)])
    (path / "status.json").write_text(json.dumps({**status, "step": 3}))
    until(lambda: len(run.curves.values("train loss")) == 3 and run.step == 3)


def test_a_new_run_on_disk_is_listed_without_a_restart(read, registry, saved_run, until):
    read("One")
    saved_run("Later")
    registry.list_again()
    until(lambda: sorted(run.name for run in registry.runs) == ["Later", "One"])


def test_the_table_shows_selected_columns_and_stores_them_and_return_selects_a_run(listed, open_runs, until, qtbot):
    window, _ = listed("One", "Other")
    window.runs_controller.toggle_table()
    table = window.runs_controller.table
    assert table.table.model().columnCount() == 6
    table.toggle_column("training.seed")
    table.toggle_column("best train loss")
    until(lambda: table.table.model().index(0, 6).data() == "1")
    until(lambda: table.table.model().index(0, 7).data())
    assert table.table.model().index(0, 7).data() == "1.50"
    until(lambda: "best train loss" in json.dumps(read_section("runs")))
    table.table.select([window.session.registry.runs[1].key])
    qtbot.keyClick(table.table, Qt.Key.Key_Return)
    assert table.isHidden()
    assert window.session.selected.name == "One"
    again = open_runs()
    until(lambda: len(names(again)) == 2)
    again.runs_controller.toggle_table()
    assert again.runs_controller.table.table.model().columnCount() == 8


@pytest.fixture
def pair(listed):
    """A window with the runs One, Two and Three, of which the first two are selected in the table, and their paths."""
    window, paths = listed("One", "Two", "Three")
    window.runs_controller.toggle_table()
    table = window.runs_controller.table
    table.table.select([run.key for run in window.session.registry.runs if run.path in paths[:2]])
    table._show_count()
    return window, paths


def test_several_runs_are_shown_tagged_and_deleted_at_once(pair, until, click):
    window, paths = pair
    click(window.runs_controller.table.show_button)
    assert sorted(run.name for run in window.session.registry.shown) == ["One", "Two"]
    question = window.runs_controller.question
    click(window.runs_controller.table.tag)
    question.field.setText("pair")
    click(question.agree)
    until(lambda: [read_label(path).tags for path in paths] == [("pair",), ("pair",), ()])
    click(window.runs_controller.table.delete)
    until(lambda: names(window) == ["Three"])
    assert window.runs_controller.table.bin.text() == "bin (2) ▾"


def test_the_bin_is_emptied_only_after_the_word_was_typed(pair, until, click):
    window, _ = pair
    question = window.runs_controller.question
    click(window.runs_controller.table.delete)
    until(lambda: len(window.session.transfers.binned) == 2)
    window.runs_controller.table._ask_to_empty()
    click(question.agree)
    assert question.isVisible()
    assert len(window.session.transfers.binned) == 2
    question.field.setText("empty")
    click(question.agree)
    until(lambda: not window.session.transfers.binned)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_colours_of_runs_are_distinguishable_for_the_colour_blind(theme):
    for name, sight in SIGHTS.items():
        seen = [_lab(sight, colour) for colour in theme.runs]
        near = [
            (place, other, sum((a - b) ** 2 for a, b in zip(one, two, strict=True)) ** 0.5)
            for place, one in enumerate(seen)
            for other, two in enumerate(seen[:place])
        ]
        assert min(distance for *_, distance in near) > 0.08, (name, min(near, key=lambda pair: pair[2]))


SIGHTS = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What light becomes for eyes without a kind of cone (Machado et al. 2009, severity 1), in linear sRGB."""
LMS = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
       (0.0883024619, 0.2817188376, 0.6299787005))  # fmt: skip
LAB = ((0.2104542553, 0.793617785, -0.0040720468), (1.9779984951, -2.428592205, 0.4505937099),
       (0.0259040371, 0.7827717662, -0.808675766))  # fmt: skip
"""Oklab (Ottosson 2020), in which distances are as large as they look."""


def _lab(sight, colour):
    def times(matrix, vector):
        return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]

    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    light = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    seen = [min(1.0, max(0.0, part)) for part in times(sight, light)]
    return times(LAB, [part ** (1 / 3) for part in times(LMS, seen)])


def test_a_state_is_found_by_its_key_and_by_its_label_in_german(german, open_runs, saved_run, until, qtbot):
    paths = [saved_run("Fertig"), saved_run("Gestoppt", state="stopped")]
    window = open_runs()
    until(lambda: len(names(window)) == len(paths))
    for state in ("fertig", "finished"):
        qtbot.keyClicks(window.runs._find, f"state={state}")
        until(lambda: names(window) == ["Fertig"])
        window.runs._find.clear()
        assert len(names(window)) == len(paths)
