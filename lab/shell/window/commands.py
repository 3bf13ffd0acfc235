"""Every command of the window, in the order of its menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lab.recipes import shipped_titles
from lab.shell.actions.registry import Actions, Command
from lab.shell.runs.commands import register_run_commands
from lab.shell.session.queue_commands import register_queue_commands
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Mode, themes

if TYPE_CHECKING:
    from lab.shell.window.main_window import Window


def register_commands(actions: Actions, window: Window) -> None:
    """Registers them, bound to a window and its session."""
    session = window.session
    draft = session.draft

    def add(key: str, title: str, group: str, do: object, shortcut: str = "", **more: object) -> None:
        hint, icon = str(more.pop("hint", "")), str(more.pop("icon", ""))
        command = Command(key, title, group, shortcut, hint, icon)
        actions.add(command, do, **more)  # type: ignore[arg-type]

    asks = _Asks(window)
    file, run, edit, view, help_ = tr("File"), tr("Run"), tr("Edit"), tr("View"), tr("Help")
    add("file.open", tr("Open text, recipe or bundle…"), file, window.files.open, "Ctrl+O")
    add("file.folder", tr("Open a folder as corpus…"), file, window.files.open_folder, "Ctrl+Shift+O")
    add("file.paste", tr("Take the clipboard as corpus"), file, window.files.paste_corpus, "Ctrl+Shift+V")
    add("file.pretrained", tr("Open a pretrained model…"), file, window.files.pretrained.ask, enabled=asks.warm)
    add("file.save", tr("Save recipe…"), file, window.files.save_recipe, "Ctrl+S")
    add("file.export", tr("Export chart or map…"), file, window.exports.export_at_hand, "Ctrl+E")
    add("file.quit", tr("Quit"), file, window.close, "Ctrl+Q")

    add("run.toggle", tr("Start, pause or resume"), run, window.start_or_pause, "Space", icon="start")
    add("run.step", tr("Make one step"), run, session.step, ".", enabled=asks.steps, icon="step")
    add("run.stop", tr("Stop and save"), run, session.stop, "Ctrl+.", enabled=asks.stops, icon="stop")
    add("run.new", tr("Start new run"), run, window.start_new, "Ctrl+R")
    add("run.beside", tr("Start in a process of its own"), run, window.start_beside)
    add("run.recipe", tr("Use its recipe as configuration"), run, session.use_recipe, enabled=asks.selected)
    add("run.folder", tr("Open its folder"), run, window.files.show_folder, enabled=asks.has_folder)
    add("run.generate", tr("Generate text"), run, window.generate, "Ctrl+Return")
    add("run.escape", tr("Stop writing"), run, window.escape, "Esc", enabled=asks.escapes)

    register_run_commands(actions, window.desk)
    register_queue_commands(actions, window.session.queue_commands)

    add("edit.undo", tr("Undo"), edit, draft.undo, "Ctrl+Z", enabled=asks.undoes)
    add("edit.redo", tr("Redo"), edit, draft.redo, "Ctrl+Shift+Z", enabled=asks.redoes)

    for number, (key, title) in enumerate((("train", "Train"), ("inspect", "Inspect"), ("play", "Play")), start=1):
        choice = _Place(window, key)
        add(f"view.{key}", tr(title), view, choice.open, f"Ctrl+{number}", checked=choice.is_open)
    add("corpus.look", tr("Look at the corpus"), view, window.text_page.toggle, "Ctrl+Shift+T")
    add("view.log", tr("Log"), view, asks.toggle_log, "Ctrl+L", checked=asks.log_shown)
    add("view.palette", tr("Find a command, run or setting…"), view, window.palette_.toggle, "Ctrl+K Ctrl+Shift+P")
    modes: tuple[tuple[Mode, str], ...] = (("system", "Theme of the system"), ("light", "Light"), ("dark", "Dark"))
    for mode, title in modes:
        theme = _Theme(window, mode)
        add(f"view.{mode}", tr(title), view, theme.choose, checked=theme.is_worn)

    for name, title in shipped_titles().items():
        recipe = _Recipe(window, name)
        add(f"recipe.{name}", title, tr("Recipes"), recipe.take, enabled=asks.warm)

    add("help.shortcuts", tr("Keyboard shortcuts"), help_, window.shortcuts.toggle, "Ctrl+/")
    add("help.index", tr("Help: index and search"), help_, window.help.show_index, "F1")
    for key, page, title in (
        ("users", "using/first-steps", "First steps"),
        ("settings", "settings/training", "All settings"),
        ("plugins", "plugins/first-plugin", "Writing plugins"),
        ("internals", "developers/rooms", "Working on the lab"),
    ):
        add(f"help.{key}", tr(title), help_, partial(window.help.show_page, page))
    window.palette_.add_provider(window.help.entries)


class _Asks:
    """What can be done now."""

    def __init__(self, window: Window) -> None:
        self._window, self._session = window, window.session

    def warm(self) -> bool:
        """Whether all cards are there that a recipe may name."""
        return self._session.warm_up.ready

    def steps(self) -> bool:
        """Whether the selected run can make a step."""
        return self._session.state in ("running", "paused")

    def stops(self) -> bool:
        """Whether there is something to stop."""
        return self._session.waiting or self._session.state in ("running", "paused", "preparing", "queued")

    def selected(self) -> bool:
        """Whether a run is selected."""
        return self._session.selected is not None

    def has_folder(self) -> bool:
        """Whether the selected run has a folder."""
        return self._session.selected is not None and self._session.selected.path is not None

    def escapes(self) -> bool:
        """Whether Esc has something to end."""
        return self._window.play.writing or self._window.runs_side.open_over

    def undoes(self) -> bool:
        """Whether there is an edit to undo."""
        return self._session.draft.can_undo

    def redoes(self) -> bool:
        """Whether there is an undone edit."""
        return self._session.draft.can_redo

    def log_shown(self) -> bool:
        """Whether the log is open."""
        return self._window.docks["log"].isVisible()

    def toggle_log(self) -> None:
        """Opens or closes the log."""
        self._window.show_log(not self.log_shown())


class _Recipe:
    """One recipe of the lab, to be the configuration."""

    def __init__(self, window: Window, name: str) -> None:
        self._window, self._name = window, name

    def take(self) -> None:
        """Makes it the configuration."""
        self._window.session.take_recipe(self._name)


class _Place:
    """One place, to be opened."""

    def __init__(self, window: Window, key: str) -> None:
        self._window, self._key = window, key

    def open(self) -> None:
        """Opens it."""
        self._window.show_place(self._key)

    def is_open(self) -> bool:
        """Whether it is open."""
        return self._window.place == self._key


class _Theme:
    """One theme, to be worn."""

    def __init__(self, window: Window, mode: Mode) -> None:
        self._window, self._mode = window, mode

    def choose(self) -> None:
        """Wears it."""
        self._window.choose_theme(self._mode)

    def is_worn(self) -> bool:
        """Whether it is worn."""
        return themes.mode == self._mode
