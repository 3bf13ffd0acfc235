"""Checkpoints: safetensors and JSON in one folder, written under a temporary name and renamed. Loading runs no code.

model.safetensors       the model's tables
training.safetensors    the optimizer's state and the carried state, by name
state.json              format, step, tokens, seconds, live settings, shapes of the optimizer's and the carried state

The checkpoints of a run with an adapter hold only what is trained; base/model.safetensors beside them has the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

from lab.api import State
from lab.base import LabError, Problem
from lab.base.files.reading import check_regular, read_text
from lab.base.files.writing import sync_tree, write_atomically, write_errors_as_problems
from lab.base.leaving import saving
from lab.runs.checkpoint_list import Reason
from lab.runs.fields import CheckpointFacts
from lab.runs.records import parse_record

FORMAT = 1
BASE = "base"
"""The folder in a run with the tables that an adapter leaves as they are."""
_ON = "rest in"  # the entry of a file of tables that names the folder with the others


@dataclass(frozen=True)
class CheckpointData:
    """The content of a checkpoint, detached from the training, so that it does not change.

    Args:
        step: The number of steps made.
        reason: The reason for saving it.
        model: The model's tables, on the CPU.
        training: The trainer's state to continue from, on the CPU; None if that cannot be saved.
        facts: Plain data.
        on_base: Whether the rest of the model's tables are those of the run's base.
    """

    step: int
    reason: Reason
    model: Mapping[str, torch.Tensor]
    training: Mapping[str, torch.Tensor] | None
    facts: Mapping[str, Any]
    on_base: bool = False


def copied(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return copies of the tensors on the CPU."""
    return {name: tensor.detach().to("cpu", copy=True).contiguous() for name, tensor in tensors.items()}


def save_checkpoint(
    folder: Path,
    *,
    model: Mapping[str, torch.Tensor],
    training: Mapping[str, torch.Tensor],
    facts: Mapping[str, Any],
    on_base: bool = False,
) -> None:
    """Write a checkpoint, completely or not at all.

    Args:
        folder: The folder of the checkpoint.
        model: The model's tables.
        training: The trainer's state to continue from.
        facts: Plain data for state.json.
        on_base: Whether the rest of the model's tables are those of `save_base`.

    Raises:
        LabError: It could not be written; nothing of it is left behind.
    """

    def write(temporary: Path) -> None:
        temporary.mkdir(parents=True)
        save_tensors(_plain(model), temporary / "model.safetensors", {_ON: BASE} if on_base else None)
        save_tensors(_plain(training), temporary / "training.safetensors")
        text = json.dumps({"format": FORMAT, **facts}, indent=2, allow_nan=False)
        (temporary / "state.json").write_text(text + "\n", encoding="utf-8")
        sync_tree(temporary)

    with write_errors_as_problems(folder):
        folder.parent.mkdir(exist_ok=True)
    with saving():
        write_atomically(folder, write)


def save_base(run: Path, tables: Mapping[str, torch.Tensor]) -> None:
    """Write the tables of a run's model that an adapter leaves as they are, once for all checkpoints.

    Args:
        run: The run's folder.
        tables: The tables, by their names in the adapted model.

    Raises:
        LabError: They could not be written.
    """

    def write(temporary: Path) -> None:
        temporary.mkdir(parents=True)
        save_tensors(_plain(tables), temporary / "model.safetensors")
        sync_tree(temporary)

    with saving():
        write_atomically(run / BASE, write)


def save_tensors(tensors: Mapping[str, torch.Tensor], file: Path, about: Mapping[str, str] | None = None) -> None:
    """Write tensors to a new file.

    Args:
        tensors: The tensors, on the CPU.
        file: The file.
        about: The texts of its header, by name.

    Raises:
        OSError: It could not be written.
    """
    try:
        save_file(dict(tensors), file, None if about is None else dict(about))
    except SafetensorError as error:  # its message contains the system's error
        raise OSError(_errno(str(error)), str(error)) from None


def load_model_tables(folder: Path) -> dict[str, torch.Tensor]:
    """Return the model's tables of a checkpoint, with those of the run's base if it needs them.

    Raises:
        LabError: A file is missing or damaged.
    """
    file = folder / "model.safetensors"
    tables = _load(file)
    with safe_open(file, "pt") as opened:
        needs_base = _ON in (opened.metadata() or {})
    return {**_load(folder.parent.parent / BASE / "model.safetensors"), **tables} if needs_base else tables


def load_facts(folder: Path) -> dict[str, Any]:
    """Return the facts of a checkpoint, with its live settings unless it lacks the training's state.

    Raises:
        LabError: The file is missing, damaged, or of a newer format.
    """
    file = folder / "state.json"
    try:
        facts = parse_record(read_text(file), CheckpointFacts)
        version = facts["format"]
    except (OSError, ValueError, KeyError) as error:
        raise LabError(_damaged(file, error)) from None
    if version != FORMAT:
        raise LabError(Problem(f"format {version} is newer than this lab", field=file.name, remedy="Update the lab"))
    return facts


def load_training(folder: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Return the trainer's tensors and facts of a checkpoint.

    Raises:
        LabError: A file is missing, damaged, or of a newer format.
    """
    facts = load_facts(folder)
    return _load(folder / "training.safetensors"), facts


def packed(state: State, name: str, tensors: dict[str, torch.Tensor]) -> Any:
    """Put a state's tensors into `tensors` under names that start with `name`; return its structure as plain data."""
    if isinstance(state, torch.Tensor):
        tensors[name] = state
        return {"tensor": name}
    if isinstance(state, dict):
        parts = {key: packed(part, f"{name}.{key}", tensors) for key, part in state.items()}
        # JSON allows only strings as keys
        return {"dict": parts} if all(isinstance(key, str) for key in parts) else {"items": [*parts.items()]}
    if isinstance(state, tuple | list):
        kind = "list" if isinstance(state, list) else "tuple"
        return {kind: [packed(part, f"{name}.{i}", tensors) for i, part in enumerate(state)]}
    return {"value": state}


def unpacked(shape: Any, tensors: dict[str, torch.Tensor]) -> State:
    """Return the state that `packed` took apart."""
    ((kind, content),) = shape.items()
    if kind == "tensor":
        return tensors[content]
    if kind in ("dict", "items"):
        parts = content.items() if kind == "dict" else content
        return {key: unpacked(part, tensors) for key, part in parts}
    if kind in ("list", "tuple"):
        several = [unpacked(part, tensors) for part in content]
        return several if kind == "list" else tuple(several)
    return content


def _load(file: Path) -> dict[str, torch.Tensor]:
    try:
        check_regular(file)
        tensors: dict[str, torch.Tensor] = load_file(file)
    except (OSError, SafetensorError) as error:
        raise LabError(_damaged(file, error)) from None
    return tensors


def _damaged(file: Path, error: Exception) -> Problem:
    where = f"{file.parent.name}/{file.name}"
    reason = (isinstance(error, OSError) and error.strerror) or error
    what = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {reason}"
    return Problem(f"this file of the checkpoint {what}", field=where, remedy="Use another checkpoint of the run")


def _plain(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tensors on the CPU without shared memory, as safetensors requires."""
    plain: dict[str, torch.Tensor] = {}
    seen: set[int] = set()
    for name, tensor in tensors.items():
        own = tensor.detach().to("cpu").contiguous()
        address = own.untyped_storage().data_ptr()
        plain[name] = own.clone() if address in seen else own
        seen.add(address)
    return plain


def _errno(text: str) -> int:
    start = text.find("os error ")
    digits = "".join(c for c in text[start + 9 : start + 13] if c.isdigit()) if start >= 0 else ""
    return int(digits) if digits else 0
