"""The table of 10,000 runs in Compare: milliseconds of a frame while it scrolls, and of grouping it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from PySide6.QtWidgets import QApplication, QTableView

from lab.shell.compare.many.arms import ArmsTable, Choices
from lab.shell.compare.many.run_figures import BEST, LAST
from lab.shell.compare.many.table_model import ArmsModel
from lab.studies.statistics import RunFigures

RUNS, FRAMES, WIDTHS = 10_000, 200, 10


def arms() -> dict[str, Any]:
    """Measure the table with 10,000 runs.

    Returns:
        The number of runs, the median and the 99th percentile of milliseconds from a scroll to the painted frame,
        milliseconds until all runs are shown, and until they are shown in groups.
    """
    app = QApplication.instance() or QApplication([])
    table, model, view = ArmsTable(), ArmsModel(), QTableView()
    table.set_runs([_run(number) for number in range(RUNS)])
    view.setModel(model)
    view.verticalHeader().setDefaultSectionSize(26)
    view.resize(1000, 700)
    view.show()
    app.processEvents()
    spent = {}
    for name, choices in (("show_ms", Choices()), ("group_ms", Choices(by="architecture.width"))):
        started = time.perf_counter()
        table.choices = choices
        model.set_rows(*table.table())
        view.repaint()
        spent[name] = 1000 * (time.perf_counter() - started)
    table.choices = Choices()
    model.set_rows(*table.table())
    frames = []
    for position in np.linspace(0, view.verticalScrollBar().maximum(), FRAMES).astype(int).tolist():
        started = time.perf_counter()
        view.verticalScrollBar().setValue(position)
        view.viewport().repaint()
        frames.append(1000 * (time.perf_counter() - started))
    view.close()
    view.deleteLater()
    return {
        "table_runs": RUNS,
        "frame_ms": float(np.median(frames)),
        "frame_ms_p99": float(np.percentile(frames, 99)),
        **spent,
    }


def _run(number: int) -> RunFigures:
    width = 16 * (1 + number % WIDTHS)
    values = {LAST: 2 + 10 / width, BEST: 1.9, "parameters": float(width**2), "tokens": 1e6, "seconds": 60.0}
    fields = {"architecture.width": width, "training.seed": number // WIDTHS, "training.batch_size": 8 << number % 3}
    return RunFigures(str(number), f"run {number}", fields, values, number // WIDTHS)
