"""Translations: hypotheses of a strategy, their alignment, and their measures by the length of the source."""

import numpy as np
import pytest
import torch

from lab.api import BadInput
from lab.base import extras
from lab.base.jobs import Cancelled
from lab.decoding.stops import End
from lab.host import Plugins
from lab.recipes import Choice, Decoding, Recipe
from lab.workbench.access.untrained import Untrained
from lab.workbench.scoring import translation_measures
from lab.workbench.scoring.translation import beam_search, translate
from lab.workbench.scoring.translation_measures import Pair, bands_of, measure_translations, measures_of

PAIRS = {
    "corpus": {"name": "reversal", "rows": 60, "length": 6}, "objective": {"name": "sequence-to-sequence"},
    "tokenizer": {"name": "character"},
    "training": {"context_length": 32, "steps": 2, "batch_size": 4, "threads": 1, "device": "cpu"},
}  # fmt: skip
ATTENTION = {"name": "recurrent-encoder-decoder", "width": 16}
PLAIN = {**ATTENTION, "attention": "none", "bidirectional": False, "bridge": False}
TRANSFORMER = {"name": "encoder-decoder", "layers": 2, "width": 16, "heads": 2}


@pytest.fixture
def untrained(lab_home):
    """Return the untrained model of an architecture on reversed letters."""

    def untrained(architecture, **values):
        recipe = Recipe().with_values(PAIRS).with_values({"architecture": architecture, **values})
        return Untrained(recipe, Plugins(safe_mode=True))

    return untrained


@pytest.mark.parametrize(("architecture", "layers"), [(ATTENTION, 1), (TRANSFORMER, 2), (PLAIN, 0)])
def test_hypotheses_come_with_scores_and_with_the_weights_of_each_layer(untrained, architecture, layers):
    model = untrained(architecture)
    found = translate(model, "abc", count=6)
    assert found.labels == ("a", "b", "c")
    assert 1 < len(found.hypotheses) <= 4
    scores = [one.score for one in found.hypotheses]
    assert scores == sorted(scores, reverse=True)
    for one in found.hypotheses:
        assert len(one.alignment) == layers
        assert len(one.labels) == len(one.tokens) == len(one.nats)
        for weights in one.alignment.values():
            assert weights.shape == (len(one.tokens), 3)
            assert weights.sum(axis=1) == pytest.approx(1, abs=1e-5)
        assert (one.mean_alignment is None) == (not layers)


def test_the_log_probability_is_the_score_of_a_search_without_a_length_penalty(untrained):
    found = translate(untrained(ATTENTION), "abc", decoding=beam_search(3, 0.0), count=6)
    for one in found.hypotheses:
        assert one.log_probability == pytest.approx(one.score, abs=1e-5)


def test_greedy_decoding_has_one_hypothesis_of_the_likeliest_tokens(untrained):
    model = untrained(PLAIN)
    greedy = Decoding(strategy=Choice(name="greedy"), filters=[])
    (one,) = translate(model, "cab", decoding=greedy, count=5).hypotheses
    with model.borrow() as borrowed, torch.no_grad():
        size = model.tokenizer.vocabulary_size
        source = torch.from_numpy(model.tokenizer.encode("cab"))[None]
        read = torch.tensor([[size, *(size + 1 if token == size else token for token in one.tokens[:-1])]])
        logits = borrowed.model(read, source=source)[0]
    logits[:, size] = -torch.inf  # the symbol that begins a target is never written
    expected = [size if token == size + 1 else token for token in logits.argmax(dim=-1).tolist()]
    assert list(one.tokens) == expected


@pytest.mark.parametrize(("source", "what"), [("", "is empty"), ("aÄ", "does not occur")])
def test_a_source_that_cannot_be_read_is_refused(untrained, source, what):
    with pytest.raises(BadInput, match=what) as raised:
        translate(untrained(PLAIN), source)
    assert raised.value.problem.field == "prompt"


def test_a_source_longer_than_learned_positions_is_refused_with_their_number(untrained):
    model = untrained({**TRANSFORMER, "positions": "learned"})
    with pytest.raises(BadInput, match="longer than the positions") as raised:
        translate(model, "a" * 40)
    assert raised.value.problem.allowed == "at most 33"


def test_a_model_that_continues_texts_translates_nothing(lab_home):
    text = {"corpus": {"name": "markov"}, "tokenizer": {"name": "symbol"}}
    model = Untrained(Recipe().with_values(text), Plugins(safe_mode=True))
    with pytest.raises(BadInput, match="translates nothing") as raised:
        translate(model, "a")
    assert "pairs" in raised.value.problem.remedy


# ---- measures


def pair(source, target, written, right, tokens):
    return Pair(source, target, written, len(source), right, tokens)


PAIR_LIST = [
    pair("a", "a", "a", 2, 2), pair("ab", "ba", "ba", 3, 3), pair("abc", "cba", "cbb", 3, 4),
    pair("abcd", "dcba", "d", 1, 5), pair("abcd", "dcba", "dcba", 5, 5),
]  # fmt: skip


def test_measures_are_shares_of_pairs_and_tokens():
    found = measures_of(PAIR_LIST)
    assert (found.pairs, found.exact, found.accuracy) == (5, 0.6, 14 / 19)


def test_bleu_and_chrf_are_those_of_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu")
    texts = [("the cat sat on the mat", "the cat sat on a mat"), ("a dog", "a dog")]
    found = measures_of([pair(target, target, written, 1, 1) for target, written in texts])
    written, targets = [one for _, one in texts], [[one for one, _ in texts]]
    assert found.bleu == pytest.approx(sacrebleu.BLEU().corpus_score(written, targets).score)
    assert found.chrf == pytest.approx(sacrebleu.CHRF().corpus_score(written, targets).score)
    assert 30 < found.bleu < 100
    assert measures_of(PAIR_LIST).bleu is None  # words of letters, none of four


def test_bands_hold_all_pairs_in_the_order_of_their_lengths(monkeypatch):
    found = bands_of(PAIR_LIST)
    assert [(band.shortest, band.longest, band.measures.pairs) for band in found] == [
        (1, 2, 2), (3, 3, 1), (4, 4, 2),
    ]  # fmt: skip
    monkeypatch.setattr(translation_measures, "BANDS", 2)
    two = bands_of(PAIR_LIST)
    assert [(band.shortest, band.longest, band.measures.pairs) for band in two] == [(1, 3, 3), (4, 4, 2)]


def test_validation_pairs_are_translated_and_compared_with_their_targets(untrained):
    shares = []
    found = measure_translations(untrained(ATTENTION), pairs=4, count=8, progress=shares.append)
    assert [found.measures.pairs, len(found.pairs), shares[-1]] == [4, 4, 1.0]
    assert all(one.target == one.source[::-1] for one in found.pairs)
    assert sum(band.measures.pairs for band in found.bands) == 4
    for one in found.pairs:
        assert one.tokens == len(one.target) + 1
        assert 0 <= one.right <= one.tokens


def test_without_sacrebleu_there_are_the_other_measures_and_a_sentence(untrained, monkeypatch):
    def absent(module, extra, what):
        raise BadInput(f"{what} needs {module}, which is not installed", remedy=f'pip install "lm-lab[{extra}]"')

    monkeypatch.setattr(translation_measures, "need", absent)
    found = measure_translations(untrained(PLAIN), pairs=2, count=4)
    assert (found.measures.bleu, found.measures.chrf) == (None, None)
    assert "lm-lab[translation]" in found.problem
    assert extras.need("json", "none", "This") is not None


def test_measuring_can_be_cancelled(untrained):
    with pytest.raises(Cancelled):
        measure_translations(untrained(PLAIN), pairs=3, cancelled=lambda: True)


def test_a_run_on_a_text_has_no_targets_to_compare_with(untrained):
    model = untrained(
        TRANSFORMER, corpus={"name": "python-manual"}, objective={"name": "denoising"}, tokenizer={"name": "byte"}
    )
    with pytest.raises(BadInput, match="no targets"):
        measure_translations(model, pairs=1)
    assert np.isfinite(translate(model, "for x in y", count=4).hypotheses[0].score)


# ---- symbols of an objective in sources and targets

TEXT = {"corpus": {"name": "python-manual"}, "tokenizer": {"name": "byte"}, "objective": {"name": "span-corruption"}}


def test_sentinels_stand_in_a_source_and_in_what_is_written(untrained):
    model = untrained(TRANSFORMER, **TEXT)
    found = translate(model, "for <sentinel 0> in", decoding=beam_search(8, 0.0), count=12)
    assert found.labels == ("f", "o", "r", "␣", "<sentinel 0>", "␣", "i", "n")
    for one in found.hypotheses:
        named = [label for label in one.labels if label.startswith("<sentinel")]
        assert all(label in one.text for label in named)
        assert one.log_probability == pytest.approx(one.score, abs=1e-4)
    with model.borrow() as borrowed:
        request = model.writer(borrowed).request("a<sentinel 3>")
    assert request.symbols == 256 + 1 + 32  # bytes, the end, sentinels
    assert request.end == 256


def test_the_mask_stands_in_a_source_alone(untrained):
    model = untrained(TRANSFORMER, **{**TEXT, "objective": {"name": "denoising"}})
    assert translate(model, "a <mask>", count=3).labels[-1] == "<mask>"
    with model.borrow() as borrowed:
        assert model.writer(borrowed).request("a <mask>").symbols == 257
    assert translate(model, "a <end>", count=3).labels[-1] == ">"  # no symbol of a source


def test_text_that_is_written_shows_sentinels_where_they_stand(untrained):
    model = untrained(TRANSFORMER, **TEXT)
    with model.borrow() as borrowed:
        writer = model.writer(borrowed)
        ended = type("Ended", (), {"tokens": (257, 97, 98, 258, 99, 256), "end": End("end of text")})()
        assert writer.text_of(ended) == "<sentinel 0>ab<sentinel 1>c"
