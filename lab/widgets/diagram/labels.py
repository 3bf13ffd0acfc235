"""The texts about a part in the drawing of a model: in its box, beside the drawing, and for screen readers."""

from __future__ import annotations

import re

from lab.base.model_parts import ModelPart
from lab.base.units import short
from lab.widgets.core.i18n import localized, number_text, tr, tr_registered


def title_of(part: ModelPart) -> str:
    """Return the name of a part with the number of identical ones: "block × 12"."""
    name = parts_text(part.name)
    return name if part.count == 1 else tr("{part} × {count}", part=name, count=part.count)


def parts_text(names: str) -> str:
    """Return names of parts in the language of the window: "query, key, value", "Mamba × 3, attention + norm"."""
    known = part_names()
    pieces = re.split(r"(, | \+ | × )", names)
    return "".join(known.get(piece) or tr_registered(piece) for piece in pieces)


def part_names() -> dict[str, str]:
    """Return the labels of the parts that most models have; parts of other names are labelled with these."""
    return {
        "block": tr("block"),
        "sequence of blocks": tr("sequence of blocks"),
        "embedding": tr("embedding"),
        "positions": tr("positions"),
        "unembedding": tr("unembedding"),
        "norm": tr("norm"),
        "attention": tr("attention"),
        "query": tr("query"),
        "key": tr("key"),
        "value": tr("value"),
        "output": tr("output"),
        "feed-forward": tr("feed-forward"),
        "gate": tr("gate"),
        "up": tr("up"),
        "down": tr("down"),
    }


def note_of(part: ModelPart) -> str:
    """Return what stands dim after the name: the main parts of a block, else the shape of the output."""
    return parts_text(part.note) or shape_of(part, short_form=True)


def figure_of(part: ModelPart) -> str:
    """Return the text at the right end of a box: its parameters, "4 × 96" in four blocks; "" where there are none."""
    if part.parameters:
        around = part.copies // part.count
        if around > 1 and part.parameters % around == 0 and not part.shared:
            return f"{around} × {localized(short(part.parameters // around))}"
        return localized(short(part.parameters))
    return tr("shared") if part.shared else ""


def shape_of(part: ModelPart, *, short_form: bool = False) -> str:
    """Return the shape of a part's output: "batch × tokens × 768"; in short the last axes alone."""
    axes = (
        [axis for axis in part.shape if axis not in ("batch", "tokens", "batch · tokens")] if short_form else part.shape
    )
    names = {"batch": tr("batch"), "tokens": tr("tokens"), "batch · tokens": tr("batch · tokens")}
    return " × ".join(names.get(axis) or grouped(axis) for axis in axes)


def grouped(number: str) -> str:
    """Return a whole number with commas: "50,257"; other texts are not changed."""
    return number_text(int(number)) if number.isdigit() else number


def share_text(part: float, whole: float) -> str:
    """Return a share in percent, or "" if there is nothing to compare with."""
    if not whole:
        return ""
    share = 100 * part / whole
    return tr("{share} %", share=number_text(share, ".0f") if share >= 9.95 else number_text(share, ".2g"))


def parameters_text(part: ModelPart, tree: ModelPart) -> str:
    """Return the parameters of a part, of each copy, and their share of all."""
    if not part.parameters:
        return tr("none of its own") if part.shared else tr("none")
    text = number_text(part.parameters)
    if part.copies > 1 and part.parameters % part.copies == 0 and not part.shared:
        text = tr(
            "{all} = {count} × {each}", all=text, count=part.copies, each=number_text(part.parameters // part.copies)
        )
    share = share_text(part.parameters, tree.parameters)
    return text if part is tree or not share else tr("{number}, {share} of all", number=text, share=share)


def flops_text(part: ModelPart, tree: ModelPart) -> str:
    """Return the operations of a part in a training step per token, and their share of all."""
    if part.flops is None:
        return tr("unknown")
    if not part.flops:
        return tr("no matrix product")
    text = localized(short(part.flops))
    share = share_text(part.flops, tree.flops or 0.0)
    return text if part is tree or not share else tr("{number}, {share} of all", number=text, share=share)


def weights_text(part: ModelPart) -> str:
    """Return the shapes of a part's own weights: "2,304 × 768, 2,304"."""
    return ", ".join(" × ".join(number_text(size) for size in shape) for shape in part.weights)


def description_of(part: ModelPart, tree: ModelPart, *, is_open: bool, depth: int) -> str:
    """Return what is read aloud about a part, also its tool tip."""
    if part.kind == "table":
        pieces = [title_of(part), tr("a table that grows with the text")]
    else:
        pieces = [title_of(part), *((parts_text(part.note),) if part.note else ())]
        pieces.append(_parameters_piece(part, tree))
        if part.flops is not None:
            pieces.append(_flops_piece(part, tree))
        if part.shape:
            pieces.append(tr("output {shape}", shape=shape_of(part)))
    if part.rows:
        pieces.append(tr("unfolded") if is_open else tr("folded"))
    if depth:
        pieces.append(tr("level {depth}", depth=depth))
    return "; ".join(pieces)


def _parameters_piece(part: ModelPart, tree: ModelPart) -> str:
    """Return what is read aloud about the parameters of a part."""
    if not part.parameters:
        return tr("shares its parameters with another part") if part.shared else tr("no parameters")
    if part.parameters == 1:
        return tr("1 parameter")
    return tr("{number} parameters", number=parameters_text(part, tree))


def _flops_piece(part: ModelPart, tree: ModelPart) -> str:
    """Return what is read aloud about the operations of a part, if they are known."""
    if not part.flops:
        return tr("no FLOPs, as it has no matrix product")
    return tr("{number} FLOPs per token", number=flops_text(part, tree))
