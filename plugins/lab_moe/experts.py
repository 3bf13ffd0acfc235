"""Experts: feed-forward layers of which each token passes a few, selected by a router."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import GATED_ACTIVATIONS, BadInput, Slot
from lab.layers import (
    Assignments,
    ChannelMixer,
    FeedForward,
    Initialisation,
    dispatched,
    full_precision,
    grouped_linear,
)
from lab.layers.activations import Activation, activate
from lab.layers.initial import GPT_2
from lab_moe.routers import SWITCHED_OFF, by_experts, chances, squared_variation, within_capacity

TINY = 1e-20
"""Keeps a sum of scores above zero when all of them are zero."""


class Experts(ChannelMixer):
    """scale · Σ g_i E_i(x) over the experts selected for a token, plus shared experts that every token passes.

    "top-k": a token takes the k experts of highest score (Fedus et al. 2021; Jiang et al. 2024; DeepSeek-AI 2024).
    "noisy-top-k": the same with learned noise on the logits in training; g is the softmax over those selected (Shazeer
    et al. 2017, eq. 3 to 5). "expert-choice": an expert takes its best tokens of each row, later ones too, with softmax
    weights (Zhou et al. 2022).

    The router computes in full precision. These settings of the config are read at each step:

    - capacity: Each expert takes at most ⌈capacity · k T / E⌉ tokens of a row, and later ones skip it (Fedus et al.
        2021, eq. 3); 0 is no limit. Training only, so that decoding a token gives the same result as reading it in a
        text.
    - balance: Weight of E Σ f_i P_i, 1 when balanced (Fedus et al. 2021, eq. 4 to 6, with f over k); or of "importance"
      and "load" for noisy top-k (Shazeer et al. 2017, eq. 7 and 11).
    - z_loss: Weight of the mean squared log Σ exp of the router's logits (Zoph et al. 2022, eq. 5).
    - bias_rate: Step of a bias that only affects which experts are selected: up for those below the mean load, down for
        those above (Wang et al. 2024, algorithm 1). For top-k: after each optimizer step, by the choices of all
        training passes since the last one. The bias is saved with the tables.

    "dropped" is recorded with the losses: the share of choices that found no room, or of tokens that no expert took.

    Args:
        slot: Its slot in the stack; slot.config has the settings above, or lacks them for their zeros.
        experts: E.
        active: k, experts per token; the mean number where experts choose.
        hidden: Units of each expert.
        activation: The nonlinearity of each expert; "swiglu" and "geglu" have a gate (Shazeer 2020, eq. 6).
        bias: Whether the experts' projections have a bias.
        routing: How tokens and experts are matched.
        scores: For top-k: softmax of the logits, or sigmoid of each (DeepSeek-AI 2024, eq. 15).
        renormalise: For top-k: whether the g_i of a token sum to one.
        scale: Factor on the sum.
        shared: Number of experts that every token passes, side by side in one FeedForward.
        initialisation: Initialisation of the weights; each expert's are those of a dense layer.

    Attributes:
        number: E.
        off: Experts that are switched off: tokens go to the others, in evaluation as in training.
        causal: Whether outputs depend on no later token; False where experts choose.

    Raises:
        BadInput: More experts are to be selected than there are.
    """

    selection_bias: Tensor | None
    _taken: Tensor

    def __init__(
        self,
        slot: Slot,
        *,
        experts: int,
        active: int,
        hidden: int,
        activation: Activation = "swiglu",
        bias: bool = False,
        routing: Literal["top-k", "noisy-top-k", "expert-choice"] = "top-k",
        scores: Literal["softmax", "sigmoid"] = "softmax",
        renormalise: bool = True,
        scale: float = 1.0,
        shared: int = 0,
        initialisation: Initialisation = GPT_2,
    ) -> None:
        super().__init__()
        if not 0 < active <= experts:
            raise BadInput("does not fit the experts", field="chosen", value=active, allowed=f"1 ≤ k ≤ {experts}")
        self.config, self.number, self.active, self.scale = slot.config, experts, active, scale
        self.routing = routing
        self.scores = scores if routing == "top-k" else "softmax"
        self.renormalise = renormalise or routing == "noisy-top-k"
        self.gated = activation in GATED_ACTIVATIONS
        self.activation: Activation = activation
        self.off: frozenset[int] = frozenset()
        self.causal = routing != "expert-choice"

        def projection(inputs: int, rows: list[int], layers: int = 0) -> tuple[nn.Parameter, nn.Parameter | None]:
            weight = nn.Parameter(torch.empty(experts, sum(rows), inputs))
            for one in weight.detach():
                initialisation.matrix(one, slot.width, rows, layers=layers)
            return weight, nn.Parameter(torch.zeros(experts, sum(rows))) if bias else None

        self.router = nn.Linear(slot.width, experts, bias=False)
        initialisation.linear(self.router, slot.width)
        self.noise = nn.Linear(slot.width, experts, bias=False) if routing == "noisy-top-k" else None
        if self.noise is not None:
            nn.init.zeros_(self.noise.weight)
        self.inner, self.inner_bias = projection(slot.width, [hidden] * (2 if self.gated else 1))  # gate, then value
        self.outer, self.outer_bias = projection(hidden, [slot.width], slot.layers)
        self.register_buffer("selection_bias", torch.zeros(experts) if routing == "top-k" else None)
        # choices of each expert since the last optimizer step: zeros between two steps, so not saved
        self.register_buffer("_taken", torch.zeros(experts, dtype=torch.long), persistent=False)
        self.shared = None
        if shared:
            self.shared = FeedForward(
                slot,
                hidden=shared * hidden,
                activation=self.activation,
                bias=bias,
                initialisation=initialisation,
            )
        if bias:
            self.no_decay = ("inner_bias", "outer_bias")
        own = ("inner", "outer", "inner_bias", "outer_bias") if bias else ("inner", "outer")
        self.part_names = {
            "": "experts",
            "router": "router",
            "inner": f"{experts} experts: gate and up" if self.gated else f"{experts} experts: up",
            "outer": f"{experts} experts: down",
            "shared": "shared expert" if shared == 1 else f"{shared} shared experts",
        }
        self.active_share = dict.fromkeys(own, active / experts)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, T, C) -> (B, T, C)."""
        with full_precision(x):
            assigned = self._route(x if x.dtype == torch.float64 else x.float())
        y = dispatched(x.flatten(0, 1), assigned, self.number, self._work).view_as(x)
        return y if self.shared is None else y + self.shared(x)

    def after_step(self) -> None:
        """Move the selection bias by one step, by the choices of the training passes since the last step."""
        if self.selection_bias is not None:
            below = self._taken.sum() - self.number * self._taken  # exact in integers: 0 at the mean
            self.selection_bias.add_(below.sign(), alpha=self._live("bias_rate"))
            self._taken.zero_()

    def _work(self, rows: Tensor, counts: Tensor) -> Tensor:
        units = _with_bias(grouped_linear(rows, self.inner, counts), self.inner_bias, counts)
        units = activate(units, self.activation)
        return _with_bias(grouped_linear(units, self.outer, counts), self.outer_bias, counts)

    def _route(self, x: Tensor) -> Assignments:
        B, T, E = *x.shape[:2], self.number
        clean = logits = self._without_off(F.linear(x, self.router.weight.to(x.dtype)), SWITCHED_OFF)
        spread = None
        if self.noise is not None and self.training:
            spread = F.softplus(F.linear(x, self.noise.weight.to(x.dtype)))
            logits = clean + torch.randn_like(clean) * spread
        scores = logits.softmax(-1) if self.scores == "softmax" else logits.sigmoid()
        shares = scores if self.scores == "softmax" else scores / (scores.sum(-1, keepdim=True) + TINY)
        assigned = self._by_tokens(scores) if self.causal else by_experts(scores, self.active)
        if self.off:  # selected where too few are left
            assigned = assigned.only(~torch.isin(assigned.groups, torch.tensor(sorted(self.off), device=x.device)))
        if self.training and not x.is_meta:
            ones = torch.ones_like(assigned.groups)
            counts = torch.zeros_like(self._taken).index_add_(0, assigned.groups, ones)  # bincount waits for a GPU
            if self.selection_bias is not None and self._live("bias_rate") and torch.is_grad_enabled():
                self._taken += counts
            load = counts.to(x.dtype) / max(1, len(assigned.groups))
            if self._losses is not None:
                self.add_loss("router z", logits.logsumexp(-1).square().mean(), self._live("z_loss"))
                self._add_balance(assigned, load, shares, None if spread is None else (clean, logits, spread))
            assigned = self._with_room(assigned, T, B * T)
        if self.scale != 1:
            assigned = dataclasses.replace(assigned, weights=self.scale * assigned.weights)
        axes = ("batch", "token", "expert")
        self.report("routing", shares, axes)
        self.report("gates", lambda: assigned.dense(B * T, E).view(B, T, E), axes)
        return assigned

    def _without_off(self, scores: Tensor, instead: float) -> Tensor:
        if not self.off:
            return scores
        if len(self.off) >= self.number:
            raise ValueError("all experts are off: leave one on")
        return scores.index_fill(-1, torch.tensor(sorted(self.off), device=scores.device), instead)

    def _by_tokens(self, scores: Tensor) -> Assignments:
        ranked = scores.detach() if self.selection_bias is None else scores.detach() + self.selection_bias
        index = self._without_off(ranked, -math.inf).topk(self.active, dim=-1).indices
        gates = scores.gather(-1, index)
        if self.renormalise:
            gates = gates / (gates.sum(-1, keepdim=True) + TINY)
        tokens = torch.arange(index[..., 0].numel(), device=index.device).repeat_interleave(self.active)
        return Assignments(tokens, index.flatten(), gates.flatten())

    def _add_balance(
        self, assigned: Assignments, load: Tensor, shares: Tensor, noisy: tuple[Tensor, Tensor, Tensor] | None
    ) -> None:
        if not self.causal:
            return  # all experts have equally many tokens
        weight, N, E = self._live("balance"), shares[..., 0].numel(), self.number
        self.add_loss("balance", E * (load * shares.mean((0, 1))).sum(), 0.0 if noisy else weight)
        if noisy:
            self.add_loss("importance", squared_variation(assigned.dense(N, E).sum(0)), weight)
            expected = chances(*noisy, self.active).sum((0, 1)) if self.active < E else torch.ones_like(load)
            self.add_loss("load", squared_variation(expected), weight)

    def _with_room(self, assigned: Assignments, length: int, tokens: int) -> Assignments:
        """Return the assignments left after experts are full, and record the share that was dropped."""
        if not self.causal:
            self.add_loss("dropped", 1 - assigned.reached(tokens), 0.0)
            return assigned
        capacity = self._live("capacity")
        if not capacity:
            return assigned
        room = math.ceil(capacity * self.active * length / self.number)
        has_room = within_capacity(assigned, self.number, length, room)
        self.add_loss("dropped", 1 - has_room.to(assigned.weights.dtype).mean(), 0.0)
        return assigned.only(has_room)

    def _live(self, name: str) -> float:
        return float(getattr(self.config, name, 0.0))


def _with_bias(x: Tensor, bias: Tensor | None, counts: Tensor) -> Tensor:
    return x if bias is None else x + bias.repeat_interleave(counts, dim=0, output_size=len(x)).to(x.dtype)
