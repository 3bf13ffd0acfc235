"""Probes of recurrent models: gradients through time, recurrent matrices, saturated gates, components of states."""

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
"""Most positions whose losses are differentiated, at even distances in the last fifth of the text."""
SHUT, OPEN = 0.1, 0.9
"""Bounds below and above which a gate is saturated (Karpathy et al. 2015, section 4.2)."""
MEMORY_GATES = ("forget gate", "update gate")
"""Gates whose value is the share of its state that a unit retains from one token to the next."""
SQUARINGS = 12
"""The spectral radius is taken from the growth between the powers 2048 and 4096 of a matrix."""
COMPONENTS = 3
"""Components of the hidden states that are returned."""


def _recurrent(model: LanguageModel) -> RecurrentModel:
    if not isinstance(model, RecurrentModel):
        raise BadInput("this probe is for RNN, GRU and LSTM", remedy="Choose another probe")
    return model


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Compute in one thread: a token has so few values that a second thread only adds waiting on a busy machine.

    The number applies to the calling thread, and is restored afterwards.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def gradient_by_lag(config: Any) -> ProbeFunction:
    """Return the probe of ‖∂L_t/∂h_{t−lag}‖ by lag, relative to lag 0, per layer, as means over several positions t.

    L_t is the loss of the token after t in nats; each position is a row of its own, so that one backward pass gives
    all. For the last layer of an Elman network there is also the bound (γ λ₁)^lag with the largest singular value λ₁ of
    W_hh and γ = 1, the steepest slope of tanh and ReLU (Pascanu et al. 2013, equations 5 to 7). Lower layers have no
    bound: their gradients also come back through the layers above.
    """
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        recurrent = _recurrent(model)
        last = tokens.shape[1] - 2  # the last position with a next token
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
            coordinates = {"quantity": tuple(curves), "lag": tuple(lags.tolist())}
            values = np.stack([*curves.values()])
            readings.append(
                Reading("gradient by lag", ("quantity", "lag"), values, number, _path(number), None, coordinates)
            )
        return readings

    return probe


def matrices(config: Any) -> ProbeFunction:
    """Return the probe of singular values and spectral radii of the recurrent matrices, gates side by side."""
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
                labels, axes = {"quantity": tuple(found)}, ("quantity", "unit")
                spectrum = Reading("recurrent singular values", axes, singular, number, _path(number), None, labels)
                radius = Reading("spectral radius", axes[:1], radii, number, _path(number), None, labels)
            readings += [spectrum, radius]
        return readings

    return probe


def spectral_radius(matrix: Tensor) -> float:
    """Return the largest modulus of an eigenvalue of (N, N), by repeated squaring, ten times faster than `eigvals`.

    ‖A²ᵏ‖ / ‖Aᵏ‖ converges to ρᵏ (Gelfand 1941), as a common constant cancels; the result is within about 1e-4 of ρ.
    """
    power, log_norm, before = matrix, 0.0, 0.0
    for squared in range(SQUARINGS + 1):
        power = power @ power if squared else power
        norm = float(power.norm())
        if not norm or not math.isfinite(norm):  # e.g. a triangular matrix, whose powers leave float32
            return float(torch.linalg.eigvals(matrix).abs().max())
        log_norm, before = 2 * log_norm + math.log(norm), log_norm
        power = power / norm
    return math.exp((log_norm - before) / 2 ** (SQUARINGS - 1))


def gates(config: Any) -> ProbeFunction:
    """Return the probe of each unit's half-life and share of tokens at which its gates are nearly shut or open.

    The half-life is ln 2 / −ln of the share that the unit retains from token to token: its mean forget gate in an LSTM,
    its mean update gate in a GRU. Gates are float32, so none is longer than some ten million tokens.
    """
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        recurrent = _recurrent(model)
        if not any(cell.gates for cell in recurrent.cells):
            raise BadInput("this probe is for networks with gates", remedy="Choose another probe")
        readings = []
        for number, (cell, steps) in enumerate(zip(recurrent.cells, recurrent.unrolled(tokens).layers, strict=True)):
            for gate in cell.gates:
                values = stacked(steps, gate)[0].float()  # (T, H)
                shares = torch.stack([(values < SHUT).float().mean(dim=0), (values > OPEN).float().mean(dim=0)])
                coordinates = {"quantity": (f"below {SHUT}", f"above {OPEN}")}
                name = f"{gate} saturation"
                readings.append(Reading(name, ("quantity", "unit"), shares, number, _path(number), None, coordinates))
                if gate in MEMORY_GATES:
                    means = values.double().mean(dim=0).clamp(1e-30, 1 - 2**-24)
                    lives = math.log(2) / -means.log()
                    readings.append(Reading("half-life", ("unit",), lives, number, _path(number), "tokens"))
        return readings

    return probe


def components(config: Any) -> ProbeFunction:
    """Return the probe of hidden states along their principal directions, with the shares of the variance."""
    del config

    @_one_thread()
    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        readings = []
        for number, all_steps in enumerate(_recurrent(model).unrolled(tokens).layers):
            states = stacked(all_steps, HIDDEN)[0].float()  # (T, H)
            scores, spread, directions = torch.linalg.svd(states - states.mean(dim=0), full_matrices=False)
            count = min(COMPONENTS, len(spread))
            largest = directions[:count].gather(1, directions[:count].abs().argmax(dim=1, keepdim=True))
            components = scores[:, :count] * spread[:count] * largest.sign().T  # one sign for one text, step by step
            shares = spread.square() / spread.square().sum().clamp(min=1e-30)
            labels = tuple(f"{100 * share:.0f} %" for share in shares[:count].tolist())
            axes = ("token", "component")
            coordinates = {"component": labels}
            readings.append(Reading("state components", axes, components, number, _path(number), None, coordinates))
        return readings

    return probe


def _path(layer: int) -> str:
    return f"layers.{layer}"
