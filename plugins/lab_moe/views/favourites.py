"""The part of the routing card that lists the tokens each expert takes most often."""

from __future__ import annotations

import numpy as np

from lab.widgets.core.card import VerticalScroll
from lab.widgets.core.fonts import Metrics
from lab.widgets.core.i18n import tr
from lab_moe import statistics
from lab_moe.views.parts import Routed, TakenPart

MOST, LEAST = 8, 2
"""Most and fewest favourite tokens listed for each expert; as many as the width has space for."""
ROW, AROUND = 17, 44
"""Height in pixels of an expert's row, in which its tokens can be read, and of the labels below all rows."""
LABELS, GAP = 96, 8
"""Width in pixels of the labels and the colour bar beside the cells, and of the space around a text in its cell."""


class FavouritesPart(TakenPart):
    """The tokens that each expert takes most often, in its row: bright if it takes most of their occurrences.

    Rows are always high enough for their tokens; those of many experts scroll.
    """

    _metrics = Metrics("note", tokens=True)

    def __init__(self) -> None:
        super().__init__()
        self._routed: Routed | None = None
        self.rows.removeWidget(self.map)
        self._area = VerticalScroll(self.map)
        self.rows.insertWidget(0, self._area, 1)
        self._area.width_changed.connect(self._list_again)
        self.map.selected.connect(self._scroll_to)

    def show_message(self, message: str) -> None:
        """Show a message in place of the map; "" shows the map again."""
        super().show_message(message)
        self._area.setVisible(not message)

    def show_routed(self, routed: Routed) -> None:
        """Show another text or block."""
        self._routed = routed
        lists = statistics.favourites(routed.g, routed.tokens, MOST)
        most = max((len(one) for one in lists), default=0)
        if not most:
            self.show_message(tr("No expert takes any token of this text."))
            return
        self.show_message("")
        most = min(most, self._fitting([f"{one.symbol} {one.taken}" for found in lists for one in found]))
        values = np.full((len(lists), most), np.nan, np.float32)
        texts = [[""] * most for _ in lists]
        for row, found in enumerate(lists):
            for rank, one in enumerate(found[:most]):
                values[row, rank] = 100 * one.taken / one.total
                texts[row][rank] = f"{one.symbol} {one.taken}"
        self.map.caption = routed.where
        self.map.setMinimumHeight(ROW * len(lists) + AROUND)
        self.map.set_map(
            values, routed.experts, [str(rank) for rank in range(1, most + 1)], row_name=tr("expert"),
            column_name=tr("rank; bright: the expert takes most occurrences"),
            unit=tr("%"), levels=(0.0, 100.0),
        )  # fmt: skip
        self.map.set_cell_texts(texts)

    def _fitting(self, texts: list[str]) -> int:
        """Return the number of columns for which the width has space."""
        widest = max(self._metrics.horizontalAdvance(text) for text in texts) + GAP
        return max(LEAST, min(MOST, int((self._area.width() - LABELS) / widest)))

    def _scroll_to(self, row: int, column: int) -> None:
        if row >= 0:
            cell = self.map.rect_of(row, column).toRect()
            self._area.ensureVisible(cell.center().x(), cell.center().y(), 0, ROW)

    def _list_again(self) -> None:
        """List as many tokens as the new width has space for."""
        if self._routed is not None:
            self.show_routed(self._routed)
