"""The memory of states for earlier tokens, in models where it is known exactly."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lab.api import BadInput, Task, checked_readings
from lab.diagnostics.state import memory as module
from lab.diagnostics.state.memory import memory
from lab.layers import LanguageModel

TEXT = torch.arange(12)[None] % 8


class Line(LanguageModel):
    """Keeps what the table gives of the last tokens, each `fades` times what the token after it has."""

    def __init__(self, kept, fades=1.0, vocabulary=8, reach=None, width=None):
        super().__init__(None, Task(vocabulary, 64))
        self.kept, self.fades, self.reach = kept, fades, reach
        self.table = torch.nn.Embedding(vocabulary, width or vocabulary)
        self.table.weight.data = F.one_hot(torch.arange(vocabulary), width or vocabulary).float()

    def start(self, batch, **given):
        return torch.zeros(batch, self.kept, self.table.embedding_dim)

    def step(self, tokens, state):
        state = torch.cat([self.table(tokens)[:, None], self.fades * state[:, :-1]], dim=1)
        return state.new_zeros(len(tokens), self.task.vocabulary_size), state


class Mean(Line):
    """A decaying average, which keeps 0.9 of itself."""

    def start(self, batch, **given):
        return torch.zeros(batch, self.table.embedding_dim)

    def step(self, tokens, state):
        state = 0.9 * state + 0.1 * self.table(tokens)
        return state.new_zeros(len(tokens), self.task.vocabulary_size), state


def found(model, tokens=TEXT):
    """The readings of the probe by name."""
    return {one.name: one for one in checked_readings(memory(None)(model, tokens))}


def test_of_a_decaying_average_the_influence_falls_by_its_decay():
    reading = found(Mean(1))["influence by lag"]
    assert reading.axes == ("quantity", "lag")
    assert reading.coordinates == {"quantity": ("influence",), "lag": tuple(range(12))}
    assert reading.values[0] == pytest.approx(0.9 ** np.arange(12), rel=1e-5)


def test_a_text_longer_than_the_longest_lag_is_read_whole():
    text = torch.arange(40)[None] % 8
    assert found(Mean(1), text)["influence by lag"].values[0] == pytest.approx(0.9 ** np.arange(33), rel=1e-5)


def test_the_influence_of_what_has_left_the_state_is_0():
    values = found(Line(5, fades=0.5))["influence by lag"].values[0]
    assert values == pytest.approx([1, 0.5, 0.25, 0.125, 0.0625, *[0] * 7])


def test_a_delay_line_recalls_what_is_in_it_and_no_more():
    reading = found(Line(5, fades=0.5))["recall by lag"]
    assert reading.axes == ("quantity", "lag")
    assert reading.coordinates == {"quantity": ("recalled", "chance"), "lag": tuple(range(33))}
    recalled, chance = reading.values
    assert (recalled[:5] == 1).all()
    assert recalled[5:] == pytest.approx(1 / 8, abs=0.06)
    assert (chance == 1 / 8).all()


def test_of_a_large_vocabulary_sixteen_symbols_are_written():
    recalled, chance = found(Line(2, vocabulary=50))["recall by lag"].values
    assert (recalled[:2] == 1).all()
    assert (chance == 1 / 16).all()


def test_random_sums_of_a_large_state_say_as_much():
    recalled, _ = found(Line(6, width=200))["recall by lag"].values
    assert (recalled[:6] > 0.99).all()
    assert recalled[6:] == pytest.approx(1 / 8, abs=0.06)


def test_states_of_complex_numbers_are_read_by_both_parts():
    class Turning(Mean):
        def start(self, batch, **given):
            return super().start(batch).to(torch.complex64)

        def step(self, tokens, state):
            state = 0.9j * state + self.table(tokens)
            return state.real[:, :8], state

    readings = found(Turning(1))
    assert readings["influence by lag"].values[0] == pytest.approx(0.9 ** np.arange(12), rel=1e-5)
    assert readings["recall by lag"].values[0, 1] > 0.5


def test_no_lag_is_longer_than_half_of_what_the_model_reads():
    readings = found(Line(3, reach=8), TEXT[:, :8])
    assert readings["recall by lag"].values.shape == (2, 5)
    assert readings["influence by lag"].values.shape == (1, 8)


class Late(Line):
    """A delay line that the last token has not reached."""

    def start(self, batch, **given):
        return {"line": super().start(batch), "last": super().start(batch)[:, 0]}

    def step(self, tokens, state):
        line = torch.cat([state["last"][:, None], state["line"][:, :-1]], dim=1)
        return line.new_zeros(len(tokens), 8), {"line": line, "last": self.table(tokens)}


def test_a_state_that_the_last_token_leaves_alone_has_nothing_to_compare_with():
    readings = found(Late(2))
    assert np.isnan(readings["influence by lag"].values).all()
    assert readings["recall by lag"].values[0, :4] == pytest.approx([1 / 8, 1, 1, 1 / 8], abs=0.06)


def test_frozen_tables_are_followed_too():
    model = Mean(1)
    model.table.requires_grad_(False)
    assert found(model)["influence by lag"].values[0] == pytest.approx(0.9 ** np.arange(12), rel=1e-5)
    assert not model.table.weight.requires_grad


def test_a_model_without_a_table_only_has_its_recall_measured():
    class Bare(Line):
        def step(self, tokens, state):
            state = torch.cat([F.one_hot(tokens, 8)[:, None].float(), state[:, :-1]], dim=1)
            return state[:, 0], state

    readings = found(Bare(2))
    assert set(readings) == {"recall by lag"}
    assert (readings["recall by lag"].values[0, :2] == 1).all()


def test_one_symbol_is_nothing_to_recall():
    with pytest.raises(BadInput, match="one symbol"):
        found(Line(2, vocabulary=1), torch.zeros(1, 4, dtype=torch.long))


def test_more_signs_change_little(monkeypatch):
    model = Line(5, fades=0.5)
    model.table.weight.data = torch.randn(8, 8, generator=torch.Generator().manual_seed(0))
    few = found(model)["influence by lag"].values
    monkeypatch.setattr(module, "SIGNS", 64)
    assert found(model)["influence by lag"].values == pytest.approx(few, rel=0.2)
