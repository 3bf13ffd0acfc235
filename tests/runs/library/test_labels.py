"""Labels of runs: stored, checked, and never a reason for a run not to show."""

import json

import pytest

from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError
from lab.runs import RunFolder
from lab.runs.library.labels import Label, change_label, coloured_labels, read_label
from lab.runs.library.styles import HUES, STYLES, style_of_new_run


@pytest.fixture
def make():
    """Make runs of these names in the lab's folder."""

    def make(*names):
        return [RunFolder.create(runs_folder() / name, "", {}).path for name in names]

    return make


def test_a_run_of_which_nothing_was_said_has_the_default_label(run):
    assert read_label(run.path) == Label()


def test_what_was_said_is_read_again_and_the_rest_stays(run):
    change_label(run.path, name="  Wide net ", note="First line.\nSecond: ünïcode 東京\t!", tags=["a", "b", "a"])
    label = change_label(run.path, star=True, colour=3)
    assert read_label(run.path) == label
    assert label == Label("Wide net", "First line.\nSecond: ünïcode 東京\t!", True, ("a", "b"), 3, False)


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("name", "x" * 201, "too long"),
        ("name", "two\nlines", "control character"),
        ("name", "bell\a", "control character"),
        ("name", "half \ud800", "control character"),
        ("name", "line\u2028", None),
        ("name", 7, "not text"),
        ("note", "x" * 10_001, "too long"),
        ("note", "escape \x1b[31m", "control character"),
        ("tags", ["two words"], "not a valid tag"),
        ("tags", ["a,b"], "not a valid tag"),
        ("tags", ["-old"], "not a valid tag"),
        ("tags", [""], "not a valid tag"),
        ("tags", ["x" * 41], "too long"),
        ("tags", [str(number) for number in range(51)], "too many"),
        ("tags", "word", "not a list"),
        ("star", 1, "neither true nor false"),
        ("colour", -1, "not the number of a style"),
        ("colour", True, "not the number of a style"),
    ],
)
def test_what_cannot_be_said_is_refused_with_its_field_and_nothing_changes(run, field, value, what):
    before = change_label(run.path, name="before")
    if what is None:  # white space at the end, which is cut
        assert change_label(run.path, **{field: value}).name == "line"
        return
    with pytest.raises(BadInput, match=what) as error:
        change_label(run.path, **{field: value})
    assert error.value.problem.field == field
    assert read_label(run.path) == before


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"name": 3}', '{"tags": [1]}', '{"colour": "red"}', "", '{"name": "\\u0007"}', "\0\0", "[" * 9999],
)
def test_a_damaged_label_is_reported_once_and_replaced_by_the_next_change(run, notices, content):
    (run.path / "label.json").write_text(content)
    assert [read_label(run.path) for _ in range(3)] == [Label()] * 3
    (notice,) = notices
    assert "label.json" in notice.problem.what
    assert run.name == notice.problem.value
    assert change_label(run.path, star=True) == read_label(run.path) == Label(star=True)


def test_what_a_newer_lab_added_is_left_out(run, notices):
    (run.path / "label.json").write_text(json.dumps({"format": 9, "name": "new", "mood": "good"}))
    assert read_label(run.path) == Label(name="new")
    assert notices == []


def test_a_label_that_cannot_be_written_is_reported_and_the_old_one_remains(run, monkeypatch):
    change_label(run.path, name="old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lab.base.files.writing._write_synced", fail)
    with pytest.raises(LabError, match="No space left"):
        change_label(run.path, name="new")
    assert read_label(run.path).name == "old"


def test_colours_are_given_out_evenly_the_first_ones_first_also_to_runs_elsewhere(make, tmp_path):
    elsewhere = RunFolder.create(tmp_path / "elsewhere", "", {}).path

    def next_colour():
        change_label(elsewhere, colour=None)
        return coloured_labels([elsewhere])[0].colour

    assert next_colour() == 0  # before there is a folder of runs
    paths = make("a", "b", "c", "d")
    change_label(paths[0], colour=0)
    change_label(paths[1], colour=2)
    assert next_colour() == 1
    for path, colour in zip(make(*map(str, range(STYLES))), range(STYLES), strict=True):
        change_label(path, colour=colour)
    assert next_colour() == 1  # which one run has, as 0 and 2 have two


def test_runs_without_a_colour_get_one_and_keep_it(make):
    paths = make("a", "b", "c")
    change_label(paths[1], colour=0)
    assert [label.colour for label in coloured_labels(paths)] == [1, 0, 2]
    assert [label.colour for label in coloured_labels(paths[::-1])] == [2, 0, 1]
    assert read_label(paths[2]).colour == 2


def test_repetitions_share_the_hue_and_other_runs_get_another_one():
    recipe = 'format = 1\n[architecture]\nname = "{}"\n[training]\nseed = {}\nsteps = {}\n'

    def make(name, *values):
        return RunFolder.create(runs_folder() / name, recipe.format(*values), {}).path

    first = make("a", "transformer", 0, 100)
    assert [label.colour for label in coloured_labels([first])] == [0]
    others = [make("b", "lstm", 0, 100), make("c", "transformer", 1, 100), make("d", "lstm", 1, 100)]
    longer = make("e", "transformer", 0, 200)
    colours = [label.colour for label in coloured_labels([*others, longer])]
    assert [colour % HUES for colour in colours] == [1, 0, 1, 2]
    assert [colour // HUES for colour in colours] == [0, 1, 1, 0]


def test_the_seeds_of_two_kinds_differ_in_hue_by_kind_and_in_dashes_by_seed():
    used, styles = [], {"one": [], "other": []}
    for kind in ("one", "other") * 3:
        style = style_of_new_run(used, styles[kind])
        styles[kind].append(style)
        used.append(style)
    assert [{style % HUES for style in found} for found in styles.values()] == [{0}, {1}]
    assert all(len({style // HUES for style in found}) == 3 for found in styles.values())


def test_a_colour_that_cannot_be_stored_is_given_all_the_same(make, monkeypatch):
    (path,) = make("a")

    def fail(*_):
        raise LabError("read-only")

    monkeypatch.setattr("lab.runs.library.labels.write_json", fail)
    assert coloured_labels([path])[0].colour == 0
