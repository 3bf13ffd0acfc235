"""What an adapter adds to a model, told apart from the model's own tables, which a run stores once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from lab.api import BadInput, ModelAdapter
from lab.base.problems import LabError
from lab.base.process_state import preparing
from lab.base.torch_lock import own_draws
from lab.layers import LanguageModel
from lab.training.adapters.builtins import NONE
from lab.training.resolution import Resolved

DRAWS = 4
"""Second number of the seed of what an adapter adds."""
_KEY = "_attached"


@dataclass(frozen=True)
class Attached:
    """An adapter that was attached to a model.

    Args:
        adapter: The adapter.
        names: Of each table of the model's own, its name without the adapter by its name with it.
        fixed: The names, with the adapter, of those tables that are not trained.
    """

    adapter: ModelAdapter
    names: Mapping[str, str]
    fixed: frozenset[str]

    def __deepcopy__(self, memo: object) -> Attached:
        """Return itself: it holds nothing of the model."""
        return self


def adapter_of(resolved: Resolved | None) -> ModelAdapter | None:
    """Return the adapter that a card makes; None if all weights are trained.

    Raises:
        BadInput: It refuses its settings.
        LabError: Its code raised, or made something else.
    """
    if resolved is None or resolved.card.name == NONE:
        return None
    made: Any = resolved.make()
    if made is None or isinstance(made, ModelAdapter):
        return made
    what, allowed = f"{resolved.card.name} made a {type(made).__name__}", "a lab.api.ModelAdapter"
    raise LabError(what, field=resolved.field, allowed=allowed, plugin=resolved.plugin)


def attach(model: LanguageModel, adapter: ModelAdapter, resolved: Resolved, seed: int = 0) -> None:
    """Attach an adapter to a model with any weights, and freeze what is not trained.

    Args:
        model: The model, on the CPU or the meta device.
        adapter: The adapter that `resolved` made.
        resolved: Its card.
        seed: Of the adapter's initial values.

    Raises:
        BadInput: The adapter does not suit the model.
        LabError: The adapter's code raised, or lost a table of the model.
    """
    if model.learns != "gradient":
        raise BadInput(
            "this model counts and learns nothing by gradient, so there is nothing to adapt",
            field="adapter.name",
            value=resolved.card.name,
            remedy="Choose another architecture, or set adapter.name=none",
        )
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    before = {id(tensor): name for name, tensor in _tensors(model).items()}
    with preparing(resolved.plugin, resolved.card.title), own_draws(seed, DRAWS):
        adapter.attach(model)
    after = _tensors(model)
    names = {name: before[id(tensor)] for name, tensor in after.items() if id(tensor) in before}
    lost = sorted(set(before.values()) - set(names.values()))
    if lost:
        what = f"{resolved.card.name} took {lost[0]} out of the tables of the model"
        raise LabError(what, field="adapter.name", plugin=resolved.plugin)
    fixed = frozenset(name for name in names if not after[name].requires_grad)
    setattr(model, _KEY, Attached(adapter, names, fixed))


def attached_to(model: LanguageModel) -> Attached | None:
    """Return the adapter that is attached to a model; None for none."""
    found: Attached | None = getattr(model, _KEY, None)
    return found


def initialise(model: LanguageModel, seed: int = 0) -> None:
    """Give what an adapter added its initial values, once the model has the weights of its base."""
    attached = attached_to(model)
    if attached is not None:
        with own_draws(seed, DRAWS, 1):
            attached.adapter.initialise(model)


def merge(model: LanguageModel) -> None:
    """Fold the adapter of a model into its weights, all of which can be trained then.

    Raises:
        BadInput: The weights cannot express what the adapter does.
    """
    attached = attached_to(model)
    if attached is None:
        return
    attached.adapter.merge(model)
    delattr(model, _KEY)
    for parameter in model.parameters():
        parameter.requires_grad_(True)


def stored_tables(model: LanguageModel) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    """Return the tables of a model that are trained, and those that its adapter leaves as they are."""
    attached, tables = attached_to(model), model.tables()
    fixed = frozenset() if attached is None else attached.fixed
    own = {name: table for name, table in tables.items() if name not in fixed}
    return own, {name: table for name, table in tables.items() if name in fixed}


def on_base(model: LanguageModel, tables: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the tables of a model whose own ones are those of a model without its adapter.

    Args:
        model: The model, with or without an adapter.
        tables: The tables of a model without one.

    Raises:
        ValueError: A table is missing.
    """
    attached = attached_to(model)
    if attached is None:
        return dict(tables)
    missing = sorted(set(attached.names.values()) - set(tables))
    if missing:
        raise ValueError(f"{missing[0]} is missing")
    own = model.tables()
    unknown = sorted(set(tables) - set(attached.names.values()))
    if unknown:
        raise ValueError(f"{unknown[0]} belongs to no parameter")
    return {name: tables[attached.names[name]] if name in attached.names else own[name] for name in own}


def _tensors(model: LanguageModel) -> dict[str, torch.Tensor]:
    """Return the tensors of a model's tables themselves, tied ones under their first name."""
    found: dict[int, tuple[str, torch.Tensor]] = {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        found.setdefault(id(tensor), (name, tensor))
    return dict(found.values())
