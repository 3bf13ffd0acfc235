"""The check of the plugins: which run, which failed and how, and which are off."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lab.base.problems import Problem
from lab.host import PluginInfo, PluginState
from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

DISABLE = "Repair it, or turn it off in Plugins, or with lm-lab plugins disable NAME"


def plugins(subject: Subject) -> Iterator[Finding]:
    """Report the states of all plugins; names and files of those by others are details."""
    listed = subject.plugins.load().listed()
    own = [info for info in listed if info.origin == "built-in"]
    running = sum(info.state == PluginState.ON for info in own)
    total = len(own)
    yield Finding(f"plugins of the lab that run: {running} of {total}")
    others = [info for info in listed if info.origin != "built-in"]
    good = [info for info in others if info.state == PluginState.ON and not info.problems]
    if good:
        yield Finding(f"plugins by others that run: {len(good)}", detail=_names(good))
    off = [info for info in others if info.state == PluginState.OFF and not info.problems]
    if off:
        yield Finding(f"plugins by others that are off: {len(off)}", detail=_names(off))
    skipped = [info for info in listed if info.state in (PluginState.SKIPPED, PluginState.DISABLED)]
    if skipped:
        yield Finding(
            f"plugins that this start leaves out, since they are disabled or by its options: {len(skipped)}",
            Level.NOTE,
            remedy="Enable them in Plugins, or start the lab without these options",
            detail=_names(skipped),
        )
    for info in listed:
        for problem in info.problems:
            yield _problem(info, problem)


def _problem(info: PluginInfo, problem: Problem) -> Finding:
    """Return the finding about a problem of a plugin: what happened, and in the details its name and words."""
    kind = "a plugin of the lab" if info.origin == "built-in" else "a plugin by others"
    detail = replace(problem, remedy=None).line()
    if info.state == PluginState.FAILED:
        name = error_name(problem)
        return Finding(f"{kind} failed: {name}", Level.WRONG, remedy=DISABLE, detail=detail)
    if info.state == PluginState.LEFT_OUT:
        remedy = "To try it again: lm-lab plugins enable NAME"
        what = f"{kind} ended the last start while it was loaded, so it is left out"
        return Finding(what, Level.WRONG, remedy=remedy, detail=detail)
    if info.state == PluginState.OFF:
        remedy = "If you trust the new version, enable it again in Plugins"
        return Finding(f"{kind} is another version than the one you enabled", Level.NOTE, remedy=remedy, detail=detail)
    return Finding(f"{kind} has a problem", Level.WRONG, remedy=DISABLE, detail=detail)


def error_name(problem: Problem) -> str:
    """Return the class of the error behind a problem, from the last line of its trace; "a refusal" without one."""
    last = (problem.trace or "").strip().rpartition("\n")[2]
    name = last.partition(":")[0].rpartition(".")[2].strip()
    return name if name.isidentifier() else "a refusal"


def _names(listed: list[PluginInfo]) -> str:
    return ", ".join(info.name for info in listed)
