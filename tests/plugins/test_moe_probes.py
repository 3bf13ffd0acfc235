"""The probe of experts, on models of which it is known what their routers do."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, checked_readings
from lab.layers import LanguageModel
from lab.testing.cards import offer_of
from lab_moe.probes import routing

STRANGER = Path(__file__).parents[1] / "strangers" / "two_experts.py"
P = torch.tensor([[0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [0.2, 0.6, 0.2], [0.7, 0.2, 0.1]])
G = torch.tensor([[0.6, 0.4, 0], [0.5, 0.5, 0], [0.25, 0.75, 0], [0.8, 0.2, 0]])


class Routed(LanguageModel):
    """Reports what it is given in every one of its two layers."""

    def __init__(self, **reports):
        super().__init__(None, Task(10, 16))
        self.reports = reports

    def forward(self, tokens):
        for layer in range(2):
            for name, values in self.reports.items():
                self.report(name, values[None], axes=("batch", "token", "expert"), layer=layer)
        return torch.zeros(*tokens.shape, 10)


def found_in(model):
    """By name and layer."""
    with torch.no_grad():
        readings = checked_readings(routing(None)(model, torch.tensor([[1, 2, 3, 1]])))
    return {(one.name, one.layer): one for one in readings}


def test_each_block_has_its_figures_with_axes_that_views_know():
    found = found_in(Routed(routing=P, gates=G))
    assert {name: one.axes for (name, layer), one in found.items() if layer == 1} == {
        "assignments": ("token", "expert"),
        "load": ("expert",),
        "balance": (),
        "router entropy": ("token",),
        "router confidence": ("token",),
        "dead experts": (),
        "co-activation": ("expert", "partner"),
    }
    np.testing.assert_allclose(found["load", 0].values, [0.5, 0.5, 0])
    np.testing.assert_array_equal(found["assignments", 0].values, (G > 0).numpy())
    assert found["dead experts", 0].values == 1
    assert found["balance", 0].values == pytest.approx(3 * 0.5 * float(P.mean(0)[:2].sum()))
    assert found["router entropy", 0].units == "bits"


def test_without_gates_the_likeliest_expert_takes_the_token():
    found = found_in(Routed(routing=P))
    np.testing.assert_allclose(found["load", 0].values, [0.75, 0.25, 0])
    assert ("co-activation", 0) not in found  # each token has one expert


def test_a_third_party_model_that_only_reports_its_routing_is_read():
    (card,) = offer_of(None, STRANGER).architectures.values()
    found = found_in(card.make(card.config(layers=2, width=16), Task(10, 16)).eval())
    assert {layer for _, layer in found} == {0, 1}
    assert found["load", 0].values.sum() == pytest.approx(1)


def test_a_model_without_experts_is_refused():
    (card, *_) = offer_of("transformer", "lab_transformer").architectures.values()
    with pytest.raises(BadInput, match="sends no token to an expert"):
        found_in(card.make(card.config(layers=2, width=16, heads=2), Task(11, 32)).eval())


def test_gates_that_are_no_table_of_tokens_and_experts_are_left_alone():
    model = Routed(routing=P)
    forward = model.forward

    def also(tokens):
        model.report("gates", torch.zeros(3, 4), axes=("unit", "quantity"), layer=0)
        return forward(tokens)

    model.forward = also
    assert found_in(model)["load", 0].values.tolist() == [0.75, 0.25, 0]
