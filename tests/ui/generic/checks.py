"""Checks for everything that can be shown: each examines one sight and returns its problems as lines."""

import html
import re
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QScrollBar,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

import lab.shell
from lab.shell.actions.palette import CommandPalette
from lab.shell.inspect.panel import InspectPanel
from lab.shell.play.panel import PlayPanel
from lab.shell.recipe.panel import DraftPanel
from lab.shell.runs.panel import RunsPanel, RunsSide
from lab.shell.window.docks import WIDE
from lab.shell.window.log_view import LogView
from lab.shell.window.main_window import Window
from lab.shell.window.notices_view import Toasts
from lab.shell.window.status_line import StatusLine
from lab.shell.window.top_bar import TopBar
from lab.widgets.core.card import Card
from lab.widgets.core.controls import CheckBox
from lab.widgets.core.i18n import language, tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import DARK, LIGHT, themes
from lab.widgets.figures.table import FigureTable
from lab.widgets.figures.view import FigureView
from lab.widgets.forms.row_parts import Caption
from lab.widgets.forms.rows import Knob

UNITS = (Card, DraftPanel, InspectPanel, LogView, Overlay, PlayPanel, RunsPanel, RunsSide, StatusLine, Toasts, TopBar)
"""What the tab key goes through from top to bottom; a window is made of them."""
SMALLEST = (1100, 640)
"""Pixels of the smallest window."""
READABLE, SEEN = 4.5, 3.0
"""Contrast of text, and of what only has to be made out (WCAG 2.2)."""
FEWEST_POINTS = 60
"""Points that something is drawn with, at scale 1; fewer is nothing."""
AREA = 8
"""Points of one colour in a row and in a column that make it a ground; fewer belong to a letter or a colour map."""
VISIBLE = 24
"""Difference of a colour channel from which a point counts as changed."""
CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QAbstractSlider, QAbstractItemView)


class Sight:
    """One view to check.

    Args:
        name: What is seen.
        root: The widget that shows it.
    """

    def __init__(self, name, root):
        self.name, self.root = name, root
        self.widgets = [root, *(one for one in root.findChildren(QWidget) if self._is_part(one))]

        self.beside = {}
        for one in self.widgets[1:]:
            self.beside.setdefault(one.parentWidget(), []).append(one)

    def _is_part(self, widget):
        return widget.isVisible() and widget.window() is self.root.window()

    @cached_property
    def picture(self):
        """(height, width, 3) the colours of the points, at the scale of the screen."""
        return self.packed.view(np.uint8).reshape(*self.packed.shape, 4)[..., 2::-1]

    @cached_property
    def packed(self):
        """(height, width) the colours of the points as 0xffRRGGBB."""
        image = self.root.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        points = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
        return points[:, : image.width()].copy()

    @cached_property
    def scale(self):
        return self.root.devicePixelRatioF()

    def seen(self, widget, place=None):
        """Return the visible points of a widget, or of a rectangle in it; none if something covers it."""
        place = (place or widget.rect()).intersected(widget.visibleRegion().boundingRect())
        corner = widget.mapTo(self.root, place.topLeft()) if widget is not self.root else place.topLeft()
        where = QRect(corner, place.size()).intersected(self.root.rect())
        if where.isEmpty():
            return np.empty((0, 3), np.uint8)
        top = self.root.childAt(where.center()) or self.root
        if top is not widget and not widget.isAncestorOf(top) and not top.isAncestorOf(widget):
            return np.empty((0, 3), np.uint8)
        left, upper, right, lower = (
            round(edge * self.scale) for edge in (where.x(), where.y(), where.right() + 1, where.bottom() + 1)
        )
        return self.picture[upper:lower, left:right].reshape(-1, 3)


def words_of(widget):
    """Return a description of a widget."""
    said = widget.accessibleName() or (widget.text() if isinstance(widget, QLabel | QAbstractButton) else "")
    inside = next((one for one in parents(widget) if isinstance(one, UNITS)), None)
    where = "" if inside is None else f" in {type(inside).__name__} “{inside.accessibleName()}”"
    return f"{type(widget).__name__} “{said[:60]}”{where}"


def parents(widget):
    """Return the ancestors of a widget, the nearest first."""
    around = widget.parentWidget()
    while around is not None:
        yield around
        around = None if around.isWindow() else around.parentWidget()


def tips_around(widget):
    """Return the tool tips of a widget and of the two around it, as plain text."""
    tips = [one.toolTip() for one in (widget, *list(parents(widget))[:2])]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", tip)) for tip in tips)


# ------------------------------------------------------------------------------------------------------------- geometry


def window_too_large(sight):
    """Report a root that needs more space than the smallest window has."""
    if not isinstance(sight.root, Window):
        return []
    hint = sight.root.minimumSizeHint()
    narrowest = WIDE if sight.root.width() >= WIDE else SMALLEST[0]  # a wide window becomes a narrow one on its way
    if hint.width() > narrowest or hint.height() > SMALLEST[1]:
        return [f"the window needs {hint.width()} × {hint.height()}"]
    return []


def sticking_out(sight):
    """Report widgets that are not inside their parents; only scrolled content may be larger, in that direction."""
    lines = []
    for widget in sight.widgets[1:]:
        parent = widget.parentWidget()
        area = parent.parentWidget() if parent is not None else None
        if isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
            off = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if isinstance(area, QScrollArea) and off and widget.width() > parent.width():
                lines.append(f"{words_of(area)} cuts {widget.width() - parent.width()} px off the right of its content")
        elif not parent.rect().contains(widget.geometry()) and not widget.geometry().isEmpty():
            lines.append(
                f"{words_of(widget)} {box(widget.geometry())} sticks out of {words_of(parent)} {box(parent.rect())}"
            )
    return lines


def overlapping(sight):
    """Report overlapping siblings, except widgets that are meant to float."""
    lines = []
    for children in sight.beside.values():
        beside = [one for one in children if not floats(one) and not one.geometry().isEmpty()]
        for place, one in enumerate(beside):
            lines += [
                f"{words_of(one)} {box(one.geometry())} and {words_of(other)} {box(other.geometry())}"
                for other in beside[place + 1 :]
                if one.geometry().intersects(other.geometry())
            ]
    return lines


def floats(widget):
    """Return True if a widget is meant to float over others."""
    if isinstance(widget, Overlay | Toasts):
        return True
    if isinstance(widget, RunsPanel):
        return isinstance(widget.parentWidget(), Window)  # folded out over the centre
    return bool(widget.property("floats"))


def box(place):
    return f"({place.x()}, {place.y()}, {place.width()} × {place.height()})"


# ----------------------------------------------------------------------------------------------------------------- text


def cut_texts(sight):
    """Report texts that are cut off, and elided texts without a tool tip that has the complete text."""
    lines = []
    for widget in sight.widgets:
        fault = cut_in(widget)
        if fault:
            lines.append(f"{words_of(widget)}: {fault}")
    return lines


def cut_in(widget):
    if isinstance(widget, Caption):
        return cut_caption(widget)
    if isinstance(widget, QLabel):
        return cut_label(widget) or untold(widget, widget.text())
    if isinstance(widget, QAbstractButton):
        return cut_button(widget) or untold(widget, widget.text())
    if isinstance(widget, QComboBox):
        return cut_choice(widget)
    if isinstance(widget, QLineEdit):
        return cut_field(widget)
    if isinstance(widget, QHeaderView):
        return cut_header(widget)
    return ""


def cut_caption(widget):
    if widget.shown == widget.text or widget.text in tips_around(widget):
        return ""
    return f"“{widget.text}” is cut to “{widget.shown}”, and no tool tip has it whole"


def cut_label(widget):
    if not widget.text() or not widget.pixmap().isNull():
        return ""
    wanted = widget.sizeHint()
    if widget.wordWrap():
        needed = widget.heightForWidth(widget.width())
        room = widget.contentsRect()
        longest = widget.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, widget.text()).width()
        if longest > room.width():
            return f"a word of {longest} px in {room.width()} px"
        return f"{needed} px of lines in {widget.height()} px" if needed > widget.height() else ""
    if wanted.width() > widget.width() or wanted.height() > widget.height():
        return f"“{widget.text()}” needs {wanted.width()} × {wanted.height()}, has {widget.width()} × {widget.height()}"
    return ""


def cut_button(widget):
    if not widget.text():
        return ""
    room, wanted = widget.size(), widget.sizeHint()
    whole = isinstance(widget, CheckBox) and widget.text() in tips_around(widget)  # it elides what it paints
    if (wanted.width() > room.width() and not whole) or widget.fontMetrics().height() > room.height():
        return f"“{widget.text()}” needs {wanted.width()} px, has {room.width()}"
    return ""


def cut_choice(widget):
    option = QStyleOptionComboBox()
    widget.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    room = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, widget).width() - 2
    needed = widget.fontMetrics().horizontalAdvance(widget.currentText())
    if needed > room and widget.currentText() not in tips_around(widget):
        return f"“{widget.currentText()}” needs {needed} px, has {room}, and no tool tip has it whole"
    return ""


def cut_field(widget):
    shown = widget.displayText() or widget.placeholderText()
    margins = widget.textMargins()
    inside = widget.style().subElementRect(QStyle.SubElement.SE_LineEditContents, field_option(widget), widget)
    room = inside.width() - margins.left() - margins.right() - 4  # Qt's own two pixels at each side
    needed = widget.fontMetrics().horizontalAdvance(shown)
    if needed > room and shown not in tips_around(widget):
        return f"“{shown}” needs {needed} px, has {room}, and no tool tip has it whole"
    return ""


def field_option(widget):
    option = QStyleOptionFrame()
    widget.initStyleOption(option)
    return option


def cut_header(widget):
    if widget.orientation() != Qt.Orientation.Horizontal:
        return ""
    named = [place for place in range(widget.count()) if not widget.isSectionHidden(place)]
    cut = [place for place in named if widget.sectionSizeFromContents(place).width() > widget.sectionSize(place)]
    return f"the heads of columns {cut} are cut" if cut else ""


def untold(widget, shown):
    """Report elided texts that are complete neither in a tool tip nor in the accessible texts."""
    dialogs = texts_of_dialogs(language.code)
    if "…" not in shown or shown.strip() == "…" or shown in titles_of_commands(widget) or shown in dialogs:
        return ""
    shown = plain(shown).removesuffix("▾")  # the mark of a menu
    start, _, end = (part.strip() for part in shown.partition("…"))
    whole = [plain(tips_around(widget)), plain(widget.accessibleName())]
    reported = any(words and words != shown and start in words and end in words for words in whole)
    return "" if reported else f"“{shown}” is whole nowhere"


def plain(words):
    """Return a text in lower case, without its line breaks, visible or not."""
    return " ".join(words.replace("\u200b", "").lower().split())


def titles_of_commands(widget):
    """Return the titles of all commands; a "…" at their end means that they open a dialog."""
    window = widget.window()
    return {action.command.title for action in window.commands.all()} if isinstance(window, Window) else set()


@cache
def texts_of_dialogs(_code):
    """Return the texts of the window with a "…" at their end, which means that they open a dialog, in a language."""
    sources = [path.read_text(encoding="utf-8") for path in Path(lab.shell.__file__).parents[1].rglob("*.py")]
    found = {text for source in sources for text in re.findall(r'tr\("([^"]*…)"', source)}
    return found | {tr(text) for text in found}


# -------------------------------------------------------------------------------------------------------------- colours


def pale_texts(sight):
    """Report texts with too little contrast to their background; disabled ones may have less."""
    lines = []
    for widget in sight.widgets:
        if isinstance(widget, QLabel | QAbstractButton | QComboBox) and said_by(widget):
            points = sight.seen(widget)
            if len(points):
                points = scrolled_whole(sight, widget)
                found, colours = contrast_in(points)
                wanted = READABLE if widget.isEnabled() else SEEN
                if found < wanted:
                    lines.append(f"{words_of(widget)}: {found:.1f} ({colours}), wanted {wanted}")
    return lines


def scrolled_whole(sight, widget, place=None):
    """Return the points of a visible widget, or of a rectangle in it, including those that are scrolled out of view."""
    area = next((one for one in parents(widget) if isinstance(one, QScrollArea)), None)
    port = area.viewport() if area is not None else None
    if port is None or port.rect().contains(QRect(widget.mapTo(port, QPoint(0, 0)), widget.size())):
        return sight.seen(widget, place)
    bars = [area.horizontalScrollBar(), area.verticalScrollBar()]
    before = [bar.value() for bar in bars]
    area.ensureWidgetVisible(widget, 0, 0)
    points = Sight(sight.name, sight.root).seen(widget, place)
    for bar, value in zip(bars, before, strict=True):
        bar.setValue(value)
    return points


def said_by(widget):
    return widget.currentText() if isinstance(widget, QComboBox) else widget.text().strip(" \n\u200b")


def contrast_in(points):
    """Return the greatest contrast to the commonest colour, and both colours."""
    packed = points.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    colours, counts = np.unique(packed, return_counts=True)
    ground = colours[counts.argmax()]
    drawn = colours[colours != ground]
    if not len(drawn):
        return 1.0, f"#{ground:06x} alone"
    lights = luminance(np.append(drawn, ground))
    ratios = (np.maximum(lights[:-1], lights[-1]) + 0.05) / (np.minimum(lights[:-1], lights[-1]) + 0.05)
    return float(ratios.max()), f"#{drawn[ratios.argmax()]:06x} on #{ground:06x}"


def luminance(packed):
    """Return the relative luminance (N,) of colours (N,) as 0xRRGGBB."""
    parts = np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], -1) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def left_in_the_other_theme(sight):
    """Report widgets that still have a background of another theme."""
    other = LIGHT if themes.now.scheme == "dark" else DARK
    own = {getattr(themes.now, name) for name in ("ground", "panel", "card", "line", "text", "on_accent")}
    lines = []
    for name in ("ground", "panel", "card", "line"):
        colour = getattr(other, name)
        if colour in own:
            continue
        same = sight.packed == 0xFF000000 | int(colour[1:], 16)
        rows, columns = np.nonzero(grounds(same)) if same.any() else ((), ())
        if len(rows):
            place = QPoint(int(columns[0] / sight.scale), int(rows[0] / sight.scale))
            lines.append(f"the {other.name} theme's {name} in {words_of(sight.root.childAt(place) or sight.root)}")
    return lines


def grounds(points):
    """Return where squares of AREA true points begin."""
    for axis in (0, 1):
        for step in (1, 2, AREA - 4):
            points = points[step:] & points[:-step] if axis == 0 else points[:, step:] & points[:, :-step]
    return points


def blank_cards(sight):
    """Report cards that show nothing below their title."""
    lines = []
    for card in sight.widgets:
        if isinstance(card, Card):
            head = card.layout().itemAt(0).widget().geometry().bottom() + 4
            below = QRect(8, head, card.width() - 16, card.height() - head - 8)
            points = scrolled_whole(sight, card, below) if len(sight.seen(card, below)) else ()
            if len(points) and drawn_points(points) < FEWEST_POINTS * sight.scale**2:
                lines.append(f"{words_of(card)} is blank while it shows its “{card.state}”")
    return lines


def drawn_points(points):
    packed = points.astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    return len(points) - np.unique(packed, return_counts=True)[1].max()


# ------------------------------------------------------------------------------------------------------ without a mouse


def nameless(sight):
    """Report focusable widgets without an accessible name, enabled or not, and icon buttons without a tool tip."""
    lines = []
    for widget in sight.widgets:
        if is_stop_once_enabled(widget):
            face = QAccessible.queryAccessibleInterface(widget)
            if face is None or not face.text(QAccessible.Text.Name).strip():
                lines.append(f"{words_of(widget)} has no name")
        has_icon = isinstance(widget, QAbstractButton) and not widget.text() and not widget.icon().isNull()
        if has_icon and not widget.toolTip() and not isinstance(widget.parentWidget(), QLineEdit):
            lines.append(f"{words_of(widget)} has an icon alone and no tool tip")
    return lines


def is_stop(widget):
    """Return True if the tab key stops at a widget."""
    return widget.isEnabled() and is_stop_once_enabled(widget)


def is_stop_once_enabled(widget):
    """Return True if the tab key stops at a widget whenever it is enabled."""
    if not widget.isVisible():  # as most of a window's are not
        return False
    reached = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and not is_other_choice(widget)
    return reached and widget.focusProxy() is None


def is_other_choice(widget):
    """Return True if a button is reached by arrow keys, from the checked button of its group."""
    group = widget.group() if isinstance(widget, QAbstractButton) else None
    return group is not None and group.exclusive() and group.checkedButton() not in (None, widget)


def stops_in(window):
    """Return the tab stops of a window in their order."""
    found, widget = [], window.nextInFocusChain()
    while widget is not window:
        if is_stop(widget):
            found.append(widget)
        widget = widget.nextInFocusChain()
    return found


def out_of_order(sight):
    """Report tab stops that are not in reading order, from unit to unit and within each, and unreachable controls."""
    lines, units = [], {}
    for stop in stops_in(sight.root.window()):
        units.setdefault(unit_of(stop), []).append(stop)
    if isinstance(sight.root, Window):
        lines += disorder([unit for unit in units if unit is not None and lies_over(unit) is None], sight.root)[:3]
    for unit, stops in units.items():
        if unit in sight.widgets:
            inside = [inner for inner in units if inner is not None and lies_over(inner) is unit and inner is not unit]
            lines += disorder(stops, unit)[:3] + disorder(inside, unit)[:3]
    for widget in sight.widgets:
        if isinstance(widget, CONTROLS) and not is_stop(widget) and widget.isEnabled() and not is_helper(widget):
            lines.append(f"{words_of(widget)} is not reached by the tab key")
        if isinstance(widget, QPlainTextEdit | QTextEdit) and not widget.isReadOnly() and not widget.tabChangesFocus():
            lines.append(f"{words_of(widget)} keeps the tab key for itself")
    return lines


def unit_of(widget):
    return next((one for one in (widget, *parents(widget)) if isinstance(one, UNITS)), None)


def lies_over(unit):
    """Return the overlay that a unit is or belongs to, inside which the tab key stays; None if there is none."""
    return next((one for one in (unit, *parents(unit)) if floats(one)), None)


def is_helper(widget):
    """Return True if another widget of the same control is reached instead."""
    if isinstance(widget, QScrollBar | QHeaderView) or is_other_choice(widget):
        return True
    if isinstance(widget, QAbstractSlider):  # a knob's field takes the arrow keys
        return any(isinstance(one, Knob) and any(map(is_stop, one.findChildren(QWidget))) for one in parents(widget))
    if isinstance(widget, QAbstractItemView):  # the palette's field takes them
        return isinstance(widget.parentWidget(), CommandPalette)
    return any(isinstance(one, QLineEdit | QComboBox) for one in parents(widget))


def disorder(stops, around):
    """Report the tab stops in a widget that are not in reading order."""
    lines, placed = [], [(stop, *places_in(stop, around)) for stop in stops]
    for place, (one, area, inside, outside) in enumerate(placed):
        for after, its_area, its_inside, its_outside in placed[place + 1 :]:
            first, then = (inside, its_inside) if area is its_area else (outside, its_outside)
            column = then.left() > first.right()
            above = then.bottom() <= first.top() and not column
            shared = min(first.bottom(), then.bottom()) - max(first.top(), then.top())
            beside = shared > min(first.height(), then.height()) / 2 and then.right() <= first.left()
            if above or beside:
                lines.append(f"{words_of(after)} {box(then)} comes after {words_of(one)} {box(first)}")
    return lines


def places_in(widget, around):
    """Return the scroll area of a widget, its position within the content, and its position for everything else."""
    area = None
    for up in parents(widget):
        if up is around:
            break
        if isinstance(up, QAbstractScrollArea):
            area = up
    inside, outside = (QRect(one.mapTo(around, QPoint(0, 0)), one.size()) for one in (widget, area or widget))
    return area, inside, outside


NO_CHARTS = {
    "ChoiceBox": "a control",
    "CheckBox": "a control",
    "GroupHead": "a control",
    "WayBack": "a control",
    "Caption": "the name of a setting",
    "SplitterHandle": "the mark of a border with the focus",
    "MarkableRow": "the bar at a marked row of a setting",
    "_Head": "the names of columns",
    "TableHead": "the names of columns",
    "DockBorder": "the mark of a border with the focus",
    "Picture": "the picture of a card of Home",
    "RunTile": "the thumbnail of a curve in a button, whose name has the last loss",
    "RecipeTile": "the thumbnail of a curve in a button, whose name says what it shows",
    "Pointer": "a panel of the tour",
    "TargetFrame": "a frame of the tour",
    "QrView": "the picture of a link, which stands beside it",
    "Legend": "the colours of a map",
    "SurprisalLegend": "the colours of a text",
    "_Heads": "thumbnails to pick the map beside them",
    "_Grid": "thumbnails to pick the map beside them",
    "_Tokens": "a text in the colours of the map beside it",
    "NextTokens": "a list that is read row by row",
    "StagesFigure": "a list that is read row by row",
    "DrawLine": "a draw that the sentence below it says",
    "TokenBoundaries": "a text that is read token by token",
    "TokenText": "a text that is read token by token",
}
"""What paints itself without being a chart or a map, and why, by the class that paints."""


def wordless(sight):
    """Report charts and maps that show something without a sentence in words and a table of it."""
    lines = []
    for widget in filter(is_chart, sight.widgets):
        export = widget.exported() if isinstance(widget, FigureView) else None
        if not isinstance(widget, FigureView):
            lines.append(f"{words_of(widget)} can be exported neither as words nor as a table")
        elif export is not None and not widget.sentence():
            lines.append(f"{words_of(widget)} has no words")
        elif export is not None and not FigureTable(export.figure).rows:
            lines.append(f"{words_of(widget)} has an empty table")
    return lines


def is_chart(widget):
    """Return True if a widget paints itself and is not known to paint something else than data."""
    painters = [kind for kind in type(widget).__mro__ if "paintEvent" in vars(kind) and not_of_qt(kind)]
    return bool(painters) and not any(kind.__name__ in NO_CHARTS for kind in painters)


def not_of_qt(kind):
    return kind.__module__.partition(".")[0] not in ("PySide6", "shiboken6", "pyqtgraph")


def unseen_focus(window, inside=None):
    """Report tab stops that look the same with and without the focus that the tab key gives; one of each kind.

    Those in `inside` alone, if it is given, such as an overlay; see `unseen_focus_of` for itself.
    """
    lines, known = [], set()
    rest = window.centralWidget() if inside is None else inside  # some overlays close when the focus leaves them
    for stop in stops_in(window):
        if not isValid(stop):  # a list selects a row when it gets the focus, which replaces the page beside it
            continue
        kind = (type(stop), stop.property("role"), stop.isEnabled())
        if kind in known or not stop.isVisible():
            continue
        if inside is not None and (stop is inside or not inside.isAncestorOf(stop)):
            continue
        for area in (one for one in parents(stop) if isinstance(one, QScrollArea)):
            area.ensureWidgetVisible(stop)
        if area_around(window, stop).isEmpty() or stop.visibleRegion().isEmpty():
            continue
        known.add(kind)
        stop.setFocus(Qt.FocusReason.TabFocusReason)
        QApplication.processEvents()
        with_focus = points_of(window, stop)
        rest.setFocus(Qt.FocusReason.OtherFocusReason)
        QApplication.processEvents()
        if not differ(with_focus, points_of(window, stop)):
            lines.append(f"{words_of(stop)} shows no focus")
    return lines


def unseen_focus_of(window, overlay):
    """Report an overlay that looks the same with and without the focus; one of itself, not of what is in it."""
    overlay.setFocus(Qt.FocusReason.OtherFocusReason)
    QApplication.processEvents()
    with_focus = points_of(window, overlay)
    others = (stop for stop in stops_in(window) if stop is not overlay and overlay.isAncestorOf(stop))
    next((stop for stop in others if stop.isVisible()), window.centralWidget()).setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    edge = np.ones(with_focus.shape[:2], bool)
    edge[8:-8, 8:-8] = False
    without = points_of(window, overlay)
    return [] if differ(with_focus[edge], without[edge]) else [f"{words_of(overlay)} shows no focus of its own"]


def differ(one, other):
    """Return True if enough points of two pictures differ visibly."""
    return (np.abs(one.astype(int) - other).max(axis=-1) >= VISIBLE).sum() >= FEWEST_POINTS / 4


def area_around(window, widget):
    area = QRect(widget.mapTo(window, QPoint(0, 0)), widget.size()).adjusted(-4, -4, 4, 4)
    return area.intersected(window.rect())


def points_of(window, widget):
    """Return the points of a widget and of what is just around it, as Sight does."""
    image = window.grab(area_around(window, widget)).toImage().convertToFormat(QImage.Format.Format_RGB32)
    points = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    return points[:, : image.width(), 2::-1].copy()


CHECKS = {
    "nothing needs a larger window": window_too_large,
    "nothing sticks out of its place": sticking_out,
    "no text is cut": cut_texts,
    "no siblings overlap": overlapping,
    "text stands out from its ground": pale_texts,
    "nothing keeps the other theme": left_in_the_other_theme,
    "no card is blank": blank_cards,
    "everything has an accessible name": nameless,
    "the tab key goes in reading order": out_of_order,
    "charts and maps say what they show": wordless,
}
"""What is checked, by its words."""
