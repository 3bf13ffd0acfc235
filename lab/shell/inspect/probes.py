"""The probes of Inspect: which are offered for a model, and an inspection with those that are switched on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from lab.base.problems import LabError
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.inspect.gallery.probe_selection import Offer
from lab.shell.inspect.model import Request, Result

if TYPE_CHECKING:
    from lab.base.jobs import Job

REPORTS = "reports"
"""The probe that always runs: what a model reports itself."""


def offered(plugins: Plugins, recipe: Recipe, translated: Callable[[str], str] = str) -> list[Offer]:
    """Return the probes for the model of a recipe: those for all architectures, and those of its own plugin.

    Args:
        plugins: The plugins that have probes.
        recipe: The recipe of the model.
        translated: Returns a title in the language of the window.
    """
    try:
        plugin = plugins.owner("architectures", recipe.architecture.name)
        recorded = set(plugins.card("architectures", recipe.architecture.name).records)
    except LabError:
        plugin, recorded = "", set()
    recorded |= {choice.name for choice in recipe.readings.probes}
    reads = _inputs_of(plugins, recipe)
    found = []
    for name, card in plugins.cards("probes").items():
        own = plugins.owner("probes", name) == plugin
        if reads not in card.reads:
            continue
        if name != REPORTS and (own or card.everywhere):
            found.append(Offer(name, translated(card.title), card.summary, own, name in recorded, card.explanations))
    return sorted(found, key=lambda one: (not one.recorded, not one.own, one.title))


def _inputs_of(plugins: Plugins, recipe: Recipe) -> str:
    """Return what the model of a recipe reads: "tokens", "vectors" or "images"."""
    from lab.training.corpus_fit import inputs_of
    from lab.training.resolution import data_kind

    try:
        return inputs_of(data_kind(plugins, recipe.corpus))
    except LabError:
        return "tokens"


def inspect_model(request: Request, job: Job) -> Result:
    """Inspect a model with its probes; in a thread.

    Where the model cannot be had (no checkpoint, or no corpus on this machine), the last snapshot of its run counts.

    Raises:
        LabError: The model cannot be inspected, and its run recorded nothing.
    """
    text, run = request.text or None, request.run
    request.stages.append(REPORTS)
    started, before = time.perf_counter(), time.thread_time()
    try:
        inspection = request.model.inspect(text)
    except LabError:
        steps = run.source.recorded_steps() if run is not None and text is None else []
        if not steps or run is None:
            raise
        return Result(run.source.recorded(steps[-1]))
    result, readings = Result(inspection), list(inspection.readings)
    result.seconds[REPORTS] = time.perf_counter() - started
    for probe in (*request.probes, *request.spare):
        kinds = {(reading.name, tuple(reading.axes)) for reading in readings}
        if job.cancelled or (probe in request.spare and len(kinds) >= request.enough):
            break
        request.stages.append(probe)
        started = time.perf_counter()
        try:
            more = request.model.inspect(text, probe=probe).readings
        except LabError as error:  # not made for this model, or its code raised: the other probes still run
            result.problems[probe] = error.problem
            continue
        result.seconds[probe] = time.perf_counter() - started
        result.kinds[probe] = {(reading.name, tuple(reading.axes)) for reading in more}
        readings += more
    work = time.thread_time() - before
    return replace(result, inspection=replace(inspection, readings=readings), work=work)
