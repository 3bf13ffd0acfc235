"""The files of a pretrained model, read without running code: config.json, and safetensors in one file or shards."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from safetensors import SafetensorError, safe_open

from lab.base import BadInput, Problem
from lab.base.files.reading import check_regular, open_regular
from lab.base.files.reading import read_json as read_bounded_json
from lab.base.jobs import Cancelled
from lab.base.notices import notify

if TYPE_CHECKING:
    from torch import Tensor

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
"""The file that maps tensors to shards, if there are several."""
PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".msgpack", ".h5")
"""Suffixes of weight files that are not read; all but the last two are pickled."""
NUMBERS = ("F64", "F32", "F16", "BF16")
"""The supported number formats of weights, by their names in safetensors."""
_LARGEST_JSON = 16 << 20  # bytes
_BLOCK = 1 << 22
_SAFETENSORS = ".safetensors"
_AGAIN = "Fetch this file again"


class Tensors(Mapping[str, "Tensor"]):
    """A mapping of tensors by name, each made when it is accessed.

    Args:
        names: Their names.
        make: Makes the tensor of a name.
    """

    def __init__(self, names: Mapping[str, Any], make: Callable[[str], Tensor]) -> None:
        self._names, self._make = names, make

    def __getitem__(self, name: str) -> Tensor:
        if name not in self._names:
            raise KeyError(name)
        return self._make(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True)
class _Location:
    """The file of a tensor, and its shape and number format from the header."""

    file: Path
    shape: tuple[int, ...]
    numbers: str


class Weights:
    """The weights in a folder. Only the headers of the files are read until tensors are accessed.

    Args:
        folder: The folder.

    Attributes:
        bytes: Size of all files.

    Raises:
        BadInput: There are no weights that can be read; the problem names the file or the reason.
    """

    def __init__(self, folder: Path) -> None:
        self._open: dict[Path, Any] = {}
        self._locations: dict[str, _Location] = {}
        self.bytes = 0
        wanted = _weight_files(folder)
        for file, names in wanted.items():
            self._read_header(file, names)

    def shapes(self) -> Tensors:
        """Return the tensors without data, on the meta device."""
        import torch

        def bare(name: str) -> Tensor:
            location = self._locations[name]
            if location.numbers not in NUMBERS:
                what = f"the tensor {name} holds numbers of the kind {location.numbers}"
                raise BadInput(what, field=location.file.name, allowed="weights of float32, fp16 or bf16")
            return torch.empty(location.shape, device="meta")

        return Tensors(self._locations, bare)

    def tensors(
        self, progress: Callable[[float], None] = lambda _: None, cancelled: Callable[[], bool] = lambda: False
    ) -> Tensors:
        """Return the tensors as float32. One notice reports if some are not finite.

        Args:
            progress: Called with the share of all numbers that have been read.
            cancelled: Polled before each tensor.

        Raises:
            Cancelled: It was cancelled while a tensor was read.
        """
        import torch

        total = max(1, sum(_count(location.shape) for location in self._locations.values()))
        read = 0
        reported = False

        def numbers(name: str) -> Tensor:
            nonlocal read, reported
            if cancelled():
                raise Cancelled
            location = self._locations[name]
            try:
                tensor: Tensor = self._opened(location.file).get_tensor(name).to(torch.float32)
            except (OSError, SafetensorError) as error:
                _refuse(location.file, f"cannot be read: {error}", _AGAIN)
            if not reported and not bool(tensor.isfinite().all()):
                reported = True
                what = f"not all weights are finite numbers; the first are in {name}"
                notify("warning", Problem(what, field=location.file.name, remedy="The model's logits may be NaN"))
            read += tensor.numel()
            progress(read / total)
            return tensor

        return Tensors(self._locations, numbers)

    def sha256(self, cancelled: Callable[[], bool] = lambda: False) -> str:
        """Return the SHA-256 of all files, one after the other in the order of their names, in hex.

        Raises:
            Cancelled: It was cancelled.
        """
        digest = hashlib.sha256()
        for file in sorted({location.file for location in self._locations.values()}):
            with open_regular(file) as opened:
                while block := opened.read(_BLOCK):
                    if cancelled():
                        raise Cancelled
                    digest.update(block)
        return digest.hexdigest()

    def _read_header(self, file: Path, names: set[str] | None) -> None:
        """Record the tensors of a file, or if an index lists the file, those in the index."""
        try:
            opened = self._opened(file)
            present = set(opened.keys())
            missing = sorted((names or set()) - present)
            if missing:
                _refuse(file, f"lacks {len(missing)} tensors that {INDEX} names: {', '.join(missing[:3])}", _AGAIN)
            for name in sorted(present if names is None else names):
                part = opened.get_slice(name)
                self._locations[name] = _Location(file, tuple(part.get_shape()), part.get_dtype())
            self.bytes += file.stat().st_size
        except (OSError, SafetensorError) as error:
            _refuse(file, f"is not a complete safetensors file: {error}", _AGAIN)

    def _opened(self, file: Path) -> Any:
        if file not in self._open:
            check_regular(file)
            self._open[file] = safe_open(file, framework="pt")
        return self._open[file]


def read_json(file: Path) -> dict[str, Any]:
    """Return the table in a JSON file.

    Raises:
        BadInput: The file is missing, too large, or holds no table.
    """
    try:
        value = read_bounded_json(file, _LARGEST_JSON, sys.float_info.max)
    except OSError as error:
        _refuse(file, f"cannot be read: {error.strerror or error}", _AGAIN)
    except ValueError as error:
        _refuse(file, f"is not JSON: {error}", _AGAIN)
    if not isinstance(value, dict):
        _refuse(file, "holds no table", "Choose the folder of a model")
    return value


def model_folder(folder: Path) -> Path:
    """Return the folder if it holds a config.json.

    Raises:
        BadInput: It holds none; the problem describes what was found.
    """
    given = {"field": "folder", "value": str(folder), "allowed": f"a folder with {CONFIG} and {WEIGHTS}"}
    try:
        if folder.is_file():
            raise BadInput("is a file, not a folder", remedy="Choose the folder that contains it", **given)
        if not folder.is_dir():
            raise BadInput("there is no such folder", **given)
        if (folder / CONFIG).is_file():
            return folder
        empty = not any(folder.iterdir())
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot be read: {error}", **given) from None
    if empty:
        raise BadInput("the folder is empty", **given)
    below = (folder / "snapshots").is_dir()
    remedy = "Choose the folder of a version, below snapshots" if below else "Choose the folder of a model"
    raise BadInput(f"holds no {CONFIG}", remedy=remedy, **given)


def _weight_files(folder: Path) -> dict[Path, set[str] | None]:
    """Return the files to read, each with the names of its tensors if an index lists them."""
    if (folder / WEIGHTS).is_file():
        return {folder / WEIGHTS: None}
    if (folder / INDEX).is_file():
        return _shards(folder)
    files = sorted(file for file in folder.iterdir() if file.name.endswith(_SAFETENSORS))
    if len(files) == 1 and files[0].is_file():
        return {files[0]: None}
    if files:
        what = f"holds {len(files)} files of safetensors and no {INDEX}"
        if not files[0].is_file():
            what = f"{files[0].name} is a broken link"
        raise BadInput(what, field="folder", value=folder.name, remedy="Download the complete folder again")
    pickled = sorted(file.name for file in folder.iterdir() if file.suffix.lower() in PICKLED)
    if pickled:
        raise BadInput(
            "these weights are not read: a pickled file can run any code when it is opened",
            field="folder",
            value=", ".join(pickled[:3]),
            allowed=f"{WEIGHTS}, which holds only numbers",
            remedy="Fetch the model as safetensors, or convert it with the package safetensors",
        )
    raise BadInput("holds no weights", field="folder", value=folder.name, allowed=f"{WEIGHTS}, or shards of it")


def _shards(folder: Path) -> dict[Path, set[str] | None]:
    """Return the shards that an index lists; refuse any outside the folder."""
    file = folder / INDEX
    listed = read_json(file).get("weight_map")
    if not isinstance(listed, dict) or not listed:
        _refuse(file, "lists no tensors", _AGAIN)
    shards: dict[Path, set[str] | None] = {}
    for name, shard in listed.items():
        if not isinstance(shard, str) or not shard.endswith(_SAFETENSORS) or set(shard) & set("/\\:\0"):
            _refuse(
                file,
                f"lists a file that is not a shard of this folder: {str(shard)[:80]!r}",
                "Do not trust this folder",
            )
        location = folder / shard
        if not location.is_file():
            _refuse(location, f"is missing, although {INDEX} lists it", "Download the complete folder again")
        names = shards.setdefault(location, set())
        assert names is not None
        names.add(name)
    return shards


def _count(shape: tuple[int, ...]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _refuse(file: Path, what: str, remedy: str) -> NoReturn:
    raise BadInput(what, field=file.name, remedy=remedy)
