"""The styles of runs in charts: repetitions of a run share its hue, and differ by the dashes of their lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

HUES = 8
"""Hues of lines that can be distinguished, also by the colour-blind."""
STYLES = 3 * HUES
"""Styles of lines that can be distinguished: each hue solid, dashed and dotted."""


def style_of_new_run(used: Iterable[int], repeated: Iterable[int] = ()) -> int:
    """Return the number of the style of a new run: hue number % HUES, and solid, dashed or dotted by number // HUES.

    A repetition gets the hue that most of the runs of its kind have, another run the first of the hues that the fewest
    runs have; of the styles of the hue, it gets the first of those that the fewest runs have.

    Args:
        used: The styles of all other runs.
        repeated: The styles of the runs that differ from it by the seed alone.
    """
    styles = Counter(style % STYLES for style in used)
    hues: Counter[int] = Counter()
    for style, count in styles.items():
        hues[style % HUES] += count
    shared = Counter(style % HUES for style in repeated)
    hue = shared.most_common(1)[0][0] if shared else min(range(HUES), key=lambda one: hues[one])
    return min(range(hue, STYLES, HUES), key=lambda style: styles[style])
