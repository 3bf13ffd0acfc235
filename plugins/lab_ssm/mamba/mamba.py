"""Mamba: a recurrence whose step size, input and output depend on the token that it reads (Gu & Dao 2023)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Role, Slot, State, Task
from lab.layers import (
    ResidualStack,
    RMSNorm,
    ShortConvolution,
    TokenMixer,
    full_precision,
    half_life,
    selective_scan,
)

if TYPE_CHECKING:
    from lab_ssm.mamba.cards import MambaConfig

FLOOR = 1e-4
"""Smallest initial step size of a model."""
PIECE = 8
"""Rows of the map computed at once."""
SCAN_FLOPS = 7
"""Forward operations per token, channel and state: exp(Δ A), writing with B, the recurrence, reading with C."""


class Selected(NamedTuple):
    """The inputs of the scan.

    Args:
        x: Its input (B, T, D), after the convolution.
        dt: Step sizes (B, T, D), in float32 or wider.
        B: The write vectors of the state (B, T, N).
        C: The read vectors of the state (B, T, N).
    """

    x: Tensor
    dt: Tensor
    B: Tensor
    C: Tensor


class Mamba(TokenMixer):
    """The selective state space model S6 between a short convolution and a gate: D channels of N states each.

    h_t = exp(Δ_t A) h_{t−1} + Δ_t B_t x_t and y_t = C_t · h_t + D x_t, where Δ, B and C come from x (section 3.2 and
    algorithm 2). With `eigenvalues` "signed" the state is multiplied by 2 exp(Δ_t A) − 1 (Grazzi et al. 2025).
    """

    roles: Mapping[str, Role] = {"A_log": "recurrence", "step_size.bias": "recurrence"}
    mixing_heads = ("mean", "mean size")

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        config, inner = slot.config, slot.config.expand * slot.width
        self.signed = config.eigenvalues == "signed"
        self.states, self.rank = config.state, config.step_rank(slot.width)
        self.project = nn.Linear(slot.width, 2 * inner, bias=config.bias)  # x, then the gate
        self.convolution = ShortConvolution(inner, config.convolution, bias=config.conv_bias, activation="silu")
        self.select = nn.Linear(inner, self.rank + 2 * self.states, bias=False)  # Δ at low rank, then B, then C
        self.step_size = nn.Linear(self.rank, inner)
        self.A_log = nn.Parameter(torch.arange(1.0, self.states + 1).log().repeat(inner, 1))  # S4D-Real
        self.D = nn.Parameter(torch.ones(inner))
        self.output = nn.Linear(inner, slot.width, bias=config.bias)
        nn.init.uniform_(self.step_size.weight, -(self.rank**-0.5), self.rank**-0.5)
        init_step_sizes(self.step_size.bias, config.step_min, config.step_max)
        init_projections(self.project, self.output, slot.layers)
        self.part_names = {
            "": "Mamba",
            "project": {"input": inner, "gate": inner},
            "select": {"step size (low rank)": self.rank, "write B": self.states, "read C": self.states},
            "A_log": "rates A",
            "D": "skip D",
        }
        self.extra_flops = partial(_scan_flops, inner * self.states)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, T, C) -> (B, T, C)."""
        return self._mix(x, None, None)[0]

    def start(self, batch: int) -> State:
        """Return zeros: the convolution's last inputs (B, kernel − 1, D), the state (B, D, N), float32 or wider."""
        return {"recent": self.convolution.start(batch), "state": self.rates.new_zeros(batch, *self.A_log.shape)}

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more tokens -> (B, T, C) and the new state, as large as the old."""
        return self._mix(x, state["recent"], state["state"])

    @property
    def rates(self) -> Tensor:
        """A (D, N), below 0, in float32 or wider."""
        return -self.A_log.to(torch.promote_types(self.A_log.dtype, torch.float32)).exp()

    def selected(self, x: Tensor) -> Selected:
        """Return the inputs of the scan for a text (B, T, C) read from its start."""
        return self._select(self.convolution(self.project(x).chunk(2, dim=-1)[0])[0])

    def hidden_attention(self, x: Tensor) -> Tensor:
        """Return each channel's weights of inputs s in outputs t (Ali et al. 2024): (B, T, C) -> (B, D, t, s).

        Σ_s α_ts(d) x_s(d) is the output of the scan without D x, where x is its input.
        """
        return torch.cat(list(self._rows(x)), dim=2)

    def mixing_map(self, x: Tensor) -> Tensor:
        """Return channel means of `hidden_attention` and of its absolute values: (B, T, C) -> (B, 2, query, key).

        The first is signed, so that channels of opposite signs cancel.
        """
        return torch.cat([torch.stack([rows.mean(1), rows.abs().mean(1)], dim=1) for rows in self._rows(x)], dim=2)

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return each state number's factor per token, averaged over the tokens: complex (D · N,)."""
        mean = torch.stack([self._decays(dt).mean(dim=0) for dt in self.selected(x).dt]).mean(dim=0)
        return torch.complex(mean, torch.zeros_like(mean)).flatten()

    def _mix(self, x: Tensor, recent: Tensor | None, state: Tensor | None) -> tuple[Tensor, State]:
        x, gate = self.project(x).chunk(2, dim=-1)
        x, recent = self.convolution(x, recent)
        selected_values = self._select(x)
        _, dt, B, C = selected_values
        self._report(selected_values)
        with full_precision(x):
            skip = None if self._edits else self.D
            y, state = selective_scan(x, dt, self.rates, B, C, skip, state, signed=self.signed)
        if self._edits:  # they act on what the state gives, and D x bypasses it
            y = self.hook_point("channels", y, ("batch", "token", "channel")) + self.D.to(x.dtype) * x
        return self.output(y * F.silu(gate)), {"recent": recent, "state": state}

    def _select(self, x: Tensor) -> Selected:
        low, B, C = self.select(x).split([self.rank, self.states, self.states], dim=-1)
        rates = self.rates
        with full_precision(x):  # a step size is an exponent
            dt = F.softplus(F.linear(low.to(rates), self.step_size.weight.to(rates), self.step_size.bias.to(rates)))
        return Selected(x, dt, B, C)

    def _decays(self, dt: Tensor) -> Tensor:
        """Return the factors of a token on the states: (…, D) -> (…, D, N)."""
        a = (dt[..., None] * self.rates).exp()
        return 2 * a - 1 if self.signed else a

    def _rows(self, x: Tensor) -> Iterator[Tensor]:
        """Yield `hidden_attention` in pieces of its rows, (B, D, PIECE, T).

        States are followed separately for each token that they hold: token by token within a piece, and by a piece's
        factor from piece to piece.
        """
        _, dt, B, C = self.selected(x)
        T = dt.shape[1]
        past = dt.new_zeros(len(dt), 0, *self.A_log.shape)  # (B, tokens before the piece, D, N)
        for first in range(0, T, PIECE):
            here = slice(first, first + PIECE)
            with full_precision(x):
                decays = self._decays(dt[:, here])  # (B, t, D, N)
                write, read = dt[:, here, :, None] * B[:, here, None].to(dt.dtype), C[:, here].to(dt.dtype)
                own, rows = past[:, :0], []
                for t in range(decays.shape[1]):
                    own = torch.cat([decays[:, t, None] * own, write[:, t, None]], dim=1)
                    row = torch.einsum("bsdn,bn->bds", own, read[:, t])
                    rows.append(F.pad(row, (0, T - first - t - 1)))
                since = decays.cumprod(dim=1)
                earlier = torch.einsum("btdn,bsdn->bdts", since * read[:, :, None], past)
            yield torch.cat([earlier, torch.stack(rows, dim=2)], dim=-1)
            past = torch.cat([since[:, -1:] * past, own], dim=1)

    def _report(self, selected_values: Selected) -> None:
        """Report step sizes, decays, B and C; averaged over the states of a channel."""

        def less() -> Tensor:  # decay − 1, which has more digits where it is nearly 0
            return (2 if self.signed else 1) * torch.expm1(selected_values.dt[..., None] * self.rates).mean(dim=-1)

        channels, states = ("batch", "token", "channel"), ("batch", "token", "state")
        self.report("step size", selected_values.dt, axes=channels)
        self.report("decay", lambda: 1 + less(), axes=channels)
        self.report("half-life", lambda: half_life(log_size(less())), axes=channels, units="tokens")
        self.report("B", selected_values.B, axes=states)
        self.report("C", selected_values.C, axes=states)


def log_size(less: Tensor) -> Tensor:
    """Return the logarithm of |1 + u| for u above −2, with all its digits where u is near 0."""
    return torch.log1p(torch.where(less < -1, -2 - less, less))


def init_step_sizes(bias: Tensor, low: float, high: float) -> None:
    """Initialise a bias so that its softplus is log-uniform between two step sizes (section 3.6)."""
    with torch.no_grad():
        dt = torch.empty_like(bias).uniform_(math.log(low), math.log(high)).exp().clamp(min=FLOOR)
        bias.copy_(dt + (-torch.expm1(-dt)).log())  # the inverse of softplus


def init_projections(project: nn.Linear, output: nn.Linear, layers: int) -> None:
    """Set biases to 0, and divide the weights that write into the residual stream by √layers, one branch per layer."""
    with torch.no_grad():
        output.weight /= math.sqrt(layers)
        for linear in (project, output):
            if linear.bias is not None:
                linear.bias.zero_()


def _scan_flops(numbers: int, tokens: int) -> int:
    """Return the operations of forward and backward pass; backward takes twice as many."""
    return 3 * SCAN_FLOPS * numbers * tokens


def build_mamba(config: MambaConfig, task: Task) -> ResidualStack:
    """Return a stack of Mamba layers, without feed-forward layers between them."""
    return ResidualStack(
        config,
        task,
        token_mixer=Mamba,
        channel_mixer=None,
        norm=partial(RMSNorm, eps=config.norm_epsilon),
        tie=config.tie,
    )
