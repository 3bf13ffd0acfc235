"""The view of readings with a few components for each token: the text as a path in the plane of the first two."""

from __future__ import annotations

from typing import Self

import numpy as np
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.points import Points, axis_text
from lab.widgets.maps.token_row import TokenStrip
from lab.widgets.readings.axes import axis_name
from lab.widgets.readings.base import ReadingView

ROOM_FOR_TEXT = 260
"""Height in pixels from which the text is shown below the points."""


class PointsView(ReadingView):
    """The tokens in the plane of the first two components, connected in their order; one can be selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes.changed.connect(self._resize_type)
        self.points = Points()
        self.points.selected.connect(self._follow)
        self.text = TokenStrip()
        self.text.setAccessibleName(tr("The text, coloured along its length"))
        self.text.picked.connect(self._follow_token)
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.points, 1)
        layout.addWidget(self.text)
        self.add_option(ExportButton(self.points))

    def show_values(self, values: Numbers, axes: tuple[str, ...], unit: str) -> None:
        """Draw (token, component), in any order of the axes; a single component is drawn over the position."""
        del unit
        values = values if axes[0] == "token" else values.T
        tokens, components = values.shape
        labels, name = self.labels_of("component", components), axis_name("component")
        names = [axis_text(name, labels, number) for number in range(min(2, components))]
        plane = values[:, :2]
        if components == 1:
            plane = np.stack([np.arange(1, tokens + 1, dtype=np.float32), values[:, 0]], axis=1)
            names = [axis_name("token"), *names]
        self.points.caption = self.where
        tokens_shown = self.labels_of("token", tokens)
        self.points.set_points(plane, tokens_shown, *names)
        self.text.set_tokens(tokens_shown)
        self._show_followed()
        self._arrange()

    def choose_as(self, other: Self) -> None:
        """Select the token that is selected in another view."""
        self.points.select(other.points.selection)
        super().choose_as(other)

    def _show_followed(self) -> None:
        along = np.arange(len(self.text.tokens.labels), dtype=np.float32)
        self.text.set_values(along, self.points.scale, self.points.selection)

    def _follow(self, _token: int) -> None:
        self._show_followed()
        self.picked.emit()

    def _follow_token(self, token: int) -> None:
        self.points.select(token)
        self._follow(token)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the text if there is space for it."""
        super().resizeEvent(event)
        self._arrange()

    def _resize_type(self) -> None:
        """Arrange everything again for another size of the type."""
        if self.shown is not None:
            self._arrange()

    def _arrange(self) -> None:
        known = len(self.labels) == len(self.text.tokens.labels)
        self.text.setVisible(self.height() >= px(ROOM_FOR_TEXT) and known)
        self.text.setFixedHeight(self.text.height_for(self.width()))
