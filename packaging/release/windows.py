"""The build for Windows: a folder in an archive, which starts from wherever it is, and an installer of the same."""

import shutil
from pathlib import Path

from release import ROOT, CannotBuildError, call, size_of, source_date
from release.icons import write_icon
from release.inputs import build_wheel, project
from release.products import write_sums, write_zip
from release.relocatable import check_host, make_prefix
from release.texts import fill
from release.tree import seal

WINDOWS = ROOT / "packaging" / "windows"
"""The files and templates of the products."""
TEXTS = ("README.txt", "lm-lab-python.cmd", "lm-lab.cmd", "start.py")
COMPILERS = ("makensis", r"C:\Program Files (x86)\NSIS\makensis.exe")
"""Where the compiler of the installer may be."""


def build(out: Path) -> None:
    """Build the archive and the installer.

    Args:
        out: The folder that gets them; what it holds of an older build of the same version is replaced.

    Raises:
        CannotBuildError: This is no Windows, a tool is missing, an input cannot be had, or a step failed.
    """
    check_host("windows")
    find_compiler()
    epoch, version = source_date(), str(project()["version"])
    work = ROOT / "build" / "windows"
    shutil.rmtree(work, ignore_errors=True)
    tree = work / f"lm-lab-{version}"
    make_prefix(tree / "python", "windows", ROOT / "build" / "inputs-windows", work, build_wheel(work / "wheel", epoch))
    write_icon(tree / "python" / "python.exe", tree / "lm-lab.ico")
    place_texts(tree, version)
    seal(tree)
    out.mkdir(parents=True, exist_ok=True)
    archive, installer = (out / f"{tree.name}-windows-x86_64.{suffix}" for suffix in ("zip", "exe"))
    write_zip(tree, tree.name, archive, epoch)
    compile_installer(tree, version, installer)
    write_sums([archive, installer])


def place_texts(tree: Path, version: str) -> None:
    """Put the launchers and the note into the folder, with the ends of lines of Windows."""
    for name in TEXTS:
        (tree / name).write_text(fill(WINDOWS / name, {"version": version}), encoding="utf-8", newline="\r\n")


def find_compiler() -> str:
    """Return the path of the compiler of the installer.

    Raises:
        CannotBuildError: It is not installed.
    """
    found = next(filter(None, map(shutil.which, COMPILERS)), None)
    if found is None:
        raise CannotBuildError("The installer is made by NSIS, which is not installed")
    return found


def compile_installer(tree: Path, version: str, target: Path, *options: str) -> None:
    """Compile the installer of a folder, on any system that has the compiler.

    Args:
        tree: The folder that it installs, with `lm-lab.ico`.
        version: The version.
        target: The installer.
        options: More options of makensis.
    """
    values = {"VERSION": version, "TREE": tree, "OUT": target, "KILOBYTES": size_of(tree) // 1024}
    defined = [f"-D{name}={value}" for name, value in values.items()]
    call(find_compiler(), "-V2", "-WX", "-NOCD", *options, *defined, WINDOWS / "lm-lab.nsi")
