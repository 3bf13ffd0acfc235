"""Every pair of colours in the style sheet has enough contrast in every theme, and so has every colour of a run."""

import gc
import re
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt

from lab.widgets.core.style_sheet import TEMPLATE
from lab.widgets.core.theme import DARK, THEMES, contrast, mixed, system_hints, theme_of, themes

READABLE, SEEN, STRONG = 4.5, 3.0, 7.0
COLOURED, BRIGHT = 45, 5.0
"""The least difference of the channels of a colour that is not grey, and the least contrast of a bright line."""
GROUNDS = ("ground", "panel", "card")
"""What text without a background of its own stands on."""
RULES = re.findall(r"([^{}]+)\{([^{}]*)\}", TEMPLATE)


@pytest.fixture(params=THEMES, ids=lambda theme: theme.name)
def colours(request):
    """Return the colours of a theme by name."""
    theme = request.param
    return {**asdict(theme), "over": mixed(theme.accent, theme.text, 0.85)}


def named(declarations, what):
    """Return the name of the colour that some declarations give to something."""
    found = re.search(rf"(?<![-\w]){what}:[^;]*\$(\w+)", declarations)
    return found and found.group(1)


def pairs_of_text():
    """Yield (selector, front, back, least contrast) of all text that the sheet colours."""
    for selector, declarations in RULES:
        front, back = named(declarations, "color"), named(declarations, "background")
        least = SEEN if ":disabled" in selector else READABLE
        if front is not None:
            for ground in [back] if back is not None else GROUNDS:
                yield " ".join(selector.split()), front, ground, least
        if named(declarations, "selection-background-color"):
            yield (
                selector,
                named(declarations, "selection-color"),
                named(declarations, "selection-background-color"),
                least,
            )


def pairs_of_borders():
    """Yield (selector, border) of widgets recognised by their border: fields, focused and invalid ones."""
    for selector, declarations in RULES:
        border = named(declarations, "border") or named(declarations, "border-color")
        if border not in (None, "line") and ":disabled" not in selector:
            yield " ".join(selector.split()), border


def test_the_sheet_is_understood():
    assert len(list(pairs_of_text())) > 60
    assert len(list(pairs_of_borders())) > 10
    assert ('QLabel[role="dim"]', "dim", "panel", READABLE) in list(pairs_of_text())


def test_text_is_readable_on_its_background(colours):
    pale = [
        f"{selector}: {front} on {back} {contrast(colours[front], colours[back]):.2f}"
        for selector, front, back, least in pairs_of_text()
        if contrast(colours[front], colours[back]) < least
    ]
    assert not pale, "\n".join(pale)


def test_text_is_readable_on_hovered_rows(colours):
    assert contrast(colours["text"], colours["line"]) >= READABLE
    assert contrast(colours["text"], colours["card"]) >= READABLE
    assert contrast(colours["dim"], colours["card"]) >= READABLE


def test_borders_of_fields_are_visible_on_every_background(colours):
    faint = [
        f"{selector}: {border} on {ground} {contrast(colours[border], colours[ground]):.2f}"
        for selector, border in pairs_of_borders()
        for ground in GROUNDS
        if 'role="primary"' not in selector and contrast(colours[border], colours[ground]) < SEEN
    ]
    assert not faint, "\n".join(faint)


def test_the_line_of_every_run_is_visible_on_a_card(colours):
    assert [run for run in colours["runs"] if contrast(run, colours["panel"]) < SEEN] == []


def test_the_colour_of_every_run_is_coloured(colours):
    channels = {run: [int(run[at : at + 2], 16) for at in (1, 3, 5)] for run in colours["runs"]}
    assert [run for run, found in channels.items() if max(found) - min(found) < COLOURED] == []


def test_no_line_is_dim_on_the_black_of_high_contrast():
    black = next(theme for theme in THEMES if theme.name == "contrast dark")
    assert [run for run in black.runs if contrast(run, black.card) < BRIGHT] == []


def test_every_theme_has_as_many_colours_of_runs_and_no_two_alike():
    assert {len(theme.runs) for theme in THEMES} == {len(set(theme.runs)) for theme in THEMES} == {len(DARK.runs)}


@pytest.mark.parametrize("theme", [theme for theme in THEMES if theme.is_high_contrast], ids=lambda theme: theme.name)
def test_high_contrast_means_strong_text_visible_hairlines_and_no_faint_lines(theme):
    for ground in (getattr(theme, name) for name in GROUNDS):
        texts = (theme.text, theme.dim, theme.accent, theme.good, theme.warn, theme.bad)
        assert min(contrast(text, ground) for text in texts) >= STRONG
        assert contrast(theme.line, ground) >= SEEN
        assert min(contrast(mixed(run, ground, theme.faint), ground) for run in theme.runs) >= SEEN


@pytest.mark.parametrize(("light", "more", "expected"), [
    (False, False, "dark"), (True, False, "light"), (False, True, "contrast dark"), (True, True, "contrast light"),
])  # fmt: skip
def test_the_theme_of_the_system_follows_its_scheme_and_its_contrast(monkeypatch, light, more, expected):
    preference = Qt.ContrastPreference.HighContrast if more else Qt.ContrastPreference.NoPreference
    scheme = Qt.ColorScheme.Light if light else Qt.ColorScheme.Dark
    hints = SimpleNamespace(colorScheme=lambda: scheme), SimpleNamespace(contrastPreference=lambda: preference)
    monkeypatch.setattr("lab.widgets.core.theme.system_hints", lambda: hints)
    assert theme_of("system").name == expected
    assert theme_of("contrast").name == f"contrast {'light' if light else 'dark'}"
    assert theme_of("light").name == "light"


def test_a_change_of_the_system_is_followed_while_the_window_is_open(monkeypatch, dressed_application):
    themes.choose("system")
    monkeypatch.setattr("lab.widgets.core.theme.prefers_high_contrast", lambda: True)
    system_hints()[1].contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert themes.now.is_high_contrast


def test_the_hints_of_the_system_stay_valid_when_they_are_read_again():
    for _ in range(3):
        gc.collect()
        assert system_hints()[1].contrastPreference() in Qt.ContrastPreference
    assert themes.still is (themes.appearance.motion == "reduced")  # Qt 6.10 reports no preference of motion
