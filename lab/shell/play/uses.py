"""What Play says about a model by what it does with a text, its classes, a draw, and costs; without widgets."""

from __future__ import annotations

from lab.base.units import short
from lab.shell.play.model import TextCost
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.lists.bar_list import Bar
from lab.widgets.tokens.next_tokens import percent
from lab.workbench.access.answers.classes import PredictedClasses
from lab.workbench.access.next_token import TokenStages
from lab.workbench.access.text_use import TextUse


def label_of_field(use: TextUse) -> str:
    """Return the name of the field for the text."""
    named = {TextUse.SOURCE: tr("Source"), TextUse.CLASSES: tr("Text to classify")}
    return named.get(use, tr("Prompt"))


def hint_of_field(use: TextUse) -> str:
    """Return what belongs into the field for the text, as it stands there while it is empty."""
    hints = {
        TextUse.PROMPT: tr("The start of the text"),
        TextUse.SOURCE: tr("The text that the model reads before it writes"),
        TextUse.CLASSES: tr("The text whose class is predicted"),
    }
    return hints.get(use, "")


def sentence_of(use: TextUse) -> str:
    """Return what a model does with a text instead of continuing it; "" if it continues it."""
    sentences = {
        TextUse.PROMPT: "",
        TextUse.SOURCE: tr("Source: this model reads all of it, and then writes its target."),
        TextUse.CLASSES: tr("This model writes nothing. It predicts the class of a text: write one, and see the bars."),
        TextUse.HIDDEN: tr("This model predicts hidden tokens from both sides. The page Fill in asks it for them."),
        TextUse.VECTORS: tr("This model reads numbers, and no text. Inspect and Plane show what it predicts."),
        TextUse.IMAGES: tr("This model reads images, and no text. The page Canvas asks it what they show."),
        TextUse.MATCHING: tr("This model compares images with texts. The page Canvas asks it which text fits."),
        TextUse.CAPTIONS: tr(
            "This model writes captions of images, and reads no text. Train shows how well it predicts."
        ),
        TextUse.NONE: tr("This model predicts no text, and writes nothing. Train shows how well it predicts."),
    }
    return sentences[use]


def bars_of(found: PredictedClasses) -> tuple[list[str], list[Bar]]:
    """Return the names of the columns and the rows: the classes of a text, or the likeliest class of each word."""
    if not found.words:
        bars = [Bar(name, share, (percent(share),), f"{name} {percent(share)}") for name, share in found.ranked()]
        return [tr("class"), tr("probability")], bars
    bars = []
    for row, word in enumerate(found.words):
        name, share = found.ranked(row)[0]
        others = ", ".join(f"{other} {percent(its)}" for other, its in found.ranked(row))
        bars.append(Bar(glyphs(word), share, (name, percent(share)), f"{glyphs(word)}: {others}"))
    return [tr("word"), tr("likeliest class"), tr("probability")], bars


def draw_sentence(found: TokenStages) -> str:
    """Return how the next token was chosen."""
    token, draw = glyphs(found.labels[found.picked]), found.draw
    if draw is None:
        return tr("The strategy takes {token}.", token=token)
    if draw.uniform is not None and draw.interval is not None:
        low, number, high = (number_text(one, ".4f") for one in (draw.interval[0], draw.uniform, draw.interval[1]))
        return tr(
            "{token} is drawn: the uniform number {number} lies between the sums {low} and {high}.",
            token=token, number=number, low=low, high=high,
        )  # fmt: skip
    if draw.times is not None:
        time = number_text(float(draw.times[found.picked]), ".4f")
        return tr("{token} is drawn: its exponential time, {time}, is the shortest.", token=token, time=time)
    if draw.method == "largest":
        return tr("{token} is taken: it is the likeliest one left.", token=token)
    return tr("{token} is chosen by {method}.", token=token, method=draw.method)


def costs_of(cost: TextCost) -> list[str]:
    """Return what a text cost, and the figures of its strategy, in parts."""
    parts = [tr("first token after {n} ms", n=number_text(1000 * cost.to_first, ",.0f"))]
    if cost.state_bytes:
        parts.append(tr("decoding state {size}", size=f"{localized(short(cost.state_bytes))}B"))
    return [*parts, *(_figure(name, value) for name, value in cost.figures.items())]


def _figure(name: str, value: float) -> str:
    """Return a figure of a strategy; those of plugins have the names that these give them."""
    if name == "acceptance rate":
        return tr("{share} of the draft's tokens accepted", share=percent(value))
    if name == "tokens per pass":
        return tr("{n} tokens per pass of the model", n=number_text(value, ".2f"))
    return f"{name} {number_text(value, '.3g')}"
