"""The settings of a text that Play writes, besides those of the sampler; without Qt."""

from __future__ import annotations

from lab.api import ModelConfig, setting


class WritingConfig(ModelConfig):
    """The length of the text, the seed, and whether it stays."""

    tokens: int = setting(300, ge=1, le=100_000, log=True, unit="tokens", help="Number of tokens to write.")
    seed: int = setting(0, ge=0, lt=2**31, help="Seed of the sampling: the same seed and model write the same text.")
    fixed_seed: bool = setting(
        False, help="Keep the seed, so that the same text is written again; off draws another one for each text."
    )
