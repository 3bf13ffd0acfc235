"""The opening of what the user selects, drops or pastes: runs, bundles, recipes, texts and links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.recipes import is_link
from lab.runs.records import BUNDLE
from lab.shell.session.draft import Draft
from lab.shell.session.opened_corpus import OpenedCorpus
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.runs.transfers import RunTransfers
from lab.widgets.core.i18n import number_text, tr

LONGEST_PASTE = 2_000_000
"""Most characters of pasted text that a recipe stores; longer text belongs in a file."""


class Opener(QObject):
    """Opens files, texts and links; what may need cards of plugins waits until these are loaded.

    Args:
        draft: The draft, whose corpus a text becomes, and which a recipe replaces.
        registry: Lists runs.
        transfers: Imports bundles.
        corpus: Reads a text.
        parent: Its parent.
    """

    opened = Signal(Path)
    """A file was opened."""
    refused = Signal(object)
    """A Problem of the draft."""
    link_given = Signal(str)
    """A link was dropped, pasted or opened; nothing is done with it before the user agrees."""

    def __init__(
        self, draft: Draft, registry: RunRegistry, transfers: RunTransfers, corpus: OpenedCorpus, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._draft, self._registry, self._transfers, self._corpus = draft, registry, transfers, corpus
        self._waits = True
        self._postponed: list[str] = []  # files and links to open once the plugins are loaded
        transfers.opened.connect(self.opened)

    def begin(self) -> None:
        """Open what waited for the plugins."""
        self.open_paths(self._end_waiting())

    def give_up(self) -> None:
        """Report the files that could not be opened because the lab could not finish loading."""
        for file in self._end_waiting():
            if is_link(file):
                notify("warning", tr("The link was not opened, since the lab could not finish loading"))
            else:
                notify(
                    "warning", tr("{file} was not opened, since the lab could not finish loading", file=Path(file).name)
                )

    def _end_waiting(self) -> list[str]:
        self._waits, postponed, self._postponed = False, self._postponed, []
        return postponed

    def open_paths(self, paths: Sequence[str]) -> None:
        """Open several files; see `open_path`. Of several texts the first becomes the corpus, and that is reported."""
        texts = list(dict.fromkeys(path for path in paths if _is_text(path)))
        for path in paths:
            if path not in texts[1:]:
                self.open_path(path)
        if len(texts) > 1:
            name, remedy = Path(texts[0]).name, tr("Open a folder with all of them to train on them together")
            what = tr("{n} texts were opened, and a model is trained on one: {file} is used", n=len(texts), file=name)
            notify("warning", Problem(what, remedy=remedy))

    def open_path(self, file: str) -> None:
        """Open a file: a recipe becomes the draft, a run or a bundle is listed, anything else becomes the corpus.

        A link is shown, and becomes the draft when the user agrees.
        """
        path = Path(file)
        if is_link(file):
            self._open_link(file)
        elif path.suffix.lower() == BUNDLE:
            self._transfers.take_in(path)
        elif _is_text(file):
            self.open_text(path)
        elif self._waits:
            self._postponed.append(file)  # its recipe may name cards of plugins that are not loaded yet
        else:
            (self._open_run if (path / "run.json").is_file() else self._open_recipe)(path)
            self.opened.emit(path)

    def open_text(self, path: Path, taken: Callable[[], object] | None = None) -> None:
        """Read a text, a document or a folder of texts, and make it the corpus of the draft.

        Args:
            path: The file or folder.
            taken: Called when it is the corpus of the draft, before `opened` is emitted; None for nothing.
        """

        def report_taken() -> None:
            if taken is not None:
                taken()
            self.opened.emit(path)

        self._report(self._corpus.read({"name": "file", "path": str(path)}, path.name, report_taken))

    def paste(self, text: str) -> None:
        """Make pasted or dropped text the corpus of the draft, or show it if it is a link."""
        if is_link(text):
            self._open_link(text)
        elif len(text) > LONGEST_PASTE:
            what = tr("the pasted text has {n} characters", n=number_text(len(text)))
            notify("warning", Problem(what, field="corpus.text", remedy=tr("Save it as a file and drop the file")))
        elif text.strip():
            self._report(self._corpus.read({"name": "text", "text": text}, tr("the pasted text"), lambda: None))
        else:
            notify("info", tr("There is no text to use as the corpus"))

    def _open_link(self, text: str) -> None:
        if self._waits:
            self._postponed.append(text)
        else:
            self.link_given.emit(text)

    def _open_recipe(self, path: Path) -> None:
        problem = self._draft.take_file(path)
        self._report(problem)
        if problem is None:
            notify("info", tr("The configuration is now {file}", file=path.name))

    def _open_run(self, path: Path) -> None:
        try:
            self._registry.open(path)
        except LabError as error:
            notify("error", error.problem)

    def _report(self, problem: Problem | None) -> None:
        if problem is not None:
            self.refused.emit(problem)


def _is_text(file: str) -> bool:
    """Return True if `Opener.open_path` would make a file or folder the corpus."""
    path = Path(file)
    return not (is_link(file) or path.suffix.lower() in (BUNDLE, ".toml") or (path / "run.json").is_file())
