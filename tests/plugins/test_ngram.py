"""The n-gram model: counting in slices, and that score, forward, extend and step tell one story."""

import copy
import functools
import math
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import lab_ngram
from lab.api import BadInput, Task, capture, select_state
from lab_ngram import NgramConfig
from lab_ngram.counts import Counts
from lab_ngram.model import NgramModel

SMOOTHINGS = (
    "modified-kneser-ney", "kneser-ney", "absolute-discounting", "katz", "witten-bell", "jelinek-mercer", "add-k",
    "laplace", "stupid-backoff",
)  # fmt: skip


def made(V, text=(), **config):
    """A model of V symbols that has counted a text, answering in float64."""
    model = NgramModel(NgramConfig(**config), Task(vocabulary_size=V, context_length=8)).double()
    model.count(np.array(text, dtype=np.int64))
    return model


def random_tokens(size, V, seed=0):
    """Return tokens in which small numbers are frequent, so that contexts repeat."""
    return (V * np.random.default_rng(seed).random(size) ** 4).astype(np.int64)


# ---- counting ----


def assert_same_tables(one, other):
    assert one.keys() == other.keys()
    for name, table in one.items():
        assert torch.equal(table, other[name]), name


@given(
    text=st.lists(st.integers(0, 4), max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=6),
    order=st.integers(1, 6),
)
@settings(max_examples=15, deadline=None)
def test_slices_counted_one_by_one_give_the_tables_of_the_whole(text, cuts, order):
    whole, sliced = made(5, text, order=order), made(5, order=order)
    for piece in np.split(np.array(text, dtype=np.int64), sorted(min(cut, len(text)) for cut in cuts)):
        sliced.count(piece)
    assert_same_tables(sliced.tables(), whole.tables())
    assert whole.counts.tail.tolist() == text[max(0, len(text) - order + 1) :]


def test_unequal_slices_shorter_than_the_order_count_as_if_at_once():
    text = random_tokens(12, 3)
    sliced = made(3, order=7)
    for piece in np.split(text, [2, 5]):  # 2, 3 and 7 tokens
        sliced.count(piece)
    assert_same_tables(sliced.tables(), made(3, text, order=7).tables())


def test_slices_of_sparse_codes_count_as_if_at_once():
    text = random_tokens(2000, 50_000)
    sliced = made(50_000, order=4)
    for piece in np.split(text, [3, 700, 701]):
        sliced.count(piece)
    assert_same_tables(sliced.tables(), made(50_000, text, order=4).tables())


@pytest.mark.parametrize(
    ("tokens", "message"),
    [([0, 5], "from 0 to 4"), ([-1], "from 0 to 4"), ([0.5], "integers"), ([True], "integers")],
)
def test_what_is_no_symbol_is_not_counted(tokens, message):
    model = made(5, [1, 2, 3])
    before = model.counts.grams
    with pytest.raises(ValueError, match=message):
        model.count(np.array(tokens))
    assert model.counts.grams is before


def test_what_is_no_symbol_is_not_read():
    model = made(5, [1, 2, 3])
    with pytest.raises(ValueError, match="from 0 to 4"):
        model(torch.tensor([[7]]))
    with pytest.raises(ValueError, match="from 0 to 4"):
        model.score(torch.tensor([[1]]), torch.tensor([[5]]))


# ---- one story ----


@pytest.fixture(params=SMOOTHINGS)
def model(request):
    return made(9, random_tokens(400, 8), order=4, smoothing=request.param)


@pytest.fixture
def tokens():
    return torch.from_numpy(random_tokens((5, 23), 9, seed=2))


def test_score_is_the_log_probability_that_forward_gives(model, tokens):
    logits = model(tokens[:, :-1])
    assert torch.allclose(logits.logsumexp(-1), torch.zeros(5, 22, dtype=torch.float64), atol=1e-12)
    picked = logits.gather(-1, tokens[:, 1:, None])[..., 0]
    assert torch.allclose(model.score(tokens[:, :-1], tokens[:, 1:]), picked, atol=1e-12)


def test_extending_in_unequal_pieces_and_stepping_give_what_forward_gives(model, tokens):
    whole = model(tokens)
    state, pieces = model.start(5), []
    for piece in tokens.split([1, 2, 7, 13], dim=1):
        logits, state = model.extend(piece, state)
        pieces.append(logits)
    assert torch.equal(torch.cat(pieces, dim=1), whole)
    stepped = model.start(5)
    for t in range(23):
        logits, stepped = model.step(tokens[:, t], stepped)
        assert torch.equal(logits, whole[:, t])
    assert torch.equal(stepped, state)
    assert state.shape == (5, model.history)


def test_extend_gives_the_last_logits_alone_on_request(model, tokens):
    logits, _ = model.extend(tokens, model.start(5), last=3)
    assert torch.equal(logits, model(tokens)[:, -3:])


def test_a_state_serves_several_branches_and_other_rows(model, tokens):
    _, root = model.extend(tokens[:, :6], model.start(5))
    rows = torch.tensor([3, 3, 0])
    _, left = model.step(tokens[:, 6], root)
    right, _ = model.extend(tokens[rows, 7:10], select_state(root, rows))
    assert torch.equal(model.step(tokens[:, 7], left)[0], model(tokens[:, :8])[:, -1])
    assert torch.equal(right, model(torch.cat([tokens[rows, :6], tokens[rows, 7:10]], dim=1))[:, 6:])


def test_exactly_the_tokens_of_the_history_change_a_score():
    model = made(3, random_tokens(300, 3), order=4)
    for changed in range(6):
        one = torch.tensor([[0, 0, 0, 0, 0, 0]])
        other = one.clone()
        other[0, changed] = 1
        differs = model(one)[0, -1].ne(model(other)[0, -1]).any()
        assert differs == (changed >= 5 - model.history)  # and the token read last


def test_targets_below_zero_score_zero(model, tokens):
    targets = tokens.roll(-1, dims=1)
    masked = torch.where(torch.arange(23) % 3 == 0, -1, targets)
    scored = model.score(tokens, masked)
    assert (scored[masked < 0] == 0).all()
    assert torch.equal(scored[masked >= 0], model.score(tokens, targets)[masked >= 0])


@pytest.mark.parametrize("order", [1, 2, 3, 6])
def test_work_done_in_pieces_gives_what_it_gives_at_once(order, monkeypatch, tokens):
    model = made(9, random_tokens(400, 8), order=order)
    scored, logits = model.score(tokens, tokens.roll(-1, dims=1)), model(tokens)
    monkeypatch.setattr("lab_ngram.model.POSITIONS_AT_ONCE", 10)
    monkeypatch.setattr("lab_ngram.model.NUMBERS_AT_ONCE", 30)
    assert torch.equal(model.score(tokens, tokens.roll(-1, dims=1)), scored)
    assert torch.equal(model(tokens), logits)


def test_answers_have_the_dtype_of_the_model(tokens):
    single = made(9, [1, 2, 3]).float()
    assert single(tokens).dtype == single.score(tokens, tokens).dtype == torch.float32
    assert made(9).score(tokens, tokens).dtype == torch.float64


def test_on_the_meta_device_shapes_come_without_numbers():
    model = made(50_000, order=5)
    tokens = torch.empty(3, 8, dtype=torch.int64, device="meta")
    assert model(tokens).shape == (3, 8, 50_000)
    assert model(tokens).is_meta
    assert model.score(tokens, tokens).is_meta
    assert model.step(tokens[:, 0], model.to("meta").start(3))[1].is_meta


# ---- live edits, readings, tables ----


def test_a_live_edit_acts_like_a_model_made_with_the_new_values(tokens):
    model = made(9, random_tokens(400, 8), smoothing="add-k", k=1.0)
    edits = [{"k": 0.01}, {"smoothing": "jelinek-mercer"}, {"weight": 0.3}, {"weight": None}, {"answer_order": 3}]
    for changed in (*edits, {"smoothing": "stupid-backoff"}, {"backoff": 0.9}, {"smoothing": "witten-bell"}):
        for name, value in changed.items():
            model.config.change(name, value)
        anew = made(9, random_tokens(400, 8), **model.config.model_dump())
        assert torch.equal(model(tokens), anew(tokens))


def test_the_order_cannot_change_while_a_run_trains():
    with pytest.raises(BadInput, match="cannot change"):
        NgramConfig().change("order", 3)


def test_the_reading_order_is_the_share_of_each_order(tokens):
    model = made(4, [0, 1, 0, 2], order=2, smoothing="witten-bell")
    with capture(model, ["order"]) as readings:
        model(torch.tensor([[0, 2, 3]]))
    (reading,) = readings
    assert (reading.name, reading.axes, reading.units) == ("order", ("order", "token"), "share")
    expected = [[3 / 14, 3 / 7, 3 / 7], [2 / 7, 4 / 7, 4 / 7], [1 / 2, 0, 0]]  # uniform, order 1, order 2
    assert reading.values == pytest.approx(np.array(expected), abs=1e-6)


def test_the_shares_of_the_orders_sum_to_one(model, tokens):
    with capture(model, ["order"]) as readings:
        model(tokens)
    (reading,) = readings
    assert reading.values.shape == (5, model.config.order + 1, 23)
    assert reading.values.sum(axis=1) == pytest.approx(np.ones((5, 23)), abs=1e-6)


def test_tables_make_the_same_model_again_and_count_on(model, tokens):
    again = made(9, order=4, smoothing=model.config.smoothing)
    again.load_tables({name: table.clone() for name, table in model.tables().items()})
    assert torch.equal(again(tokens), model(tokens))
    for counting in (model, again):
        counting.count(random_tokens(50, 9, seed=3))
    assert_same_tables(again.tables(), model.tables())


def test_a_copy_shares_the_counts_and_stays_as_it_was(model, tokens):
    copied, before = copy.deepcopy(model), model(tokens)
    assert copied.counts.grams[-1] is model.counts.grams[-1]
    model.count(random_tokens(50, 9, seed=3))
    assert torch.equal(copied(tokens), before)


def spoil(**changed):
    tables = made(5, [0, 1, 2, 3, 0, 1], order=3).tables()
    return {**tables, **{name.replace("_", "."): table for name, table in changed.items()}}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"codes_2": torch.zeros(5, dtype=torch.int32)}, r"codes\.2 must be \(K,\) torch\.int64"),
        ({"codes_2": torch.zeros(5, 1, dtype=torch.int64)}, r"codes\.2 must be \(K,\) torch\.int64"),
        ({"codes_1": torch.tensor([0, 2, 1, 3])}, r"codes\.1 must rise"),
        ({"codes_1": torch.tensor([0, 1, 1, 3])}, r"codes\.1 must rise"),
        ({"codes_1": torch.tensor([-1, 1, 2, 3])}, r"codes\.1 must rise"),
        ({"codes_1": torch.tensor([3, -(2**63), -1, 4])}, r"codes\.1 must rise"),
        ({"codes_1": torch.tensor([0, 1, 2, 5])}, r"codes\.1 must rise from 0 or more to less than 5"),
        ({"codes_3": torch.tensor([0, 6, 13, 2**62])}, r"codes\.3 must rise"),
        ({"counts_1": torch.tensor([2, 2, 1])}, r"counts\.1 must be 4 numbers"),
        ({"counts_1": torch.tensor([2, 2, 1, -1])}, r"counts\.1 must be 4 numbers"),
        ({"counts_1": torch.tensor([2, 2, 1, 2**63 - 1])}, r"counts\.1 must be 4 numbers"),
        ({"tail": torch.tensor([0, 5])}, "tail must be at most 2 tokens from 0 to 4"),
        ({"tail": torch.tensor([0, 1, 2])}, "tail must be at most 2 tokens from 0 to 4"),
        ({"codes_4": torch.tensor([0])}, r"order 3: missing \[\], unknown \['codes\.4'\]"),
    ],
)
def test_tables_that_counting_cannot_give_are_refused_by_name(changed, message):
    model = made(5, [4, 4, 4], order=3)
    before = model.counts.grams
    with pytest.raises(ValueError, match=message):
        model.load_tables(spoil(**changed))
    assert model.counts.grams is before


# ---- the card ----


@pytest.mark.long  # in short: no built-in is listed with torch, in the tests of the host
def test_the_card_is_read_without_torch():
    code = "import sys, lab_ngram; lab_ngram.lab_register_architectures(print); sys.exit('torch' in sys.modules)"
    path = f"import sys; sys.path[:] = {sys.path!r}; "
    subprocess.run([sys.executable, "-c", path + code], check=True, capture_output=True)


def test_the_card_makes_the_model_and_its_presets_are_settings():
    cards = []
    lab_ngram.lab_register_architectures(cards.append)
    (card,) = cards
    for preset in card.presets.values():
        config = card.config.read(preset["architecture"])
        model = card.make(config, Task(vocabulary_size=5, context_length=8))
        assert isinstance(model, NgramModel)
        assert (model.learns, model.reach, model.history) == ("counting", None, max(0, config.order - 2))


def test_a_recipe_of_the_first_version_keeps_its_smoothing():
    old = NgramConfig.read({"order": 3}, version=1)
    assert (old.smoothing, old.weight, old.order) == ("witten-bell", 0.7, 3)
    assert NgramConfig.read({"smoothing": "add-k", "weight": 0.2}, version=1).weight == 0.2


def test_an_order_that_was_asked_for_answers_as_if_no_more_had_been_counted(model, tokens):
    lower = made(9, random_tokens(400, 8), order=2, smoothing=model.config.smoothing)
    model.config.change("answer_order", 2)
    assert torch.allclose(model(tokens), lower(tokens), atol=1e-12)
    assert torch.allclose(
        model.score(tokens, tokens.roll(-1, dims=1)), lower.score(tokens, tokens.roll(-1, dims=1)), atol=1e-12
    )


def test_order_0_is_uniform(tokens):
    model = made(9, random_tokens(400, 8), order=0)
    model.count(random_tokens(10, 8))
    assert torch.allclose(model(tokens), torch.full((5, 23, 9), -math.log(9), dtype=torch.float64))
    assert model.score(tokens, tokens).mean().item() == pytest.approx(-math.log(9))
    assert model.tables().keys() == {"tail"}


# ---- published numbers, and size ----


@pytest.fixture(scope="module")
def shakespeare(shared_data):
    text = np.frombuffer((shared_data / "tinyshakespeare.txt").read_bytes(), np.uint8)
    tokens = np.unique(text, return_inverse=True)[1].astype(np.int64)
    return tokens[:1_003_854], torch.from_numpy(tokens[1_003_854:])[None]


@pytest.mark.parametrize(
    ("smoothing", "k", "nats"),
    [
        ("add-k", 1, {1: 3.347, 2: 2.482, 6: 2.593}),
        ("add-k", 0.1, {3: 2.046, 4: 1.784}),
        ("add-k", 0.01, {5: 1.770}),
        ("modified-kneser-ney", 1, {2: 2.4835, 3: 2.038}),
    ],
)
def test_shakespeares_characters_have_the_losses_that_others_measured(shakespeare, smoothing, k, nats):
    """Nats per character of the last tenth in one pass: add-k models of the same 65 characters, and KenLM."""
    _, validation = shakespeare
    model = counted(shakespeare)
    model.config.change("smoothing", smoothing)
    model.config.change("k", k)
    for order, known in nats.items():
        model.config.change("answer_order", order)
        assert -model.score(validation[:, :-1], validation[:, 1:]).mean().item() == pytest.approx(known, abs=5e-4)


def test_smoothings_rank_as_chen_and_goodman_found(shakespeare):
    _, validation = shakespeare
    model = counted(shakespeare)
    model.config.change("answer_order", 5)
    known = {"modified-kneser-ney": 1.5611, "kneser-ney": 1.5789, "jelinek-mercer": 1.5985, "katz": 1.6567}
    for smoothing, nats in {**known, "witten-bell": 1.6688, "absolute-discounting": 1.7091}.items():  # measured here
        model.config.change("smoothing", smoothing)
        assert -model.score(validation[:, :-1], validation[:, 1:]).mean().item() == pytest.approx(nats, abs=5e-4)


@functools.cache
def counts_of(train):
    return Counts.none(7, 65).and_of(np.frombuffer(train, np.int64))


def counted(shakespeare):
    """A model of order 7 that has counted the training text, once for all tests."""
    model = made(65, order=7)
    model.counts = counts_of(shakespeare[0].tobytes())
    return model


def test_many_tokens_of_fifty_thousand_symbols_are_scored_in_little_memory():
    V = 50_000
    model = made(V, random_tokens(50_000, V), order=5)
    tokens = torch.from_numpy(random_tokens((1, 250_000), V, seed=1))
    tracemalloc.start()
    try:
        scored = model.score(tokens, tokens.roll(-1, dims=1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert scored.shape == (1, 250_000)
    assert peak < 50e6  # distributions over the vocabulary would take 50 GB
