"""Switch feed-forward layers: a router sends each token to one of a few experts (Fedus et al. 2021)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Mixer, ModelConfig, Register, Slot, hookimpl, setting
from lab.layers import Assignments, ChannelMixer, dispatched, full_precision, grouped_linear

LAB_API_VERSION = 1


class TwoExpertsConfig(ModelConfig):
    experts: int = setting(
        2, ge=2, le=64, unit="experts", counted="experts", help="Feed-forward networks, one of which reads a token."
    )
    hidden: int | None = setting(None, ge=1, le=65536, unit="units", help="Units of an expert; none means 4 × width")
    balance: float = setting(
        0.01, ge=0, le=1, live=True, help="Weight of the loss that spreads the tokens evenly.", cite="Fedus 2021, eq. 4"
    )


class TwoExperts(ChannelMixer):
    """No capacity limit (eq. 3): a token is never dropped, so a row gives what it gives alone."""

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        self.config: TwoExpertsConfig = slot.config
        C, E, H = slot.width, self.config.experts, self.config.hidden or 4 * slot.width
        self.router = nn.Linear(C, E, bias=False)
        self.inner = nn.Parameter(torch.empty(E, H, C).uniform_(-(C**-0.5), C**-0.5))
        self.outer = nn.Parameter(torch.empty(E, C, H).uniform_(-(H**-0.5), H**-0.5))
        self.active_share = {"inner": 1 / E, "outer": 1 / E}
        self.part_names = {"inner": f"{E} experts: up", "outer": f"{E} experts: down"}

    def forward(self, x: Tensor) -> Tensor:
        with full_precision(x):  # section 2.4: float32 in the router
            p = self.router(x.to(self.router.weight.dtype)).softmax(dim=-1)  # eq. 1, (B, T, E)
        self.report("routing", p, axes=("batch", "token", "expert"))
        gate, chosen = p.max(dim=-1)
        N = self.config.experts
        f = F.one_hot(chosen, N).to(p.dtype).mean(dim=(0, 1))  # eq. 5
        P = p.mean(dim=(0, 1))  # eq. 6
        self.add_loss("balance", N * (f * P).sum(), self.config.balance)  # eq. 4

        tokens = x.flatten(0, 1)  # (B · T, C)
        to_one = Assignments(torch.arange(len(tokens), device=x.device), chosen.flatten(), gate.flatten())
        return dispatched(tokens, to_one, N, self.work).view_as(x)  # eq. 2

    def work(self, rows: Tensor, counts: Tensor) -> Tensor:
        """Return the outputs of the experts for their tokens, which are sorted by expert."""
        return grouped_linear(F.relu(grouped_linear(rows, self.inner, counts)), self.outer, counts)


@hookimpl
def lab_register_mixers(register: Register[Mixer]) -> None:
    register(
        Mixer(
            name="two-experts",
            title="Two experts",
            kind="channel",
            config=TwoExpertsConfig,
            build=TwoExperts,
            summary="A router sends each token to one of a few feed-forward networks.",
            tasks=frozenset({"causal", "masked"}),
            equations=(r"y = p_i(x) E_i(x), \quad i = \arg\max_j p_j(x), \quad p(x) = \mathrm{softmax}(W_r x)",),
            references=("Fedus et al. 2021, Switch Transformers: Scaling to Trillion Parameter Models",),
        )
    )
