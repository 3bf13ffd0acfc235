"""The weights of a finished run as the start of another training: of another text, or of another task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import torch

from lab.api import BadInput
from lab.training.adapters.attaching import attached_to

if TYPE_CHECKING:
    from lab.layers import LanguageModel


def grown(model: LanguageModel, tables: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return tables with the model's own rows for symbols that they lack, such as those of the roles of a conversation.

    Args:
        model: The model, with initial weights, for a vocabulary that begins with that of the tables.
        tables: The tables of a model for fewer symbols.

    Raises:
        BadInput: The adapter of the model would never train the new rows.
    """
    own, size = model.tables(), model.task.vocabulary_size
    attached = attached_to(model)
    found: dict[str, torch.Tensor] = {}
    for name, table in tables.items():
        new = own.get(name)
        grows = new is not None and new.shape[:1] == (size,) and new.shape[1:] == table.shape[1:]
        if new is None or not grows or len(table) >= size:
            found[name] = table
            continue
        if attached is not None and name in attached.fixed:
            raise BadInput(
                f"the text has {size - len(table)} symbols that the run does not know, and the adapter leaves {name} "
                "as it is",
                field="adapter.trained",
                remedy=f"Train it too: adapter.trained={attached.names[name]}",
            )
        found[name] = torch.cat([table, new[len(table) :].to(table)])
    return found


def transferred(model: LanguageModel, tables: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tables of a model of another task: the body of a trained one, and a new head.

    Rows of symbols and positions that the model does not have are left out; heads of the same shape are taken.

    Args:
        model: The model, with initial weights, with or without an adapter.
        tables: The tables of a model of the same architecture and settings, without an adapter.

    Raises:
        BadInput: The model reads longer texts than the trained one has positions for.
        ValueError: A table of the body is missing, or has another shape.
    """
    attached = attached_to(model)
    names = {name: name for name in model.tables()} if attached is None else attached.names
    found: dict[str, torch.Tensor] = {}
    for name, new in model.tables().items():
        old = tables.get(names[name]) if name in names else None
        of_head = name not in names or any(f"{names[name]}.".startswith(f"{part}.") for part in model.head_parts)
        if old is None or (old.shape[1:] != new.shape[1:]) or (of_head and old.shape != new.shape):
            if not of_head:
                raise ValueError(f"{name} is missing, or has another shape")
            if attached is not None and name in attached.fixed:
                raise BadInput(
                    f"the adapter leaves the new head of this task as it is: {names[name]} would never be trained",
                    field="adapter.trained",
                    remedy=f"Train it too: adapter.trained={','.join(_parts_of(model, names.values()))}",
                )
            found[name] = new
            continue
        if len(old) != len(new) and len(new) not in (model.task.vocabulary_size, model.task.context_length):
            raise BadInput(
                "has another number of rows in the model to continue from",
                field="adapter.run",
                value=name,
                allowed=f"{len(new)} rows, and there are {len(old)}",
                remedy="Choose a run on inputs of the same shape",
            )
        if len(old) < len(new):
            if len(new) != model.task.vocabulary_size:
                raise BadInput(
                    "the model has learned fewer positions",
                    field="training.context_length",
                    value=model.task.context_length,
                    allowed=f"at most {len(old)}",
                    remedy=f"Set training.context_length={len(old)}",
                )
            old = torch.cat([old, new[len(old) :].to(old)])
        found[name] = old[: len(new)]
    return found


def _parts_of(model: LanguageModel, names: Iterable[str]) -> list[str]:
    """Return patterns of the heads that a model has."""
    every = list(names)
    return [f"{part}.*" for part in model.head_parts if any(name.startswith(f"{part}.") for name in every)]
