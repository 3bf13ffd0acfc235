"""The lab's own runs: names that never clash, the list, and the run a person means."""

import pytest

from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError
from lab.runs import RunFolder, list_runs, new_run_folder, resolve_run
from lab.runs.library import names as naming
from lab.runs.library.labels import change_label


@pytest.fixture
def make():
    """Make runs of these names in the lab's folder, each newer than the one before."""

    def make(*names):
        return [RunFolder.create(runs_folder() / name, "", {}) for name in names]

    return make


def test_a_new_run_is_named_after_date_time_and_architecture():
    path = new_run_folder("my/own net")
    assert path.parent == runs_folder()
    assert path.name[:2] == "20"
    assert path.name.endswith("-my-own-net")
    assert RunFolder.create(path, "", {}).name == path.name


NAME_SEVERAL = """
from lab.runs import new_run_folder
for _ in range(50):
    print(new_run_folder("transformer").name)
"""


@pytest.mark.long  # in short: of two processes one gets a folder
def test_starts_in_the_same_second_also_of_two_processes_get_names_of_their_own(start):
    processes = [start(NAME_SEVERAL) for _ in range(2)]
    names = [name for process in processes for name in process.stdout.read().split()]
    assert len(names) == 100
    assert {path.name for path in runs_folder().iterdir()} == set(names)


def test_no_run_is_made_in_a_home_that_is_as_large_as_the_policy_allows(lab_home, with_policy):
    with_policy("disk_gb = 0.1")
    runs_folder().mkdir(parents=True)
    with (lab_home / "large").open("wb") as large:
        large.truncate(10**8 + 1)
    with pytest.raises(BadInput, match="disk_gb"):
        new_run_folder("transformer")
    assert list(runs_folder().iterdir()) == []


def test_a_home_that_cannot_hold_runs_is_reported(lab_home):
    lab_home.write_text("a file")
    with pytest.raises(BadInput) as error:
        new_run_folder("ngram")
    assert "LAB_HOME" in error.value.problem.remedy


def test_runs_are_listed_newest_first(make):
    make("zebra", "ant", "cow")
    runs, problems = list_runs()
    assert [run.name for run in runs] == ["cow", "ant", "zebra"]
    assert problems == []


def test_without_a_home_there_are_no_runs():
    assert list_runs() == ([], [])
    with pytest.raises(BadInput, match="there are no runs"):
        resolve_run("last")


def test_what_does_not_open_is_listed_as_a_problem_and_what_is_no_run_not_at_all(make):
    make("good", "garbled", "bare")
    (runs_folder() / "garbled" / "run.json").write_text("{")
    (runs_folder() / "bare" / "run.json").unlink()
    new_run_folder("being-made")
    (runs_folder() / "notes.txt").write_text("mine")
    runs, problems = list_runs()
    assert [run.name for run in runs] == ["good"]
    assert ["garbled" in problem.line() or "bare" in problem.line() for problem in problems] == [True, True]


def test_a_person_names_a_run_by_name_prefix_path_or_as_the_last(make, tmp_path, monkeypatch):
    make("2025-ngram", "2026-mamba", "2026-mamba-2")
    RunFolder.create(tmp_path / "own" / "2025", "", {})
    monkeypatch.chdir(tmp_path / "own")
    found = {
        "2026-mamba": runs_folder() / "2026-mamba",
        "2025-": runs_folder() / "2025-ngram",
        "last": runs_folder() / "2026-mamba-2",
        "2025": tmp_path / "own" / "2025",
        "./2025": tmp_path / "own" / "2025",
        str(runs_folder() / "2025-ngram"): runs_folder() / "2025-ngram",
    }
    for text, path in found.items():
        assert resolve_run(text).path.resolve() == path.resolve()


@pytest.mark.parametrize(
    ("text", "what", "allowed"),
    [
        ("2026", "several", "2026-mamba, 2026-rwkv"),
        ("2026-mamab", "no such run", "2026-mamba"),
        ("", "no such run", "2026-rwkv"),
        ("~nobody", "no such run", "2026"),
        ("x" * 300, "no such run", "2026"),
        ("../runs/2026", "not a run", "folder"),
        ("~nobody/x", "not a run", "folder"),
    ],
)
def test_an_ambiguous_name_is_reported_with_the_possible_runs(make, text, what, allowed):
    make("2025-ngram", "2026-mamba", "2026-rwkv")
    with pytest.raises(BadInput, match=what) as error:
        resolve_run(text)
    assert error.value.problem.field == "run"
    assert allowed in error.value.problem.allowed


def test_a_damaged_run_that_is_named_is_reported_as_damaged(make):
    make("one")
    (runs_folder() / "one" / "run.json").write_text("{")
    with pytest.raises(LabError, match=r"run\.json cannot be read"):
        resolve_run("one")


def test_the_clock_going_backwards_does_not_hide_a_name(make, monkeypatch):
    class Stopped(naming.datetime):
        @classmethod
        def now(cls):
            return cls(2020, 1, 2, 3, 4, 5)

    monkeypatch.setattr(naming, "datetime", Stopped)
    names = [new_run_folder("gru").name for _ in range(3)]
    assert names == ["2020-01-02-030405-gru", "2020-01-02-030405-gru-2", "2020-01-02-030405-gru-3"]


def test_a_run_is_also_found_by_the_name_that_a_person_gave_it(make):
    one, two = make("2026-mamba", "2026-rwkv")
    change_label(one.path, name="the wide one")
    change_label(two.path, name="2026-mamba")  # a folder's own name comes first
    found = {text: resolve_run(text).name for text in ("the wide one", "the w", "2026-mamba")}
    assert found == {"the wide one": "2026-mamba", "the w": "2026-mamba", "2026-mamba": "2026-mamba"}


def test_a_name_that_several_runs_were_given_is_refused_with_their_folders(make):
    for run in make("a", "b"):
        change_label(run.path, name="same")
    with pytest.raises(BadInput, match="several runs have this name") as error:
        resolve_run("same")
    assert error.value.problem.allowed == "a, b"


def test_folders_whose_names_begin_with_a_point_are_not_listed(make):
    make("one", ".being-unpacked")
    assert [run.name for run in list_runs()[0]] == ["one"]
