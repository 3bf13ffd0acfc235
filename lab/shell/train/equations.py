"""The equations of an architecture below a button: formulas, the meaning of each symbol, and links to what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from lab.api import Architecture, Mixer, ModelConfig, PatternStackConfig
from lab.base.model_parts import ModelPart
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.formulas.explanation import FormulaPanel, FormulaSection, ShowPart, SymbolLink, part_link

WIDTH = 520
"""Width of the panel in pixels."""
BREAK = r"\qquad"
"""The LaTeX between two equations of one line."""


class EquationsPanel(FormulaPanel):
    """The equations of an architecture, and below them those of the mixers that its pattern names.

    Args:
        button: The button that opens it.
        card: The architecture.
        tree: The drawn model, whose parts symbols are linked to; None while it is being drawn.
        select: Selects a part of it, as `Architecture.symbol_parts` names it.
        reveal: Shows the field of a setting in the form; None for a run's model, whose settings are not in the form.
        mark_part: Marks a part of the drawing by its path; None removes the mark.
        mark_settings: Marks settings in the form by their paths, instead of those marked before.
        config: The settings of the model; None if they are not known, which shows no equations of mixers.
        about: The parts, the first of which with an equation is in sight at first, as `Explanation.parts` names them.
    """

    def __init__(
        self,
        button: Button,
        card: Architecture,
        tree: ModelPart | None,
        select: ShowPart,
        reveal: Callable[[str], object] | None,
        mark_part: Callable[[str | None], object],
        mark_settings: Callable[[Sequence[str]], object],
        config: ModelConfig | None = None,
        about: Sequence[str] = (),
    ) -> None:
        self._tree, self._select, self._reveal = tree, select, reveal
        self._mark_part, self._mark_settings = mark_part, mark_settings
        self._of_parts: list[tuple[str, SymbolLink]] = []  # paths of parts and the links to them
        title = tr("Equations of {architecture}", architecture=tr_registered(card.title))
        sections = [self._section(card, tree, card.symbol_parts, "architecture"), *self._sections_of_mixers(config)]
        super().__init__(button, title, title, WIDTH, sections=sections)
        found = next(filter(None, map(self._link_of, about)), None)
        if found is not None:
            self.show_first(found)

    def _sections_of_mixers(self, config: ModelConfig | None) -> Iterator[FormulaSection]:
        """Yield the equations of the mixers of a pattern, in the order of their first use."""
        if not isinstance(config, PatternStackConfig):
            return
        seen: set[str] = set()
        for layer, block in enumerate(config.blocks()):
            for name in block.mixers:
                if name not in seen:
                    seen.add(name)
                    mixer = config.mixers[name]
                    path = f"blocks.{layer}"
                    part = self._part(f"{path}.{mixer.kind}")
                    yield self._section(mixer, part, mixer.parts_in(path), f"architecture.{mixer.key}")

    def _part(self, path: str) -> ModelPart | None:
        return None if self._tree is None else self._tree.find(path)

    def _section(
        self, card: Architecture | Mixer, part: ModelPart | None, parts: Mapping[str, str], settings: str
    ) -> FormulaSection:
        """Return the equations of a card.

        Args:
            card: The card.
            part: What of the model the card describes; None while it is being drawn.
            parts: The parts of the model that its symbols are linked to, as `Architecture.symbol_parts`.
            settings: The path of the card's settings in the recipe.
        """
        title, link = "", None
        if isinstance(card, Mixer):  # its heading is the first link to it, so that all of its equations are in sight
            title = tr_registered(card.title)
            link = None if part is None else self._link_to(title, part.path)
        links: dict[str, SymbolLink] = {}
        for symbol, setting in card.symbol_settings.items():
            if self._reveal is not None:
                path = f"{settings}.{setting}"
                name = tr("Show the setting of {symbol} in the configuration", symbol=symbol)
                hint = tr("Show {setting} in the configuration", setting=path)
                links[symbol] = SymbolLink(name, hint, partial(self._reveal, path), partial(self._mark, None, path))
        for symbol, wanted in parts.items():
            meant = _inside(part, wanted)
            if meant is not None:
                setting = card.symbol_settings.get(symbol)
                links[symbol] = self._link_to(symbol, meant.path, None if setting is None else f"{settings}.{setting}")
            elif self._tree is None:
                links[symbol] = part_link(symbol, partial(self._select, wanted))
        return FormulaSection([*_single(card.equations)], card.symbols, links, card.references, title, link)

    def _link_to(self, symbol: str, path: str, setting: str | None = None) -> SymbolLink:
        """Return the link of a symbol to a part, which marks the setting of the symbol, too."""
        link = part_link(symbol, partial(self._select, path), partial(self._mark, path, setting))
        self._of_parts.append((path, link))
        return link

    def _mark(self, part: str | None, setting: str | None, marked: bool) -> None:
        """Mark a part of the drawing and a setting of the form, or remove their marks."""
        self._mark_part(part if marked else None)
        self._mark_settings([setting] if marked and setting is not None and self._reveal is not None else [])

    def _link_of(self, wanted: str) -> SymbolLink | None:
        """Return the link of an equation to a part, or to the closest part around it; None if there is none."""
        part = self._part(wanted)
        if self._tree is None or part is None:
            return None
        for path in (part.path, *reversed(self._tree.around(part.path))):
            found = next((link for of, link in self._of_parts if of == path), None)
            if found is not None:
                return found
        return None


def _inside(part: ModelPart | None, wanted: str) -> ModelPart | None:
    """Return the first part inside one with this path, name or kind, or the part itself; None if there is none."""
    if part is None:
        return None
    if part.path and wanted in (part.path, part.name, part.kind):
        return part
    return part.find(wanted)


def _single(equations: Sequence[str]) -> Iterator[str]:
    """Yield equations, with those that share a line one after the other; narrow ones stay large enough to read."""
    for line in equations:
        parts = line.split(BREAK)
        if all(part.count("{") == part.count("}") for part in parts):
            yield from (part.strip().rstrip(",") for part in parts)
        else:
            yield line
