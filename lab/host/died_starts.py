"""Markers on disk while third-party plugins load: one that is left over shows that a start died in its plugin."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, write_json
from lab.base.folders import cache_folder
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.host.discovery import Candidate


@contextlib.contextmanager
def marked(candidate: Candidate) -> Iterator[None]:
    """Put the plugin's marker on disk while the body runs; a notice reports if it cannot be written."""
    marker = _marker(candidate)
    try:
        make_folder(marker.parent)
        write_json(marker, {"plugin": candidate.name, "process": os.getpid(), "time": time.time()})
    except LabError as error:
        what = f"a crash in the plugin {candidate.name} could not be detected: {error.problem.what}"
        notify("warning", replace(error.problem, what=what))
    try:
        yield
    finally:
        forget_death(candidate)


def died_in(candidate: Candidate) -> bool:
    """Return True if a start died while loading this plugin; a process that is still loading it does not count."""
    try:
        content = read_json(_marker(candidate))
        number, written = int(content["process"]), float(content["time"])
    except OSError:
        return False
    except (ValueError, KeyError, TypeError):
        return True  # a marker that was never finished
    import psutil  # type: ignore[import-untyped]  # here, because few starts find a marker

    try:
        process = psutil.Process(number)
        return bool(process.create_time() > written or process.status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def forget_death(candidate: Candidate) -> None:
    """Remove the plugin's marker."""
    with contextlib.suppress(OSError):
        _marker(candidate).unlink()


def _marker(candidate: Candidate) -> Path:
    digest = hashlib.sha256(candidate.key.encode(errors="surrogateescape")).hexdigest()[:16]
    return cache_folder() / "loading" / f"{digest}.json"
