"""Checkpoints: safetensors and JSON in one folder, made aside and renamed into place. Loading one never runs code.

model.safetensors       the model's tables
training.safetensors    the optimizer's state and the carried state, by name
state.json              format, step, tokens, seconds, live settings, shapes of the optimizer's and the carried state
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from lab.api import State
from lab.base import LabError, Problem
from lab.base.writing import sync_tree, write_atomically, write_errors_as_problems
from lab.runs.checkpoint_list import Reason

FORMAT = 1


@dataclass(frozen=True)
class Kept:
    """What a checkpoint holds, apart from the training: nothing in it changes any more.

    Args:
        step: Steps made.
        reason: Why it is kept.
        model: The model's tables, on the processor.
        training: What the trainer needs to go on, on the processor; None where that cannot be kept.
        facts: Plain data.
    """

    step: int
    reason: Reason
    model: Mapping[str, torch.Tensor]
    training: Mapping[str, torch.Tensor] | None
    facts: Mapping[str, Any]


def copied(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Copies on the processor, one for each tensor."""
    return {name: tensor.detach().to("cpu", copy=True).contiguous() for name, tensor in tensors.items()}


def save_checkpoint(
    folder: Path, *, model: Mapping[str, torch.Tensor], training: Mapping[str, torch.Tensor], facts: Mapping[str, Any]
) -> None:
    """Writes a checkpoint, whole or not at all.

    Args:
        folder: Where it will be; its parent exists.
        model: The model's tables.
        training: What the trainer needs to go on.
        facts: Plain data for state.json.

    Raises:
        LabError: It could not be written; nothing is left of it.
    """

    def write(aside: Path) -> None:
        aside.mkdir(parents=True)
        try:
            save_file(_plain(model), aside / "model.safetensors")
            save_file(_plain(training), aside / "training.safetensors")
        except SafetensorError as error:  # its text holds the system's reason
            raise OSError(_errno(str(error)), str(error)) from None
        text = json.dumps({"format": FORMAT, **facts}, indent=2, allow_nan=False)
        (aside / "state.json").write_text(text + "\n", encoding="utf-8")
        sync_tree(aside)

    with write_errors_as_problems(folder):
        folder.parent.mkdir(exist_ok=True)
    write_atomically(folder, write)


def load_model_tables(folder: Path) -> dict[str, torch.Tensor]:
    """The model's tables of a checkpoint.

    Raises:
        LabError: The file is missing or damaged.
    """
    return _load(folder / "model.safetensors")


def load_facts(folder: Path) -> dict[str, Any]:
    """The facts of a checkpoint; its live settings are among them, unless it lacks the training's state.

    Raises:
        LabError: The file is missing, damaged, or of a newer format.
    """
    file = folder / "state.json"
    try:
        facts: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        version = facts["format"]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise LabError(_damaged(file, error)) from None
    if version != FORMAT:
        raise LabError(Problem(f"format {version} is newer than this lab", field=file.name, remedy="Update the lab"))
    return facts


def load_training(folder: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """The trainer's tensors and facts of a checkpoint.

    Raises:
        LabError: A file is missing, damaged, or of a newer format.
    """
    facts = load_facts(folder)
    return _load(folder / "training.safetensors"), facts


def packed(state: State, name: str, tensors: dict[str, torch.Tensor]) -> Any:
    """Puts a state's tensors into `tensors` under names that begin with `name`; returns its shape as plain data."""
    if isinstance(state, torch.Tensor):
        tensors[name] = state
        return {"tensor": name}
    if isinstance(state, dict):
        parts = {key: packed(part, f"{name}.{key}", tensors) for key, part in state.items()}
        # JSON knows texts alone as names
        return {"dict": parts} if all(isinstance(key, str) for key in parts) else {"items": [*parts.items()]}
    if isinstance(state, tuple | list):
        kind = "list" if isinstance(state, list) else "tuple"
        return {kind: [packed(part, f"{name}.{i}", tensors) for i, part in enumerate(state)]}
    return {"value": state}


def unpacked(shape: Any, tensors: dict[str, torch.Tensor]) -> State:
    """The inverse of `packed`."""
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
        tensors: dict[str, torch.Tensor] = load_file(file)
    except (OSError, SafetensorError) as error:
        raise LabError(_damaged(file, error)) from None
    return tensors


def _damaged(file: Path, error: Exception) -> Problem:
    where = f"{file.parent.name}/{file.name}"
    what = "is missing" if isinstance(error, FileNotFoundError) else f"cannot be read: {error}"
    return Problem(f"this part of the checkpoint {what}", field=where, remedy="Use another checkpoint of the run")


def _plain(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The tensors on the processor, none sharing memory with another: safetensors refuses that."""
    plain: dict[str, torch.Tensor] = {}
    seen: set[int] = set()
    for name, tensor in tensors.items():
        own = tensor.detach().to("cpu").contiguous()
        place = own.untyped_storage().data_ptr()
        plain[name] = own.clone() if place in seen else own
        seen.add(place)
    return plain


def _errno(text: str) -> int:
    start = text.find("os error ")
    digits = "".join(c for c in text[start + 9 : start + 13] if c.isdigit()) if start >= 0 else ""
    return int(digits) if digits else 0
