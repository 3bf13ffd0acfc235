"""Tests of a run: known models give known outcomes, and files that cannot be used are refused by their lines."""

import json
import math
import types
from contextlib import contextmanager

import numpy as np
import pytest
import torch

from lab.api import Task
from lab.base import BadInput
from lab.text.streams import TokenSource
from lab.workbench.access.text_use import TextUse
from lab.workbench.scoring.behaviour import TESTS, behave
from lab.workbench.scoring.continuations import score_continuations

LETTERS = "abcdefgh0123456789+=\n ."
V = len(LETTERS)


class Letters:
    """A tokenizer of LETTERS."""

    vocabulary_size = V

    def encode(self, text):
        unknown = [letter for letter in text if letter not in LETTERS]
        if unknown:
            raise BadInput(f"the character {unknown[0]} is unknown", field="text")
        return np.array([LETTERS.index(letter) for letter in text])

    def decode(self, tokens):
        return "".join(LETTERS[token] for token in tokens)


class Model:
    """A model that gives a token e times the weight of others for each vote; `votes` says for which tokens."""

    causal, reach, task = True, None, Task(V, 16)

    def __init__(self, votes):
        self._votes = votes

    def __call__(self, tokens):
        logits = torch.zeros(*tokens.shape, V)
        for row, text in enumerate(tokens.tolist()):
            for at in range(len(text)):
                for token, weight in self._votes(text[: at + 1]).items():
                    logits[row, at, token] = weight
        return logits


def access_of(votes, text=LETTERS * 20):
    """A run with that model, whose validation text is this text."""
    model, tokenizer = Model(votes), Letters()
    source = TokenSource(tokenizer.encode(text), V, 16, "windows")

    @contextmanager
    def borrow(_device):
        yield types.SimpleNamespace(model=model, step=7, device="cpu")

    return types.SimpleNamespace(
        text_use=TextUse.PROMPT, tokenizer=tokenizer, tokenizer_plugin="", borrow_for_evaluation=borrow,
        evaluation_data=lambda: types.SimpleNamespace(source=source),
        recipe=types.SimpleNamespace(training=types.SimpleNamespace(context_length=16)),
    )  # fmt: skip


def votes_for(letters, weight=5.0):
    return lambda _text: {LETTERS.index(letter): weight for letter in letters}


def copies(text):
    """Vote for what followed the last token the last time."""
    before = [at for at in range(len(text) - 1) if text[at] == text[-1]]
    return {text[before[-1] + 1]: 9.0} if before else {}


@pytest.fixture
def lines(tmp_path):
    """Write a file of one JSON object a line."""

    def lines(*objects):
        file = tmp_path / "tests.jsonl"
        file.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in objects))
        return file

    return lines


def test_a_good_sentence_wins_by_its_total_probability(lines):
    file = lines(
        {"sentence_good": "aaa", "sentence_bad": "abb", "UID": "x"},
        {"sentence_good": "abb", "sentence_bad": "aaa", "UID": "x"},
        {"sentence_good": "aaa", "sentence_bad": "aaa", "UID": "y"},  # a tie is wrong
    )
    found = behave(access_of(votes_for("a")), "pairs", file)
    assert found.figures == {"accuracy": pytest.approx(1 / 3), "pairs": 3.0}
    assert found.rows == (("x", 2.0, 0.5), ("y", 1.0, 0.0))


def test_candidates_are_ranked_by_the_whole_and_by_each_token(lines):
    file = lines({"text": "c ___", "candidates": ["b", "aaaa"], "answer": "aaaa"})
    found = behave(access_of(lambda text: {0: 3.0} if len(text) > 2 else {}), "cloze", file)
    rows = {row[1]: row[2:] for row in found.rows}
    assert rows["b"][0] > rows["aaaa"][0]  # one token costs less than four
    assert rows["aaaa"][2] > rows["b"][2]  # of which each costs less
    assert (rows["b"][1], rows["aaaa"][1], rows["aaaa"][3]) == (1.0, 2.0, 1.0)
    assert (found.figures["accuracy by total"], found.figures["accuracy by per token"]) == (0.0, 1.0)


def test_the_log_probability_of_a_candidate_is_that_of_its_tokens(lines):
    found = behave(access_of(votes_for("")), "cloze", lines({"text": "c___.", "candidates": ["ab"]}))
    assert found.rows[0][2] == pytest.approx(-3 * math.log(V))  # a, b and the full stop
    assert found.figures == {"gaps": 1.0}


def test_a_blank_at_the_start_comes_after_the_end_of_a_line_and_its_first_token_counts(lines):
    newline = LETTERS.index("\n")
    votes = lambda text: {LETTERS.index("b"): 9.0} if text == [newline] else {}  # noqa: E731
    found = behave(access_of(votes), "cloze", lines({"text": "___c", "candidates": ["a", "b"], "answer": "b"}))
    rows = {row[1]: row[2] for row in found.rows}
    assert rows["a"] - rows["b"] == pytest.approx(-9.0)
    assert found.figures["accuracy by total"] == 1.0


def test_a_blank_at_the_start_is_refused_where_the_vocabulary_has_no_end_of_a_line(lines, monkeypatch):
    monkeypatch.setattr(f"{__name__}.LETTERS", LETTERS.replace("\n", "-"))
    with pytest.raises(BadInput, match="line 1: nothing stands before the blank"):
        behave(access_of(votes_for(""), text="abc" * 80), "cloze", lines({"text": "___c", "candidates": ["a", "b"]}))


class Pairs(Letters):
    """A tokenizer that reads "ab" as one token, the one of "+"."""

    def encode(self, text):
        parts = text.split("ab")
        found = [*super().encode(parts[0])]
        for part in parts[1:]:
            found += [LETTERS.index("+"), *super().encode(part)]
        return np.array(found)


def test_candidates_that_join_with_what_stands_before_are_scored_from_one_place_on(lines):
    """Before "b", the last letter is part of a token: it is no given context then, for "c" neither."""
    access = access_of(votes_for(""))
    access.tokenizer = Pairs()
    found = behave(access, "cloze", lines({"text": "cca___", "candidates": ["b", "c"]}))
    rows = {row[1]: row[2] for row in found.rows}
    assert rows["b"] == pytest.approx(-math.log(V))  # the token "ab"
    assert rows["c"] == pytest.approx(-2 * math.log(V))  # "a" and "c"


def test_candidates_of_a_gap_have_as_much_before_them(lines):
    access = access_of(lambda text: {0: float(len(text))})  # the more is read, the likelier is "a"
    with access.borrow_for_evaluation(None) as borrowed:
        borrowed.model.reach = 6
    rows = behave(access, "cloze", lines({"text": "cdefgh012___", "candidates": ["a", "aaaa"]})).rows
    logits = torch.tensor([3.0, *[0.0] * (V - 1)]).double()  # of three tokens: the longer one has room for no more
    assert {row[1]: row[2] for row in rows}["a"] == pytest.approx(float(logits.log_softmax(dim=0)[0]))


@pytest.mark.parametrize("test", ["pairs", "cloze", "prompts"])
def test_a_line_of_too_many_tokens_is_refused_before_it_is_read(lines, test):
    much = "a" * 4097
    line = {"sentence_good": much, "sentence_bad": "ab", "text": f"{much}___", "candidates": ["b"], "prompt": much,
            "answer": "b"}  # fmt: skip
    with pytest.raises(BadInput, match=r"line 1 has 4,09\d tokens") as refused:
        behave(access_of(votes_for("")), test, lines(line))
    assert refused.value.problem.allowed == "at most 4,096"


def test_a_run_that_copies_has_little_loss_in_the_second_half():
    found = behave(access_of(copies), "copying").figures
    assert found["loss of the second half"] < found["loss of the first half"]
    assert found["copied"] > 0.5  # a token that occurs twice misleads it
    plain = behave(access_of(votes_for("")), "copying").figures
    assert plain["loss of the second half"] == pytest.approx(math.log(V))


def test_a_needle_lowers_the_loss_of_who_copies_and_of_nobody_else():
    for votes, is_found in ((copies, True), (votes_for(""), False)):
        found = behave(access_of(votes, "hhhhhhhhgg" * 40 + LETTERS), "needle")
        assert all((row[1] < row[2] - 0.1) is is_found for row in found.rows)
        assert [row[0] for row in found.rows] == ["0%", "25%", "50%", "75%", "100%"]


def test_a_needle_needs_room_in_what_the_model_reads(monkeypatch):
    monkeypatch.setattr(Model, "reach", 18, raising=False)
    with pytest.raises(BadInput, match="too few tokens"):
        behave(access_of(copies), "needle")


def test_context_helps_as_far_back_as_the_model_looks():
    def looks_back_two(text):
        return {(text[-2] + 2) % V: 6.0} if len(text) > 1 else {}

    found = behave(access_of(looks_back_two), "context")
    given, losses = zip(*found.rows, strict=True)
    assert given == (1.0, 2.0, 4.0, 8.0, 16.0)
    assert losses[0] == pytest.approx(math.log(V))
    assert losses[1:] == pytest.approx([losses[1]] * 4, abs=1e-6)
    assert found.figures["tokens that suffice"] == 2
    by_position = dict(found.curves[0].points)
    assert by_position[1.0] > by_position[2.0] == pytest.approx(by_position[16.0], abs=1e-6)


def test_examples_before_a_prompt_help_who_copies(lines):
    file = lines(*({"prompt": f"{letter}=", "answer": "7"} for letter in "abcdef"))
    found = behave(access_of(copies), "prompts", file)
    assert [row[0] for row in found.rows] == [0.0, 1.0, 2.0, 4.0]
    assert found.rows[0][1] == 0.0
    assert found.rows[-1][1] == 1.0
    assert found.figures == {"best accuracy": 1.0, "prompts": 6.0}


def test_sums_are_asked_with_examples():
    found = behave(access_of(votes_for("")), "arithmetic")
    assert [row[0] for row in found.rows] == [0.0, 1.0, 2.0, 4.0, 8.0]
    assert found.figures["prompts"] == 100


def test_many_continuations_are_scored_as_each_alone(monkeypatch):
    monkeypatch.setattr("lab.workbench.scoring.continuations.NUMBERS_AT_ONCE", 1)
    borrowed = types.SimpleNamespace(model=Model(copies), device="cpu")
    questions = [([1, 2, 1], [2, 3]), ([4], [5]), ([1, 2, 3, 1, 2], [3, 3, 3, 3])]
    together = score_continuations(borrowed, questions)
    for question, found in zip(questions, together, strict=True):
        (alone,) = score_continuations(borrowed, [question])
        assert found.nats == pytest.approx(alone.nats)
        assert len(found.ranks) == len(question[1])
    assert together[0].ranks[0] == 1  # 2 followed 1 before


def test_a_continuation_that_the_model_cannot_read_at_once_is_scored_in_pieces():
    model = Model(lambda text: {V - 1: float(len(text))})
    model.reach = 4
    (found,) = score_continuations(types.SimpleNamespace(model=model, device="cpu"), [([0, 0], [V - 1] * 7)])
    read = [2, 3, 3, 4, 3, 4, 4]  # tokens before each: pieces of 2, after what a window of 4 has room for
    logits = [torch.tensor([*[0.0] * (V - 1), float(count)]).double() for count in read]
    assert found.nats == pytest.approx([-float(one.log_softmax(dim=0)[-1]) for one in logits], abs=1e-6)


@pytest.mark.parametrize(
    ("test", "line", "match"),
    [
        ("pairs", "not json", "line 1 is no JSON object"),
        ("pairs", {"sentence_good": "a"}, 'line 1 needs "sentence_good" and "sentence_bad"'),
        ("pairs", {"sentence_good": "aZ", "sentence_bad": "aa"}, "line 1: the character Z"),
        ("pairs", {"sentence_good": "a", "sentence_bad": "aa"}, "line 1: a sentence has fewer than two tokens"),
        ("cloze", {"text": "a", "candidates": ["b"]}, "line 1 needs"),
        ("cloze", {"text": "a___", "candidates": ["b"], "answer": "c"}, "line 1 needs candidates"),
        ("prompts", {"prompt": 3, "answer": "b"}, "line 1 needs texts"),
        ("prompts", "", "is empty"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(lines, test, line, match):
    with pytest.raises(BadInput, match=match) as refused:
        behave(access_of(votes_for("")), test, lines(line))
    assert refused.value.problem.field == "file"


def test_binary_files_and_missing_ones_are_refused(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\xff\xfe\x00")
    for name, match in (("a.bin", "no UTF-8"), ("nowhere", "cannot be read"), (".", "cannot be read")):
        with pytest.raises(BadInput, match=match):
            behave(access_of(votes_for("")), "pairs", tmp_path / name)


def test_tests_and_files_go_together(lines):
    run = access_of(votes_for(""))
    for test, file, match in (
        ("pairs", None, "is missing"), ("copying", lines("{}"), "is not read"), ("tests", None, "no such test"),
    ):  # fmt: skip
        with pytest.raises(BadInput, match=match):
            behave(run, test, file)


def test_a_trained_run_takes_every_test(opened, lines):
    """The tests of a real run, whose vocabulary has no digits."""
    pairs = lines({"sentence_good": "the cat sat.", "sentence_bad": "cat the sat."})
    for test in set(TESTS) - {"arithmetic", "cloze", "needle", "prompts"}:
        found = behave(opened(), test, pairs if test == "pairs" else None)
        assert found.test == test
        assert all(math.isfinite(value) for value in found.figures.values())
    with pytest.raises(BadInput, match="does not occur"):
        behave(opened(), "arithmetic")
    with pytest.raises(BadInput, match="reads too few tokens"):
        behave(opened(), "needle")
    with pytest.raises(BadInput, match="continues no text"):
        behave(opened("objective.name=masked"), "copying")
