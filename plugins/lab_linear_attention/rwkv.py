"""RWKV-6 (Finch): time mixing with decays that depend on the data, and its channel mixing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Role, Slot, State, Task
from lab.layers import LayerNorm, ResidualStack, TokenMixer
from lab_linear_attention.memory import NORMAL, HeadNorm, Memory, Read, by_head, wide

if TYPE_CHECKING:
    from lab_linear_attention.settings import RWKV6ChannelSettings, RWKV6Config, RWKV6Settings

FASTEST = 5.0
"""Largest ln −ln of the decay: beyond it the share retained of a state, e^−148, vanishes in float32."""
INPUTS = ("decay", "key", "value", "receptance", "gate")
"""The five inputs, each with its own mix of a token and the one before it."""
NORM_EPSILON = 64e-5
"""Epsilon of the norm of each head, as in the authors' code."""


def shifted(x: Tensor, before: Tensor) -> tuple[Tensor, Tensor]:
    """Return the token before each of (B, T, C), `before` (B, C) for the first, minus the token; and the last token."""
    return torch.cat([before[:, None].to(x.dtype), x[:, :-1]], dim=1) - x, x[:, -1].to(before.dtype)


class TimeMixing(Memory):
    """S_t = diag(w_t) S_{t−1} + k_t v_tᵀ, o_t = (S_{t−1} + diag(u) k_t v_tᵀ)ᵀ r_t (Peng et al. 2024, section 4.2).

    Each of decay, key, value, receptance and gate sees x_t + (x_{t−1} − x_t) ⊙ μ, where μ depends on the same through a
    narrow projection. w_t = exp(−exp(d_t)) for each channel of the key. Each head's output is normalised on its own and
    gated. Names and initial values of the weights follow the authors' code; as there, weight decay spares the mixes of
    tokens, the decays, and the narrow projections that correct both.

    Args:
        slot: Its slot in the stack; slot.config is an RWKV6Settings.
    """

    no_decay = ("shifts", "shift_wide", "bonus")
    roles: Mapping[str, Role] = {"decay_base": "recurrence"}

    def __init__(self, slot: Slot) -> None:
        settings: RWKV6Settings = slot.config
        C, H = slot.width, settings.heads
        norm = HeadNorm(H, C // H, centred=True, bias=True, eps=NORM_EPSILON)
        super().__init__(slot, norm, C // H)
        share = torch.arange(C) / C
        early, late = 1 - slot.layer / slot.layers, slot.layer / max(1, slot.layers - 1)
        now = torch.stack([share**early, share**early, share**early + 0.3 * late, *[share ** (0.5 * early)] * 2])
        self.shift = nn.Parameter(1 - share**early)
        self.shifts = nn.Parameter(1 - now)  # (5, C)
        self.shift_narrow = nn.Linear(C, len(INPUTS) * settings.shift_rank, bias=False)
        self.shift_wide = nn.Parameter(torch.empty(len(INPUTS), settings.shift_rank, C).uniform_(-0.01, 0.01))
        channel = torch.arange(C) / max(1, C - 1)
        self.decay_base = nn.Parameter(-6 + 5 * channel ** (0.7 + 1.3 * late))
        self.decay_narrow = nn.Linear(C, settings.decay_rank, bias=False)
        self.decay_wide = nn.Linear(settings.decay_rank, C, bias=False)
        zigzag = (torch.arange(C) + 1) % 3 - 1
        self.bonus = nn.Parameter(by_head(late * (1 - channel) + 0.1 * zigzag, H))
        self.receptance, self.key, self.value, self.gate = (nn.Linear(C, C, bias=False) for _ in range(4))
        for correction in (self.shift_narrow, self.decay_narrow, self.decay_wide):
            correction.no_decay = ("weight",)  # type: ignore[assignment]
        for narrow in (self.shift_narrow, self.decay_narrow):
            nn.init.zeros_(narrow.weight)
        nn.init.uniform_(self.decay_wide.weight, -0.01, 0.01)
        for projection in (self.receptance, self.key, self.value, self.gate):
            NORMAL.linear(projection, C)

    def read(self, x: Tensor, state: dict[str, Any]) -> tuple[Read, dict[str, Any]]:
        """Return receptances (as queries), keys, values, decays, bonus and gate."""
        more, last = shifted(x, state["before"])
        narrow = by_head(torch.tanh(self.shift_narrow(x + more * self.shift)), len(INPUTS))  # (B, T, 5, R)
        shares = self.shifts + torch.einsum("btir,irc->btic", narrow, self.shift_wide)
        d, k, v, r, g = (x[:, :, None] + more[:, :, None] * shares).unbind(dim=2)
        exponent = self.decay_base + self.decay_wide(torch.tanh(self.decay_narrow(d)))
        projected = (self.receptance(r), self.key(k), self.value(v), -wide(exponent).clamp(max=FASTEST).exp())
        receptance, key, value, log_decay = (by_head(each, self.heads) for each in projected)
        return Read(receptance, key, value, log_decay, bonus=self.bonus, gate=self.gate(g)), {"before": last}


class ChannelMixing(TokenMixer):
    """σ(W_r r_t) ⊙ W_v max(W_k k_t, 0)²; k_t and r_t mix the token with the one before it (ibid., section 4.2).

    It is the channel mixer of a block, but a TokenMixer since it needs the token before.

    Args:
        slot: Its slot in the stack; slot.config is an RWKV6ChannelSettings.
    """

    def __init__(self, slot: Slot) -> None:
        settings: RWKV6ChannelSettings = slot.config
        super().__init__()
        C, units = slot.width, settings.units(slot.width)
        share = torch.arange(C) / C
        early = 1 - slot.layer / slot.layers
        self.key_shift, self.receptance_shift = (nn.Parameter(1 - share**early) for _ in range(2))
        self.key = nn.Linear(C, units, bias=False)
        self.receptance = nn.Linear(C, C, bias=False)
        self.value = nn.Linear(units, C, bias=False)
        for projection in (self.key, self.receptance):
            NORMAL.linear(projection, C)
        NORMAL.linear(self.value, C, layers=slot.layers)

    def start(self, batch: int) -> State:
        """Return the state before the first token: zeros (B, C)."""
        weight = self.receptance.weight
        kind = torch.promote_types(weight.dtype, torch.float32)
        return {"before": weight.new_zeros(batch, weight.shape[0], dtype=kind)}

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more tokens -> (B, T, C) and the last of them."""
        more, last = shifted(x, state["before"])
        units = F.relu(self.key(x + more * self.key_shift)).square()
        units = self.hook_point("units", units, ("batch", "token", "unit"))
        self.report("activation", units, axes=("batch", "token", "unit"))
        y = self.receptance(x + more * self.receptance_shift).sigmoid() * self.value(units)
        return y, {"before": last}


class RWKV6(ResidualStack):
    """A stack of time mixing and channel mixing with LayerNorm, also after the embedding.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: RWKV6Config, task: Task) -> None:
        def norm(slot: Slot) -> LayerNorm:
            return LayerNorm(slot, bias=True)

        super().__init__(
            config,
            task,
            token_mixer=TimeMixing,
            channel_mixer=ChannelMixing,
            norm=norm,
            tie=config.tie,
            embedding_norm=norm,
        )
