"""The theme: colours, sizes and fonts of the light and the dark look, and the style sheet made of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from lab.widgets.core.style_sheet import style_sheet

Mode = Literal["system", "light", "dark"]


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, as "#rrggbb".

    Args:
        name: "light" or "dark".
        ground: The background of the window.
        panel: The background of docks and cards.
        card: The background of raised parts of a panel: fields, hovered and selected rows.
        line: Hairlines.
        text: Text.
        dim: Secondary text.
        accent: The main action, and focus.
        on_accent: Text on the accent.
        field: Borders of fields.
        good: A good state; never data.
        warn: A state that needs attention; never data.
        bad: A failed state; never data.
        runs: Colours of runs, in the order of assignment; they differ also for the colour-blind.
    """

    name: str
    ground: str
    panel: str
    card: str
    line: str
    text: str
    dim: str
    accent: str
    on_accent: str
    field: str
    good: str
    warn: str
    bad: str
    runs: tuple[str, ...]


DARK = Theme(
    name="dark", ground="#14161a", panel="#1b1e24", card="#22262e", line="#2d323c", text="#e6e8ec", dim="#98a0ad",
    accent="#4da3ff", on_accent="#0b1220", field="#747c8a", good="#3fbf9b", warn="#f2b84b", bad="#ef6f6c",
    runs=("#4da3ff", "#fcbd3a", "#378266", "#cf82b0", "#7bf7c8", "#8068b4", "#a0a762", "#c0c0f0"),
)  # fmt: skip
LIGHT = Theme(
    name="light", ground="#f4f5f7", panel="#ffffff", card="#f7f8fa", line="#dde1e7", text="#1d2129", dim="#5c6675",
    accent="#0b6bcb", on_accent="#ffffff", field="#858e9d", good="#08785c", warn="#935d00", bad="#c23b38",
    runs=("#0b6bcb", "#b0860d", "#1c4333", "#895a6d", "#2c9f7f", "#5c2e74", "#466a01", "#8e84cb"),
)  # fmt: skip

DASHES: tuple[tuple[float, ...], ...] = ((), (7, 4), (2, 3))
"""Dash patterns that distinguish runs of one colour: solid, dashed, dotted; in pixels of ink and gap."""

STEP = 4
"""The unit of spacing in pixels."""
INSIDE = 12
"""Pixels between a card's edge and its contents."""
BETWEEN = 10
"""Pixels between cards."""
ROW = 32
"""Height of the row of a setting in pixels."""
CONTROL = 24
"""Height of the quiet controls of a card in pixels."""
SIZES = {"number": 28, "title": 15, "text": 13, "note": 12}
"""Font sizes in pixels, by role."""


class Themes(QObject):
    """The theme of the application; widgets that paint themselves read `now` and repaint on `changed`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode: Mode = "system"
        self.now: Theme = DARK

    def start(self, application: QApplication, mode: Mode = "system") -> None:
        """Apply a theme to the application, and follow the system while the mode is "system"."""
        application.setStyle("Fusion")
        application.setFont(interface_font())
        application.styleHints().colorSchemeChanged.connect(self._follow)
        self.choose(mode)

    def choose(self, mode: Mode) -> None:
        """Apply the light or the dark theme, or the system's."""
        self.mode = mode
        if mode != "system":
            theme = DARK if mode == "dark" else LIGHT
        else:
            scheme = QGuiApplication.styleHints().colorScheme()
            theme = LIGHT if scheme == Qt.ColorScheme.Light else DARK
        self._apply(theme)

    @contextmanager
    def undressed(self, application: QApplication) -> Iterator[None]:
        """Switch the style sheet off inside the `with`, as Qt would apply it each time a widget gets a parent."""
        sheet = application.styleSheet()
        application.setStyleSheet("")
        try:
            yield
        finally:
            application.setStyleSheet(sheet)

    def _follow(self) -> None:
        if self.mode == "system":
            self.choose("system")

    def _apply(self, theme: Theme) -> None:
        self.now = theme
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setStyleSheet("")  # a new palette then takes a third of the time, with 750 widgets
            application.setPalette(palette_of(theme))
            over = mixed(theme.accent, theme.text, 0.85)
            application.setStyleSheet(style_sheet({**asdict(theme), "over": over}))
        self.changed.emit()


themes = Themes()
"""The one theme of this process."""


def palette_of(theme: Theme) -> QPalette:
    """Return the theme as Qt's palette, for everything that the style sheet does not cover."""
    palette = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: theme.ground, role.Base: theme.card, role.AlternateBase: theme.panel, role.Button: theme.panel,
        role.WindowText: theme.text, role.Text: theme.text, role.ButtonText: theme.text, role.ToolTipText: theme.text,
        role.ToolTipBase: theme.card, role.PlaceholderText: theme.dim, role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent, role.Link: theme.accent, role.Mid: theme.line, role.Accent: theme.accent,
    }  # fmt: skip
    for which, colour in pairs.items():
        palette.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(theme.dim))
    return palette


def interface_font(role: str = "text") -> QFont:
    """Return the system's interface font in the size of a role (a key of SIZES), with figures of one width."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(SIZES[role])
    if role in ("number", "title"):
        font.setWeight(QFont.Weight.DemiBold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def token_font(role: str = "text") -> QFont:
    """Return the system's monospaced font, for tokens and samples."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(SIZES[role])
    return font


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in _channels(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def mixed(front: str, back: str, share: float) -> str:
    """Return one opaque colour: `share` of the front colour over the back."""
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(_channels(front), _channels(back), strict=True))
    return QColor.fromRgbF(red, green, blue).name()


def _channels(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue, 0 to 1."""
    made = QColor(colour)
    return made.redF(), made.greenF(), made.blueF()
