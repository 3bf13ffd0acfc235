"""The score of a text: what an evaluation says of it, with stated context, and refusals in one sentence."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.base import BadInput
from lab.diagnostics.texts.surprisal import TokenScores
from lab.workbench.scoring.comparison import bits_from, compare, written_differences
from lab.workbench.scoring.scores import MOST_BYTES, TextScore, read_text_of, score_text
from lab.workbench.texts.tree import typed

GOLD, ABA = Path(__file__).parents[2] / "gold" / "lectures" / "decoding.json", "perplexity-aba"
SENTENCE = "the dog sat on the cat. a mat ran to the hat.\n"


@pytest.fixture(scope="module")
def score(opened):
    """The score of a sentence under the small transformer."""
    return score_text(opened(), SENTENCE)


@pytest.mark.parametrize("protocol", ["windows", "strided:2"])
def test_the_mean_is_the_loss_that_an_evaluation_finds(opened, tmp_path, protocol):
    (tmp_path / "sentence.txt").write_text(SENTENCE)
    evaluated = opened().evaluate(text=tmp_path / "sentence.txt", protocol=protocol)
    score = score_text(opened(), SENTENCE, protocol=protocol)
    assert score.nats_per_token == pytest.approx(evaluated.loss, rel=1e-5)
    assert score.bits_per_byte == pytest.approx(evaluated.bits_per_byte, rel=1e-5)
    assert score.scored == evaluated.targets == len(SENTENCE) - 1


def test_sum_and_product_obey_the_chain_rule(score):
    product = np.exp(-score.values.nats[1:]).prod()
    assert math.exp(-score.nats) == pytest.approx(product)
    assert score.perplexity == pytest.approx(product ** (-1 / score.scored))
    assert score.sums[-1] == pytest.approx(score.nats)


def test_sum_product_and_perplexity_of_a_text_are_those_of_a_lecture():
    """Worked example perplexity-aba: .7, .5 and .6 along (a, b, a)."""
    example = next(one for one in json.loads(GOLD.read_text(encoding="utf-8"))["examples"] if one["id"] == ABA)
    values = {one["name"]: one["value"] for one in example["steps"]}
    scores, numbers = TokenScores.empty(4, 1), np.array([2, 0, 1, 0])
    for at, share in enumerate(example["inputs"]["q"], start=1):
        logits = torch.full((1, example["inputs"]["vocabulary"]), (1 - share) / 2, dtype=torch.float64)
        logits[0, numbers[at]] = share
        scores.take(np.array([at]), logits.log(), torch.tensor(numbers[[at]]), np.array([at]))
    score = TextScore("caba", numbers, tuple("caba"), np.ones(4, np.int64), scores, {}, 0, "stream", None)
    assert np.exp(-score.sums[1:]) == pytest.approx(values["running_product"], rel=1e-9)
    assert score.nats / math.log(2) == pytest.approx(values["sum_bits"], rel=1e-9)
    assert score.bits_per_byte == pytest.approx(example["result"]["bits"], rel=1e-9)
    assert score.nats_per_token == pytest.approx(example["result"]["nats"], rel=1e-9)
    assert score.perplexity == pytest.approx(example["result"]["perplexity"], rel=1e-9)


def test_long_texts_are_read_in_windows_with_at_least_half_of_them_before_each_token(score):
    assert (score.protocol, score.context_length) == ("strided:4", 8)
    assert score.values.contexts[9:].min() >= 5
    assert score.context_sentence() == "windows of 8 tokens; after the first, 5 or more before each token"


def test_the_pieces_are_the_text(score):
    assert "".join(score.pieces()) == SENTENCE
    assert score.bits_per_character == pytest.approx(score.bits_per_byte)


def test_a_character_of_several_tokens_comes_with_its_last_byte(opened):
    score = score_text(opened("tokenizer.name=byte"), "aß€.")
    assert score.pieces() == ["a", "", "ß", "", "", "€", "."]
    assert score.bits_per_character == pytest.approx(score.bits_per_byte * 6 / 3)  # the first is not scored


def test_counting_models_score_a_stream_and_know_more(opened, n_gram):
    score = score_text(n_gram, SENTENCE)
    assert (score.protocol, score.context_length) == ("stream", None)
    assert score.nats < score_text(opened(), SENTENCE).nats


def test_a_hidden_token_s_score_is_called_pseudo(opened):
    score = score_text(opened("objective.name=masked"), SENTENCE)
    assert score.is_pseudo
    assert score.scored == len(SENTENCE)
    with pytest.raises(BadInput, match="hidden alone"):
        score_text(opened("objective.name=masked"), SENTENCE, protocol="windows")


def test_runs_of_two_tokenizers_are_compared_where_both_have_a_border(opened):
    letters, pairs = opened(), opened("tokenizer.name=bpe", "tokenizer.vocabulary_size=280")
    scores = [score_text(one, SENTENCE) for one in (letters, pairs)]
    found = compare(*scores)
    assert found.differences is None
    assert set(found.ends) <= set(scores[1].ends)
    start, per_byte, _ = bits_from(scores)
    assert start == found.ends[0]
    bits = (per_byte[1] - per_byte[0]) * (found.ends[-1] - start)
    assert found.total == pytest.approx(bits * math.log(2))


def test_the_ratio_is_the_difference_of_the_sums_and_changes_its_sign_with_the_order(opened, score):
    other = score_text(opened(text=TURNED), SENTENCE)
    found, back = compare(score, other), compare(other, score)
    assert found.total == pytest.approx(other.nats - score.nats)
    assert back.ratio == pytest.approx(-found.ratio)


TURNED = "a hat. the mat sat on the dog and ran to the cat\n" * 60


def test_tokens_of_one_vocabulary_are_compared_one_by_one(opened, score):
    longer = score_text(opened(steps=6), SENTENCE)
    found = compare(longer, score)
    assert np.nansum(found.differences) == pytest.approx(longer.nats - score.nats)


def test_a_pseudo_score_is_compared_with_no_other(opened, score):
    with pytest.raises(BadInput, match="hidden tokens"):
        compare(score_text(opened("objective.name=masked"), SENTENCE), score)


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        ("a", "is one token"),
        ("the Cat", "the character C does not occur"),
        ("a" * (MOST_BYTES + 1), "too many to score"),
    ],
)
def test_a_text_that_cannot_be_scored_is_refused(opened, text, match):
    with pytest.raises(BadInput, match=match) as refused:
        score_text(opened(), text)
    assert refused.value.problem.field == "text"


def test_files_that_hold_no_text_are_refused(tmp_path):
    (tmp_path / "a.bin").write_bytes(bytes(range(8)) * 20)
    (tmp_path / "long.txt").write_text("a" * (MOST_BYTES + 1))
    for path, match in ((tmp_path, "is a folder"), (tmp_path / "a.bin", "binary"), (tmp_path / "long.txt", "too many")):
        with pytest.raises(BadInput, match=match) as refused:
            read_text_of(path)
        assert refused.value.problem.field == "text"


@pytest.fixture
def pieces(opened):
    """A text of twelve tokens after "the "."""
    return list(opened().generate("the ", seed=1, count=12, settings={}))


def test_a_written_text_differs_from_its_own_run_by_nothing_and_from_another_by_bits(opened, n_gram, pieces):
    text = "the " + "".join(piece.text for piece in pieces)
    own = score_text(opened(), text, protocol="strided:1")
    near = written_differences("the ", pieces, own)
    assert near[:4] == pytest.approx([0.0] * 4, abs=1e-4)  # as long as neither has lost its beginning
    other = score_text(n_gram, text)
    found = written_differences("the ", pieces, other)
    total = sum(-math.log2(piece.probability) for piece in pieces) - other.values.nats[4:].sum() / math.log(2)
    assert sum(found) == pytest.approx(total)


def test_where_another_run_cuts_elsewhere_several_tokens_have_one_difference(opened, pieces):
    other = score_text(
        opened("tokenizer.name=bpe", "tokenizer.vocabulary_size=280"), "the " + "".join(one.text for one in pieces)
    )
    found = written_differences("the ", pieces, other)
    ends = set(other.ends.tolist())
    assert [at for at, value in enumerate(found) if value is not None] == [
        at for at in range(12) if 5 + at in ends and any(4 <= end < 5 + at for end in ends)
    ]
    assert None in found


def test_what_the_user_wrote_has_no_difference(opened, pieces):
    edited = [*pieces[:3], typed("cat"), *pieces[3:5]]
    text = "the " + "".join(piece.text for piece in edited)
    found = written_differences("the ", edited, score_text(opened(), text))
    assert [value is None for value in found] == [False, False, False, True, False, False]
