"""The benchmark of the selective scan compares pair by pair, and says what it could not measure."""

import importlib.util
import sys
from types import ModuleType, SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lab.bench.models import scan


class Mixer(nn.Module):
    """Mamba (Gu and Dao 2023, algorithm 2) as a plain loop; its parts have the names that mamba.py gives them."""

    def __init__(self, width, state):
        super().__init__()
        self.rank, self.state, wide = -(-width // 16), state, 2 * width
        self.in_proj = nn.Linear(width, 2 * wide, bias=False)
        self.conv1d = nn.Conv1d(wide, wide, 4, groups=wide, padding=3)
        self.x_proj = nn.Linear(wide, self.rank + 2 * state, bias=False)
        self.dt_proj = nn.Linear(self.rank, wide)
        self.A_log, self.D = nn.Parameter(torch.zeros(wide, state)), nn.Parameter(torch.ones(wide))
        self.out_proj = nn.Linear(wide, width, bias=False)

    def forward(self, x):
        x, gate = self.in_proj(x).chunk(2, dim=-1)  # (B, T, D)
        x = F.silu(self.conv1d(x.mT)[..., : x.shape[1]].mT)
        dt, B, C = self.x_proj(x).split([self.rank, self.state, self.state], dim=-1)
        dt = F.softplus(self.dt_proj(dt))
        a, b = (dt[..., None] * -self.A_log.exp()).exp(), (dt * x)[..., None] * B[:, :, None]
        y = (scanned(a, b) * C[:, :, None]).sum(-1) + self.D * x
        return self.out_proj(y * F.silu(gate))


class Block(nn.Module):
    def __init__(self, width, state):
        super().__init__()
        self.norm, self.mixer = nn.RMSNorm(width, 1e-5), Mixer(width, state)

    def forward(self, x):
        return x + self.mixer(self.norm(x))


class Mamba(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.ModuleList(Block(config.d_model, config.d_state) for _ in range(config.n_layers))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


def scanned(a, b):
    """Return h with h_t = a_t h_{t-1} + b_t (B, T, D, N)."""
    states = [b[:, 0]]
    for t in range(1, b.shape[1]):
        states.append(a[:, t] * states[-1] + b[:, t])
    return torch.stack(states, dim=1)


@pytest.fixture
def tiny(monkeypatch):
    for name, value in {"BATCH": 2, "CONTEXT": 8, "WIDTH": 16, "STATE": 4, "LAYERS": 1}.items():
        monkeypatch.setattr(scan, name, value)


@pytest.fixture
def package(monkeypatch):
    """A package with the interface of mambapy."""
    modules = {name: ModuleType(name) for name in ("mambapy", "mambapy.pscan", "mambapy.mamba")}
    modules["mambapy.pscan"].pscan = scanned
    mamba = modules["mambapy.mamba"]
    mamba.MambaConfig = lambda **given: SimpleNamespace(rms_norm_eps=1e-5, **given)
    mamba.Mamba, mamba.RMSNorm = Mamba, nn.RMSNorm
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    return modules


def test_it_compares_scans_and_steps_and_reports_the_parts_of_a_step(tiny):
    result = scan.scan(2)
    over_loop = result["scan"]["over_loop"]
    assert result["scan"]["shape"] == [2, 8, 32, 4]
    assert over_loop["ratio"] == pytest.approx(over_loop["ours"] / over_loop["theirs"])
    assert list(result["step"]["milliseconds"]) == ["forward", "backward", "optimizer", "scans, of these"]
    assert min(result["step"]["milliseconds"].values()) > 0
    if importlib.util.find_spec("mambapy") is None:
        assert result["scan"]["over_mambapy"] == result["step"]["over_mambapy"] == scan.NOT_INSTALLED
    else:
        assert result["step"]["over_mambapy"]["ratio"] > 0


def test_where_the_other_package_is_installed_both_are_compared_with_it(tiny, package):
    result = scan.scan(2)
    assert result["scan"]["over_mambapy"]["pairs"] == result["step"]["over_mambapy"]["pairs"] == 2
    assert list(result["step"]["milliseconds"]) == ["forward", "backward", "optimizer", "scans, of these"]


def test_steps_of_models_that_compute_different_losses_are_not_compared(tiny, package):
    package["mambapy.mamba"].RMSNorm = lambda width, epsilon: nn.LayerNorm(width, elementwise_affine=True)
    with pytest.raises(RuntimeError, match="the two models differ"):
        scan.scan(1)
