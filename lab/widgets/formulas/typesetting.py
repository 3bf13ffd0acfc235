"""A formula as a picture with the places of its symbols, typeset by matplotlib without Qt or the rest of the lab."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.mathtext import VectorParse

POINTS = 11
"""Size of the letters in points of a screen with 96 dots per inch."""
LONGEST = 2000
"""Most characters of a formula."""
_SIZED = re.compile(r"\\(hspace|genfrac)\b")  # they take a length, and so make a picture of any size
LETTERS = ("Oblique", "Italic", "Bold")
"""What the fonts are called in which mathtext sets the letters of quantities; words and numerals are upright."""
_typesetting = threading.Lock()  # all of mathtext's parsers share their state


class Symbol(NamedTuple):
    """A letter that stands for a quantity, and where it is in the picture of a formula.

    Args:
        letter: The letter: "α", "Q".
        left: Its left edge in pixels of the picture.
        top: Its upper edge.
        right: Its right edge.
        bottom: Its lower edge.
    """

    letter: str
    left: float
    top: float
    right: float
    bottom: float


class Typeset(NamedTuple):
    """A formula as it is typeset.

    Args:
        picture: (height, width, 4) red, green, blue and opacity.
        symbols: Its symbols.
    """

    picture: NDArray[np.uint8]
    symbols: tuple[Symbol, ...]


def typeset(
    latex: str, colour: str, scale: float = 1.0, points: float = POINTS, x_height: float | None = None
) -> Typeset:
    """Typeset a formula.

    Args:
        latex: The formula in the LaTeX that matplotlib's mathtext reads, without dollar signs.
        colour: The colour of the letters, "#rrggbb".
        scale: Pixels per pixel of an ordinary screen.
        points: The size of the letters, as of POINTS.
        x_height: For a formula within a line of text, the height of the letter x of that text in pixels of an ordinary
            screen: the picture is padded so that its middle is at half that height above the baseline.

    Raises:
        ValueError: mathtext cannot read the formula, or it is too long, nested too deeply, or names a length.
        ImportError: matplotlib is not installed.
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    if len(latex) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST:,} characters")
    if sized := _SIZED.search(latex):
        raise ValueError(f"\\{sized[1]} is not allowed, since it names a length")
    prop, dots = FontProperties(size=points), 96 * scale
    with _typesetting:
        try:
            drawn = MathTextParser("agg").parse(f"${latex}$", dpi=dots, prop=prop)
            outlined = MathTextParser("path").parse(f"${latex}$", dpi=dots, prop=prop)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        symbols = _symbols(outlined, dots)
    opacity = np.asarray(drawn.image)
    above = 0
    if x_height is not None:
        height = len(opacity)
        middle = round(x_height * scale / 2)
        up, down = height - round(drawn.depth) - middle, round(drawn.depth) + middle
        reach = max(up, down)
        above = reach - up
        opacity = np.pad(opacity, ((above, 2 * reach - height - above), (0, 0)))
    picture = np.empty((*opacity.shape, 4), np.uint8)
    picture[..., :3] = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    picture[..., 3] = opacity
    return Typeset(picture, _aligned(symbols, opacity))


def _symbols(outlined: VectorParse, dots: float) -> list[Symbol]:
    """Return all glyphs and lines of a formula, with y upwards and "" for what is no symbol."""
    found = []
    for font, size, code, *_, x, y in outlined.glyphs:
        font.set_size(size, dots)
        left, low, right, high = (edge / 64 for edge in font.load_char(code).bbox)
        letter = chr(code) if chr(code).isalpha() and _is_of_quantity(font, code) else ""
        found.append(Symbol(letter, x + left, y + high, x + right, y + low))
    found += [Symbol("", x, y + high, x + wide, y) for x, y, wide, high in outlined.rects]
    return found


def _is_of_quantity(font: Any, code: int) -> bool:
    """Return True for letters of the fonts of quantities, and for Greek ones, whose capitals are upright."""
    return any(name in font.postscript_name for name in LETTERS) or 0x391 <= code <= 0x3C9


def _aligned(symbols: Sequence[Symbol], opacity: NDArray[np.uint8]) -> tuple[Symbol, ...]:
    """Return the symbols in pixels of a picture: the ink of both has the same left and upper edge."""
    rows, columns = np.flatnonzero(opacity.any(axis=1)), np.flatnonzero(opacity.any(axis=0))
    if not symbols or not len(rows):
        return ()
    across = float(columns[0]) - min(one.left for one in symbols)
    down = float(rows[0]) + max(one.top for one in symbols)
    return tuple(
        Symbol(one.letter, one.left + across, down - one.top, one.right + across, down - one.bottom)
        for one in symbols
        if one.letter
    )


def close_fonts() -> None:
    """Close the files of fonts that `typeset` opened.

    Matplotlib opens them again in each thread, and holds the last 64 with their fallbacks, also of threads that ended.
    """
    fonts = sys.modules.get("matplotlib.font_manager")
    held = getattr(fonts, "_get_font", None)  # it has no public name
    if held is not None:
        with _typesetting:
            held.cache_clear()
