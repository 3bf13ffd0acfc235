"""The colour tables of maps: one for values from zero, one for values on both sides of zero."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

COLOURS = 255
"""Number of colours of a table; the next one, number 255, is transparent, for masked cells."""
VIRIDIS = (
    "440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3b528b 375b8d 33638d 2f6b8e 2c728e 297a8e 26828e 23898e "
    "21908c 1f978b 1f9f88 21a685 27ad81 31b57b 3ebc74 4dc26c 5cc863 6ece58 82d34d 95d840 aadc32 c0df25 d5e21a eae51a "
    "fde725"
)
"""Every eighth colour of viridis (van der Walt and Smith 2015), from low to high."""
SIGNED = {
    "light": "0a3d78 1d68b3 5e9fdc a9cbec e3e6ea f2c08f df8836 a95a0c 6b3600",
    "dark": "9fd3ff 5aa9ee 2c76bd 28507a 343942 7d5226 b9701d ef9c3f ffd08a",
}
"""Blue below zero and orange above, distinct also for the colour-blind; zero is close to the theme's background."""


def table_of(anchors: str) -> NDArray[np.uint8]:
    """Return (255, 3) red, green and blue, linear between colours written as "rrggbb rrggbb …"."""
    points = np.array([list(bytes.fromhex(anchor)) for anchor in anchors.split()], float)
    at, known = np.linspace(0, 1, COLOURS), np.linspace(0, 1, len(points))
    channels = [np.interp(at, known, points[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=1).round().astype(np.uint8)
