"""Write one of forward, extend and step: the others follow from it."""

import math

import numpy as np
import pytest
import torch

from lab.api import ModelConfig, NotCausal, StackConfig, Task, select_state
from lab.layers import AuxiliaryLosses, LanguageModel, ResidualStack, TokenMixer
from lab.training.recording.model_copy import copy_of

TASK = Task(11, 16)


class Stepping(TokenMixer):
    def start(self, batch):
        return torch.zeros(batch, 3)

    def step(self, x, state):
        return state + x, state + x


class Extending(TokenMixer):
    def start(self, batch):
        return torch.zeros(batch, 3)

    def extend(self, x, state):
        y = state[:, None] + x.cumsum(dim=1)
        return y, y[:, -1]


class Whole(TokenMixer):
    def forward(self, x):
        return x.cumsum(dim=1)


@pytest.fixture(params=[Stepping, Extending, Whole])
def mixer(request):
    return request.param()


def test_a_mixer_written_in_any_form_has_all_of_them(mixer):
    x = torch.randn(2, 5, 3)
    state = mixer.start(2)
    first, state = mixer.extend(x[:, :2], state)
    second, state = mixer.step(x[:, 2], state)
    third, _ = mixer.extend(x[:, 3:], state)
    torch.testing.assert_close(torch.cat([first, second[:, None], third], dim=1), x.cumsum(dim=1))
    torch.testing.assert_close(mixer(x), x.cumsum(dim=1))


def test_a_mixer_of_nothing_is_refused_when_it_is_made():
    class Empty(TokenMixer):
        pass

    with pytest.raises(TypeError, match="Empty must define start and step, or start and extend, or forward"):
        Empty()


@pytest.mark.parametrize("form", ["step", "extend"])
def test_a_mixer_without_a_start_is_refused_when_it_is_made(form):
    Startless = type("Startless", (TokenMixer,), {form: lambda *_: None})
    with pytest.raises(TypeError, match=f"Startless defines {form} and so must define start"):
        Startless()


def test_an_abstract_base_between_is_legal():
    class Base(TokenMixer):
        def start(self, batch):
            return torch.zeros(batch, 3)

    class Child(Base):
        def step(self, x, state):
            return x, state

    assert Child()(torch.ones(1, 2, 3)).shape == (1, 2, 3)
    with pytest.raises(TypeError, match="Base must define"):
        Base()


def test_with_forward_alone_history_trims_what_decoding_keeps():
    mixer = Whole()
    mixer.history = 2
    state = mixer.start(1)
    for t in range(6):
        _, state = mixer.step(torch.full((1, 3), float(t)), state)
    assert state[0, :, 0].tolist() == [4, 5]


class Counting(LanguageModel):
    """Logits that tell the number of tokens read."""

    def start(self, batch):
        return torch.zeros(batch)

    def step(self, tokens, state):
        state = state + 1
        return state[:, None].expand(-1, 11), state


def test_a_model_written_by_steps_reads_sequences():
    model = Counting(ModelConfig(), TASK)
    tokens = torch.zeros(2, 5, dtype=torch.long)
    assert model(tokens)[0, :, 0].tolist() == [1, 2, 3, 4, 5]
    logits, state = model.extend(tokens, model.start(2), last=2)
    assert logits[0, :, 0].tolist() == [4, 5]
    assert select_state(state, torch.tensor([1])).tolist() == [5]


class FromSource(LanguageModel):
    """Forward alone, with something given beside the tokens."""

    def forward(self, tokens, source):
        return torch.nn.functional.one_hot((tokens.cumsum(dim=1) + source) % 11, 11).double()


def test_additional_inputs_are_in_the_state_row_by_row():
    model = FromSource(ModelConfig(), TASK)
    tokens, source = torch.tensor([[1, 2], [3, 4]]), torch.tensor([[5], [6]])
    _, state = model.extend(tokens, model.start(2, source=source))
    swapped, _ = model.step(torch.tensor([0, 0]), select_state(state, torch.tensor([1, 0])))
    assert swapped.argmax(-1).tolist() == [(7 + 6) % 11, (3 + 5) % 11]


def test_a_model_that_reads_both_ways_does_not_decode():
    model = FromSource(ModelConfig(), Task(11, 16, causal=False))
    with pytest.raises(NotCausal, match="FromSource reads both directions"):
        model.start(1)


def test_scores_are_nats_of_the_targets_and_zero_where_nothing_is_scored():
    model = FromSource(ModelConfig(), TASK)
    tokens, source = torch.tensor([[1, 2, 3]]), torch.zeros(1, 1, dtype=torch.long)
    scores = model.score(tokens, torch.tensor([[1, -1, -100]]), source=source)
    assert scores[0, 0].item() == pytest.approx(1 - math.log(math.e + 10))
    assert scores[0, 1:].tolist() == [0, 0]


def test_a_model_that_learns_by_gradient_refuses_to_count():
    with pytest.raises(TypeError, match="Counting learns by gradient and cannot count 3 tokens"):
        Counting(ModelConfig(), TASK).count([1, 2, 3])


class Tied(LanguageModel):
    def __init__(self):
        super().__init__(ModelConfig(), TASK)
        self.embedding = torch.nn.Embedding(11, 4)
        self.head = torch.nn.Linear(4, 11, bias=False)
        self.head.weight = self.embedding.weight
        self.register_buffer("seen", torch.zeros(2))

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


def test_tables_hold_parameters_and_buffers_and_tied_ones_once():
    assert list(Tied().tables()) == ["seen", "embedding.weight"]


def test_tables_that_do_not_fit_are_refused_by_name_and_shape():
    tables = Tied().tables()
    with pytest.raises(ValueError, match=r"missing \['seen'\], unknown \['other'\]"):
        Tied().load_tables({"embedding.weight": tables["embedding.weight"], "other": tables["seen"]})
    with pytest.raises(ValueError, match=r"seen is \(3,\), this model has \(2,\)"):
        Tied().load_tables({**tables, "seen": torch.zeros(3)})


def test_loading_tables_keeps_tied_parameters_tied():
    model, other = Tied(), Tied()
    other.load_tables(model.tables())
    assert other.head.weight is other.embedding.weight
    assert torch.equal(other.head.weight, model.head.weight)


class Wordy(LanguageModel):
    """Adds a term to the loss at every token; its logits can be made to have a wrong shape."""

    def __init__(self, wrong=False):
        super().__init__(None, Task(11, 16))
        self.table, self.wrong = torch.nn.Embedding(11, 11), wrong

    def start(self, batch, **given):
        return torch.zeros(batch)

    def step(self, tokens, state):
        self.add_loss("tokens", tokens.float().mean(), 3.0)
        logits = self.table(tokens)
        return logits[:, :, None] if self.wrong else logits, state


def test_a_loss_added_in_each_step_is_that_of_the_mean_step():
    model, tokens = Wordy(), torch.tensor([[1, 2, 3, 6]])
    collector = AuxiliaryLosses().attach(model)
    model(tokens)
    terms = collector.take()
    assert sum(weight * value.item() for _, value, weight, _ in terms) == pytest.approx(3.0 * 3.0)


def test_logits_of_a_wrong_shape_are_named_with_the_one_that_is_wanted():
    with pytest.raises(ValueError, match=r"Wordy returned logits \(1, 4, 11, 1\) for targets .*, not \(1, 4, 11\)"):
        Wordy(wrong=True).score(torch.ones(1, 4, dtype=torch.long), torch.ones(1, 4, dtype=torch.long))


def test_a_mixer_with_a_wrong_output_shape_is_named_with_the_shape():
    class Short(TokenMixer):
        def forward(self, x):
            return x[:, 1:]

    model = ResidualStack(StackConfig(layers=1, width=4), Task(11, 16), token_mixer=lambda _: Short())
    with pytest.raises(ValueError, match=r"Short returned \(2, 4, 4\) for \(2, 5, 4\), not the same shape"):
        model(torch.zeros(2, 5, dtype=torch.long))


class Counts(LanguageModel):
    learns = "counting"

    def __init__(self):
        super().__init__(None, Task(11, 16))
        self.register_buffer("seen", torch.zeros(0, dtype=torch.int64))

    def count(self, tokens):
        self.seen = torch.cat([self.seen, torch.from_numpy(tokens)])

    def forward(self, tokens, **given):
        return torch.zeros(*tokens.shape, 11)


def test_buffers_of_a_model_that_counts_come_back_at_any_length_and_copies_share_them():
    model, other = Counts(), Counts()
    model.count(np.arange(5))
    other.load_tables(model.tables())
    assert other.seen.tolist() == [0, 1, 2, 3, 4]
    twin = copy_of(model)
    assert twin.seen is model.seen
    model.count(np.arange(2))
    assert len(twin.seen) == 5
