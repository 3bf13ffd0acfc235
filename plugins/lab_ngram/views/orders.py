"""The views of a value for each order: at each token, and over all of a text."""

from __future__ import annotations

import numpy as np

from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.margins import RowBars
from lab.widgets.readings.maps import BarsView, GeneralView, share_levels


class OrdersView(GeneralView):
    """The share of each context length in each prediction, and its mean."""

    def levels_of(self, values: Numbers, axes: tuple[str, ...]) -> tuple[float, float] | None:
        """Return 0 to 1 if the values are shares of orders."""
        return share_levels(values, axes.index("order")) or super().levels_of(values, axes)

    def row_bars(self, values: Numbers) -> RowBars:
        """Return the mean of each order."""
        return RowBars(np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0).mean(axis=1), tr("mean"))


class OrderBarsView(BarsView):
    """A value for each order as bars, or a sentence where all shares are 1."""

    def show_slice(self, values: Numbers, axes: tuple[str, ...], unit: str, full_values: Numbers, caption: str) -> None:
        """Draw the values of the orders."""
        longest = self._longest_if_whole(values)
        if longest:
            self.bars.caption = caption
            self._show_message(tr_n(
                "The share is 1 for every context of up to 1 token: no context of this text has to be shortened, so "
                "the longest decides.",
                "The share is 1 for every context of up to {n} tokens: no context of this text has to be shortened, so "
                "the longest decides.", longest,
            ))  # fmt: skip
            return
        super().show_slice(values, axes, unit, full_values, caption)

    def _longest_if_whole(self, values: Numbers) -> int:
        """Return the largest order with a share if all shares are 1, which bars do not explain; 0 if not."""
        known = np.flatnonzero(np.isfinite(values))
        is_whole = self.shown is not None and self.shown.units == "share" and bool((values[known] == 1).all())
        return int(known[-1]) if is_whole and len(known) else 0
