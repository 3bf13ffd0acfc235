"""The entries of the palette that are not commands: runs, cards of the draft, choices, settings, recent files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from lab.shell.actions.entry import Entry, Kind
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.runs.formatting import detail_label
from lab.shell.session.session import Session
from lab.widgets.core.controls import MenuButton
from lab.widgets.core.i18n import sort_key, tr, tr_registered


def palette_entries(
    session: Session,
    state: WindowState,
    settings: Callable[[], Iterable[tuple[str, str]]],
    reveal: Callable[[str], object],
    show_run: Callable[[str], object],
) -> list[Entry]:
    """Return the current entries; choices change the draft.

    Args:
        session: The session, which has the runs and opens files.
        state: The stored state of the window, which lists the recent files.
        settings: Returns (path, label) of each setting of the form.
        reveal: Shows the setting at a path.
        show_run: Shows the run with a key.
    """
    runs = [
        Entry(f"run {run.key}", run.name, detail_label(run), partial(show_run, run.key), kind=Kind.RUN)
        for run in session.registry.runs
    ]
    fields = [
        Entry(f"setting {path}", label.replace(".", " · "), path, partial(reveal, path), kind=Kind.SETTING)
        for path, label in settings()
    ]
    files = [
        Entry(f"file {file}", _title(file), file, partial(session.open_path, file), kind=Kind.RECIPE)
        for file in state.recent
    ]
    return runs + _choices(session, reveal) + fields + files


def menu_entries(title: str, menus: Iterable[MenuButton], show: Callable[[], object]) -> list[Entry]:
    """Return an entry for each choice of menus: "Loss · unit: perplexity".

    Args:
        title: The title of what the menus belong to.
        menus: The menus.
        show: Shows what they belong to.
    """

    def pick(menu: MenuButton, value: str) -> None:
        show()
        menu.pick(value)

    return [
        Entry(
            f"menu {title} {menu.name} {value}",
            f"{title} · {menu.name}: {text}",
            tr("selected") if value == menu.value else tr("choice"),
            partial(pick, menu, value),
            menu.hint_of(value),
            Kind.PLACE,
        )
        for menu in menus
        for value, text in menu.choices
    ]


def _choices(session: Session, reveal: Callable[[str], object]) -> list[Entry]:
    """Return an entry for each architecture, corpus and tokenizer, which makes it that of the draft."""
    kinds = (
        ("architecture", "architectures", tr("Use the architecture {title}"), tr("architecture")),
        ("corpus", "corpora", tr("Use the corpus {title}"), tr("corpus")),
        ("tokenizer", "tokenizers", tr("Use the tokenizer {title}"), tr("tokenizer")),
    )
    return [
        Entry(
            f"{field} {name}",
            label.format(title=title),
            detail,
            partial(_use, session, reveal, field, name),
            kind=Kind.RECIPE,
        )
        for field, kind, label, detail in kinds
        for title, name in _titles_of(session, kind)
    ]


def _titles_of(session: Session, kind: str) -> list[tuple[str, str]]:
    """Return the shown title and the name of each card of a kind, sorted by title."""
    cards = session.plugins.cards(kind).items()
    return sorted(((tr_registered(card.title), name) for name, card in cards), key=lambda one: sort_key(one[0]))


def _use(session: Session, reveal: Callable[[str], object], field: str, name: str) -> None:
    """Edit a choice of the draft, and show it; if it is refused, show why."""
    problem = session.draft.edit(f"{field}.name", name)
    if problem is None:
        reveal(field)
    else:
        session.refused.emit(problem)


def _title(file: str) -> str:
    return tr("Open {file}", file=Path(file).name)
