"""Answers of learners: one safe file, and a folder of them as a table."""

import json

import pytest

from lab.api import BadInput
from lab.lessons.answers import (
    LARGEST,
    LONGEST_ANSWER,
    Answers,
    answers_file,
    hand_in_answers,
    own_answers,
    read_answers,
    write_answers,
)
from lab.lessons.predictions import distribution, quantiles, read_prediction, score, shown
from lab.lessons.reading import read_lesson
from lab.lessons.results import Outcome, cache, passes, read_cached, read_recorded, store
from lab.lessons.table import entries, read_folder, table_csv

VALUES = {"loss": {"1": 3.1, "2": 2.5, "3": 2.75}}


def given(prediction=None, answer="The counts"):
    curve = {"1": 3.0, "2": 2.0, "3": 2.5} if prediction is None else prediction
    return Answers().with_lesson("more-context", prediction=curve, seen=True, answers={"1": answer})


def test_answers_are_kept_in_one_file():
    assert own_answers() == Answers()
    write_answers(given())
    found = own_answers().of("more-context")
    assert (found.prediction, found.answers, found.seen) == ({"1": 3.0, "2": 2.0, "3": 2.5}, {"1": "The counts"}, True)
    assert own_answers().without_lesson("more-context").lessons == {}


def test_handing_in_overwrites_nobody(tmp_path):
    first = hand_in_answers(given(), "Ada", tmp_path)
    second = hand_in_answers(given(), "Ada", tmp_path)
    assert first != second
    assert {row.student for row in read_folder(tmp_path)} == {"Ada"}
    with pytest.raises(BadInput, match="is empty"):
        hand_in_answers(given(), " \n", tmp_path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "damaged"),
        ("[]", "no file of answers"),
        ('{"kind": "other"}', "no file of answers"),
        (json.dumps({"kind": "answers to lessons of lm-lab", "format": 9}), "newer lab"),
        (json.dumps({"kind": "answers to lessons of lm-lab", "format": 1, "lessons": 3}), "no list of lessons"),
        (json.dumps({"kind": "answers to lessons of lm-lab", "format": 1, "lessons": {"a": 3}}), "is no table"),
        ("x" * (LARGEST + 1), "larger than"),
        ("[" * 100_000, "nested"),
    ],
    ids=["cut", "list", "other", "newer", "number", "lesson", "1 MB", "deep"],
)
def test_a_damaged_or_hostile_file_is_refused_with_its_reason(tmp_path, content, says):
    (tmp_path / "Eve.answers").write_text(content)
    (row,) = read_folder(tmp_path)
    assert row.answers is None
    assert says in row.problem.what
    assert row.student == "Eve"


def test_an_answer_of_1_mb_is_refused(tmp_path):
    answers = {"kind": "answers to lessons of lm-lab", "format": 1, "student": "Eve", "lessons": {"l": {}}}
    answers["lessons"]["l"]["answers"] = {"1": "x" * (LONGEST_ANSWER + 1)}
    (tmp_path / "Eve.answers").write_text(json.dumps(answers))
    with pytest.raises(BadInput, match="longer than 4,000"):
        read_answers(tmp_path / "Eve.answers")


def test_a_link_to_another_file_is_refused(tmp_path):
    (tmp_path / "Eve.answers").symlink_to("/etc/hostname")
    with pytest.raises(BadInput, match="is a link"):
        read_answers(tmp_path / "Eve.answers")


def test_a_class_of_thirty_is_a_table(folder, tmp_path):
    lesson, inbox = read_lesson(folder), tmp_path / "in"
    for number in range(30):
        curve = {"1": 3.0, "2": 2.0 + number / 10, "3": 2.5}
        hand_in_answers(given(curve, f"=SUM({number})"), f"Learner {number:02}", inbox)
    (inbox / "damaged.answers").write_text("{")
    rows = read_folder(inbox)
    found = entries(rows, lesson, VALUES)
    assert len(rows) == 31
    assert len(found) == 30
    assert sum(one.score.right for one in found) == 6  # up to 2.5, where the first of the least counts
    low, median, high = quantiles([one.predicted for one in found], ["2"])["2"]
    assert (low, median, high) == pytest.approx((2.725, 3.45, 4.175))
    table = table_csv(rows, lesson, VALUES)
    assert table.count("\n") == 32
    assert "'=SUM(3)" in table
    assert "cannot be read" in table.splitlines()[-1]


def test_a_drawn_curve_is_scored_by_the_rule_of_its_lesson(folder):
    lesson = read_lesson(folder)
    right = score(lesson, {"1": 3.0, "2": 2.0, "3": 2.5}, VALUES)
    assert right.right is True
    assert right.distance == pytest.approx((0.1 + 0.5 + 0.25) / 3)
    assert score(lesson, {"1": 1.0, "2": 2.0, "3": 2.5}, VALUES).right is False
    assert score(lesson, {"1": 1.0}, {}).right is None


PICK = """
[prediction]
kind = "pick"
text = "Which?"
answer = "argmin(loss)"
right = ["prediction = argmin(loss)"]
explanation = "So it is."
options = [{ key = "1", label = "one letter" }, { key = "2", label = "two letters" }]
"""


def pick(folder):
    text = (folder / "lesson.toml").read_text()
    before, rest = text.split("[prediction]")
    (folder / "lesson.toml").write_text(before + PICK + "\n[[checks]]" + rest.split("[[checks]]", 1)[1])
    return read_lesson(folder)


def test_a_picked_option_is_compared_by_its_key(folder):
    lesson = pick(folder)
    assert score(lesson, "2", VALUES).right is True
    assert score(lesson, "1", VALUES).right is False
    assert shown(lesson, score(lesson, "1", VALUES).answer) == "two letters"
    assert distribution(lesson, ["1", "2", "2"]) == {"1": 1, "2": 2}


@pytest.mark.parametrize("stored", [None, 3, {"1": 1}, "none of them", True])
def test_a_stored_prediction_that_does_not_fit_its_lesson_is_none(folder, stored):
    assert read_prediction(pick(folder), stored) is None


@pytest.mark.parametrize("stored", ["2", {}, {"1": "x"}, {"1": float("nan")}, {str(n): 1 for n in range(500)}])
def test_a_stored_curve_that_is_none_is_not_taken(folder, stored):
    assert read_prediction(read_lesson(folder), stored) is None


def test_results_are_cached_and_belong_to_one_version_of_a_lesson(folder, change):
    lesson = read_lesson(folder)
    cache(lesson, {1: Outcome({**VALUES, "endless": float("inf")}, 3.0)})
    cache(lesson, {2: Outcome(VALUES, 4.0)})
    found = read_cached(lesson).outcomes
    assert list(found) == [1, 2]
    assert found[1].values == {**VALUES, "endless": float("inf")}
    assert passes(lesson, found[1].values)
    change("values = [1, 2, 3]", "values = [1, 2]")
    assert read_cached(read_lesson(folder)).outcomes == {}


def test_recorded_results_come_with_the_lesson(folder):
    lesson = read_lesson(folder)
    assert read_recorded(lesson).outcomes == {}
    store(lesson, {1: Outcome(VALUES, 3.0)}, folder / "results.json")
    assert read_recorded(lesson).first.values == VALUES
    (folder / "results.json").write_text("[" * 10)
    assert read_recorded(lesson).outcomes == {}


def test_a_small_quantity_is_stored_in_its_digits(folder):
    lesson = read_lesson(folder)
    store(lesson, {1: Outcome({"small": 4.40412345e-07, "large": 1234.5678})}, folder / "results.json")
    assert read_recorded(lesson).first.values == {"small": 4.4041234e-07, "large": 1234.5678}


def test_the_answers_of_this_machine_are_not_overwritten_when_damaged():
    answers_file().parent.mkdir(parents=True, exist_ok=True)
    answers_file().write_text("{")
    with pytest.raises(BadInput, match="damaged"):
        own_answers()
    assert answers_file().read_text() == "{"
