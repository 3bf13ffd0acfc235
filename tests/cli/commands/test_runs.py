"""`lm-lab runs`: what was trained is found, named, kept, thrown away, brought back and carried elsewhere."""

import contextlib
import json
import shutil
import sqlite3

import pytest

from lab.base.folders import runs_folder
from lab.cli.table import print_table
from lab.runs import RunFolder
from lab.runs.library.labels import read_label


@pytest.fixture
def home(trained, text):
    """The lab's runs: a small transformer ("wide-net") and an n-gram ("counts"), both ended."""
    runs_folder().mkdir(parents=True)
    for source, name in (("run", "wide-net"), ("n-gram", "counts")):
        shutil.copytree(trained / source, runs_folder() / name)
    return runs_folder()


def names(ended):
    return [run["name"] for run in ended.json["runs"]]


# ---------------------------------------------------------------------------------------------------------- the list


def test_an_empty_list_of_runs_is_reported(lm_lab):
    assert lm_lab("runs").out == "there are no runs yet\n"
    assert lm_lab("runs", "--json").json == {"runs": [], "found": 0, "problems": []}


def test_runs_alone_lists_them_the_newest_first(home, lm_lab):
    ended = lm_lab("runs")
    assert ended.code == 0
    title, first, second = ended.out.splitlines()
    assert title.split() == ["name", "difference", "state", "step", "validation", "loss"]
    assert first.split()[:2] == ["counts", "n-gram"]
    assert second.split()[:5] == ["wide-net", "transformer", "finished", "3", second.split()[4]]
    assert lm_lab("runs", "list").out == ended.out


def test_the_list_as_json_has_the_values_as_they_are(home, lm_lab):
    result = lm_lab("runs", "list", "--json").json
    assert result["found"] == 2
    assert result["runs"][1]["run"] == str(home / "wide-net")
    assert result["runs"][1]["step"] == 3
    assert isinstance(result["runs"][1]["validation_loss"], float)


@pytest.mark.parametrize("before", [True, False])
def test_options_may_be_given_before_and_after_the_action(home, lm_lab, before):
    options = ["--search", "wide", "--json"]
    words = [*options, "list"] if before else ["list", *options]
    assert names(lm_lab("runs", *words)) == ["wide-net"]


def test_runs_are_searched_sorted_and_shown_by_any_column(home, lm_lab):
    assert names(lm_lab("runs", "--search", "layers=1 state=finished", "--json")) == ["wide-net"]
    assert names(lm_lab("runs", "--sort", "name", "--reverse", "--json")) == ["wide-net", "counts"]
    listed = lm_lab("runs", "--columns", "folder,best train loss,width", "--search", "wide", "--json").json["runs"]
    assert list(listed[0]) == ["run", "folder", "best train loss", "width"]
    assert listed[0]["width"] == 16
    assert listed[0]["best train loss"] > 0
    assert lm_lab("runs", "--search", "tag=none").out == "no run matches\n"


def test_no_more_runs_than_the_limit_are_shown_and_that_is_said(home, lm_lab):
    limited = lm_lab("runs", "--limit", "1")
    assert "… 1 more: --all shows every run" in limited.out
    assert len(limited.out.splitlines()) == 3
    assert len(names(lm_lab("runs", "--limit", "1", "--all", "--json"))) == 2
    assert lm_lab("runs", "--limit", "0").code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("--sort", "lajers"),
        ("--columns", "name,lajers"),
        ("--search", "lajers=1"),
        ("--search", "layers<many"),
        ("show", "nothing"),
        ("tag", "wide-net", "-none"),
        ("tag", "wide-net", "a,b"),
        ("rename", "wide-net", "x" * 201),
        ("restore", "nothing"),
        ("export", "wide-net", "file.xyz"),
        ("import", "nothing.lmlab"),
        ("delete", "wide-net", "nothing"),
        ("unknown",),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line_and_as_json(home, lm_lab, words):
    ended = lm_lab("runs", *words)
    assert ended.code == 2
    assert ended.problem
    assert lm_lab("runs", *words, "--json").json["problem"]["what"]
    assert sorted(path.name for path in home.iterdir()) == ["counts", "wide-net"]


def test_a_damaged_run_is_reported_with_the_others(home, lm_lab):
    (home / "counts" / "run.json").write_text("{")
    ended = lm_lab("runs")
    assert ended.code == 0
    assert "counts" in ended.problem
    assert "wide-net" in ended.out
    assert len(lm_lab("runs", "--json").json["problems"]) == 1


def test_every_column_that_is_listed_is_understood(home, lm_lab):
    columns = lm_lab("runs", "columns", "--json").json["columns"]
    assert {"name", "verified", "training.seed", "best validation loss", "validation_loss"} <= set(columns)
    ended = lm_lab("runs", "--columns", ",".join(columns), "--json")
    assert ended.code == 0
    assert list(ended.json["runs"][0]) == ["run", *columns]
    assert "best validation loss" in lm_lab("runs", "columns").out


# --------------------------------------------------------------------------------------------------------- the table


@pytest.mark.parametrize("width", [200, 60, 30, 12])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(home, lm_lab, monkeypatch, width):
    count = f"{lm_lab('runs', 'show', 'wide-net', '--json').json['summary']['parameters']:,}"
    lm_lab("runs", "rename", "wide-net", "a name in 東京 " + "that goes on and on " * 6)
    monkeypatch.setenv("COLUMNS", str(width))
    out = lm_lab("runs", "--columns", "name,step,parameters,created,architecture").out
    wide = str.maketrans(dict.fromkeys("東京", "__"))
    assert max(len(line.translate(wide)) for line in out.splitlines()) <= width
    title, _, row, *note = out.splitlines()
    assert row.startswith("a name")
    if "parameters" in title:
        assert count in row
    else:
        assert "no room" in note[0] or width < 20


def test_numbers_are_right_aligned_and_wide_letters_take_two_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    print_table(("word", "n"), [("東京", "1,000"), ("a", "2")], right=(False, True))
    assert capsys.readouterr().out == "word      n\n東京  1,000\na         2\n"


def test_a_table_in_a_pipe_is_not_cut(home, lm_lab, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    lm_lab("runs", "rename", "wide-net", "x" * 200)
    assert "x" * 200 in lm_lab("runs").out


# ------------------------------------------------------------------------------------------------------ what is said


def test_a_run_is_renamed_and_found_by_its_new_name(home, lm_lab):
    assert lm_lab("runs", "rename", "wide-net", "Best so far").out == "Best so far\n"
    assert lm_lab("runs", "show", "Best so far", "--json").json["folder"] == "wide-net"
    lm_lab("runs", "rename", "wide-net")
    assert read_label(home / "wide-net").name == ""


def test_a_note_is_written_shown_and_removed(home, lm_lab):
    lm_lab("runs", "note", "wide-net", "- first\n- second")
    assert lm_lab("runs", "note", "wide-net").out == "- first\n- second\n"
    assert lm_lab("runs", "note", "wide-net", "").code == 2  # an unset variable of the shell
    lm_lab("runs", "note", "wide-net", "--remove")
    assert lm_lab("runs", "note", "wide-net", "--json").json["note"] == ""


def test_tags_are_added_and_taken_away_in_one_go(home, lm_lab):
    lm_lab("runs", "tag", "wide-net", "+a", "b", "+c")
    assert lm_lab("runs", "tag", "wide-net", "-a", "+d", "--json").json["tags"] == ["b", "c", "d"]
    assert lm_lab("runs", "tag", "wide-net").out == "wide-net [b, c, d]\n"
    assert names(lm_lab("runs", "--search", "tag=c", "--json")) == ["wide-net"]


def test_a_star_is_set_shown_and_taken_away(home, lm_lab):
    assert lm_lab("runs", "star", "wide-net").out == "wide-net *\n"
    assert "wide-net *" in lm_lab("runs").out
    assert lm_lab("runs", "star", "wide-net", "--off").out == "wide-net\n"


# ----------------------------------------------------------------------------------------------------------- the bin


def test_a_deleted_run_is_brought_back(home, lm_lab):
    assert "restore" in lm_lab("runs", "delete", "wide-net").out
    assert names(lm_lab("runs", "--json")) == ["counts"]
    assert lm_lab("runs", "restore").out == "wide-net\n"
    lm_lab("runs", "restore", "wide-net")
    assert names(lm_lab("runs", "--json")) == ["counts", "wide-net"]
    assert lm_lab("runs", "restore").out == "the bin is empty\n"


def test_several_runs_are_deleted_and_the_bin_emptied(home, lm_lab):
    assert lm_lab("runs", "delete", "wide-net", "counts", "--json").json == {"deleted": ["wide-net", "counts"]}
    assert lm_lab("runs", "empty-bin").out == "2 runs deleted permanently\n"
    assert lm_lab("runs", "empty-bin", "--json").json == {"removed": 0}
    assert lm_lab("runs", "--json").json["runs"] == []


def test_a_run_outside_the_lab_is_not_deleted(run, lm_lab):
    ended = lm_lab("runs", "delete", "./run")
    assert ended.code == 2
    assert "outside the lab's folder" in ended.problem
    assert (run / "run.json").exists()


# ---------------------------------------------------------------------------------------------------------- one page


def test_all_that_is_known_of_a_run_is_shown(home, lm_lab):
    edit = {"event": "set", "step": 2, "path": "training.clip", "value": 0.5, "before": 1}
    RunFolder.open(home / "wide-net").append_event(edit)
    lm_lab("runs", "tag", "wide-net", "mine")
    page = lm_lab("runs", "show", "wide-net").out
    for word in ("wide-net", "mine", "finished, step 3", "transformer", "animals.txt", "checkpoints", "step 3 (end",
                 "train loss, 3 points", "training.clip = 0.5 (was 1)", "not yet", str(home / "wide-net")):  # fmt: skip
        assert word in page
    result = lm_lab("runs", "show", "wide-net", "--json").json
    assert result["events"][-1]["path"] == "training.clip"
    assert result["settings"]["architecture.width"] == 16
    assert result["series"]["train loss"]["count"] == 3
    assert [each["step"] for each in result["checkpoints"]] == [3]
    assert result["bytes"] > 1000
    assert "vocabulary" not in result["facts"]


@pytest.mark.parametrize("name", ["metrics.sqlite", "events.jsonl", "status.json", "label.json", "recipe.toml"])
def test_a_run_with_a_damaged_file_is_shown_with_what_is_left(home, lm_lab, name):
    (home / "wide-net" / name).write_bytes(b"\xff{\n")
    ended = lm_lab("runs", "show", "wide-net")
    assert "Traceback" not in ended.err
    if name == "recipe.toml":  # no UTF-8: the run does not open
        assert ended.code == 1
    else:
        assert ended.code == 0
        assert name in ended.problem
        assert str(home / "wide-net") in ended.out


# ------------------------------------------------------------------------------------------------ elsewhere and again


def test_a_run_goes_into_a_file_and_comes_back_with_its_label(home, lm_lab, tmp_path):
    lm_lab("runs", "tag", "wide-net", "mine")
    assert lm_lab("runs", "export", "wide-net", "net.lmlab").code == 0
    ended = lm_lab("runs", "import", "net.lmlab", "--out", "elsewhere", "--json")
    assert ended.json["run"] == str(tmp_path / "elsewhere" / "wide-net")
    assert lm_lab("runs", "show", "elsewhere/wide-net", "--json").json["label"]["tags"] == ["mine"]


@pytest.mark.parametrize("name", ["net.lmlab", "net.csv", "net.html"])
def test_an_existing_file_is_replaced_only_with_overwrite(home, lm_lab, tmp_path, name):
    (tmp_path / name).write_text("mine")
    ended = lm_lab("runs", "export", "wide-net", name)
    assert ended.code == 2
    assert "--overwrite" in ended.problem
    assert (tmp_path / name).read_text() == "mine"
    assert lm_lab("runs", "export", "wide-net", name, "--overwrite", "--json").json["file"] == str(tmp_path / name)
    assert (tmp_path / name).read_bytes() != b"mine"


@pytest.mark.long  # in short: the full disk, onto which one is exported
def test_a_run_becomes_a_script(home, lm_lab, tmp_path):
    assert lm_lab("runs", "export", "wide-net", "net.py").code == 0
    compile((tmp_path / "net.py").read_text(encoding="utf-8"), "net.py", "exec")


@pytest.mark.long  # in short: one that is not reproducible, and one on pairs
def test_a_run_is_verified_and_shows_it(train, lm_lab):
    train()
    ended = lm_lab("runs", "verify", "run", "--json")
    assert (ended.code, ended.json["kind"], ended.json["last"]) == (0, "exact", 3)
    assert "exact, steps 0 to 3" in lm_lab("runs", "show", "./run").out
    assert lm_lab("runs", "verify", "run").out == "exact, steps 0 to 3\n"


def test_a_run_that_is_not_reproducible_ends_the_command_with_1(train, lm_lab, tmp_path):
    train()
    with contextlib.closing(sqlite3.connect(RunFolder.open(tmp_path / "run").metrics_file)) as db, db:
        db.execute("UPDATE tail SET value = value * 2")
    ended = lm_lab("runs", "verify", "run", "--json")
    assert (ended.code, ended.json["kind"]) == (1, "not reproducible")


@pytest.mark.parametrize("action", [(), ("list",), ("show",), ("tag",), ("export",), ("verify",)])
def test_every_action_has_help(lm_lab, capsys, action):
    with pytest.raises(SystemExit) as left:
        lm_lab("runs", *action, "--help")
    assert left.value.code == 0
    assert "usage: lm-lab runs" in capsys.readouterr().out


def test_json_of_the_list_holds_no_nan(home, lm_lab):
    status = json.loads((home / "counts" / "status.json").read_text())
    status["summary"]["validation_loss"] = None
    (home / "counts" / "status.json").write_text(json.dumps(status))
    assert lm_lab("runs", "--json").json["runs"][0]["validation_loss"] is None
