"""The inputs of a build: wheels of PyPI at the pinned versions, and the Python and libraries of Debian."""

import hashlib
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from release import EXTRAS, PYTHON, ROOT, CannotBuildError, call, report

CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
INTERPRETER = (f"python{PYTHON}-minimal", f"libpython{PYTHON}-minimal", f"libpython{PYTHON}-stdlib")
"""The interpreter and its library. Debian builds it with profile and link-time optimization, and mends its holes."""
PACKAGES = {
    "python": {
        **dict.fromkeys(INTERPRETER, "PSF-2.0"), "libbz2-1.0": "bzip2-1.0.6", "libexpat1": "MIT", "libffi8": "MIT",
        "liblzma5": "public domain", "libsqlite3-0": "public domain", "libssl3": "Apache-2.0",
        "libuuid1": "BSD-3-Clause", "zlib1g": "Zlib",
    },
    "qt": {
        "libbrotli1": "MIT", "libxcb-cursor0": "MIT", "libxcb-icccm4": "MIT", "libxcb-image0": "MIT",
        "libxcb-keysyms1": "MIT", "libxcb-render-util0": "MIT", "libxcb-util1": "MIT", "libxkbcommon-x11-0": "MIT",
        "libxkbcommon0": "MIT", "libzstd1": "BSD-3-Clause",
    },
}  # fmt: skip
"""Packages of Debian with the licence of what is taken of each, by the folder of inputs that gets them.

They are the interpreter with what it is linked with, and what Qt needs beyond what every desktop has: without
libxcb-cursor there is no window.
"""
WHEELHOUSE_PYTHONS = ("3.11", "3.12", "3.13", "3.14")
GLIBC = 34
"""The minor version of the C library that the wheels may need; Qt's need it."""
SETTINGS = ("pyproject.toml", "README.md", "LICENSE")
"""Files that a wheel of the lab is built of, beside its packages."""


def project() -> dict[str, object]:
    """Return the table [project] of pyproject.toml."""
    table: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return table


def pinned(name: str) -> str:
    """Return the version at which a package is pinned."""
    found = re.search(rf"^{re.escape(name)}==(\S+)$", CONSTRAINTS.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise CannotBuildError(f"{CONSTRAINTS} pins no version of {name}")
    return found[1]


def build_wheel(folder: Path, epoch: int) -> Path:
    """Build the wheel of the lab from a copy of its tree, so that nothing else of the tree gets in, and return it."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        tree = Path(made) / "tree"
        tree.mkdir()
        for name in SETTINGS:
            shutil.copy(ROOT / name, tree)
        for name in sorted({place.partition("/")[0] for place in tables["package-dir"].values()}):
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
        for path in tree.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        pins = {name: str(CONSTRAINTS) for name in ("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT")}
        options = ("--quiet", "--no-deps", "--wheel-dir", folder)
        call(sys.executable, "-m", "pip", "wheel", *options, tree, environment=pins | {"SOURCE_DATE_EPOCH": str(epoch)})
    (wheel,) = folder.glob("lm_lab-*.whl")
    return wheel


def fetch_wheels(folder: Path, python: str, own: Path) -> None:
    """Fetch the wheels that a Python on Linux needs for the lab and what is shipped with it.

    torch is asked for as its CPU build, by the label that only that build has: pip finds it where its settings
    (PIP_FIND_LINKS, PIP_EXTRA_INDEX_URL) say that it is, and takes no other one.

    Raises:
        CannotBuildError: One cannot be had.
    """
    platforms = [f"manylinux_2_{minor}_x86_64" for minor in range(GLIBC, 4, -1)]
    platforms += [f"manylinux{name}_x86_64" for name in ("2014", "2010", "1")]
    options = [word for platform in platforms for word in ("--platform", platform)]
    abi = f"cp{python.replace('.', '')}"
    options += ["--python-version", python, "--implementation", "cp", "--abi", abi, "--abi", "abi3", "--abi", "none"]
    download(folder, own, sys.executable, *options, f"torch=={pinned('torch')}+cpu")


def download(folder: Path, own: Path, python: str | Path, *more: str) -> None:
    """Fetch the wheels at the pins that the lab needs, and that of pip.

    Args:
        folder: The folder that gets them.
        own: The wheel of the lab.
        python: The Python that fetches them, for itself where the options name no other one.
        more: More options and requirements.

    Raises:
        CannotBuildError: One cannot be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    options = ("--only-binary", ":all:", "--constraint", CONSTRAINTS, "--dest", folder)
    wanted = (f"lm-lab[{','.join(EXTRAS)}] @ {own.as_uri()}", f"pip=={pinned('pip')}")
    call(python, "-m", "pip", "download", "--quiet", *options, *wanted, *more)
    (folder / own.name).unlink(missing_ok=True)  # it is built for each product; the others are fetched once


def fetch_packages(folder: Path, names: Iterable[str]) -> None:
    """Fetch packages of Debian into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    # Without a sandbox apt may write into a folder that only this user may enter.
    call("apt-get", "download", "--quiet", "-o=APT::Sandbox::User=root", *names, cwd=folder)


def fetch(folder: Path, own: Path) -> list[str]:
    """Fetch what is not in the folder of inputs yet, and return the Pythons for which there are all wheels.

    Args:
        folder: The folder of inputs, with those of PACKAGES and a folder of wheels for each Python; all is fetched anew
            where the pins or the extras have changed.
        own: The wheel of the lab.
    """
    stamp = folder / "stamp"
    wanted = stamp_of(PACKAGES, WHEELHOUSE_PYTHONS)
    if not stamp.is_file() or stamp.read_text(encoding="ascii").partition("\n")[0] != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        for kind, names in PACKAGES.items():
            fetch_packages(folder / kind, names)
        complete = []
        for python in WHEELHOUSE_PYTHONS:
            try:
                fetch_wheels(folder / python, python, own)
            except CannotBuildError as error:
                if python == PYTHON:
                    raise
                report(f"No wheels for Python {python}: {str(error).splitlines()[-1]}")
                shutil.rmtree(folder / python, ignore_errors=True)
            else:
                complete.append(python)
        stamp.write_text("\n".join((wanted, *complete)), encoding="ascii")
    return stamp.read_text(encoding="ascii").split("\n")[1:]


def stamp_of(*more: object) -> str:
    """Return what changes when inputs have to be fetched anew: a digest of pins, extras and more."""
    tables = (*more, PYTHON, EXTRAS, project()["dependencies"], project()["optional-dependencies"])
    return hashlib.sha256(f"{tables}{CONSTRAINTS.read_text(encoding='utf-8')}".encode()).hexdigest()


def sums(folder: Path) -> str:
    """Return the SHA-256 of each file below a folder as sha256sum writes it, sorted by path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{sum_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in files)


def sum_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
