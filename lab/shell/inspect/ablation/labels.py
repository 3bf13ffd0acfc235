"""The names of parts, and the sentences on their losses."""

from __future__ import annotations

from lab.shell.inspect.ablation.model import Cell, CellState, Progress
from lab.shell.inspect.ablation.parts import BLOCKS, Kind, Part, Table
from lab.widgets.core.i18n import duration, number_text, tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.workbench.access.ablation import Baseline


def kind_label(kind: Kind, *, with_blocks: bool) -> str:
    """Return the label of a kind of parts: "heads and blocks", "units: mean"."""
    parts = noun_of(kind)
    match kind.change:
        case "":
            return tr("{parts} and blocks", parts=parts) if with_blocks else parts
        case "mean":
            return tr("{parts}: mean", parts=parts)
        case "other":
            return tr("{parts}: other text", parts=parts)
    return f"{parts}: {kind.change}"


def noun_of(kind: Kind) -> str:
    """Return what the parts of a kind are called together."""
    return tr_registered(kind.plural) or kind.name


def column_name(table: Table) -> str:
    """Return what the columns of a table are."""
    parts = noun_of(table.kind)
    if table.kind.name == BLOCKS:
        return tr("the block")
    return tr("all of the block, then its {parts}", parts=parts) if table.with_blocks else parts


def part_label(kind: Kind, part: Part) -> str:
    """Return the name of a part of a kind: "head 3 of block 2"."""
    if not part.index:
        return _block_label(part.block)
    if part.index == "parallel" and kind.name == "residual":
        label = tr("the residual connection around both mixers")
    elif kind.singular:
        label = tr_registered(kind.singular).replace("{n}", part.index)
    else:
        label = f"{kind.name} {part.index}"
    return label if part.block is None else tr("{part} of {block}", part=label, block=_block_label(part.block))


def _block_label(block: int | str | None) -> str:
    stack, _, number = str(block).rpartition(" ")
    return tr("block {n} of the {stack}", n=number, stack=stack) if stack else tr("block {n}", n=number)


def change_label(kind: Kind, part: Part) -> str:
    """Return what is done to a part: "without head 3 of block 2"."""
    label = part_label(kind, part)
    match kind.change:
        case "":
            return tr("without {part}", part=label)
        case "mean":
            return tr("with the mean of {part}", part=label)
        case "other":
            return tr("with the values of another text in {part}", part=label)
    return tr("with {change} of {part}", change=kind.change, part=label)


def short_note(kind: Kind, part: Part, cell: Cell) -> str:
    """Return what is known of a part, for the note at its cell."""
    label = part_label(kind, part)
    return f"{label}: {_signed(cell.change)} {tr('nats')}" if cell.change is not None else f"{label}: {_status(cell)}"


def readout(kind: Kind, part: Part, cell: Cell, baseline: Baseline | None) -> str:
    """Return what is known of a part in one sentence."""
    change = change_label(kind, part)
    if cell.loss is not None and cell.change is not None and baseline is not None:
        return tr(
            "{before} → {after} nats ({change}) {how}",
            before=number_text(baseline.loss, ".4f"), after=number_text(cell.loss, ".4f"),
            change=_signed(cell.change), how=change,
        )  # fmt: skip
    match cell.state:
        case CellState.FAILED:
            why = "" if cell.problem is None else problem_line(cell.problem)
            return tr("No loss {how}: {why}", how=change, why=why)
        case CellState.RUNNING | CellState.WAITING:
            return tr("Measuring the loss {how} …", how=change)
        case CellState.CANCELLED:
            return tr("Cancelled before the loss {how} was measured. Click it again to measure it.", how=change)
    return tr("The loss {how} is not measured yet. Click it, or press Return.", how=change)


def progress_label(progress: Progress) -> str:
    """Return how far a measurement is: "3 of 16 · 12 s left"."""
    share = tr("{done} of {count}", done=progress.done, count=progress.count)
    if progress.seconds_left is None:
        return share
    return tr("{share} · {time} left", share=share, time=duration(progress.seconds_left))


def hint(baseline: Baseline | None, tokens: int) -> str:
    """Return what can be done, and on how many tokens it is measured.

    Args:
        baseline: The loss of the model as it is; None before it was measured.
        tokens: Of the validation text; 0 for all.
    """
    count = tr("{n} validation tokens", n=number_text(tokens)) if tokens else tr("all validation tokens")
    if baseline is None:
        return tr("Click a part to measure the loss without it on {count}.", count=count)
    return tr("{loss} nats per token with all parts, on {count}", loss=number_text(baseline.loss, ".4f"), count=count)


def _status(cell: Cell) -> str:
    labels = {
        CellState.UNMEASURED: tr("not measured"),
        CellState.WAITING: tr("queued"),
        CellState.RUNNING: tr("being measured"),
        CellState.FAILED: tr("failed"),
        CellState.CANCELLED: tr("cancelled"),
    }
    return labels.get(cell.state, "")


def _signed(value: float | None) -> str:
    return "" if value is None else number_text(value, "+.4f").replace("-", "−")
