"""The files that are shipped: an archive, a package of Debian, a wheelhouse, the same bytes each time."""

import hashlib
import os
import shutil
import tarfile
import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

from release import LINUX, ROOT, call, megabytes, report, size_of
from release.inputs import sum_of
from release.texts import fill

LEVEL = 12
"""Of zstd; the archive has some 236 MB with it."""
THREADS = 2


def write_archive(folder: Path, name: str, target: Path, epoch: int) -> None:
    """Write a folder as a tar archive, compressed with zstd where the target's name says so.

    Paths are sorted; owners, times and rights are those that every build gives.

    Args:
        folder: The folder.
        name: The name of the folder in the archive.
        target: The archive.
        epoch: The time of every file, in seconds since 1970.
    """
    plain = target.with_suffix("") if target.suffix == ".zst" else target
    with tarfile.open(plain, "w", format=tarfile.GNU_FORMAT) as archive:
        for path in [folder, *sorted(folder.rglob("*"))]:
            inside = Path(name, path.relative_to(folder))
            entry = archive.gettarinfo(path, str(inside))
            entry.uid, entry.gid, entry.uname, entry.gname, entry.mtime = 0, 0, "", "", epoch
            if entry.isreg():
                with path.open("rb") as opened:
                    archive.addfile(entry, opened)
            else:
                archive.addfile(entry)
    if plain != target:
        call("zstd", "--quiet", "--force", "--rm", f"-{LEVEL}", f"-T{THREADS}", plain, "-o", target)


def write_zip(folder: Path, name: str, target: Path, epoch: int) -> None:
    """Write a folder as a zip archive, with sorted paths and the times that every build gives.

    Args:
        folder: The folder, without links.
        name: The name of the folder in the archive.
        target: The archive.
        epoch: The time of every file, in seconds since 1970.
    """
    made = time.gmtime(epoch)[:6]
    with zipfile.ZipFile(target, "w") as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(Path(name, path.relative_to(folder)).as_posix(), made)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                with path.open("rb") as opened, archive.open(entry, "w") as written:
                    shutil.copyfileobj(opened, written)


def give_rights(folder: Path) -> None:
    """Give each file and folder the rights that it has in an archive, whatever the mask of this process."""
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


def stage_package(tree: Path, root: Path, values: dict[str, str], epoch: int) -> None:
    """Lay out the files of the package of Debian.

    Args:
        tree: The folder of the archive; its files get a second name, they are not copied.
        root: The folder to make.
        values: What the templates name.
        epoch: The time of every file, in seconds since 1970.
    """
    inside = root / "usr/lib/lm-lab"
    shutil.copytree(tree, inside, symlinks=True, copy_function=os.link)
    for name in ("install.sh", "uninstall.sh", "README.txt", "SHA256SUMS", "share/integration.py"):
        (inside / name).unlink()
    (root / "usr/bin").mkdir()
    for name in ("lm-lab", "lm-lab-python"):
        (root / "usr/bin" / name).symlink_to(f"../lib/lm-lab/{name}")
    for name, place in (
        ("lm-lab.desktop", "applications"),
        ("lm-lab.svg", "icons/hicolor/scalable/apps"),
        ("lm-lab.xml", "mime/packages"),
        ("lm-lab.metainfo.xml", "metainfo"),
    ):
        folder = root / "usr/share" / place
        folder.mkdir(parents=True)
        shutil.move(inside / "share" / name, folder / name)
    (inside / "share").rmdir()
    doc = root / "usr/share/doc/lm-lab"
    doc.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", doc / "copyright")
    control = root / "DEBIAN"
    control.mkdir()
    installed = str(size_of(root) // 1024)
    (control / "control").write_text(fill(LINUX / "control", values | {"size": installed}), encoding="utf-8")
    files = (path for path in sorted((root / "usr").rglob("*")) if path.is_file() and not path.is_symlink())
    (control / "md5sums").write_text("".join(_md5_line(path, root) for path in files), encoding="utf-8")
    give_rights(root)
    for path in (root, *root.rglob("*")):
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def _md5_line(path: Path, root: Path) -> str:
    with path.open("rb") as opened:
        return f"{hashlib.file_digest(opened, 'md5').hexdigest()}  {path.relative_to(root).as_posix()}\n"


def write_package(root: Path, target: Path, epoch: int) -> None:
    """Write the package of Debian from its folder."""
    options = (f"-z{LEVEL}", "-Zzstd", f"--threads-max={THREADS}", "--root-owner-group")
    call("dpkg-deb", *options, "--build", root, target, environment={"SOURCE_DATE_EPOCH": str(epoch)})


def write_sums(files: Iterable[Path]) -> Path:
    """Write SHA256SUMS beside files, report their sizes, and return it."""
    files = sorted(files)
    target = files[0].parent / "SHA256SUMS"
    lines = (f"{sum_of(path)}  {path.name}\n" for path in files)
    target.write_text("".join(lines), encoding="utf-8", newline="\n")
    for path in files:
        report(f"  {megabytes(path.stat().st_size):>9}  {path}")
    return target
