"""The view of other readings of experts: their weights for each token, and the load of each expert."""

from __future__ import annotations

import numpy as np

from lab.widgets.core.i18n import tr
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.margins import RowBars
from lab.widgets.readings.maps import GeneralView, share_levels


class ExpertsView(GeneralView):
    """The weights of the experts for each token, and the load of each expert next to the even share."""

    def levels_of(self, values: Numbers, axes: tuple[str, ...]) -> tuple[float, float] | None:
        """Return 0 to 1 if the values are shares of experts."""
        return share_levels(values, axes.index("expert")) or super().levels_of(values, axes)

    def row_bars(self, values: Numbers) -> RowBars:
        """Return the load of each expert: its share of all weight, or for signed values of tokens that prefer it."""
        known = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
        if (known < 0).any():
            load = np.bincount(known.argmax(axis=0), minlength=len(known)) / known.shape[1]
            return RowBars(load, tr("tokens that prefer it"), 1 / len(known))
        return RowBars(known.sum(axis=1) / (known.sum() or 1.0), tr("load"), 1 / len(known))
