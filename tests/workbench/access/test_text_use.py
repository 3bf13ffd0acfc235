"""What a text means to a model: a prompt, a source, a text with classes, or nothing."""

import numpy as np
import pytest
import torch

from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.access.text_use import TextUse
from lab.workbench.access.untrained import Untrained

SMALL = {"architecture": {"layers": 1, "width": 16, "heads": 2}, "training": {"context_length": 96}}
KINDS = {
    "reversal": ("encoder-decoder", "sequence-to-sequence", "character", TextUse.SOURCE),
    "polarity": ("transformer", "classification", "word", TextUse.CLASSES),
    "parts-of-speech": ("transformer", "classification", "word", TextUse.CLASSES),
    "points": ("transformer", "classification", "none", TextUse.VECTORS),
    "digits": ("transformer", "classification", "none", TextUse.IMAGES),
    "shapes": ("encoder-decoder", "captions", "character", TextUse.CAPTIONS),
    "text": ("transformer", "causal", "character", TextUse.PROMPT),
    "python-manual": ("transformer", "masked", "character", TextUse.HIDDEN),
    "sine": ("transformer", "regression", "none", TextUse.VECTORS),
}


@pytest.fixture
def untrained(lab_home):
    """Return the untrained model of a corpus."""

    def untrained(corpus):
        architecture, objective, tokenizer, _ = KINDS[corpus]
        rows = {"rows": 60} if corpus in ("reversal", "polarity", "parts-of-speech") else {}
        named = {
            "corpus": {"name": corpus, **rows}, "tokenizer": {"name": tokenizer}, "objective": {"name": objective},
            "architecture": {"name": architecture},
        }  # fmt: skip
        return Untrained(Recipe().with_values(named).with_values(SMALL), Plugins(safe_mode=True))

    return untrained


@pytest.mark.parametrize("corpus", KINDS)
def test_a_model_says_what_it_does_with_a_text_without_reading_its_corpus(corpus, untrained):
    model = untrained(corpus)
    assert model.text_use is KINDS[corpus][-1]
    assert model._built is None


def test_the_default_source_is_that_of_the_first_validation_row(untrained):
    model = untrained("reversal")
    source, length = model.evaluation_data().source.question()
    prompt = model.default_prompt()
    assert prompt == model.tokenizer.decode(source)
    assert len(prompt) == length


def test_a_classifier_gives_the_distribution_over_the_classes_of_a_text(untrained):
    model = untrained("polarity")
    found = model.classify(model.default_prompt())
    assert (found.step, sorted(found.names), found.words) == (0, ["negative", "positive"], ())
    assert sum(found.shares[0]) == pytest.approx(1)
    assert [name for name, _ in found.ranked()] == sorted(
        found.names, key=lambda name: -found.shares[0][found.names.index(name)]
    )


def test_a_classifier_of_words_gives_each_word_of_a_text_its_classes(untrained):
    model = untrained("parts-of-speech")
    text = model.default_prompt()
    found = model.classify(text)
    assert found.words == tuple(text.split())
    assert len(found.shares) == len(found.words)
    one = model.evaluation_data().source.ordered().rows(np.zeros(1, np.int64), 0)
    assert len(found.words) == (one["label"][0] >= 0).sum()


def test_classes_of_a_text_are_those_of_its_row(untrained):
    model = untrained("polarity")
    data = model.evaluation_data()
    batch = data.objective.batch(data.source.ordered(), np.arange(1), 0)
    with model.borrow() as borrowed, torch.no_grad():
        expected = borrowed.model(batch.inputs["tokens"], mask=batch.inputs["mask"]).softmax(dim=-1)[0]
    assert model.classify(model.default_prompt()).shares[0] == pytest.approx(expected.tolist(), abs=1e-6)


@pytest.mark.parametrize(
    ("corpus", "text", "field"),
    [("reversal", "abc", "objective.name"), ("polarity", "", "prompt"), ("polarity", "bad " * 97, "prompt")],
)
def test_what_cannot_be_classified_is_refused_by_its_field(corpus, text, field, untrained):
    with pytest.raises(BadInput) as refused:
        untrained(corpus).classify(text)
    assert refused.value.problem.field == field
