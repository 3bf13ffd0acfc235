"""Bundles: a run packed into one file, and the import of bundles, which is complete and checked or does nothing."""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from lab.base.files.reading import open_regular
from lab.base.files.temporary import temporary_path
from lab.base.files.writing import (
    folder_for,
    make_folder,
    named_by_user,
    place,
    sync_tree,
    write_atomically,
    write_errors_as_problems,
    write_json,
)
from lab.base.folders import runs_folder
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.run_state import RunState
from lab.base.system.room import check_room
from lab.base.units import short
from lab.runs.bundle_file import FORMAT, MANIFEST, PIECE, Bundle, BundledFile, is_run_file, student_name
from lab.runs.fields import StoredStatus
from lab.runs.folder import RunFolder
from lab.runs.library.labels import change_label, read_label
from lab.runs.library.names import list_runs
from lab.runs.library.titles import numbered_name
from lab.runs.readings import reading_steps
from lab.runs.records import damaged, read_record

LIMIT = 20 * 2**30
"""Most bytes that a bundle may unpack to."""

RECORDS = 2**28
"""Most bytes of the records of a run in a bundle that is read without being imported."""

_SAMPLE = 2**18  # bytes from the middle of a file, to estimate its compression
_WORTH = 0.9  # files that shrink to this share are compressed: metrics and text do, weights do not
_LONGEST_NAME = 200  # bytes; file systems take 255, and a number may be added
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # not allowed as folder names on Windows


def export_bundle(
    run: RunFolder,
    file: Path,
    *,
    student: str = "",
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> Path:
    """Pack a run into one file, even during training. The same run gives the same bytes.

    Unknown files and links are left out. Metrics that cannot be read are left out with a warning.

    Args:
        run: The run.
        file: The path of the bundle; an existing file is replaced.
        student: The name of the student who hands it in; "" for none.
        cancelled: Called about once per MiB; returning True ends the work.
        progress: Called with the share that is done, 0 to 1.

    Returns:
        `file`.

    Raises:
        LabError: It could not be written, a file of the run could not be read, or it was cancelled; an existing
            `file` is unchanged.
    """
    write = partial(write_bundle, run, student=student, cancelled=cancelled, progress=progress)
    with named_by_user():
        write_atomically(file, write, recorded=True)
    return file


def write_bundle(
    run: RunFolder,
    new: Path,
    *,
    student: str = "",
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> None:
    """Write a run to a new file, which may be left incomplete; otherwise as `export_bundle`.

    Raises:
        LabError: A file of the run could not be read, or it was cancelled.
        OSError: It could not be written.
    """
    with _reading(run.path):
        sizes = _sizes(run.path)
    advance = _progress_counter("exporting the run", sum(sizes.values()), cancelled, progress)
    metrics = new.with_name(new.name + "-metrics")
    try:
        with _new_zip(new) as archive:
            listed = _pack(run, sorted(sizes), archive, metrics, advance)
            _write_manifest(archive, _about(run.id, run.name, student), listed)
    finally:
        metrics.unlink(missing_ok=True)


def write_package(new: Path, about: Mapping[str, Any], contents: Mapping[str, Path | bytes]) -> None:
    """Write a package of files to a new file, which may be left incomplete.

    Args:
        new: The file.
        about: What its manifest says of it.
        contents: The files by their names in it.

    Raises:
        LabError: A file could not be read.
        OSError: It could not be written.
    """
    with _new_zip(new) as archive:
        listed = []
        for name, content in contents.items():
            with contextlib.ExitStack() as opened:
                if isinstance(content, Path):
                    with read_errors_as_problems(content):
                        source = opened.enter_context(open_regular(content))
                else:
                    source = io.BytesIO(content)
                size, digest = _add(archive, name, source, lambda _: None)
            listed.append({"name": name, "bytes": size, "sha256": digest})
        _write_manifest(archive, about, listed)


def write_signed(file: Path, new: Path, student: str) -> None:
    """Write a bundle, with the name of the student who hands it in, to a new file, which may be left incomplete.

    Raises:
        BadInput: The bundle is refused.
        OSError: It could not be written.
    """
    with Bundle.open(file) as bundle, _new_zip(new) as archive:
        listed = []
        for packed in bundle.files:
            entry = _entry(packed.name, bundle.compression(packed))
            entry.file_size = packed.size
            with archive.open(entry, "w") as target:
                for piece in bundle.pieces(packed):
                    target.write(piece)
            listed.append({"name": packed.name, "bytes": packed.size, "sha256": packed.sha256})
        _write_manifest(archive, _about(bundle.run_id, bundle.run_name, student), listed)


@contextlib.contextmanager
def open_records(
    file: Path,
    *,
    check_all: bool = False,
    limit: int = LIMIT,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[Bundle, RunFolder]]:
    """Yield a bundle, and its run without checkpoints and readings; the run is gone when this is left.

    Args:
        file: The bundle.
        check_all: True to check the content of checkpoints and readings, too, as an import does.
        limit: Most bytes that the bundle may unpack to.
        cancelled: Called about once per MiB; returning True ends the work.

    Raises:
        BadInput: The bundle is refused; the problem gives the reason.
        LabError: The records could not be written, or it was cancelled.
    """
    with contextlib.ExitStack() as entered:
        bundle = entered.enter_context(Bundle.open(file))
        records = [entry for entry in bundle.files if "/" not in entry.name]
        _check_limit(bundle, sum(entry.size for entry in bundle.files), limit)
        _check_limit(bundle, sum(entry.size for entry in records), min(limit, RECORDS))
        advance = _progress_counter("reading the bundle", 0, cancelled, lambda _: None)
        with write_errors_as_problems(Path(tempfile.gettempdir()) / "lm-lab"):  # the lab's folder may be full
            folder = tempfile.TemporaryDirectory(prefix="lm-lab-", ignore_cleanup_errors=True)
            temporary = Path(entered.enter_context(folder))
            _unpack(bundle, records, temporary, advance)
        for entry in bundle.files if check_all else ():
            for piece in bundle.pieces(entry) if "/" in entry.name else ():
                advance(len(piece))
        yield bundle, _opened(bundle, temporary)


def import_bundle(
    file: Path,
    into: Path | None = None,
    *,
    limit: int = LIMIT,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> RunFolder:
    """Import the run of a bundle. It appears only after all of it was checked; nothing in it can run code.

    Args:
        file: The bundle.
        into: The folder in which the run's folder is created; None means the lab's own, which refuses a run it has.
        limit: Most bytes that it may unpack to, if the disk has room for them.
        cancelled: Called about once per MiB; returning True ends the work.
        progress: Called with the share that is done, 0 to 1.

    Returns:
        The run, under its own name, with a number if the name is taken. A run packed while it trained is
        interrupted.

    Raises:
        BadInput: The bundle is refused; the problem gives the reason, and nothing is left behind.
        LabError: The run could not be written, or the import was cancelled; nothing is left behind.
    """
    with contextlib.ExitStack() as entered:
        bundle = entered.enter_context(Bundle.open(file))
        folder = make_folder(runs_folder()) if into is None else entered.enter_context(folder_for(into))
        total = _checked_size(bundle, folder, limit)
        if into is None:
            check_room(total)
        advance = _progress_counter("importing the run", total, cancelled, progress)
        path = folder / plain_name(bundle.run_name)
        entered.enter_context(write_errors_as_problems(path))
        temporary = entered.enter_context(temporary_path(path, recorded=True))
        _unpack(bundle, bundle.files, temporary, advance)
        _forget_writer(temporary)
        run = _opened(bundle, temporary)
        if into is None:
            _refuse_known(bundle, run)
            _give_free_name(run)
        sync_tree(temporary)
        return RunFolder.open(place(temporary, path))


def _sizes(run: Path) -> dict[str, int]:
    """Return the known files of a run and their sizes in bytes."""

    def raise_error(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # a checkpoint was removed meanwhile
            raise error

    sizes = {}
    for folder, _, names in os.walk(run, onerror=raise_error):
        for path in (Path(folder, name) for name in names):
            name = path.relative_to(run).as_posix()
            with contextlib.suppress(FileNotFoundError):
                about = path.lstat()
                if is_run_file(name) and stat.S_ISREG(about.st_mode):
                    sizes[name] = about.st_size
    return sizes


def _pack(
    run: RunFolder, names: list[str], archive: zipfile.ZipFile, metrics: Path, advance: Callable[[int], None]
) -> list[dict[str, Any]]:
    """Add the files of a run, and return their list for the manifest.

    Args:
        run: The run.
        names: The files in order: checkpoints come first, so that no packed record is older than a checkpoint.
        archive: The zip.
        metrics: The path for a copy of the metrics.
        advance: Called with the number of bytes that were added.
    """
    listed: list[dict[str, Any]] = []
    for _, group in itertools.groupby(names, _belongs_to):
        with contextlib.ExitStack() as opened:
            sources = {}
            try:
                for name in group:
                    path = _copied(run, metrics) if name == "metrics.sqlite" else run.path / name
                    with _reading(path):
                        sources[name] = opened.enter_context(open_regular(path))
            except (
                FileNotFoundError
            ):  # no copy of the metrics; or a checkpoint removed meanwhile, which is packed completely or not at all
                continue
            for name, source in sources.items():
                size, digest = _add(archive, name, source, advance)
                listed.append({"name": name, "bytes": size, "sha256": digest})
    missing = {"recipe.toml", "run.json"} - {each["name"] for each in listed}
    if missing:
        raise LabError(damaged(run.path / min(missing), "it is missing"))
    return listed


def _about(run_id: str, run_name: str, student: str) -> dict[str, Any]:
    """Return what a manifest says of a run."""
    about: dict[str, Any] = {"run": {"id": run_id, "name": run_name}}
    return {**about, "student": student_name(student)} if student else about


@contextlib.contextmanager
def _new_zip(new: Path) -> Iterator[zipfile.ZipFile]:
    with new.open("xb") as out:
        with zipfile.ZipFile(out, "w") as archive:
            yield archive
        out.flush()
        os.fsync(out.fileno())


def _write_manifest(archive: zipfile.ZipFile, about: Mapping[str, Any], listed: list[dict[str, Any]]) -> None:
    manifest = {"format": FORMAT, **about, "files": listed}
    archive.writestr(_entry(MANIFEST, zipfile.ZIP_DEFLATED), json.dumps(manifest, indent=1) + "\n")


def _belongs_to(name: str) -> str:
    """Return the group of a file: the files of one checkpoint belong together, any other file is its own group."""
    return name.rpartition("/")[0] if name.startswith("checkpoints/") else name


def _copied(run: RunFolder, metrics: Path) -> Path:
    """Return the path of a copy of the current metrics; if they cannot be read, report it and write no file."""
    try:
        run.metrics().series()
    except LabError as error:
        what = f"the bundle has no metrics: {error.problem.what}"
        notify("warning", Problem(what, field="run", value=run.name, remedy=error.problem.remedy))
    else:
        run.metrics().copy_to(metrics)
    return metrics


def _add(archive: zipfile.ZipFile, name: str, source: BinaryIO, advance: Callable[[int], None]) -> tuple[int, str]:
    """Add one file at its current length, as it may grow. Return its size and SHA-256."""
    left, done, content = source.seek(0, io.SEEK_END), 0, hashlib.sha256()
    entry = _entry(name, zipfile.ZIP_DEFLATED if _shrinks(source, left) else zipfile.ZIP_STORED)
    entry.file_size = left  # decides if its size needs 64 bits
    with archive.open(entry, "w") as target:
        while piece := source.read(min(PIECE, left)):
            content.update(piece)
            target.write(piece)
            left, done = left - len(piece), done + len(piece)
            advance(len(piece))
    return done, content.hexdigest()


def _entry(name: str, compression: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # dated 1980, so that the same run gives the same bytes
    entry.compress_type, entry.create_system = compression, 3
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry


def _shrinks(source: BinaryIO, size: int) -> bool:
    source.seek(max(0, (size - _SAMPLE) // 2))
    sample = source.read(_SAMPLE)
    source.seek(0)
    return len(zlib.compress(sample)) <= _WORTH * len(sample)


def _checked_size(bundle: Bundle, folder: Path, limit: int) -> int:
    """Return the bytes that the bundle unpacks to, after checking the limit and the free space."""
    total = sum(entry.size for entry in bundle.files)
    _check_limit(bundle, total, limit)
    with write_errors_as_problems(folder):
        free = shutil.disk_usage(folder).free
    if total > free:
        what = f"it unpacks to {short(total)}B, and the disk has {short(free)}B free"
        raise bundle.refusal(what, remedy="Free some disk space")
    return total


def _check_limit(bundle: Bundle, total: int, limit: int) -> None:
    if total > limit:
        what = f"it unpacks to {short(total)}B, and the limit is {short(limit)}B"
        raise bundle.refusal(what, remedy="If you trust who made it, unpack it yourself: it is a zip")


def plain_name(name: str) -> str:
    """Return a foreign name of a run as a valid name of one file on every system: not hidden, not reserved."""
    name = name.encode(errors="replace").decode()  # halves of surrogate pairs
    name = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "-", name).strip(". ")
    name = name.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(". ")
    return f"run-{name}" if not name or _RESERVED.fullmatch(name) else name


def _unpack(bundle: Bundle, entries: Iterable[BundledFile], temporary: Path, advance: Callable[[int], None]) -> None:
    for folder in ("checkpoints", "readings"):
        (temporary / folder).mkdir(parents=True)
    for entry in entries:
        path = temporary / entry.name
        path.parent.mkdir(exist_ok=True)
        with path.open("xb") as file:
            for piece in bundle.pieces(entry):
                file.write(piece)
                advance(len(piece))


def _forget_writer(temporary: Path) -> None:
    """Remove the process that wrote an unpacked run from its status."""
    with contextlib.suppress(LabError):  # a damaged status stays damaged
        status = read_record(temporary / "status.json", StoredStatus)
        status.pop("writer", None)  # that process is not on this machine
        if status.get("state") == RunState.RUNNING:
            status["state"] = RunState.INTERRUPTED
        write_json(temporary / "status.json", status)


def _opened(bundle: Bundle, temporary: Path) -> RunFolder:
    """Return the unpacked run if it opens with its metrics."""
    try:
        run = RunFolder.open(temporary)
        if run.metrics_file.exists():
            run.metrics().series()
    except LabError as error:
        raise bundle.refusal(f"the run in it does not open: {error.problem.what}") from None
    return run


def _refuse_known(bundle: Bundle, run: RunFolder) -> None:
    """Refuse a run that is listed in the same state; one that continued elsewhere is imported as another run."""
    for known in list_runs()[0]:
        if known.id == run.id and _recorded(known) == _recorded(run):
            what = f"this run is here already, as {known.name}"
            raise bundle.refusal(what, remedy="Open that run, or delete it first to import this one")


def _give_free_name(run: RunFolder) -> None:
    """Label a run with a number if a run in the lab's folder has the name that it got when it was made."""
    taken = {read_label(known.path).name or known.assigned_name for known in list_runs()[0]} - {""}
    if run.assigned_name in taken and not read_label(run.path).name:
        change_label(run.path, name=numbered_name(run.assigned_name, taken))


def _recorded(run: RunFolder) -> tuple[Any, ...]:
    """Return what distinguishes two states of a run; series contain times, so even a repeated training differs."""
    try:
        series = repr(run.metrics().series())
    except LabError:
        series = ""
    return run.checkpoint_steps(), reading_steps(run.path), series


@contextlib.contextmanager
def read_errors_as_problems(path: Path) -> Iterator[None]:
    """Turn an error in reading a file that is packed into a LabError."""
    try:
        yield
    except OSError as error:
        what = f"{path.name} cannot be read: {error.strerror or error}"
        raise LabError(what, field="file", value=str(path), remedy="Check the file and its rights") from None


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn an error in reading a file of a run into a LabError; FileNotFoundError passes."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LabError(damaged(path, error.strerror or error)) from None


def _progress_counter(
    doing: str, total: int, cancelled: Callable[[], bool], progress: Callable[[float], None]
) -> Callable[[int], None]:
    """Return a function that counts bytes, reports the share of the total, and raises if the work was cancelled."""
    done = 0

    def advance(size: int) -> None:
        nonlocal done
        done += size
        progress(min(1.0, done / max(total, 1)))
        if cancelled():
            raise LabError(f"{doing} was cancelled", remedy="Nothing was written")

    return advance
