"""BERT's idea with recurrent layers: hidden tokens are predicted from two scans, one per direction."""

import torch
from torch import Tensor, nn

from lab.api import Mixer, ModelConfig, Register, Slot, hookimpl, setting
from lab.layers import TokenMixer, linear_scan

LAB_API_VERSION = 1


class BothWaysConfig(ModelConfig):
    expansion: int = setting(
        1, ge=1, le=8, unit="units", help="Units of each direction for every channel.", cite="Feng et al. 2024"
    )


class Scan(nn.Module):
    """minGRU, from the first token to the last: h[t] = (1 − z[t]) h[t − 1] + z[t] h̃[t] (Feng et al. 2024)."""

    def __init__(self, width: int, units: int) -> None:
        super().__init__()
        self.gate = nn.Linear(width, units)
        self.candidate = nn.Linear(width, units)

    def forward(self, x: Tensor) -> Tensor:
        z, candidate = self.gate(x).sigmoid(), self.candidate(x)
        return linear_scan(1 - z, z * candidate, torch.zeros_like(z[:, 0]))

    def shares(self, x: Tensor) -> Tensor:
        """Return the mean share of each candidate in each h, (B, query, key): the scan of unit impulses."""
        z = self.gate(x).sigmoid()[..., None]  # (B, T, unit, 1)
        impulses = z * torch.eye(x.shape[1], device=x.device, dtype=z.dtype)[:, None]  # (B, T, unit, key)
        return linear_scan(1 - z, impulses, torch.zeros_like(impulses[:, 0])).mean(dim=2)


class BothWays(TokenMixer):
    def __init__(self, slot: Slot) -> None:
        super().__init__()
        units = slot.config.expansion * slot.width
        self.ahead, self.back = Scan(slot.width, units), Scan(slot.width, units)
        self.outer = nn.Linear(2 * units, slot.width)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.stack([self.ahead(x), self.back(x.flip(1)).flip(1)], dim=2)  # (B, T, direction, unit)
        self.report("state", h, axes=("batch", "token", "head", "unit"))
        y: Tensor = self.outer(h.flatten(2))
        return y

    def mixing_map(self, x: Tensor) -> Tensor:  # head 0 reads ahead, head 1 back
        return torch.stack([self.ahead.shares(x), self.back.shares(x.flip(1)).flip(1, 2)], dim=1)


@hookimpl
def lab_register_mixers(register: Register[Mixer]) -> None:
    register(
        Mixer(
            name="both-ways",
            title="Scans both ways",
            kind="token",
            config=BothWaysConfig,
            build=BothWays,
            summary="Two gated scans, one per direction, predict hidden tokens; it cannot generate text.",
            tasks=frozenset({"masked"}),
            presets={"masked": {"objective": {"name": "masked"}}},
            equations=(
                r"\overrightarrow{h}_t = (1 - z_t) \odot \overrightarrow{h}_{t-1} + z_t \odot \tilde{h}_t",
                r"\overleftarrow{h}_t = (1 - z'_t) \odot \overleftarrow{h}_{t+1} + z'_t \odot \tilde{h}'_t",
                r"y_t = W [\overrightarrow{h}_t; \overleftarrow{h}_t] + b",
            ),
            references=(
                "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers",
                "Schuster & Paliwal 1997, Bidirectional Recurrent Neural Networks",
                "Feng et al. 2024, Were RNNs All We Needed?",
            ),
        )
    )
