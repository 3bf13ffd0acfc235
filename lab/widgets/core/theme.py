"""The theme: colours, sizes and fonts of the light, dark and high-contrast looks, and the style sheet made of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAccessibilityHints, QColor, QFont, QFontDatabase, QGuiApplication, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication

from lab.base.system import profile
from lab.widgets.core.appearance import LARGEST, Appearance, Mode, largest_in
from lab.widgets.core.style_sheet import style_sheet


@dataclass(frozen=True)
class Theme:
    """The colours of one theme, as "#rrggbb".

    Args:
        name: "light", "dark", "contrast light" or "contrast dark".
        scheme: "light" or "dark": whether its grounds are light or dark.
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
        faint: Share of the colour in a faint line; the rest is the background.
    """

    name: str
    scheme: Literal["light", "dark"]
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
    faint: float = 0.25

    @property
    def is_high_contrast(self) -> bool:
        """True if every border is as visible as a line, and text has a contrast of 7 to 1."""
        return self.name.startswith("contrast")


DARK = Theme(
    name="dark", scheme="dark",
    ground="#14161a", panel="#1b1e24", card="#22262e", line="#2d323c", text="#e6e8ec", dim="#98a0ad",
    accent="#4da3ff", on_accent="#0b1220", field="#747c8a", good="#3fbf9b", warn="#f2b84b", bad="#ef6f6c",
    runs=("#4da3ff", "#fcbd3a", "#7bf7c8", "#cf82b0", "#378266", "#8068b4", "#a0a762", "#c0c0f0"),
)  # fmt: skip
LIGHT = Theme(
    name="light", scheme="light",
    ground="#f4f5f7", panel="#ffffff", card="#f7f8fa", line="#dde1e7", text="#1d2129", dim="#5c6675",
    accent="#0b6bcb", on_accent="#ffffff", field="#858e9d", good="#08785c", warn="#935d00", bad="#c23b38",
    runs=("#0b6bcb", "#b0860d", "#2c9f7f", "#895a6d", "#3e1ab8", "#5c2e74", "#466a01", "#8e84cb"),
)  # fmt: skip
CONTRAST_DARK = Theme(
    name="contrast dark", scheme="dark", ground="#000000", panel="#000000", card="#0c0c0c", line="#686868",
    text="#ffffff", dim="#d4d4d4", accent="#ffd400", on_accent="#000000", field="#ffffff", good="#5ce6be",
    warn="#ffd866", bad="#ff9d9a", faint=1.0,
    runs=("#4da3ff", "#fcbd3a", "#7bf7c8", "#cf82b0", "#409876", "#8f73c8", "#a0a762", "#c0c0f0"),
)  # fmt: skip
CONTRAST_LIGHT = Theme(
    name="contrast light", scheme="light", ground="#ffffff", panel="#ffffff", card="#ffffff", line="#868686",
    text="#000000", dim="#2b2b2b", accent="#00409c", on_accent="#ffffff", field="#000000", good="#004d3a",
    warn="#5c3a00", bad="#8f1410", runs=LIGHT.runs, faint=1.0,
)  # fmt: skip
THEMES = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT)
"""Every theme."""

DASHES: tuple[tuple[float, ...], ...] = ((), (7, 4), (2, 3), (16, 4))
"""Dash patterns that distinguish runs: solid, dashed, dotted, long dashes; in pixels of ink and gap."""

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
"""Font sizes in pixels, by role, at a size of the type of 100 percent."""
THICK, THICKER = 1.5, 2.0
"""Factors of the widths of lines: in the high-contrast themes, and in projector mode."""
LARGE_TYPE = 1.25
"""The factor of the size of the type above which names may take two lines."""
LINE = 16
"""Height of a line of text in pixels, at a size of the type of 100 percent."""


class Themes(QObject):
    """The theme of the application; widgets that paint themselves read `now` and repaint on `changed`.

    Attributes:
        appearance: What the user selected.
        now: The colours in use.
        scale: The factor of all sizes that belong to type; `px` applies it.
    """

    changed = Signal()
    resized = Signal()
    """The size of the type is changing; emitted before the style sheet changes the fonts of widgets."""

    def __init__(self) -> None:
        super().__init__()
        self.appearance = Appearance()
        self.now: Theme = DARK
        self.scale = 1.0
        self._limit = LARGEST
        self._flash_time = 0
        self._effects: dict[Qt.UIEffect, bool] = {}

    @property
    def mode(self) -> Mode:
        """The selected theme, or "system"."""
        return self.appearance.theme

    @property
    def crowded(self) -> bool:
        """True if the type is so large that a place should show its main view only: projector mode, or a low window."""
        return self.appearance.projector or self.scale > self._limit

    @property
    def thickness(self) -> float:
        """The factor of the widths of lines in charts."""
        return THICKER if self.appearance.projector else THICK if self.now.is_high_contrast else 1.0

    @property
    def dashed(self) -> bool:
        """True if the lines of runs differ by dashes, too, not only by colour."""
        return self.now.is_high_contrast or self.appearance.dashes == "always"

    @property
    def still(self) -> bool:
        """True if nothing should move by itself."""
        motion = self.appearance.motion
        return motion == "reduced" or (motion == "system" and prefers_reduced_motion())

    def start(self, application: QApplication, appearance: Appearance | None = None) -> None:
        """Apply an appearance to the application, and follow the system where it says so."""
        application.setStyle("Fusion")
        hints, accessibility = system_hints()
        hints.colorSchemeChanged.connect(self._follow)
        accessibility.contrastPreferenceChanged.connect(self._follow)
        self._flash_time = hints.cursorFlashTime()
        self._effects = {effect: application.isEffectEnabled(effect) for effect in Qt.UIEffect}
        self.apply(appearance or Appearance())

    def choose(self, mode: Mode) -> None:
        """Apply the light, the dark or the high-contrast theme, or the system's."""
        self.change(theme=mode)

    def change(self, **settings: Any) -> None:
        """Apply the appearance with some other settings.

        Args:
            **settings: Values by the names of `Appearance`'s fields.
        """
        self.apply(self.appearance.model_copy(update=settings))

    def enlarge(self) -> None:
        """Apply the next larger size of type, unless the window is too small for it."""
        self.apply(self.appearance.larger(self._limit))

    def fit(self, width: int, height: int) -> None:
        """Limit the size of the type in projector mode by the size of the window, which decides what is crowded, too.

        Args:
            width: The width of the window in pixels.
            height: Its height in pixels.
        """
        was_crowded, self._limit = self.crowded, largest_in(width, height)
        if self.scale != self.appearance.scale(self._limit):
            self.apply(self.appearance)
        elif self.crowded != was_crowded:
            self.changed.emit()

    def apply(self, appearance: Appearance) -> None:
        """Apply an appearance."""
        self.appearance = appearance
        scale = appearance.scale(self._limit)
        if self.scale != scale:
            self.scale = scale
            self.resized.emit()
        self.now = theme_of(appearance.theme)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.setStyleSheet("")  # a new palette then takes a third of the time, with 750 widgets
            if application.font() != interface_font():
                application.setFont(interface_font())
            application.setPalette(palette_of(self.now))
            self.follow_profile()
            over = mixed(self.now.accent, self.now.text, 0.85)
            application.setStyleSheet(style_sheet({**asdict(self.now), "over": over}, px, control_height))
        self.changed.emit()

    def follow_profile(self) -> None:
        """Stop the blinking of cursors and the effects of menus if the appearance or the profile has none."""
        moves = profile.now().has_effects and not self.still
        QApplication.setCursorFlashTime(self._flash_time if moves else 0)
        for effect, enabled in self._effects.items():
            QApplication.setEffectEnabled(effect, enabled and moves)

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
        """Follow a change of the system; the high-contrast theme also follows its light or dark scheme."""
        if theme_of(self.mode) is not self.now:
            self.apply(self.appearance)


themes = Themes()
"""The one theme of this process."""


def px(pixels: float) -> int:
    """Return a length that belongs to type, such as the height of a row, at the selected size of the type."""
    return round(pixels * themes.scale)


def control_height(pixels: float) -> int:
    """Return the height of a control with one line of text: it grows by as much as the line does."""
    return round(pixels + (themes.scale - 1) * LINE)


@cache
def system_hints() -> tuple[QStyleHints, QAccessibilityHints]:
    """Return Qt's hints about the system; both are held, since PySide6 invalidates the second with the first."""
    hints = QGuiApplication.styleHints()
    return hints, hints.accessibility()


def theme_of(mode: Mode) -> Theme:
    """Return the colours of a selected theme; of "system", those that the system prefers."""
    systems = "light" if system_hints()[0].colorScheme() == Qt.ColorScheme.Light else "dark"
    scheme = mode if mode in ("light", "dark") else systems
    strong = mode == "contrast" or (mode == "system" and prefers_high_contrast())
    return next(theme for theme in THEMES if (theme.scheme, theme.is_high_contrast) == (scheme, strong))


def prefers_high_contrast() -> bool:
    """Return True if the user asked the system for more contrast."""
    return system_hints()[1].contrastPreference() == Qt.ContrastPreference.HighContrast


def prefers_reduced_motion() -> bool:
    """Return True if the user asked the system for less motion, as far as Qt reports it: from 6.12 on."""
    preference = getattr(system_hints()[1], "motionPreference", None)
    return preference is not None and preference().name == "ReducedMotion"


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
    font.setPixelSize(px(SIZES[role]))
    if role in ("number", "title"):
        font.setWeight(QFont.Weight.DemiBold)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def token_font(role: str = "text") -> QFont:
    """Return the system's monospaced font, for tokens and samples."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(px(SIZES[role]))
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
