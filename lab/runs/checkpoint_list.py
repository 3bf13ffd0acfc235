"""The checkpoints that lie in a run: which there are, why each was made, and which are kept."""

from __future__ import annotations

import contextlib
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from lab.base.problems import LabError
from lab.base.writing import replaced_path
from lab.runs.records import read_record

Reason = Literal["interval", "best", "edit", "hand", "start", "end"]
"""Why a checkpoint was made: its time had come, the least validation loss so far, before a live edit, a person asked,
the run branched off there, the training ended."""
FOR_EVER: tuple[Reason, ...] = ("hand", "start")
"""Reasons for which a checkpoint is never removed by the lab."""
EDITS_KEPT = 10
"""Checkpoints before live edits that are kept, the newest."""
FACTS = "state.json"
GONE = ".gone"
"""End of the name of what is being removed."""


@dataclass(frozen=True)
class Checkpoint:
    """One checkpoint of a run.

    Args:
        step: Its step.
        path: Its folder.
        reason: Why it was made; "end" where it does not say.
        loss: The validation loss at its step, nats per target; None where there was no evaluation there.
        whole: Whether it holds the training's state, so that the training can go on from it.
        bytes: Its size.
    """

    step: int
    path: Path
    reason: Reason
    loss: float | None
    whole: bool
    bytes: int


def checkpoint_steps(folder: Path) -> list[int]:
    """The steps that have a checkpoint, in order.

    Args:
        folder: The folder of checkpoints.
    """
    return sorted(int(place.name) for place in folder.glob("*") if place.name.isdecimal() and place.is_dir())


def checkpoints(folder: Path) -> list[Checkpoint]:
    """The checkpoints, in the order of their steps; those whose facts cannot be read are left out.

    Args:
        folder: The folder of checkpoints.
    """
    found = []
    for step in checkpoint_steps(folder):
        place = folder / str(step)
        with contextlib.suppress(LabError, OSError):
            facts = read_record(place / FACTS)
            reason, loss = facts.get("reason", "end"), facts.get("validation_loss")
            known = loss if isinstance(loss, int | float) and math.isfinite(loss) else None
            size = sum(file.stat().st_size for file in place.iterdir() if file.is_file())
            found.append(
                Checkpoint(
                    step=step,
                    path=place,
                    reason=reason if reason in get_args(Reason) else "end",
                    loss=known,
                    whole="lacks" not in facts,
                    bytes=size,
                )
            )
    return found


def kept(found: Sequence[Checkpoint], *, last: int, best: bool) -> set[int]:
    """The steps of those that are kept.

    Args:
        found: The checkpoints, in the order of their steps.
        last: How many of the last are kept.
        best: Whether that of the least validation loss is kept.
    """
    steps = {each.step for each in found if each.reason in FOR_EVER}
    steps |= {each.step for each in [each for each in found if each.reason == "edit"][-EDITS_KEPT:]}
    steps |= {each.step for each in found[-last:]}
    steps |= {each.step for each in [each for each in found if each.whole][-last:]}  # from which a training can go on
    evaluated = [each for each in found if each.loss is not None]
    if best and evaluated:
        steps.add(min(evaluated, key=lambda each: each.loss or 0.0).step)
    return steps


def prune(folder: Path, *, last: int, best: bool) -> None:
    """Removes the checkpoints that are not kept; one that is removed is never seen half.

    Args:
        folder: The folder of checkpoints.
        last: How many of the last are kept.
        best: Whether that of the least validation loss is kept.
    """
    found = checkpoints(folder)
    for each in found:
        if each.step not in kept(found, last=last, best=best):
            _remove(each.path)


def forget_after(folder: Path, step: int) -> None:
    """Removes the checkpoints after a step: of what is forgotten, they would be taken for the last ones.

    Args:
        folder: The folder of checkpoints.
        step: The last step that stays.
    """
    for later in checkpoint_steps(folder):
        if later > step:
            _remove(folder / str(later))


def _remove(place: Path) -> None:
    with contextlib.suppress(OSError):  # what cannot be removed does no harm
        aside = place.with_name(f".{place.name}{GONE}")
        place.rename(aside)
        shutil.rmtree(aside)


def sweep(folder: Path) -> None:
    """Removes what a killed writer left aside, and puts back what it was about to replace; only the writer calls it.

    Args:
        folder: The folder of checkpoints.
    """
    for place in folder.glob(".*"):
        step = place.name.split(".")[1]
        target = folder / step
        with contextlib.suppress(OSError):
            if step.isdecimal() and place == replaced_path(target) and not target.exists():
                place.rename(target)
            else:
                shutil.rmtree(place)
