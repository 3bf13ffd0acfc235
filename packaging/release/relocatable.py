"""The Python inside for Windows and macOS: one that is built to run from any folder, with the wheels for its system."""

import platform
import shutil
import sys
import tempfile
from pathlib import Path

from release import LAYOUTS, PYTHON, CannotBuildError, System, call, report
from release.inputs import download, pinned, stamp_of
from release.licences import of_python
from release.tree import complete, install

HOSTS: dict[System, tuple[str, str, str]] = {
    "windows": ("win32", "AMD64", "Windows on x86_64"),
    "macos": ("darwin", "arm64", "macOS on Apple silicon"),
}
"""For each system what Python calls it and its processor, and what people do."""


def check_host(system: System) -> None:
    """Check that this machine is of the system to build for: its Python has to run, and some tools are there alone.

    Raises:
        CannotBuildError: It is of another one.
    """
    name, processor, words = HOSTS[system]
    if (sys.platform, platform.machine()) != (name, processor):
        here = f"{platform.system()} on {platform.machine()}"
        raise CannotBuildError(f"The build for {system} runs on {words}, and this is {here}")


def fetch(folder: Path, system: System, own: Path) -> Path:
    """Fetch the Python and the wheels for this machine, and return the prefix of the Python.

    Args:
        folder: The folder of inputs, which gets the Python and `wheels`; all is fetched anew where a pin or an extra
            has changed.
        system: The system of this machine.
        own: The wheel of the lab.

    Raises:
        CannotBuildError: Something cannot be had.
    """
    stamp = folder / "stamp"
    wanted = stamp_of()
    if not stamp.is_file() or stamp.read_text(encoding="ascii") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        prefix = fetch_python(folder / "pythons")
        download(folder / "wheels", own, prefix / LAYOUTS[system].program)
        stamp.write_text(wanted, encoding="ascii")
    return found_python(folder / "pythons")


def fetch_python(folder: Path) -> Path:
    """Fetch the newest Python of the version inside that the pinned uv knows, and return its prefix."""
    with tempfile.TemporaryDirectory() as tool:
        call(sys.executable, "-m", "pip", "install", "--quiet", "--target", tool, f"uv=={pinned('uv')}")
        options = ("--install-dir", folder, "--no-bin", "--no-registry", "--managed-python", "--no-config")
        call(sys.executable, "-m", "uv", "python", "install", *options, PYTHON, environment={"PYTHONPATH": tool})
    return found_python(folder)


def found_python(folder: Path) -> Path:
    """Return the prefix of the Python that was fetched into a folder; links there have no patch number."""
    (prefix,) = folder.glob(f"cpython-{PYTHON}.*")
    return prefix


def make_prefix(prefix: Path, system: System, inputs: Path, work: Path, own: Path) -> None:
    """Make the Python inside: a copy of what was fetched, with the packages and without what is cut.

    Args:
        prefix: The folder to make; it must not exist.
        system: The system of this machine.
        inputs: The folder of inputs.
        work: A folder for what is needed on the way.
        own: The wheel of the lab.

    Raises:
        CannotBuildError: An input cannot be had, or a step failed.
    """
    fetched, layout = fetch(inputs, system, own), LAYOUTS[system]
    shutil.copytree(fetched, prefix, symlinks=True)
    site = prefix / layout.site
    shutil.rmtree(site)  # with the pip of those who built it, which is not the pinned one
    site.mkdir()
    component = of_python(prefix, prefix / layout.library, fetched.name.split("-")[1])
    report(f"The Python inside: {fetched.name}")
    install(prefix, system, inputs / "wheels", own)
    complete(prefix, system, work, [component])
