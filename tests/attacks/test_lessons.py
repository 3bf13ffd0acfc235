"""Lessons, their results and the answers to them, each part of which may lie: all is read or refused, and bounded."""

import copy
import json
import os
import random
import shutil
import tomllib
from pathlib import Path

import pytest
import tomli_w
from attacking import bounded_memory, damage, lie, refusal

from lab.base.files.reading import parse_json
from lab.cli.main import main
from lab.lessons.answers import Answers, LessonAnswers, read_answers, write_answers
from lab.lessons.collection import find_lessons, lessons_folder, lessons_in, shipped_folder
from lab.lessons.markdown import formulas, pieces
from lab.lessons.predictions import answer_of, distribution, positions, quantiles, read_prediction, score, shown
from lab.lessons.reading import FILE, LARGEST_TEXT, read_lesson, recipe_of
from lab.lessons.results import decide_checks, read_recorded
from lab.lessons.spoken import spoken
from lab.lessons.table import entries, read_folder, table_csv

SAMPLE = 60


def copied(name, folder):
    """Copy a lesson of the lab into a folder."""
    return Path(shutil.copytree(shipped_folder() / name, folder / name))


def used(folder):
    """Do with a lesson all that opening and showing it does."""
    lesson = read_lesson(folder)
    for text in lesson.texts.values():
        assert all(spoken(latex) is not None for latex in formulas(text))
        assert pieces(text) is not None
    for run in lesson.runs:
        for key in run.keys:
            refusal(lambda run=run, key=key: recipe_of(lesson, run.name, key, 1))
    for outcome in read_recorded(lesson).outcomes.values():
        decide_checks(lesson, outcome.values)
        shown(lesson, answer_of(lesson, outcome.values))
        if lesson.prediction.kind == "curve":
            positions(lesson, outcome.values)
    return lesson


def try_lessons(tmp_path, seeds, tally):
    """Read lessons with lies in them. Return how many were refused."""
    folders = [copied(name, tmp_path) for name in (path.name for path in lessons_in(shipped_folder()))]
    refused = 0
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    for seed in seeds:
        draw = random.Random(seed)
        folder = draw.choice(folders)
        suffixes = draw.choice(((".toml",), (".md", ".json")))
        file = draw.choice(sorted(path for path in folder.rglob("*") if path.suffix in suffixes))
        before = file.read_bytes()
        tally.begin(file.suffix)
        lies = []
        if file.suffix == ".toml" and draw.random() < 0.7:
            data = copy.deepcopy(tomllib.loads(before.decode()))
            lies = [lie(data, draw) for _ in range(draw.randint(1, 3))]
            file.write_bytes(tomli_w.dumps(data).encode(errors="surrogatepass"))
        elif file.suffix == ".json":
            data = json.loads(before)
            lies = [lie(data, draw) for _ in range(draw.randint(1, 3))]
            file.write_text(json.dumps(data))
        else:
            what, content = damage(before.decode(), draw)
            lies = [what]
            file.write_bytes(content)
        try:
            with bounded_memory():
                problem = refusal(lambda folder=folder: used(folder))
        except Exception as error:
            error.add_note(f"seed {seed}, {folder.name}/{file.name}: {lies}")
            raise
        if problem is not None:
            assert problem.what, lies
            assert problem.field, lies
            assert len(problem.line()) < 4000, lies
            refused += 1
        file.write_bytes(before)
    tally.end()
    return refused


def test_a_lesson_with_any_lie_is_refused_or_can_be_shown(tmp_path, tally):
    assert SAMPLE / 6 < try_lessons(tmp_path, range(SAMPLE), tally) < SAMPLE


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_lessons_with_lies(tmp_path, tally):
    assert try_lessons(tmp_path, range(1000, 11_000), tally) > 1500


@pytest.mark.parametrize(
    "piece",
    ["```x\n", "~~~\n~~~x\n", "$$x\n", "$$", "![", "[", "[](", "![](", "$a$ ", "`", "> ", "| a |\n", " ", "\x01"],
    ids=repr,
)
def test_a_text_is_refused_or_read_at_once_whatever_it_repeats(tmp_path, piece):
    folder = copied("never-seen", tmp_path)
    (folder / "look.md").write_text((piece * LARGEST_TEXT)[:LARGEST_TEXT])
    problem = refusal(lambda: used(folder))
    assert problem is None or problem.field.startswith("never-seen/look.md")
    (folder / "look.md").write_text(piece * (LARGEST_TEXT + 1))
    assert "look.md" in str(refusal(lambda: used(folder)).value)


def test_a_lesson_that_cannot_be_used_hides_no_other(capsys):
    folder = lessons_folder()
    folder.mkdir(parents=True)
    for name, content in (
        ("deep", "a = " + "[" * 5000),
        ("binary", "\0\1\2"),
        ("Wrong Name", ""),
        ("number", "a = inf"),
    ):
        (folder / name).mkdir()
        (folder / name / "lesson.toml").write_text(content)
    found = find_lessons()
    assert [one.name for one in found if one.problem] == ["Wrong Name", "binary", "deep", "number"]
    assert sum(one.lesson is not None for one in found) == len(lessons_in(shipped_folder()))
    assert main(["lessons", "list"]) == 1
    assert capsys.readouterr().err.count("lm-lab: ") == 4


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
@pytest.mark.parametrize("name", ["lesson.toml", "look.md", "results.json"])
def test_a_file_of_a_lesson_that_is_none_keeps_nobody_waiting(tmp_path, name, make):
    folder = copied("never-seen", tmp_path)
    (folder / name).unlink(missing_ok=True)
    make(folder / name)
    with bounded_memory():
        problem = refusal(lambda: used(folder))
    assert problem is not None or name != FILE


# ------------------------------------------------------------------------------------------------------------- answers


def handed_in(file):
    """Write a file of answers to all lessons of the lab. Return what is in it."""
    lessons = {}
    for found in find_lessons():
        kind = found.lesson.prediction.kind
        picked = found.lesson.prediction.options[0].key if kind == "pick" else 1.5
        prediction = dict.fromkeys(positions(found.lesson) or ("1", "2"), 1.0) if kind == "curve" else picked
        lessons[found.name] = LessonAnswers("lesson", prediction, True, {"1": "Because."}, found.lesson.digest, 1.8e9)
    write_answers(Answers("Ada", lessons), file)
    return json.loads(file.read_text())


def try_answers(tmp_path, seeds, tally):
    """Read answers with lies in them into the table of every lesson. Return how many were refused."""
    folder, refused = tmp_path / "class", 0
    data = handed_in(folder / "Ada.answers")
    lessons = [found.lesson for found in find_lessons()]
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    for seed in seeds:
        draw, changed = random.Random(seed), copy.deepcopy(data)
        lies = [lie(changed, draw) for _ in range(draw.randint(1, 3))]
        content = json.dumps(changed).encode()
        if draw.random() < 0.3:
            what, content = damage(content.decode(), draw)
            lies.append(what)
        (folder / "Bob.answers").write_bytes(content)
        tally.begin("damaged" if len(lies) > 3 else f"{len(lies)} lies")
        try:
            with bounded_memory():
                rows = read_folder(folder)
                for lesson in lessons:
                    shown_to_teacher(lesson, rows)
        except Exception as error:
            error.add_note(f"seed {seed}: {lies}")
            raise
        assert "Ada" in [row.student for row in rows if row.problem is None], lies
        refused += any(row.problem is not None for row in rows)
    tally.end()
    return refused


def shown_to_teacher(lesson, rows):
    """Do with answers all that the table of a class does."""
    first = read_recorded(lesson).first
    values = None if first is None else first.values
    found = entries(rows, lesson, values)
    predicted = [entry.predicted for entry in found if entry.predicted is not None]
    distribution(lesson, predicted)
    for one in predicted:
        shown(lesson, one)
        assert values is None or score(lesson, one, values) is not None
    if lesson.prediction.kind == "curve":
        quantiles(predicted, positions(lesson, values))
    text = table_csv(rows, lesson, values)
    assert not any(line.startswith(("=", "+", "-", "@")) for line in text.splitlines()[1:])
    json.dumps([entry.predicted for entry in found], allow_nan=False)


def test_answers_with_any_lie_are_refused_or_stand_in_the_table(tmp_path, tally):
    assert 0 < try_answers(tmp_path, range(SAMPLE), tally) < SAMPLE


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_thousands_of_answers_with_lies(tmp_path, tally):
    assert try_answers(tmp_path, range(1000, 6000), tally) > 1000


@pytest.mark.skipif(os.name != "posix", reason="there are no pipes in folders")
def test_a_folder_of_answers_is_read_whatever_lies_in_it(tmp_path, capsys):
    folder = tmp_path / "class"
    handed_in(folder / "Ada.answers")
    os.mkfifo(folder / "pipe.answers")
    (folder / "zero.answers").symlink_to("/dev/zero")
    (folder / "link.answers").symlink_to(folder / "Ada.answers")
    (folder / "folder.answers").mkdir()
    (folder / "deep.answers").write_text('{"kind": ' + "[" * 100_000)
    (folder / "large.answers").write_bytes(b" " * 2**20)
    (folder / "empty.answers").touch()
    assert main(["lessons", "answers", str(folder), "--lesson", "never-seen", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [entry["student"] for entry in found["entries"]] == ["Ada"]
    assert len(found["damaged"]) == 7


@pytest.mark.parametrize("value", ["NaN", "1e999", "1" + "0" * 400, str(2**63), '"text"', "null", "[1]", "-1", "true"])
def test_a_time_or_prediction_of_any_number_is_read_as_missing_or_refused(tmp_path, value):
    file = tmp_path / "Ada.answers"
    data = handed_in(file)
    for field in ("changed", "prediction"):
        hostile = json.loads(json.dumps(data))
        for one in hostile["lessons"].values():
            one[field] = "@@"
        file.write_text(json.dumps(hostile).replace('"@@"', value))
        if refusal(lambda: read_answers(file)) is None:
            lessons = [found.lesson for found in find_lessons()]
            kept = [read_prediction(lesson, read_answers(file).of(lesson.name).prediction) for lesson in lessons]
            assert parse_json(json.dumps([one for one in kept if one is not None], allow_nan=False)) is not None
