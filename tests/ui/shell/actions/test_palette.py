"""The palette finds a command by a few letters, runs it, and restores the focus."""

import gc

import pytest
from PySide6.QtCore import Qt

from lab.shell.actions.entry import Entry, Kind
from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.palette import DETAIL, CommandPalette, matches
from lab.shell.actions.registry import Actions, Command

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def done():
    return []


@pytest.fixture
def window(plain_window):
    return plain_window


@pytest.fixture
def palette(window, done):
    actions = Actions(window)
    for key, title, keys in (
        ("start", "Start new run", "Ctrl+Return"),
        ("pause", "Pause the run", ""),
        ("open", "Open a text", "Ctrl+O"),
        ("theme", "Light theme", ""),
    ):
        actions.add(Command(key, title, CommandGroup.RUN, keys), lambda key=key: done.append(key))
    actions.add(
        Command("never", "Never possible", CommandGroup.RUN), lambda: done.append("never"), enabled=lambda: False
    )
    made = CommandPalette(actions, window)
    actions.add(Command("palette", "Commands", CommandGroup.HELP, "Ctrl+K Ctrl+Shift+P"), made.toggle)
    return made


def titles(palette):
    return [palette.list.item(row).text() for row in range(palette.list.count())]


def test_the_shortcut_opens_and_closes_the_palette(palette, window, qtbot):
    qtbot.keyClick(window.field, Qt.Key.Key_K, CONTROL)
    assert palette.isVisible()
    assert not palette.isWindow()
    assert palette.field.hasFocus()
    assert palette.geometry().center().x() == pytest.approx(window.width() / 2, abs=1)
    qtbot.keyClick(palette.field, Qt.Key.Key_K, CONTROL)
    assert not palette.isVisible()


def test_a_closed_palette_holds_on_to_no_entry(palette):
    palette.add_provider(lambda: [Entry("run one", "A run of yesterday", "", lambda: None, kind=Kind.RUN)])

    def entries():
        return sum(isinstance(one, Entry) and one.key == "run one" for one in gc.get_objects())

    for _ in range(3):
        palette.toggle()
        assert entries() > 0
        palette.toggle()
        gc.collect()
        assert entries() == 0


def test_the_palette_lists_enabled_commands_with_their_shortcuts(palette):
    palette.toggle()
    assert titles(palette) == ["Start new run", "Pause the run", "Open a text", "Light theme", "Commands"]
    assert palette.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole) == "Start new run, Ctrl+Return"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("run start", ["Start new run"]),
        ("snr", ["Start new run"]),
        ("run", ["Start new run", "Pause the run", "Light theme"]),
        ("LIGHT", ["Light theme"]),
        ("tart", []),
    ],
)
def test_words_are_found_by_their_beginnings_in_any_order(palette, qtbot, typed, found):
    palette.toggle()
    qtbot.keyClicks(palette.field, typed)
    assert titles(palette) == found


@pytest.mark.parametrize(
    ("letters", "along"),
    [("sr", True), ("stru", True), ("startrun", True), ("rs", False), ("ru", True), ("srx", False), ("", True)],
)
def test_letters_match_beginnings_of_consecutive_words(letters, along):
    assert matches(letters, ["start", "run"]) is along


def test_better_matches_come_first_and_equal_ones_in_the_order_of_their_kinds(palette, qtbot):
    entries = [
        Entry(f"{kind.name} {title}", f"{title} {kind.name}", "", lambda: None, kind=kind)
        for kind in reversed(Kind)
        for title in ("Mamba", "Use the mamba")
    ]
    palette.add_provider(lambda: entries)
    palette.toggle()
    qtbot.keyClicks(palette.field, "mamba")
    assert titles(palette) == [f"{title} {kind.name}" for title in ("Mamba", "Use the mamba") for kind in Kind]
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    palette.toggle()
    qtbot.keyClicks(palette.field, "mamba")
    assert titles(palette)[0] == "Mamba COMMAND"
    assert titles(palette)[len(Kind)] == "Use the mamba RUN"  # a recent one leads those that match as well


def test_entries_that_only_their_sentences_match_come_last_with_the_sentence(palette, qtbot):
    terms = "It counts heads. Loss is low, early stops are rare."
    palette.add_provider(
        lambda: [Entry("far", "Far", "", lambda: None, terms), Entry("near", "Early", "", lambda: None)]
    )
    palette.toggle()
    qtbot.keyClicks(palette.field, "early")
    assert titles(palette) == ["Early", "Far"]
    assert palette.list.item(1).data(DETAIL) == "… early stops are rare."


def test_enter_runs_the_selected_entry_and_restores_the_focus(palette, window, done, qtbot):
    palette.toggle()
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Down)
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == ["pause"]
    assert not palette.isVisible()
    assert window.field.hasFocus()


def test_up_from_the_first_goes_to_the_last(palette, qtbot):
    palette.toggle()
    qtbot.keyClick(palette.field, Qt.Key.Key_Up)
    assert palette.list.currentItem().text() == "Commands"


def test_a_click_runs_an_entry(palette, done, qtbot):
    palette.toggle()
    place = palette.list.visualItemRect(palette.list.item(2)).center()
    qtbot.mouseClick(palette.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert done == ["open"]


def test_escape_closes_the_palette_before_the_windows_own_escape(palette, window, done, qtbot):
    palette._actions.add(Command("stop", "Stop", CommandGroup.RUN, "Esc"), lambda: done.append("stop"))
    palette.toggle()
    qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window.field.hasFocus()
    assert done == []
    qtbot.keyClick(window.field, Qt.Key.Key_Escape)
    assert done == ["stop"]


def test_a_click_elsewhere_closes_the_palette(palette, window, qtbot):
    palette.toggle()
    qtbot.mouseClick(window.field, Qt.MouseButton.LeftButton, pos=window.field.rect().bottomLeft())
    window.field.setFocus()
    assert not palette.isVisible()


def test_recently_used_entries_come_first(palette, qtbot):
    for title in ("theme", "open"):
        palette.toggle()
        qtbot.keyClicks(palette.field, title)
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    palette.toggle()
    assert titles(palette)[:2] == ["Open a text", "Light theme"]


def test_entries_with_equal_titles_are_both_listed(palette, done, qtbot):
    palette.add_provider(lambda: [Entry(f"run {n}", "twin", str(n), lambda n=n: done.append(n)) for n in (1, 2)])
    for moves in (1, 0):
        palette.toggle()
        qtbot.keyClicks(palette.field, "twin")
        for _ in range(moves):
            qtbot.keyClick(palette.field, Qt.Key.Key_Down)
        qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == [2, 2]  # the second one was used last, so it stands first


def test_providers_are_called_each_time_the_palette_opens(palette, done, qtbot):
    runs = []
    palette.add_provider(
        lambda: [Entry(f"run {name}", name, "run", lambda name=name: done.append(name)) for name in runs]
    )
    palette.toggle()
    assert "rope" not in titles(palette)
    palette.toggle()
    runs.append("rope, 4 layers")
    palette.toggle()
    qtbot.keyClicks(palette.field, "rope")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert done == ["rope, 4 layers"]


def test_a_message_is_shown_when_nothing_is_found(palette, qtbot):
    palette.toggle()
    qtbot.keyClicks(palette.field, "xyz")
    assert titles(palette) == []
    assert palette._nothing.isVisible()
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert palette.isVisible()


def test_the_palette_stays_inside_a_small_window(palette, window):
    palette.toggle()
    window.resize(500, 400)
    assert palette.geometry().left() >= 0
    assert palette.geometry().right() < 500
