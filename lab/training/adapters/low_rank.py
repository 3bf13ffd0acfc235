"""LoRA: W + (α / r) B A, of which only A and B are trained."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.conv import _ConvNd
from torch.nn.utils import parametrize

from lab.api import BadInput, LanguageModel, ModelAdapter, Role
from lab.layers import parameter_roles
from lab.training.adapters.builtins import LoRAConfig
from lab.training.patterns import named_by

ADAPTED: tuple[Role, ...] = ("matrix", "head")
"""Roles of parameters that can get an update; a head only if a pattern names it."""


class LowRank(ModelAdapter):
    """Low-rank updates of matrices (Hu et al. 2022, eq. 3).

    A starts normal with variance 1 / m and B at zero, so that a new adapter changes nothing. A stack of matrices, as
    that of experts, gets an update for each. The parameters are r (n + m) for each matrix of n × m.

    Args:
        config: Rank, α and the patterns.
    """

    def __init__(self, config: LoRAConfig) -> None:
        self._config = config

    def attach(self, model: LanguageModel) -> None:
        """Give each selected matrix its update.

        Raises:
            BadInput: The model has no such matrices, a pattern fits none, or the rank is larger than all of them.
        """
        assert isinstance(model, nn.Module)
        config = self._config
        selected = self._selected(model)
        for parameter in named_by(config.trained, dict(model.named_parameters()), "adapter.trained").values():
            parameter.requires_grad_(True)
        largest = max(min(matrix.shape[-2:]) for matrix in selected.values())
        if config.rank > largest:
            raise BadInput(
                "is larger than the rank that any of these matrices can have",
                field="adapter.rank",
                value=config.rank,
                allowed=f"1 to {largest}",
            )
        for name, matrix in selected.items():
            path, _, own = name.rpartition(".")
            update = Update(matrix, config.rank, config.alpha / config.rank)
            parametrize.register_parametrization(model.get_submodule(path), own, update, unsafe=True)

    def merge(self, model: LanguageModel) -> None:
        """Replace each matrix by the sum of it and its update."""
        assert isinstance(model, nn.Module)
        for module in list(model.modules()):
            for name in [name for name, each in parametrizations(module).items() if _is_update(each)]:
                parametrize.remove_parametrizations(module, name, leave_parametrized=True)

    def _selected(self, model: nn.Module) -> dict[str, Tensor]:
        """Return the matrices that get an update, by name."""
        matrices = dict(_matrices(model))
        if not matrices:
            raise BadInput(
                "this model has no matrices that are trained by gradient, so there is nothing to adapt",
                field="adapter.name",
                value="lora",
                remedy="Choose another architecture, or set adapter.name=none",
            )
        roles = parameter_roles(model)
        if self._config.matrices.strip():
            return named_by(self._config.matrices, matrices, "adapter.matrices")
        return {name: matrix for name, matrix in matrices.items() if roles[name] == "matrix"} or matrices


class Update(nn.Module):
    """The parametrization W -> W + (α / r) B A.

    Args:
        matrix: W, (…, n, m).
        rank: r.
        scale: α / r.
    """

    def __init__(self, matrix: Tensor, rank: int, scale: float) -> None:
        super().__init__()
        *stack, n, m = matrix.shape
        self.A = nn.Parameter(matrix.new_empty(*stack, rank, m).normal_(std=m**-0.5))
        self.B = nn.Parameter(matrix.new_zeros(*stack, n, rank))
        self.scale = scale

    def forward(self, matrix: Tensor) -> Tensor:
        """Return the adapted matrix, in the number format of W."""
        with torch.autocast(matrix.device.type, enabled=False):
            return matrix + self.scale * (self.B @ self.A)


def parametrizations(module: nn.Module) -> Mapping[str, Any]:
    """Return the parametrizations of a module's own parameters, by their names."""
    found: Any = getattr(module, "parametrizations", None)
    return dict(found.items()) if isinstance(found, nn.ModuleDict) else {}


def _is_update(parametrizations: Collection[Any]) -> bool:
    return any(isinstance(each, Update) for each in parametrizations)


def _matrices(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Yield the matrices that can get an update: of two or more dimensions, not tied, and of no convolution."""
    roles = parameter_roles(model)
    owners: dict[int, int] = {}
    for module in model.modules():
        for parameter in module.parameters(recurse=False):
            owners[id(parameter)] = owners.get(id(parameter), 0) + 1
    for name, parameter in model.named_parameters():
        owner = model.get_submodule(name.rpartition(".")[0])
        if isinstance(owner, _ConvNd) or parametrizations(owner):
            continue
        if roles[name] in ADAPTED and parameter.ndim >= 2 and owners[id(parameter)] == 1:
            yield name, parameter
