"""Data sets in Hugging Face's format: a local folder or file, or a name on the hub. No code of a data set is run."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lab.api import BadInput, LongText, ModelConfig, Text, setting
from lab.base.extras import need
from lab.base.files.reading import read_bytes
from lab.base.folders import cache_folder
from lab.base.system.policy import policy
from lab.base.system.room import check_room
from lab.text.corpora.files import errors_as_bad_input, text_of
from lab.text.readers.base import Given, Reading
from lab.text.readers.table import suffix_of
from lab.text.readers.tables import arrow_column, cell

_BUILDERS: Mapping[str, tuple[str, dict[str, Any]]] = {
    ".csv": ("csv", {}),
    ".tsv": ("csv", {"sep": "\t"}),
    ".json": ("json", {}),
    ".jsonl": ("json", {}),
    ".ndjson": ("json", {}),
    ".parquet": ("parquet", {}),
    ".arrow": ("arrow", {}),
    ".txt": ("text", {}),
}
"""The library's builder for a single file, and its settings, by file extension."""

HUB_NAME = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)?", re.ASCII)
"""The form of a name on the hub: "owner/name", or just a name."""
SAVED = ("state.json", "dataset_dict.json")  # files that the library writes next to its tables
_CARDS = ("README.md", ".huggingface.yaml")  # files in which a folder assigns its files to splits
_ELSEWHERE = re.compile(r"://|::|(^|[/\\])\.\.([/\\]|$)")
_BATCH = 256  # rows in memory at once
_FIELD = "corpus.path"


class DatasetConfig(ModelConfig):
    """A data set, and the texts of it to read."""

    path: str = setting(
        path=True,
        help="A local folder or file (CSV, JSON, Parquet, Arrow, or saved by the library datasets), or a name on the "
        "Hugging Face hub such as roneneldan/TinyStories, which is downloaded when it is first read.",
        min_length=1,
    )
    subset: str = setting("", help="Its subset, which is also called configuration. Empty: the only one.")
    split: str = setting("", help="Its split. Empty: train, or the only one.")
    column: str = setting(
        "",
        help="The column with the text. Empty: the one called text, content or body, or the only one with text.",
    )
    documents: bool = setting(
        False, help="Treat each row as a document of its own, which ends with an end symbol. Off: one continuous text."
    )


def read_dataset(config: DatasetConfig) -> Text | LongText:
    """Return the texts of a data set, one per row: separated by blank lines, or as documents.

    Raises:
        BadInput: It is not there, cannot be loaded, or has no such subset, split or column; or datasets is missing.
    """
    with errors_as_bad_input(_FIELD, config.path):
        path = Path(config.path).expanduser()
        here = path.exists()
        given = Given(path, _FIELD, config.path, config.column)
        table, split = load_split(given, config.subset, config.split)
        column = arrow_column(given, table.features.arrow_schema)
        table = table.with_format(None).select_columns([column])

        def texts() -> Iterator[str]:
            rows = (text for batch in table.iter(_BATCH) for text in batch[column])
            for number, text in enumerate(rows, 1):
                yield cell(given, text or "", f"row {number}")

        facts = {"reader": "datasets", "split": split, "column": column}
        reading = Reading.of_rows(texts, facts)
        if here:
            return text_of(reading, path.name or path.resolve().name, given, documents=config.documents)
        cache = Path(table.cache_files[0]["filename"]) if table.cache_files else cache_folder()
        elsewhere = Given(cache, _FIELD, config.path, config.column)
        return text_of(reading, config.path, elsewhere, documents=config.documents)


def load_split(given: Given, subset: str, split: str) -> tuple[Any, str]:
    """Return the table of a split of a data set, and the name of the split.

    Args:
        given: Its path or its name on the hub.
        subset: Its subset; "" for the only one.
        split: The split; "" for train, or the only one.

    Raises:
        BadInput: It is not there, cannot be loaded, or has no such subset or split; datasets is missing; or the policy
            of this machine forbids it.
    """
    library = need("datasets", "datasets", "A data set")
    here = given.path.exists()
    if not here and not HUB_NAME.fullmatch(given.value):
        raise given.problem("there is no such file or folder", "Give one, or a name on the hub: owner/name")
    if not here:
        policy().refuse_network(given.field, given.value, "Give a local folder or file")
        check_room()
    library.config.HF_UPDATE_DOWNLOAD_COUNTS = False  # it would report to a server that a local table is read
    library.disable_progress_bars()
    try:
        splits = _load_here(library, given, subset) if here else _load(library, given.value, subset)
    except BadInput:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises many kinds for damaged files and server errors
        why = str(error.__cause__ or error).partition("\n")[0]
        nearer = "Check its files" if here else "Check the network and the name, or give a local folder or file"
        raise given.problem(f"cannot be loaded: {why}", nearer) from None
    selected = split or ("train" if "train" in splits else next(iter(splits)))
    if selected not in splits or (not split and selected != "train" and len(splits) > 1):
        what = "there is no such split" if split else "it has several splits, and none is named"
        raise BadInput(what, field="corpus.split", value=split, allowed=", ".join(splits), remedy="Name one of these")
    return splits[selected], selected


def _load(library: Any, path: str, subset: str, **settings: Any) -> Mapping[str, Any]:
    """Return all splits of a data set; its tables are in the cache folder and mapped into memory."""
    cache = str(cache_folder() / "datasets")
    splits: Mapping[str, Any] = library.load_dataset(path, subset or None, cache_dir=cache, **settings)
    return splits


def _load_here(library: Any, given: Given, subset: str) -> Mapping[str, Any]:
    """Return all splits of a local file or folder; nothing is fetched."""
    path = given.path.resolve()
    if path.is_file():
        if suffix_of(path.name) not in _BUILDERS:
            raise given.problem("is not a table of a known kind", "Choose another file", ", ".join(_BUILDERS))
        builder, settings = _BUILDERS[suffix_of(path.name)]
        return _load(library, builder, subset, data_files=glob.escape(str(path)), **settings)
    if any((path / name).exists() for name in SAVED):
        if subset:
            raise BadInput("it has no subsets", field="corpus.subset", value=subset, remedy="Leave it empty")
        saved = library.load_from_disk(str(path))
        return saved if isinstance(saved, Mapping) else {str(saved.split or "train"): saved}
    _refuse_elsewhere(given, path)
    return _load(library, str(path), subset)


def _refuse_elsewhere(given: Given, folder: Path) -> None:
    """Refuse a folder whose card names files elsewhere, which the library would fetch."""
    yaml = need("yaml", "datasets", "A data set")
    for name in _CARDS:
        if not (folder / name).is_file():
            continue
        try:
            card = read_bytes(folder / name).decode("utf-8", "replace")
        except (OSError, ValueError) as error:
            raise given.problem(f"its {name} cannot be read: {error}", "Take it away, or replace it") from None
        head = re.match(r"\s*---\s*\n(.*?)\n---", card, re.DOTALL)
        try:
            metadata = yaml.safe_load(head[1] if head else "" if name.endswith(".md") else card)
        except (yaml.YAMLError, RecursionError):
            raise given.problem(f"the metadata at the beginning of its {name} is not YAML", "Correct it") from None
        files = metadata.get("configs") if isinstance(metadata, dict) else None
        if any(_ELSEWHERE.search(text) or Path(text).is_absolute() for text in _strings(files)):
            what = f"its {name} names files elsewhere"
            raise given.problem(what, "Take them out of its configs, or choose the files themselves")


def _strings(tree: Any) -> Iterator[str]:
    """Yield all strings of a YAML tree; a node that occurs several times is visited once."""
    waiting, seen = [tree], set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict | list) and id(node) not in seen:
            seen.add(id(node))
            waiting += node.values() if isinstance(node, dict) else node
