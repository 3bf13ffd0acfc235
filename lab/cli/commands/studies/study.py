"""`lm-lab study`: carry out a study, or show its plan, and say what can be concluded from it."""

from __future__ import annotations

import argparse
import contextlib
import math
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base.files.writing import check_output, named_by_user, write_file
from lab.base.folders import resources
from lab.base.units import duration, finite, short
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins

if TYPE_CHECKING:
    from lab.studies.plans import Study
    from lab.workbench.studies.conclusions import Conclusions
    from lab.workbench.studies.execution import StudyExecution
    from lab.workbench.studies.results import StudyResults

SHOWN = 40
"""Most arms of a table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab study`."""
    shipped = ", ".join(shipped_studies())
    parser.add_argument("study", metavar="STUDY", help=f"a study file, or one of the lab's: {shipped}")
    parser.add_argument(
        "--csv", metavar="FILE", help="also write the finished runs as a table: settings, figures, what is measured"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace an existing file")
    text = "runs that train at once (1; with --cluster as many as it has workers)"
    parser.add_argument("--workers", metavar="N", type=int, default=0, help=text)
    text = "train on the workers of a Dask cluster: the address of its scheduler, or its scheduler file (.json)"
    parser.add_argument("--cluster", metavar="ADDRESS", help=text)
    parser.add_argument("--plan", action="store_true", help="print the plan, and train nothing")


def shipped_studies() -> list[str]:
    """Return the names of the studies that come with the lab, in order."""
    folder = resources() / "studies"
    return sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Carry out a study and print what was found.

    Returns:
        0, or 1 if a run failed.

    Raises:
        BadInput: The study cannot be used.
        LabError: Its folder cannot be written.
    """
    from lab.workbench.studies.cluster import Cluster
    from lab.workbench.studies.conclusions import conclude
    from lab.workbench.studies.execution import StudyExecution
    from lab.workbench.studies.run_table import csv_of

    study = _study(arguments.study)
    table = None if arguments.csv is None else Path(arguments.csv).expanduser()
    if table is not None:
        check_output(table, overwrite=arguments.overwrite, field="--csv")
    plugins = plugins.load()
    started = time.monotonic()

    def show(results: StudyResults) -> None:
        progress.show(_line(results, started))

    with contextlib.ExitStack() as opened:
        cluster = None
        if arguments.cluster and not arguments.plan:
            cluster = opened.enter_context(Cluster(arguments.cluster))
        execution = StudyExecution(study, plugins, arguments.workers, show, cluster)
        if arguments.plan:
            return _print_plan(execution, as_json=arguments.json)
        if execution.store.was_started:
            print_text(f"continued: {execution.store.path}", error=True)
        results = execution.run()
    progress.clear()
    found = conclude(results, plugins, lambda share: progress.show(f"comparing on the same windows … {share:.0%}"))
    progress.clear()
    if table is not None:
        with named_by_user():
            write_file(table, csv_of(results, found))
    if arguments.json:
        print_json(_as_json(execution, results, found))
    else:
        _print(execution, results, found)
    return 1 if any(each.problem and each.state == "failed" for each in results.trials) else 0


def _study(name: str) -> Study:
    from lab.studies.plans import load_study, parse_study

    if name in shipped_studies():
        text = (resources() / "studies" / f"{name}.toml").read_text(encoding="utf-8")
        return parse_study(text, name=name)
    return load_study(Path(name).expanduser())


def _line(results: StudyResults, started: float) -> str:
    counts = Counter(str(each.state) for each in results.trials)
    parts = [f"{len(results.trials)} runs"] + [f"{count} {state}" for state, count in counts.items()]
    seconds = [
        value for each in results.trials if (value := each.figure("seconds")) is not None and each.loss is not None
    ]
    left = counts["waiting"] + counts["running"]
    if seconds and left:
        each, busy = sum(seconds) / len(seconds), max(1, counts["running"])
        parts.append(f"about {duration(each * left / busy)} left")
    parts.append(f"{duration(time.monotonic() - started)} so far")
    return " · ".join(parts)


def _print_plan(execution: StudyExecution, *, as_json: bool) -> int:
    trials = execution.planner.trials()
    unequal = execution.planner.fair.unequal() if execution.planner.fair is not None else []
    if as_json:
        plan = [
            {"number": each.number, "point": dict(each.point), "seed": each.seed, "key": each.key} for each in trials
        ]
        minutes = execution.study.minutes or None
        print_json({"study": execution.study.name, "runs": plan, "unequal": unequal, "minutes": minutes})
        return 0
    rows = [(str(each.number + 1), each.arm, str(each.seed), each.key[:8]) for each in trials]
    print_table(("run", "setting", "seed", "key"), rows, right=(True, False, True, False))
    drawn = execution.study.sampler.runs * len(execution.study.seeds)
    if execution.planner.fair is not None:
        print_text("then the other seeds with the best rate of each architecture")
    elif len(trials) < drawn and execution.study.sampler.name in ("tpe", "gp"):
        print_text(f"{execution.study.sampler.name} draws up to {drawn - len(trials)} more as runs end")
    for line in unequal:
        print_text(f"note: {line}")
    if execution.study.minutes:
        print_text(f"about {duration(60 * execution.study.minutes)} on one core")
    return 0


def _as_json(execution: StudyExecution, results: StudyResults, found: Conclusions) -> dict[str, Any]:
    return {
        "study": results.study.name,
        "folder": str(execution.store.path),
        "title": results.study.title,
        "question": results.study.question,
        "look": results.study.look,
        "complete": results.is_complete,
        "continued": execution.continued,
        "runs": [
            {
                "number": each.trial.number,
                "point": dict(each.trial.point),
                "seed": each.trial.seed,
                "arm": each.trial.arm,
                "key": each.trial.key,
                "run": None if each.run is None else str(each.run.path),
                "state": each.state,
                "loss": each.loss,
                "seconds": each.figure("seconds"),
                "parameters": each.figure("parameters"),
                "problem": each.problem or None,
            }
            for each in results.trials
        ],
        "arms": [
            {
                "name": arm.name,
                "runs": arm.spread.count,
                "mean": arm.spread.mean,
                "sd": finite(arm.spread.sd),
                "se": finite(arm.spread.se),
                "half_width": finite(arm.spread.half_width("95 %")),
                "measures": {
                    title: [finite(value) for value in values]
                    for title, values in found.measured.get(arm.name, {}).items()
                },
                "metrics": {name.removeprefix("metrics."): arm.mean(name) for name in arm.trials[0].metrics},
                "parameters": arm.mean("parameters"),
                "tokens": arm.mean("tokens"),
                "seconds": arm.mean("seconds"),
            }
            for arm in found.arms
        ],
        "comparisons": [
            {
                "better": one.better,
                "other": one.other,
                "difference": one.difference,
                "interval": [one.low, one.high],
                "windows_interval": [one.window_low, one.window_high],
                "p": one.p,
                "clear": one.is_clear,
                "more_seeds": one.more,
                "sentence": one.sentence(),
            }
            for one in found.tests
        ],
        "bias_and_variance": [
            {
                "name": one.name,
                "data_sets": one.data_sets,
                "bias": one.bias,
                "variance": one.variance,
                "noise": one.noise,
                "error": one.error,
            }
            for one in found.decompositions
        ],
        "unequal": _unequal(execution),
        "notes": found.notes,
    }


def _unequal(execution: StudyExecution) -> list[str]:
    return execution.planner.fair.unequal() if execution.planner.fair is not None else []


def _print(execution: StudyExecution, results: StudyResults, found: Conclusions) -> None:
    print_text(results.study.title + (f": {results.study.question}" if results.study.question else ""))
    metrics = list(dict.fromkeys(name for arm in found.arms for each in arm.trials for name in each.metrics))
    measures = [measure.title for measure in results.study.measures]
    rows = [
        (
            arm.name,
            str(arm.spread.count),
            f"{arm.spread.mean:.4f}",
            "" if math.isnan(arm.spread.sd) else f"± {arm.spread.half_width('95 %'):.4f}",
            *("" if (mean := arm.mean(name)) is None else f"{mean:.4f}" for name in metrics),
            *(_measured(found.measured.get(arm.name, {}).get(title, [])) for title in measures),
            *(_short(arm.mean(figure)) for figure in ("parameters", "tokens")),
            "" if (seconds := arm.mean("seconds")) is None else duration(seconds),
        )
        for arm in found.arms[:SHOWN]
    ]
    if rows:
        names = [name.removeprefix("metrics.") for name in metrics]
        figure = {"validation_loss": "loss", "bits_per_byte": "bits per byte"}[results.study.figure]
        titles = ("arm", "runs", figure, "95 % of the mean", *names, *measures, "parameters", "tokens", "time")
        print_table(titles, rows, right=(False, *(True for _ in titles[1:])))
    if len(found.arms) > SHOWN:
        print_text(f"and {len(found.arms) - SHOWN} more")
    _print_decompositions(found)
    for each in results.trials:
        if each.problem:
            print_text(f"{each.trial.arm}, seed {each.trial.seed}: {each.state}: {each.problem}")
    for one in found.tests:
        print_text(one.sentence())
    for line in (*_unequal(execution), *found.notes):
        print_text(f"note: {line}")
    if results.study.look:
        print_text(f"look at: {results.study.look}")
    if not results.is_complete:
        print_text("some runs have not ended: start the study again to continue it")
    print_text(f"study {results.study.name}: its runs have this tag; its file is {execution.store.path / 'study.toml'}")


def _print_decompositions(found: Conclusions) -> None:
    rows = [
        (
            one.name,
            str(one.data_sets),
            f"{one.bias:.4f}",
            f"{one.variance:.4f}",
            "in the bias" if one.noise is None else f"{one.noise:.4f}",
            f"{one.error:.4f}",
        )
        for one in found.decompositions[:SHOWN]
    ]
    if rows:
        titles = ("arm", "data sets", "bias²", "variance", "noise", "sum")
        print_table(titles, rows, right=(False, *(True for _ in titles[1:])))


def _measured(values: Sequence[float]) -> str:
    """Return the mean of a measure over the runs of an arm, with its 95 % interval; "never" of steps never reached."""
    from lab.studies.statistics import spread_of

    known = [value for value in values if math.isfinite(value)]
    if not known:
        return "never" if any(map(math.isinf, values)) else ""
    spread = spread_of(known)
    text = f"{spread.mean:.4g}" + ("" if math.isnan(spread.sd) else f" ± {spread.half_width('95 %'):.2g}")
    return text if len(known) == len(values) else f"{text} ({len(known)} of {len(values)})"


def _short(value: float | None) -> str:
    return "" if value is None else short(value)
