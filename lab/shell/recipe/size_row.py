"""The row of the form with the sizes of a preset, from laptop sizes to those of the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.api import Size
from lab.widgets.core.controls import ChoiceBox, label
from lab.widgets.core.i18n import tr


class SizeRow(QWidget):
    """A choice of the size of a preset, hidden if it has no sizes.

    Args:
        choose: Called with the settings of the selected size.
    """

    def __init__(self, choose: Callable[[Mapping[str, Any]], object]) -> None:
        super().__init__()
        self._choose = choose
        self._offered: list[Size] | None = None
        self.box = ChoiceBox()
        self.box.setAccessibleName(tr("Size"))
        self.box.setPlaceholderText(tr("custom"))
        self.box.activated.connect(self._select)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label(tr("Size")))
        row.addWidget(self.box, 1)

    def offer(self, preset: str, sizes: Sequence[Size], settings: Mapping[str, Any]) -> None:
        """Offer sizes and select the current one.

        Args:
            preset: Name of the preset.
            sizes: Its sizes, from small to large.
            settings: The current settings of the architecture.
        """
        self.setVisible(bool(sizes))
        if list(sizes) != self._offered:
            self._offered = list(sizes)
            self.box.clear()
            for size in sizes:
                self.box.addItem(_label(size))
            self.box.setToolTip(tr("Sizes of {preset}: scaled ones named by width, then published ones", preset=preset))
        current = [index for index, size in enumerate(sizes) if size.settings.items() <= settings.items()]
        self.box.setCurrentIndex(current[0] if current else -1)

    def _select(self, index: int) -> None:
        if self._offered is not None:
            self._choose(self._offered[index].settings)


def _label(size: Size) -> str:
    paper = size.source.partition(",")[0]
    return tr("{size} · {paper}", size=size.name, paper=paper) if paper else size.name
