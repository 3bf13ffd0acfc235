"""Sizes of the presets: as published, with the papers' counts, and scaled by width."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lab.api import Size

SCALED = {64: (2, 2), 128: (4, 4), 192: (4, 4), 256: (6, 4), 384: (6, 6)}
"""Layers and heads of the scaled sizes by their width."""

Published = tuple[str, int, int, int, Mapping[str, float], float | None]
"""Name, layers, width, heads, further settings, and parameters."""


def scaled(width: int, **more: int) -> dict[str, Any]:
    """Return the settings of a scaled size."""
    layers, heads = SCALED[width]
    return {"layers": layers, "width": width, "heads": heads, **more}


def _ladder(
    published: Iterable[Published], vocabulary: int, source: str, *, context: int = 512, **more: int
) -> tuple[Size, ...]:
    """Return scaled and published sizes by their width; what is published is not scaled."""
    real = [
        Size(name, {"layers": layers, "width": width, "heads": heads, "hidden": 0, **more, **own}, vocabulary, context,
             count, source)
        for name, layers, width, heads, own, count in published
    ]  # fmt: skip
    taken = {size.settings["width"] for size in real}
    own = [Size(f"width {width}", {"hidden": 0, **scaled(width, **more)}) for width in SCALED if width not in taken]
    return tuple(sorted([*own, *real], key=lambda size: int(size.settings["width"])))


# Turc et al. 2019, table 1, for the small ones, whose counts have no head; Devlin et al. 2018, section 3, for base and
# large. The counts of base and large are of all parameters, with the pooler.
_BERT: Sequence[Published] = (
    ("tiny", 2, 128, 2, {}, 4.4e6),
    ("mini", 4, 256, 4, {}, 11.3e6),
    ("small", 4, 512, 8, {}, 29.1e6),
    ("base", 12, 768, 12, {}, 110e6),
    ("large", 24, 1024, 16, {}, 340e6),
)
_ROBERTA: Sequence[Published] = (("base", 12, 768, 12, {}, 125e6), ("large", 24, 1024, 16, {}, 355e6))
_ALBERT: Sequence[Published] = (
    ("base", 12, 768, 12, {}, 12e6),
    ("large", 24, 1024, 16, {}, 18e6),
    ("xlarge", 24, 2048, 16, {}, 60e6),
    ("xxlarge", 12, 4096, 64, {}, None),  # the paper's 235M is not what its settings have: 223M
)
_DISTILBERT: Sequence[Published] = (("base", 6, 768, 12, {}, 66e6),)
# Clark et al. 2020, table 6, also for the share of the discriminator that the generator is; counts are without it.
_ELECTRA: Sequence[Published] = (
    ("small", 12, 256, 4, {"embedding_width": 128, "generator_share": 0.25}, 14e6),
    ("base", 12, 768, 12, {"generator_share": 1 / 3}, 110e6),
    ("large", 24, 1024, 16, {"generator_share": 0.25}, 335e6),
)

SIZES: Mapping[str, Sequence[Size]] = {
    "bert": _ladder(_BERT, 30_522, "Devlin et al. 2018, section 3; Turc et al. 2019, table 1"),
    "roberta": _ladder(_ROBERTA, 50_265, "Liu et al. 2019, table 9"),
    "albert": _ladder(_ALBERT, 30_000, "Lan et al. 2020, table 1", embedding_width=128),
    "distilbert": _ladder(_DISTILBERT, 30_522, "Sanh et al. 2019, table 3"),
}
"""By preset of the encoder."""
ELECTRA_SIZES: Mapping[str, Sequence[Size]] = {
    "electra": _ladder(_ELECTRA, 30_522, "Clark et al. 2020, table 6"),
}
"""By preset of ELECTRA."""
