"""Pictures of digits, drawn with strokes that differ from row to row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.api import Images, setting
from lab.sources.rows.canvas import PicturesConfig, centres, coverage, distance_to_lines, draw_pictures
from lab.sources.rows.draws import row_uniforms

Floats = NDArray[np.float64]
Stroke: TypeAlias = Sequence[tuple[float, float]]
"""The corners of a line (x, y), in shares of the picture."""

_TURN, _SLANT, _SHIFT, _BEND = 0.35, 0.4, 0.15, 0.05  # largest rotation in radians, slant, shift and wave
_SMALLEST, _LARGEST, _THIN, _THICK = 0.6, 1.05, 0.03, 0.07  # scale, half the width of a stroke


class DigitsConfig(PicturesConfig):
    """How much the digits differ."""

    variation: float = setting(
        0.7,
        ge=0,
        le=1,
        help="How far rotation, slant, scale, position, curvature and width of the strokes vary; 0 means that all "
        "digits of a form are alike.",
    )


def _arc(x: float, y: float, across: float, down: float, first: float, last: float) -> Stroke:
    """Return a part of an ellipse from one angle to another in degrees, 0 to the right, 90 downwards."""
    angles = np.radians(np.linspace(first, last, 13))
    return [(x + across * float(np.cos(a)), y + down * float(np.sin(a))) for a in angles]


FORMS: Sequence[Sequence[Sequence[Stroke]]] = (
    ((_arc(0.5, 0.5, 0.22, 0.37, 0, 360),), (_arc(0.5, 0.5, 0.17, 0.37, 0, 360),)),
    (
        (((0.5, 0.13), (0.5, 0.87)),),
        (((0.36, 0.28), (0.52, 0.13), (0.52, 0.87)),),
        (((0.38, 0.26), (0.5, 0.13), (0.5, 0.87)), ((0.35, 0.87), (0.65, 0.87))),
    ),
    (
        ((*_arc(0.5, 0.33, 0.21, 0.2, 185, 385), (0.27, 0.87), (0.74, 0.87)),),
        ((*_arc(0.48, 0.32, 0.2, 0.19, 200, 400), (0.3, 0.84), (0.44, 0.8), (0.58, 0.87), (0.74, 0.83)),),
    ),
    (
        (_arc(0.47, 0.31, 0.2, 0.18, 200, 450), _arc(0.47, 0.68, 0.23, 0.19, 270, 515)),
        (((0.29, 0.14), (0.69, 0.14), (0.47, 0.43)), _arc(0.46, 0.65, 0.23, 0.22, 270, 515)),
    ),
    (
        (((0.62, 0.87), (0.62, 0.13), (0.25, 0.63), (0.77, 0.63)),),
        (((0.34, 0.15), (0.27, 0.55), (0.74, 0.55)), ((0.64, 0.3), (0.6, 0.87))),
    ),
    (
        (((0.71, 0.13), (0.35, 0.13), (0.32, 0.47)), _arc(0.47, 0.65, 0.24, 0.22, 228, 510)),
        (((0.68, 0.15), (0.34, 0.13), (0.34, 0.46), (0.52, 0.42)), _arc(0.48, 0.64, 0.22, 0.22, 280, 520)),
    ),
    (
        (_arc(0.5, 0.66, 0.2, 0.21, 0, 360), ((0.66, 0.13), (0.47, 0.26), (0.35, 0.45), (0.3, 0.66))),
        (_arc(0.48, 0.67, 0.19, 0.2, 0, 360), ((0.42, 0.13), (0.32, 0.4), (0.29, 0.67))),
    ),
    (
        (((0.27, 0.14), (0.74, 0.14), (0.43, 0.87)),),
        (((0.27, 0.14), (0.74, 0.14), (0.46, 0.87)), ((0.42, 0.5), (0.72, 0.5))),
    ),
    ((_arc(0.5, 0.3, 0.17, 0.17, 0, 360), _arc(0.5, 0.67, 0.21, 0.2, 0, 360)),),
    (
        (_arc(0.5, 0.34, 0.2, 0.21, 0, 360), ((0.7, 0.34), (0.68, 0.6), (0.56, 0.87))),
        (_arc(0.5, 0.33, 0.19, 0.2, 0, 360), ((0.69, 0.33), (0.67, 0.87))),
    ),
)
"""The strokes of the forms of each digit."""


def digits(config: DigitsConfig) -> Images:
    """Return grey pictures of digits, white on black, as many of each."""
    labels = np.arange(config.rows) % 10
    pixels = draw_pictures(config, 1, lambda numbers: _drawn(config, numbers))
    return Images("digits", pixels, labels, tuple("0123456789"))


def _drawn(config: DigitsConfig, numbers: NDArray[np.int64]) -> Floats:
    """Return the pictures of rows, (B, H, W, 1), without noise."""
    uniform = row_uniforms(config, 0, numbers, 11)
    x, y = centres(config.size)
    pictures = np.empty((len(numbers), config.size, config.size, 1))
    for digit, forms in enumerate(FORMS):
        selected = np.minimum((uniform[:, 0] * len(forms)).astype(np.int64), len(forms) - 1)
        for form, strokes in enumerate(forms):
            own = (numbers % 10 == digit) & (selected == form)
            if own.any():
                width = _THIN + (_THICK - _THIN) * (0.5 + config.variation * (uniform[own, 1] - 0.5))
                distance = distance_to_lines(x, y, _lines(strokes, config.variation, uniform[own, 2:]))
                pictures[own, :, :, 0] = coverage(distance - width[:, None, None], config.size)
    return pictures


def _lines(
    strokes: Sequence[Stroke], variation: float, uniform: Floats
) -> Iterator[tuple[Floats, Floats, Floats, Floats]]:
    """Yield the lines of strokes after a random transformation, with the ends of B rows, (B,) each."""
    turn, slant, across, down, bend = (variation * (2 * column - 1) for column in uniform[:, :5].T)
    wave = 2 * np.pi * uniform[:, 5]
    wide, high = (1 + variation * (_SMALLEST - 1 + (_LARGEST - _SMALLEST) * column) for column in uniform[:, 6:8].T)
    cos, sin = np.cos(_TURN * turn), np.sin(_TURN * turn)

    def moved(corner: tuple[float, float]) -> tuple[Floats, Floats]:
        x, y = corner[0] - 0.5, corner[1] - 0.5
        x_bent = (x + _BEND * bend * np.sin(7 * y + wave)) * wide - _SLANT * slant * y
        y_bent = (y + _BEND * bend * np.sin(7 * x + wave)) * high
        return (
            0.5 + cos * x_bent - sin * y_bent + _SHIFT * across,
            0.5 + sin * x_bent + cos * y_bent + _SHIFT * down,
        )

    for stroke in strokes:
        corners = [moved(corner) for corner in stroke]
        for first, second in pairwise(corners):
            yield (*first, *second)
