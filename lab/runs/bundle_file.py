"""The format of a bundle: a zip of a run's files with a manifest, and the checks of a bundle from elsewhere.

    manifest.json   {"format": 1, "run": {"id", "name"}, "files": [{"name", "bytes", "sha256"}, …]}
    the files       as in the run's folder; nothing that is not a known file of a run

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
from typing import Any, TypeGuard

from lab.base.files.reading import LARGEST, open_regular
from lab.base.problems import BadInput, LabError
from lab.runs.records import parse_record

FORMAT = 1
MANIFEST = "manifest.json"
PIECE = 2**20
"""Bytes read at once."""

_LONGEST = 4 * 2**20  # bytes of the zip's own list of files, about 30,000 files
_STEP = "(?:0|[1-9][0-9]{0,17})"
_RUN_FILE = re.compile(
    r"recipe\.toml|(?:run|status|label|verification|floors)\.json|(?:events|samples)\.jsonl|metrics\.sqlite"
    rf"|readings/{_STEP}\.safetensors|checkpoints/{_STEP}/(?:(?:model|training)\.safetensors|state\.json)"
)
_REMEDY = "Get the file again, as `lm-lab runs export` wrote it"


@dataclass(frozen=True)
class BundledFile:
    """One file of a run as a manifest lists it.

    Args:
        name: The path in the run's folder, with "/".
        size: The size in bytes.
        sha256: The SHA-256 of the content, in hexadecimal digits.
    """

    name: str
    size: int
    sha256: str


def is_run_file(name: str) -> bool:
    """Return True if a path in a run's folder, with "/", is that of a known file of a run."""
    return _RUN_FILE.fullmatch(name) is not None


class Bundle:
    """An opened bundle whose lists agree; the content of its files is checked while it is read.

    Args:
        file: The path, for messages.
        archive: The zip.

    Raises:
        BadInput: The zip is not a bundle of a run.
    """

    def __init__(self, file: Path, archive: zipfile.ZipFile) -> None:
        self._file, self._archive = file, archive
        self._members = self._checked(archive.infolist())
        if MANIFEST not in self._members:
            raise self.refusal(f"this is not a bundle of a run: {MANIFEST} is missing")
        manifest = self._manifest()
        self.run_id, self.run_name = self._run(manifest.get("run"))
        self.files = self._listed_files(manifest.get("files"))

    @classmethod
    @contextlib.contextmanager
    def open(cls, file: Path) -> Iterator[Bundle]:
        """Open a bundle and check all of it except the content of its files.

        Raises:
            BadInput: It cannot be read or is not a bundle; the problem gives the reason.
        """
        with contextlib.ExitStack() as opened:
            with _errors_as_refusals(file, "it"):
                regular = opened.enter_context(open_regular(file))
                stream = opened.enter_context(_Bounded(regular.fileno(), closefd=False))
                archive = opened.enter_context(zipfile.ZipFile(stream))
            yield cls(file, archive)

    def refusal(self, what: str, *, remedy: str = _REMEDY) -> BadInput:
        """Return the error that refuses this bundle."""
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
            if name != MANIFEST and not is_run_file(name):
                raise self.refusal(f"it holds {name[:80]!a}, which is not a file of a run")
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

    def _run(self, run: Any) -> tuple[str, str]:
        if isinstance(run, dict):
            identity, name = run.get("id"), run.get("name")
            if isinstance(name, str) and isinstance(identity, str) and re.fullmatch("[0-9a-f]{32}", identity):
                return identity, name
        raise self.refusal(f"{MANIFEST} in it has no run")

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
def _errors_as_refusals(file: Path, what: str) -> Iterator[None]:
    """Turn any error while reading a bundle from elsewhere into its refusal."""
    try:
        yield
    except LabError:
        raise
    except Exception as error:  # noqa: BLE001 - zipfile, zlib and json raise many kinds of errors for damaged input
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
        raise _refusal(file, f"{what} cannot be read: {reason}", _REMEDY) from None
