"""The dry run of `lm-lab train`: estimate time and memory on this machine, and check the recipe for likely mistakes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lab.base.units import duration, short
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_pairs
from lab.host import Plugins
from lab.workbench import Workbench
from lab.workbench.analysis.finders import Finder
from lab.workbench.launch.hints import passes_of
from lab.workbench.launch.origins import NewRun


def dry_run(origin: NewRun, plugins: Plugins, progress: Progress, *, as_json: bool) -> int:
    """Print the figures of a training, measured for two seconds on a copy, and the hints.

    Args:
        origin: Where it would start.
        plugins: The plugins that provide its cards.
        progress: The line of progress.
        as_json: Whether JSON is printed.

    Raises:
        BadInput: The recipe cannot be used.
        LabError: A step failed.
    """
    bench = Workbench(plugins)
    try:
        found = bench.preflight(origin.recipe)
        finder = Finder(origin, plugins, lambda share, doing: progress.show(f"{doing} … {share:.0%}"))
        step = None if found.tokens_per_parameter is None else finder.step()
    finally:
        bench.close()
    progress.clear()
    seconds = None if step is None else step.seconds * found.steps
    if as_json:
        figures: dict[str, Any] = {
            name: getattr(found, name)
            for name in ("parameters", "tokens", "train_tokens", "steps", "tokens_per_parameter", "memory_bytes")
        }
        shown = [{**asdict(hint), "what": hint.what, "why": hint.why, "remedy": hint.remedy} for hint in found.hints]
        probe = None if step is None else asdict(step)
        print_json({**figures, "seconds": seconds, "step": probe, "hints": shown})
        return 0
    pairs = [
        ("parameters", f"{found.parameters:,}"),
        ("tokens", f"{found.tokens:,} in {found.steps:,} steps, {passes_of(found):.3g} times the text"),
    ]
    if found.tokens_per_parameter is not None:
        pairs.append(("per parameter", f"{found.tokens_per_parameter:.3g} tokens, of about 20"))
    if found.memory_bytes is not None:
        measured = f", {short(step.bytes)}B measured" if step is not None and step.bytes else ""
        pairs.append(("memory", f"{short(found.memory_bytes)}B{measured}"))
    if step is not None and seconds is not None:
        pairs.append(("time", f"{duration(seconds)}: {1000 * step.seconds:.3g} ms a step, of {step.steps} timed here"))
    print_pairs(pairs)
    for hint in found.hints:
        print_text(f"hint: {hint.what}: {hint.why}. {hint.remedy}")
    return 0
