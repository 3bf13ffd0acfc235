"""Bundles: one file holds a complete, checked run; anything else is refused with a problem and leaves nothing."""

import contextlib
import errno
import json
import os
import shutil
import stat
import sys
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest
from damage import forge, made_run, packed, tree

from lab.base.folders import runs_folder
from lab.base.problems import BadInput, LabError
from lab.runs import MetricWriter, RunFolder, bundle, list_runs
from lab.runs.bundle import export_bundle, import_bundle
from lab.runs.library.labels import change_label, read_label


@pytest.fixture
def source_run(tmp_path):
    """A finished run with something of everything."""
    return made_run(tmp_path / "theirs" / "first")


@pytest.fixture
def file(source_run, tmp_path):
    """A bundle of it."""
    return export_bundle(source_run, tmp_path / "first.lmlab")


def refused(file, **options):
    """Return the problem with which a bundle is refused; nothing may be left of it."""
    before = tree(runs_folder())
    with pytest.raises(BadInput) as error:
        import_bundle(file, **options)
    problem = error.value.problem
    assert (problem.field, problem.value) == ("file", str(file))
    assert problem.what
    assert problem.remedy
    assert tree(runs_folder()) == before
    return problem


def test_a_run_comes_back_from_its_bundle_to_the_byte(source_run, file):
    run = import_bundle(file)
    assert run.path == runs_folder() / "first"
    assert (run.id, run.name, run.recipe) == (source_run.id, source_run.name, source_run.recipe)
    assert [each.name for each in list_runs()[0]] == ["first"]
    before, after = tree(source_run.path), tree(run.path)
    for name in ("status.json", "metrics.sqlite"):  # without the process that wrote it; a copy by SQLite
        del before[name], after[name]
    assert after == before
    assert run.status() == source_run.status()
    assert run.metrics().series() == source_run.metrics().series()


def test_what_a_person_said_of_a_run_travels(source_run, tmp_path):
    change_label(source_run.path, name="The good one", note="see § 3", tags=["thesis"])
    run = import_bundle(export_bundle(source_run, tmp_path / "b.lmlab"))
    label = read_label(run.path)
    assert (label.name, label.note, label.tags) == ("The good one", "see § 3", ("thesis",))


def test_an_imported_run_gets_a_number_if_a_run_here_has_its_name(tmp_path):
    theirs = RunFolder.create(tmp_path / "theirs", "", {"name": "Small"})
    ours = RunFolder.create(runs_folder() / "ours", "", {"name": "Small"})
    run = import_bundle(export_bundle(theirs, tmp_path / "b.lmlab"))
    assert read_label(run.path).name == "Small 2"
    assert (ours.assigned_name, read_label(ours.path).name) == ("Small", "")


def test_a_bundle_is_not_imported_into_a_home_that_is_as_large_as_the_policy_allows(
    file, lab_home, with_policy, tmp_path
):
    with_policy("disk_gb = 0.1")
    lab_home.mkdir()
    with (lab_home / "large").open("wb") as large:
        large.truncate(10**8)
    with pytest.raises(BadInput, match="disk_gb"):
        import_bundle(file)
    assert list((lab_home / "runs").iterdir()) == []
    assert import_bundle(file, tmp_path / "elsewhere").path.is_dir()


def test_the_same_run_makes_the_same_bundle(source_run, tmp_path):
    one, two = (export_bundle(source_run, tmp_path / name).read_bytes() for name in ("1", "2"))
    assert one == two


def test_what_is_no_part_of_a_run_is_left_out(source_run, tmp_path):
    for name in (
        ".writer.lock",
        "orders.jsonl",
        ".run.json.1.new",
        "thesis.doc",
        "readings/.7.new",
        "metrics.sqlite-wal",
    ):
        (source_run.path / name).write_text("mine")
    (source_run.path / "checkpoints" / ".9.new").mkdir()
    (source_run.path / "checkpoints" / ".9.new" / "model.safetensors").write_text("half")
    with zipfile.ZipFile(export_bundle(source_run, tmp_path / "b.lmlab")) as archive:
        names = set(archive.namelist())
    assert names == {
        *("manifest.json", "recipe.toml", "run.json", "status.json", "metrics.sqlite", "events.jsonl", "samples.jsonl"),
        *("readings/0.safetensors", "readings/50.safetensors"),
        *(
            f"checkpoints/{n}/{f}"
            for n in (50, 100)
            for f in ("model.safetensors", "training.safetensors", "state.json")
        ),
    }


@pytest.mark.skipif(sys.platform == "win32", reason="links are for administrators there")
def test_no_link_is_followed(source_run, tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "model.safetensors").write_text("secret")
    (source_run.path / "checkpoints" / "7").symlink_to(tmp_path / "secret")
    (source_run.path / "samples.jsonl").unlink()
    (source_run.path / "samples.jsonl").symlink_to(tmp_path / "secret" / "model.safetensors")
    with zipfile.ZipFile(export_bundle(source_run, tmp_path / "b.lmlab")) as archive:
        assert not {"samples.jsonl", "checkpoints/7/model.safetensors"} & set(archive.namelist())


def test_weights_are_stored_and_texts_deflated(file):
    with zipfile.ZipFile(file) as archive:
        kinds = {info.filename: info.compress_type for info in archive.infolist()}
    assert kinds["checkpoints/100/model.safetensors"] == zipfile.ZIP_STORED
    assert kinds["run.json"] == kinds["events.jsonl"] == zipfile.ZIP_DEFLATED


TRAIN = """
import sys, time
from pathlib import Path
from lab.runs import MetricWriter, RunFolder
run = RunFolder.create(Path(sys.argv[1]), "", {})
with MetricWriter(run.metrics_file) as writer:
    for step in range(10**9):
        writer.append([(step, "loss", step / 2), (step, "rate", step / 4)])
        run.append_event({"kind": "step", "step": step})
        run.update(step=step)
        if step == 20:
            print("ready", flush=True)
"""


def test_a_run_is_packed_while_it_trains_and_arrives_as_interrupted(start, tmp_path):
    start(TRAIN, tmp_path / "run").stdout.readline()
    run = RunFolder.open(tmp_path / "run")
    for number in range(5):
        bundle = export_bundle(run, tmp_path / f"{number}.lmlab")
        assert run.status().state == "running"
        copy = import_bundle(bundle, tmp_path / "elsewhere")
        assert copy.status().state == "interrupted"
        loss, rate = (copy.metrics().summary(name) for name in ("loss", "rate"))
        assert 20 <= loss.last_step == rate.last_step
        assert loss.last == 2 * rate.last == loss.last_step / 2
        assert [event["step"] for event in copy.events()][:20] == list(range(20))
        assert sorted(path.name for path in copy.path.glob("metrics*")) == ["metrics.sqlite"]


@pytest.mark.long  # in short: one that is packed while it trains
def test_a_run_copied_while_it_trains_opens(start, tmp_path):
    start(TRAIN, tmp_path / "run").stdout.readline()
    for number in range(10):
        with contextlib.suppress(shutil.Error):  # a file that was there a moment before; all others are copied
            shutil.copytree(tmp_path / "run", tmp_path / f"copy {number}")
        copy = RunFolder.open(tmp_path / f"copy {number}")
        assert copy.status().step >= 20
        steps, values = copy.metrics().read("loss")
        assert np.array_equal(values, steps / 2)
        assert len(copy.events()) >= 20


def test_a_process_of_this_machine_is_not_taken_for_the_writer_of_a_foreign_run(run, tmp_path):
    assert run.status().state == "running"  # this very process writes it
    file = export_bundle(run, tmp_path / "b.lmlab")
    copy = import_bundle(file, tmp_path / "elsewhere")
    assert copy.status().state == "interrupted"
    assert "writer" not in json.loads((copy.path / "status.json").read_text())


def test_damaged_metrics_stay_out_of_the_bundle_with_a_warning(source_run, tmp_path, notices):
    source_run.metrics_file.write_bytes(b"garbage" * 1000)
    run = import_bundle(export_bundle(source_run, tmp_path / "b.lmlab"))
    assert ["has no metrics" in notice.problem.what for notice in notices] == [True]
    assert run.checkpoint_steps() == [50, 100]
    with pytest.raises(LabError, match="it is missing"):
        run.metrics().series()


def test_a_run_without_its_papers_is_not_packed(source_run, tmp_path):
    (source_run.path / "run.json").unlink()
    with pytest.raises(LabError, match=r"run\.json cannot be read: it is missing"):
        export_bundle(source_run, tmp_path / "b.lmlab")
    assert not (tmp_path / "b.lmlab").exists()


def test_a_checkpoint_that_is_removed_meanwhile_is_packed_whole_or_not_at_all(source_run, tmp_path, monkeypatch):
    real = bundle._sizes

    def sizes(run):
        found = real(run)
        (run / "checkpoints" / "50" / "training.safetensors").unlink()
        return found

    monkeypatch.setattr(bundle, "_sizes", sizes)
    with zipfile.ZipFile(export_bundle(source_run, tmp_path / "b.lmlab")) as archive:
        names = archive.namelist()
    assert [name for name in names if name.startswith("checkpoints/50")] == []
    assert len([name for name in names if name.startswith("checkpoints/100")]) == 3


@pytest.mark.parametrize("after", [0, 1, 5, 12, 20, 25])
def test_a_full_disk_leaves_nothing_of_an_export(source_run, tmp_path, monkeypatch, after):
    real, left = Path.open, [after]

    class Full:
        def __init__(self, file):
            self._file = file

        def __getattr__(self, name):
            return getattr(self._file, name)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self._file.close()

        def write(self, data):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return self._file.write(data)

    def opened(path, mode="r", *rest, **options):
        file = real(path, mode, *rest, **options)
        return Full(file) if mode == "xb" else file

    (tmp_path / "b.lmlab").write_text("an older one")
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(LabError, match=r"cannot write b\.lmlab: No space left"):
        export_bundle(source_run, tmp_path / "b.lmlab")
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "b.lmlab").read_text() == "an older one"


def test_no_room_for_the_copy_of_the_metrics_is_a_full_disk_and_no_damage(source_run, tmp_path, monkeypatch):
    from lab.runs.metrics import reader as metric_reader

    real = metric_reader.connect

    def small(path, options):
        db = real(path, options)
        if options == "mode=rwc":
            db.execute("PRAGMA max_page_count=1")
        return db

    monkeypatch.setattr(metric_reader, "connect", small)
    with pytest.raises(LabError, match="No space left"):
        export_bundle(source_run, tmp_path / "b.lmlab")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


@pytest.mark.parametrize("name", ["run.json", "checkpoints/100/model.safetensors"])
def test_a_full_disk_leaves_nothing_of_an_import(file, monkeypatch, name):
    real = Path.open

    def opened(path, mode="r", *rest, **options):
        if mode == "xb" and path.as_posix().endswith(name):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(path, mode, *rest, **options)

    monkeypatch.setattr(Path, "open", opened)
    with pytest.raises(LabError, match="No space left"):
        import_bundle(file)
    assert list(runs_folder().iterdir()) == []


def test_a_cancelled_export_leaves_nothing_and_a_cancelled_import_neither(source_run, file, tmp_path):
    answers = iter([False] * 5 + [True] * 100)
    with pytest.raises(LabError, match="exporting the run was cancelled"):
        export_bundle(source_run, tmp_path / "b.lmlab", cancelled=lambda: next(answers))
    with pytest.raises(LabError, match="importing the run was cancelled"):
        import_bundle(file, cancelled=lambda: next(answers))
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["first.lmlab"]
    assert list(runs_folder().iterdir()) == []


def test_export_and_import_report_their_progress(source_run, tmp_path):
    shares = []
    file = export_bundle(source_run, tmp_path / "b.lmlab", progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    shares.clear()
    import_bundle(file, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_name_that_is_taken_gets_a_number(source_run, file):
    for _ in range(2):
        RunFolder.create(runs_folder() / f"first{'-2' if _ else ''}", "", {})
    assert import_bundle(file).name == "first-3"
    assert len(list_runs()[0]) == 3


def test_a_run_that_is_here_as_it_is_is_not_taken_in_twice(file):
    import_bundle(file)
    assert "this run is here already, as first" in refused(file).what


def test_a_run_that_continued_elsewhere_is_imported_as_another_run(source_run, file, tmp_path):
    import_bundle(file)
    with MetricWriter(source_run.metrics_file) as writer:
        writer.append([(10_000, "train/loss", 1.0)])
    run = import_bundle(export_bundle(source_run, tmp_path / "later.lmlab"))
    assert (run.name, run.id) == ("first-2", source_run.id)


def test_into_a_folder_of_ones_own_a_run_comes_as_often_as_one_likes(file, tmp_path):
    paths = [import_bundle(file, tmp_path / "mine").path for _ in range(2)]
    assert paths == [tmp_path / "mine" / "first", tmp_path / "mine" / "first-2"]
    assert not runs_folder().exists()


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("../../up", "-..-up"),
        ("/etc/passwd", "-etc-passwd"),
        ("C:\\Windows", "C--Windows"),
        (".bin", "bin"),
        ("..", "run-"),
        ("", "run-"),
        ("con", "run-con"),
        ("NUL.txt", "run-NUL.txt"),
        ("a\0b\nc", "a-b-c"),
        ("x" * 5000, "x" * 200),
        ("é" * 5000, "é" * 100),
        ("half \ud800", "half -"),
        ("ü ☃ 走", "ü ☃ 走"),
    ],
)
def test_no_name_of_a_run_leads_anywhere_else(file, tmp_path, name, becomes):
    forged = forge(file, tmp_path / "forged.lmlab", manifest=lambda manifest: manifest["run"].update(name=name))
    assert import_bundle(forged).path == runs_folder() / becomes


def test_a_bundle_and_a_run_may_have_the_longest_names(source_run, tmp_path):
    deep = tmp_path / "走" / "x y"
    deep.mkdir(parents=True)
    long = shutil.copytree(source_run.path, deep / ("n" * 250))
    file = export_bundle(RunFolder.open(long), deep / ("b" * 249 + ".lmlab"))
    assert len(file.name) == 255
    run = import_bundle(file, deep)
    assert run.name == "n" * 200
    assert run.metrics().series() == source_run.metrics().series()


def test_a_bundle_of_a_newer_lab_asks_for_a_newer_lab(file, tmp_path):
    forged = forge(file, tmp_path / "f.lmlab", manifest=lambda manifest: manifest.update(format=2))
    problem = refused(forged)
    assert problem.what == "this bundle has format 2, and this lab reads formats up to 1"
    assert "newer version" in problem.remedy


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" + bytes(1000), None])
def test_what_is_no_bundle_is_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "b.lmlab").write_bytes(content)
    refused(tmp_path / "b.lmlab")


def test_a_folder_is_no_bundle(tmp_path):
    assert "Is a directory" in refused(tmp_path).what or sys.platform == "win32"


BAD_NAMES = [
    *("../up", "a/../../up", "/etc/passwd", "C:\\x", "C:/x", "..\\up", "run.json\0.txt", "RUN.JSON", "run.json/"),
    *(
        "./run.json",
        "readings//5.safetensors",
        "readings/٣.safetensors",
        "readings/05.safetensors",
        "readings/-1.safetensors",
    ),
    *("checkpoints/5/", "checkpoints/5/model.pt", "checkpoints/5/5/state.json", "checkpoints/../run.json"),
    *("run.json\n", " run.json", "ｒun.json", "metrics.sqlite-wal", ".writer.lock", "lab.py", "", "x" * 60_000),
    f"readings/{'9' * 30}.safetensors",
]


@pytest.mark.short("*etc/passwd*", "*up*", "*lab.py*", "*checkpoints/*", "*RUN*")
@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: ascii(name[:30]))
def test_a_file_that_is_no_part_of_a_run_is_refused(file, tmp_path, name):
    what = refused(forge(file, tmp_path / "f.lmlab", add=[(name, b"x")])).what
    assert "which does not belong in it" in what or "cannot be read" in what


def test_a_link_is_refused(file, tmp_path):
    def link(entry):
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16

    forged = forge(file, tmp_path / "f.lmlab", add=[("label.json", b"/etc/passwd")], entry={"label.json": link})
    assert refused(forged).what == "label.json in it is a link or a device"


def test_a_name_that_occurs_twice_is_refused(file, tmp_path):
    with pytest.warns(UserWarning, match="Duplicate"):
        forged = forge(file, tmp_path / "f.lmlab", add=[("run.json", b"{}")])
    assert refused(forged).what == "it holds run.json twice"


def test_lists_that_disagree_are_refused(file, tmp_path):
    def forged(change):
        return forge(file, tmp_path / "f.lmlab", manifest=lambda manifest: change(manifest["files"]))

    assert "does not list" in refused(forged(lambda files: files.pop())).what
    assert "exactly once" in refused(forged(lambda files: files.append(dict(files[0])))).what
    assert "exactly once" in refused(forged(lambda files: files.append({**files[0], "name": "../up"}))).what
    assert "another size" in refused(forged(lambda files: files[0].update(bytes=files[0]["bytes"] + 1))).what
    assert "not a file" in refused(forged(lambda files: files[0].update(bytes=-1))).what
    assert "not a file" in refused(forged(lambda files: files[0].update(bytes=True))).what
    assert "not the file that was packed" in refused(forged(lambda files: files[0].update(sha256="0" * 64))).what


@pytest.mark.parametrize("name", ["run.json", "recipe.toml", "metrics.sqlite"])
def test_a_run_that_does_not_open_is_refused_however_well_it_is_packed(file, tmp_path, name):
    content = b"\xff\x00 garbage"
    forged = forge(file, tmp_path / "f.lmlab", replace={name: content})
    assert "the run in it does not open" in refused(forged).what


def test_a_database_with_code_in_it_is_refused(source_run, tmp_path):
    import sqlite3

    db = sqlite3.connect(source_run.metrics_file)
    db.execute("CREATE TRIGGER evil AFTER INSERT ON series BEGIN DELETE FROM series; END")
    db.commit()
    db.close()
    forged = packed(source_run.path, tmp_path / "f.lmlab")
    assert "does not hold the metrics of a run" in refused(forged).what


def test_more_than_the_limit_is_refused_before_anything_is_unpacked(file, monkeypatch):
    assert "unpacks to" in refused(file, limit=1000).what
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9, 500))
    assert "the disk has 500B free" in refused(file).what


def test_a_bomb_is_stopped_by_its_actual_size_for_any_stated_size(file, tmp_path):
    zeros = bytes(16 * 2**20)
    honest = forge(file, tmp_path / "honest.lmlab", replace={"samples.jsonl": zeros})
    assert "unpacks to" in refused(honest, limit=2**20).what

    def small(manifest):
        next(each for each in manifest["files"] if each["name"] == "samples.jsonl").update(bytes=100)

    lying = forge(file, tmp_path / "lying.lmlab", replace={"samples.jsonl": zeros}, manifest=small)
    lying.write_bytes(lying.read_bytes().replace(len(zeros).to_bytes(4, "little"), (100).to_bytes(4, "little")))
    tracemalloc.start()
    refused(lying, limit=2**20)
    assert tracemalloc.get_traced_memory()[1] < 10 * 2**20
    tracemalloc.stop()


def test_a_long_list_of_files_is_not_read_into_memory(file, tmp_path, monkeypatch):
    monkeypatch.setattr("lab.runs.bundle_file._LONGEST", 2**16)
    with zipfile.ZipFile(tmp_path / "many.lmlab", "w") as archive:
        for number in range(800):
            archive.writestr(zipfile.ZipInfo(f"readings/{number:012}.safetensors{'x' * 30}"), b"")
    assert "list of files is too long" in refused(tmp_path / "many.lmlab").what
