"""A whole run for other programs: the forms there are, and the one way an export is written."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lab.base.problems import BadInput, LabError
from lab.base.writing import make_folder, sync_tree, write_aside
from lab.interop.report.page import write_report
from lab.interop.tables import write_csv, write_parquet
from lab.interop.tensorboard import write_events
from lab.runs import RunFolder
from lab.training.resolution import Cards

Tick = Callable[[float], None]


@dataclass(frozen=True)
class Form:
    """A form in which a run is exported.

    Args:
        name: What people call it on the command line.
        suffix: What the name of its file or folder ends with.
        summary: One sentence on what it is.
    """

    name: str
    suffix: str
    summary: str


FORMS = (
    Form("csv", ".csv", "A table: one row for each step, one column for each series."),
    Form("parquet", ".parquet", "The same table with units, for pandas, Polars or DuckDB."),
    Form("tensorboard", ".tensorboard", "A folder with an event file: all series, and samples as texts."),
    Form("html", ".html", "A page that opens anywhere: curves, samples, readings, recipe."),
)
"""Every form of a run that other programs read."""


def export_run(
    run: RunFolder,
    place: Path,
    form: str | None = None,
    *,
    overwrite: bool = False,
    cards: Cards | None = None,
    progress: Tick = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Path:
    """Writes a run in a form that other programs read: whole, or nothing.

    A run that trains is exported as far as it is. What of a run cannot be read is left out: the page says so itself,
    for TensorBoard a notice does; a table without metrics is refused.

    Args:
        run: The run.
        place: The file, or for TensorBoard the folder; its parent folders are made.
        form: Name of a form; None takes the one of the place's suffix.
        overwrite: Whether what stands there may be replaced.
        cards: Where the defaults of the recipe's settings are found; without, the page marks no setting of a card.
        progress: Called with the share that is done, 0 to 1, in this thread.
        cancelled: Asked now and then whether to stop.

    Returns:
        The place.

    Raises:
        BadInput: There is no such form, something stands at the place, or a library is not installed.
        LabError: The run cannot be read, the export cannot be written, or it was cancelled; nothing is left of it.
    """
    chosen = _form_of(place, form)
    if not overwrite and os.path.lexists(place):
        raise BadInput("something stands there already", field="file", value=str(place), remedy="Choose another name")

    def tick(share: float) -> None:
        if cancelled():
            raise LabError("the export was cancelled, and nothing was written", field="file", value=str(place))
        progress(share)

    page = functools.partial(write_report, cards=cards)
    writers: dict[str, Callable[[RunFolder, Path, Tick], None]]
    writers = {"csv": write_csv, "parquet": write_parquet, "tensorboard": write_events, "html": page}

    def write(aside: Path) -> None:
        writers[chosen.name](run, aside, tick)
        _sync(aside)

    try:
        make_folder(place.absolute().parent)
        write_aside(place.absolute(), write)
    except LabError as error:
        if error.problem.field != "folder":
            raise
        raise type(error)(replace(error.problem, remedy="Free some space there, or choose another place")) from None
    return place


def _form_of(place: Path, name: str | None) -> Form:
    if name is None:
        found = [form for form in FORMS if place.name.lower().endswith(form.suffix)]
        field, value = "file", place.name
        allowed = ", ".join(f"a name that ends with {form.suffix}" for form in FORMS)
    else:
        found = [form for form in FORMS if form.name == name]
        field, value, allowed = "form", name, ", ".join(form.name for form in FORMS)
    if not found:
        raise BadInput("a run has no such form", field=field, value=value, allowed=allowed)
    return found[0]


def _sync(made: Path) -> None:
    if made.is_dir():
        sync_tree(made)
    else:
        with made.open("r+b") as handle:  # Windows syncs nothing that is open to be read only
            os.fsync(handle.fileno())
