"""The run folder: created once, complete, portable; opened from any state a process or a disk may have left it in."""

import errno
import json
import os
import shutil
import traceback
from pathlib import Path

import psutil
import pytest

from lab.base.files import writing
from lab.base.problems import BadInput, LabError, Problem
from lab.runs import MetricWriter, RunFolder, provenance

RECIPE = 'version = 1\n\n[corpus]\nname = "the manual"\n'


def refuse(monkeypatch, name, number=errno.ENOSPC):
    """Have the one writer fail at files of this name."""
    real = writing._write_synced

    def write(path, data):
        if name in path.name:
            raise OSError(number, os.strerror(number))
        real(path, data)

    monkeypatch.setattr(writing, "_write_synced", write)


def test_a_new_run_is_complete_and_opens(run):
    names = sorted(path.name for path in run.path.iterdir())
    assert names == ["checkpoints", "metrics.sqlite", "readings", "recipe.toml", "run.json", "status.json"]
    opened = RunFolder.open(run.path)
    assert (opened.recipe, opened.name) == (RECIPE, "first")
    assert opened.facts == {"device": "cpu", "format": 2, "id": run.id, "created": run.created}
    assert opened.status().state == "running"
    assert opened.metrics().series() == {}
    assert (opened.events(), opened.samples(), opened.checkpoint_steps()) == ([], [], [])


def test_the_recipe_is_kept_to_the_byte(tmp_path):
    text = 'title = "ü ☃"\r\n\t# "quoted"\n'
    RunFolder.create(tmp_path / "run", text, {})
    assert (tmp_path / "run" / "recipe.toml").read_bytes() == text.encode()
    assert RunFolder.open(tmp_path / "run").recipe == text


def test_an_empty_folder_is_used_and_parents_are_made(tmp_path):
    (tmp_path / "a").mkdir()
    assert RunFolder.create(tmp_path / "a", "", {}).name == "a"
    assert RunFolder.create(tmp_path / "b" / "c" / "ü ☃", "", {}).name == "ü ☃"


@pytest.mark.parametrize(
    "occupy",
    [
        lambda path: path.mkdir() or (path / "thesis.doc").write_text("mine"),
        lambda path: path.mkdir() or (path / "checkpoints").mkdir(),
        lambda path: path.write_text("mine"),
        lambda path: RunFolder.create(path, "", {}),
    ],
    ids=["a file in it", "a claimed folder", "a file", "a run"],
)
def test_a_place_that_holds_something_is_refused_and_left_alone(tmp_path, occupy):
    occupy(tmp_path / "here")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(BadInput) as error:
        RunFolder.create(tmp_path / "here", "", {})
    assert (error.value.problem.field, error.value.problem.value) == ("out", str(tmp_path / "here"))
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_another_process_claims_at_the_same_moment_is_refused(tmp_path, monkeypatch):
    RunFolder.create(tmp_path / "here", "theirs", {})
    monkeypatch.setattr(Path, "iterdir", lambda _: iter(()))  # as it looked a moment before
    with pytest.raises(BadInput, match="this one is not empty"):
        RunFolder.create(tmp_path / "here", "mine", {})
    assert RunFolder.open(tmp_path / "here").recipe == "theirs"


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "file/run"])
def test_a_place_where_no_folder_can_be_is_refused(tmp_path, name):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput) as error:
        RunFolder.create(tmp_path / name, "", {})
    assert error.value.problem.field == "out"
    assert error.value.problem.remedy


@pytest.mark.parametrize("name", ["recipe.toml", "run.json", "status.json"])
def test_a_run_that_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch, name):
    refuse(monkeypatch, name)
    with pytest.raises(LabError, match=f"cannot write {name}.*No space left"):
        RunFolder.create(tmp_path / "run", RECIPE, {})
    assert not (tmp_path / "run").exists()


CREATE_ONE = """
import sys
from pathlib import Path
from lab.base import BadInput
from lab.runs import RunFolder
print("ready", flush=True)
sys.stdin.readline()
try:
    RunFolder.create(Path(sys.argv[1]), "", {})
    print("made")
except BadInput:
    print("refused")
"""


def test_of_processes_that_want_one_folder_one_gets_it(start, tmp_path):
    processes = [start(CREATE_ONE, tmp_path / "run") for _ in range(2)]
    for process in processes:
        process.stdout.readline()
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    assert sorted(process.stdout.read().strip() for process in processes) == ["made", "refused"]
    assert RunFolder.open(tmp_path / "run").metrics().series() == {}


def test_the_status_retains_what_is_not_updated(run):
    run.update(step=100, summary={"train/loss": 2.5, "validation/loss": float("nan")})
    run.update(summary={"validation/loss": 2.75})
    status = run.status()
    assert (status.state, status.step, status.problem) == ("running", 100, None)
    assert status.summary == {"train/loss": 2.5, "validation/loss": 2.75}


def test_numbers_json_has_no_word_for_become_none(run):
    run.update(summary={"loss": float("nan"), "largest": float("inf")})
    assert run.status().summary == {"loss": None, "largest": None}


def test_a_problem_stays_until_the_state_changes_without_one(run):
    run.update(state="failed", problem=Problem("out of memory", remedy="Halve the batch"))
    run.update(step=7)
    assert (run.status().state, run.status().step) == ("failed", 7)
    assert run.status().problem == {"what": "out of memory", "remedy": "Halve the batch"}
    run.update(state="running")
    assert run.status().problem is None


def test_a_run_that_its_own_process_marks_as_interrupted_stays_so_until_changed(run):
    run.update(state="interrupted", problem=Problem("the device was lost"))
    run.update(step=9)
    assert (run.status().state, run.status().step) == ("interrupted", 9)
    run.update(state="running")
    assert run.status().state == "running"


def test_a_status_that_cannot_be_written_leaves_the_old_one(run, monkeypatch):
    run.update(step=5)
    refuse(monkeypatch, "status.json")
    with pytest.raises(LabError, match="No space left"):
        run.update(step=6)
    assert run.status().step == 5


RUN_FOR_EVER = """
import sys, time
from pathlib import Path
from lab.runs import RunFolder
run = RunFolder.create(Path(sys.argv[1]), "", {})
run.update(step=40)
run.append_event({"kind": "pause", "step": 40})
print("ready", flush=True)
time.sleep(60)
"""


def test_a_run_whose_process_was_killed_reads_as_interrupted(start, tmp_path):
    process = start(RUN_FOR_EVER, tmp_path / "run")
    process.stdout.readline()
    run = RunFolder.open(tmp_path / "run")
    assert run.status().state == "running"
    process.kill()
    while (
        psutil.Process(process.pid).status() != psutil.STATUS_ZOMBIE if os.name == "posix" else process.poll() is None
    ):
        pass
    assert (run.status().state, run.status().step) == ("interrupted", 40)  # also before it was waited for
    process.wait()
    assert run.status().state == "interrupted"
    assert run.events()[0]["kind"] == "pause"
    run.update(step=41)  # the process that writes next owns it
    assert run.status().state == "running"


@pytest.mark.parametrize(
    "writer",
    [None, {}, {"pid": "1", "started": 0}, {"pid": -1, "started": 0}, {"pid": 2**62, "started": 0}, [1], "1"],
)
def test_a_running_run_of_no_known_process_is_interrupted(run, writer):
    record = json.loads((run.path / "status.json").read_text())
    (run.path / "status.json").write_text(json.dumps({**record, "writer": writer}))
    assert run.status().state == "interrupted"


def test_the_number_of_a_dead_process_given_to_another_one_deceives_nobody(run):
    record = json.loads((run.path / "status.json").read_text())
    record["writer"]["started"] -= 1000
    (run.path / "status.json").write_text(json.dumps(record))
    assert run.status().state == "interrupted"


def test_a_run_that_ended_needs_no_process(run):
    for state in ("finished", "stopped", "failed"):
        run.update(state=state)
        (run.path / "status.json").write_text((run.path / "status.json").read_text().replace(str(os.getpid()), "1"))
        assert run.status().state == state


def test_events_and_samples_are_lines_in_order_with_their_time(run):
    run.append_event({"kind": "set", "step": 3, "changes": {"training.learning_rate": 0.1}})
    run.append_event({"kind": "alarm", "loss": float("nan")})
    run.append_sample({"step": 3, "text": "To be,\nor not\u2028"})
    assert [event["kind"] for event in run.events()] == ["set", "alarm"]
    assert run.events()[1]["loss"] is None
    assert run.events()[0]["time"] <= run.events()[1]["time"]
    assert run.samples()[0]["text"] == "To be,\nor not\u2028"


def test_a_sample_comes_back_word_for_word(run):
    texts = ["", "the cat", "größe → 日本語 🙂", "\0\t\r\n\x85\u2028\u2029", "\"'\\", "half a letter: \ud83d", "\ude42"]
    for text in texts:
        run.append_sample({"text": text})
    assert [sample["text"] for sample in run.samples()] == texts


def test_a_line_that_a_killed_process_tore_is_left_out_and_written_over(run):
    run.append_event({"kind": "first"})
    with (run.path / "events.jsonl").open("ab") as file:
        file.write(b'{"kind": "torn", "te')
    assert [event["kind"] for event in run.events()] == ["first"]
    run.append_event({"kind": "second"})
    assert [event["kind"] for event in run.events()] == ["first", "second"]


@pytest.mark.parametrize("line", [b"{", b"[1]", b"\xff", b'{"loss": NaN}', b"[" * 100_000])
def test_a_damaged_line_is_named(run, line):
    run.append_event({"kind": "first"})
    with (run.path / "events.jsonl").open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(LabError, match=r"events\.jsonl cannot be read: line 2"):
        run.events()


def test_what_is_no_plain_data_is_refused_before_it_is_written(run):
    with pytest.raises(TypeError, match="not a object"):
        run.append_event({"model": object()})
    assert run.events() == []


def test_checkpoints_are_the_folders_named_after_steps(run):
    for step in (200, 30):
        run.checkpoint_folder(step).mkdir()
    (run.path / "checkpoints" / ".400.new").mkdir()
    (run.path / "checkpoints" / "500").touch()
    assert run.checkpoint_steps() == [30, 200]


def test_nothing_in_a_run_reveals_its_location_or_user(tmp_path, lab_home, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "Ann Smith"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "Ann Smith"))
    thesis = tmp_path / "Ann Smith" / "thesis.txt"
    command = ["lm-lab", "train", str(thesis), "--out=/data/ann/x", r"C:\Users\ann\x.toml"]
    run = RunFolder.create(lab_home / "runs" / "one", RECIPE, provenance(command=command))
    try:
        (tmp_path / "gone" / "file").write_text("")
    except OSError as error:
        trace = traceback.format_exc()
        problem = writing.writing_problem(error, run.path / "metrics.sqlite")
    run.update(state="failed", problem=Problem(problem.what, value=problem.value, trace=trace))
    run.append_event({"kind": "problem", "text": f"cannot read '{thesis}'", "link": "https://example.org/a/b"})
    content = b"\n".join(path.read_bytes() for path in run.path.rglob("*") if path.is_file()).decode("latin-1")
    for secret in (
        str(tmp_path),
        str(lab_home),
        str(Path(__file__).parent),
        "Ann",
        "/ann",
        r"\ann",
    ):
        assert secret not in content
    assert run.events()[0]["text"] == "cannot read '…/thesis.txt'"
    assert run.events()[0]["link"] == "https://example.org/a/b"
    assert run.facts["command"] == ["lm-lab", "train", "…/thesis.txt", "--out=…/x", "…/x.toml"]
    assert "…/test_folder.py" in run.status().problem["trace"]


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("cannot read '/data/Max Mustermann/my texts/a b.txt'", "cannot read '…/a b.txt'"),
        (r"C:\Users\Max Mustermann\a.txt is missing", "…/a.txt is missing"),
        (r"'C:\\Users\\Max Mustermann\\a.txt'", "'…/a.txt'"),
        (r"\\server\Max Mustermann\a.txt", "…/a.txt"),
        ("../Max Mustermann/a.txt", "…/a.txt"),
        ("~max/Max Mustermann/a.txt", "…/a.txt"),
        ("file:///home/Max%20Mustermann/a.txt", "…/a.txt"),
        ("300 tokens/s and 3 / 4 at https://example.org/a/b", "300 tokens/s and 3 / 4 at https://example.org/a/b"),
    ],
)
def test_a_path_is_cut_whatever_its_folders_are_called(run, text, stored):
    run.append_event({"event": "problem", "what": text})
    run.update(problem=Problem(text))
    assert run.events()[0]["what"] == run.status().problem["what"] == stored


def test_a_copied_run_opens_elsewhere(run, tmp_path):
    with MetricWriter(run.metrics_file) as writer:
        writer.append([(1, "loss", 2.5)])
    run.update(state="finished", step=1)
    shutil.copytree(run.path, tmp_path / "elsewhere" / "copy")
    shutil.rmtree(run.path)
    copy = RunFolder.open(tmp_path / "elsewhere" / "copy")
    assert (copy.status().state, copy.metrics().summary("loss").last) == ("finished", 2.5)


@pytest.mark.parametrize("name", ["run.json", "recipe.toml"])
def test_a_folder_without_its_papers_is_no_run(run, name):
    (run.path / name).unlink()
    with pytest.raises(BadInput, match=f"not a run: {name} missing") as error:
        RunFolder.open(run.path)
    assert error.value.problem.value == str(run.path)


@pytest.mark.parametrize("name", ["nowhere", "x" * 300, "a\0b", ""])
def test_where_there_is_nothing_there_is_no_run(tmp_path, name):
    with pytest.raises(BadInput, match=r"run\.json and recipe\.toml missing"):
        RunFolder.open(tmp_path / name)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"format": "1"}',
        b'{"format": null}',
        b'{"format": 0}',
        b'{"a": 1}',
        b'{"format": NaN}',
        b'{"format": 1' + b"1" * 5000 + b"}",
        b"[" * 100_000,
        b" " * (17 * 2**20),
    ],
    ids=lambda content: ascii(content[:16]),
)
def test_damaged_papers_are_named(run, content):
    (run.path / "run.json").write_bytes(content)
    with pytest.raises(LabError, match=r"run\.json cannot be read"):
        RunFolder.open(run.path)


def test_a_recipe_that_is_no_text_is_named(run):
    (run.path / "recipe.toml").write_bytes(b"\xff")
    with pytest.raises(LabError, match=r"recipe\.toml cannot be read"):
        RunFolder.open(run.path)


def test_a_run_of_a_newer_lab_asks_for_a_newer_lab(run):
    (run.path / "run.json").write_text('{"format": 3}')
    with pytest.raises(BadInput, match=r"has format 3, and this lab reads formats up to 2\. .*newer version"):
        RunFolder.open(run.path)


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"",
        b"[]",
        b"{}",
        b'{"state": null}',
        b'{"state": "asleep"}',
        b'{"state": ["running"]}',
        b'{"state": "running", "step": "9"}',
        b'{"state": "running", "summary": []}',
        b'{"state": "running", "problem": "all"}',
    ],
)
def test_a_damaged_status_is_named_the_rest_opens_and_the_next_one_heals_it(run, content):
    (run.path / "status.json").unlink()
    if content is not None:
        (run.path / "status.json").write_bytes(content)
    opened = RunFolder.open(run.path)
    with pytest.raises(LabError, match=r"status\.json cannot be read"):
        opened.status()
    assert opened.metrics().series() == {}
    opened.update(step=12)
    assert (opened.status().state, opened.status().step) == ("running", 12)


def test_a_run_without_its_metrics_still_opens(run):
    run.metrics_file.unlink()
    opened = RunFolder.open(run.path)
    assert opened.status().state == "running"
    with pytest.raises(LabError, match=r"metrics\.sqlite cannot be read: it is missing"):
        opened.metrics().series()


def test_the_vocabulary_is_kept_word_for_word(tmp_path):
    texts = ["/usr/", "ab-/cd\\ef", "\\", "…", f"{Path.home()}/x", str(tmp_path / "run")]
    RunFolder.create(tmp_path / "run", RECIPE, {"vocabulary": {"words": texts}, "place": "/usr/lib"})
    facts = RunFolder.open(tmp_path / "run").facts
    assert facts["vocabulary"] == {"words": texts}
    assert facts["place"] == "…/lib"


@pytest.mark.parametrize("state", ["queued", "asleep", None, ["running"]])
def test_a_stored_state_that_no_folder_has_is_refused(run, state):
    file = run.path / "status.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "state": state}))
    with pytest.raises(LabError, match="it does not hold the status of a run"):
        run.status()
