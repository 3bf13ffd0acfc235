"""The real-gated linear recurrent unit (RG-LRU) of Griffin, with a scan by doubling for whole sequences."""

from typing import Self

import torch
import torch.nn.functional as F
from pydantic import model_validator
from torch import Tensor, nn

from lab.api import Mixer, ModelConfig, Register, Slot, State, hookimpl, setting
from lab.layers import TokenMixer

LAB_API_VERSION = 1
PAPER = "De et al. 2024, Griffin: Mixing Gated Linear Recurrences with Local Attention, section 2.4"
C = 8.0  # the paper's c of eq. 3


class RGLRUConfig(ModelConfig):
    least: float = setting(0.9, gt=0, lt=1, cite=PAPER, help="Share of the state that the fastest channel retains.")
    most: float = setting(0.999, gt=0, lt=1, cite=PAPER, help="Share of the state that the slowest channel retains.")

    @model_validator(mode="after")
    def _range(self) -> Self:
        if self.least > self.most:
            raise ValueError(f"the fastest channel would retain more ({self.least}) than the slowest ({self.most})")
        return self


class RGLRU(TokenMixer):
    no_decay = ("decay",)

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        self.gates = nn.Linear(slot.width, 2 * slot.width)  # W_a, W_x with their biases
        a = torch.empty(slot.width).uniform_(slot.config.least, slot.config.most) ** (1 / C)
        self.decay = nn.Parameter(a.logit())  # Λ

    def coefficients(self, x: Tensor) -> tuple[Tensor, ...]:  # (…, C) -> r_t, i_t, log a_t and the factor of x_t
        r, i = self.gates(x).to(self.decay.dtype).sigmoid().chunk(2, dim=-1)  # eq. 1, 2
        log_a = C * r * F.logsigmoid(self.decay)  # eq. 3
        return r, i, log_a, i * (-torch.expm1(2 * log_a)).sqrt()

    def start(self, batch: int) -> State:
        return self.decay.new_zeros(batch, len(self.decay))

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        _, _, log_a, into = self.coefficients(x)
        h = log_a.exp() * state + into * x  # eq. 4
        return h, h

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        r, i, log_a, into = self.coefficients(x)
        a = F.pad(log_a.exp(), (0, 0, 1, 0))  # the state is in front of the first token
        h = torch.cat([state[:, None], into * x], dim=1)
        span = 1  # h_t has read the last `span` positions, and a_t is the product over them
        while span < h.shape[1]:
            h = torch.cat([h[:, :span], h[:, span:] + a[:, span:] * h[:, :-span]], dim=1)
            a = torch.cat([a[:, :span], a[:, span:] * a[:, :-span]], dim=1)
            span *= 2
        h = h[:, 1:]
        for name, values in {"recurrence gate": r, "input gate": i, "state": h}.items():
            self.report(name, values, axes=("batch", "token", "channel"))
        return h, h[:, -1]

    def mixing_map(self, x: Tensor) -> Tensor:
        _, _, log_a, into = self.coefficients(x)
        total = log_a.cumsum(dim=1)
        retained = (total[:, :, None] - total[:, None]).clamp(max=0).exp()  # (B, query, key, C)
        return (retained * into[:, None]).mean(dim=-1).tril()[:, None]

    def extra_flops(self, tokens: int) -> int:
        scan = 3 * tokens.bit_length()  # a multiplication with an addition, and one more, per doubling
        return 3 * tokens * len(self.decay) * (11 + scan)  # the backward pass is twice the forward pass


@hookimpl
def lab_register_mixers(register: Register[Mixer]) -> None:
    register(
        Mixer(
            name="rg-lru",
            title="RG-LRU",
            kind="token",
            config=RGLRUConfig,
            build=RGLRU,
            summary="A linear recurrence per channel whose decay and input are gated by the token.",
            equations=(
                r"r_t = \sigma(W_a x_t + b_a)",
                r"i_t = \sigma(W_x x_t + b_x)",
                r"a_t = \sigma(\Lambda)^{c r_t}",
                r"h_t = a_t \odot h_{t-1} + \sqrt{1 - a_t^2} \odot (i_t \odot x_t)",
            ),
            references=(PAPER,),
        )
    )
