"""The commands of the window, with one function for each submenu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, get_args

from lab.base.run_state import TRAINING, RunState
from lab.base.system.folders import shared_files
from lab.base.system.policy import policy
from lab.recipes import QUICK_START, gallery
from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.classroom.commands import register_file_commands_of_class
from lab.shell.classroom.controller import ClassController
from lab.shell.inspect.cards import InspectCards
from lab.shell.links.commands import register_file_links
from lab.shell.links.controller import LinksController
from lab.shell.runtime.export_files import ExportFiles
from lab.shell.runtime.window_state import Language, WindowState
from lab.shell.session.draft import Draft
from lab.shell.session.session import Session
from lab.shell.window.files import Files
from lab.widgets.core.i18n import LANGUAGES, sort_key, tr, tr_registered

PAGES = (
    ("users", "using/first-steps", "First steps"),
    ("settings", "settings/training", "All settings"),
    ("plugins", "plugins/first-plugin", "Writing plugins"),
    ("internals", "developers/rooms", "Working on the lab"),
    ("about", "about", "About LM Lab"),
)
"""Pages of the help that the Help menu opens: key, page, title."""


class Starter(Protocol):
    """An object that starts runs of the draft, unless an entry of its form is invalid."""

    def start_or_pause(self) -> None:
        """Pause or resume the selected run, or start a run of the draft if that is not possible."""

    def start_new(self) -> None:
        """Start a run of the draft, or queue it while another one trains."""

    def start_in_process(self) -> None:
        """Start a run of the draft at once, in a process of its own."""


class Writer(Protocol):
    """An object that generates text, and reacts to Esc."""

    def generate(self) -> None:
        """Open Play and generate text."""

    def escape(self) -> None:
        """Close the list of runs over the centre, or stop generating."""

    def can_escape(self) -> bool:
        """Return True if `escape` has something to close or stop."""


class Speaker(Protocol):
    """An object that shows its texts in a language."""

    def choose_language(self, setting: Language) -> None:
        """Use a language."""


class View(Protocol):
    """An object that shows a place, the drawing of the model, and the log."""

    place: str

    def show_place(self, key: str) -> None:
        """Open a place."""

    def is_model_open(self) -> bool:
        """Return True if the drawing of the model is shown."""

    def toggle_model(self) -> None:
        """Show the drawing of the model, or the charts if it is shown."""

    def show_equations(self) -> None:
        """Show the equations of the architecture over the drawing of its model."""

    def is_log_open(self) -> bool:
        """Return True if the log is open."""

    def show_log(self, shown: bool) -> None:
        """Open or close the log."""

    def is_panel_open(self) -> bool:
        """Return True if the panel at the right is open."""

    def toggle_panel(self) -> None:
        """Open the panel at the right, or fold it away."""


def register_file_commands(
    actions: Actions,
    session: Session,
    files: Files,
    links: LinksController,
    classroom: ClassController,
    exports: ExportFiles,
    close: Callable[[], object],
) -> None:
    """Register the commands of the File menu."""
    add = partial(_add, actions, CommandGroup.FILE)
    add("file.open", tr("Open text, recipe or bundle…"), files.open, "Ctrl+O")
    add("file.folder", tr("Open a folder as corpus…"), files.open_folder, "Ctrl+Shift+O")
    add("file.paste", tr("Use the clipboard as corpus"), files.paste_corpus, "Ctrl+Shift+V")
    add("file.pretrained", tr("Open a pretrained model…"), files.pretrained.ask, enabled=partial(_is_ready, session))
    register_file_links(actions, links, partial(_is_ready, session))
    register_file_commands_of_class(actions, classroom, partial(_is_ready, session))
    add("file.save", tr("Save recipe…"), files.save_recipe, "Ctrl+S")
    add("file.export", tr("Export chart or map…"), exports.export_current, "Ctrl+E")
    add("file.quit", tr("Quit"), close, "Ctrl+Q")


def register_run_commands(
    actions: Actions, session: Session, starter: Starter, writer: Writer, open_folder: Callable[[], object]
) -> None:
    """Register the commands of the Training menu, and the first ones of the menu of the selected run.

    Args:
        actions: The registry.
        session: The session; the commands act on its selected run.
        starter: Starts runs.
        writer: Generates text.
        open_folder: Opens the folder of the selected run.
    """
    add = partial(_add, actions, CommandGroup.TRAINING)

    def can_step() -> bool:
        return session.state in TRAINING

    def can_stop() -> bool:
        return session.waiting or session.state in (*TRAINING, RunState.PREPARING)

    def has_run() -> bool:
        return session.selected is not None

    def has_folder() -> bool:
        return session.selected is not None and session.selected.path is not None

    add("run.toggle", tr("Start, pause or resume"), starter.start_or_pause, "Space", icon="start")
    add("run.step", tr("Train one step"), session.step, ".", enabled=can_step, icon="step")
    add("run.stop", tr("Stop and save"), session.stop, "Ctrl+.", enabled=can_stop, icon="stop")
    add("run.new", tr("Start new run"), starter.start_new, "Ctrl+R")
    add("run.beside", tr("Start in a separate process"), starter.start_in_process)
    add("run.generate", tr("Generate text"), writer.generate, "Ctrl+Return")
    add("run.escape", tr("Stop generating"), writer.escape, "Esc", enabled=writer.can_escape)
    add = partial(_add, actions, CommandGroup.RUN)
    add("run.recipe", tr("Copy its settings into the form"), session.use_recipe, enabled=has_run)
    add("run.folder", tr("Open folder"), open_folder, enabled=has_folder)


def register_edit_commands(actions: Actions, draft: Draft) -> None:
    """Register the commands of the Edit menu."""
    add = partial(_add, actions, CommandGroup.EDIT)
    add("edit.undo", tr("Undo"), draft.undo, "Ctrl+Z", enabled=lambda: draft.can_undo)
    add("edit.redo", tr("Redo"), draft.redo, "Ctrl+Shift+Z", enabled=lambda: draft.can_redo)


def register_view_commands(
    actions: Actions,
    places: Sequence[tuple[str, str]],
    others: Sequence[tuple[str, str, str]],
    view: View,
    toggle_palette: Callable[[], object],
) -> None:
    """Register the commands of the View menu.

    Args:
        actions: The registry.
        places: (key, title) of the places of the top bar, in order.
        others: (key, title, shortcut) of the other places.
        view: Shows places, the drawing of the model, and the log.
        toggle_palette: Opens or closes the palette.
    """
    add = partial(_add, actions, CommandGroup.VIEW)
    numbered = [(key, title, f"Ctrl+{number}") for number, (key, title) in enumerate(places, start=1)]
    for key, title, keys in (*numbered, *others):
        is_open = partial(_is_open, view, key)
        show = partial(view.show_place, key)
        add(f"view.{key}", tr(title), show, keys, checked=is_open, section=tr("Places"))
    add("corpus.look", tr("Browse corpora…"), partial(view.show_place, "data"), "Ctrl+Shift+T")
    add("view.model", tr("Model drawing"), view.toggle_model, "Ctrl+M", checked=view.is_model_open)
    add("view.equations", tr("Equations of the model"), view.show_equations)
    add("view.log", tr("Log"), lambda: view.show_log(not view.is_log_open()), "Ctrl+L", checked=view.is_log_open)
    add("view.panel", tr("Panel at the right"), view.toggle_panel, "Ctrl+Shift+B", checked=view.is_panel_open)
    add("view.palette", tr("Find a command, run or setting…"), toggle_palette, "Ctrl+K Ctrl+Shift+P")


def register_inspect_commands(actions: Actions, view: View, cards: InspectCards) -> None:
    """Register the commands of the cards of Inspect, in the View menu.

    Args:
        actions: The registry.
        view: Shows places.
        cards: The cards.
    """
    is_open = partial(_is_open, view, "inspect")
    _add(
        actions, CommandGroup.VIEW, "view.enlarge", tr("Enlarge a card of Inspect"), cards.toggle_enlarged, "F11",
        enabled=is_open, checked=lambda: cards.is_enlarged,
    )  # fmt: skip


def register_language_commands(actions: Actions, speaker: Speaker, state: WindowState) -> None:
    """Register a command for each language, and one for that of the system.

    Args:
        actions: The registry.
        speaker: Uses a language.
        state: The stored state of the window, with the selected language.
    """
    titles = {"system": tr("Language of the system"), **LANGUAGES}
    for code in get_args(Language):
        choose, checked = partial(speaker.choose_language, code), partial(_is_language, state, code)
        key, enabled = f"language.{code}", _may_choose_language
        _add(actions, CommandGroup.LANGUAGE, key, titles[code], choose, checked=checked, enabled=enabled)


def register_recipe_commands(actions: Actions, session: Session, open_model: Callable[[Path], object]) -> None:
    """Register a command for each recipe of the gallery, in a section for each of its topics, sorted by title.

    The pretrained models that are shared on this machine have the last section.

    Args:
        actions: The registry.
        session: The session, which takes recipes.
        open_model: Shows the pretrained model in a folder.
    """
    found = gallery()
    for topic, heading in found.topics.items():
        entries = [(tr_registered(entry.title), entry) for entry in found.entries if entry.topic == topic]
        for title, entry in sorted(entries, key=lambda one: (one[1].name != QUICK_START, sort_key(one[0]))):
            hint, section = tr_registered(entry.shows), tr_registered(heading)
            command = Command(f"recipe.{entry.name}", title, CommandGroup.RECIPES, hint=hint, section=section)
            actions.add(command, partial(session.take_recipe, entry.name), enabled=partial(_is_ready, session))
    for folder in shared_files("models"):
        section, key = tr("Pretrained models shared on this machine"), f"model.{folder.name}"
        command = Command(key, folder.name, CommandGroup.RECIPES, hint=str(folder), section=section)
        actions.add(command, partial(open_model, folder), enabled=partial(_is_ready, session))


def register_help_commands(
    actions: Actions,
    toggle_shortcuts: Callable[[], object],
    show_index: Callable[[], object],
    show_page: Callable[[str], object],
    start_tour: Callable[[], object],
    check_machine: Callable[[], object],
) -> None:
    """Register the commands of the Help menu."""
    add = partial(_add, actions, CommandGroup.HELP)
    add("help.tour", tr("Take the tour"), start_tour)
    add("help.shortcuts", tr("Keyboard shortcuts"), toggle_shortcuts, "Ctrl+/")
    add("help.index", tr("Help contents and search"), show_index, "F1")
    add("help.doctor", tr("Check this machine…"), check_machine)
    for key, page, title in PAGES:
        add(f"help.{key}", tr(title), partial(show_page, page))


def _add(
    actions: Actions,
    group: CommandGroup,
    key: str,
    title: str,
    do: Callable[[], object],
    shortcut: str = "",
    *,
    icon: str = "",
    enabled: Callable[[], bool] | None = None,
    checked: Callable[[], bool] | None = None,
    section: str = "",
) -> None:
    command = Command(key, title, group, shortcut, icon_name=icon, section=section)
    actions.add(command, do, enabled=enabled, checked=checked)


def _is_ready(session: Session) -> bool:
    """Return True if all cards that a recipe may name are loaded."""
    return session.warm_up.ready


def _is_open(view: View, place: str) -> bool:
    return view.place == place


def _is_language(state: WindowState, code: str) -> bool:
    return state.shown_language == code


def _may_choose_language() -> bool:
    return policy().language is None
