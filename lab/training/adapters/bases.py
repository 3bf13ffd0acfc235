"""The weights of a finished run as the start of another training, with room for the symbols of another text."""

from __future__ import annotations

from collections.abc import Mapping
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
