"""What a worker of a Dask cluster does for a study: it stores corpora by hash, trains runs, and hands over their files.

Workers call these functions at the request of `lab.workbench.studies.cluster`. A worker stores everything below
cluster/ in the lab's folder of its own machine:

    cluster/corpora/HASH/NAME   a corpus, stored once whatever runs read it
    cluster/runs/TOKEN/         a run while it trains here; the study removes it after it has all its files
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from lab.base import BadInput, LabError
from lab.base.files.writing import make_folder, write_errors_as_problems
from lab.base.folders import home
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.bundle_file import is_run_file
from lab.runs.commands import append_command
from lab.text.corpora.downloads import listed
from lab.workbench.launch import known_corpora
from lab.workbench.studies.training import train_trial

METRICS = "metrics.sqlite"
PIECE = 16 * 2**20
"""Most bytes of a file in one message."""
UNHEARD = 120.0
"""Seconds without a word from the study after which a run stops: nobody would take its files."""

Listing: TypeAlias = dict[str, tuple[int, int]]
"""Bytes and time of the last change, in nanoseconds, of each file by its path in a folder."""

_requested: dict[str, float] = {}  # when the study last asked for a run, by token


def cluster_folder() -> Path:
    """Return the folder of this machine for what studies elsewhere train here."""
    return home() / "cluster"


def run_path(token: str) -> Path:
    """Return the folder of a run that trains here.

    Raises:
        ValueError: The token is none.
    """
    if not re.fullmatch(r"[0-9a-z-]+", token):
        raise ValueError(f"{token!r} is no token")
    return cluster_folder() / "runs" / token


def corpus_path(digest: str, name: str) -> Path:
    """Return where a corpus is stored.

    Raises:
        ValueError: The hash or the name is none.
    """
    if not re.fullmatch(r"[0-9a-f]{64}", digest) or Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(f"{digest}/{name} is no corpus")
    return cluster_folder() / "corpora" / digest / name


def has_corpus(digest: str, name: str) -> bool:
    """Return True if a corpus is stored here."""
    return corpus_path(digest, name).exists()


def add_piece(token: str, name: str, offset: int, piece: bytes) -> None:
    """Write a piece of a file that is sent here, into a folder of its own until all of it is there.

    Args:
        token: The folder, as of `run_path`.
        name: The path of the file in it, with "/".
        offset: Where the piece starts.
        piece: Its bytes.

    Raises:
        LabError: It cannot be written.
    """
    file = run_path(token) / name
    if not file.resolve().is_relative_to(run_path(token).resolve()):
        raise ValueError(f"{name!r} is not in the folder")
    with write_errors_as_problems(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("r+b" if offset else "wb") as written:
            written.seek(offset)
            written.write(piece)


def store_corpus(token: str, digest: str, name: str, download: str) -> None:
    """Move the files that `add_piece` wrote to their place among the corpora, if they have this hash.

    Args:
        token: The folder in which they are.
        digest: The hash that they must have, as of `digest_of`.
        name: The name of the file or folder.
        download: The name of the download that it is; "" for another corpus.

    Raises:
        LabError: It has another hash, or cannot be written.
    """
    sent, path = run_path(token) / name, corpus_path(digest, name)
    if digest_of(sent) != digest:
        raise LabError("the corpus did not arrive as it was sent", field="corpus", value=name, remedy="Start it again")
    with write_errors_as_problems(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            sent.rename(path)
        except OSError:
            if not path.exists():  # else it was sent for another run at the same time
                raise
        if download and not listed(download).here:
            own = listed(download).own_path
            make_folder(own.parent)
            copy = own.with_name(f".{own.name}.{token}")
            shutil.copyfile(path, copy)
            copy.replace(own)
    remove_run(token)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of the files of a folder.

    Raises:
        OSError: A file cannot be read.
    """
    if path.is_file():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    found = hashlib.sha256()
    for name in sorted(files_below(path)):
        found.update(f"{name}\0{digest_of(path / name)}\0".encode())
    return found.hexdigest()


def files_below(folder: Path) -> list[str]:
    """Return the paths of the files in a folder, with "/"; folders that vanish meanwhile are left out."""
    found = (Path(parent) / name for parent, _, names in os.walk(folder) for name in names)
    return [file.relative_to(folder).as_posix() for file in found if file.is_file()]


def train_here(
    recipe: str, token: str, name: str, options: Mapping[str, Any], corpora: Mapping[str, tuple[str, str]]
) -> dict[str, Any]:
    """Train a run, or resume it if its folder was sent here.

    Args:
        recipe: Its recipe as TOML.
        token: Its folder.
        name: Its name.
        options: The options of the plugins.
        corpora: Hash and name of each corpus, by the setting of the recipe that names its path, with ".".

    Returns:
        As `train_trial`.
    """
    folder = run_path(token)
    try:
        paths = {tuple(keys.split(".")): corpus_path(*corpus) for keys, corpus in corpora.items()}
        found = known_corpora.with_paths(Recipe.from_toml(recipe), paths)
        with contextlib.suppress(LabError):  # it is a new run
            run = RunFolder.open(folder)
            known_corpora.remember(found, known_corpora.sha256_of(run) or "")
        make_folder(folder)
    except LabError as error:
        return {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    _requested[token] = time.monotonic()
    ended = threading.Event()
    threading.Thread(target=_stop_unheard, args=(token, ended), name="lab: study elsewhere", daemon=True).start()
    try:
        return train_trial(found.to_toml(), str(folder), name, options)
    finally:
        ended.set()
        _requested.pop(token, None)


def _stop_unheard(token: str, ended: threading.Event) -> None:
    """Stop a run that no study asks for any more, and remove its folder."""
    unheard = False
    while not ended.wait(UNHEARD / 20):
        unheard = unheard or time.monotonic() - _requested.get(token, 0.0) > UNHEARD
        if unheard:
            send_command(token, {"do": "stop"})
    if unheard:
        remove_run(token)


def list_files(token: str) -> Listing:
    """Return the files of a run, of which none is written at this moment but the metrics, which are read as a copy.

    The study calls it every second: without a call the run stops after UNHEARD seconds.
    """
    _requested[token] = time.monotonic()
    folder, found = run_path(token), Listing()
    for name in files_below(folder):
        if is_run_file(name):
            with contextlib.suppress(OSError):  # a checkpoint that was just removed
                about = (folder / name).stat()
                found[name] = about.st_size, about.st_mtime_ns
    if METRICS in found:
        with contextlib.suppress(OSError):
            log = (folder / f"{METRICS}-wal").stat()
            found[METRICS] = found[METRICS][0] + log.st_size, max(found[METRICS][1], log.st_mtime_ns)
    return found


def read_piece(token: str, name: str, offset: int) -> bytes:
    """Return PIECE bytes of a file of a run from an offset on, fewer at its end.

    Raises:
        OSError: It is not there any more.
    """
    _requested[token] = time.monotonic()
    with (run_path(token) / name).open("rb") as file:
        file.seek(offset)
        return file.read(PIECE)


def read_metrics(token: str) -> bytes:
    """Return the metrics of a run; while it trains, a consistent copy.

    Raises:
        LabError: They cannot be read.
        OSError: The disk is full.
    """
    _requested[token] = time.monotonic()
    file = run_path(token) / METRICS
    if not file.with_name(f"{METRICS}-wal").exists():  # the run has ended
        return file.read_bytes()
    with tempfile.TemporaryDirectory(dir=cluster_folder()) as folder:
        copy = Path(folder) / METRICS
        RunFolder.open(run_path(token)).metrics().copy_to(copy)
        return copy.read_bytes()


def send_command(token: str, command: Mapping[str, Any]) -> None:
    """Send a command to a run that trains here; one that has just ended takes none."""
    with contextlib.suppress(LabError):
        append_command(RunFolder.open(run_path(token)), command)


def remove_run(token: str) -> None:
    """Remove the folder of a run."""
    shutil.rmtree(run_path(token), ignore_errors=True)
