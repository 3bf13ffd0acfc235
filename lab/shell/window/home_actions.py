"""The actions of Home: start, compare, open and continue."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.recipes import QUICK_START, quick_start_name, shipped
from lab.runs.records import BUNDLE
from lab.shell.corpus.place import DataPlace
from lab.shell.home.model import COMPARED, recipe_for_text, text_size
from lab.shell.home.place import HomePlace
from lab.shell.home.texts import suggestion
from lab.shell.runs.controller import RunsController
from lab.shell.runtime.file_dialogs import ask_for_files
from lab.shell.session.draft import OWN_TEXT
from lab.shell.session.session import Session
from lab.shell.window.files import Files
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from lab.base.jobs import Job


SIZE = "size of the text"
"""The key of the counting of a text's bytes in the background."""


class PlaceView(Protocol):
    """An object that shows places."""

    def show_place(self, key: str) -> None:
        """Open a place."""


class HomeActions(QObject):
    """Carries out what the user selects in Home.

    Args:
        window: The parent of dialogs.
        view: Shows places.
        session: The session.
        home: The place Home.
        data: The place Data.
        files: Opens files and pretrained models.
        runs: The controller of the runs.
    """

    def __init__(
        self,
        window: QWidget,
        view: PlaceView,
        session: Session,
        home: HomePlace,
        data: DataPlace,
        files: Files,
        runs: RunsController,
    ) -> None:
        super().__init__(window)
        self._window, self._view, self._session = window, view, session
        self._data, self._files, self._runs = data, files, runs
        session.draft.replaced.connect(self._forget_text)
        session.draft.corpus_selected.connect(self._forget_text)
        home.watch_clicked.connect(self.watch)
        home.text_clicked.connect(self.choose_text)
        home.compare_clicked.connect(self.compare)
        home.recipe_clicked.connect(self.use_recipe)
        home.run_clicked.connect(self.open_run)
        home.continued.connect(self.resume)
        home.all_clicked.connect(self.show_all)
        home.file_clicked.connect(files.open)
        home.folder_clicked.connect(files.open_folder)
        home.model_clicked.connect(files.pretrained.ask)

    def watch(self) -> None:
        """Train the quick start, and show it in Train."""
        name = quick_start_name()
        problem = self._session.draft.take(shipped(name), name)
        if problem is None:
            self._session.start()
            self._view.show_place("train")
        else:
            self._session.refused.emit(problem)

    def choose_text(self) -> None:
        """Ask for texts and use them."""
        paths = ask_for_files(self._window)
        if paths:
            self.use_texts(paths)

    def use_texts(self, paths: list[str]) -> None:
        """Read a text, make it the corpus of a recipe whose model has a suitable size, and show it in Data.

        Recipes, runs and bundles among the files are opened as elsewhere; several texts are refused.
        """
        if any(_is_other(Path(path)) for path in paths):
            self._files.open_paths(paths)
        elif len(paths) > 1:
            what = tr("{n} texts were selected, and a model is trained on one", n=len(paths))
            notify("warning", Problem(what, remedy=tr("Select one text, or a folder with all of them")))
        else:
            path = Path(paths[0])
            title, work = tr("Finding the size of the text"), partial(_size, path)
            self._session.background.run(title, work, partial(self._use_text, path), replaces=SIZE)

    def _use_text(self, path: Path, size: int) -> None:
        self._session.opener.open_text(path, partial(self._suit, size))

    def _forget_text(self) -> None:
        """Forget a text whose size is being found, since the draft has another recipe or corpus now."""
        self._session.background.cancel(SIZE)

    def _suit(self, size: int) -> None:
        """Select a recipe that suits a text, now that the text was read and is the corpus of the draft."""
        draft = self._session.draft
        corpus = draft.recipe.corpus.model_dump(exclude_none=True)
        suitable = recipe_for_text(size)
        name = QUICK_START if suitable == shipped(QUICK_START) else OWN_TEXT
        problem = draft.take(suitable.with_values({"corpus": None}, {"corpus": corpus}), name)
        if problem is not None:
            self._session.refused.emit(problem)
            return
        draft.compare_with(shipped(QUICK_START), QUICK_START)  # so that the text counts as a change
        self._data.suggest(draft.recipe, suggestion(suitable, size))

    def compare(self) -> None:
        """Train the compared recipes one after the other, and show both in Train."""
        self._session.start_shipped(COMPARED)
        self._view.show_place("train")

    def use_recipe(self, name: str) -> None:
        """Make a shipped recipe the configuration, and show it in Train."""
        self._view.show_place("train")
        self._session.take_recipe(name)

    def open_run(self, key: str) -> None:
        """Show a run in Train."""
        self._session.registry.select(key)
        self._view.show_place("train")

    def resume(self, key: str) -> None:
        """Show a run in Train, and resume it if it was stopped."""
        if self._session.registry.by_key(key) is None:
            return
        self.open_run(key)
        if self._runs.can("resume"):
            self._runs.resume()

    def show_all(self) -> None:
        """Show the list of runs in Train."""
        self._view.show_place("train")
        self._runs.side.unfold()


def _is_other(path: Path) -> bool:
    """Return True for a recipe, a bundle, a run or a pretrained model."""
    folder = (path / "run.json").is_file() or (path / "config.json").is_file()
    return folder or path.suffix.lower() in (".toml", BUNDLE)


def _size(path: Path, job: Job) -> int:
    return text_size(path, lambda: job.cancelled)
