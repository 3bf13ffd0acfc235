"""Roles of a model's parameters: derived from the modules that own them, unless a module names them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import Tensor, nn
from torch.nn.modules.batchnorm import _NormBase
from torch.nn.modules.conv import _ConvNd

from lab.api import ROLES, Role
from lab.layers.model import LanguageModel

NORMS = (nn.LayerNorm, nn.RMSNorm, nn.GroupNorm, _NormBase)
"""Modules whose parameters are gains and shifts of a normalisation."""
UNDECAYED = ("norm", "recurrence")
"""Roles whose parameters do not decay, of whatever shape."""


def parameter_roles(model: nn.Module) -> dict[str, Role]:
    """Return the role of each parameter by its name; a tied one counts once, under its first name.

    A module's attribute `roles`, {name of a parameter: role}, decides; names may lead into its children, and of several
    modules the outermost one decides. Otherwise the parameters of nn.Embedding are embeddings, the weight of a
    projection onto the task's symbols, classes or numbers that the model itself owns is the head, the parameters of
    norms are norms, and parameters of fewer than two dimensions, of `no_decay`, or of convolutions of single channels
    are vectors. All others are matrices.

    Raises:
        ValueError: A module names a role that does not exist, or a parameter that it does not have.
    """
    given: dict[int, Role] = {}
    for path, module in model.named_modules():
        for name, role in getattr(module, "roles", {}).items():
            if role not in ROLES:
                owner, allowed = path or type(module).__name__, ", ".join(ROLES)
                raise ValueError(f"{owner}.roles gives {name} the role {role!r}, which is none of {allowed}")
            for parameter in _named(module, name, path):
                given.setdefault(id(parameter), role)
    spared, head = spared_by_name(model), _head(model)
    derived: dict[int, Role] = {}
    for module in model.modules():
        for name, parameter in module.named_parameters(recurse=False):
            role = _derived(module, name, parameter, id(parameter) in spared)
            role = "head" if parameter is head and role == "matrix" else role
            if role == "embedding" or id(parameter) not in derived:  # tied to the head, which may come first
                derived[id(parameter)] = role
    return {name: given.get(id(p), derived[id(p)]) for name, p in model.named_parameters()}


def spared_by_name(model: nn.Module) -> set[int]:
    """Return the ids of the parameters that modules exempt from weight decay by `no_decay`."""
    spared: set[int] = set()
    for module in model.modules():
        spared |= {id(module.get_parameter(name)) for name in getattr(module, "no_decay", ())}
    return spared


def fan_ins(model: nn.Module) -> dict[int, int]:
    """Return the width of each parameter by its id: see ParameterGroup."""
    widths = {id(p): p.shape[-1] if p.ndim else 1 for p in model.parameters()}
    for module in model.modules():
        if isinstance(module, _ConvNd):
            widths[id(module.weight)] = module.weight[0].numel()
    return widths


def _named(module: nn.Module, name: str, path: str) -> Iterator[Tensor]:
    """Yield the parameter of this name; nothing if it is None, as one that only some settings make."""
    inner, _, own = name.rpartition(".")
    owner: Any = module.get_submodule(inner)
    if own not in owner._parameters and getattr(owner, own, owner) is not None:
        raise ValueError(f"{path or type(module).__name__}.roles names {name!r}, which is not a parameter of it")
    if (parameter := owner._parameters.get(own)) is not None:
        yield parameter


def _head(model: nn.Module) -> Tensor | None:
    """Return the weight of the last projection that a language model itself owns onto what its task predicts."""
    if not isinstance(model, LanguageModel):
        return None
    answers = model.task.classes or model.task.outputs or model.task.vocabulary_size
    found = [each.weight for each in model.children() if isinstance(each, nn.Linear) and each.out_features == answers]
    return found[-1] if found else None


def _derived(module: nn.Module, name: str, parameter: Tensor, spared: bool) -> Role:
    if isinstance(module, nn.Embedding):
        return "embedding"
    if isinstance(module, NORMS):
        return "norm"
    if parameter.ndim < 2 or spared or (isinstance(module, _ConvNd) and name == "weight" and parameter.shape[1] == 1):
        return "vector"
    return "matrix"
