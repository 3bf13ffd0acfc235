"""The settings of a text that Play writes, besides those of strategy and filters; without Qt."""

from __future__ import annotations

from lab.api import ModelConfig, setting


class WritingConfig(ModelConfig):
    """The length of the text, what ends it, the seed, and whether that stays."""

    tokens: int = setting(
        300, ge=1, le=100_000, log=True, unit="tokens", help="Most tokens to write. Typical: 100 to 1,000."
    )
    stop: list[str] = setting(
        [],
        label="Stop strings",
        help='The text ends before the first of these. Commas separate them; "\\n" in quotes is the end of a line.',
    )
    stop_symbols: list[str] = setting(
        [], label="Stop symbols", help="The text ends at the first of these single tokens. Commas separate them."
    )
    end_of_text: bool = setting(
        True, help="End at the symbol for the end of a text, a turn or a target, if the model has one."
    )
    seed: int = setting(0, ge=0, lt=2**31, help="Seed of the sampling: the same seed and model write the same text.")
    fixed_seed: bool = setting(
        False, help="Keep the seed, so that the same text is written again; off draws another one for each text."
    )
