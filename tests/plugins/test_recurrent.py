"""The recurrent plugin: its cards, how its weights begin, what its cells tell; parity and conformance hold the rest."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from lab.api import Task, capture, hooked, settings_of, state_bytes, watched
from lab.diagnostics.cost import measure
from lab.testing.cards import offer_of
from lab.training.steps.clipping import GradientNorms
from lab_recurrent import GRUConfig, LSTMConfig, RNNConfig
from lab_recurrent.cells import CELL, HIDDEN, LSTMCell
from lab_recurrent.model import build_gru, build_lstm, build_rnn

TASK = Task(65, 64)
OFFERED = offer_of(None, "lab_recurrent").architectures
CARDS = {name: card for name, card in OFFERED.items() if not name.startswith("mixer:")}
BUILDS = {"rnn": (build_rnn, RNNConfig), "gru": (build_gru, GRUConfig), "lstm": (build_lstm, LSTMConfig)}
STATES_AND_GATES = {
    "rnn": {HIDDEN},
    "gru": {HIDDEN, "reset gate", "update gate", "candidate"},
    "lstm": {HIDDEN, CELL, "input gate", "forget gate", "output gate", "cell candidate"},
}


@pytest.fixture(params=BUILDS)
def name(request):
    return request.param


@pytest.fixture
def make(name):
    """Return a small model of one kind."""
    build, config = BUILDS[name]

    def made(**settings):
        torch.manual_seed(0)
        return build(config(**{"layers": 2, "width": 32, **settings}), TASK)

    return made


def tokens(batch=2, length=20):
    return torch.randint(65, (batch, length), generator=torch.Generator().manual_seed(1))


def test_it_registers_a_card_for_each_cell_in_one_family():
    assert list(CARDS) == ["rnn", "gru", "lstm"]
    assert {card.family for card in CARDS.values()} == {"recurrent"}
    assert all(setting.help.endswith(".") for card in CARDS.values() for setting in settings_of(card.config))


def test_only_dropout_is_live(name):
    assert [setting.name for setting in settings_of(CARDS[name].config) if setting.live] == ["dropout"]


def test_its_presets_carry_the_state_from_batch_to_batch(name):
    assert {preset["objective"]["name"] for preset in CARDS[name].presets.values()} == {"carried"}


def test_of_small_embeddings_it_begins_near_the_loss_of_knowing_nothing(make):
    rows = tokens(8, 65)
    loss = -make(embedding_std=0.05).score(rows[:, :-1], rows[:, 1:]).mean()
    assert loss.item() == pytest.approx(np.log(65), rel=0.05)


# ---- how weights begin


def test_each_recurrent_matrix_begins_as_a_rotation(make):
    for layer in make().recurrent_matrices():
        for matrix in layer.values():
            torch.testing.assert_close(matrix @ matrix.T, torch.eye(32))


def test_each_recurrent_matrix_may_begin_as_the_identity(make):
    for layer in make(initialisation="identity").recurrent_matrices():
        assert all(torch.equal(matrix, torch.eye(32)) for matrix in layer.values())


@pytest.mark.parametrize(("scheme", "bound"), [("xavier", (6 / 64) ** 0.5), ("uniform", 32**-0.5)])
def test_uniform_recurrent_matrices_fill_their_bounds(make, scheme, bound):
    layers = make(initialisation=scheme).recurrent_matrices()
    largest = max(matrix.abs().max().item() for layer in layers for matrix in layer.values())
    assert 0.98 * bound < largest <= bound


def test_biases_are_zero_at_first_save_that_of_the_forget_gate():
    model = build_lstm(LSTMConfig(layers=2, width=4, forget_bias=1.5), TASK)
    for cell in model.cells:
        _, _, b_ih, b_hh = cell.weights
        assert (b_ih + b_hh).tolist() == [0] * 4 + [1.5] * 4 + [0] * 8


def test_a_tied_head_is_the_embedding_and_another_is_not(make):
    tied, own = make(), make(tie=False)
    assert tied.output.weight is tied.embedding.weight
    assert sum(p.numel() for p in own.parameters()) - sum(p.numel() for p in tied.parameters()) == 65 * 32


# ---- training and what is told of it


def test_training_runs_torch_s_modules_and_only_readings_run_the_equations_once_per_layer(make, monkeypatch):
    model, calls = make(), []
    for cell in model.cells:
        monkeypatch.setattr(cell, "step_values", lambda *given, own=cell.step_values: calls.append(1) or own(*given))
    model.train()(tokens())
    with capture(model, {"embedding"}):
        model(tokens())
    assert not calls
    with capture(model, {HIDDEN}):
        model(tokens())
    assert len(calls) == 2


def test_readings_of_a_whole_text_are_those_of_the_equations_token_by_token(make):
    model, rows = make(), tokens()
    with capture(model) as readings:
        model(rows)
    all_steps = model.unrolled(rows).layers
    for reading in readings:
        expected = torch.stack([values[reading.name] for values in all_steps[reading.layer]], dim=1)
        assert torch.allclose(torch.as_tensor(reading.values), expected, atol=1e-6), reading.name


def test_what_is_watched_passes_for_all_tokens_at_once_and_what_is_edited_token_by_token(make):
    model, rows = make(), tokens()
    seen, edited = [], []
    with watched(model, lambda point, values: seen.append((point.axes, values.shape))):
        logits = model(rows)
    with hooked(model, lambda point, values: edited.append(values.shape) or values):
        model(rows)
    assert seen == 2 * [(("batch", "token", "unit"), (2, 20, 32))]
    assert edited == 2 * 20 * [(2, 32)]
    assert torch.equal(model(rows), logits)
    assert not any(module._watchers for module in model.cells)


@pytest.mark.parametrize("settings", [{"layer_norm": True}, {"peephole": True}])
def test_cells_that_torch_lacks_are_watched_token_by_token(settings):
    torch.manual_seed(0)
    model = build_lstm(LSTMConfig(layers=2, width=32, **settings), TASK)
    seen = []
    with watched(model, lambda point, values: seen.append((point.axes, values.shape))):
        logits = model(tokens())
    assert seen == 2 * 20 * [(("batch", "unit"), (2, 32))]
    assert torch.equal(model(tokens()), logits)


def test_states_and_gates_of_each_layer_are_reported_by_unit(make, name):
    model = make()
    with capture(model) as readings:
        model(tokens())
    assert {(reading.layer, reading.name) for reading in readings} == {
        (layer, reported) for layer in (0, 1) for reported in STATES_AND_GATES[name]
    }
    assert all(reading.axes == ("batch", "token", "unit") for reading in readings)
    assert all(reading.values.shape == (2, 20, 32) for reading in readings)
    for reading in readings:
        if "gate" in reading.name:
            assert 0 < reading.values.min() < reading.values.max() < 1


def test_a_text_unrolled_has_the_model_s_logits_and_gradients_through_every_state(make):
    model, rows = make(), tokens()
    unrolled = model.unrolled(rows)
    torch.testing.assert_close(unrolled.logits, model(rows))
    states = [step_values[HIDDEN] for layer in unrolled.layers for step_values in layer]
    loss = F.cross_entropy(unrolled.logits[:, -1], rows[:, 0])
    assert len(states) == 2 * 20
    assert all(gradient.any() for gradient in torch.autograd.grad(loss, states))


def test_dropout_falls_before_every_layer_and_the_head_but_never_over_time(make, monkeypatch):
    model, shapes, drop = make(dropout=0.5), [], F.dropout
    monkeypatch.setattr(F, "dropout", lambda x, *given: shapes.append(tuple(x.shape)) or drop(x, *given))
    torch.manual_seed(0)
    dropped = model.train()(tokens())
    assert shapes == [(2, 20, 32)] * 3
    assert not torch.equal(dropped, model(tokens()))
    torch.testing.assert_close(model.eval()(tokens()), make()(tokens()))


def test_gradient_norms_name_each_layer_once(make):
    assert GradientNorms(make(tie=False)).layers == ("embedding", "layers.0", "layers.1", "output")


def test_states_keep_their_precision_under_bfloat16_products(make):
    model = make()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        _, state = model.extend(tokens(), model.start(2))
        _, state = model.step(tokens()[:, 0], state)
    assert {part.dtype for layer in state for part in layer.values()} == {torch.float32}


# ---- costs


def test_operations_on_the_meta_device_are_those_of_the_equations_counted(make, name):
    model, T = make(), 32
    counter = FlopCounterMode(display=False)
    with counter:
        model.unrolled(tokens(1, T)).logits.sum().backward()
    cost = measure(CARDS[name], model.config, Task(65, T))
    first = sum(2 * cell.weights[1].numel() for cell in model.cells)  # no gradient goes into the zeros before all
    assert cost.flops_per_token * T == counter.get_total_flops() + first
    products = sum(p.numel() for p in model.parameters() if p.ndim == 2)  # the tied head's is the embedding's
    assert cost.flops_per_token == 6 * products


def test_a_long_context_costs_as_much_per_token_as_a_short_one(name):
    long, short = (measure(CARDS[name], CARDS[name].config(), Task(65, T)).flops_per_token for T in (100_000, 32))
    assert long == short


def test_the_formula_of_its_state_gives_the_bytes_of_its_state(make, name):
    model = make()
    words, size = CARDS[name].state_formula(model.config, TASK)
    assert size == state_bytes(model.extend(tokens(1), model.start(1))[1])
    assert words.endswith("2 layers × 32 units × 4 bytes")


# ---- variants of the LSTM


@pytest.fixture
def state():
    """Return the states of one row and the term of the input."""
    generator = torch.Generator().manual_seed(0)
    return {part: torch.randn(1, 4, generator=generator) for part in (HIDDEN, CELL)}


def test_peepholes_add_the_old_cell_to_input_and_forget_gate_and_the_new_one_to_the_output_gate(state):
    cell = LSTMCell(LSTMConfig(width=4, peephole=True))
    read = cell.read(torch.randn(1, 4))
    without = cell.step_values(read, state)
    with torch.no_grad():
        cell.peepholes.copy_(torch.linspace(-1, 1, 12))
    seen = cell.step_values(read, state)
    p_i, p_f, p_o = cell.peepholes.chunk(3)
    for gate, added in (
        ("input gate", p_i * state[CELL]), ("forget gate", p_f * state[CELL]), ("output gate", p_o * seen[CELL]),
    ):  # fmt: skip
        torch.testing.assert_close(seen[gate].logit() - without[gate].logit(), added, atol=1e-5, rtol=1e-4)


def test_with_layer_norm_the_scale_of_the_weights_does_not_matter(state):
    # Ba et al. 2016, table 1: invariant to a rescaling of the weight matrix
    cell = LSTMCell(LSTMConfig(width=4, layer_norm=True))
    x = torch.randn(1, 4)
    before = cell.step_values(cell.read(x), state)
    with torch.no_grad():
        for matrix in cell.weights[:2]:
            matrix.mul_(1000)
    after = cell.step_values(cell.read(x), state)
    for part, values in before.items():
        torch.testing.assert_close(after[part], values, atol=1e-3, rtol=1e-3)


def test_fused_layers_compute_in_full_precision_under_autocast(make):
    model, seen = make(layers=1).train(), []
    cell = model.cells[0]
    watch = lambda module, given: seen.append((given[0].dtype, torch.is_autocast_enabled("cpu")))  # noqa: E731
    cell.rnn.register_forward_pre_hook(watch)
    with torch.autocast("cpu", torch.bfloat16):
        hidden, state = cell.extend(torch.randn(2, 5, 32).bfloat16(), cell.start(2))
    assert seen == [(torch.float32, False)]
    assert hidden.dtype == state[HIDDEN].dtype == torch.float32
