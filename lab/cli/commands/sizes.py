"""`lm-lab sizes`: list the sizes of the presets, with parameters counted here and as published."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from lab.api import Architecture, Size, Task
from lab.base import BadInput
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.recipes import Recipe

SYMBOLS = 256
"""Vocabulary for counting a size that was published without one: one symbol per byte."""
SHAPE = ("layers", "width", "heads")
"""Settings that are shown for each size."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab sizes`."""
    parser.add_argument("card", nargs="?", metavar="ARCHITECTURE", help="without one, every architecture with sizes")
    parser.add_argument("--preset", metavar="NAME", help="only the sizes of this preset")


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Count every size on the meta device, and print them.

    Raises:
        BadInput: There is no such architecture or preset with sizes.
    """
    rows, notes = [], {}
    for card, preset in _selected(plugins, arguments.card, arguments.preset):
        if preset in card.preset_notes:
            notes[preset] = card.preset_notes[preset]
        for size in card.sizes[preset]:
            progress.show(f"counting {preset} {size.name} …")
            rows.append({"architecture": card.name, "preset": preset, **_counted(card, preset, size)})
    progress.clear()
    if arguments.json:
        print_json({"sizes": rows, "notes": notes})
        return 0
    figures = ("vocabulary", "context", "parameters", "published", "off by")
    titles = ("architecture", "preset", "size", *SHAPE, *figures, "source")
    text_titles = ("architecture", "preset", "size", "source")
    print_table(titles, [_cells(row) for row in rows], right=[title not in text_titles for title in titles])
    print_text(f"Sizes without a source are scaled by the lab, and counted with {SYMBOLS} symbols.")
    for preset, note in notes.items():
        print_text(f"{preset}: {note}")
    return 0


def _selected(plugins: Plugins, name: str | None, preset: str | None) -> Iterator[tuple[Architecture, str]]:
    """Yield the requested architectures and presets."""
    known = {card.name: card for card in plugins.cards("architectures").values() if card.sizes}
    if name is not None and plugins.card("architectures", name, field="ARCHITECTURE").name not in known:
        raise BadInput("has no sizes", field="ARCHITECTURE", value=name, allowed=", ".join(known) or "none")
    cards = [known[name]] if name is not None else list(known.values())
    presets = [(card, each) for card in cards for each in card.sizes]
    found = [pair for pair in presets if preset in (None, pair[1])]
    if not found:
        allowed = ", ".join(each for _, each in presets) or "none"
        raise BadInput("there is no such preset with sizes", field="--preset", value=preset, allowed=allowed)
    yield from found


def _counted(card: Architecture, preset: str, size: Size) -> dict[str, Any]:
    """Return the figures of a size; its parameters are counted on the meta device."""
    from lab.diagnostics.cost import blueprint

    base = Recipe().with_values({"architecture": {"name": card.name}}, card.presets[preset])
    config = card.config.read({**base.architecture.settings, **size.settings}, field="architecture")
    vocabulary = size.vocabulary_size or SYMBOLS
    context = size.context_length or base.training.context_length
    model = blueprint(card, config, Task(vocabulary, context, causal="causal" in card.tasks))
    return {
        "size": size.name,
        **{name: getattr(config, name, None) for name in SHAPE},
        "vocabulary": vocabulary,
        "context": context,
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "published": size.parameters,
        "source": size.source,
        "settings": dict(size.settings),
    }


def _cells(row: Mapping[str, Any]) -> list[str]:
    count, published = row["parameters"], row["published"]
    shape = ["" if row[name] is None else f"{row[name]:,}" for name in SHAPE]
    paper = ["", ""]
    if published is not None:
        unit, word = (1e9, "B") if published >= 1e9 else (1e6, "M")
        paper = [f"{published / unit:.6g}{word}", f"{round(count / published - 1, 3) + 0.0:+.1%}"]
    figures = [f"{row[name]:,}" for name in ("vocabulary", "context", "parameters")]
    return [row["architecture"], row["preset"], row["size"], *shape, *figures, *paper, row["source"]]
