"""How a text is decoded: the strategy, the filters in their order, and what ends the text."""

from __future__ import annotations

from pydantic import ConfigDict

from lab.api import ModelConfig, setting
from lab.recipes.choices import Choice, Choices


class Decoding(ModelConfig):
    """Everything besides model, prompt, seed and length that determines a text."""

    model_config = ConfigDict(frozen=True)

    strategy: Choice = setting(Choice(name="sampling"), help="Chooses the tokens.")
    filters: Choices = setting(
        [Choice(name="temperature"), Choice(name="top-k"), Choice(name="top-p")],
        help="The filters of the distribution, in the order in which they are applied.",
    )
    stop: list[str] = setting(
        [], label="Stop strings", help="Texts that end the text as soon as it contains one; it is cut before them."
    )
    stop_symbols: list[str] = setting([], label="Stop symbols", help="Single tokens, as text, that end the text.")
    end_of_text: bool = setting(
        True,
        label="End of text",
        help="Ends the text at the symbol for the end of a text, a turn or a target, if there is one.",
    )
