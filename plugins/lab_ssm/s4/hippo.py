"""The matrices of HiPPO-LegS, its normal plus low-rank form, and the initial diagonals of S4D."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]


def legs(size: int) -> tuple[Real, Real]:
    """Return A (N, N) and B (N,) of HiPPO-LegS (Gu et al. 2020, theorem 2), with A negated as S4 writes it."""
    odd = np.sqrt(2 * np.arange(size) + 1.0)
    A = -np.tril(np.outer(odd, odd), -1) - np.diag(np.arange(size) + 1.0)
    return A, odd


def normal_plus_low_rank(size: int) -> tuple[Complex, Complex, Complex, Complex]:
    """Return V, Λ, P and B with HiPPO-LegS's A = V (Λ − P P*) V* and V B its B (Gu et al. 2022a, theorem 1).

    A + ½ 1 + p pᵀ with p_n = √(n + ½) is skew-symmetric, so its eigenvectors are orthogonal. Their phases make P real
    and positive, so that the decomposition is the same on every machine.

    Args:
        size: N.

    Returns:
        V (N, N), Λ (N,), P (N,) and B (N,), by rising imaginary part of Λ: pairs of conjugates from the ends inwards.
    """
    A, B = legs(size)
    p = np.sqrt(np.arange(size) + 0.5)
    skew = A + 0.5 * np.eye(size) + np.outer(p, p)
    frequencies, V = np.linalg.eigh(-1j * skew)
    P = V.conj().T @ p
    V = V * (P / np.abs(P))
    return V, -0.5 + 1j * frequencies, np.abs(P) + 0j, V.conj().T @ B


def halved(size: int) -> tuple[Complex, Complex, Complex]:
    """Return Λ, P and B for one of each pair of conjugates, (N/2,) each, the slowest oscillation first."""
    _, diagonal, P, B = normal_plus_low_rank(size)
    half = slice(size // 2, None)
    return diagonal[half], P[half], B[half]


def diagonal(kind: str, size: int) -> tuple[Complex, Complex]:
    """Return A and B of S4D, one of each pair of conjugates, (N/2,) each (Gu et al. 2022b, section 4).

    Args:
        kind: "legs": the normal part of HiPPO-LegS, with half its B (theorem 3). "lin": −½ + iπn. "inv":
            −½ + i N/π (N/(2n + 1) − 1). "real": −(n + 1). All but the first have B = 1.
        size: N.
    """
    if kind == "legs":
        A, _, B = halved(size)
        return A, B / 2
    n = np.arange(size // 2)
    one = np.ones(size // 2, np.complex128)
    if kind == "real":
        return -(n + 1) * one, one
    frequencies = math.pi * n if kind == "lin" else size / math.pi * (size / (2 * n + 1) - 1)
    return (-0.5 + 1j * frequencies) * one, one
