"""What a model reads, and what filters see: of the target of a source, of conversations and of documents."""

from types import SimpleNamespace

import pytest
import torch

from lab.api import Conversations, Turn
from lab.decoding.builtins import GreedyConfig, NoRepeatConfig, RepetitionConfig
from lab.decoding.penalties import no_repeat_filter, repetition_filter
from lab.decoding.pipeline import NamedFilter
from lab.decoding.request import Request, request_for
from lab.decoding.stops import End, Stops
from lab.decoding.strategies import Greedy
from lab.decoding.stream import generate
from lab.text.documents import DocumentTokenizer
from lab.text.rows.turns import turn_tokenizer
from lab.text.tokenizers.units import CharacterTokenizer

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
    objective = SimpleNamespace(needs="sequence-to-sequence", symbols=symbols, written_symbols=())
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


# ---- symbols around a prompt

LETTERS = CharacterTokenizer("abc")
TALK = Conversations("Talk", [[Turn("user", "a"), Turn("bot", "b", learned=True)]] * 2)


class Writer:
    """Writes 2, 1 and the end after any prompt; remembers what it read."""

    causal, reach = True, 64

    def __init__(self, size, end):
        self.size, self.end, self.read = size, end, []

    def start(self, batch):
        del batch
        self.prompt = None
        return 0

    def extend(self, tokens, state, last=None):
        self.read += tokens[0].tolist()
        self.prompt = self.prompt or len(self.read)
        logits = torch.ones(1, tokens.shape[1], self.size)
        logits[..., [2, 1, self.end][min(len(self.read) - self.prompt, 2)]] = 9.0
        return (logits if last is None else logits[:, -last:]), state + tokens.shape[1]

    def step(self, tokens, state):
        logits, state = self.extend(tokens[:, None], state)
        return logits[:, -1], state


def continued(tokenizer):
    """A model of conversations or documents, and the request for what it writes after the first letter."""
    model = Writer(tokenizer.vocabulary_size, tokenizer.end)
    request = Request(model, [0], tokenizer.vocabulary_size, end=tokenizer.end)
    return model, request.between(*tokenizer.around())


AROUND = [turn_tokenizer(LETTERS, TALK), DocumentTokenizer(LETTERS)]
around = pytest.mark.parametrize("tokenizer", AROUND, ids=["conversations", "documents"])


@around
def test_model_reads_the_symbols_around_a_prompt(tokenizer):
    model, request = continued(tokenizer)
    before, after = tokenizer.around()
    assert written(request) == [2, 1, tokenizer.end]
    assert model.read == [*before, 0, *after, 2, 1]
    assert [number < request.symbols for number in request.prompt] == [
        *(False for _ in before), True, *(False for _ in after)
    ]  # fmt: skip


@around
def test_penalty_of_repetition_does_not_touch_an_end_that_stands_around_the_prompt(tokenizer):
    _, request = continued(tokenizer)
    repetition = NamedFilter("repetition", repetition_filter(RepetitionConfig(penalty=10)))
    assert written(request, filters=[repetition]) == [2, 1, tokenizer.end]


@around
def test_no_filter_removes_an_end_that_stands_around_the_prompt(tokenizer):
    _, request = continued(tokenizer)
    once = NamedFilter("no-repeat", no_repeat_filter(NoRepeatConfig(length=1)))
    assert written(request, filters=[once]) == [2, 1, tokenizer.end]


def test_the_end_of_a_text_can_be_ignored():
    _, request = asked("begin", "end")
    stop = Stops({3: End("stop symbol")})
    assert sorted(request.stops(stop).symbols) == [3, SIZE]
    assert request.stops(stop, end_of_text=False) == stop
