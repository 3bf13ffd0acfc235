"""The list of who is updated at which rate, and who decays, is that of the optimizer itself."""

import pytest
import torch

from lab.training.optimizers.listing import UpdatedGroup, updated_groups


def test_roles_rates_and_decay_are_listed_with_their_layers(experiment, card):
    model = experiment("transformer", config={"layers": 2}).build()
    rows = updated_groups(model, card("adamw", learning_rate=0.01, embedding_rate=0.5, weight_decay=0.2))
    by_role = {row.role: row for row in rows}
    assert by_role["embedding"].rate == pytest.approx(0.005)
    assert (by_role["matrix"].layers, by_role["matrix"].weight_decay) == ((0, 1), 0.2)
    assert by_role["norm"].weight_decay == 0
    assert sum(row.parameters for row in rows) == sum(p.numel() for p in model.parameters())


def test_layers_with_rates_of_their_own_are_rows_of_their_own(experiment, card):
    model = experiment("transformer", config={"layers": 3}).build()
    rows = updated_groups(model, card("muon", learning_rate=0.01, layer_decay=0.5))
    matrices = [row for row in rows if row.role == "matrix"]
    assert [row.layers for row in matrices] == [(0, 0), (1, 1), (2, 2)]
    assert [row.rate for row in matrices] == pytest.approx([0.0025, 0.005, 0.01])


def test_a_frozen_part_and_a_model_without_numbers_are_listed_right(experiment, card):
    made = experiment("transformer", frozen="embedding.weight")
    model = made.build()
    assert all(row.role != "embedding" or row.parameters < 1000 for row in updated_groups(model, card("sgd")))
    with torch.device("meta"):
        shapes = made.architecture.card.make(made.architecture.config, made.task)
    assert isinstance(updated_groups(shapes, card("lion"))[0], UpdatedGroup)
