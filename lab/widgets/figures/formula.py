"""A formula as a picture, typeset by matplotlib without Qt or the rest of the lab."""

from __future__ import annotations

import re
import sys
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

POINTS = 11
"""Size of the letters in points of a screen with 96 dots per inch."""
LONGEST = 2000
"""Most characters of a formula."""
_SIZED = re.compile(r"\\(hspace|genfrac)\b")  # they take a length, and so make a picture of any size
_typesetting = threading.Lock()  # all of mathtext's parsers share their state


def typeset(latex: str, colour: str, scale: float = 1.0) -> NDArray[np.uint8]:
    """Return a formula as (height, width, 4) red, green, blue and opacity.

    Args:
        latex: The formula in the LaTeX that matplotlib's mathtext reads, without dollar signs.
        colour: The colour of the letters, "#rrggbb".
        scale: Pixels per pixel of an ordinary screen.

    Raises:
        ValueError: mathtext cannot read the formula, or it is too long, nested too deeply, or names a length.
        ImportError: matplotlib is not installed.
    """
    opacity = np.asarray(_parsed(latex, scale, POINTS).image)
    picture = np.empty((*opacity.shape, 4), np.uint8)
    picture[..., :3] = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    picture[..., 3] = opacity
    return picture


def typeset_in_line(
    latex: str, colour: str, scale: float, x_height: float, points: float = POINTS
) -> NDArray[np.uint8]:
    """Return a formula for a line of text, padded so that its middle is at half the height of an x above the baseline.

    Args:
        latex: The formula in the LaTeX that matplotlib's mathtext reads, without dollar signs.
        colour: The colour of the letters, "#rrggbb".
        scale: Pixels per pixel of an ordinary screen.
        x_height: The height of the letter x of the text in pixels of an ordinary screen.
        points: The size of the letters, as of POINTS.

    Raises:
        ValueError: mathtext cannot read the formula, or it is too long, nested too deeply, or names a length.
        ImportError: matplotlib is not installed.
    """
    made = _parsed(latex, scale, points)
    opacity = np.asarray(made.image)
    height = len(opacity)
    middle = round(x_height * scale / 2)
    above, below = height - round(made.depth) - middle, round(made.depth) + middle
    reach = max(above, below)
    picture = np.zeros((2 * reach, opacity.shape[1], 4), np.uint8)
    picture[..., :3] = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    picture[reach - above : reach - above + height, :, 3] = opacity
    return picture


def _parsed(latex: str, scale: float, points: float) -> Any:
    """Return what mathtext makes of a formula that anybody may have written."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.mathtext import MathTextParser

    if len(latex) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST:,} characters")
    if sized := _SIZED.search(latex):
        raise ValueError(f"\\{sized[1]} is not allowed, since it names a length")
    with _typesetting:
        try:
            return MathTextParser("agg").parse(f"${latex}$", dpi=96 * scale, prop=FontProperties(size=points))
        except RecursionError:
            raise ValueError("it is nested too deeply") from None


def close_fonts() -> None:
    """Close the files of fonts that `typeset` opened.

    Matplotlib opens them again in each thread, and holds the last 64 with their fallbacks, also of threads that ended.
    """
    fonts = sys.modules.get("matplotlib.font_manager")
    held = getattr(fonts, "_get_font", None)  # it has no public name
    if held is not None:
        with _typesetting:
            held.cache_clear()
