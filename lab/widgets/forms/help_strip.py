"""The strip below a form that describes the focused setting: its effect, allowed values and source."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from lab.api import Setting
from lab.widgets.core.controls import label, set_role
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import localized, number_text, tr, tr_registered
from lab.widgets.core.theme import LINE, themes
from lab.widgets.forms.rows import format_for, options_of
from lab.widgets.forms.values import number

HEIGHT, MOST = 96, 168
"""Height for a short text, and the largest height, in pixels."""


class HelpStrip(QFrame):
    """A strip with the help sentence, the bounds, the unit, the default and the citation of one setting.

    Args:
        of_runs: Whether the settings are those of runs, some of which can also be changed while a run trains.
        parent: Its parent.
    """

    def __init__(self, *, of_runs: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_runs = of_runs
        self.setProperty("role", "raised")
        self.setAccessibleName(tr("About the setting"))
        self._sentence, self._facts = label("", ""), label("", "note")
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        for each in (self._sentence, self._facts):
            each.setWordWrap(True)
            rows.addWidget(each)
        rows.addStretch()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # the strip has the height
        area.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(10, 7, 4, 7)
        outer.addWidget(area)
        self._area, self._inside = area, inside
        self._wanted, self._least = True, HEIGHT
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._fit_text)
        self.show_setting(None)
        follow_type(self, HelpStrip._follow_type)

    def show_setting(self, setting: Setting | None) -> None:
        """Show the help of a setting; None if none has the focus."""
        if setting is None:
            self._sentence.setText(tr("Select a setting to see its description here."))
        else:
            self._sentence.setText(setting.help)
        set_role(self._sentence, "dim" if setting is None else "")
        self._facts.setText("" if setting is None else " · ".join(_facts(setting, of_runs=self._of_runs)))
        self._facts.setVisible(setting is not None)
        self._fit_text()

    def show_text(self, sentence: str, facts: str) -> None:
        """Show a description of something that is not a setting, such as a card."""
        self._sentence.setText(sentence)
        set_role(self._sentence, "")
        self._facts.setText(facts)
        self._facts.setVisible(bool(facts))
        self._fit_text()

    def set_wanted(self, wanted: bool) -> None:
        """Show or hide the strip; a projected window leaves it out in any case."""
        self._wanted = wanted
        if not wanted or themes.appearance.projector:
            self.hide()
        elif self.parentWidget() is not None:  # without one it would be a window
            self.show()

    def set_least(self, height: int) -> None:
        """Set the height for a short text; a longer one makes the strip higher, so that no line is cut.

        Args:
            height: The height at a size of the type of 100 percent; large type adds two lines.
        """
        self._least = height
        self._fit_text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the text at another width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._soon.start()  # a layout that is at work would not notice another height

    def _fit_text(self) -> None:
        """Show the text from its start, at a height at which all of it is seen, unless it is very long."""
        self._area.verticalScrollBar().setValue(0)
        margins, rows = self.contentsMargins(), self._inside.layout()
        layout = self.layout()
        if rows is None or layout is None:
            return
        around = layout.contentsMargins()
        width = self.width() - around.left() - around.right() - margins.left() - margins.right()
        rows.invalidate()
        needed = rows.totalHeightForWidth(max(1, width)) + around.top() + around.bottom() + 4
        least = round(self._least + 2 * LINE * (themes.scale - 1))
        self.setFixedHeight(max(least, min(needed, round(MOST * themes.scale))))

    def _follow_type(self) -> None:
        """Fit the strip to another size of the type, and hide it in a projected window."""
        self._fit_text()
        self.set_wanted(self._wanted)


def _facts(setting: Setting, *, of_runs: bool) -> list[str]:
    allowed = setting.allowed(tr, number=_bound, label=dict(options_of(setting)).__getitem__)
    facts = [tr("{name}: {allowed}", name=setting.title, allowed=allowed)]
    if setting.unit:
        facts.append(tr("unit: {unit}", unit=tr_registered(setting.unit)))
    if setting.kind != "group":
        facts.append(tr("default {value}", value=format_for(setting, setting.default)))
    if setting.live and of_runs:
        facts.append(tr("can also be changed while a run trains, in Live settings under its loss"))
    return [*facts, *filter(None, (setting.cite,))]


def _bound(value: float) -> str:
    """Return a bound as the language writes it: whole numbers with groups of thousands."""
    return number_text(int(value)) if float(value).is_integer() else localized(number(value))
