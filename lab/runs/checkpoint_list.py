"""The checkpoints of a run: their reasons, and which of them are kept."""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from lab.base.files.reading import is_link
from lab.base.files.temporary import name_of, remove, restore_replaced
from lab.base.problems import LabError
from lab.runs.fields import CheckpointFacts
from lab.runs.records import read_record

Reason = Literal["interval", "best", "edit", "hand", "start", "end"]
"""Reasons for a checkpoint: it was due, it had the lowest validation loss so far, a live edit followed, the user
requested it, the run branched off there, the training ended."""
PERMANENT: tuple[Reason, ...] = ("hand", "start")
"""Reasons for which the lab never removes a checkpoint."""
EDITS_RETAINED = 10
"""Number of latest checkpoints before live edits that are kept."""
FACTS = "state.json"
GONE = ".gone"
"""Suffix of the name of a checkpoint that is being removed."""
_GONE = re.compile(rf"\.[0-9]+{re.escape(GONE)}")


@dataclass(frozen=True)
class Checkpoint:
    """One checkpoint of a run.

    Args:
        step: The step.
        path: The folder.
        reason: The reason for it; "end" if not recorded.
        loss: The validation loss at this step, nats per target; None without an evaluation.
        complete: True if it holds the state of the training, so that the training can resume from it.
        bytes: The size in bytes.
    """

    step: int
    path: Path
    reason: Reason
    loss: float | None
    complete: bool
    bytes: int


def checkpoint_steps(folder: Path) -> list[int]:
    """Return the steps that have a checkpoint, in order; a folder elsewhere, reached by a link, is none.

    Args:
        folder: The folder of checkpoints.
    """
    paths = folder.glob("*") if _is_folder(folder) else ()
    return sorted(int(path.name) for path in paths if path.name.isdecimal() and _is_folder(path))


def checkpoints(folder: Path) -> list[Checkpoint]:
    """Return the checkpoints in the order of their steps; those whose facts cannot be read are left out.

    Args:
        folder: The folder of checkpoints.
    """
    found = []
    for step in checkpoint_steps(folder):
        path = folder / str(step)
        with contextlib.suppress(LabError, OSError):
            facts = read_record(path / FACTS, CheckpointFacts)
            reason = facts.get("reason", "end")
            size = sum(file.stat().st_size for file in path.iterdir() if file.is_file())
            found.append(
                Checkpoint(
                    step=step,
                    path=path,
                    reason=reason if reason in get_args(Reason) else "end",
                    loss=facts.get("validation_loss"),
                    complete="lacks" not in facts,
                    bytes=size,
                )
            )
    return found


def retained(found: Sequence[Checkpoint], *, last: int, best: bool) -> set[int]:
    """Return the steps of the checkpoints that are kept.

    Args:
        found: The checkpoints, in the order of their steps.
        last: The number of latest checkpoints that are kept.
        best: True to keep the one with the lowest validation loss.
    """
    steps = {each.step for each in found if each.reason in PERMANENT}
    steps |= {each.step for each in [each for each in found if each.reason == "edit"][-EDITS_RETAINED:]}
    steps |= {each.step for each in found[-last:]}
    steps |= {each.step for each in [each for each in found if each.complete][-last:]}  # resumable
    evaluated = [each for each in found if each.loss is not None]
    if best and evaluated:
        steps.add(min(evaluated, key=lambda each: each.loss or 0.0).step)
    return steps


def prune(folder: Path, *, last: int, best: bool) -> None:
    """Remove the checkpoints that are not kept; no reader ever sees one partly removed.

    Args:
        folder: The folder of checkpoints.
        last: The number of latest checkpoints that are kept.
        best: True to keep the one with the lowest validation loss.
    """
    found = checkpoints(folder)
    for each in found:
        if each.step not in retained(found, last=last, best=best):
            _remove(each.path)


def remove_after(folder: Path, step: int) -> None:
    """Remove the checkpoints after a step, since they would be taken for the latest ones.

    Args:
        folder: The folder of checkpoints.
        step: The last step that stays.
    """
    for later in checkpoint_steps(folder):
        if later > step:
            _remove(folder / str(later))


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):  # a checkpoint that cannot be removed does no harm
        temporary = path.with_name(f".{path.name}{GONE}")
        path.rename(temporary)
        shutil.rmtree(temporary)


def sweep_checkpoints(folder: Path) -> None:
    """Remove what a killed writer left behind, and restore what it was about to replace; only the writer calls it.

    Args:
        folder: The folder of checkpoints; nothing is removed if it is a link.
    """
    if not _is_folder(folder):
        return
    for path in folder.glob(".*"):
        step = name_of(path) or ""
        if step.isdecimal() and path.suffix == ".old":
            restore_replaced(path, folder / step)
        elif step.isdecimal() or _GONE.fullmatch(path.name):
            remove(path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir() and not is_link(path)
    except OSError:  # removed meanwhile
        return False
