"""A sequence-to-sequence model is asked for the target of a source: what it reads, and what filters see."""

from types import SimpleNamespace

import torch

from lab.decoding.builtins import GreedyConfig, NoRepeatConfig, RepetitionConfig
from lab.decoding.penalties import no_repeat_filter, repetition_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.request import request_for
from lab.decoding.strategies import Greedy
from lab.decoding.stream import generate

SIZE, BEGIN, END = 5, 5, 6  # five symbols of a tokenizer, and those of the objective after them


class Translator:
    """Writes 2, 1 and the end, whatever the source; remembers what it read."""

    causal, reach = True, 64

    def __init__(self):
        self.read, self.source = [], None

    def tables(self):
        return {}

    def start(self, batch, *, source):
        self.source = source.tolist()
        return 0

    def extend(self, tokens, state, last=None):
        self.read += tokens[0].tolist()
        logits = torch.ones(1, tokens.shape[1], SIZE + 2)
        likeliest = [2, 1, END][min(len(self.read), 3) - 1]
        logits[..., likeliest] = 9.0
        logits[..., BEGIN] = 99.0  # what begins a target is never drawn
        return (logits if last is None else logits[:, -last:]), state + tokens.shape[1]

    def step(self, tokens, state):
        logits, state = self.extend(tokens[:, None], state)
        return logits[:, -1], state


def asked(*symbols):
    model = Translator()
    objective = SimpleNamespace(needs="sequence-to-sequence", symbols=symbols)
    return model, request_for(model, objective, [3, 4], SIZE)


def written(request, **options):
    stream = generate(
        request.model,
        request.prompt,
        strategy=Greedy(GreedyConfig()),
        symbols=request.symbols,
        stops=request.stops(),
        count=6,
        seed=1,
        **options,
    )
    return [token.token for token in stream]


def test_model_reads_the_source_and_its_own_symbol_that_begins_a_target():
    model, request = asked("begin", "end")
    assert written(request) == [2, 1, SIZE]
    assert model.source == [[3, 4]]
    assert model.read[0] == BEGIN


def test_what_begins_the_target_is_not_among_the_symbols_that_are_drawn():
    _, request = asked("begin", "end")
    assert request.prompt[0] >= request.symbols
    _, request = asked("begin")
    assert request.symbols == SIZE
    assert request.prompt[0] >= request.symbols


def test_penalty_of_repetition_does_not_touch_the_end_that_was_not_written():
    _, request = asked("begin", "end")
    repetition = NamedFilter("repetition", repetition_filter(RepetitionConfig(penalty=10)))
    assert written(request, filters=[repetition]) == [2, 1, SIZE]


def test_no_filter_removes_what_cannot_be_drawn():
    _, request = asked("begin", "end")
    once = NamedFilter("no-repeat", no_repeat_filter(NoRepeatConfig(length=1)))
    assert written(request, filters=[once]) == [2, 1, SIZE]
