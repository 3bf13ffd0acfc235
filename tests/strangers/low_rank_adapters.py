"""Low-rank adapters: a trained stack continues with its weights frozen, and small products of two matrices learn.

Train with rank 0, then branch from a checkpoint with a rank: the adapters start new, all other weights are those of the
checkpoint.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Architecture, Register, StackConfig, Task, hookimpl, setting
from lab.layers import Attention, ResidualStack

LAB_API_VERSION = 2


class AdaptersConfig(StackConfig):
    """The settings of the stack."""

    heads: int = setting(2, ge=1, help="Attention heads.")
    rank: int = setting(
        0, ge=0, le=64, zero="none", help="Rank of the adapters; with them all other weights are frozen."
    )


class Adapted(nn.Module):
    """W x + U D x with W frozen (Hu et al. 2022, eq. 3)."""

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.weight = linear.weight  # under the same name as without an adapter
        self.down = nn.Parameter(torch.randn(rank, linear.in_features) * linear.in_features**-0.5)
        self.up = nn.Parameter(torch.randn(linear.out_features, rank) * 1e-3)

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight) + F.linear(F.linear(x, self.down), self.up)


class AdaptedStack(ResidualStack):
    """A transformer with adapters on all projections of its blocks."""

    def __init__(self, config: AdaptersConfig, task: Task) -> None:
        super().__init__(
            config, task, token_mixer=lambda slot: Attention(slot, heads=config.heads), positions="learned"
        )
        if config.rank:
            self.requires_grad_(False)
            for path, module in list(self.blocks.named_modules()):
                if isinstance(module, nn.Linear):
                    parent, _, name = path.rpartition(".")
                    setattr(self.blocks.get_submodule(parent), name, Adapted(module, config.rank))

    def load_tables(self, tables: dict[str, Tensor]) -> None:
        own = {name: table for name, table in self.tables().items() if name.endswith((".down", ".up"))}
        super().load_tables({**own, **tables})


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="adapted",
            title="Transformer with adapters",
            family="Transformers",
            summary="A transformer that can be fine-tuned by low-rank adapters.",
            config=AdaptersConfig,
            build=AdaptedStack,
        )
    )
