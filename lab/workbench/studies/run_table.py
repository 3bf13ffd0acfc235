"""The finished runs of a study as a table, which `lm-lab scaling fit` and every spreadsheet read."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Mapping

from lab.base import LabError
from lab.base.units import finite
from lab.runs import RunFolder
from lab.runs.metrics.clocks import flops_per_token
from lab.workbench.studies.conclusions import Conclusions
from lab.workbench.studies.results import StudyResults, TrialResult

EMBEDDINGS = ("embedding", "head")
"""Names of the modules whose parameters count as embeddings."""
FIGURES = (
    "parameters",
    "non-embedding parameters",
    "tokens",
    "unique tokens",
    "flops",
    "loss",
    "bits per byte",
    "seconds",
)
"""Columns of figures, by names that a table of scaling laws has."""


def csv_of(results: StudyResults, found: Conclusions) -> str:
    """Return the finished runs as CSV: what varies, the seed, figures, metrics and what the study measures besides.

    N are all parameters, and those without embeddings stand beside them. D are the tokens that were read, of which as
    many are unique as the training text has. C are the tokens times the exact operations of one, not 6 N D. A cell is
    empty where nothing is known.

    Args:
        results: The results.
        found: What was concluded from them, for the values that were measured.
    """
    finished = [each for each in results.trials if each.loss is not None]
    paths = list(dict.fromkeys(path for each in finished for path in each.trial.point))
    metrics = list(dict.fromkeys(name for each in finished for name in each.metrics))
    measures = [measure.title for measure in results.study.measures]
    measured = _by_run(found)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*paths, "seed", *FIGURES, *(name.removeprefix("metrics.") for name in metrics), *measures])
    for each in finished:
        assert each.run is not None
        figures, values = _figures(each, each.run), measured.get(str(each.run.path), {})
        numbers = [figures[name] for name in FIGURES] + [each.figure(name) for name in metrics]
        numbers += [values.get(title) for title in measures]
        writer.writerow([*(each.trial.point.get(path, "") for path in paths), each.trial.seed, *map(_cell, numbers)])
    return out.getvalue()


def _figures(trial: TrialResult, run: RunFolder) -> dict[str, float | None]:
    cost = run.facts.get("cost")
    blocks = cost.get("blocks") if isinstance(cost, Mapping) else None
    symbols = sum(blocks.get(name, 0) for name in EMBEDDINGS) if isinstance(blocks, Mapping) else None
    parameters, tokens, per_token = trial.figure("parameters"), trial.figure("tokens"), flops_per_token(run.facts)
    epochs = 1.0
    with contextlib.suppress(LabError):  # generated examples have none
        epochs = max(1.0, float(run.metrics().read("epochs")[1][-1]))
    return {
        "parameters": parameters,
        "non-embedding parameters": None if parameters is None or symbols is None else parameters - symbols,
        "tokens": tokens,
        "unique tokens": None if tokens is None else round(tokens / epochs),
        "flops": None if tokens is None or per_token is None else tokens * per_token,
        "loss": trial.loss,
        "bits per byte": trial.figure("bits_per_byte"),
        "seconds": trial.figure("seconds"),
    }


def _by_run(found: Conclusions) -> dict[str, dict[str, float]]:
    """Return what was measured by the path of a run."""
    values: dict[str, dict[str, float]] = {}
    for arm in found.arms:
        runs = [each.run for each in arm.trials if each.run is not None]
        for title, numbers in found.measured.get(arm.name, {}).items():
            for run, number in zip(runs, numbers, strict=True):
                values.setdefault(str(run.path), {})[title] = number
    return values


def _cell(value: float | None) -> str:
    known = finite(value)
    if known is None:
        return ""
    return f"{known:.0f}" if known == round(known) and abs(known) < 1e15 else f"{known:.7g}"
