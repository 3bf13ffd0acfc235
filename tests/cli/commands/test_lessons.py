"""`lm-lab lessons`: list, check, run with seeds, and the answers of a class."""

import sys

import pytest

from lab.base.folders import home
from lab.lessons.answers import Answers, hand_in_answers

LESSON = """\
format = 1
title = "Orders"
summary = "Short."
track = "mine"
minutes = 1
mistake = "None."

[[runs]]
name = "orders"
title = "Orders"
settings = ["corpus.name=file", "corpus.path={text}", "architecture.name=n-gram"]
along = "architecture.order"
values = [1, 2]

[[measures]]
name = "loss"
title = "Loss"
runs = ["orders"]
figure = "validation loss"

[prediction]
kind = "number"
text = "How low?"
high = 10.0
answer = "min(loss)"
right = ["prediction < loss[1]"]
explanation = "So low."

[[checks]]
claim = "Context helps."
holds = ["loss[2] < loss[1]"]

[[questions]]
text = "Why?"
answer = "Because."
"""


@pytest.fixture
def own(text, lab_home):
    """Write a lesson of the user's own."""

    def own(name="orders", **changes):
        folder = home() / "lessons" / name
        folder.mkdir(parents=True, exist_ok=True)
        written = LESSON.format(text=text)
        for old, new in changes.items():
            written = written.replace(old, new)
        (folder / "lesson.toml").write_text(written)
        (folder / "lesson.md").write_text("Text")
        return folder

    return own


def test_lessons_are_listed_by_track(lm_lab, own):
    own()
    ended = lm_lab("lessons")
    assert ended.code == 0
    assert "never-seen" in ended.out
    assert ended.out.splitlines()[-1].split() == ["orders", "mine", "1", "2", "Orders"]
    listed = lm_lab("lessons", "list", "--json").json["lessons"]
    assert listed[-1]["origin"] == "own"


def test_a_lesson_that_cannot_be_used_is_reported_with_file_and_line(lm_lab, own):
    own("broken", minutes="minute")
    ended = lm_lab("lessons", "check", home() / "lessons")
    assert ended.code == 1
    assert "broken/lesson.toml, line 5: minute is no field of a lesson" in ended.err


def test_a_check_says_what_cannot_be_trained_here(lm_lab, own):
    changes = {
        "architecture.name=n-gram": "architecture.name=transformer",
        "architecture.order": "architecture.width",
        "[1, 2]": "[65536]",
        "loss[2] < loss[1]": "max(loss) > 0",
        "prediction < loss[1]": "prediction > 0",
    }
    own("large", **changes)
    ended = lm_lab("lessons", "check", home() / "lessons" / "large", "--json")
    assert ended.code == 1
    assert ended.json["lessons"][0]["problem"]["field"].startswith("large, run orders")


def test_a_check_names_a_formula_that_cannot_be_typeset(lm_lab, own):
    (own() / "lesson.md").write_text("Less: $a \\nosuch b$.")
    ended = lm_lab("lessons", "check", home() / "lessons" / "orders")
    assert ended.code == 1
    assert "orders/lesson.md: the formula a \\nosuch b cannot be typeset" in ended.err


def test_a_lesson_runs_with_each_seed_and_decides_its_checks(lm_lab, own):
    folder = own()
    ended = lm_lab("lessons", "run", "orders", "--seeds", "1,2", "--record", "--json")
    assert ended.code == 0, ended.err
    (lesson,) = ended.json["lessons"]
    assert lesson["holds"] is True
    assert set(lesson["seeds"]) == {"1", "2"}
    assert lesson["seeds"]["1"]["checks"] == [{"comparison": "loss[2] < loss[1]", "holds": True}]
    assert (folder / "results.json").is_file()
    assert not list(home().glob("runs/*"))


def test_a_check_that_fails_gives_the_status_1(lm_lab, own):
    own(**{"loss[2] < loss[1]": "loss[2] > loss[1]"})
    ended = lm_lab("lessons", "run", "orders", "--seeds", "1")
    assert ended.code == 1
    assert "fails: loss[2] > loss[1]  [Context helps.]" in ended.out


@pytest.mark.parametrize(
    "given", [("run",), ("run", "orders", "--all"), ("run", "nowhere"), ("run", "orders", "--seeds", "x")]
)
def test_what_cannot_be_run_is_refused(lm_lab, own, given):
    own()
    assert lm_lab("lessons", *given).code == 2


def test_the_answers_of_a_class_are_a_table(lm_lab, own, tmp_path):
    own()
    lm_lab("lessons", "run", "orders", "--seeds", "1")
    inbox = tmp_path / "in"
    hand_in_answers(Answers().with_lesson("orders", prediction=0.5, answers={"1": "=1+1"}), "Ada", inbox)
    (inbox / "Eve.answers").write_text("{")
    ended = lm_lab("lessons", "answers", inbox, "--lesson", "orders", "--csv", tmp_path / "table.csv")
    assert ended.code == 1  # since a file is damaged
    assert ended.out.splitlines()[-1].split() == ["Ada", "0.5", "yes", "1"]
    assert "Eve.answers" in ended.err
    assert "'=1+1" in (tmp_path / "table.csv").read_text()


def test_a_plugin_brings_lessons(lm_lab, own, plugin, tmp_path):
    own().rename(tmp_path / "of-a-plugin")
    plugin("mine", f"""
        from pathlib import Path

        from lab.api import LessonFolder, hookimpl

        @hookimpl
        def lab_register_lessons(register):
            register(LessonFolder("mine", "Mine", Path({str(tmp_path)!r})))
        """)  # fmt: skip
    listed = lm_lab("lessons", "--enable", "mine", "--json").json["lessons"]
    assert ("of-a-plugin", "mine") in [(one["name"], one["origin"]) for one in listed]


def test_a_class_has_its_lessons_on_the_machine(lm_lab, own, lab_system):
    (lab_system / "lessons").mkdir(parents=True)
    own().rename(lab_system / "lessons" / "of-the-class")
    listed = lm_lab("lessons", "--json").json["lessons"]
    assert ("of-the-class", "shared") in [(one["name"], one["origin"]) for one in listed]


def test_a_plan_puts_lessons_into_sessions(lm_lab, own, tmp_path):
    own("one")
    own("two")
    ended = lm_lab("lessons", "plan", "one", "two", "--minutes", "1", "--csv", tmp_path / "plan.csv", "--json")
    plan = ended.json["plan"]
    assert [(each["lesson"], each["session"], each["trainings"]) for each in plan] == [("one", 1, 2), ("two", 2, 2)]
    assert (tmp_path / "plan.csv").read_text().splitlines()[1].startswith("1,one,Orders")
    assert "two" in lm_lab("lessons", "plan", "two", "one", "--by-section").out
    assert "1 to 1,000" in lm_lab("lessons", "plan", "--minutes", "0").err


def test_a_handout_has_another_ending_or_is_there_already(lm_lab, own, tmp_path):
    own()
    (tmp_path / "page.html").write_text("mine")
    assert ".html, .pdf" in lm_lab("lessons", "handout", "orders", "--out", tmp_path / "page.doc").err
    assert lm_lab("lessons", "handout", "orders", "--out", tmp_path / "page.html").code == 2
    assert (tmp_path / "page.html").read_text() == "mine"


def test_a_handout_without_the_window_says_what_to_install(lm_lab, own, tmp_path, monkeypatch):
    own()
    monkeypatch.setitem(sys.modules, "PySide6", None)
    refused = lm_lab("lessons", "handout", "orders", "--out", tmp_path / "page.html")
    assert refused.code == 2
    assert "lm-lab[window]" in refused.err
