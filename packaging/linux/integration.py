"""Install the folder of LM Lab for one user or for all, with its entry in the menu; remove it again."""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

FOR_ALL = Path("/usr/local")
NAME = "lm-lab"
COMMANDS = ("lm-lab", "lm-lab-python")
DESKTOP_FILES = {
    "lm-lab.desktop": "applications",
    "lm-lab.svg": "icons/hicolor/scalable/apps",
    "lm-lab.xml": "mime/packages",
    "lm-lab.metainfo.xml": "metainfo",
}
"""The files for the desktop, and the folder of each below share."""
REFRESHES = (
    ("update-mime-database", "mime"),
    ("update-desktop-database", "applications"),
    ("gtk-update-icon-cache", "icons/hicolor", "--force", "--ignore-theme-index", "--quiet"),
)
"""Commands that make a desktop see new files at once, each with its folder below share and its options."""


class CannotInstallError(Exception):
    """Something that the user must put right; the text says what and how."""


def main(arguments: list[str]) -> int:
    """Install or remove, as the command line says, and return the exit code."""
    parser = argparse.ArgumentParser(prog="install.sh", description="Install LM Lab from this folder.")
    commands = parser.add_subparsers(dest="command", required=True)
    where = commands.add_parser("install", prog="install.sh").add_mutually_exclusive_group()
    where.add_argument("--for-all", action="store_true", help=f"install it for everyone, in {FOR_ALL}")
    where.add_argument("--prefix", type=Path, metavar="FOLDER", help="install it below a folder (~/.local)")
    commands.add_parser("uninstall", prog="uninstall.sh")
    given = parser.parse_args(arguments)
    tree = Path(__file__).resolve().parents[1]
    try:
        if given.command == "install":
            prefix = FOR_ALL if given.for_all else (given.prefix or Path.home() / ".local").absolute()
            install(tree, prefix)
            print(
                f"LM Lab is installed in {prefix / 'lib' / NAME}. Start it from the menu, or: {prefix / 'bin' / NAME}"
            )
        else:
            uninstall(tree)
            print("LM Lab is removed. Runs, settings and plugins stay where they are.")
    except (CannotInstallError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def install(tree: Path, prefix: Path) -> None:
    """Install the folder below a prefix. What is installed there stays until the new files are all in place.

    Raises:
        CannotInstallError: The folder is not as it was built, or there is no room; nothing has changed then.
        OSError: A file cannot be written.
    """
    final = prefix / "lib" / NAME
    if tree == final:
        raise CannotInstallError(f"{tree} is the installed one already")
    check_complete(tree)
    new, old = final.with_name(f"{NAME}.new"), final.with_name(f"{NAME}.old")
    for rest in (new, old):
        shutil.rmtree(rest, ignore_errors=True)
    final.parent.mkdir(parents=True, exist_ok=True)
    check_room(tree, final.parent)
    try:
        shutil.copytree(tree, new, symlinks=True)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        raise CannotInstallError(
            f"The files could not be copied to {final.parent}, so nothing is changed: {error}"
        ) from None
    if final.exists():
        final.rename(old)
    new.rename(final)
    shutil.rmtree(old, ignore_errors=True)
    add_to_desktop(final, prefix)


def check_complete(tree: Path) -> None:
    """Compare each file with its sum.

    Raises:
        CannotInstallError: One is missing or damaged.
    """
    lines = (tree / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    wrong = [name for digest, name in (line.split("  ", 1) for line in lines) if sum_of(tree / name) != digest]
    if wrong or not lines:
        named = ", ".join(wrong[:3])
        raise CannotInstallError(
            f"{len(wrong)} files of this folder are missing or damaged ({named}): unpack the archive again, on a disk "
            "with space for it"
        )


def sum_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal; "" if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


def check_room(tree: Path, target: Path) -> None:
    """Check that a folder has room for a copy.

    Raises:
        CannotInstallError: It has not.
    """
    needed = sum(path.lstat().st_size for path in tree.rglob("*"))
    free = shutil.disk_usage(target).free
    if free < needed:
        raise CannotInstallError(f"{target} has {free / 1e6:.0f} MB left, and LM Lab needs {needed / 1e6:.0f} MB")


def add_to_desktop(final: Path, prefix: Path) -> None:
    """Put the commands on the path, and the entry, the icon and the type of .lmlab files where a desktop finds them."""
    (prefix / "bin").mkdir(parents=True, exist_ok=True)
    for name in COMMANDS:
        link = prefix / "bin" / name
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.relpath(final / name, link.parent))
    for name, place in DESKTOP_FILES.items():
        text = (final / "share" / name).read_text(encoding="utf-8")
        if name.endswith(".desktop"):
            text = with_launcher(text, final / NAME)
        file = prefix / "share" / place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    refresh(prefix / "share")


def with_launcher(entry: str, launcher: Path) -> str:
    """Return a desktop entry that starts a launcher at any path, quoted as the specification asks."""
    quoted = re.sub(r'(["`$\\])', r"\\\1", str(launcher)).replace("\\", "\\\\").replace("%", "%%")
    return re.sub(r"^Exec=\S+", lambda _: f'Exec="{quoted}"', entry, flags=re.MULTILINE)


def refresh(share: Path) -> None:
    """Make the desktop see what has changed, with those of its commands that there are."""
    for command, folder, *options in REFRESHES:
        if (share / folder).is_dir() and shutil.which(command):
            subprocess.run([command, *options, str(share / folder)], check=False, stderr=subprocess.DEVNULL)


def uninstall(final: Path) -> None:
    """Remove what `install` put below a prefix.

    Raises:
        CannotInstallError: The folder was not installed by `install`.
    """
    prefix = final.parents[1]
    if final != prefix / "lib" / NAME:
        raise CannotInstallError(f"{final} is not installed: it may be deleted as it is")
    for name in COMMANDS:
        link = prefix / "bin" / name
        if link.is_symlink() and link.resolve().parent == final:
            link.unlink()
    for name, place in DESKTOP_FILES.items():
        (prefix / "share" / place / name).unlink(missing_ok=True)
    shutil.rmtree(final)
    refresh(prefix / "share")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
