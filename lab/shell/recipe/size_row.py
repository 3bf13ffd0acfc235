"""The row of the configuration that scales a preset: its sizes, from what a laptop trains to those of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.api import Size
from lab.widgets.core.controls import ChoiceBox, label
from lab.widgets.core.i18n import tr


class SizeRow(QWidget):
    """A choice among the sizes of a preset; it is hidden where there are none.

    Args:
        choose: Called with the settings of the size that a person chooses; keep it a bound method.
    """

    def __init__(self, choose: Callable[[Mapping[str, Any]], object]) -> None:
        super().__init__()
        self._choose = choose
        self._offered: list[Size] | None = None
        self.box = ChoiceBox()
        self.box.setAccessibleName(tr("Size"))
        self.box.setPlaceholderText(tr("as set below"))
        self.box.activated.connect(self._take)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(tr("Size")))
        row.addWidget(self.box, 1)

    def offer(self, preset: str, sizes: Sequence[Size], settings: Mapping[str, Any]) -> None:
        """Offers sizes, and shows which one holds.

        Args:
            preset: What they are sizes of.
            sizes: From small to large.
            settings: The architecture's settings as they are now.
        """
        self.setVisible(bool(sizes))
        if list(sizes) != self._offered:
            self._offered = list(sizes)
            self.box.clear()
            for size in sizes:
                self.box.addItem(_words(size))
            self.box.setToolTip(tr("Sizes of {preset}: scaled ones by their width, then the published", preset=preset))
        held = [place for place, size in enumerate(sizes) if size.settings.items() <= settings.items()]
        self.box.setCurrentIndex(held[0] if held else -1)

    def _take(self, place: int) -> None:
        if self._offered is not None:
            self._choose(self._offered[place].settings)


def _words(size: Size) -> str:
    paper = size.source.partition(",")[0]
    return tr("{size} · {paper}", size=size.name, paper=paper) if paper else size.name
