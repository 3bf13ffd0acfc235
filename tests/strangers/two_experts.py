"""Switch feed-forward layers: a router sends each token to one of a few experts (Fedus et al. 2021)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Mixer, ModelConfig, Register, Slot, hookimpl, setting
from lab.layers import ChannelMixer, full_precision

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
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(C, H), nn.ReLU(), nn.Linear(H, C)) for _ in range(E))
        self.active_share = {"experts": 1 / E}

    def forward(self, x: Tensor) -> Tensor:
        with full_precision(x):  # section 2.4: float32 in the router
            p = self.router(x.to(self.router.weight.dtype)).softmax(dim=-1)  # eq. 1, (B, T, E)
        self.report("routing", p, axes=("batch", "token", "expert"))
        gate, chosen = p.max(dim=-1)
        N = self.config.experts
        f = F.one_hot(chosen, N).to(p.dtype).mean(dim=(0, 1))  # eq. 5
        P = p.mean(dim=(0, 1))  # eq. 6
        self.add_loss("balance", N * (f * P).sum(), self.config.balance)  # eq. 4

        tokens, y = x.flatten(0, 1), torch.zeros_like(x).flatten(0, 1)  # (B · T, C)
        for i, expert in enumerate(self.experts):
            mine = torch.arange(i, len(y), N, device="meta") if x.is_meta else (chosen.flatten() == i).nonzero()[:, 0]
            out = gate.flatten()[mine, None] * expert(tokens[mine])  # eq. 2
            y = y.index_add(0, mine, out.to(y.dtype))
        return y.view_as(x)


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
