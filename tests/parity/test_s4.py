"""S4 against the formulas of its papers: HiPPO, its decomposition, dense powers, and S4D's initialisations."""

import math

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from lab_ssm.s4.hippo import diagonal, halved, legs, normal_plus_low_rank
from lab_ssm.s4.model import Diagonal, DiagonalPlusLowRank, generated_kernel

N, H, L = 16, 3, 50


def test_hippo_is_its_formula():
    A, B = legs(4)
    expected = [
        [-1, 0, 0, 0],
        [-math.sqrt(3), -2, 0, 0],
        [-math.sqrt(5), -math.sqrt(15), -3, 0],
        [-math.sqrt(7), -math.sqrt(21), -math.sqrt(35), -4],
    ]
    np.testing.assert_allclose(A, expected, rtol=1e-15)
    np.testing.assert_allclose(B, [1, math.sqrt(3), math.sqrt(5), math.sqrt(7)], rtol=1e-15)


@pytest.mark.parametrize("size", [2, 16, 64])
def test_a_normal_matrix_less_one_of_rank_one_is_hippo(size):
    A, B = legs(size)
    V, diagonal_part, P, entering = normal_plus_low_rank(size)
    np.testing.assert_allclose(V.conj().T @ V, np.eye(size), atol=1e-12)
    again = V @ (np.diag(diagonal_part) - np.outer(P, P.conj())) @ V.conj().T
    np.testing.assert_allclose(again, A, atol=1e-10 * size)
    np.testing.assert_allclose(V @ entering, B, atol=1e-11 * size)


def dense_kernel(step, C):
    """C Āᵗ B̄ by powers of HiPPO's own matrix, discretised by the bilinear rule (The Annotated S4)."""
    A, B = (torch.from_numpy(part) for part in legs(N))
    one = torch.eye(N, dtype=torch.float64)
    rows = []
    for channel in range(H):
        solve = torch.linalg.inv(one - step[channel] / 2 * A)
        factor, x = solve @ (one + step[channel] / 2 * A), solve @ (step[channel] * B)
        row = []
        for _ in range(L):
            row.append(C[channel] @ x)
            x = factor @ x
        rows.append(torch.stack(row))
    return torch.stack(rows)


@pytest.fixture
def system():
    """HiPPO's system as S4 has it, and its readout in HiPPO's own coordinates."""
    generator = torch.Generator().manual_seed(0)
    C = torch.randn(H, N, generator=generator, dtype=torch.float64)
    step = torch.tensor([[1e-3], [3e-2], [0.5]], dtype=torch.float64)
    V = torch.from_numpy(normal_plus_low_rank(N)[0])
    A, P, B = (torch.from_numpy(part).expand(H, -1) for part in halved(N))
    return (step, A, P, B, (C.to(V) @ V)[:, N // 2 :]), C


def test_the_kernel_of_the_generating_function_is_that_of_dense_powers(system):
    continuous, C = system
    expected = dense_kernel(continuous[0], C)
    assert_close(generated_kernel(*continuous, L), expected, rtol=0, atol=1e-8)
    single = [part.to(torch.complex64 if part.is_complex() else torch.float32) for part in continuous]
    assert_close(generated_kernel(*single, L).double(), expected, rtol=0, atol=1e-4)


def test_the_kernel_of_the_recurrence_is_that_of_dense_powers(system):
    continuous, C = system
    impulse = torch.zeros(1, H, L, dtype=torch.float64)
    impulse[..., 0] = 1
    space = DiagonalPlusLowRank(*continuous)
    for form in (space.steps, space.chunks):
        y, _ = form(impulse, torch.zeros(1, H, N, dtype=torch.float64))
        assert_close(y[0], dense_kernel(continuous[0], C), rtol=0, atol=1e-10)


def test_the_eigenvalues_are_those_of_hippo_under_the_bilinear_rule(system):
    (step, *rest), _ = system
    half = step / 2 * (1 + torch.arange(N))
    found = DiagonalPlusLowRank(step, *rest).eigenvalues()
    expected = ((1 - half) / (1 + half)).sort().values
    assert_close(found.real.sort().values, expected, rtol=0, atol=1e-4)  # far from normal: digits are lost


def test_zero_order_hold_integrates_the_exponential():
    A, B = (torch.from_numpy(part)[None] for part in diagonal("lin", N))
    space = Diagonal(torch.tensor([[0.1]], dtype=torch.float64), A, B, torch.ones_like(A), "zoh")
    times = torch.linspace(0, 0.1, 20_001, dtype=torch.float64)
    integral = torch.trapezoid((A[0, :, None] * times).exp(), times) * B[0]
    assert_close(space.enter[0], integral, rtol=0, atol=1e-8)
    assert_close(space.kernel(L)[0], 2 * (integral * (0.1 * A[0] * torch.arange(L)[:, None]).exp()).sum(1).real)


def test_the_diagonals_are_those_of_the_paper():
    lin, inv = diagonal("lin", 64)[0], diagonal("inv", 64)[0]
    np.testing.assert_allclose(lin[:3], [-0.5, -0.5 + math.pi * 1j, -0.5 + 2 * math.pi * 1j])
    np.testing.assert_allclose(inv[:2].imag, [64 / math.pi * 63, 64 / math.pi * (64 / 3 - 1)])
    np.testing.assert_allclose(diagonal("real", 64)[0][:3], [-1, -2, -3])
    largest = diagonal("legs", 64)[0].imag.max()
    assert largest == pytest.approx(64**2 / math.pi, rel=1e-3)  # as of "inv" for many states (section 4.2)
