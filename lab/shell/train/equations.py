"""The equations of an architecture below a button: formulas, the meaning of each symbol, and links to what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from lab.api import Architecture
from lab.base.diagram.parts import ModelPart
from lab.widgets.core.controls import Button
from lab.widgets.core.explanation import FormulaPanel, ShowPart, SymbolLink, part_link
from lab.widgets.core.i18n import tr, tr_registered

WIDTH = 520
"""Width of the panel in pixels."""
BREAK = r"\qquad"
"""The LaTeX between two equations of one line."""


class EquationsPanel(FormulaPanel):
    """The equations of an architecture.

    Args:
        button: The button that opens it.
        card: The architecture.
        tree: The drawn model, whose parts symbols are linked to; None while it is being drawn.
        select: Selects a part of it, as `Architecture.symbol_parts` names it.
        reveal: Shows the field of a setting in the form; None for a run's model, whose settings are not in the form.
    """

    def __init__(
        self,
        button: Button,
        card: Architecture,
        tree: ModelPart | None,
        select: ShowPart,
        reveal: Callable[[str], object] | None,
    ) -> None:
        links: dict[str, SymbolLink] = {}
        for symbol, setting in card.symbol_settings.items():
            if reveal is not None:
                path = f"architecture.{setting}"
                name = tr("Show the setting of {symbol} in the configuration", symbol=symbol)
                hint = tr("Show {setting} in the configuration", setting=path)
                links[symbol] = SymbolLink(name, hint, partial(reveal, path))
        for symbol, part in card.symbol_parts.items():
            if tree is None or tree.find(part) is not None:
                links[symbol] = part_link(symbol, partial(select, part))
        title = tr("Equations of {architecture}", architecture=tr_registered(card.title))
        super().__init__(
            button,
            title,
            title,
            WIDTH,
            formulas=[*_single(card.equations)],
            symbols=card.symbols,
            links=links,
            notes=card.references,
        )


def _single(equations: Sequence[str]) -> Iterator[str]:
    """Yield equations, with those that share a line one after the other; narrow ones stay large enough to read."""
    for line in equations:
        parts = line.split(BREAK)
        if all(part.count("{") == part.count("}") for part in parts):
            yield from (part.strip().rstrip(",") for part in parts)
        else:
            yield line
