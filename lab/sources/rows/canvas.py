"""Small pictures drawn by distance: pixels inside a form are covered, those at its border in part.

Coordinates are shares of the picture, x to the right and y downwards. Distances are negative inside a form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, setting
from lab.sources.rows.draws import RowsConfig, row_uniforms

Floats = NDArray[np.float64]

MOST = 1 << 30
"""Largest number of bytes of all pictures."""

_BATCH = 128  # pictures drawn at once
_NOISE = 9  # stream of the noise


class PicturesConfig(RowsConfig):
    """The size of the pictures and their noise."""

    rows: int = setting(
        3000,
        ge=10,
        le=200_000,
        log=True,
        unit="pictures",
        help="Pictures of training and validation together; more of them start with the same ones.",
    )
    size: int = setting(16, ge=8, le=128, unit="pixels", help="Height and width of a picture.")
    noise: float = setting(
        0.1, ge=0, le=1, help="Largest change of a pixel by chance, as a share of the range from black to white."
    )


def draw_pictures(
    config: PicturesConfig, channels: int, draw: Callable[[NDArray[np.int64]], Floats]
) -> NDArray[np.uint8]:
    """Return pictures with noise, (N, H, W, C).

    Args:
        config: The number of pictures, their size and noise.
        channels: C.
        draw: Row numbers (B,) -> pictures (B, H, W, C) without noise, from 0 to 1.

    Raises:
        BadInput: They need too much memory.
    """
    size = config.rows * config.size**2 * channels
    if size > MOST:
        raise BadInput(
            f"the pictures would need {size / 1e6:.0f} MB of memory",
            field="corpus.rows",
            value=str(config.rows),
            allowed=f"at most {MOST // (config.size**2 * channels)} pictures of this size",
            remedy="Ask for fewer or smaller pictures",
        )
    pixels = np.empty((config.rows, config.size, config.size, channels), np.uint8)
    for start in range(0, config.rows, _BATCH):
        numbers = np.arange(start, min(start + _BATCH, config.rows))
        drawn = draw(numbers)
        uniform = row_uniforms(config, _NOISE, numbers, drawn[0].size).reshape(drawn.shape)
        drawn = drawn + config.noise * (2 * uniform - 1)
        pixels[numbers] = np.round(255 * np.clip(drawn, 0, 1))
    return pixels


def centres(size: int) -> tuple[Floats, Floats]:
    """Return x (1, H, W) and y (1, H, W) of the centres of the pixels."""
    middle = (np.arange(size) + 0.5) / size
    return np.broadcast_to(middle, (1, size, size)), np.broadcast_to(middle[:, None], (1, size, size))


def coverage(distance: Floats, size: int) -> Floats:
    """Return the share of each pixel that a form covers, from the distance of its centre to the form."""
    return np.clip(0.5 - distance * size, 0, 1)


def distance_to_lines(x: Floats, y: Floats, lines: Iterator[tuple[Floats, Floats, Floats, Floats]]) -> Floats:
    """Return the distance of pixels to the nearest of some lines, (B, H, W).

    Args:
        x: Of the pixels, (B or 1, H, W).
        y: Of the pixels.
        lines: For each line x and y of its two ends, (B,) each.
    """
    nearest = np.full(np.broadcast_shapes(x.shape, y.shape), np.inf)
    for ends in lines:
        ax, ay, bx, by = (end[:, None, None] for end in ends)
        dx, dy = bx - ax, by - ay
        along = np.clip(((x - ax) * dx + (y - ay) * dy) / np.maximum(dx * dx + dy * dy, 1e-12), 0, 1)
        square = (x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2
        nearest = np.minimum(nearest, square)
    found: Floats = np.sqrt(nearest)
    return found
