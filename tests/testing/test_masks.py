"""A model that cannot do without its mask fails in the suite, which names the remedy."""

import pytest
from torch import nn

from lab.api import Architecture, StackConfig
from lab.layers import Attention, CrossAttention, Encoder, EncoderDecoder, LanguageModel
from lab.testing import check_architecture

CONFIG = StackConfig(layers=1, width=8)


class Mean(LanguageModel):
    """Classes from the mean of the embeddings."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.head = nn.Linear(config.width, task.classes)

    def forward(self, tokens, mask=None):
        x = self.embedding(tokens)
        weights = x.new_ones(tokens.shape) if mask is None else mask.to(x)
        return self.head((x * weights[..., None]).sum(1) / weights.sum(1, keepdim=True))


class NeedsItsMask(Mean):
    def forward(self, tokens, mask):
        return super().forward(tokens, mask)


class Unmasked(LanguageModel):
    """Symbols from the mean of all embeddings; it takes no mask."""

    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.head = nn.Linear(config.width, task.vocabulary_size)

    def forward(self, tokens):
        x = self.embedding(tokens)
        return self.head(x + x.mean(dim=1, keepdim=True))


def translator(config, task, kind=EncoderDecoder):
    encoder = Encoder(config, task, token_mixer=lambda slot: Attention(slot, heads=2))
    return kind(
        config,
        task,
        encoder=encoder,
        cross=lambda slot: CrossAttention(slot, heads=2),
        token_mixer=lambda slot: Attention(slot, heads=2),
    )


class NeedsItsSourceMask(EncoderDecoder):
    def forward(self, tokens, *, source, source_mask):
        return super().forward(tokens, source=source, source_mask=source_mask)


class StartsWithItsSourceMask(EncoderDecoder):
    def start(self, batch, *, source, source_mask):
        return super().start(batch, source=source, source_mask=source_mask)


def failures_of(build, task):
    card = Architecture("mine", "Mine", "own", "Own.", StackConfig, build, tasks=frozenset({task}))
    return {failure.check: str(failure) for failure in check_architecture(card, config=CONFIG)}


def test_a_classifier_that_needs_its_mask_fails_with_the_remedy():
    assert failures_of(Mean, "classification") == {}
    (failure,) = failures_of(NeedsItsMask, "classification").items()
    assert failure[0] == "label-mask"
    assert "write mask=None in the signature" in failure[1]


@pytest.mark.parametrize("kind", [NeedsItsSourceMask, StartsWithItsSourceMask])
def test_a_translator_that_needs_the_mask_of_its_source_fails_with_the_remedy(kind):
    found = failures_of(lambda config, task: translator(config, task, kind), "sequence-to-sequence")
    assert "write source_mask=None in the signature" in found["source-mask"]


def test_a_model_of_hidden_tokens_that_takes_no_mask_fails_with_the_remedy():
    found = failures_of(Unmasked, "masked")
    assert found.keys() == {"padding"}
    assert "write mask=None in the signature" in found["padding"]
