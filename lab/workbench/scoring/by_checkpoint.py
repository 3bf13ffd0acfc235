"""The table of degeneration at several checkpoints of one run, as it is trained past its best loss: hyperfitting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab.api import BadInput
from lab.workbench.scoring.degeneration import PROMPT, TEXTS, TOKENS, Progress, Table, degeneration_table

if TYPE_CHECKING:
    from lab.runs.checkpoint_list import Checkpoint
    from lab.workbench.access.saved import SavedRun

SETTINGS = ("greedy", "beam-search=4", "sampling", "top-p=0.9")
"""The settings at each checkpoint if none are named."""
BEST, LAST, ALL = "best", "last", "all"
"""Names of checkpoints, besides their steps."""
FIELD = "checkpoint"
"""The field of problems with a checkpoint."""


@dataclass(frozen=True)
class CheckpointTable:
    """The table of a checkpoint.

    Args:
        step: Its step.
        loss: The validation loss of the run at this step, nats per target; None without an evaluation there.
        is_best: Whether that is the lowest among the checkpoints.
        table: The table.
    """

    step: int
    loss: float | None
    is_best: bool
    table: Table


def checkpoints_named(saved: SavedRun, names: Sequence[str]) -> list[Checkpoint]:
    """Return checkpoints of a run in the order of their steps.

    Args:
        saved: The run.
        names: Steps, BEST for the lowest validation loss, LAST, or ALL.

    Raises:
        BadInput: There is no such checkpoint.
    """
    known = saved.folder.checkpoints()
    best, steps = _best_of(known), set[int]()
    for name in names:
        word = name.strip()
        if word == ALL:
            found = known
        elif word == LAST:
            found = known[-1:]
        elif word == BEST:
            found = [] if best is None else [best]
        else:
            found = [each for each in known if str(each.step) == word]
        if not found:
            allowed = ", ".join([BEST, LAST, ALL, *(str(each.step) for each in known)])
            what = "has no checkpoint with a validation loss" if word == BEST and known else "is no checkpoint"
            raise BadInput(what, field=FIELD, value=name, allowed=allowed)
        steps |= {each.step for each in found}
    return [each for each in known if each.step in steps]


def tables_by_checkpoint(
    saved: SavedRun,
    names: Sequence[str] = (BEST, LAST),
    settings: Sequence[str] = SETTINGS,
    *,
    texts: int = TEXTS,
    prompt: int = PROMPT,
    tokens: int = TOKENS,
    seed: int = 0,
    device: str | None = None,
    report: Callable[[list[CheckpointTable]], object] = lambda _tables: None,
    progress: Progress = lambda _share, _setting: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> list[CheckpointTable]:
    """Measure settings at checkpoints of a run, with the same prompts and seeds at each.

    A run that is trained far past its best validation loss may repeat itself less under greedy decoding (Carlsson et
    al. 2025).

    Args:
        saved: The run.
        names: As of `checkpoints_named`.
        settings: As of `degeneration_table`, and so are the following.
        texts: Texts of each setting.
        prompt: Tokens of each prompt.
        tokens: Tokens after each prompt.
        seed: Of the first text.
        device: Where to compute.
        report: Called with the tables after each row, from this thread.
        progress: Called with the share that is done, and the checkpoint and setting that are being measured.
        cancelled: Called between tokens; True ends it with the rows that are done.

    Raises:
        BadInput: There is no such checkpoint, or as of `degeneration_table`.
        LabError: A checkpoint is damaged, or a plugin's code raised.
    """
    picked = checkpoints_named(saved, names)
    best = _best_of(saved.folder.checkpoints())
    found: list[CheckpointTable] = []
    for at, one in enumerate(picked):

        def take(table: Table, at: int = at, one: Checkpoint = one) -> None:
            is_best = best is not None and one.step == best.step
            found[at:] = [CheckpointTable(one.step, one.loss, is_best, table)]
            report(found)

        def follow(share: float, setting: str, at: int = at, step: int = one.step) -> None:
            progress((at + share) / len(picked), f"{step:,}: {setting}")

        degeneration_table(
            saved.at(one.step), settings, texts=texts, prompt=prompt, tokens=tokens, seed=seed, device=device,
            report=take, progress=follow, cancelled=cancelled,
        )  # fmt: skip
        if cancelled():
            break
    return found


def _best_of(known: Sequence[Checkpoint]) -> Checkpoint | None:
    """Return the checkpoint with the lowest validation loss."""
    evaluated = [each for each in known if each.loss is not None]
    return min(evaluated, key=lambda each: each.loss or 0.0, default=None)
