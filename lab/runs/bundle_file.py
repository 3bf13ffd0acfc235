"""The format of a bundle: a zip of a run's files with a manifest, and the checks of a bundle from elsewhere.

    manifest.json   {"format": 1, "run": {"id", "name"}, "files": [{"name", "bytes", "sha256"}, …]}
                    and "student" with the name of the student who handed it in, if anybody did
    the files       as in the run's folder; nothing that is not a known file of a run

A file of this suffix may be another package, such as what a teacher hands out: its manifest has another key than "run".
A zip states the same facts several times, and each may be false. So the manifest, the zip's list and the content must
agree, names must be known, and sizes are counted, never trusted.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeGuard

from lab.base.files.reading import LARGEST, open_regular
from lab.base.problems import BadInput, LabError
from lab.runs.records import parse_record

FORMAT = 1
MANIFEST = "manifest.json"
PIECE = 2**20
"""Bytes read at once."""
LONGEST_STUDENT = 80
"""Most characters of the name of a student."""

_LONGEST = 4 * 2**20  # bytes of the zip's own list of files, about 30,000 files
_STEP = "(?:0|[1-9][0-9]{0,17})"
_RUN_FILE = re.compile(
    r"recipe\.toml|(?:run|status|label|verification|findings|floors|texts)\.json|(?:events|histograms|samples)\.jsonl"
    r"|metrics\.sqlite|base/model\.safetensors"
    rf"|readings/{_STEP}\.safetensors|checkpoints/{_STEP}/(?:(?:model|training)\.safetensors|state\.json)"
)
_REMEDY = "Get the file again, as the lab wrote it"


@dataclass(frozen=True)
class BundledFile:
    """One file of a package as a manifest lists it.

    Args:
        name: The path in the package, which for a run is that in its folder, with "/".
        size: The size in bytes.
        sha256: The SHA-256 of the content, in hexadecimal digits.
    """

    name: str
    size: int
    sha256: str


def is_run_file(name: str) -> bool:
    """Return True if a path in a run's folder, with "/", is that of a known file of a run."""
    return _RUN_FILE.fullmatch(name) is not None


class Package:
    """An opened package whose lists agree; the content of its files is checked while it is read.

    Args:
        file: The path, for messages.
        archive: The zip.

    Attributes:
        manifest: What the package says of itself.
        files: Its files.

    Raises:
        BadInput: The zip is not such a package.
    """

    def __init__(self, file: Path, archive: zipfile.ZipFile) -> None:
        self._file, self._archive = file, archive
        self._members = self._checked(archive.infolist())
        if MANIFEST not in self._members:
            raise self.refusal(f"this is not a bundle: {MANIFEST} is missing")
        self.manifest = self._manifest()
        self._read_manifest()
        self.files = self._listed_files(self.manifest.get("files"))

    @staticmethod
    def allows(name: str) -> bool:
        """Return True if such a package may hold a file of this name."""
        raise NotImplementedError

    def _read_manifest(self) -> None:
        """Read from the manifest what is more than the list of files.

        Raises:
            BadInput: It is missing, or cannot be that.
        """

    @classmethod
    @contextlib.contextmanager
    def open(cls, file: Path) -> Iterator[Self]:
        """Open a package and check all of it except the content of its files.

        Raises:
            BadInput: It cannot be read or is not such a package; the problem gives the reason.
        """
        with _opened_zip(file) as archive:
            yield cls(file, archive)

    def refusal(self, what: str, *, remedy: str = _REMEDY) -> BadInput:
        """Return the error that refuses this package."""
        return _refusal(self._file, what, remedy)

    def pieces(self, entry: BundledFile) -> Iterator[bytes]:
        """Yield the content of a file, at most PIECE bytes at once.

        Raises:
            BadInput: It is not what the manifest states; this may be detected only after the last piece.
        """
        content, left = hashlib.sha256(), entry.size
        for piece in self._content(entry.name):
            left -= len(piece)
            if left < 0:
                break
            content.update(piece)
            yield piece
        if left or content.hexdigest() != entry.sha256:
            raise self.refusal(f"{entry.name} in it is not the file that was packed")

    def compression(self, entry: BundledFile) -> int:
        """Return the method by which a file is compressed, as zipfile names it."""
        return self._members[entry.name].compress_type

    def _content(self, name: str) -> Iterator[bytes]:
        with contextlib.ExitStack() as opened:
            with _errors_as_refusals(self._file, name):
                source = opened.enter_context(self._archive.open(self._members[name]))
            piece = b"begin"
            while piece:
                with _errors_as_refusals(self._file, name):
                    piece = source.read(PIECE)
                yield piece

    def _checked(self, members: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        """Return the zip's members by name, each an allowed regular file."""
        for member in members:
            name = member.orig_filename  # unchanged; zipfile cuts `filename` at a null character
            if name != MANIFEST and not self.allows(name):
                raise self.refusal(f"it holds {name[:80]!a}, which does not belong in it")
            if stat.S_IFMT(member.external_attr >> 16) not in (0, stat.S_IFREG):
                raise self.refusal(f"{name} in it is a link or a device")
            if member.flag_bits & 0x2041:  # a password, strong encryption, a hidden list
                raise self.refusal(f"{name} in it is encrypted")
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise self.refusal(f"{name} in it is compressed by a method that bundles do not use")
        counts = Counter(member.orig_filename for member in members)
        twice = next((name for name, count in counts.items() if count > 1), None)
        if twice is not None:
            raise self.refusal(f"it holds {twice} twice")
        return {member.orig_filename: member for member in members}

    def _manifest(self) -> Mapping[str, Any]:
        content = b""
        for piece in self._content(MANIFEST):
            content += piece
            if len(content) > LARGEST:
                raise self.refusal(f"{MANIFEST} in it is larger than {LARGEST // 2**20} MiB")
        with _errors_as_refusals(self._file, MANIFEST):
            manifest = parse_record(content.decode())
        version = manifest.get("format")
        if not _is_count(version) or version < 1:
            raise self.refusal(f"{MANIFEST} in it has no format")
        if version > FORMAT:
            what = f"this bundle has format {str(version)[:20]}, and this lab reads formats up to {FORMAT}"
            raise self.refusal(what, remedy="Open it with a newer version of the lab")
        return manifest

    def _listed_files(self, listed: Any) -> tuple[BundledFile, ...]:
        """Return the files that the manifest lists: exactly those in the zip, with the same sizes."""
        files = {}
        for each in listed if isinstance(listed, list) else []:
            values = [each.get(key) for key in ("name", "bytes", "sha256")] if isinstance(each, dict) else [None] * 3
            name, size, sha256 = values
            if not (isinstance(name, str) and _is_count(size) and isinstance(sha256, str)):
                raise self.refusal(f"{MANIFEST} in it lists an entry that is not a file")
            if name not in self._members or name in files or name == MANIFEST:
                raise self.refusal(f"{MANIFEST} in it lists {name[:80]!a}, which the zip does not hold exactly once")
            if size != self._members[name].file_size:
                raise self.refusal(f"{name} in it has another size than in {MANIFEST}")
            files[name] = BundledFile(name, size, sha256)
        left = self._members.keys() - files.keys() - {MANIFEST}
        if left:
            raise self.refusal(f"it holds {min(left)}, which {MANIFEST} does not list")
        return tuple(files.values())


class Bundle(Package):
    """The bundle of a run.

    Attributes:
        run_id: The identity of the run.
        run_name: Its name.
        student: The name of the student who handed it in; "" if nobody did.
    """

    @staticmethod
    def allows(name: str) -> bool:
        """Return True for the files of a run."""
        return is_run_file(name)

    def _read_manifest(self) -> None:
        run = self.manifest.get("run")
        identity, name = (run.get("id"), run.get("name")) if isinstance(run, dict) else (None, None)
        if not (isinstance(name, str) and isinstance(identity, str) and re.fullmatch("[0-9a-f]{32}", identity)):
            raise self.refusal(f"{MANIFEST} in it has no run")
        self.run_id, self.run_name = identity, name
        self.student = student_name(self.manifest.get("student"))


def student_name(given: Any) -> str:
    """Return the name of a student as one line of printable text; "" if it is none."""
    if not isinstance(given, str):
        return ""
    plain = "".join(letter if letter.isprintable() else " " for letter in given[: 10 * LONGEST_STUDENT])
    return " ".join(plain.split())[:LONGEST_STUDENT].strip()


def manifest_keys(file: Path) -> frozenset[str]:
    """Return the keys of the manifest of a package, which tell its kind; none if it cannot be read.

    Nothing else of the package is read or checked.
    """
    with contextlib.suppress(LabError), _opened_zip(file) as archive, _errors_as_refusals(file, MANIFEST):
        with archive.open(MANIFEST) as source:
            content = source.read(LARGEST + 1)
        return frozenset(parse_record(content.decode())) if len(content) <= LARGEST else frozenset()
    return frozenset()


class _Bounded(io.FileIO):
    """A file that is read in pieces of bounded size, even if the zip claims a huge list of files."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _LONGEST:
            raise zipfile.BadZipFile("its list of files is too long")
        return super().read(_LONGEST if size is None or size < 0 else size)


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _refusal(file: Path, what: str, remedy: str) -> BadInput:
    return BadInput(what, field="file", value=str(file), remedy=remedy)


@contextlib.contextmanager
def _opened_zip(file: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip of anybody.

    Raises:
        BadInput: It cannot be read.
    """
    with contextlib.ExitStack() as opened:
        with _errors_as_refusals(file, "it"):
            regular = opened.enter_context(open_regular(file))
            stream = opened.enter_context(_Bounded(regular.fileno(), closefd=False))
            archive = opened.enter_context(zipfile.ZipFile(stream))
        yield archive


@contextlib.contextmanager
def _errors_as_refusals(file: Path, what: str) -> Iterator[None]:
    """Turn any error while reading a package from elsewhere into its refusal."""
    try:
        yield
    except LabError:
        raise
    except Exception as error:  # noqa: BLE001 - zipfile, zlib and json raise many kinds of errors for damaged input
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        raise _refusal(file, f"{what} cannot be read: {reason}", _REMEDY) from None
