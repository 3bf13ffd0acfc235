"""A class simulated: many labs hand in at once, to one folder and to one page, damaged and hostile ones among them."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from lab.base import LabError
from lab.base.folders import runs_folder
from lab.bench.home import temporary_home

LABS = 30
DAMAGED = 3
"""Labs whose bundle was cut off on its way."""
HOSTILE = 2
"""Labs that hand in a bundle with a path out of the folder, and one that unpacks to 4 GiB."""
CLAIMED = 2 * 2**30
"""Bytes that a hostile request says it will send."""
BOMB = 4 * 2**30
"""Bytes to which a hostile bundle unpacks."""
PATIENCE = 600.0
"""Seconds after which a lab that hands in is given up."""

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
SMALL = {"layers": 1, "width": 16, "heads": 2}
SHORT = {"steps": 20, "context_length": 16, "batch_size": 4, "sample_tokens": 8, "threads": 1, "device": "cpu"}


def classroom(labs: int, report: Callable[[str], None]) -> dict[str, Any]:
    """Let a class hand in at once, each lab in a process of its own, to a folder and to the page of the teacher's lab.

    Three of the labs send damaged bundles, two hostile ones. Two more requests have a wrong token, and claim two
    gigabytes.

    Args:
        labs: Number of labs, at least six.
        report: Called with a line of progress.

    Returns:
        "lost", the sound bundles that did not arrive whole, and "wrongly_taken", the files that should not be there;
        "hand_in_s", the seconds from the first lab to the last; "table_ms" and "again_ms", the milliseconds until the
        table of the folder is read, and read again; "ranked" and "refused", its rows.

    Raises:
        LabError: A lab ended with an error.
    """
    from lab.workbench.classroom.collecting import Collection
    from lab.workbench.classroom.table import read_class

    labs = max(DAMAGED + HOSTILE + 1, labs)
    sound = labs - DAMAGED - HOSTILE
    with temporary_home() as home:
        bundles = _finished(sound, home / "bundles", report)
        bad = [_cut(bundles[number % len(bundles)], home / f"cut {number}.lmlab", number) for number in range(DAMAGED)]
        bad += [_escape(home / "escape.lmlab"), _bomb(home / "bomb.lmlab")]
        folder = home / "folder"
        page = Collection(home / "page", host="127.0.0.1")
        page.start()
        try:
            address = page.addresses[0]
            started = time.perf_counter()
            report(f"{labs} labs hand in")
            with ThreadPoolExecutor(labs + 2) as pool:
                own = [pool.submit(_hand_in, run, (str(folder), address)) for run in range(sound)]
                foreign = [pool.submit(_send, page, file) for file in bad]
                foreign += [pool.submit(_send, page, bad[0], token="wrong"), pool.submit(_send, page, None)]
                for one in own:
                    one.result()
                answers = [one.result() for one in foreign]
            seconds = time.perf_counter() - started
        finally:
            page.stop()
        taken, arrived = list(page.folder.iterdir()), list(folder.iterdir())
        for file in bad:
            shutil.copyfile(file, folder / file.name)
        reading = time.perf_counter()
        rows = read_class(folder)
        table = time.perf_counter() - reading
        read_class(folder)
        again = time.perf_counter() - reading - table
        whole = sum(_is_whole(path) for path in taken + arrived)
        return {
            "lost": 2 * sound - whole,
            "wrongly_taken": len(taken + arrived) - whole + (home / "out").exists(),
            "labs": labs,
            "answers": sorted(answers),
            "hand_in_s": seconds,
            "table_ms": 1000 * table,
            "again_ms": 1000 * again,
            "ranked": sum(row.rank is not None for row in rows),
            "refused": sum(row.entry.problem is not None for row in rows),
        }


def _finished(count: int, folder: Path, report: Callable[[str], None]) -> list[Path]:
    """Train a small run for each lab, and return the bundles of the first ones, which are to be damaged."""
    from lab.host import Plugins
    from lab.recipes import Recipe
    from lab.runs import RunFolder
    from lab.runs.bundle import export_bundle
    from lab.workbench import Workbench

    folder.mkdir()
    recipe = Recipe().with_values(
        {"corpus": {"name": "text", "text": TEXT}, "architecture": {"name": "transformer", **SMALL}, "training": SHORT}
    )
    bench, bundles = Workbench(Plugins(safe_mode=True)), []
    for number in range(count):
        run = bench.start(recipe.with_values({"training": {"seed": number}}), out=runs_folder() / f"run {number}")
        run.wait_out()
        if number < DAMAGED:
            assert run.path is not None
            bundles.append(
                export_bundle(RunFolder.open(run.path), folder / f"{number}.lmlab", student=f"Damaged {number}")
            )
    bench.close()
    report(f"{count} runs trained")
    return bundles


def _hand_in(number: int, targets: Iterable[str]) -> None:
    """Hand in a run to each target, in a process as a student's lab is one."""
    for target in targets:
        words = ["class", "hand-in", f"run {number}", "--name", f"Student {number}", "--to", target]
        code = f"from lab.cli.main import main; raise SystemExit(main({words!r}))"
        ended = subprocess.run(
            [sys.executable, "-P", "-c", code],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        if ended.returncode != 0:
            raise LabError(f"the lab of student {number} ended with {ended.returncode}", remedy=ended.stderr[-500:])


def _send(page: Any, file: Path | None, token: str | None = None) -> int:
    """Send a file to the page, or say that two gigabytes will come, and return the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=PATIENCE)
    content = b"" if file is None else file.read_bytes()
    try:
        connection.putrequest("POST", f"/{token or page.token}")
        connection.putheader("Content-Length", str(CLAIMED if file is None else len(content)))
        connection.endheaders(content)
        return connection.getresponse().status
    finally:
        connection.close()


def _cut(bundle: Path, target: Path, number: int) -> Path:
    """Write the first quarter, half or three quarters of a bundle."""
    content = bundle.read_bytes()
    target.write_bytes(content[: len(content) * (number + 1) // (DAMAGED + 1)])
    return target


def _escape(target: Path) -> Path:
    """Write a bundle with a file that would be unpacked outside the folder."""
    content = b"x"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("../out", content)
        _close(archive, {"../out": (len(content), hashlib.sha256(content).hexdigest())})
    return target


def _bomb(target: Path) -> Path:
    """Write a bundle of few bytes that unpacks to four gigabytes."""
    piece, digest = bytes(2**24), hashlib.sha256()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        with archive.open("samples.jsonl", "w", force_zip64=True) as entry:
            for _ in range(BOMB // len(piece)):
                entry.write(piece)
                digest.update(piece)
        _close(archive, {"samples.jsonl": (BOMB, digest.hexdigest())})
    return target


def _close(archive: zipfile.ZipFile, files: dict[str, tuple[int, str]]) -> None:
    """Add the manifest."""
    listed = [{"name": name, "bytes": size, "sha256": sha256} for name, (size, sha256) in files.items()]
    run = {"id": "0" * 32, "name": "x"}
    archive.writestr("manifest.json", json.dumps({"format": 1, "run": run, "student": "Eve", "files": listed}))


def _is_whole(path: Path) -> bool:
    """Return True if a file is a bundle of a student that holds what its manifest lists."""
    from lab.runs.bundle import open_records

    try:
        with open_records(path, check_all=True) as (bundle, _):
            return bundle.student.startswith("Student ")
    except LabError:
        return False
