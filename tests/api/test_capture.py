"""capture: what THIS instance reports inside the `with`, and nothing else."""

import threading

import numpy as np
import pytest
import torch

from lab.api import ModelConfig, Reading, StackConfig, Task, capture, checked_readings, layer_of
from lab.layers import ChannelMixer, LanguageModel, ResidualStack, TokenMixer

TASK = Task(11, 16)
TOKENS = torch.arange(10).view(2, 5)


class Summing(TokenMixer):
    """Written by steps, so that its reports come token by token."""

    def __init__(self, slot):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(slot.width))

    def start(self, batch):
        return self.weight.new_zeros(batch, len(self.weight))

    def step(self, x, state):
        state = state + x * self.weight
        self.report("state", state, axes=("batch", "channel"))
        self.report("lone", state[:, None], axes=("batch", "token", "channel"))
        self.report("scale", self.weight, axes=("channel",), units="per token")
        self.report("mixing", lambda: state[:, None, None], axes=("batch", "head", "query", "key"))
        return state, state


def stack(mixer=Summing, layers=2):
    return ResidualStack(StackConfig(layers=layers, width=4), TASK, token_mixer=mixer, channel_mixer=None)


def captured(model, *arguments, **given):
    with capture(model, *arguments, **given) as readings:
        model(TOKENS)
    return readings


def test_readings_know_their_layer_and_path():
    readings = captured(stack(), {"residual", "embedding"})
    assert [(reading.name, reading.layer, reading.path) for reading in readings] == [
        ("embedding", None, ""), ("residual", 0, "blocks.0"), ("residual", 1, "blocks.1")
    ]  # fmt: skip
    assert all(isinstance(reading.values, np.ndarray) for reading in readings)
    assert readings[0].values.shape == (2, 5, 4)


def test_reports_of_a_derived_forward_are_stacked_over_tokens():
    found = {reading.name: reading for reading in captured(stack(layers=1))}
    assert found["state"].axes == ("batch", "token", "channel")
    assert found["lone"].axes == ("batch", "token", "channel")
    assert (found["scale"].axes, found["scale"].units) == (("token", "channel"), "per token")
    np.testing.assert_array_equal(found["state"].values, found["lone"].values)
    assert found["state"].values.shape == (2, 5, 4)


def test_what_grows_with_every_token_is_left_out_of_a_derived_forward():
    assert "mixing" not in {reading.name for reading in captured(stack())}


def test_the_batch_axis_is_dropped_for_one_row():
    model = stack()
    with capture(model, {"state"}) as readings:
        model(TOKENS[:1])
    assert {(reading.axes, reading.values.shape) for reading in readings} == {(("token", "channel"), (5, 4))}


def test_steps_of_a_model_inside_which_mixers_step_are_stacked_once():
    class Outer(LanguageModel):
        def __init__(self):
            super().__init__(ModelConfig(), TASK)
            self.inner = stack(layers=1).blocks[0].token

        def start(self, batch):
            return self.inner.start(batch)

        def step(self, tokens, state):
            y, state = self.inner.extend(torch.ones(len(tokens), 1, 4), state)
            return y[:, 0], state

    found = {reading.name: reading for reading in captured(Outer())}
    assert (found["state"].axes, found["state"].values.shape) == (("batch", "token", "channel"), (2, 5, 4))


def test_only_the_names_that_are_asked_for_are_computed():
    class Lazy(ChannelMixer):
        def __init__(self, slot):
            super().__init__()

        def forward(self, x):
            self.report("asked", lambda: x, axes=("batch", "token", "channel"))
            self.report("other", lambda: 1 / 0, axes=("batch", "token", "channel"))
            return x

    model = ResidualStack(StackConfig(layers=1, width=4), TASK, token_mixer=None, channel_mixer=Lazy)
    assert [reading.name for reading in captured(model, {"asked"})] == ["asked"]


def test_a_mixing_map_is_reported_for_the_author():
    class Mapped(Summing):
        def forward(self, x):
            return x

        def mixing_map(self, x):
            return x.new_zeros(x.shape[0], 1, x.shape[1], x.shape[1])

    readings = captured(stack(Mapped), {"mixing"})
    assert [(reading.path, reading.values.shape) for reading in readings] == [
        ("blocks.0.token", (2, 1, 5, 5)), ("blocks.1.token", (2, 1, 5, 5))
    ]  # fmt: skip


class TwoMaps(TokenMixer):
    """Its map has two heads, with names for so many."""

    def __init__(self, slot, names):
        super().__init__()
        self.mixing_heads = names

    def forward(self, x):
        return x

    def mixing_map(self, x):
        return torch.eye(x.shape[1]).expand(len(x), 2, -1, -1)


def test_the_heads_of_a_map_are_called_what_its_author_calls_them():
    (reading,) = captured(stack(lambda slot: TwoMaps(slot, ("mean", "mean size")), 1), {"mixing"})
    assert reading.coordinates == {"head": ("mean", "mean size")}
    with pytest.raises(ValueError, match="needs 2 labels or numbers along 'head'"):
        captured(stack(lambda slot: TwoMaps(slot, ("mean",)), 1), {"mixing"})


def test_places_of_reports_stay_with_them_when_they_are_stacked():
    class Named(Summing):
        def step(self, x, state):
            self.report("gates", x[:, :2], axes=("batch", "quantity"), coordinates={"quantity": ("in", "out")})
            return x, state

    (reading,) = captured(stack(Named, 1), {"gates"})
    assert (reading.axes, reading.coordinates) == (("batch", "token", "quantity"), {"quantity": ("in", "out")})


def test_with_its_graph_a_reading_leads_back_to_gradients():
    model = stack()
    with capture(model, {"embedding"}, graph=True) as readings:
        logits = model(TOKENS)
    (embedding,) = readings
    (influence,) = torch.autograd.grad(logits[:, 2].sum(), embedding.values)
    assert influence[:, :3].abs().amin(dim=-1).min() > 0
    assert influence[:, 3:].abs().max() == 0


def test_reports_of_another_instance_or_capture_are_not_captured():
    model, other = stack(), stack()
    with capture(model) as readings, capture(other) as others:
        other(TOKENS)
    assert readings == []
    assert others != []


def test_reports_of_another_instance_in_a_thread_are_not_captured():
    model, other = stack(), stack()
    with capture(model, {"residual"}) as readings:
        thread = threading.Thread(target=lambda: other(TOKENS))
        thread.start()
        model(TOKENS)
        thread.join()
    assert len(readings) == 2


def test_a_model_can_be_captured_once_at_a_time():
    model = stack()
    with capture(model), pytest.raises(RuntimeError, match="being captured already"), capture(model):
        pass
    assert captured(model)


def test_a_part_of_a_captured_model_cannot_be_captured_too():
    model = stack()
    with capture(model), pytest.raises(RuntimeError, match="being captured already"), capture(model.blocks[0]):
        pass


def test_no_listener_stays_behind_even_after_an_error():
    model = stack()
    with pytest.raises(ZeroDivisionError), capture(model):
        1 / 0  # noqa: B018
    assert all("_capture" not in vars(module) for module in model.modules())


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        (("batch", "time", "channel"), "unknown axis 'time'; axes are batch, token"),
        (("batch", "token"), r"with 2 axes \(batch, token\) for 3 dimensions"),
        (("batch", "token", "token"), "an axis named twice"),
        (("token", "batch", "channel"), '"batch" not first'),
    ],
)
def test_axes_that_are_wrong_are_an_error_naming_report_and_place(axes, message):
    class Wrong(ChannelMixer):
        def __init__(self, slot):
            super().__init__()

        def forward(self, x):
            self.report("odd", x, axes=axes)
            return x

    model = ResidualStack(StackConfig(layers=1, width=4), TASK, token_mixer=None, channel_mixer=Wrong)
    with pytest.raises(ValueError, match=rf"blocks\.0\.channel reports 'odd' .*{message}"):
        captured(model)


@pytest.mark.parametrize(("path", "layer"), [("blocks.3.token", 3), ("embedding", None), ("a.1.b.2", 1), ("", None)])
def test_a_layer_is_the_first_number_in_a_path(path, layer):
    assert layer_of(path) == layer


def test_readings_are_float_copies_of_what_was_reported():
    class Half(ChannelMixer):
        def __init__(self, slot):
            super().__init__()

        def forward(self, x):
            self.report("half", x.bfloat16(), axes=("batch", "token", "channel"))
            return x

    model = ResidualStack(StackConfig(layers=1, width=4), TASK, token_mixer=None, channel_mixer=Half)
    assert captured(model, {"half"})[0].values.dtype == np.float32


class Loose(Summing):
    """Names "token" inside a step, as a form for whole texts would; and has one report that fits no axes."""

    def step(self, x, state):
        state = state + x * self.weight
        self.report("named", state, axes=("batch", "token", "channel"))
        self.report("wrong", state, axes=("batch", "chanel"))
        return state, state


def test_inside_a_step_the_token_may_be_named_and_a_fault_is_kept_apart_on_request():
    errors = []
    readings = {reading.name: reading for reading in captured(stack(Loose, layers=1), errors=errors)}
    assert readings["named"].axes == ("batch", "token", "channel")
    assert readings["named"].values.shape == (2, 5, 4)
    assert "wrong" not in readings
    assert len(errors) == 5
    assert "unknown axis 'chanel'" in str(errors[0])
    with pytest.raises(ValueError, match="unknown axis 'chanel'"):
        captured(stack(Loose, layers=1))


def test_with_its_graph_a_reading_of_one_row_can_be_differentiated_by():
    model = stack(lambda _: Whole(), layers=1)
    with capture(model, {"embedding"}, graph=True) as readings:
        y = model(TOKENS[:1])[0, -1].sum()
    (gradient,) = torch.autograd.grad(y, readings[0].values)
    assert gradient.shape == (1, 5, 4)
    assert gradient.any()


class Whole(TokenMixer):
    def forward(self, x):
        self.report("places", torch.arange(x.shape[1]), axes=("token",))
        return x.cumsum(dim=1)


def test_whole_numbers_are_captured_as_they_are():
    (reading,) = captured(stack(lambda _: Whole(), layers=1), {"places"})
    assert reading.values.tolist() == [0, 1, 2, 3, 4]
    assert reading.values.dtype == np.int64


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (None, "a probe must return a list"),
        (["x"], "this one gave str"),
        ([Reading("a", ("token",), np.zeros((2, 2)))], "1 axes"),
        ([Reading("a", ("tokens",), np.zeros(2))], "unknown axis"),
        ([Reading("a", ("token",), np.zeros(2))] * 2, "two readings called 'a'"),
        ([Reading("a", ("token",), np.array(["x"]))], "only real numbers"),
        ([Reading("a", ("token",), np.zeros(2, complex))], "only real numbers"),
        ([Reading(5, ("token",), np.zeros(2))], "are texts"),
        ([Reading("a", None, np.zeros(2))], "are texts"),
        ([Reading("a", ("token",), np.zeros(2), layer="1")], "whole number or None"),
    ],
)
def test_what_a_probe_must_not_return_is_refused(found, words):
    with pytest.raises((TypeError, ValueError), match=words):
        checked_readings(found)


def test_the_tensors_of_a_probe_become_numpy():
    (reading,) = checked_readings([Reading("a", ("token",), torch.ones(2, requires_grad=True))])
    assert isinstance(reading.values, np.ndarray)
