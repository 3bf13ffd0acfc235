"""The export of a run for other programs: the formats, and the function that writes them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lab.base.files.writing import check_output, folder_for, named_by_user, sync_tree, write_atomically
from lab.base.problems import BadInput, LabError
from lab.interop.report.page import write_report
from lab.interop.report.words import ENGLISH, Words
from lab.interop.tables import write_csv, write_parquet
from lab.interop.tensorboard import write_events
from lab.runs import RunFolder
from lab.training.resolution import Cards

Tick = Callable[[float], None]


@dataclass(frozen=True)
class Format:
    """A format in which a run is exported.

    Args:
        name: Its name on the command line.
        suffix: The suffix of its file or folder.
        summary: A description in one sentence.
    """

    name: str
    suffix: str
    summary: str


FORMATS = (
    Format("csv", ".csv", "A table: one row for each step, one column for each series."),
    Format("parquet", ".parquet", "The same table with units, for pandas, Polars or DuckDB."),
    Format("tensorboard", ".tensorboard", "A folder with an event file: all series, and samples as texts."),
    Format("html", ".html", "A page that opens anywhere: curves, samples, readings, recipe."),
)
"""All formats of a run for other programs."""


def export_run(
    run: RunFolder,
    path: Path,
    form: str | None = None,
    *,
    overwrite: bool = False,
    cards: Cards | None = None,
    language: Words = ENGLISH,
    progress: Tick = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Write a run in a format for other programs, completely or not at all.

    A run that is still training is exported up to its last step. Unreadable parts of a run are left out: the page
    lists them, and for TensorBoard a notice does; a table without metrics is refused.

    Args:
        run: The run.
        path: The file, or for TensorBoard the folder. Its parent folders are made.
        form: Name of a format; None for the one with the suffix of `path`.
        overwrite: Whether an existing file or folder may be replaced.
        cards: Source of the defaults of settings; without it the page marks no setting of a card as changed.
        language: The language of the page; tables are always in English.
        progress: Called in this thread with the share that is done, 0 to 1.
        cancelled: Polled regularly; True stops the export.

    Returns:
        The path.

    Raises:
        BadInput: There is no such format, the file exists already, or a library is not installed.
        LabError: The run cannot be read, the export cannot be written, or it was cancelled; no file remains.
    """
    found = _format_of(path, form)
    check_output(path, overwrite=overwrite)

    def tick(share: float) -> None:
        if cancelled():
            raise LabError("the export was cancelled, and nothing was written", field="file", value=str(path))
        progress(share)

    page = functools.partial(write_report, cards=cards, language=language)
    writers: dict[str, Callable[[RunFolder, Path, Tick], None]]
    writers = {"csv": write_csv, "parquet": write_parquet, "tensorboard": write_events, "html": page}

    def write(temporary: Path) -> None:
        writers[found.name](run, temporary, tick)
        _sync(temporary)

    with named_by_user(), folder_for(path.absolute().parent):
        write_atomically(path.absolute(), write, recorded=True)
    return path


def _format_of(path: Path, name: str | None) -> Format:
    if name is None:
        found = [form for form in FORMATS if path.name.lower().endswith(form.suffix)]
        field, value = "file", path.name
        allowed = ", ".join(f"a name that ends with {form.suffix}" for form in FORMATS)
    else:
        found = [form for form in FORMATS if form.name == name]
        field, value, allowed = "form", name, ", ".join(form.name for form in FORMATS)
    if not found:
        raise BadInput("a run cannot be exported in this format", field=field, value=value, allowed=allowed)
    return found[0]


def _sync(made: Path) -> None:
    if made.is_dir():
        sync_tree(made)
    else:
        with made.open("r+b") as handle:  # Windows cannot sync a file that is open for reading only
            os.fsync(handle.fileno())
