"""A class hands in at once, each learner in a process of their own, with damaged and hostile files among them."""

import csv
import io
import json
import os
import subprocess
import sys
import time

import pytest

from lab.lessons.answers import LARGEST, hand_in_answers
from lab.lessons.collection import find_lessons
from lab.lessons.predictions import distribution, quantiles
from lab.lessons.results import read_recorded
from lab.lessons.table import entries, read_folder, table_csv

LEARNER = """
import random, sys
from pathlib import Path
from lab.lessons.answers import Answers, hand_in_answers
from lab.lessons.collection import find_lessons
from lab.lessons.predictions import positions
from lab.lessons.results import read_recorded

number, name, folder = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
drawn = random.Random(number)
answers = Answers()
for one in find_lessons():
    lesson = one.lesson
    prediction = lesson.prediction
    first = read_recorded(lesson).first
    if prediction.kind == "curve":
        keys = positions(lesson, None if first is None else first.values)
        given = {key: drawn.uniform(prediction.low, prediction.high) for key in keys}
    elif prediction.kind == "pick":
        given = drawn.choice(prediction.options).key
    else:
        given = drawn.uniform(prediction.low, prediction.high)
    texts = {str(n): f"=HYPERLINK({number})" if n == 1 else f"Answer {n} of {number}, <b>bold</b>"
             for n in range(1, len(lesson.questions) + 1)}
    answers = answers.with_lesson(lesson.name, prediction=given, seen=True, answers=texts)
print("ready", flush=True)
sys.stdin.readline()
print(hand_in_answers(answers, name, folder).name, flush=True)
"""
KIND = "answers to lessons of lm-lab"


def hostile(folder):
    """Write files that nobody should have handed in, and return the names of those that cannot be read."""
    whole = {"kind": KIND, "format": 1, "student": "Mallory", "lessons": {}}
    contents = {
        "cut": json.dumps(whole)[:-9],
        "empty": "",
        "large": json.dumps({**whole, "student": "x" * LARGEST}),
        "deep": "[" * 200_000,
        "text": json.dumps({**whole, "lessons": {"never-seen": {"answers": {"1": "x" * 10**6}}}})[: LARGEST - 1],
        "list": json.dumps([whole]),
        "newer": json.dumps({**whole, "format": 99}),
        "pickle": "\x80\x04\x95",
        "many": json.dumps({**whole, "lessons": {f"lesson-{n}": {} for n in range(20_000)}}),
        "web": "<script>alert(1)</script>",
    }
    for name, content in contents.items():
        (folder / f"{name}.answers").write_text(content)
    (folder / "folder.answers").mkdir()
    unreadable = {*contents, "folder"}
    if os.name == "posix":
        os.mkfifo(folder / "pipe.answers")
        (folder / "link.answers").symlink_to("/etc/passwd")
        unreadable |= {"pipe", "link"}
    (folder / "binary.answers").write_bytes(os.urandom(4096))
    strange = {"never-seen": {"prediction": {"1": 1e308, "2": True, "3": "x"}, "answers": {"1": "@SUM(1)"}, "depth": 7,
                              "changed": "never", "seen": "yes"},
               "the-floor": {"prediction": [1, 2], "answers": {}},
               "../../etc": {"prediction": 3, "answers": {"1": "path"}}}  # fmt: skip
    (folder / "strange.answers").write_text(json.dumps({**whole, "student": "=1+1\n\x00|", "lessons": strange}))
    (folder / ".hidden.answers").write_text("{")
    (folder / "notes.txt").write_text("not answers")
    return {f"{name}.answers" for name in (*unreadable, "binary")}


@pytest.mark.parametrize("count", [3, pytest.param(30, marks=[pytest.mark.long, pytest.mark.timeout(600)])])
def test_a_class_that_hands_in_at_once_is_a_table_whatever_lies_beside(count, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    names = [f"Learner {number:02}" if number % 3 else "Ada" for number in range(count)]
    command = [sys.executable, "-c", LEARNER]
    class_of = [
        subprocess.Popen(
            [*command, str(number), name, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number, name in enumerate(names)
    ]
    try:
        assert all(learner.stdout.readline() == "ready\n" for learner in class_of)
        unreadable = hostile(folder)
        started = time.monotonic()
        for learner in class_of:
            learner.stdin.close()  # now all hand in
        seen = []
        while any(learner.poll() is None for learner in class_of):
            rows = read_folder(folder)  # the teacher looks while they hand in
            seen.append(sum(row.answers is not None for row in rows))
            assert {row.file for row in rows if row.problem is not None} == unreadable
        seconds = time.monotonic() - started
        written = [learner.stdout.read().strip() for learner in class_of]
    finally:
        for learner in class_of:
            learner.kill()
            learner.wait()
            learner.stdin.close()
            learner.stdout.close()
    assert seen == sorted(seen)  # no file was there in part
    assert len(set(written)) == count
    rows = read_folder(folder)
    sound = [row for row in rows if row.answers is not None]
    assert sorted(row.student for row in sound if row.file != "strange.answers") == sorted(names)
    assert {row.file for row in rows if row.problem is not None} == unreadable
    for one in find_lessons():
        lesson = one.lesson
        first = read_recorded(lesson).first
        values = None if first is None else first.values
        found = entries(rows, lesson, values)
        predictions = [entry.predicted for entry in found if entry.predicted is not None]
        assert len(predictions) == count, lesson.name
        assert values is None or all(entry.score.right is not None for entry in found if entry.predicted is not None)
        if lesson.prediction.kind == "curve":
            bands = quantiles(predictions, list(predictions[0]))
            assert all(low <= middle <= high for low, middle, high in bands.values())
        if lesson.prediction.kind == "pick":
            assert sum(distribution(lesson, predictions).values()) == count
        table = list(csv.reader(io.StringIO(table_csv(rows, lesson, values))))
        assert len(table) == 1 + len(found) + len(unreadable)
        assert not [cell for row in table for cell in row if cell.startswith(("=", "@", "+"))]
        if lesson.questions:
            answers = {entry.given.answers.get("1") for entry in found if entry.predicted is not None}
            assert answers == {f"=HYPERLINK({number})" for number in range(count)}
    print(f"{count} learners in {seconds:.2f} s, {len(unreadable)} of {len(rows)} files refused")


def test_a_name_of_a_learner_leads_to_no_other_folder(tmp_path):
    from lab.lessons.answers import Answers

    given = Answers().with_lesson("never-seen", prediction=1.0)
    for name in ("../../up", "a/b", "C:\\x", "\u202egnp.exe", "." * 200, "x" * 500, "CON", "ä\u0000b"):
        path = hand_in_answers(given, name, tmp_path / "in")
        assert path.parent == tmp_path / "in"
        assert len(path.name) < 90
