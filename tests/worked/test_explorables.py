"""The arithmetic of the explorables agrees with the lab's own parts and with what is known."""

import numpy as np
import pytest
import torch

from lab.decoding.filters import at_temperature as lab_at_temperature
from lab.decoding.filters import top_p
from lab.layers import Rotary, rotate
from lab.layers.attention.positions import sinusoids
from lab.worked import FORMATS, find_example
from lab.worked.explorables import (
    at_temperature,
    attend,
    cell_step,
    clock_hands,
    clock_product,
    entropy_bits,
    modes_response,
    neighbours,
    nucleus,
    rotated,
    routed,
    running_product,
)


def test_the_running_product_of_the_lecture_s_text():
    wanted = find_example("perplexity-aba").compute().values
    found = running_product(np.array([0.7, 0.5, 0.6]))
    np.testing.assert_allclose(found.products, wanted["running_product"])
    assert found.perplexity == pytest.approx(float(wanted["perplexity"]))


@pytest.mark.parametrize("temperature", [0.0, 0.1, 1.0, 4.0])
def test_temperature_is_that_of_the_lab(temperature):
    z = torch.tensor([2.0, 1.0, -1.0], dtype=torch.float64)
    np.testing.assert_allclose(at_temperature(z.numpy(), temperature), lab_at_temperature(z, temperature).softmax(-1))


def test_entropy_counts_no_impossible_token():
    assert entropy_bits(np.array([0.5, 0.5, 0.0])) == 1


def test_attention_is_torch_s():
    q, k, v = (torch.randn(n, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(n)) for n in (1, 3, 4))
    v = v[:3]
    wanted = torch.nn.functional.scaled_dot_product_attention(q, k, v)[0]
    np.testing.assert_allclose(attend(q[0].numpy(), k.numpy(), v.numpy()).output, wanted.numpy())


def test_rotation_is_the_lab_s_and_the_score_depends_on_the_offset_alone():
    q, k = np.array([1.6, 0.4]), np.array([0.9, 1.2])
    wanted = rotate(torch.from_numpy(q)[None, None, None], 7, Rotary(pairs="neighbours"))[0, 0, 0]
    np.testing.assert_allclose(rotated(q, 7, 1.0), wanted.numpy(), rtol=1e-6)
    scores = [rotated(q, at + 10, 0.3) @ rotated(k, at, 0.3) for at in (0, 5, 4000)]
    np.testing.assert_allclose(scores, scores[0])


def test_a_cell_is_torch_s_with_open_and_closed_taps():
    assert cell_step(0.7, forget=1, admit=0, candidate=1, emit=0) == (0.7, 0.0)
    found = cell_step(0.7, forget=0.5, admit=0.25, candidate=-1, emit=1)
    assert found == (pytest.approx(0.1), pytest.approx(np.tanh(0.1)))


@pytest.mark.parametrize("share", [0.05, 0.44, 0.5, 0.85, 0.999, 1.0])
def test_the_nucleus_is_that_of_the_lab(share):
    p = np.array([0.2, 0.45, 0.15, 0.08, 0.05, 0.07])
    kept = top_p(torch.from_numpy(p).log(), share).isfinite().numpy()
    assert nucleus(p, share).tolist() == kept.tolist()


@pytest.mark.parametrize("x", [1.0, 3.3, 1e-6, 4e-5, 60000.0])
def test_neighbours_are_all_numbers_of_the_format_near_x(x):
    half = np.arange(0, 0x7C00, dtype=np.uint16).view(np.float16).astype(float)
    found, step = neighbours(FORMATS[0], x)
    assert found.tolist() == half[(half >= x * 15 / 16) & (half <= x * 17 / 16)].tolist()
    assert step == np.spacing(np.float16(x))


def test_of_fine_formats_only_the_distance_is_given():
    found, step = neighbours(FORMATS[3], 1.0)
    assert len(found) == 0
    assert step == np.finfo(float).eps


def test_the_hands_of_the_clock_are_the_lab_s_sinusoids():
    hands = clock_hands(np.arange(5.0), 8)
    ours = np.stack([np.sin(hands), np.cos(hands)], axis=-1).reshape(5, 8)
    np.testing.assert_allclose(ours, sinusoids(0, 5, 8, torch.device("cpu")).numpy(), atol=1e-6)
    products = clock_product(np.arange(5.0), 8)
    np.testing.assert_allclose(ours @ ours[0], products)
    np.testing.assert_allclose(ours[1] @ ours[4], products[3])


def test_the_sum_of_the_modes_is_the_output_of_the_recurrence():
    a = np.array([0.9, 0.8 * np.exp(0.7j), -0.5])
    weights = np.array([1.0, -0.4, 2.0])
    state, wanted = np.ones(3, complex), []
    for _ in range(20):
        wanted.append((weights * state).sum().real)
        state = a * state
    found = modes_response(np.abs(a), np.angle(a), weights, 20)
    np.testing.assert_allclose(found.sum(axis=0), wanted, atol=1e-14)


@pytest.mark.parametrize("count", [1, 2])
def test_routing_is_the_softmax_of_the_best_experts_and_its_loss_that_of_switch(count):
    random = np.random.default_rng(3)
    points, experts = random.normal(size=(50, 2)), random.normal(size=(4, 2))
    found = routed(points, experts, sharpness=1.5, count=count, capacity=4)
    logits = torch.tensor(1.5 * points @ experts.T)
    p = logits.softmax(-1)
    best = p.topk(count).indices
    asked = torch.nn.functional.one_hot(best, 4).sum(1).double()
    np.testing.assert_allclose(found.probabilities, p)
    np.testing.assert_array_equal(found.taken, asked.bool())
    assert found.balance == pytest.approx(float(4 * (asked.mean(0) / count * p.mean(0)).sum()))
    assert found.load.sum() == pytest.approx(1)


def test_a_full_expert_takes_the_first_points_and_drops_the_rest():
    points = np.array([[1.0, 0.0]] * 6 + [[-1.0, 0.0]] * 2)
    found = routed(points, np.array([[1.0, 0.0], [-1.0, 0.0]]), sharpness=1, count=1, capacity=1.0)
    assert found.taken[:, 0].tolist() == [True] * 4 + [False] * 4
    assert found.dropped.tolist() == [0, 0, 0, 0, 1, 1, 0, 0]
    even = routed(points, np.zeros((2, 2)), sharpness=1, count=1, capacity=1.0)
    assert even.balance == pytest.approx(1)


def test_no_points_are_routed_to_nobody():
    found = routed(np.zeros((0, 2)), np.eye(2), sharpness=1, count=1, capacity=1)
    assert found.balance == 1
    assert found.load.tolist() == [0, 0]
