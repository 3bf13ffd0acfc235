"""One run of a study in a process of the pool, which imports torch once for all its runs."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lab.base import BadInput, LabError
from lab.base.notices import catch_uncaught
from lab.base.problems import is_interrupt, problem_of
from lab.base.run_state import RESUMABLE, RunState
from lab.base.system.compiler import hold_back_compiler
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench.launch.origins import NewRun, ResumedRun
from lab.workbench.runners.thread_run import ActiveRun
from lab.workbench.runners.worker import train_run


def prepare_process() -> None:
    """Prepare a new process of the pool, as the start of every program of the lab does."""
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal: the process of the study stops its runs, which save
    hold_back_compiler()
    catch_uncaught()


def train_trial(recipe: str, folder: str, name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Train one run, or resume it from its last checkpoint if it was interrupted; other processes call this.

    Args:
        recipe: Its recipe as TOML.
        folder: Its folder: empty, or with a run that ended early.
        name: Its name.
        options: The options of the plugins, Plugins.start_options.

    Returns:
        {"state": …}, or {"problem": …}.
    """
    try:
        plugins = _plugins(json.dumps(options, sort_keys=True))
        return train_run(ActiveRun(_origin(recipe, Path(folder), name), plugins, None))
    except LabError as error:
        return {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    except BaseException as error:  # noqa: BLE001 - a bug of the lab, or a plugin's exit, is reported like any other error
        if is_interrupt(error):
            return {"state": RunState.STOPPED.value}
        return {"problem": problem_of(error).as_dict()}


def _origin(recipe: str, folder: Path, name: str) -> NewRun:
    found = None
    with contextlib.suppress(LabError):
        found = RunFolder.open(folder)
    if found is not None and found.status().state in RESUMABLE:
        return ResumedRun(found)
    return NewRun(Recipe.from_toml(recipe), folder, name)


@cache
def _plugins(options: str) -> Plugins:
    return Plugins.from_environment(**json.loads(options)).load()
