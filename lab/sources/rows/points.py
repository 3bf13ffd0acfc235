"""Points in the plane with a class each: moons, circles, spirals, XOR, blobs, with the exact posterior of the class."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import ENTROPY_RATE, Vectors, setting
from lab.sources.rows.draws import RowsConfig, normals, row_uniforms

Floats = NDArray[np.float64]
GRID = 65536
"""Coordinates are multiples of 1/GRID, so that they are the same numbers on every machine."""

_NODES = 1024  # points of a curve over which a density is averaged
_MEASURED = 4000  # rows at which the entropy of the posterior is averaged
_SHARPEST = 1e-3  # noise below which classes do not overlap


class PointsConfig(RowsConfig):
    """The shape of the classes and the noise."""

    shape: Literal["moons", "circles", "spirals", "xor", "blobs"] = setting(
        "moons",
        names={"xor": "XOR"},
        help="Shape of the classes. XOR has two opposite squares each, blobs are round clouds.",
    )
    classes: int = setting(
        3, ge=2, le=10, unit="classes", when={"shape": ("circles", "spirals", "blobs")}, help="Number of classes."
    )
    noise: float = setting(
        0.15, ge=0, le=2, help="Standard deviation of what is added to both coordinates; of blobs their radius."
    )
    flipped: float = setting(
        0.0, ge=0, le=1, help="Share of points whose class is drawn anew at random, as wrong labels are; 1 leaves "
        "nothing to learn.",
    )  # fmt: skip
    turns: float = setting(
        1.0, ge=0.1, le=3, unit="turns", when={"shape": "spirals"}, help="Turns of a spiral around the centre."
    )

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings that the shape does not have."""
        shape = values.get("shape", "moons")
        absent = {"classes"} if shape in ("moons", "xor") else set()
        return frozenset(absent if shape == "spirals" else absent | {"turns"})


def points(config: PointsConfig) -> Vectors:
    """Return points, equally many of each class.

    With noise the classes overlap. The density of each class at a point is averaged over its curve, which gives the
    posterior of the class; its mean entropy at the first points is the lowest possible loss.
    """
    classes = 2 if config.shape in ("moons", "xor") else config.classes
    numbers = np.arange(config.rows)
    labels = numbers % classes
    uniform = row_uniforms(config, 0, numbers, 6)
    noise = config.noise * np.concatenate((normals(uniform[:, 2:4]), normals(uniform[:, 4:])), axis=1)
    centres = np.empty((config.rows, 2))
    for label in range(classes):
        own = labels == label
        centres[own] = _centres(config, uniform[own, :2], label, classes)
    inputs = snapped(centres + noise)
    loss = _lowest_loss(config, inputs[:_MEASURED], classes)
    if config.flipped:
        labels = _with_flipped(config, labels, classes)
    names = tuple("ABCDEFGHIJ"[:classes])
    return Vectors(
        config.shape, inputs.astype(np.float32), labels, names, ("x", "y"), floors={ENTROPY_RATE: round(loss, 4)}
    )


def _with_flipped(config: PointsConfig, labels: NDArray[np.int64], classes: int) -> NDArray[np.int64]:
    """Return the labels, of which a share is drawn anew from all classes."""
    uniform = row_uniforms(config, 1, np.arange(len(labels)), 2)
    drawn = np.minimum((uniform[:, 1] * classes).astype(np.int64), classes - 1)
    return np.where(uniform[:, 0] < config.flipped, drawn, labels)


def snapped(values: Floats) -> Floats:
    """Return numbers rounded to multiples of 1/GRID."""
    return np.round(values * GRID) / GRID


def _centres(config: PointsConfig, uniform: Floats, label: int, classes: int) -> Floats:
    """Return points of a class without noise, from numbers (B, 2) in [0, 1)."""
    t, side = uniform.T
    if config.shape == "xor":
        x = np.where(side < 0.5, t, -t)
        y = np.where(side < 0.5, 2 * side, 2 * side - 1)
        y = np.abs(y) * np.where((x > 0) == (label == 0), 1, -1)
        return np.stack((x, y), axis=1)
    return np.stack(_curve(config, t, label, classes), axis=1)


def _curve(config: PointsConfig, t: Floats, label: int, classes: int) -> tuple[Floats, Floats]:
    """Return the coordinates of a class without noise, for parameters t in [0, 1]."""
    if config.shape == "moons":
        angle = np.pi * t
        x, y = (np.cos(angle), np.sin(angle)) if label == 0 else (1 - np.cos(angle), 0.5 - np.sin(angle))
        return x - 0.5, y - 0.25
    if config.shape == "circles":
        radius = (label + 1) / classes
        return radius * np.cos(2 * np.pi * t), radius * np.sin(2 * np.pi * t)
    around = 2 * math.pi * label / classes
    if config.shape == "blobs":
        return np.full_like(t, math.cos(around)), np.full_like(t, math.sin(around))
    angle = around + 2 * np.pi * config.turns * t
    return (0.1 + 0.9 * t) * np.cos(angle), (0.1 + 0.9 * t) * np.sin(angle)


def _lowest_loss(config: PointsConfig, inputs: Floats, classes: int) -> float:
    """Return the mean entropy in nats of the posterior of the class at points (B, 2)."""
    if config.noise < _SHARPEST:
        right = 1 - config.flipped + config.flipped / classes
        wrong = config.flipped / classes
        parts = [right, *[wrong] * (classes - 1)]
        return math.fsum(-part * math.log(part) for part in parts if part) + 0.0
    densities = np.stack([_density(config, inputs, label, classes) for label in range(classes)], axis=1)
    posterior = densities / densities.sum(axis=1, keepdims=True)
    posterior = (1 - config.flipped) * posterior + config.flipped / classes
    return float(-np.mean(np.sum(posterior * np.log(np.maximum(posterior, np.finfo(float).tiny)), axis=1)))


def _density(config: PointsConfig, inputs: Floats, label: int, classes: int) -> Floats:
    """Return the density of a class at points (B, 2), up to a factor that all classes share."""
    if config.shape == "xor":
        sides = [[_smoothed(column, sign, config.noise) for sign in (1, -1)] for column in inputs.T]
        right, left = sides[0]
        above, below = sides[1]
        both: Floats = right * above + left * below if label == 0 else right * below + left * above
        return np.maximum(both, np.finfo(float).tiny)
    t = (np.arange(1 if config.shape == "blobs" else _NODES) + 0.5) / _NODES
    x, y = _curve(config, t, label, classes)
    found = np.empty(len(inputs))
    for row, (a, b) in enumerate(inputs):
        found[row] = np.exp(-((x - a) ** 2 + (y - b) ** 2) / (2 * config.noise**2)).mean()
    return np.maximum(found, np.finfo(float).tiny)


def _smoothed(values: Floats, sign: int, noise: float) -> Floats:
    """Return the density of a uniform number from 0 to ±1 with normal noise."""
    scale = noise * math.sqrt(2)
    return np.array([(math.erf(sign * v / scale) - math.erf((sign * v - 1) / scale)) / 2 for v in values.tolist()])
