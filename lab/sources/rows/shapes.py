"""Pictures of coloured shapes, with the shape as class or with a caption that names all there is to see."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import Images, setting
from lab.sources.rows.canvas import PicturesConfig, centres, coverage, draw_pictures
from lab.sources.rows.draws import row_uniforms

Floats = NDArray[np.float64]

SHAPES = ("circle", "square", "triangle", "cross", "ring")
COLOURS = {
    "red": (0.9, 0.2, 0.2),
    "green": (0.2, 0.75, 0.25),
    "blue": (0.25, 0.4, 0.95),
    "yellow": (0.95, 0.85, 0.2),
    "white": (0.95, 0.95, 0.95),
}
SIZES = {"small": (0.1, 0.13), "large": (0.19, 0.23)}
"""The smallest and the largest radius, as shares of the picture."""
RELATIONS = ("left of", "above")

_TURN, _BACKGROUND = 0.25, 0.08  # largest rotation in radians; brightness
_DRAWS = 12


class ShapesConfig(PicturesConfig):
    """What is in a picture, and what is to be said of it."""

    size: int = setting(24, ge=8, le=128, unit="pixels", help="Height and width of a picture.")
    target: Literal["class", "caption"] = setting(
        "class",
        help='What belongs to a picture: the class of its one shape, or a caption such as "a large red square left of '
        'a small blue circle".',
    )
    shapes: int = setting(
        2, ge=1, le=2, unit="shapes", when={"target": "caption"}, help="Shapes in a picture with a caption."
    )


def shapes(config: ShapesConfig) -> Images:
    """Return pictures in colour, as many of each shape; with captions, also as many with either relation.

    The caption names the left or the upper shape first, so that the picture determines it.
    """
    numbers = np.arange(config.rows)
    pixels = draw_pictures(config, 3, lambda some: _drawn(config, some))
    if config.target == "class":
        return Images("shapes", pixels, numbers % len(SHAPES), SHAPES)
    return Images("shapes with captions", pixels, captions=_captions(config, numbers))


def _captions(config: ShapesConfig, numbers: NDArray[np.int64]) -> list[str]:
    """Return the captions of rows."""
    seen = [_appearance(config, numbers, which) for which in range(_shapes_in(config))]
    names = [list(_names(*look)) for look in seen]
    relation = _relation(numbers)
    if len(names) == 1:
        return names[0]
    return [f"{one} {RELATIONS[way]} {two}" for one, two, way in zip(*names, relation.tolist(), strict=True)]


def _names(kind: NDArray[np.int64], colour: NDArray[np.int64], size: NDArray[np.int64]) -> list[str]:
    sizes, colours = list(SIZES), list(COLOURS)
    return [f"a {sizes[s]} {colours[c]} {SHAPES[k]}" for k, c, s in zip(kind, colour, size, strict=True)]


def _shapes_in(config: ShapesConfig) -> int:
    return config.shapes if config.target == "caption" else 1


def _relation(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the relation of the two shapes of rows, (B,): the first shapes take turns within each of them."""
    return numbers // len(SHAPES) % len(RELATIONS)


def _appearance(
    config: ShapesConfig, numbers: NDArray[np.int64], which: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return kind, colour and size of a shape of rows, (B,) each; the first shapes of the rows take turns."""
    uniform = row_uniforms(config, which, numbers, _DRAWS)
    kind = numbers % len(SHAPES) if which == 0 else (uniform[:, 0] * len(SHAPES)).astype(np.int64)
    return kind, (uniform[:, 1] * len(COLOURS)).astype(np.int64), (uniform[:, 2] * len(SIZES)).astype(np.int64)


def _drawn(config: ShapesConfig, numbers: NDArray[np.int64]) -> Floats:
    """Return the pictures of rows, (B, H, W, 3), without noise."""
    count = _shapes_in(config)
    x, y = centres(config.size)
    pictures = np.full((len(numbers), config.size, config.size, 3), _BACKGROUND)
    for which in range(count):
        kind, colour, size = _appearance(config, numbers, which)
        uniform = row_uniforms(config, which, numbers, _DRAWS)
        smallest, largest = np.array(list(SIZES.values()))[size].T
        radius = smallest + (largest - smallest) * uniform[:, 3]
        free, other = _position(uniform[:, 4], radius, which, count), _position(uniform[:, 5], radius, 0, 1)
        if count == 2:  # the direction that the caption does not name differs by less
            other = 0.5 + (other - 0.5) * 0.25
        upright = (_relation(numbers) == 1) & (count == 2)
        middle_x, middle_y = np.where(upright, other, free), np.where(upright, free, other)
        turn = _TURN * (2 * uniform[:, 6] - 1)
        cos, sin = np.cos(turn)[:, None, None], np.sin(turn)[:, None, None]
        right, down = x - middle_x[:, None, None], y - middle_y[:, None, None]
        distance = _distance(kind, cos * right + sin * down, cos * down - sin * right, radius[:, None, None])
        covered = coverage(distance, config.size)[..., None]
        bright = 0.85 + 0.15 * uniform[:, 7]
        paint = np.array(list(COLOURS.values()))[colour] * bright[:, None]
        pictures = pictures * (1 - covered) + covered * paint[:, None, None, :]
    return pictures


def _position(uniform: Floats, radius: Floats, which: int, count: int) -> Floats:
    """Return the coordinate of a shape that lies in the part `which` of `count` equal ones."""
    low, high = which / count + radius, (which + 1) / count - radius
    return low + (high - low) * uniform


def _distance(kind: NDArray[np.int64], x: Floats, y: Floats, radius: Floats) -> Floats:
    """Return the distance to the border of each row's shape, (B, H, W), negative inside."""
    found = np.empty(np.broadcast_shapes(x.shape, radius.shape))
    for number, name in enumerate(SHAPES):
        own = kind == number
        a, b, r = x[own], y[own], radius[own]
        away = np.hypot(a, b)
        if name == "circle":
            found[own] = away - r
        elif name == "ring":
            found[own] = np.abs(away - 0.75 * r) - 0.25 * r
        elif name == "square":
            found[own] = np.maximum(np.abs(a), np.abs(b)) - 0.8 * r
        elif name == "cross":
            long, short = 0.95 * r, 0.3 * r
            bars = [np.maximum(np.abs(p) - long, np.abs(q) - short) for p, q in ((a, b), (b, a))]
            found[own] = np.minimum(*bars)
        else:
            sides = [b - 0.62 * r, 0.8944 * np.abs(a) - 0.4472 * b - 0.47 * r]
            found[own] = np.maximum(*sides)
    return found
