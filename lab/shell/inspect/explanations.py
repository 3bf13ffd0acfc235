"""Explanations of the cards of Inspect that combine several readings or measure something themselves."""

from __future__ import annotations

from lab.api import Explanation
from lab.host import Plugins
from lab.shell.inspect.gallery.reading_selection import Key
from lab.shell.inspect.inspection_view import ABLATION, LENGTHS, MAPS, SAMPLE, STATE
from lab.widgets.core.i18n import tr
from lab.widgets.readings.views import SEPARATOR

COMBINED = (MAPS, STATE, LENGTHS, ABLATION, SAMPLE)
"""The cards that combine several readings or measure something themselves."""


def explanation_of(key: Key, own: str, plugins: Plugins) -> Explanation | None:
    """Return the explanation of a card; None where nobody gave one.

    Args:
        key: The card's readings.
        own: The name of a plugin's own view; "" for that of the kit.
        plugins: The plugins that explain their readings.
    """
    view = plugins.cards("views")[own] if own else None
    if view is not None and (view.explanation is not None or not view.replaces):
        found: Explanation | None = view.explanation
        return found
    if key in COMBINED:
        return _combined()[key]
    return plugins.explanation(key[0].partition(SEPARATOR)[0])


def _combined() -> dict[Key, Explanation]:
    return {
        MAPS: Explanation(
            shows=tr("Attention, or what takes its place: where each position takes its input from"),
            how=tr(
                "Rows are positions that read, columns tokens that are read. The menu above offers the maps that were "
                "read: what a layer reads (its own weights), rollout (what is left after all layers), influence (on "
                "the prediction). The last two need their probe, in the list of cards at the right."
            ),
            example=tr("Attention may pick any column of a row; a recurrent layer fades to the left."),
            formula=r"y_t = \sum_{s \leq t} M_{ts}\, x_s",
            symbols={
                "y_t": tr("the output at position t"),
                "M_{ts}": tr("the weight of token s at position t: a cell of the map"),
                "x_s": tr("the input at token s"),
            },
            parts={"M_{ts}": "tokens"},
            question="attention",
        ),
        STATE: Explanation(
            shows=tr("What a layer stores from token to token, and how much it still knows of earlier ones"),
            how=tr(
                "Choose a quantity above. Step size and write strength say how much a token is written, decay and "
                "half-life how soon it fades, the eigenvalues whether a state lasts or turns."
            ),
            example=tr("A half-life of hundreds of tokens carries what the text is about; one of two is a window."),
            formula=r"S_t = A_t\, S_{t-1} + B_t\, x_t",
            symbols={
                "S_t": tr("the state after token t"),
                "A_t": tr("what is left of the state before"),
                "B_t": tr("how the token is written"),
                "x_t": tr("the input at token t"),
            },
            parts={"S_t": "tokens", "A_t": "tokens", "B_t": "tokens"},
            question="memory",
        ),
        LENGTHS: Explanation(
            shows=tr("The loss on texts that are longer than those of the training"),
            how=tr("The line at the right of the trained length shows whether the model generalises to longer texts."),
            example=tr(
                "Measured at four times the trained length, in nats: ALiBi −0.02, no positions +0.04, T5 +0.09, "
                "sinusoidal +0.18, rotary +0.23."
            ),
            question="memory",
        ),
        ABLATION: Explanation(
            shows=tr("How much worse the model predicts when one part is left out"),
            how=tr(
                "Click a cell to measure it. Near zero: the model does as well without this part, perhaps because "
                "another one does the same."
            ),
            example=tr("+0.30 nats for a head: without it every token costs 0.30 nats more."),
            formula=r"\Delta = \mathcal{L}(\mathrm{without\ the\ part}) - \mathcal{L}",
            symbols={
                r"\Delta": tr("how much worse the model predicts without the part"),
                r"\mathcal{L}": tr("the validation loss of the model in nats per token"),
            },
            question="work",
        ),
        SAMPLE: Explanation(
            shows=tr("A text that the model wrote at this step"),
            how=tr("Move the slider: first letters, then words, then sentences become right."),
            question="prediction",
        ),
    }
