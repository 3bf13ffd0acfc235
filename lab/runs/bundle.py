"""Bundles: a run packed into one file to hand on, and a stranger's taken in, whole and checked or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from lab.base.folders import runs_folder
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.units import short
from lab.base.writing import make_folder, sync_tree, write_atomically, write_errors_as_problems, write_json
from lab.runs.bundle_file import FORMAT, MANIFEST, PIECE, Bundle, is_part
from lab.runs.folder import RunFolder
from lab.runs.library.names import list_runs
from lab.runs.readings import reading_steps
from lab.runs.records import damaged, read_record

LIMIT = 20 * 2**30
"""Bytes that a bundle may unpack to."""

_SAMPLE = 2**18  # bytes, from the middle of a file, that tell whether deflating it helps
_WORTH = 0.9  # of its size or less is worth the time: trained weights stay above, metrics and text far below
_LONGEST_NAME = 200  # bytes; file systems take 255, and a number may be added
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # no folder's name on Windows


def export_bundle(
    run: RunFolder,
    file: Path,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> Path:
    """Packs a run into one file, also while it trains. The same run gives the same bytes.

    What is no known part of a run is left out, and so is what a link leads to. Metrics that cannot be read are left out
    with a warning.

    Args:
        run: The run.
        file: The bundle; one that stands there is replaced.
        cancelled: Asked about once per MiB; True ends it.
        progress: Told the share that is done, 0 to 1.

    Returns:
        `file`.

    Raises:
        LabError: It could not be written, a file of the run could not be read, or it was cancelled; what stood at
            `file` is untouched.
    """
    with _reading(run.path):
        sizes = _sizes(run.path)
    told = _teller("exporting the run", sum(sizes.values()), cancelled, progress)

    def write(aside: Path) -> None:
        metrics = aside.with_name(aside.name + "-metrics")
        try:
            with aside.open("xb") as out:
                with zipfile.ZipFile(out, "w") as archive:
                    _pack(run, sorted(sizes), archive, metrics, told)
                out.flush()
                os.fsync(out.fileno())
        finally:
            metrics.unlink(missing_ok=True)

    write_atomically(file, write)
    return file


def import_bundle(
    file: Path,
    into: Path | None = None,
    *,
    limit: int = LIMIT,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], None] = lambda _: None,
) -> RunFolder:
    """Takes in the run of a bundle. It appears once all of it is checked; nothing in it can run code.

    Args:
        file: The bundle.
        into: The folder in which the run's folder is made; None means the lab's own, where a run is taken in once.
        limit: Bytes that it may unpack to, if the disk has room for them.
        cancelled: Asked about once per MiB; True ends it.
        progress: Told the share that is done, 0 to 1.

    Returns:
        The run, under its own name, or that with a number where it is taken. One that was packed while it ran is
        interrupted.

    Raises:
        BadInput: The bundle is refused; the problem says why, and nothing of it is left.
        LabError: The run could not be written, or it was cancelled; nothing of it is left.
    """
    with Bundle.open(file) as bundle:
        folder = make_folder(runs_folder() if into is None else into)
        whole = _checked_size(bundle, folder, limit)
        told = _teller("importing the run", whole, cancelled, progress)
        path = _claimed(folder, bundle.run_name)

        def write(aside: Path) -> None:
            _unpack(bundle, aside, told)
            run = _opened(bundle, aside)
            if into is None:
                _refuse_known(bundle, run)
            sync_tree(aside)

        try:
            write_atomically(path, write)
        except BaseException:
            with contextlib.suppress(OSError):
                path.rmdir()
            raise
    return RunFolder.open(path)


def _sizes(run: Path) -> dict[str, int]:
    """The known parts of a run that are files, and how many bytes each has now."""

    def tell(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # a checkpoint that was removed meanwhile
            raise error

    sizes = {}
    for folder, _, names in os.walk(run, onerror=tell):
        for path in (Path(folder, name) for name in names):
            name = path.relative_to(run).as_posix()
            with contextlib.suppress(FileNotFoundError):
                about = path.lstat()
                if is_part(name) and stat.S_ISREG(about.st_mode):
                    sizes[name] = about.st_size
    return sizes


def _pack(
    run: RunFolder, names: list[str], archive: zipfile.ZipFile, metrics: Path, told: Callable[[int], None]
) -> None:
    """Adds the parts of a run, then their list.

    Args:
        run: The run.
        names: The parts in order: checkpoints come first, so that no record that is packed is older than they are.
        archive: Takes them.
        metrics: Where a copy of the metrics may be made.
        told: Told of bytes that are done.
    """
    listed: list[dict[str, Any]] = []
    for _, group in itertools.groupby(names, _belongs_to):
        with contextlib.ExitStack() as opened:
            sources = {}
            try:
                for name in group:
                    place = _copied(run, metrics) if name == "metrics.sqlite" else run.path / name
                    with _reading(place):
                        sources[name] = opened.enter_context(place.open("rb"))
            except FileNotFoundError:  # metrics without a copy; or removed meanwhile, a checkpoint all or not at all
                continue
            for name, source in sources.items():
                size, digest = _add(archive, name, source, told)
                listed.append({"name": name, "bytes": size, "sha256": digest})
    gone = {"recipe.toml", "run.json"} - {each["name"] for each in listed}
    if gone:
        raise LabError(damaged(run.path / min(gone), "it is missing"))
    manifest = {"format": FORMAT, "run": {"id": run.id, "name": run.name}, "files": listed}
    archive.writestr(_entry(MANIFEST, zipfile.ZIP_DEFLATED), json.dumps(manifest, indent=1) + "\n")


def _belongs_to(name: str) -> str:
    """The files of one checkpoint belong together; every other is one of its own."""
    return name.rpartition("/")[0] if name.startswith("checkpoints/") else name


def _copied(run: RunFolder, metrics: Path) -> Path:
    """The metrics as they are now, as one whole file; there is none where they cannot be read, which is told."""
    try:
        run.metrics().series()
    except LabError as error:
        what = f"the bundle is without its metrics: {error.problem.what}"
        notify("warning", Problem(what, field="run", value=run.name, remedy=error.problem.remedy))
    else:
        run.metrics().copy_to(metrics)
    return metrics


def _add(archive: zipfile.ZipFile, name: str, source: BinaryIO, told: Callable[[int], None]) -> tuple[int, str]:
    """Adds one file as long as it is now, since it may grow. Returns its size and SHA-256."""
    left, done, content = os.fstat(source.fileno()).st_size, 0, hashlib.sha256()
    entry = _entry(name, zipfile.ZIP_DEFLATED if _shrinks(source, left) else zipfile.ZIP_STORED)
    entry.file_size = left  # decides whether its size needs 64 bits
    with archive.open(entry, "w") as target:
        while piece := source.read(min(PIECE, left)):
            content.update(piece)
            target.write(piece)
            left, done = left - len(piece), done + len(piece)
            told(len(piece))
    return done, content.hexdigest()


def _entry(name: str, compression: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)  # of 1980, so that the same run gives the same bytes
    entry.compress_type, entry.create_system = compression, 3
    entry.external_attr = (stat.S_IFREG | 0o644) << 16
    return entry


def _shrinks(source: BinaryIO, size: int) -> bool:
    source.seek(max(0, (size - _SAMPLE) // 2))
    sample = source.read(_SAMPLE)
    source.seek(0)
    return len(zlib.compress(sample)) <= _WORTH * len(sample)


def _checked_size(bundle: Bundle, folder: Path, limit: int) -> int:
    """Bytes that the bundle says it unpacks to: no more than are allowed and there is room for."""
    whole = sum(part.size for part in bundle.parts)
    if whole > limit:
        what = f"it unpacks to {short(whole)}B, and {short(limit)}B are the limit"
        raise bundle.refusal(what, remedy="If you trust who made it, unpack it yourself: it is a zip")
    with write_errors_as_problems(folder):
        free = shutil.disk_usage(folder).free
    if whole > free:
        what = f"it unpacks to {short(whole)}B, and the disk has {short(free)}B left"
        raise bundle.refusal(what, remedy="Free some space there")
    return whole


def _claimed(folder: Path, name: str) -> Path:
    """Makes an empty folder of this name, or that with a number; no list of runs shows it before a run is in it."""
    name, number = _plain_name(name), 1
    path = folder / name
    with write_errors_as_problems(path):
        while True:
            try:
                path.mkdir()
            except FileExistsError:
                number += 1
                path = folder / f"{name}-{number}"
            else:
                return path


def _plain_name(name: str) -> str:
    """A stranger's name of a run as that of one folder on every system: no way up, not hidden, not reserved."""
    name = name.encode(errors="replace").decode()  # halves of surrogate pairs
    name = re.sub(r'[\x00-\x1f\x7f<>:"/\\|?*]', "-", name).strip(". ")
    name = name.encode()[:_LONGEST_NAME].decode(errors="ignore").strip(". ")
    return f"run-{name}" if not name or _RESERVED.fullmatch(name) else name


def _unpack(bundle: Bundle, aside: Path, told: Callable[[int], None]) -> None:
    for folder in ("checkpoints", "readings"):
        (aside / folder).mkdir(parents=True)
    for part in bundle.parts:
        place = aside / part.name
        place.parent.mkdir(exist_ok=True)
        with place.open("xb") as file:
            for piece in bundle.pieces(part):
                file.write(piece)
                told(len(piece))


def _opened(bundle: Bundle, aside: Path) -> RunFolder:
    """The unpacked run, if it opens with its metrics; nobody is its writer any more."""
    with contextlib.suppress(LabError):  # a status that was damaged when it was packed stays so
        status = read_record(aside / "status.json")
        status.pop("writer", None)  # that process is not of this machine
        if status.get("state") == "running":
            status["state"] = "interrupted"
        write_json(aside / "status.json", status)
    try:
        run = RunFolder.open(aside)
        if run.metrics_file.exists():
            run.metrics().series()
    except LabError as error:
        raise bundle.refusal(f"the run in it does not open: {error.problem.what}") from None
    return run


def _refuse_known(bundle: Bundle, run: RunFolder) -> None:
    """Refuses a run that is in the list as it is; one that went on elsewhere comes in beside it."""
    for known in list_runs()[0]:
        if known.id == run.id and _recorded(known) == _recorded(run):
            what = f"this run is here already, as {known.name}"
            raise bundle.refusal(what, remedy="Open that one; to have its packed state again, delete that one first")


def _recorded(run: RunFolder) -> tuple[Any, ...]:
    """What tells two states of one run apart; series hold times, so even the same training differs the second time."""
    try:
        series = repr(run.metrics().series())
    except LabError:
        series = ""
    return run.checkpoint_steps(), reading_steps(run.path), series


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turns a refusal to read a part of a run into a LabError; that it is gone passes."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise LabError(damaged(path, error.strerror or error)) from None


def _teller(
    doing: str, whole: int, cancelled: Callable[[], bool], progress: Callable[[float], None]
) -> Callable[[int], None]:
    """What is called with the bytes that are done now: it tells the share of all, and ends work that was cancelled."""
    done = 0

    def told(size: int) -> None:
        nonlocal done
        done += size
        progress(min(1.0, done / max(whole, 1)))
        if cancelled():
            raise LabError(f"{doing} was cancelled", remedy="Nothing was written")

    return told
