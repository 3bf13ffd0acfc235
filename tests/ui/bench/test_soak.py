"""The soak: its hand repeats itself, every gap gets the name of what ran, and a failure is reported with its action."""

import gc
import json
import random
import time
from collections import Counter

import pytest
from PySide6.QtCore import qWarning
from PySide6.QtWidgets import QFileDialog

from lab.base import LabError
from lab.base.notices import notify
from lab.bench.window import soak
from lab.bench.window.gaps import COLLECTOR, LONG, MACHINE, QT, Gap, GapRecorder, Spent, name_of, summary
from lab.bench.window.hand import ACTIONS, ARCHITECTURES, Hand, answered_dialogs, small_recipe
from lab.cli.main import main
from lab.host import Plugins
from lab.shell.runtime.stalls import StalledCode
from lab.training.experiment import check_recipe

OWN, OTHER = StalledCode(None, "drawing.py, line 5", ""), StalledCode(None, "trainer.py, line 9", "lab: training")


def drawn(seed, count):
    hand = Hand(lambda: None, seed)
    found = [hand.next() for _ in range(count)]
    return [(action.name, draws.random()) for action, draws in found]


def test_the_same_seed_draws_the_same_actions_and_another_one_others():
    assert drawn(7, 50) == drawn(7, 50)
    assert drawn(7, 50) != drawn(8, 50)


def test_what_an_action_draws_does_not_change_the_actions_after_it():
    hand, names = Hand(lambda: None, 7), []
    for number in range(50):
        action, draws = hand.next()
        names.append(action.name)
        for _ in range(number):
            draws.random()
    assert names == [name for name, _ in drawn(7, 50)]


def test_every_action_is_done_sooner_or_later():
    assert {name for name, _ in drawn(0, 3000)} == {action.name for action in ACTIONS}


def test_every_recipe_of_the_hand_can_be_used():
    plugins, names = Plugins(safe_mode=True), set()
    for seed in range(60):
        recipe = small_recipe(random.Random(seed))
        check_recipe(recipe, plugins)
        names.add(recipe.architecture.name)
    assert names == set(ARCHITECTURES)


@pytest.mark.parametrize(
    ("spent", "samples", "name"),
    [
        (Spent(400, 60, 360, 0), [OWN], MACHINE),  # without the wait for a processor it would have been no gap
        (Spent(400, 380, 10, 370), [], COLLECTOR),
        (Spent(400, 380, 10, 0), [OTHER, OWN, OWN], OWN.location),
        (Spent(400, 20, 10, 0), [OTHER], "trainer.py, line 9 in thread lab: training"),
        (Spent(400, 380, 10, 0), [OTHER], QT),
        (Spent(400, 20, 10, 0), [], ""),
    ],
)
def test_a_gap_gets_the_name_of_what_took_its_time(spent, samples, name):
    assert name_of(spent, samples) == name


def test_a_gap_is_recorded_with_the_action_and_the_code_that_ran(qapp, qtbot):
    recorder = GapRecorder(Plugins(safe_mode=True))
    recorder.start()
    try:
        qtbot.waitUntil(lambda: recorder._last is not None)
        recorder.action = "counting"
        ends = time.thread_time() + 0.2
        while time.thread_time() < ends:
            sum(range(1000))
        qtbot.waitUntil(lambda: any(gap.action == "counting" and gap.busy > 100 for gap in recorder.gaps))
        with recorder.paused():
            before = len(recorder.gaps)
            while time.thread_time() < ends + 0.1:
                sum(range(1000))
        qapp.processEvents()
        assert len(recorder.gaps) == before
    finally:
        recorder.stop()
    (found,) = [gap for gap in recorder.gaps if gap.busy > 100]
    assert found.milliseconds > LONG
    assert found.code.startswith("test_soak.py, line ")
    assert recorder._follow_collection not in gc.callbacks


def test_gaps_are_summed_up_by_code_the_longest_of_the_lab_first():
    found = summary([Gap(90, "a", "x", 90, 0), Gap(60, "b", "x", 60, 0), Gap(900, "c", "y", 70, 830)])
    assert [(one["code"], one["count"], one["longest_ms"], one["action"]) for one in found] == [
        ("x", 2, 90, "a"),
        ("y", 1, 900, "c"),
    ]


RESULT = {"grew": [], "unnamed_gaps": 0, "failure_count": 0}


@pytest.mark.parametrize(
    ("changes", "within"),
    [
        ({}, True),
        ({"grew": ["mib"]}, False),
        ({"unnamed_gaps": 1}, False),
        ({"failure_count": 1}, False),
    ],
)
def test_a_soak_is_within_its_limits_if_nothing_grows_stalls_without_a_name_or_fails(changes, within):
    assert soak.is_within(RESULT | changes) is within


def test_the_growth_and_the_classes_that_grew_are_reported():
    measured = [{"mib": 50.0}, {"mib": 100.0}, {"mib": 100.0}, {"mib": 120.0}]
    kinds = [Counter(a=1), Counter(a=2, b=1), Counter(a=3, b=1), Counter(a=9, b=1)]
    found = soak.evaluated(measured, kinds)
    assert found["growth"] == {"mib": {"before": 100.0, "after": 120.0, "percent": 20.0}}
    assert found["grew"] == ["mib"]
    assert found["more_objects"] == {"a": 7}


def test_dialogs_of_the_system_are_answered_and_open_no_window(tmp_path):
    with answered_dialogs(tmp_path):
        assert QFileDialog.getSaveFileName(None, "Export", "/elsewhere/chart.png", "")[0] == str(tmp_path / "chart.png")
        assert QFileDialog.getOpenFileNames(None, "Open", "", "")[0] == [str(tmp_path / "text.txt")]
        assert QFileDialog.getExistingDirectory(None, "Open", "") == ""


def test_pieces_are_appended_to_a_file_of_json_lines(tmp_path):
    for seed in (1, 2):
        soak.append(tmp_path / "pieces.jsonl", {"seed": seed})
    lines = (tmp_path / "pieces.jsonl").read_text().splitlines()
    assert [json.loads(line)["seed"] for line in lines] == [1, 2]
    with pytest.raises(LabError, match="cannot be written"):
        soak.append(tmp_path, {})


@pytest.mark.parametrize(("within", "status"), [(True, 0), (False, 1)])
def test_the_command_line_ends_with_1_if_a_soak_fails_its_limits(monkeypatch, capsys, tmp_path, within, status):
    calls = []
    monkeypatch.setattr(soak, "soak", lambda minutes, seed, _: calls.append((minutes, seed)) or {"within": within})
    file = tmp_path / "pieces.jsonl"
    assert main(["bench", "soak", "--minutes", "0.5", "--seed", "3", "--output", str(file), "--json"]) == status
    assert calls == [(0.5, 3)]
    assert json.loads(capsys.readouterr().out) == json.loads(file.read_text()) == {"within": within}


@pytest.mark.parametrize("minutes", ["0", "nan", "a day"])
def test_minutes_that_cannot_be_used_are_refused(minutes, capsys):
    assert main(["bench", "soak", "--minutes", minutes]) == 2
    assert "--minutes" in capsys.readouterr().err


def test_failures_are_collected_with_the_action_before_them_and_harmless_messages_are_not(qapp):
    recorder = GapRecorder(Plugins(safe_mode=True))
    with soak.failures_of(recorder) as failures:
        recorder.action = "press: Start"
        notify("warning", "it did not start")
        notify("info", "it started")
        qWarning("a widget is lost")
        qWarning("This plugin does not support raise()")
    notify("error", "later")
    assert [(one["kind"], one["message"], one["action"]) for one in failures] == [
        ("warning", "it did not start.", "press: Start"),
        ("Qt", "a widget is lost", "press: Start"),
    ]


@pytest.mark.long
def test_a_window_that_does_not_come_to_rest_ends_the_soak_with_what_was_measured(qapp, monkeypatch, tmp_path):
    def stuck(*_):
        raise LabError("the window did not become ready")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(soak, "rest", stuck)
    found = soak.soak(0.02, 3, round_seconds=1)
    assert found["failures"][-1]["kind"] == "end"
    assert not found["within"]
    assert sum(found["actions"].values()) > 0
    assert len(found["measured"]) == 1
    assert not list(tmp_path.iterdir())  # nothing is written to the working directory
