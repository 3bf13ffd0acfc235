"""Evaluation protocols against brute force, one target at a time."""

import math

import numpy as np
import pytest
import torch

from lab.api import BadInput
from lab.layers import LanguageModel
from lab.training import evaluation
from lab.training.evaluation import check_protocol, default_protocol, evaluate
from lab.training.objectives import Causal, Masked

CPU = torch.device("cpu")


@pytest.fixture
def model(experiment):
    """Return an untrained model by name, with weights large enough that its past matters."""

    def model(name, **settings):
        made = experiment(name, **settings)
        built = made.build()
        if built.learns == "counting":
            built.count(made.train.tokens.astype(np.int64))
        else:
            torch.manual_seed(0)
            for parameter in built.parameters():
                torch.nn.init.normal_(parameter, std=0.7)
        return built.eval()

    return model


@torch.no_grad()
def surprise(model, context, target):
    """−log p(target | context), from a forward pass over the context alone."""
    logits = model(torch.tensor([context]))[0, -1]
    return -logits.log_softmax(-1)[target].item()


def brute(model, tokens, begins):
    """Return the nats of each target i, with context tokens[begins(i) : i]."""
    tokens = [int(token) for token in tokens]
    return [surprise(model, tokens[begins(i) : i], tokens[i]) for i in range(1, len(tokens))]


def loss_of(model, source, protocol, **more):
    return evaluate(model, Causal(), source, protocol=protocol, device=CPU, **more)


@pytest.mark.short("*-12", "*-13", "*-50")
@pytest.mark.parametrize("length", [2, 12, 13, 14, 50, 61])
@pytest.mark.parametrize("name", ["transformer", "recurrent", "n-gram"])
def test_windows_reset_the_state_every_context_length_and_score_every_target_once(model, source, name, length):
    text = source(length, "windows", seed=4)
    made = model(name)
    result = loss_of(made, text, "windows")
    nats = brute(made, text.tokens, lambda i: (i - 1) // 12 * 12)
    assert result.targets == length - 1 == len(nats)
    assert result.loss == pytest.approx(sum(nats) / len(nats), rel=1e-4)
    assert (result.protocol, result.context_length, result.part) == ("windows", 12, "all")


@pytest.mark.short("*-2", "*-13", "*-50")
@pytest.mark.parametrize("length", [2, 13, 50, 90])
@pytest.mark.parametrize("name", ["recurrent", "n-gram"])
def test_a_stream_carries_the_state_all_the_way(model, source, name, length, monkeypatch):
    monkeypatch.setattr(evaluation, "NUMBERS_AT_ONCE", 11 * 17)  # pieces of 17 tokens
    text = source(length, "windows", seed=4)
    made = model(name)
    result = loss_of(made, text, "stream")
    nats = brute(made, text.tokens, lambda _: 0)
    assert result.targets == length - 1
    assert result.loss == pytest.approx(sum(nats) / len(nats), rel=1e-4)
    assert (result.protocol, result.context_length) == ("stream", None)


class Pair(LanguageModel):
    """A model that reads two tokens back, with `forward` only."""

    history = 2

    def __init__(self, config, task):
        super().__init__(config, task)
        self.tables_ = torch.nn.Parameter(torch.randn(3, task.vocabulary_size, task.vocabulary_size))

    def forward(self, tokens, **given):
        padded = torch.nn.functional.pad(tokens, (2, 0))
        return sum(self.tables_[k][padded[:, 2 - k : padded.shape[1] - k]] for k in range(3))


def test_a_stream_of_a_model_that_sees_only_so_far_back_is_exact_over_the_borders_of_its_pieces(
    model, source, monkeypatch
):
    monkeypatch.setattr(evaluation, "NUMBERS_AT_ONCE", 11 * 7)
    text = source(60, "windows", seed=4)
    made = model(Pair)
    with torch.no_grad():
        complete = -made.score(torch.from_numpy(text.tokens[None, :-1].astype(np.int64)), _targets(text))
    assert loss_of(made, text, "stream").loss == pytest.approx(complete.mean().item(), rel=1e-5)


def _targets(text):
    return torch.from_numpy(text.tokens[None, 1:].astype(np.int64))


@pytest.mark.parametrize("name", [Pair, "recurrent"])
def test_a_stream_never_computes_more_logits_at_once_than_it_may(model, source, monkeypatch, name):
    monkeypatch.setattr(evaluation, "NUMBERS_AT_ONCE", 11 * 7)
    made, read = model(name), []
    form = "forward" if name is Pair else "extend"
    computed = getattr(made, form)

    def counted(tokens, *state):
        read.append(tokens.numel())
        return computed(tokens, *state)

    monkeypatch.setattr(made, form, counted)
    loss_of(made, source(60, "windows"), "stream")
    assert len(read) > 1
    assert max(read) <= 7 + 2  # a piece, and the history before it


@pytest.mark.short("*-5-13", "*-1-14", "*-12-40", "*-5-2")
@pytest.mark.parametrize("length", [2, 12, 13, 14, 40])
@pytest.mark.parametrize("stride", [1, 5, 12])
@pytest.mark.parametrize("name", ["transformer", "recurrent"])
def test_strided_windows_score_every_target_once_with_the_longest_context_they_have(
    model, source, name, stride, length
):
    text = source(length, "windows", seed=4)
    made = model(name)

    def begins(i):
        if i <= 12:
            return 0
        end = 12 + stride * math.ceil((i - 12) / stride)
        return min(end, length - 1) - 12

    result = loss_of(made, text, f"strided:{stride}")
    nats = brute(made, text.tokens, begins)
    assert result.targets == length - 1
    assert result.loss == pytest.approx(sum(nats) / len(nats), rel=1e-4)
    assert result.protocol == f"strided:{stride}"


def test_strided_by_the_whole_context_differs_from_windows_only_at_the_short_end(model, source):
    text, made = source(12 * 4 + 1, "windows"), model("transformer")
    assert loss_of(made, text, "strided:12").loss == pytest.approx(loss_of(made, text, "windows").loss, rel=1e-5)


@pytest.mark.parametrize("protocol", ["windows", "stream", "strided:4"])
def test_batches_of_an_evaluation_do_not_change_it(model, source, protocol, monkeypatch):
    text, made = source(130, "windows"), model("recurrent")
    at_once = loss_of(made, text, protocol)
    monkeypatch.setattr(evaluation, "NUMBERS_AT_ONCE", 1)
    one_by_one = loss_of(made, text, protocol)
    assert one_by_one.loss == pytest.approx(at_once.loss, rel=1e-5)
    assert one_by_one.targets == at_once.targets


@pytest.mark.parametrize(
    ("protocol", "targets", "part"),
    [
        ("windows", 24, "24 targets"),
        ("stream", 20, "20 targets"),
        ("strided:4", 20, "20 targets"),
    ],
)
def test_a_limit_reads_part_of_the_text_and_reports_it(model, source, protocol, targets, part):
    result = loss_of(model("recurrent"), source(121, "windows"), protocol, limit=20)
    assert (result.targets, result.part) == (targets, part)


@pytest.mark.parametrize("protocol", ["windows", "stream", "strided:4"])
@pytest.mark.parametrize("limit", [119, 1000])
def test_a_limit_beyond_the_text_reads_all_of_it(model, source, protocol, limit):
    result = loss_of(model("recurrent"), source(120, "windows"), protocol, limit=limit)
    assert (result.targets, result.part) == (119, "all")


def test_limited_windows_lie_evenly_over_the_text(model, source):
    text, requested = source(12 * 9 + 1, "windows"), []

    class Watching(Causal):
        def batch(self, source, examples, seed):
            requested.extend(examples.tolist())
            return super().batch(source, examples, seed)

    evaluate(model("transformer"), Watching(), text, protocol="windows", device=CPU, limit=36)
    assert requested == [0, 4, 8]


def test_where_a_window_scores_only_some_of_its_tokens_all_windows_are_still_all(model, source):
    made = model("bidirectional", objective="masked")
    result = evaluate(made, Masked(), source(500, "windows"), protocol="windows", device=CPU, limit=499)
    assert result.targets < 300
    assert result.part == "all"


def test_masked_evaluation_hides_the_same_tokens_every_time(model, source):
    made, text = model("bidirectional", objective="masked"), source(500, "windows")
    first, second = (evaluate(made, Masked(), text, protocol="windows", device=CPU) for _ in range(2))
    assert first == second


def test_a_cancelled_evaluation_reports_what_it_read(model, source, monkeypatch):
    monkeypatch.setattr(evaluation, "NUMBERS_AT_ONCE", 1)
    result = loss_of(model("transformer"), source(121, "windows"), "windows", cancelled=lambda: True)
    assert (result.targets, result.part) == (12, "12 targets")


def test_bits_per_byte_divides_by_the_bytes_of_the_scored_targets(model, source):
    sizes = np.arange(1, 12)  # symbol k stands for k + 1 bytes
    text = source(80, "windows", seed=2)
    result = loss_of(model("transformer"), text, "windows", sizes=sizes)
    size = int(sizes[text.tokens[1:]].sum())
    assert result.bytes == size
    assert result.bits_per_byte == pytest.approx(result.loss * 79 / math.log(2) / size)
    assert result.perplexity == pytest.approx(math.exp(result.loss))


def test_without_sizes_there_are_no_bits_per_byte(model, source):
    assert loss_of(model("transformer"), source(80, "windows"), "windows").bits_per_byte is None


@pytest.mark.parametrize(
    "protocol",
    ["", "window", "Stream", "strided", "strided:", "strided:0", "strided:-1", "strided:13", "strided:1.5", "strided:²",
     "windows:3", "strided:3x"],
)  # fmt: skip
def test_a_protocol_that_is_none_is_refused_with_those_there_are(model, source, protocol):
    with pytest.raises(BadInput) as raised:
        loss_of(model("transformer"), source(80, "windows"), protocol)
    problem = raised.value.problem
    assert (problem.field, problem.value) == ("--protocol", protocol)
    assert "strided:N with 1 ≤ N ≤ 12" in problem.allowed


def test_strides_up_to_the_context_length_are_allowed():
    assert [check_protocol(f"strided:{n}", 12) for n in (1, 12)] == [1, 12]
    assert check_protocol("windows", 12) is check_protocol("stream", 12) is None


def test_a_model_of_bounded_reach_cannot_read_a_stream(model, source):
    with pytest.raises(BadInput, match="at most 12 positions") as raised:
        loss_of(model("transformer"), source(80, "windows"), "stream")
    problem = raised.value.problem
    assert (problem.field, problem.value) == ("--protocol", "stream")
    assert problem.allowed == "windows, strided:N with 1 ≤ N ≤ 12"


@pytest.mark.parametrize("protocol", ["stream", "strided:4"])
def test_streams_are_for_next_token_models_of_text(model, source, protocol):
    with pytest.raises(BadInput) as raised:
        evaluate(
            model("bidirectional", objective="masked"), Masked(), source(80, "windows"), protocol=protocol, device=CPU
        )
    assert (raised.value.problem.field, raised.value.problem.allowed) == ("--protocol", "windows")


def test_a_refused_evaluation_leaves_the_model_in_training_mode(model, source):
    made = model("transformer").train()
    with pytest.raises(BadInput):
        loss_of(made, source(80, "windows"), "stream")
    assert made.training


@pytest.mark.parametrize(
    ("name", "objective", "protocol"),
    [
        ("transformer", "causal", "windows"),  # of bounded reach
        ("recurrent", "causal", "windows"),  # it was never trained on longer contexts
        ("recurrent", "carried", "stream"),
        ("memory", "carried", "stream"),
        ("n-gram", "causal", "stream"),
        (Pair, "carried", "stream"),
        ("fused", "carried", "windows"),  # forward alone: it would read all of the text again for every piece
        ("bidirectional", "masked", "windows"),
    ],
)
def test_the_default_protocol_is_a_stream_for_models_taught_to_go_on_for_ever(experiment, name, objective, protocol):
    made = experiment(name, objective=objective)
    assert default_protocol(made.build(), made.objective) == protocol
