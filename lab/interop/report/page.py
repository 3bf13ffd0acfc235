"""A run as one HTML page that opens anywhere: figures, curves, samples, readings, recipe. No script, no network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np

from lab.api import Reading
from lab.base.charts.averages import SMOOTHING, smoothed, smoothing
from lab.base.problems import LabError, Problem
from lab.base.run_state import RunState
from lab.base.units import short
from lab.interop.report.charts import LARGEST, Flag, Line, chart, drawable, step_text
from lab.interop.report.maps import pictures, range_of, scale_label
from lab.interop.report.markup import Markup, element, joined, page
from lab.interop.report.tables import (
    event_text,
    events_section,
    format_time,
    lineage_section,
    provenance_section,
    recipe_section,
    section,
)
from lab.interop.report.words import ENGLISH, Words, duration, number, tr, tr_n, tr_name, words, written_in
from lab.runs import RunFolder, SeriesInfo, read_readings, reading_steps
from lab.runs.evaluations import part_tokens
from lab.runs.floor_list import known_losses, read_floors
from lab.runs.library.labels import read_label
from lab.runs.library.recipe_fields import Value, read_fields
from lab.runs.metrics.gauges import is_gauged
from lab.training.resolution import Cards

PER_TOKEN = "nats per token"
"""The unit of the loss of runs that do not say it."""
SAMPLES = 12
"""The largest number of samples: the first, the last, and log-spaced ones between."""
PICTURES = 4 * 2**20
"""Number of characters of pictures after which further readings are only named."""
FLAGGED = ("set", "problem")
"""Events shown above the curves."""
LABEL_LENGTH = 40
"""The largest number of letters of the label of an event above a curve."""
FEW = 200
"""Number of values of a curve up to which each has a point."""
SMALL = (460, 210)
"""Width and height of a small chart."""
QUIET = ("tokens", "epochs", "seconds")
"""Series that are axes, not curves."""

LOSSES: dict[str, Callable[[], str]] = {"train loss": lambda: tr("train"), "validation loss": lambda: tr("validation")}
"""The losses, and the labels of their lines."""

Rows: TypeAlias = list[dict[str, Any]]
T = TypeVar("T")


class Reader:
    """A reader of one run that collects the problems of unreadable parts."""

    def __init__(self, run: RunFolder) -> None:
        self.run = run
        self.lacking: list[Problem] = []

    def read(self, call: Callable[[], T], otherwise: T) -> T:
        """Return the result of a call; if a file cannot be read, record the problem and return `otherwise`."""
        try:
            return call()
        except LabError as error:
            problem = error.problem
        except RecursionError:
            problem = Problem("run.json or recipe.toml is nested too deep")
        if problem not in self.lacking:
            self.lacking.append(problem)
        return otherwise


def write_report(
    run: RunFolder,
    file: Path,
    tick: Callable[[float], None],
    cards: Cards | None = None,
    language: Words = ENGLISH,
) -> None:
    """Write the page of a run. Unreadable parts of it are left out, and the page lists them.

    Args:
        run: The run.
        file: The file to create.
        tick: Called regularly with the share that is done.
        cards: Source of the defaults of settings of cards.
        language: The language of the page.

    Raises:
        OSError: The file cannot be written.
    """
    with written_in(language):
        content = _page(run, tick, cards)
    file.write_text(content, encoding="utf-8", newline="\n")


def _page(run: RunFolder, tick: Callable[[float], None], cards: Cards | None) -> Markup:
    reader = Reader(run)
    events: Rows = reader.read(run.events, [])
    title, head = _head(reader)
    sections = []
    makers: tuple[Callable[[], Markup], ...] = (
        lambda: _figures(reader),
        lambda: _curves(reader, events),
        lambda: _samples(reader),
        lambda: _readings(reader),
        lambda: reader.read(lambda: recipe_section(run, cards), Markup()),
        lambda: reader.read(lambda: events_section(events), Markup()),
        lambda: lineage_section(run),
        lambda: reader.read(lambda: provenance_section(run), Markup()),
    )
    for done, make in enumerate(makers, start=1):
        sections.append(make())
        tick(done / len(makers))
    version = run.facts.get("versions")
    known = f"LM Lab {version.get('lm-lab')}" if isinstance(version, dict) else "LM Lab"
    made_with = tr("Trained with {version}.", version=known)
    foot = element("footer", made_with, " ", tr("This page needs no network and runs no script."))
    return page(title, head, _lacking(reader), *sections, foot, lang=words().code)


def _head(reader: Reader) -> tuple[str, Markup]:
    run = reader.run
    label = read_label(run.path)
    settings: dict[str, Value] = reader.read(lambda: read_fields(run.recipe, run.name), {})
    corpus = run.facts.get("corpus")
    names = [settings.get("architecture.name"), corpus.get("name") if isinstance(corpus, dict) else None]
    title = label.name or str(settings.get("title") or "") or _on(*(str(name) for name in names if name)) or run.name
    known = [
        tr("run {run}", run=run.name) if title != run.name else None,
        format_time(run.created),
        tr("starred") if label.star else None,
    ]
    tags = element("ul", *(element("li", tag) for tag in label.tags), class_="tags") if label.tags else None
    note = element("p", label.note, class_="note") if label.note else None
    line = element("p", " · ".join(filter(None, known)), class_="dim")
    return title, element("header", element("h1", title), line, tags, note)


def _count(value: float) -> str:
    return number(short(value))


def _on(*names: str) -> str:
    """Return the title of an architecture and a corpus, of which either may be unknown."""
    match [tr_name(name) for name in names]:
        case [architecture, corpus]:
            return tr("{architecture} on {corpus}", architecture=architecture, corpus=corpus)
        case known:
            return "".join(known)


def _lacking(reader: Reader) -> Markup:
    if not reader.lacking:
        return Markup()
    lines = [element("p", f"{words().message(problem.what)}.") for problem in reader.lacking]
    return section(tr("Missing from this page"), *lines, class_="lacking")


def _figures(reader: Reader) -> Markup:
    status = reader.read(reader.run.status, None)
    if status is None:
        return Markup()
    summary, rows = status.summary, []
    loss, floors = _number(summary.get("validation_loss")), _floors(reader)
    if loss is not None:
        best = min(floors.items(), key=lambda floor: floor[1], default=None)
        distance = "" if best is None else f" · {_distance(loss, *best)}"
        how = ", ".join(tr_name(str(summary[key])) for key in ("protocol", "part") if summary.get(key))
        how += f"; {tr('the model sees the tokens it predicts')}" if summary.get("reads_later_tokens") else ""
        unit = tr_name(str(summary.get("loss_unit", PER_TOKEN)))
        rows.append((f"{tr('validation loss')}, {unit} ({how}){distance}", number(f"{loss:.4f}")))
    for name, label, write in (
        ("train_loss", tr("train loss, mean of the last steps"), lambda value: number(f"{value:.4f}")),
        ("perplexity", tr("perplexity"), lambda value: number(f"{value:.4g}")),
        ("bits_per_byte", tr("bits per byte"), lambda value: number(f"{value:.4f}")),
        ("parameters", tr("parameters"), _count),
        ("tokens", tr("tokens seen"), _count),
        ("seconds", tr("training time"), duration),
        ("tokens_per_second", tr("tokens per second"), _count),
    ):
        value = _number(summary.get(name))
        if value is not None:
            rows.append((label, write(value)))
    state = (
        tr("step {step}, still training", step=number(f"{status.step:,}"))
        if status.state == RunState.RUNNING
        else tr("{state} at step {step}", state=tr_name(str(status.state)), step=number(f"{status.step:,}"))
    )
    rows.append((tr("state of the run"), state))
    problem = status.problem.get("what") if status.problem else None
    listed = (element("div", element("dt", label), element("dd", figure)) for label, figure in rows)
    why = element("p", words().message(str(problem)), class_="gaps") if problem else None
    return element("section", element("dl", *listed, class_="figures"), why)


def _floors(reader: Reader) -> dict[str, float]:
    stored = reader.run.facts.get("floors")
    known = reader.read(lambda: read_floors(reader.run.path, stored), known_losses(stored))
    return {name: value for name, value in known.items() if _number(value) is not None}


def _distance(loss: float, floor: str, level: float) -> str:
    """Return how far a loss is from a floor."""
    by, name = number(f"{abs(loss - level):.3f}"), tr_name(floor)
    return tr("{by} above {floor}", by=by, floor=name) if loss > level else tr("{by} below {floor}", by=by, floor=name)


def _number(value: Any) -> float | None:
    """Return the value if it is a finite number, else None."""
    finite = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
    return value if finite else None


def _shortened(text: str) -> str:
    return text if len(text) <= LABEL_LENGTH else f"{text[: LABEL_LENGTH - 1]}…"


def _curves(reader: Reader, events: Rows) -> Markup:
    metrics = reader.run.metrics()
    series: dict[str, SeriesInfo] = reader.read(metrics.series, {})
    last = max((info.last_step or 0 for info in series.values()), default=0)
    flags = [
        Flag(event["step"], _shortened(event_text(event)))
        for event in events
        if isinstance(event.get("step"), int) and 0 <= event["step"] <= last and event.get("event") in FLAGGED
    ]

    def lines(name: str, label: str) -> list[Line]:
        steps, values = reader.read(lambda: metrics.read(name), (np.empty(0, np.int64), np.empty(0)))
        if name == "validation loss" and len(steps) > 1 and part is not None:  # the last one was measured on more text
            return [Line(None, steps[:-1], values[:-1], "strong"), Line(label, steps[-1:], values[-1:], "strong")]
        share = SMOOTHING if name in parts else smoothing(name)
        if len(steps) > 1 and share:
            smooth = smoothed(np.where(drawable(values), values, np.nan), share)
            return [Line(label, steps, values, "faint"), Line(label, steps, smooth, "thin")]
        return [Line(label, steps, values, "strong" if len(steps) < FEW else "thin")]

    def small(names: Iterable[str]) -> Markup:
        quiet = [replace(flag, label="") for flag in flags]
        charts = (
            (
                tr_name(name),
                chart(tr_name(name), tr_name(series[name].unit), lines(name, ""), last, flags=quiet, size=SMALL),
            )
            for name in names
        )
        return element("div", *(element("div", element("h3", name), drawn) for name, drawn in charts), class_="small")

    losses = [name for name in LOSSES if name in series]
    others = [name for name in series if name not in (*losses, *QUIET) and not is_gauged(name)]
    parts = [name for name in others if any(name.startswith(f"{other} ") for other in others)]  # "gradient norm head"
    status = reader.read(reader.run.status, None)
    part = reader.read(lambda: _part_tokens(reader.run), None)
    drawn = [line for name in losses for line in lines(name, LOSSES[name]())]
    unit = PER_TOKEN if status is None else status.summary.get("loss_unit", PER_TOKEN)
    floors = [(tr_name(name), value) for name, value in _floors(reader).items()]
    large = chart(tr("loss"), f"{tr('loss')}, {tr_name(unit)}", drawn, last, floors=floors, flags=flags)
    main = [name for name in others if name not in parts]
    more = (
        element("details", element("summary", tr_n("1 more curve", "{n} more curves", len(parts))), small(parts))
        if parts
        else None
    )
    notes = []
    if any(line.style == "faint" for line in drawn):
        notes.append(tr("Faint: every step, with the least and largest values where they are dense."))
        notes.append(tr("Solid: a moving average, smoothed by {share}.", share=number(f"{SMOOTHING:g}")))
    if part is not None:
        note = tr(
            "The last validation loss is of all of the validation text, the others of {n} tokens.",
            n=number(f"{part:,}"),
        )
        notes.append(note)
    legend = element("p", " ".join(notes), class_="dim") if notes else None
    return section(tr("Curves"), large, legend, small(main) if main else None, more) if series else Markup()


def _part_tokens(run: RunFolder) -> int | None:
    """Return the validation tokens of the evaluations during a training, if the last one read more of them."""
    status = run.status()
    return part_tokens(run.read_recipe(), status.summary, finished=True) if status.state == RunState.FINISHED else None


def _samples(reader: Reader) -> Markup:
    recorded: Rows = reader.read(reader.run.samples, [])
    samples = [one for one in recorded if isinstance(one.get("text"), str)]
    if not samples:
        return Markup()
    picked = list(range(len(samples)))
    if len(samples) > SAMPLES:
        picked = sorted({int(at) - 1 for at in np.geomspace(1, len(samples), SAMPLES).round()})
    shown = [
        element(
            "div",
            element("dt", step_text(_number(samples[at].get("step")) or 0)),
            element("dd", element("pre", "\n", samples[at]["text"], dir="auto")),
        )
        for at in picked
    ]
    less = (
        tr("{n} of {all} samples.", n=len(picked), all=number(f"{len(samples):,}"))
        if len(picked) < len(samples)
        else None
    )
    note = element("p", tr("Text that the model generated during training."), " " if less else None, less, class_="dim")
    return section(tr("Samples"), note, element("dl", *shown, class_="samples"))


def _readings(reader: Reader) -> Markup:
    run = reader.run
    steps = reading_steps(run.path)
    if not steps:
        return Markup()
    picked = dict.fromkeys((steps[0], steps[len(steps) // 2], steps[-1]))
    snapshots = {step: _readings_at(reader, step) for step in picked}
    shown: list[Markup] = []
    left_out, size = [], 0
    for name, at in _by_reading(snapshots):
        if size > PICTURES:
            left_out.append(name)
            continue
        scale = range_of(list(at.values()))
        cells = [
            element("div", element("p", step_text(step), class_="dim"), pictures(one, scale))
            for step, one in at.items()
        ]
        first = next(iter(at.values()))
        legend = element("span", " · ".join(map(tr_name, first.axes)), class_="scale"), scale_label(scale, first)
        shown.append(joined(element("h3", name, *legend), element("div", *cells, class_="moments")))
        size += len(shown[-1])
    less = (
        element("p", tr("Recorded and not shown: {names}.", names=", ".join(left_out)), class_="dim")
        if left_out
        else None
    )
    note = tr("Readings of the model on the probe text during training; one scale for each reading.")
    return section(tr("Readings"), element("p", note, class_="dim"), *shown, less)


def _readings_at(reader: Reader, step: int) -> list[Reading]:
    return reader.read(lambda: read_readings(reader.run.path, step), [])


def _by_reading(snapshots: Mapping[int, list[Reading]]) -> Iterator[tuple[str, dict[int, Reading]]]:
    """Yield each reading by its label, with its values by step."""
    found: dict[str, dict[int, Reading]] = {}
    for step, readings in snapshots.items():
        for one in readings:
            where = one.path if one.layer is None else tr("block {n}", n=one.layer + 1)
            name = "token mixing" if one.name == "mixing" else one.name.replace("_", " ")  # the label in the window
            called = tr_name(name)
            name = f"{called}, {where}" if where else called
            found.setdefault(name, {})[step] = one
    yield from found.items()
