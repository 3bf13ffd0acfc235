"""Markov chains: the stated rate is what their own probabilities lose, whatever shape the chain has."""

import json
import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.api import ENTROPY_RATE, BadInput
from lab.cli.main import main
from lab.sources.texts.chains import Chain
from lab.sources.texts.lengths import LETTERS
from lab.sources.texts.markov import FittedChain, MarkovConfig, RandomChain, markov, random_chain


def mean_and_error(losses, block=500):
    """The mean, and its standard error from blocks that hardly know of each other."""
    means = np.asarray(losses)[: len(losses) // block * block].reshape(-1, block).mean(axis=1)
    return float(np.mean(losses)), float(means.std(ddof=1) / len(means) ** 0.5)


def losses_of_the_chain(config, text):
    """Return −log p of each letter whose complete context is in the text, from the drawn probabilities."""
    chain, states = random_chain(config.chain, config.order, config.draws()[0])
    P = dict(zip(states.tolist(), chain.P, strict=True))
    letters, context, V = [LETTERS.index(letter) for letter in text], 0, config.chain.letters
    losses = []
    for position, letter in enumerate(letters):
        if position >= config.order:
            losses.append(-math.log(P[context][letter]))
        context = (context * V + letter) % V**config.order
    return losses


def transitions(chain):
    """(S, S) probabilities of the next state."""
    T = np.zeros((len(chain.P),) * 2)
    for state, (row, targets) in enumerate(zip(chain.P, chain.to, strict=True)):
        np.add.at(T[state], targets, row)
    return T


@pytest.mark.parametrize(
    ("order", "letters", "concentration"), [(0, 5, 1.0), (1, 26, 0.3), (2, 8, 0.5), (5, 3, 0.5), (2, 8, 1000)]
)
def test_the_drawn_chain_loses_its_entropy_rate_on_its_text(order, letters, concentration):
    chain = RandomChain(letters=letters, concentration=concentration)
    config = MarkovConfig(order=order, chain=chain, length=100_000)
    text = markov(config)
    mean, error = mean_and_error(losses_of_the_chain(config, text.text))
    assert error < 0.01
    assert abs(mean - text.floors[ENTROPY_RATE]) <= 3 * error


def test_independent_letters_have_the_entropy_of_their_probabilities():
    config = MarkovConfig(order=0, length=1)
    (P,) = random_chain(config.chain, 0, config.draws()[0])[0].P.tolist()
    assert markov(config).floors[ENTROPY_RATE] == pytest.approx(-sum(p * math.log(p) for p in P if p))


def test_a_chain_of_two_states_has_the_rate_of_the_books():
    a, b = 0.2, 0.7  # Cover & Thomas 2006, example 4.1.1: of leaving either state
    chain = Chain(np.array([[1 - a, a], [b, 1 - b]]), np.array([[0, 1], [0, 1]]))
    H = [-p * math.log(p) - (1 - p) * math.log(1 - p) for p in (a, b)]
    assert chain.stationary() == pytest.approx([b / (a + b), a / (a + b)])
    assert chain.entropy_rate() == pytest.approx((b * H[0] + a * H[1]) / (a + b))


def test_a_periodic_chain_has_a_rate_too():
    swinging = Chain(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([[1, 1], [0, 0]]))
    assert swinging.entropy_rate() == pytest.approx(math.log(2) / 2)
    wheel = np.arange(3000)  # too large to be solved at once
    assert Chain(np.ones((3000, 1)), (wheel[:, None] + 1) % 3000).entropy_rate() == 0


def test_a_chain_that_falls_apart_settles_in_a_part_that_is_never_left():
    P = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0, 0.9, 0.1, 0], [0, 0, 0, 1.0]])
    to = np.tile(np.arange(4), (4, 1))
    chain, states = Chain(P, to).settled(0)
    assert states.tolist() == [3]
    P[1], P[0] = [0, 0, 1, 0], [0.5, 0.5, 0, 0]
    chain, states = Chain(P, to).settled(0)
    assert states.tolist() == [1, 2]
    assert chain.stationary() == pytest.approx([0.9 / 1.9, 1 / 1.9])


def test_many_states_are_iterated_to_the_law_that_few_are_solved_for():
    config = RandomChain(letters=4, concentration=0.3)
    chain, _ = random_chain(config, 5, np.random.default_rng(3))
    assert len(chain.P) > 1000
    law = chain.stationary()
    assert law.sum() == pytest.approx(1)
    assert np.abs(law @ transitions(chain) - law).max() < 1e-10


def test_the_config_alone_decides_the_text_and_a_longer_one_begins_alike():
    text = markov(MarkovConfig(length=3000)).text
    assert len(text) == 3000
    assert text == markov(MarkovConfig(length=3000)).text
    assert markov(MarkovConfig(length=9000)).text.startswith(text)
    assert markov(MarkovConfig(length=3000, seed=1)).text[:50] != text[:50]


def test_a_chain_is_fitted_to_a_text_that_is_read_in_a_circle(tmp_path):
    (tmp_path / "small.txt").write_text("aab", encoding="utf-8")
    text = markov(MarkovConfig(order=1, length=60_000, chain=FittedChain(path=str(tmp_path / "small.txt"))))
    assert text.floors[ENTROPY_RATE] == pytest.approx(2 / 3 * math.log(2))
    assert "bb" not in text.text
    assert text.text.count("aa") / text.text.count("a") == pytest.approx(0.5, abs=0.25)


@pytest.mark.parametrize("order", [0, 1, 3, 8])
def test_a_fitted_chain_loses_its_rate_by_the_counts_of_its_file(tmp_path, order):
    learned = "Der Igel — und 🦔 der Hase — liefen; the hare ran and ran, the hedgehog did not run at all. " * 3
    learned += "So they went on and on, and there was no end to it, und das war das Ende.\n"
    (tmp_path / "tale.txt").write_text(learned, encoding="utf-8")
    text = markov(MarkovConfig(order=order, seed=1, length=60_000, chain=FittedChain(path=str(tmp_path / "tale.txt"))))
    circle, after = learned + learned[:order], defaultdict(Counter)
    for position in range(len(learned)):
        after[circle[position : position + order]][circle[(position + order) % len(circle)]] += 1
    losses = []
    for position in range(order, len(text.text)):
        seen = after[text.text[position - order : position]]
        losses.append(-math.log(seen[text.text[position]] / seen.total()))
    mean, error = mean_and_error(losses)
    assert abs(mean - text.floors[ENTROPY_RATE]) <= 3 * error + 1e-9


def test_line_ends_and_a_byte_order_mark_are_no_letters(tmp_path):
    (tmp_path / "windows.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    text = markov(MarkovConfig(order=0, length=500, chain=FittedChain(path=str(tmp_path / "windows.txt"))))
    assert set(text.text) == set("one\ntw")


@pytest.mark.parametrize(
    ("content", "reported"),
    [(None, "no such file"), (b"", "no text"), (b" \n", "no text"), (b"caf\xe9", "not UTF-8: byte 0xE9 at offset 3")],
)
def test_a_file_that_cannot_be_fitted_is_reported_with_its_path(tmp_path, content, reported):
    position = tmp_path / "it.txt"
    if content is not None:
        position.write_bytes(content)
    with pytest.raises(BadInput, match=reported) as raised:
        markov(MarkovConfig(chain=FittedChain(path=str(position))))
    assert raised.value.problem.field == "corpus.chain.path"
    assert raised.value.problem.value == str(position)
    assert raised.value.problem.remedy


def test_a_folder_and_an_invalid_path_are_reported(tmp_path):
    for path in (str(tmp_path), "a\0b", "~nobody-here/x"):
        with pytest.raises(BadInput):
            markov(MarkovConfig(chain=FittedChain(path=path)))


def test_a_file_that_is_too_large_is_reported_before_it_is_read(tmp_path):
    position = tmp_path / "huge.txt"
    with position.open("wb") as file:
        file.truncate(1 << 34)  # a hole, no disk
    with pytest.raises(BadInput, match="at most 16 MiB"):
        markov(MarkovConfig(chain=FittedChain(path=str(position))))


def test_too_many_contexts_are_reported_with_the_largest_possible_order():
    with pytest.raises(BadInput, match="order 3 with 26 letters"):
        markov(MarkovConfig(order=8, chain=RandomChain(letters=26)))


def test_a_chain_that_ends_in_one_letter_is_reported():
    with pytest.raises(BadInput, match="one letter") as raised:
        markov(MarkovConfig(order=1, chain=RandomChain(letters=2, concentration=0.01)))
    assert raised.value.problem.field == "corpus.chain.concentration"


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    order=st.integers(0, 8),
    letters=st.integers(2, 62),
    concentration=st.sampled_from([0.01, 0.02, 0.1, 1, 1000]),
    length=st.sampled_from([1, 2, 100]),
    seed=st.sampled_from([0, 7, 2**63 - 1]),
)
def test_every_setting_gives_a_finite_rate_or_a_message(order, letters, concentration, length, seed):
    chain = RandomChain(letters=letters, concentration=concentration)
    order = min(order, int(math.log(1 << 13, letters)))
    try:
        text = markov(MarkovConfig(order=order, chain=chain, length=length, seed=seed))
    except BadInput:
        return  # the problem was checked above
    assert len(text.text) == length
    assert 0 <= text.floors[ENTROPY_RATE] <= math.log(letters) + 1e-9


def test_the_rate_is_a_floor_of_a_run_and_an_ngram_that_represents_the_chain_comes_within_a_hundredth(tmp_path, capsys):
    picked = ("--corpus", "markov", "--architecture", "n-gram", "--tokenizer", "character")
    settings_ = ("--set", "architecture.order=3", "--set", "corpus.length=150000")
    assert main(["train", *picked, *settings_, "--json", "--out", str(tmp_path / "run")]) == 0
    reported = json.loads(capsys.readouterr().out.splitlines()[-1])
    rate = markov(MarkovConfig(length=1)).floors[ENTROPY_RATE]
    assert reported["floors"][ENTROPY_RATE] == pytest.approx(rate)
    assert reported["validation_loss"] == pytest.approx(rate, abs=0.01)


def test_the_kind_of_a_chain_is_inferred_from_its_settings():
    assert MarkovConfig.model_validate({"chain": {"letters": 3}}).chain == RandomChain(letters=3)
    assert MarkovConfig.model_validate({"chain": {"path": "a.txt"}}).chain == FittedChain(path="a.txt")
