"""What a tokenizer is fitted to: the training part, unless it could not read the rest; and where that part ends."""

import pytest

from lab.api import LongText, Text
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.fitting import ANOTHER, FITTED_TO, fitting_message
from lab.text.fitting import border_of, text_to_fit
from lab.training.experiment import prepare
from lab.training.material import Fitted

TRAINING = "the quick brown fox jumps over the lazy dog. " * 18  # 810 characters
ENDS = ("zebras zoom zigzag! " * 5)[:90], ("ñandúes ñoños, y más ñ. " * 4)[:90]
LEARNED = ("bpe", "unigram", "word")


@pytest.fixture(scope="module")
def plugins():
    """The lab's own plugins."""
    return Plugins(safe_mode=True).load()


@pytest.fixture
def experiment(plugins):
    """Prepare a small training on a text."""

    def experiment(text, tokenizer, *assignments, **known):
        recipe = Recipe().with_values({
            "corpus": {"name": "text", "text": text},
            "tokenizer": {"name": tokenizer},
            "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
            "training": {"steps": 2, "batch_size": 4, "context_length": 8, "device": "cpu", "threads": 1},
        })  # fmt: skip
        return prepare(recipe.with_assignments(*assignments), plugins, **known)

    return experiment


@pytest.mark.parametrize("tokenizer", LEARNED)
def test_a_learned_vocabulary_does_not_depend_on_the_validation_text(experiment, tokenizer):
    one, other = (experiment(TRAINING + end, tokenizer) for end in ENDS)
    assert one.tokenizer.vocabulary() == other.tokenizer.vocabulary()
    assert one.corpus[FITTED_TO] == "training"


@pytest.mark.parametrize("tokenizer", [*LEARNED, "byte", "character"])
def test_validation_starts_behind_the_text_that_the_tokenizer_was_fitted_to(experiment, tokenizer):
    made = experiment(TRAINING + ENDS[0], tokenizer)
    assert made.tokenizer.decode(made.validation.tokens) == ENDS[0]
    assert made.tokenizer.decode(made.train.tokens) == TRAINING


def test_characters_are_taken_from_all_of_the_text(experiment):
    made = experiment(TRAINING + ENDS[1], "character")
    assert "ñ" in made.tokenizer.characters
    assert made.corpus[FITTED_TO] == "all"


def test_a_vocabulary_of_an_older_run_splits_the_tokens_by_their_number(experiment):
    text = TRAINING + ENDS[0]
    new = experiment(text, "bpe")
    old = experiment(text, "bpe", vocabulary=new.tokenizer.vocabulary())
    assert len(old.train.tokens) == int(0.9 * (len(old.train.tokens) + len(old.validation.tokens)))
    assert old.corpus[FITTED_TO] == "all"
    again = experiment(text, "bpe", vocabulary=new.tokenizer.vocabulary(), fitted=Fitted("training"))
    assert again.train.tokens.tolist() == new.train.tokens.tolist()


def test_the_vocabulary_of_another_text_or_part_is_called_so():
    fitted = Fitted("training", "a", 0.9)
    assert fitted.to_part_of("a", 0.9) == "training"
    assert fitted.to_part_of("b", 0.9) == fitted.to_part_of("a", 0.8) == ANOTHER
    assert Fitted().to_part_of("a", 0.9) == "all"


def test_a_long_text_is_fitted_within_its_training_part_and_its_beginning():
    text = "abcdefghij" * 10
    pieces = [text[start : start + 7] for start in range(0, 100, 7)]
    for beginning, share, expected in (("abcdefghij", 0.5, 10), (text[:80] + "z", 0.5, 50)):
        given = LongText(lambda: iter(pieces), "long", beginning, 100, 100, "")
        assert text_to_fit(given, share) == text[:expected]
    assert text_to_fit(Text(text, "short"), 0.25) == text[:25]


def test_a_token_across_the_border_belongs_to_training(experiment):
    tokenizer = experiment(TRAINING + ENDS[0], "bpe").tokenizer
    tokens, sizes = tokenizer.encode(TRAINING), tokenizer.sizes()
    for characters in range(100, 120):
        border = border_of(TRAINING, tokens, sizes, (characters + 0.5) / len(TRAINING))
        assert sizes[tokens[: border - 1]].sum() < characters <= sizes[tokens[:border]].sum()


def test_a_run_says_what_its_tokenizer_was_fitted_to():
    assert "training part" in fitting_message("bpe", "training")
    assert "validation part included" in fitting_message("bpe", None)
    assert "not fitted" in fitting_message("byte", None)
