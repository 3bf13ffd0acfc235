"""The state that a second start restores: the draft, the selected run, the runs beside it, and the options of cards."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol

from PySide6.QtCore import QObject

from lab.base.files.reading import read_json
from lab.base.files.writing import write_errors_as_problems, write_json
from lab.base.folders import draft_file
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr

LARGEST_DRAFT = 200_000
"""Most characters of a draft in the settings file; one with a longer pasted text is stored in a file of its own."""
IN_FILE = {"file": True}
"""The entry of the settings file for a draft that is stored in a file of its own."""


class Stateful(Protocol):
    """An object with options that are stored."""

    def state_dict(self) -> dict[str, Any]:
        """Return the options, JSON-safe."""

    def load_state_dict(self, state: Mapping[str, Any]) -> object:
        """Restore the options."""


class Restorer(QObject):
    """Stores the state of a session, and restores it at the next start.

    A session that is shown in another window already has its draft and its runs; only the options are restored there.

    Args:
        session: The session.
        state: The stored state of the window.

    Attributes:
        is_restoring: True while the selected run of the last session is being selected.
    """

    def __init__(self, session: Session, state: WindowState) -> None:
        super().__init__(session)
        self._session, self._state = session, state
        self._owners: dict[str, Stateful] = {}
        self._draft: dict[str, Any] = {}
        self.is_restoring = False
        if session.is_started:
            return
        self._draft = _read_draft() if state.draft == IN_FILE else state.draft
        if self._draft and session.draft.load_state_dict(self._draft) is not None:
            session.warm_up.done.connect(self._restore_draft)  # it may name a card of a plugin that loads late
        session.registry.listed.connect(self._restore_runs)

    def add(self, owners: Mapping[str, Stateful]) -> None:
        """Restore the options of cards and panels, and store them from now on."""
        self._owners |= owners
        _restore_options(owners, self._state.options)

    def restore(self, options: Mapping[str, Any]) -> None:
        """Restore the options of all cards and panels from those that `store` put into the state of a window."""
        _restore_options(self._owners, options)

    def store(self) -> None:
        """Put everything into the state of the window."""
        registry, draft = self._session.registry, self._session.draft.state_dict()
        self._state.selected = "" if registry.selected is None else registry.selected.id
        self._state.shown = [run.id for run in registry.pinned if run.id]
        self._state.draft = _store_draft(draft)
        self._state.options = {name: owner.state_dict() for name, owner in self._owners.items()}

    def retire(self) -> None:
        """Forget the cards and panels of the window, which is replaced, and end once nothing is to be restored."""
        self._owners = {}
        if self._session.registry.is_listed and self._session.warm_up.ready:
            self.deleteLater()

    def _restore_draft(self) -> None:
        problem = self._session.draft.load_state_dict(self._draft)
        if problem is not None:
            notify("warning", problem)

    def _restore_runs(self) -> None:
        """Show the runs of the last session and select the one that was selected, unless another one is by now."""
        registry = self._session.registry
        shown = [run for one in self._state.shown if (run := registry.by_id(one)) is not None and not run.shown]
        if shown:
            registry.show([run.key for run in shown], True)
        run = registry.by_id(self._state.selected)
        if run is not None and registry.selected is None:
            self.is_restoring = True
            registry.select(run.key)
            self.is_restoring = False


def _restore_options(owners: Mapping[str, Stateful], options: Mapping[str, Any]) -> None:
    for name, owner in owners.items():
        if name in options:
            owner.load_state_dict(options[name])


def _store_draft(draft: dict[str, Any]) -> dict[str, Any]:
    """Return what the settings file has for a draft; a large draft is written to a file, which is removed otherwise."""
    file, is_large = draft_file(), len(json.dumps(draft)) > LARGEST_DRAFT
    try:
        with write_errors_as_problems(file):
            if is_large:
                file.parent.mkdir(parents=True, exist_ok=True)
                write_json(file, draft)
            else:
                file.unlink(missing_ok=True)
    except LabError as error:
        notify("warning", error.problem)
        return {} if is_large else draft
    return dict(IN_FILE) if is_large else draft


def _read_draft() -> dict[str, Any]:
    """Return the draft that is stored in a file of its own; {} with a notice if it cannot be read."""
    file = draft_file()
    try:
        draft = read_json(file)
    except (OSError, ValueError) as error:
        what = tr("the stored configuration cannot be read: {reason}", reason=error)
        notify("warning", Problem(what, field="window.draft", value=str(file)))
        return {}
    return draft if isinstance(draft, dict) else {}
