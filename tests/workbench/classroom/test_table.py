"""The table of a class: who did what, ranked where losses compare, and damaged files with their reason."""

import csv
import io

import pytest

from lab.base.problems import BadInput
from lab.recipes import Recipe
from lab.workbench.classroom import table
from lab.workbench.classroom.page import class_page
from lab.workbench.classroom.table import class_csv, read_class


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "class"
    folder.mkdir()
    return folder


def found(folder):
    return [(row.entry.label, row.rank, row.difference) for row in read_class(folder)]


def test_the_lowest_of_the_losses_that_compare_comes_first(bundle, folder):
    for student, loss in (("Ada", 2.5), ("Bob", 1.5), ("Cyd", 2.0)):
        bundle(student, loss, folder=folder)
    other = {"name": "mine", "sha256": "1" * 64}
    bundle("Dot", 0.5, folder=folder, corpus=other)
    bundle("Eli", 0.5, folder=folder, vocabulary={"words": ["a", "b"]})
    bundle("Fay", 0.5, folder=folder, recipe=Recipe().with_assignments("training.validation_share=0.3"))
    assert found(folder) == [
        ("Bob", 1, ""),
        ("Cyd", 2, ""),
        ("Ada", 3, ""),
        ("Dot", None, "another corpus"),
        ("Eli", None, "another vocabulary"),
        ("Fay", None, "another split"),
    ]


def test_equal_losses_have_equal_ranks(bundle, folder):
    for student in ("Ada", "Bob"):
        bundle(student, 2.0, folder=folder)
    bundle("Cyd", 3.0, folder=folder)
    assert [row.rank for row in read_class(folder)] == [1, 1, 3]


def test_a_row_tells_what_a_run_is(bundle, folder):
    bundle("Ada", 2.0, folder=folder, steps=1000)
    (row,) = read_class(folder)
    one = row.entry
    assert (one.student, one.run, one.architecture, one.corpus) == ("Ada", "run of Ada", "transformer", "the manual")
    assert (one.state, one.steps, one.parameters, one.loss) == ("finished", 1000, 1000, 2.0)
    assert (one.sample, one.curve[-1], one.curve_steps[0]) == ("the end of run of Ada", 2.0, 0)


def test_the_last_loss_is_left_out_if_it_read_more_of_the_text_than_the_others(bundle, folder):
    bundle("Ada", 2.0, folder=folder, recipe=Recipe().with_assignments("training.evaluate_tokens=10"))
    (row,) = read_class(folder)
    assert row.entry.loss == 2.25


def test_damaged_files_are_rows_that_say_why(bundle, folder):
    whole = bundle("Ada", folder=folder).read_bytes()
    (folder / "cut.lmlab").write_bytes(whole[: len(whole) // 2])
    (folder / "empty.lmlab").touch()
    (folder / "text.txt").write_text("not asked")
    (folder / ".half.lmlab").write_bytes(whole[:10])
    (folder / "folder.lmlab").mkdir()
    rows = read_class(folder)
    assert [row.entry.label for row in rows] == ["Ada", "cut", "empty", "folder"]
    assert [bool(row.entry.problem) for row in rows] == [False, True, True, True]
    assert rows[1].entry.remedy


def test_what_was_handed_out_is_no_row(forged, folder, tmp_path):
    forged("class/lesson.lmlab", {"recipe.toml": b""}, hand_out={"title": "A lesson"})
    assert read_class(folder) == []


def test_only_what_changed_is_read_again(bundle, folder, monkeypatch):
    for student in ("Ada", "Bob"):
        bundle(student, folder=folder)
    before = read_class(folder)
    read, opened = table.read_bundle, []
    monkeypatch.setattr(table, "read_bundle", lambda file: opened.append(file.name) or read(file))
    assert read_class(folder) == before
    assert opened == []
    content = (folder / "Bob.lmlab").read_bytes()
    (folder / "Bob.lmlab").write_bytes(content[:-30])
    assert read_class(folder)[1].entry.problem
    assert opened == ["Bob.lmlab"]


def test_a_broken_cache_is_none(bundle, folder, lab_home):
    bundle("Ada", folder=folder)
    before = read_class(folder)
    (file,) = (lab_home / "cache" / "class").iterdir()
    for content in ("{", "[]", '{"format": 1, "files": {"Ada.lmlab": 3}}'):
        file.write_text(content)
        assert read_class(folder) == before


def test_only_records_are_unpacked_and_for_a_while(bundle, folder, monkeypatch):
    bundle("Ada", folder=folder)
    seen, entry = [], table._entry

    def look(file, opened, run):
        seen.extend(path for path in run.path.rglob("*") if path.is_file())
        return entry(file, opened, run)

    monkeypatch.setattr(table, "_entry", look)
    read_class(folder)
    assert {path.name for path in seen} == {"recipe.toml", "run.json", "status.json", "metrics.sqlite", "samples.jsonl"}
    assert [path for path in seen if path.exists()] == []


def test_as_csv_no_name_is_a_formula(bundle, folder):
    bundle('=HYPERLINK("http:x")', folder=folder)
    (folder / "bad.lmlab").touch()
    heads, row, bad = csv.reader(io.StringIO(class_csv(read_class(folder))))
    assert dict(zip(heads, row, strict=True))["student"] == '\'=HYPERLINK("http:x")'
    assert dict(zip(heads, bad, strict=True))["problem"]


def test_the_page_for_the_projector_escapes_what_students_wrote(bundle, folder):
    for student, loss in (("<script>alert(1)</script>", 2.0), ("Bob", 1.0)):
        bundle(student.replace("/", ""), loss, folder=folder)
    (folder / "bad.lmlab").touch()
    text = class_page(read_class(folder), "Class 7")
    assert "<script" not in text
    assert text.index("Bob") < text.index("&lt;script&gt;")
    assert "the end of run of Bob" in text
    assert text.count('class="strong"') == 2


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        read_class(tmp_path / "nowhere")
