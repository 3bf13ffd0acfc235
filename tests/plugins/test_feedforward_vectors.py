"""The probe of the vectors of tokens: their map, and which are alike."""

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab_feedforward.language import Bengio, Logistic
from lab_feedforward.settings import BengioConfig, LogisticConfig
from lab_feedforward.vectors import vectors

TEXT = torch.tensor([[0, 3, 5, 3]])


def model_of(table):
    model = Bengio(BengioConfig(width=table.shape[1]), Task(len(table), 8))
    with torch.no_grad():
        model.embedding.weight.copy_(torch.tensor(table))
    return model


def read(table):
    return {one.name: one for one in vectors(None)(model_of(table), TEXT)}


def test_the_map_is_that_of_the_principal_directions_of_all_vectors():
    table = np.random.default_rng(1).normal(size=(6, 4)) * [4, 2, 0.5, 0.1]
    found = read(table)["token map"]
    centred = table - table.mean(axis=0)
    _, spread, directions = np.linalg.svd(centred, full_matrices=False)
    wanted = (centred @ directions[:2].T)[TEXT[0].numpy()]
    assert np.abs(np.asarray(found.values)) == pytest.approx(np.abs(wanted), abs=1e-4)
    assert found.coordinates["component"] == tuple(f"{100 * s:.0f} %" for s in spread[:2] ** 2 / (spread**2).sum())


def test_similarity_is_the_cosine_without_the_mean_and_1_for_the_same_token():
    table = np.random.default_rng(2).normal(size=(6, 4)) + 5
    found = np.asarray(read(table)["token similarity"].values)
    units = table - table.mean(axis=0)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    assert found == pytest.approx((units @ units.T)[np.ix_(TEXT[0], TEXT[0])], abs=1e-5)
    assert found[1, 3] == pytest.approx(1, abs=1e-6)


def test_a_model_without_vectors_is_refused():
    model = Logistic(LogisticConfig(), Task(6, 8))
    with pytest.raises(BadInput, match="no vectors"):
        vectors(None)(model, TEXT)
