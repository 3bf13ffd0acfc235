"""Encoder-decoders: their cards, their sources, and the objectives that make pairs from a text."""

import itertools

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, settings_of
from lab.testing.cards import offer_of
from lab.text.streams import TokenSource
from lab_seq2seq.denoising import Denoising, SpanCorruption, partition, poisson, sentence_starts
from lab_seq2seq.denoising_settings import DenoisingConfig, SpanCorruptionConfig
from lab_seq2seq.encoder_decoder import build as build_transformer
from lab_seq2seq.encoder_decoder_card import PRESETS, SIZES, EncoderDecoderConfig
from lab_seq2seq.recurrent import build, turned
from lab_seq2seq.recurrent_card import RecurrentEncoderDecoderConfig

TASK = Task(9, 16, source_vocabulary_size=9)
SYMBOLS = 7
PLAIN = {"attention": "none", "bidirectional": False, "bridge": False}


def test_it_registers_both_architectures_the_formats_and_the_objectives():
    offer = offer_of(None, "lab_seq2seq")
    assert list(offer.architectures) == ["recurrent-encoder-decoder", "encoder-decoder"]
    for card in offer.architectures.values():
        assert card.tasks == frozenset({"sequence-to-sequence"})
        assert all(setting.help.endswith(".") for setting in settings_of(card.config))


@pytest.mark.parametrize("preset", SIZES)
def test_published_sizes_have_about_the_parameters_of_their_papers(preset):
    for size in SIZES[preset]:
        settings = {**PRESETS[preset]["architecture"], **size.settings}
        with torch.device("meta"):
            task = Task(size.vocabulary_size, size.context_length, source_vocabulary_size=size.vocabulary_size)
            model = build_transformer(EncoderDecoderConfig(**settings), task)
        assert sum(parameter.numel() for parameter in model.parameters()) == pytest.approx(size.parameters, rel=0.03)


# ---- sources


@pytest.fixture(params=["recurrent", "attention", "sinusoidal", "learned"])
def model(request):
    torch.manual_seed(0)
    if request.param in ("sinusoidal", "learned"):
        config = EncoderDecoderConfig(layers=1, width=8, heads=2, positions=request.param)
        return build_transformer(config, TASK).eval()
    settings = {} if request.param == "attention" else PLAIN
    return build(RecurrentEncoderDecoderConfig(width=8, **settings), TASK).eval()


def test_a_source_that_cannot_be_read_is_refused_in_a_sentence(model):
    tokens, source = torch.zeros(2, 3, dtype=torch.long), torch.ones(2, 4, dtype=torch.long)
    with pytest.raises(BadInput, match="none is given"):
        model(tokens)
    with pytest.raises(BadInput, match="is empty"):
        model(tokens, source=source[:, :0])
    mask = torch.tensor([[True, True, False, False], [False] * 4])
    with pytest.raises(BadInput, match="nothing but padding") as raised:
        model(tokens, source=source, source_mask=mask)
    assert raised.value.problem.field == "source_mask"


def test_only_learned_positions_limit_the_source(model):
    tokens, source = torch.zeros(1, 3, dtype=torch.long), torch.ones(1, 20, dtype=torch.long)
    if getattr(model, "positions", "") == "learned":
        with pytest.raises(BadInput, match="longer than the positions") as raised:
            model(tokens, source=source)
        assert raised.value.problem.allowed == "at most 16"
    else:
        assert model(tokens, source=source).isfinite().all()


def test_source_and_target_may_come_in_the_order_in_which_they_are_read(model):
    tokens, source = torch.randint(9, (2, 3)), torch.randint(9, (2, 4))
    assert model(source, tokens).equal(model(tokens, source=source))


def test_a_source_is_turned_behind_no_padding():
    x = torch.arange(8.0).view(2, 4, 1)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    found = turned(x, mask)[..., 0].tolist()
    assert found[0] == [3, 2, 1, 0]
    assert found[1][:2] == [5, 4]
    assert turned(turned(x, mask), mask).equal(x)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"attention": "dot", "encoder_width": 6, "bridge": True}, "dot compares states of one width"),
        ({"encoder_width": 6}, "choose a projected state"),
        ({"width": 9, "bidirectional": True}, "choose a projected state"),
    ],
)
def test_states_of_other_widths_need_a_projection(settings, what):
    with pytest.raises(BadInput, match=what):
        RecurrentEncoderDecoderConfig.read({"width": 8, **PLAIN, **settings})


# ---- pairs from a text


def texts(length=40, count=4000):
    tokens = np.random.default_rng(0).integers(0, SYMBOLS, count)
    return TokenSource(tokens, SYMBOLS, length)


def unpacked(batch):
    read, mask = batch.inputs["source"].numpy(), batch.inputs["source_mask"].numpy()
    targets = batch.targets.numpy()
    return [
        (row[seen].tolist(), target[target >= 0].tolist())
        for row, seen, target in zip(read, mask, targets, strict=True)
    ]


def test_corrupted_spans_put_back_give_the_text():
    source, objective = texts(), SpanCorruption(SpanCorruptionConfig(sentinels=5))
    examples = np.arange(50)
    begin, end, first = (objective.symbol(source, name) for name in ("begin", "end", "sentinel 0"))
    assert objective.task(source).vocabulary_size == SYMBOLS + 7
    batch = objective.batch(source, examples, 3)
    assert (batch.inputs["tokens"][:, 0] == begin).all()
    lengths = []
    for (read, written), row in zip(unpacked(batch), source.rows(examples, 3)["tokens"], strict=True):
        assert written[-1] == end
        spans, at = {}, None
        for token in written[:-1]:
            if token >= first:
                at = token
                spans[at] = []
            else:
                spans[at].append(token)
        assert list(spans) == [first, first + 1]  # 6 of 40 tokens in spans of 3
        restored = [token for one in read for token in spans.get(one, [one])]
        assert restored == row[:40].tolist()
        lengths += map(len, spans.values())
    assert sum(lengths) == 50 * 6
    assert len(set(lengths)) > 2


def test_a_text_of_one_token_is_cut_out_whole():
    source = texts(length=4, count=6)
    objective = SpanCorruption(SpanCorruptionConfig())
    pair = objective.pair(source, np.array([5]), np.zeros((4, 4)))
    assert [one.tolist() for one in pair] == [[SYMBOLS], [SYMBOLS, 5]]


@pytest.mark.parametrize("noise", ["masking", "deletion", "infilling", "rotation"])
def test_denoising_writes_the_text_itself(noise):
    source, objective = texts(), Denoising(DenoisingConfig(noise=noise, share=0.3))
    examples = np.arange(200)
    mask = objective.symbol(source, "mask")
    rows = source.rows(examples, 3)["tokens"][:, :40].tolist()
    found = unpacked(objective.batch(source, examples, 3))
    assert [written[:-1] for _, written in found] == rows
    reads = [read for read, _ in found]
    if noise == "masking":
        assert all(read.count(mask) == 12 and len(read) == 40 for read in reads)
    elif noise == "deletion":
        assert all(mask not in read and len(read) == 28 for read in reads)
    elif noise == "rotation":
        assert all(sorted(read) == sorted(row) for read, row in zip(reads, rows, strict=True))
        assert any(read != row for read, row in zip(reads, rows, strict=True))
    else:
        left = np.mean([len(read) - read.count(mask) for read in reads])
        assert left == pytest.approx(28, abs=1.5)  # the end of a window cuts some spans short
        assert np.mean([read.count(mask) for read in reads]) == pytest.approx(4, abs=1)


class Sentences:
    """A text of which symbol 0 is a space, and 1 a full stop."""

    vocabulary_size, context_length = SYMBOLS, 12

    def __init__(self, row):
        self.row = row

    def rows(self, examples, _seed):
        return {"tokens": np.tile(self.row, (len(examples), 1))}

    @staticmethod
    def sentences():
        symbols = np.arange(SYMBOLS)
        return symbols == 0, symbols == 1, np.zeros(SYMBOLS, bool)


def test_sentences_are_permuted_as_a_whole_and_begin_at_the_space_behind_a_full_stop():
    row = [5, 1, 0, 6, 1, 4, 1, 0, 3, 0, 2, 2]  # the stop before 4 has no space behind it
    source, objective = Sentences(row), Denoising(DenoisingConfig(noise="permutation"))
    pieces = ((5, 1), (0, 6, 1, 4, 1), (0, 3, 0, 2, 2))
    found = unpacked(objective.batch(source, np.arange(200), 3))
    assert all(written[:-1] == row for _, written in found)
    orders = {sum(order, ()): 0 for order in itertools.permutations(pieces)}
    for read, _ in found:
        orders[tuple(read)] += 1
    assert len(orders) == 6
    assert min(orders.values()) > 15


def test_a_sentence_may_end_without_a_space_behind_it():
    source, symbols = Sentences([]), np.arange(SYMBOLS)
    source.sentences = lambda: (symbols == 0, symbols == 1, symbols == 2)
    found = sentence_starts(source, np.array([5, 2, 4, 1, 3, 1, 0, 2]))
    assert found.tolist() == [2, 6]


@pytest.mark.parametrize("known", [(True, False, False), (False, True, False)])
def test_a_tokenizer_whose_symbols_end_no_sentence_is_refused(known):
    source = Sentences([5, 1, 0, 6])
    source.sentences = lambda: tuple(np.full(SYMBOLS, flag) for flag in known)
    with pytest.raises(BadInput, match="do not show where sentences end") as refused:
        Denoising(DenoisingConfig(noise="permutation")).batch(source, np.arange(2), 3)
    assert refused.value.problem.field == "objective.noise"


def test_a_source_that_does_not_know_its_sentences_is_refused():
    objective = Denoising(DenoisingConfig(noise="permutation"))
    with pytest.raises(BadInput, match="ends of sentences are known"):
        objective.batch(texts(), np.arange(2), 3)


def test_pairs_depend_on_seed_and_number_alone():
    source, objective = texts(), Denoising(DenoisingConfig())
    together = objective.batch(source, np.array([3, 8]), 1)
    alone = objective.batch(source, np.array([8]), 1)
    assert unpacked(together)[1] == unpacked(alone)[0]
    assert unpacked(objective.batch(source, np.array([8]), 2)) != unpacked(alone)


def test_rows_that_are_no_text_are_refused():
    class Rows:
        vocabulary_size, context_length = 5, 4

        def rows(self, _examples, _seed):
            return {"source": np.zeros((1, 3), np.int64)}

    with pytest.raises(BadInput, match="is no text") as raised:
        Denoising(DenoisingConfig()).batch(Rows(), np.zeros(1, np.int64), 0)
    assert raised.value.problem.field == "objective.name"


def test_partitions_have_no_empty_part_and_spans_of_the_poisson_distribution_may():
    draws = np.random.default_rng(0).random((200, 20))
    for row in draws:
        parts = partition(12, 4, row)
        assert parts.sum() == 12
        assert parts.min() >= 1
    counts = poisson(3.0, draws.ravel())
    assert counts.min() == 0
    assert counts.mean() == pytest.approx(3, abs=0.1)
    assert counts.var() == pytest.approx(3, abs=0.25)
