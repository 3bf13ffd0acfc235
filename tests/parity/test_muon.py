"""Muon against torch's own, whose matrices are orthogonalised in bfloat16 unless that is replaced."""

import pytest
import torch
from torch import nn

from lab.training.optimizers.builtins import MuonConfig
from lab.training.optimizers.groups import note_rates, set_rates
from lab.training.optimizers.muon import muon, orthogonalised

SHAPES = [(8, 4), (4, 8), (6, 6), (24, 5)]


@pytest.fixture
def exact(monkeypatch):
    """Let torch's Muon compute in double precision, as it has no setting for that."""
    monkeypatch.setattr(torch.Tensor, "bfloat16", torch.Tensor.double)


def group(params, role="matrix", decays=True):
    width = params[0].shape[-1]
    return {"params": params, "names": [], "role": role, "layer": None, "width": width, "decays": decays}


def pair(*shape):
    torch.manual_seed(0)
    first = nn.Parameter(torch.randn(shape, dtype=torch.float64))
    return first, nn.Parameter(first.detach().clone())


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("scaling", ["spectral", "rms"])
def test_updates_of_a_matrix_are_those_of_torch(exact, shape, scaling):
    own, other = pair(*shape)
    config = MuonConfig(learning_rate=0.02, weight_decay=0.1, scaling=scaling)
    ours = muon(config, [group([own])], torch.device("cpu"))
    note_rates(ours, 0.02)
    adjusted = "match_rms_adamw" if scaling == "rms" else "original"
    theirs = torch.optim.Muon([other], lr=0.02, weight_decay=0.1, momentum=0.95, adjust_lr_fn=adjusted)
    for step in range(4):
        gradient = torch.randn(shape, generator=torch.Generator().manual_seed(step), dtype=torch.float64)
        own.grad, other.grad = gradient.clone(), gradient.clone()
        set_rates(ours, 0.02, 1 / (step + 1))
        theirs.param_groups[0]["lr"] = 0.02 / (step + 1)
        ours.step()
        theirs.step()
    assert torch.allclose(own, other, rtol=0, atol=1e-9)


def test_all_other_parameters_are_updated_as_by_adamw():
    own, other = pair(5, 3)
    config = MuonConfig(learning_rate=0.01, adamw_rate=0.5)
    ours = muon(config, [group([own], "embedding")], torch.device("cpu"))
    theirs = torch.optim.AdamW([other], lr=0.005, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.1, fused=True)
    for _ in range(3):
        own.grad, other.grad = torch.ones_like(own), torch.ones_like(other)
        ours.step()
        theirs.step()
    assert torch.equal(own, other)


def test_singular_values_come_near_one_and_singular_vectors_stay():
    torch.manual_seed(0)
    stack = torch.randn(3, 16, 40)
    found = torch.linalg.svdvals(orthogonalised(stack, 5))
    assert found.min() > 0.5
    assert found.max() < 1.3
    u, _, v = torch.linalg.svd(stack, full_matrices=False)
    inside = u.mT @ orthogonalised(stack, 5) @ v.mT
    assert (inside - torch.diag_embed(inside.diagonal(dim1=1, dim2=2))).abs().max() < 1e-4


def test_a_stack_is_orthogonalised_matrix_by_matrix_and_a_convolution_as_one_matrix(exact):
    stack, alone = nn.Parameter(torch.randn(2, 6, 4)), nn.Parameter(torch.randn(6, 4))
    folded = nn.Parameter(torch.randn(6, 2, 3))
    stack.grad, folded.grad = torch.randn(2, 6, 4), torch.randn(6, 2, 3)
    alone.grad = stack.grad[1].clone()
    with torch.no_grad():
        alone.copy_(stack[1])
    groups = [group([stack]), group([alone]), {**group([folded]), "width": 6}]
    before = folded.detach().clone()
    muon(MuonConfig(weight_decay=0), groups, torch.device("cpu")).step()
    assert torch.allclose(stack[1], alone, atol=1e-6)
    assert torch.linalg.matrix_rank((folded - before).detach().reshape(6, 6), atol=1e-5) == 6
