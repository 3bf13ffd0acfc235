"""The build for Linux, from the inputs to the files that are shipped."""

import os
import shutil
import time
from pathlib import Path

from release import EXTRAS, PYTHON, ROOT, CannotBuildError, megabytes, report, size_of, source_date
from release.inputs import build_wheel, fetch, project, sums
from release.products import stage_package, write_archive, write_package, write_sums
from release.tree import make_tree

WORK = ROOT / "build"
TOOLS = ("apt-get", "dpkg-deb", "patchelf", "strip", "zstd")
WHEELHOUSE_NOTE = """LM Lab {version} and all that it needs, for Python {pythons} on Linux, x86_64.

    python3 -m pip install --no-index --find-links FOLDER "lm-lab[window]"

FOLDER is the one that holds this file. More extras: {extras}.
"""


def build(out: Path) -> None:
    """Build the archive, the package of Debian and the wheelhouse.

    Args:
        out: The folder that gets them; what it holds of an older build of the same version is replaced.

    Raises:
        CannotBuildError: A tool is missing, an input cannot be had, or a step failed.
    """
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise CannotBuildError(f"The build needs {', '.join(missing)}: apt-get install binutils patchelf zstd")
    since = time.monotonic()
    epoch, version = source_date(), str(project()["version"])
    day = time.strftime("%Y-%m-%d", time.gmtime(epoch))
    values = {"version": version, "day": day, "description": str(project()["description"])}
    inputs, work = WORK / "inputs", WORK / "linux"
    shutil.rmtree(work, ignore_errors=True)
    wheel = build_wheel(work / "wheel", epoch)
    pythons = fetch(inputs, wheel)
    report(f"{_minutes(since)} The inputs are there, for Python {', '.join(pythons)}")
    name = f"lm-lab-{version}"
    tree = work / name
    make_tree(tree, work, inputs, wheel, values)
    report(f"{_minutes(since)} The folder is made: {megabytes(size_of(tree))}")
    out.mkdir(parents=True, exist_ok=True)
    files = [
        out / f"{name}-linux-x86_64.tar.zst",
        out / f"lm-lab_{version}_amd64.deb",
        out / f"{name}-wheelhouse-linux-x86_64.tar",
    ]
    write_archive(tree, name, files[0], epoch)
    stage_package(tree, work / "package", values, epoch)
    write_package(work / "package", files[1], epoch)
    house = work / f"{name}-wheelhouse"
    make_wheelhouse(house, inputs, wheel, pythons, version)
    write_archive(house, house.name, files[2], epoch)
    report(f"{_minutes(since)} Built, for Python {PYTHON} inside:")
    write_sums(files)


def make_wheelhouse(house: Path, inputs: Path, wheel: Path, pythons: list[str], version: str) -> None:
    """Collect the wheels of each Python in one folder, with a note and their sums."""
    house.mkdir()
    for file in (wheel, *(file for python in pythons for file in sorted((inputs / python).glob("*.whl")))):
        if not (house / file.name).exists():
            os.link(file, house / file.name)
    extras = ", ".join(name for name in EXTRAS if name != "window")
    note = WHEELHOUSE_NOTE.format(version=version, pythons=", ".join(pythons), extras=extras)
    (house / "README.txt").write_text(note, encoding="utf-8")
    (house / "SHA256SUMS").write_text(sums(house), encoding="utf-8")


def _minutes(since: float) -> str:
    return f"{(time.monotonic() - since) / 60:5.1f} min"
