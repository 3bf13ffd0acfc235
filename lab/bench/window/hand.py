"""A seeded random hand that does in a window what a user does: it trains, inspects, writes, types and presses."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unittest.mock import patch

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QDesktopServices, QHoverEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from lab.base.run_state import TRAINING
from lab.recipes import Recipe
from lab.shell.plugins.place import PluginsPlace
from lab.shell.window.main_window import Window
from lab.widgets.core.controls import MenuButton

TEXT = "the cat sat on the mat. a dog ran to the hat. no cat sits on a dog.\n" * 60
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "transformer": {"layers": 2, "width": 32, "heads": 2},
    "encoder-decoder": {"layers": 1, "width": 32, "heads": 2},
    "recurrent-encoder-decoder": {"width": 32},
    "encoder": {"layers": 1, "width": 32, "heads": 2},
    "gru": {"width": 32},
    "lstm": {"width": 32},
    "rnn": {"width": 32},
    "mamba": {"layers": 1, "width": 16, "state": 4},
    "s4": {"layers": 1, "width": 16, "state": 8},
    "moe": {"layers": 2, "width": 32, "heads": 2},
    "hybrid": {"layers": 2, "width": 32},
    "deltanet": {"layers": 1, "width": 32, "heads": 2},
    "linear-attention": {"layers": 1, "width": 32, "heads": 2},
    "n-gram": {},
}
"""The architectures that are trained, with settings that keep them small."""
DATA: dict[str, dict[str, Any]] = {
    "encoder-decoder": {"corpus": {"name": "reversal"}, "objective": {"name": "sequence-to-sequence"}},
    "recurrent-encoder-decoder": {"corpus": {"name": "reversal"}, "objective": {"name": "sequence-to-sequence"}},
    "encoder": {"objective": {"name": "masked"}},
}
"""The corpora and objectives of architectures that do not predict the next token of a text."""
STEPS = (60, 400)
"""Fewest and most steps of a training."""
MOST_RUNS = 8
"""Number of runs from which on the oldest ones are deleted."""
MOST_WORKING = 3
"""Most runs that train or are queued."""
WORDS = ("the cat", "a dog ran to the mat. ", "loss", "layers", "8", "0.5", "3", "learning", "ζ ☂ 日本", "name=")
"""What is typed into fields and searched for."""
KEYS = (
    Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left,
    Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return,
)  # fmt: skip
SKIPPED = ("file.quit", "run.checkpoint", "run.beside", "view.sound", "file.pretrained")
"""Commands that end the window, make a noise, start processes, or ask for what a machine may lack."""
TABS = ("choose", "statistics", "tokens", "merges")
"""The tabs of Data."""
SMALLEST, LARGEST = (1100, 640), (1600, 1000)
"""Pixels between which the window is resized."""

W = TypeVar("W", bound=QWidget)


class Action(NamedTuple):
    """What the hand can do.

    Args:
        name: Its name, under which gaps and failures are reported.
        weight: How often it is done, in proportion to the others.
        do: Does it, with the window and a random source; returns what exactly was done, "" if nothing could be.
    """

    name: str
    weight: int
    do: Callable[[Window, random.Random], object]


class Hand:
    """Draws actions and does them. The same seed gives the same actions, however fast the window is.

    Args:
        window: Returns the window, which may be made again.
        seed: The seed.
    """

    def __init__(self, window: Callable[[], Window], seed: int) -> None:
        self._window, self._seed = window, seed
        self._count = 0

    def next(self) -> tuple[Action, random.Random]:
        """Draw an action, and a random source for what it draws itself."""
        draws = random.Random(f"{self._seed} {self._count}")  # actions draw more or less by what is shown
        self._count += 1
        (action,) = draws.choices(ACTIONS, [one.weight for one in ACTIONS])
        return action, draws

    def act(self, announce: Callable[[str], object]) -> str:
        """Do the next action in the window.

        Args:
            announce: Called with the name of the action before it is done.

        Returns:
            The name of the action, and what exactly was done.
        """
        action, draws = self.next()
        announce(action.name)
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()
        done = action.do(self._window(), draws)
        name = f"{action.name}: {done}" if isinstance(done, str) and done else action.name
        announce(name)
        return name


@contextmanager
def answered_dialogs(folder: Path) -> Iterator[None]:
    """Answer the system's dialogs: files are saved in a folder, a text there is opened, and no program is started."""
    text = folder / "text.txt"
    text.write_text(TEXT, encoding="utf-8")

    def saved(_parent: object, _title: str, start: str, *_: object) -> tuple[str, str]:
        return str(folder / Path(start).name), ""

    with (
        patch.object(QFileDialog, "getSaveFileName", saved),
        patch.object(QFileDialog, "getOpenFileName", lambda *_: ("", "")),
        patch.object(QFileDialog, "getOpenFileNames", lambda *_: ([str(text)], "")),
        patch.object(QFileDialog, "getExistingDirectory", lambda *_: ""),
        patch.object(QDesktopServices, "openUrl", lambda _: True),
    ):
        yield


def small_recipe(draws: random.Random, name: str = "") -> Recipe:
    """Return the recipe of a short training of a small model, of any architecture unless one is named."""
    name = name or draws.choice(list(ARCHITECTURES))
    return Recipe().with_values(
        {
            "corpus": {"name": "text", "text": TEXT},
            "tokenizer": {"name": "character"},
            "architecture": {"name": name, **ARCHITECTURES[name]},
            "readings": {"tokens": 24, "moments": 8},
            "training": {
                "steps": draws.randint(*STEPS), "batch_size": 4, "context_length": 32, "threads": 1, "device": "cpu",
                "seed": draws.randint(0, 99), "evaluate_every": 50, "evaluate_tokens": 512, "sample_tokens": 16,
            },
        },
        DATA.get(name, {}),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------------ trainings


def start(window: Window, draws: random.Random) -> str:
    """Draft a small recipe and start it."""
    recipe = small_recipe(draws)
    if len(window.session.registry.working) >= MOST_WORKING or not window.session.take(recipe, "small"):
        return ""
    window.session.start()
    return recipe.architecture.name


def steer(window: Window, draws: random.Random) -> str:
    """Pause, resume, step or stop the selected run."""
    if window.session.state not in TRAINING:
        return ""
    return command(window, draws.choice(("run.toggle", "run.toggle", "run.toggle", "run.step", "run.stop", "run.keep")))


def select(window: Window, draws: random.Random) -> None:
    """Select a run."""
    if runs := window.session.registry.runs:
        window.show_run(draws.choice(runs).key)


def compare(window: Window, draws: random.Random) -> None:
    """Draw another run, or stop drawing it."""
    if runs := window.session.registry.runs:
        run = draws.choice(runs)
        window.session.registry.show(run.key, shown=not run.shown)


def delete(window: Window, draws: random.Random) -> None:
    """Delete the oldest runs where there are too many, and at times empty the bin."""
    session = window.session
    session.transfers.delete([run for run in session.registry.runs[MOST_RUNS:] if not run.works])
    if draws.random() < 0.3:
        session.transfers.empty_bin()


# ----------------------------------------------------------------------------------------------------------- the places


def show_place(window: Window, draws: random.Random) -> str:
    """Open a place, and in Data a tab."""
    key = draws.choice(
        ("home", "data", "train", "inspect", "inspect", "play", "compare", "learn", "plugins", "settings")
    )
    window.show_place(key)
    if key == "data":
        window.data.open_tab(tab := draws.choice(TABS))
        return f"{key}, {tab}"
    return key


def scrub(window: Window, draws: random.Random) -> None:
    """Move along the snapshots of the selected run."""
    window.show_place("inspect")
    slider = window.inspect.panel.timeline.slider
    slider.setValue(draws.randint(0, max(0, slider.maximum())))


def probe(window: Window, draws: random.Random) -> None:
    """Inspect the model on a text."""
    window.show_place("inspect")
    panel = window.inspect.panel
    panel.timeline.now.click()
    if fields := _visible(panel, QPlainTextEdit):
        fields[0].setPlainText(draws.choice(WORDS) * draws.randint(1, 4))
        panel.text_submitted.emit()


def write(window: Window, draws: random.Random) -> None:
    """Let the model of the selected run write, or stop it."""
    window.show_place("play")
    if draws.random() < 0.5:
        window.play.prompt.setPlainText(draws.choice(WORDS))
    window.play.toggle()


# ------------------------------------------------------------------------------------------------ appearance and window


def change_theme(window: Window, draws: random.Random) -> str:
    """Use another theme."""
    return command(window, f"view.{draws.choice(('light', 'dark', 'contrast'))}")


def change_type(window: Window, draws: random.Random) -> str:
    """Use another size of the type, or other lines."""
    return command(
        window, f"view.{draws.choice(('larger', 'smaller', 'normal', 'normal', 'projector', 'motion', 'dashes'))}"
    )


def change_language(window: Window, draws: random.Random) -> str:
    """Use another language, for which the window is made again."""
    return command(window, f"language.{draws.choice(('en', 'de'))}")


def resize(window: Window, draws: random.Random) -> None:
    """Resize the window."""
    (least, low), (most, high) = SMALLEST, LARGEST
    window.resize(draws.randint(least, most), draws.randint(low, high))


# -------------------------------------------------------------------------------------------------- anything else shown


def command(window: Window, key: str) -> str:
    """Trigger a command by its key."""
    action = next(one for one in window.commands.all() if one.command.key == key)
    action.refresh()
    action.trigger()
    return key


def any_command(window: Window, draws: random.Random) -> str:
    """Trigger any command that is enabled."""
    keys = [one.command.key for one in window.commands.all() if one.command.key not in SKIPPED and one.isEnabled()]
    keys = [key for key in keys if not key.startswith(("recipe.", "language."))]
    return command(window, draws.choice(keys))


def press(window: Window, draws: random.Random) -> str:
    """Press a button that is shown; those that open menus are for `pick`."""
    shown = _visible(window, QAbstractButton)
    buttons = [one for one in shown if not (isinstance(one, QPushButton) and one.menu()) and not _is_plugins(one)]
    if not buttons:
        return ""
    button = draws.choice(buttons)
    name = button.text() or button.accessibleName() or type(button).__name__
    button.click()
    return name


def pick(window: Window, draws: random.Random) -> str:
    """Pick a choice of a menu or a list that is shown."""
    boxes = [one for one in (*_visible(window, MenuButton), *_visible(window, QComboBox)) if not _is_plugins(one)]
    if not boxes:
        return ""
    box = draws.choice(boxes)
    name = box.accessibleName()
    if isinstance(box, MenuButton):
        if choices := box.choices:
            box.pick(draws.choice(choices)[0])
    elif isinstance(box, QComboBox) and box.count():
        index = draws.randrange(box.count())
        box.setCurrentIndex(index)
        box.activated.emit(index)
    return name


def type_text(window: Window, draws: random.Random) -> str:
    """Type a text into a field that is shown, and finish the entry."""
    shown: list[QLineEdit | QPlainTextEdit] = [*_visible(window, QLineEdit), *_visible(window, QPlainTextEdit)]
    fields = [one for one in shown if not one.isReadOnly()]
    if not fields:
        return ""
    field = draws.choice(fields)
    name = field.accessibleName()
    field.setFocus()
    field.selectAll()
    for sign in draws.choice(WORDS):
        _send_key(field, Qt.Key.Key_unknown, sign)
    if isinstance(field, QLineEdit) and draws.random() < 0.7:
        _send_key(field, Qt.Key.Key_Return)
    window.finish_entry()
    return name


def press_key(window: Window, draws: random.Random) -> str:
    """Press a key of those that move and close, where the focus is."""
    key = draws.choice(KEYS)
    _send_key(QApplication.focusWidget() or window, key)
    return key.name


def point(window: Window, draws: random.Random) -> str:
    """Move the mouse over what is shown, and there click or turn the wheel."""
    at = QPoint(draws.randrange(window.width()), draws.randrange(window.height()))
    target = window.childAt(at)
    if target is None or isinstance(target, QAbstractButton):
        return ""
    name = type(target).__name__
    here = QPointF(target.mapFrom(window, at))
    there = QPointF(window.mapToGlobal(at))
    none, left, plain = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QHoverEvent(QEvent.Type.HoverMove, here, there, here))
    QApplication.sendEvent(target, QMouseEvent(QEvent.Type.MouseMove, here, there, none, none, plain))
    kind = draws.choice(("hover", "click", "wheel"))
    if kind == "click":
        QApplication.sendEvent(target, QMouseEvent(QEvent.Type.MouseButtonPress, here, there, left, left, plain))
        QApplication.sendEvent(target, QMouseEvent(QEvent.Type.MouseButtonRelease, here, there, left, none, plain))
    elif kind == "wheel":
        turned, phase = QPoint(0, draws.choice((-120, 120))), Qt.ScrollPhase.NoScrollPhase
        QApplication.sendEvent(target, QWheelEvent(here, there, QPoint(), turned, none, plain, phase, False))
    return f"{kind} on {name}"


def open_menu(window: Window, draws: random.Random) -> None:
    """Open the menu of the selected run, or that of all commands; the next action closes it."""
    if draws.random() < 0.5 and window.session.selected is not None:
        window.runs_controller.open_menu(window.commands, window.mapToGlobal(QPoint(100, 100)))
    else:
        menu = next(one for one in window.findChildren(QMenu) if one.actions())
        menu.popup(window.mapToGlobal(QPoint(200, 60)))


def find(window: Window, draws: random.Random) -> str:
    """Search in the palette, and at times carry out what is found first."""
    palette = window.command_palette
    if not palette.isVisible():
        palette.toggle()
    fields = _visible(palette, QLineEdit)
    if not fields:
        return ""
    word = draws.choice(WORDS)
    fields[0].setText(word)
    QApplication.processEvents()
    _send_key(fields[0], Qt.Key.Key_Return if draws.random() < 0.3 else Qt.Key.Key_Escape)
    return word


ACTIONS = (
    Action("start", 32, start),
    Action("steer", 32, steer),
    Action("select", 24, select),
    Action("compare", 16, compare),
    Action("delete", 12, delete),
    Action("place", 56, show_place),
    Action("scrub", 32, scrub),
    Action("probe", 16, probe),
    Action("write", 24, write),
    Action("theme", 8, change_theme),
    Action("type", 8, change_type),
    Action("language", 1, change_language),
    Action("resize", 8, resize),
    Action("command", 32, any_command),
    Action("press", 80, press),
    Action("pick", 32, pick),
    Action("type text", 24, type_text),
    Action("key", 20, press_key),
    Action("point", 48, point),
    Action("menu", 8, open_menu),
    Action("find", 12, find),
)
"""Everything that the hand does."""


def _visible(owner: QWidget, kind: type[W]) -> list[W]:
    """Return the enabled widgets of a class that can be seen."""
    return [one for one in owner.findChildren(kind) if one.isVisible() and one.isEnabled()]


def _is_plugins(widget: QWidget | None) -> bool:
    """Return True in the place where plugins are switched off, without which most other actions are impossible."""
    while widget is not None and not isinstance(widget, PluginsPlace):
        widget = widget.parentWidget()
    return widget is not None


def _send_key(target: QWidget, key: Qt.Key, text: str = "") -> None:
    plain = Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(target, QKeyEvent(kind, key, plain, text))
