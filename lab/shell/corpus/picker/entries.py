"""What a corpus can be chosen from, in groups: texts of people, what is at hand, downloads, sources of known truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lab.base.problems import LabError
from lab.host import Plugins
from lab.shell.session.draft import Draft
from lab.text.corpora import downloads
from lab.widgets.core.i18n import tr

OWN = ("file", "text")
"""Cards of what people bring."""
DATASET = "dataset"
"""The card of data sets, which may lie on a hub."""
DOWNLOAD = "download"
"""The card of what was fetched; each text of the list is an entry of its own."""


@dataclass(frozen=True)
class Entry:
    """Something to choose.

    Args:
        key: What it is known by.
        title: As people read it.
        card: Name of the corpus card.
        settings: Those that the entry itself decides; they are not in the form.
        download: What has to be fetched first.
    """

    key: str
    title: str
    card: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    download: downloads.Download | None = None


def groups_of(plugins: Plugins) -> list[tuple[str, list[Entry]]]:
    """The entries that there are now, in groups with a title each."""
    cards: Mapping[str, Any] = plugins.cards("corpora")
    entries = {name: Entry(name, card.title, name) for name, card in cards.items() if name != DOWNLOAD}
    own = [entries.pop(name) for name in OWN if name in entries]
    by_title = sorted(entries.values(), key=lambda entry: entry.title.lower())
    sources = [entry for entry in by_title if cards[entry.card].tests]
    at_hand = [entry for entry in by_title if not cards[entry.card].tests]
    fetched = [_of_download(one) for one in downloads.catalogue()] if DOWNLOAD in cards else []
    return [
        (tr("Text of yours"), own),
        (tr("At hand"), at_hand),
        (tr("Downloads"), fetched),
        (tr("Sources whose truth is known"), sources),
    ]


def key_of(draft: Draft) -> str:
    """The key of the entry that the draft names."""
    name = draft.recipe.corpus.name
    if name != DOWNLOAD:
        return name
    try:
        return _download_key(str(draft.card("corpus").config.download))
    except LabError:
        return name


def _of_download(download: downloads.Download) -> Entry:
    title = download.title.partition(", by ")[0]
    return Entry(_download_key(download.name), title, DOWNLOAD, {"download": download.name}, download)


def _download_key(name: str) -> str:
    return f"{DOWNLOAD} {name}"
