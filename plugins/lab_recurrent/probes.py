"""Probes of recurrent models: gradients through time, recurrent matrices, saturated gates, directions of the states."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading
from lab_recurrent.cells import HIDDEN, ElmanCell, stacked
from lab_recurrent.model import RecurrentModel

TARGETS = 8
"""Positions at most whose losses are followed back, evenly over the last fifth of the text."""
SHUT, OPEN = 0.1, 0.9
"""Below and above these a gate is saturated (Karpathy et al. 2015, section 4.2)."""
MEMORY_GATES = ("forget gate", "update gate")
"""Gates whose value is what a unit keeps of its state from one token to the next."""
SQUARINGS = 12
"""The spectral radius is taken from the growth between the powers 2048 and 4096 of a matrix."""
COMPONENTS = 3
"""Directions of the hidden states."""


def _recurrent(model: LanguageModel) -> RecurrentModel:
    if not isinstance(model, RecurrentModel):
        raise BadInput("this probe is for RNN, GRU and LSTM", remedy="Choose another probe")
    return model


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Computes in one thread: a token's values are so few that a second one is only waited for, on a busy machine long.

    The number counts for the thread that asks, and stands again afterwards.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def gradient_by_lag(config: Any) -> ProbeFunction:
    """‖∂L_t/∂h_{t−lag}‖ over lags, over that at lag 0, per layer, both as means over several positions t.

    L_t are the nats of the token after t; each position is a row of its own, so that one pass backward gives all.
    Beside it stands for the last layer of an Elman network the bound (γ λ₁)^lag, λ₁ the largest singular value of W_hh
    and γ = 1 the steepest slope of tanh and ReLU (Pascanu et al. 2013, equations 5 to 7). A lower layer has none: to it
    gradients come back through the layers above it too.
    """
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        recurrent = _recurrent(model)
        last = tokens.shape[1] - 2  # position whose guess is the last that can be judged
        if last < 0:
            raise BadInput("gradients by lag need a probe text of two tokens or more", remedy="Give a longer text")
        targets = torch.as_tensor(np.unique(np.linspace(math.ceil(0.8 * last), last, TARGETS).astype(int)))
        rows = torch.arange(len(targets))
        with torch.enable_grad():
            unrolled = recurrent.unrolled(tokens[:, :-1].expand(len(targets), -1))
            logits = unrolled.head(stacked(unrolled.layers[-1], HIDDEN)[rows, targets])
            loss = F.cross_entropy(logits.float(), tokens[0, targets + 1], reduction="sum")
            states = [[values[HIDDEN] for values in layer] for layer in unrolled.layers]
            gradients = iter(torch.autograd.grad(loss, [state for layer in states for state in layer]))
        lags = torch.arange(int(targets[0]) + 1)
        readings = []
        for number, layer in enumerate(states):
            norms = torch.stack([next(gradients).norm(dim=-1) for _ in layer]).double().cpu()  # (T, targets)
            means = norms[targets - lags[:, None], rows].mean(dim=1)
            curves = {"measured": (means / means[0]).numpy()}
            cell = recurrent.cells[number]
            if isinstance(cell, ElmanCell) and number == len(states) - 1:
                curves["bound"] = float(torch.linalg.matrix_norm(cell.matrices()[HIDDEN].float(), 2)) ** lags.numpy()
            places = {"quantity": tuple(curves), "lag": tuple(lags.tolist())}
            values = np.stack([*curves.values()])
            readings.append(
                Reading("gradient by lag", ("quantity", "lag"), values, number, _path(number), None, places)
            )
        return readings

    return probe


def matrices(config: Any) -> ProbeFunction:
    """Return the probe: singular values and spectral radii of the recurrent matrices, gates side by side."""
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        del tokens
        readings = []
        for number, found in enumerate(_recurrent(model).recurrent_matrices()):
            matrices = torch.stack([*found.values()]).detach().float()
            singular, radii = torch.linalg.svdvals(matrices), np.array([spectral_radius(matrix) for matrix in matrices])
            if len(found) == 1:
                spectrum = Reading("recurrent singular values", ("unit",), singular[0], number, _path(number))
                radius = Reading("spectral radius", (), radii[0], number, _path(number))
            else:
                places, axes = {"quantity": tuple(found)}, ("quantity", "unit")
                spectrum = Reading("recurrent singular values", axes, singular, number, _path(number), None, places)
                radius = Reading("spectral radius", axes[:1], radii, number, _path(number), None, places)
            readings += [spectrum, radius]
        return readings

    return probe


def spectral_radius(matrix: Tensor) -> float:
    """The largest modulus of an eigenvalue of (N, N), by repeated squaring: ten times as fast as all eigenvalues.

    ‖A²ᵏ‖ / ‖Aᵏ‖ goes to ρᵏ (Gelfand 1941), whatever constant stands before both; it is within some 1e-4 of ρ.
    """
    power, log_norm, before = matrix, 0.0, 0.0
    for squared in range(SQUARINGS + 1):
        power = power @ power if squared else power
        norm = float(power.norm())
        if not norm or not math.isfinite(norm):  # as of a triangular matrix, whose powers lie beyond float32
            return float(torch.linalg.eigvals(matrix).abs().max())
        log_norm, before = 2 * log_norm + math.log(norm), log_norm
        power = power / norm
    return math.exp((log_norm - before) / 2 ** (SQUARINGS - 1))


def gates(config: Any) -> ProbeFunction:
    """Return the probe: shares of tokens at which gates are nearly shut or open, and half-lives, of each unit.

    The half-life is ln 2 / −ln of what the unit keeps from token to token: its mean forget gate in an LSTM, its mean
    update gate in a GRU. Gates are float32, so that none is longer than some ten million tokens.
    """
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        recurrent = _recurrent(model)
        if not any(cell.gates for cell in recurrent.cells):
            raise BadInput("a network without gates has none that could be saturated", remedy="Choose another probe")
        readings = []
        for number, (cell, steps) in enumerate(zip(recurrent.cells, recurrent.unrolled(tokens).layers, strict=True)):
            for gate in cell.gates:
                values = stacked(steps, gate)[0].float()  # (T, H)
                shares = torch.stack([(values < SHUT).float().mean(dim=0), (values > OPEN).float().mean(dim=0)])
                places = {"quantity": (f"below {SHUT}", f"above {OPEN}")}
                name = f"{gate} saturation"
                readings.append(Reading(name, ("quantity", "unit"), shares, number, _path(number), None, places))
                if gate in MEMORY_GATES:
                    means = values.double().mean(dim=0).clamp(1e-30, 1 - 2**-24)
                    lives = math.log(2) / -means.log()
                    readings.append(Reading("half-life", ("unit",), lives, number, _path(number), "tokens"))
        return readings

    return probe


def components(config: Any) -> ProbeFunction:
    """Return the probe: hidden states along the directions in which they differ most, with their shares."""
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        readings = []
        for number, all_steps in enumerate(_recurrent(model).unrolled(tokens).layers):
            states = stacked(all_steps, HIDDEN)[0].float()  # (T, H)
            written, spread, directions = torch.linalg.svd(states - states.mean(dim=0), full_matrices=False)
            count = min(COMPONENTS, len(spread))
            largest = directions[:count].gather(1, directions[:count].abs().argmax(dim=1, keepdim=True))
            places = written[:, :count] * spread[:count] * largest.sign().T  # one sign for one text, step by step
            shares = spread.square() / spread.square().sum().clamp(min=1e-30)
            labels = tuple(f"{100 * share:.0f} %" for share in shares[:count].tolist())
            axes = ("token", "component")
            coordinates = {"component": labels}
            readings.append(Reading("state components", axes, places, number, _path(number), None, coordinates))
        return readings

    return probe


def _path(layer: int) -> str:
    return f"layers.{layer}"
