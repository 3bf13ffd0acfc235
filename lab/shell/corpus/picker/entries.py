"""The corpora that can be selected, in groups: own texts, shared ones, others on this machine, downloads, sources."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.base.problems import LabError
from lab.base.system.folders import shared_files
from lab.host import Plugins
from lab.shell.session.draft import Draft
from lab.text.corpora import downloads
from lab.widgets.core.i18n import sort_key, tr, tr_registered

FILE = "file"
"""The card of a file or folder of texts."""
OWN = (FILE, "text")
"""The cards of the user's own texts."""
DATASET = "dataset"
"""The card of datasets, which may be on the Hugging Face hub."""
DOWNLOAD = "download"
"""The card of downloaded texts; each text of the catalogue is a separate entry."""


@dataclass(frozen=True)
class Entry:
    """A corpus that can be selected.

    Args:
        key: Its key in the list.
        title: Its title in the list.
        card: Name of the corpus card.
        settings: The settings that the entry fixes; they are not in the form.
        download: The file that must be downloaded first; None for none.
        shared: The path of a text that an administrator shares; "" for others.
    """

    key: str
    title: str
    card: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    download: downloads.Download | None = None
    shared: str = ""


def groups_of(plugins: Plugins) -> list[tuple[str, list[Entry]]]:
    """Return (title, entries) of each group, for the plugins loaded so far."""
    cards: Mapping[str, Any] = plugins.cards("corpora")
    entries = {name: Entry(name, tr_registered(card.title), name) for name, card in cards.items() if name != DOWNLOAD}
    own = [entries.pop(name) for name in OWN if name in entries]
    by_title = sorted(entries.values(), key=lambda entry: sort_key(entry.title))
    sources = [entry for entry in by_title if cards[entry.card].tests]
    local = [entry for entry in by_title if not cards[entry.card].tests]
    downloadable = [_of_download(one) for one in downloads.catalogue()] if DOWNLOAD in cards else []
    listed = {one.own_path.name for one in downloads.catalogue()}
    shared = [_of_shared(file) for file in shared_files("corpora") if file.name not in listed]
    return [
        (tr("Your text"), own),
        (tr("Shared on this machine"), shared),
        (tr("On this machine"), local),
        (tr("Downloads"), downloadable),
        (tr("Synthetic sources"), sources),
    ]


def key_of(draft: Draft) -> str:
    """Return the key of the entry for the draft's corpus."""
    name = draft.recipe.corpus.name
    path = str(draft.recipe.corpus.settings.get("path", ""))
    if name == FILE and any(path == str(file) for file in shared_files("corpora")):
        return _shared_key(path)
    if name != DOWNLOAD:
        return name
    try:
        return _download_key(str(draft.card("corpus").config.download))
    except LabError:
        return name


def _of_download(download: downloads.Download) -> Entry:
    title = download.title.partition(", by ")[0]
    return Entry(_download_key(download.name), title, DOWNLOAD, {"download": download.name}, download)


def _of_shared(file: Path) -> Entry:
    return Entry(_shared_key(str(file)), file.name, FILE, {"path": str(file)}, shared=str(file))


def _shared_key(path: str) -> str:
    return f"shared {path}"


def _download_key(name: str) -> str:
    return f"{DOWNLOAD} {name}"
