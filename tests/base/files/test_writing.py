"""Writing: the old file or the new one, whole, whatever the operating system refuses."""

import contextlib
import errno
import fcntl
import json
import os
import shutil
from pathlib import Path

import pytest

from lab.base import BadInput, LabError
from lab.base.files import writing
from lab.base.files.writing import (
    check_writable,
    make_folder,
    sync_tree,
    write_atomically,
    write_errors_as_problems,
    write_file,
    write_json,
    writing_problem,
)


class FailingCalls:
    """A patch of the operating system: so many calls succeed, the next one fails."""

    def __init__(self, monkeypatch, after, error):
        self.left, self.error, self.struck = after, error, None
        for name in ("fsync", "open"):
            monkeypatch.setattr(os, name, self.watched(f"os.{name}", getattr(os, name)))
        for name in ("open", "replace"):
            monkeypatch.setattr(Path, name, self.watched(f"Path.{name}", getattr(Path, name)))

    def watched(self, name, call):
        def watched(*arguments, **options):
            self.left -= 1
            if self.left == -1:
                self.struck = name
                raise self.error
            return call(*arguments, **options)

        return watched


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EIO, "Input/output error"),
        PermissionError(errno.EACCES, "Permission denied"),
        KeyboardInterrupt(),
    ],
)
@pytest.mark.parametrize("after", range(6))
@pytest.mark.parametrize("old", ["old", None])
def test_a_file_is_the_old_one_or_the_new_one_whichever_call_fails(tmp_path, monkeypatch, old, after, error):
    file = tmp_path / "note.txt"
    if old:
        file.write_text(old)
    with monkeypatch.context() as during:
        failing = FailingCalls(during, after, error)
        failed = None
        try:
            write_file(file, "new")
        except (LabError, KeyboardInterrupt) as raised:
            failed = raised
    content = file.read_text() if file.exists() else None
    assert content in (old, "new")
    assert failed is not None or content == "new"
    assert failing.struck or content == "new"
    assert [path.name for path in tmp_path.iterdir()] == ([file.name] if content else [])
    if isinstance(failed, LabError):
        assert str(tmp_path) in str(failed)
        assert "--out" in failed.problem.remedy


def test_a_folder_is_made_whole_or_not_at_all(tmp_path):
    folder = tmp_path / "made"

    def half(temporary):
        temporary.mkdir()
        (temporary / "one").write_text("1")
        raise OSError(errno.ENOSPC, "No space left on device")

    def whole(temporary):
        temporary.mkdir()
        (temporary / "two").write_text("2")
        sync_tree(temporary)

    with pytest.raises(LabError, match="No space left"):
        write_atomically(folder, half)
    assert list(tmp_path.iterdir()) == []
    write_atomically(folder, whole)
    write_atomically(folder, whole)
    assert [path.name for path in folder.iterdir()] == ["two"]
    with pytest.raises(LabError):
        write_atomically(folder, half)
    assert [path.name for path in folder.iterdir()] == ["two"]


def test_a_file_is_synced_by_a_handle_that_may_write(tmp_path, monkeypatch):
    (tmp_path / "a").write_text("a")
    modes = []
    monkeypatch.setattr(os, "fsync", lambda handle: modes.append(fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE))
    sync_tree(tmp_path)
    assert modes == [os.O_RDWR]
    assert (tmp_path / "a").read_text() == "a"


@pytest.mark.parametrize(("windows", "refusals", "written"), [(True, 3, True), (True, 10**9, False), (False, 1, False)])
def test_windows_is_asked_again_while_somebody_reads_the_file(tmp_path, monkeypatch, windows, refusals, written):
    replace, targets = Path.replace, []

    def refuse(self, target):
        targets.append(target)
        if len(targets) <= refusals:
            raise PermissionError(errno.EACCES, "Access is denied")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(writing, "WINDOWS", windows)
    monkeypatch.setattr(writing, "PATIENCE", 0.2)
    with contextlib.nullcontext() if written else pytest.raises(LabError, match="Access is denied"):
        write_file(tmp_path / "a", "new")
    assert [path.name for path in tmp_path.iterdir()] == (["a"] if written else [])
    assert len(targets) > 1 or not windows


def test_bytes_and_text_are_written_as_they_are(tmp_path):
    write_file(tmp_path / "a", b"\x00\xff")
    write_file(tmp_path / "b", "ä\n")
    assert (tmp_path / "a").read_bytes() == b"\x00\xff"
    assert (tmp_path / "b").read_bytes() == "ä\n".encode()


def test_json_is_for_people_too_and_never_nan(tmp_path):
    write_json(tmp_path / "a.json", {"ä": [1]})
    assert (tmp_path / "a.json").read_text() == '{\n  "ä": [\n    1\n  ]\n}\n'
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a.json", float("nan"))
    assert json.loads((tmp_path / "a.json").read_text()) == {"ä": [1]}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "you may write to"),
        (errno.EROFS, "read-only"),
        (errno.ENOTDIR, "is a file"),
        (errno.EIO, "Check that disk"),
    ],
)
def test_every_refusal_names_the_folder_and_what_to_do(number, words):
    problem = writing_problem(OSError(number, os.strerror(number)), Path("/some/where/x.json"))
    assert problem.value == str(Path("/some/where"))
    assert "x.json" in problem.what
    assert words in problem.remedy


def test_a_refusal_without_a_number_is_reported_by_its_text():
    with pytest.raises(LabError, match="something odd"), write_errors_as_problems(Path("a/b")):
        raise OSError("something odd")


def test_a_folder_is_made_with_its_parents_and_left_empty(tmp_path):
    assert make_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert list((tmp_path / "a" / "b").iterdir()) == []


def test_a_folder_that_is_a_file_or_cannot_be_written_to_is_refused(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/lab")):
        with pytest.raises(BadInput):
            make_folder(place)

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(BadInput, match="Permission denied"):
        make_folder(tmp_path / "shut")


def test_whether_a_folder_can_be_written_to_is_found_without_making_it(tmp_path):
    check_writable(tmp_path / "a" / "b")
    check_writable(tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", Path("/proc/lab")):
        with pytest.raises(BadInput) as caught:
            check_writable(place)
        assert caught.value.problem.remedy


def test_a_folder_that_was_removed_meanwhile_is_named(tmp_path):
    (tmp_path / "gone").mkdir()
    shutil.rmtree(tmp_path / "gone")
    with pytest.raises(LabError, match="No such file or directory"):
        write_file(tmp_path / "gone" / "x", "x")


def test_of_several_files_none_is_written_where_one_cannot_be(tmp_path, monkeypatch):
    write_synced, written = writing._write_synced, []

    def full(path, data):
        written.append(path)
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_synced(path, data)

    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("old")
    monkeypatch.setattr(writing, "_write_synced", full)
    with pytest.raises(LabError, match="cannot write second: No space left on device"):
        writing.write_files({first: "new", second: b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["first"]
    assert first.read_text() == "old"
    writing.write_files({first: "new", second: b"new"})
    assert (first.read_text(), second.read_text()) == ("new", "new")


def test_a_failure_to_write_a_file_that_the_user_named_names_no_option_for_another_folder(tmp_path, monkeypatch):
    for number, remedy in writing.REMEDIES.items():
        with pytest.raises(LabError) as failure, writing.named_by_user(), writing.write_errors_as_problems(tmp_path):
            raise OSError(number, "no")
        assert "--out" not in failure.value.problem.remedy
        assert remedy.startswith(failure.value.problem.remedy)
