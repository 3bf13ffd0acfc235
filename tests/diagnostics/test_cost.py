"""The costs of a model, measured without computing it."""

import gc
import itertools

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from lab.api import Architecture, Cost, Mixer, NoSettings, Task, state_bytes
from lab.diagnostics import cost as cost_module
from lab.diagnostics.activations import SavedForBackward
from lab.diagnostics.cost import FlopCounter, TooLarge, blueprint, measure
from lab.host import Plugins
from lab.layers import TokenMixer
from lab_ngram import NgramConfig
from lab_transformer import TransformerConfig
from lab_transformer.model import build

TASK = Task(65, 64)


@pytest.fixture
def transformer():
    """The card of the transformer."""
    return Plugins().card("architectures", "transformer")


def test_parameters_are_those_of_the_real_model(transformer):
    config = TransformerConfig(layers=2, width=32)
    real = sum(parameter.numel() for parameter in build(config, TASK).parameters())
    cost = measure(transformer, config, TASK)
    assert cost.parameters == cost.active_parameters == real


def test_operations_are_six_per_weight_and_twelve_per_token_read(transformer):
    # Kaplan et al. 2020, section 2.1, with the half of the attention that a causal mask hides left in
    config = TransformerConfig(layers=2, width=64, heads=2)
    weights = 12 * config.layers * config.width**2 + TASK.vocabulary_size * config.width
    reading = 12 * config.layers * config.width * TASK.context_length
    assert measure(transformer, config, TASK).flops_per_token == pytest.approx(6 * weights + reading, rel=0.02)


def test_a_cache_of_keys_and_values_grows_with_the_context(transformer):
    config = TransformerConfig(layers=2, width=32)
    one, two = (measure(transformer, config, Task(65, length)).state_bytes for length in (64, 128))
    assert one >= 2 * config.layers * config.width * 64 * 4
    assert two > 1.9 * one


SOURCES = {
    "a text": ("encoder-decoder", {}, Task(40, 17, source_vocabulary_size=40)),
    "an image": ("encoder-decoder", {"patch": 4}, Task(40, 17, input_shape=(8, 8, 1))),
    "a labelled text": ("transformer", {}, Task(40, 17, causal=False, classes=3)),
}


@pytest.mark.parametrize("read", SOURCES)
def test_operations_and_memory_with_a_source_or_labels_are_those_of_the_real_model(read):
    name, settings, task = SOURCES[read]
    card = Plugins().card("architectures", name)
    config = card.config(layers=2, width=32, heads=2, **settings)
    model, tokens = card.make(config, task), torch.zeros(1, 17, dtype=torch.long)
    source = {} if task.classes else {"source": torch.zeros(1, *task.input_shape) if task.input_shape else tokens}
    # the fused kernel of a CPU is no operation that torch counts
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        outputs = model(tokens) if task.classes else model.score(tokens, tokens, **source)
        outputs.sum().backward()
    with SavedForBackward(model) as saved:
        _ = model(tokens) if task.classes else model.score(tokens, tokens, **source)
    cost = measure(card, config, task)
    assert cost.flops_per_token * 17 == counter.get_total_flops()
    assert cost.activation_bytes * 17 == pytest.approx(saved.bytes, rel=0.02)
    if source:
        state = model.extend(tokens, model.start(1, **source))[1]
        assert cost.state_bytes == state_bytes(state)


def test_images_with_labels_have_no_cost_by_token():
    card = Plugins().card("architectures", "transformer")
    cost = measure(card, card.config(layers=1, width=16), Task(1, 17, causal=False, input_shape=(8, 8, 1), classes=3))
    assert (cost.flops_per_token, cost.activation_bytes, cost.state_bytes) == (None, None, None)
    assert cost.parameters > 0


def test_a_table_of_counts_has_no_parameters_and_no_operations():
    card = Plugins().card("architectures", "n-gram")
    cost = measure(card, NgramConfig(), TASK)
    assert (cost.parameters, cost.flops_per_token) == (0, None)


def test_the_largest_model_there_may_be_takes_no_memory(transformer):
    config = TransformerConfig(layers=40, width=65536, heads=64)
    model = blueprint(transformer, config, TASK)
    assert sum(parameter.numel() for parameter in model.parameters()) > 2 * 10**12
    assert all(parameter.is_meta for parameter in model.parameters())


def test_a_card_may_define_its_own_cost():
    reported = Cost(1, 1, None, None)
    card = Architecture("mine", "Mine", "own", "Own.", config=TransformerConfig, build=print, cost=lambda *_: reported)
    assert measure(card, TransformerConfig(), TASK) is reported


def test_measuring_draws_no_random_numbers(transformer):
    before = torch.get_rng_state()
    measure(transformer, TransformerConfig(layers=1, width=16, heads=2), Task(65, 8))
    assert torch.equal(before, torch.get_rng_state())


class Decay(TokenMixer):
    """A running mean, one token at a time."""

    def __init__(self, slot):
        super().__init__()
        self.mix = torch.nn.Linear(slot.width, slot.width)

    def start(self, batch):
        return self.mix.weight.new_zeros(batch, self.mix.in_features)

    def step(self, x, state):
        state = (state + self.mix(x)) / 2
        return state, state


def test_a_loop_over_tokens_is_counted_at_short_lengths_and_drawn_on(monkeypatch):
    card = Mixer("decay", "Decay", "token", NoSettings, Decay).stack()
    config, task = card.config(layers=1, width=16), Task(vocabulary_size=11, context_length=64)
    drawn = measure(card, config, task).flops_per_token
    monkeypatch.setattr(cost_module, "LOOPED", (32, 64))
    assert drawn == pytest.approx(measure(card, config, task).flops_per_token, rel=0.01)


def test_what_was_counted_is_let_go(transformer):
    config, task = TransformerConfig(layers=1, width=16, heads=2), Task(11, 8)

    def tensors_left():
        gc.collect()
        return sum(isinstance(one, torch.Tensor) for one in gc.get_objects())

    measure(transformer, config, task)
    before = tensors_left()
    for _ in range(5):
        measure(transformer, config, task)
    assert tensors_left() <= before


def test_a_depthwise_convolution_takes_three_times_its_products():
    convolution = torch.nn.Conv1d(1024, 1024, 4, groups=1024, bias=False, device="meta")
    with FlopCounter() as counter:
        convolution(torch.zeros(1, 1024, 262, device="meta", requires_grad=True)).sum().backward()
    assert counter.total == 3 * 2 * 1024 * 4 * 259


@pytest.mark.parametrize("groups", [1, 4])
def test_a_transposed_convolution_takes_three_times_its_products(groups):
    convolution = torch.nn.ConvTranspose1d(8, 16, 3, groups=groups, device="meta")
    with FlopCounter() as counter:
        convolution(torch.zeros(2, 8, 10, device="meta", requires_grad=True)).sum().backward()
    assert counter.total == 3 * 2 * 2 * 10 * 3 * 8 * 16 // groups


def test_the_first_convolution_of_a_model_needs_no_gradient_of_its_input():
    convolution = torch.nn.Conv1d(8, 8, 4, groups=8, device="meta")
    with FlopCounter() as counter:
        convolution(torch.zeros(1, 8, 13, device="meta")).sum().backward()
    assert counter.total == 2 * 2 * 8 * 4 * 10


def test_operations_of_a_hybrid_are_those_counted_by_hand():
    # ten layers of Mamba, two of attention with a feed-forward layer: 6 operations per weight and token, and 12 per
    # token read; see test_operations_of_a_layer_of_mamba_are_those_counted_by_hand
    card, task = Plugins().card("architectures", "hybrid"), Task(vocabulary_size=1000, context_length=256)
    pattern = {"layers": 12, "width": 512, "pattern": "mamba*5, attention+mlp", "mlp": {"hidden": 1024}}
    mamba = 512 * 2048 + 4 * 1024 + 1024 * (32 + 2 * 16) + 32 * 1024 + 1024 * 512
    attention, mlp, head = 4 * 512 * 512, 3 * 512 * 1024, 512 * 1000
    weights = 10 * mamba + 2 * (attention + mlp) + head
    scans, reading = 10 * 3 * 7 * 1024 * 16, 2 * 12 * 256 * 512
    assert measure(card, card.config.read(pattern), task).flops_per_token == 6 * weights + scans + reading


def test_wherever_a_measurement_is_refused_gradients_stay_switched_on(transformer, monkeypatch):
    config = TransformerConfig(layers=1, width=16)
    model = blueprint(transformer, config, TASK)
    for limit in itertools.count():
        monkeypatch.setattr(cost_module, "MOST_CALLS", limit)
        try:
            measure(transformer, config, TASK, flops=False, model=model)
        except TooLarge:
            assert torch.is_grad_enabled(), limit
        else:
            break
    assert limit > 20
