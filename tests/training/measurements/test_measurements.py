"""Gauges on demand against exact references: a Hessian, cosines, planes whose loss is known, and sums by hand."""

import math

import numpy as np
import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.utils import parameters_to_vector

from lab.base import BadInput, LabError
from lab.training.measurements.agreement import measure_agreement
from lab.training.measurements.curvature import lanczos, measure_sharpness, power_iteration, quadrature
from lab.training.measurements.difficulty import KINDS, measure_difficulty
from lab.training.measurements.lines import measure_line
from lab.training.measurements.planes import (
    axes_between,
    filter_normalised,
    measure_plane,
    path_axes,
    random_axes,
)
from lab.training.measurements.surface import LossSurface


@pytest.fixture
def surface(experiment):
    """Return a function that makes the loss of a tiny model over its weights."""

    def surface(build="memory", *, count=4, width=4, **given):
        made = experiment(build, config={"width": width}, batch_size=2, **given)
        return LossSurface(made, made.build(), count=count)

    return surface


def exact_hessian(surface):
    """Return (N, N) the Hessian of a surface by two backward passes."""
    from lab.training.measurements.surface import joined

    parameters = surface.parameters
    loss = sum(surface._nats(number, batch) for number, batch in enumerate(surface._batches)) / surface._weight
    first = torch.autograd.grad(loss, parameters, create_graph=True, allow_unused=True)
    flat = joined(first, parameters)
    rows = [
        joined(torch.autograd.grad(one, parameters, retain_graph=True, allow_unused=True), parameters) for one in flat
    ]
    return torch.stack(rows).detach()


@pytest.mark.parametrize("build", ["memory", "transformer"])
def test_products_with_the_hessian_and_its_largest_eigenvalue_are_those_of_the_exact_one(surface, build):
    found = surface(build)
    with sdpa_kernel(SDPBackend.MATH):
        exact = exact_hessian(found)
    vector = torch.randn(len(found.weights), generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    product = exact @ vector
    assert float((found.product(vector) - product).norm() / product.norm()) < 1e-6
    eigenvalues = torch.linalg.eigvalsh(exact)
    sharp = measure_sharpness(found, 0.01, dimensions=40, vectors=3)
    assert sharp.largest == pytest.approx(float(eigenvalues[-1]), rel=0.01)
    assert sharp.eigenvalues[0] == pytest.approx(float(eigenvalues[0]), rel=0.02)
    assert sharp.trace == pytest.approx(float(exact.trace()), abs=2 * float(exact.norm()))
    assert sum(sharp.shares) == pytest.approx(1)
    assert sharp.bound == 200
    assert torch.equal(found.vector(), found.weights)


def test_the_power_iteration_finds_the_largest_eigenvalue_even_if_another_is_farther_from_zero():
    matrix = torch.diag(torch.tensor([-7.0, 1.0, 3.0, 0.0], dtype=torch.float64))
    value, change, _ = power_iteration(lambda one: matrix @ one, torch.ones(4, dtype=torch.float64))
    assert value == pytest.approx(3, rel=1e-2)
    assert change < 1e-3


def test_the_lanczos_method_has_the_whole_spectrum_in_as_many_steps_as_there_are_numbers():
    generator = torch.Generator().manual_seed(0)
    half = torch.randn(12, 12, generator=generator, dtype=torch.float64)
    matrix = half + half.T
    start = torch.randn(12, generator=generator, dtype=torch.float64)
    values, shares = quadrature(*lanczos(lambda one: matrix @ one, start, 12))
    assert values == pytest.approx(torch.linalg.eigvalsh(matrix).numpy())
    unit = start / start.norm()
    for power in (1, 2, 5):  # the quadrature is exact for the moments of the start
        moment = unit @ torch.linalg.matrix_power(matrix, power) @ unit
        assert float((values**power) @ shares) == pytest.approx(float(moment))


def test_a_cancelled_measurement_of_sharpness_has_what_it_found(surface):
    made = surface()
    seen = []
    found = measure_sharpness(made, 0.01, cancelled=lambda: len(seen) == 3, report=seen.append)
    assert found.iterations == 3
    assert found.eigenvalues == ()
    with pytest.raises(LabError, match="nothing was measured"):
        measure_sharpness(made, 0.01, cancelled=lambda: True)


def test_the_loss_of_a_surface_is_that_of_its_examples_without_dropout(surface):
    made = surface("transformer")
    assert made.loss() == made.loss(made.weights)
    tokens = list(made._batches)
    by_hand = 0.0
    with torch.no_grad():
        for batch in tokens:
            logits = made.model(batch.inputs["tokens"])
            by_hand += float(
                torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch.targets.flatten(), reduction="sum")
            )
    assert made.loss() == pytest.approx(by_hand / sum(batch.weight for batch in tokens), abs=1e-12)


def test_a_random_direction_has_filters_as_long_as_those_of_the_weights(surface):
    made = surface("transformer")
    direction = filter_normalised(made, torch.Generator().manual_seed(0))
    torch.nn.utils.vector_to_parameters(direction, made.parameters)
    drawn = [parameter.detach().clone() for parameter in made.parameters]
    made.move_to(made.weights)
    for parameter, filters in zip(made.parameters, drawn, strict=True):
        if parameter.dim() < 2:
            assert not filters.any()
        else:
            lengths = parameter.detach().flatten(1).norm(dim=1)
            assert torch.allclose(filters.flatten(1).norm(dim=1), lengths)


class Bowl:
    """A loss that is known: the distance to a point, squared, less what the plane cannot see."""

    count, model = 1, None

    def __init__(self, weights):
        self.weights = weights

    def loss(self, weights=None):
        return float((self.weights if weights is None else weights).square().sum())

    def move_to(self, weights):
        pass


def test_a_plane_between_two_weights_has_both_on_it_and_the_losses_of_a_known_bowl(surface):
    made = surface("transformer")
    other = made.weights + torch.randn(len(made.weights), generator=torch.Generator().manual_seed(3)).double()
    axes = axes_between(made, other, ("a", "b"))
    assert abs(float(axes.right @ axes.up)) < 1e-9 * float(axes.right @ axes.right)
    found = measure_plane(Bowl(made.weights), axes, side=5)
    for row, y in enumerate(found.y):
        for column, x in enumerate(found.x):
            expected = (axes.origin + x * axes.right + y * axes.up).square().sum()
            assert found.losses[row][column] == pytest.approx(float(expected))
    assert [point.loss for point in found.points] == pytest.approx(
        [float(made.weights.square().sum()), float(other.square().sum())]
    )
    with pytest.raises(BadInput, match="same weights"):
        axes_between(made, made.weights.clone(), ("a", "b"))


def test_the_plane_of_a_path_holds_checkpoints_that_lie_on_one_and_says_how_much_it_shows():
    generator = torch.Generator().manual_seed(0)
    right, up, off = torch.linalg.qr(torch.randn(50, 3, generator=generator, dtype=torch.float64))[0].T
    flat = [right * step + up * math.sin(step) for step in range(8)]
    axes = path_axes(flat, [str(step) for step in range(8)])
    assert sum(axes.shares) == pytest.approx(1)
    assert all(point.distance < 1e-9 for _, point in axes.points)
    for weights, point in axes.points:
        assert torch.allclose(axes.origin + point.x * axes.right + point.y * axes.up, weights)
    assert axes.x[0] < min(point.x for _, point in axes.points)
    bent = path_axes([one + off * (step == 3) for step, one in enumerate(flat)], [str(step) for step in range(8)])
    assert sum(bent.shares) < 1
    assert bent.points[3][1].distance > 0.1
    with pytest.raises(BadInput, match="three checkpoints"):
        path_axes(flat[:2], ["0", "1"])
    with pytest.raises(BadInput, match="one line"):
        path_axes([right * step for step in range(4)], list("0123"))


def test_a_cancelled_plane_has_the_rows_so_far(surface):
    made = surface("transformer")
    rows = []
    found = measure_plane(made, random_axes(made, "0"), side=3, cancelled=lambda: len(rows) == 2, report=rows.append)
    assert np.isfinite(found.losses[:2]).all()
    assert np.isnan(found.losses[2]).all()
    assert found.points[0].loss == pytest.approx(made.loss())


def test_a_line_has_the_barrier_of_a_known_loss():
    class Ridge(Bowl):
        def loss(self, weights=None):
            return 1 - float(weights[0]) ** 2

    start, end = torch.tensor([-1.0, 0.0]).double(), torch.tensor([1.0, 0.0]).double()
    found = measure_line({"training": Ridge(start)}, start, end, points=5)
    assert found.losses["training"] == pytest.approx((0, 0.75, 1, 0.75, 0))
    assert found.barrier("training") == pytest.approx(1)
    assert (found.distance, found.similarity) == (2, -1)
    seen = []
    part = measure_line({"training": Ridge(start)}, start, end, points=5, cancelled=lambda: len(seen) == 3,
                        report=lambda *one: seen.append(one))  # fmt: skip
    assert [math.isfinite(loss) for loss in part.losses["training"]] == [True, True, False, False, True]


@pytest.mark.parametrize("points", [0, 2, 10**6])
def test_lines_and_planes_of_too_few_or_many_points_are_refused(surface, points):
    made = surface("transformer")
    for measure in (
        lambda: measure_line({"training": made}, made.weights, made.weights + 1, points=points),
        lambda: measure_plane(made, random_axes(made, "0"), side=points),
    ):
        with pytest.raises(BadInput) as refused:
            measure()
        assert refused.value.problem.field == "--points"


def test_gradients_of_one_text_agree_and_the_trial_leaves_the_experiment_as_it_is(experiment):
    made = experiment("transformer")
    found = measure_agreement(made, steps=4)
    assert [one.step for one in found.steps] == [0, 1, 2, 3]
    assert math.isnan(found.steps[0].previous)
    assert all(-1 <= one.halves <= 1 and one.norm > 0 for one in found.steps)
    assert found.halves > 0.2  # at the start both halves say the same: how frequent symbols are
    assert found.previous == pytest.approx(np.mean([one.previous for one in found.steps[1:]]))
    assert measure_agreement(made, steps=4).steps[1:] == found.steps[1:]


def test_the_cosine_of_halves_is_that_of_two_gradients_by_hand(experiment):
    made = experiment("memory")
    model = made.build()
    gradients = []
    for half in (np.arange(4), np.arange(4, 8)):
        batch = made.objective.batch(made.train, half, 0)
        model.zero_grad()
        made.objective.loss(model, batch).nats.mean().backward()
        gradients.append(parameters_to_vector([p.grad for p in model.parameters() if p.grad is not None]))
    expected = torch.nn.functional.cosine_similarity(*gradients, dim=0)
    assert measure_agreement(made, steps=1).steps[0].halves == pytest.approx(float(expected), abs=1e-5)


@pytest.mark.parametrize(
    ("given", "options", "field"),
    [
        ({}, {"steps": 0}, "--trial"),
        ({"batch_size": 1}, {}, "training.batch_size"),
        ({"build": "n-gram"}, {}, "architecture.name"),
        ({"build": "recurrent", "objective": "carried"}, {}, "objective.name"),
    ],
)
def test_gradients_that_cannot_be_compared_are_refused(experiment, given, options, field):
    with pytest.raises(BadInput) as refused:
        measure_agreement(experiment(**given), **options)
    assert refused.value.problem.field == field


@pytest.mark.parametrize("count", [0, -1, 10**9])
def test_a_number_of_examples_that_is_not_allowed_is_refused(surface, count):
    with pytest.raises(BadInput) as refused:
        surface(count=count)
    assert refused.value.problem.field == "--examples"


def test_losses_by_position_kind_and_passage_are_those_of_an_evaluation(experiment, source, tokenizer):
    from lab.training.evaluation import evaluate

    held = source(400, seed=5, order="windows")
    made = experiment("transformer", tokenizer=tokenizer, validation=held)
    model = made.build()
    found = measure_difficulty(made, model, targets=0)
    same = evaluate(model, made.objective, held, protocol="windows", device=torch.device("cpu"))
    assert found.targets == same.targets == 399
    assert found.loss == pytest.approx(same.loss, rel=1e-6)
    assert len(found.by_position) == held.context_length
    weights = np.array([34] * 3 + [33] * 9)  # the last of 34 windows has three targets
    assert float(np.array(found.by_position) @ weights) / 399 == pytest.approx(found.loss, rel=1e-6)
    assert sum(one.share for one in found.by_kind) == pytest.approx(1)
    assert {one.name for one in found.by_kind} <= set(KINDS)
    assert sum(one.targets for one in found.by_rank) == 399
    assert found.passage_kind == "windows"
    assert [one.loss for one in found.passages] == sorted((one.loss for one in found.passages), reverse=True)
    window = found.passages[0]
    alone = held.ordered().rows(np.array([window.number]), 0)["tokens"][0]
    assert window.text == tokenizer.decode(alone[alone >= 0])


def test_the_hardest_token_is_one_that_the_model_does_not_expect(experiment, source, tokenizer):
    from lab.text.streams import TokenSource

    tokens = np.tile(np.arange(3), 60)
    tokens[100] = 9  # a "j" among "abc"
    held = TokenSource(tokens, 11, 12, "windows")
    made = experiment(
        "n-gram", tokenizer=tokenizer, train=TokenSource(np.tile(np.arange(3), 400), 11, 12), validation=held
    )
    model = made.build()
    model.count(torch.from_numpy(made.train.tokens.astype(np.int64))) if hasattr(model, "count") else None
    found = measure_difficulty(made, model, targets=0)
    if hasattr(model, "count"):
        assert found.tokens[0].token == "j"
    assert all(one.loss >= other.loss for one, other in zip(found.tokens, found.tokens[1:], strict=False))
    at = found.tokens[0]
    row = held.ordered().rows(np.array([at.passage]), 0)["tokens"][0]
    assert tokenizer.decode([row[at.position + 1]]) == at.token
    assert tokenizer.decode(row[max(0, at.position - 39) : at.position + 1]) == at.before


def test_documents_are_passages_where_the_text_marks_their_ends(experiment, tokenizer):
    from lab.text.documents import DocumentTokenizer
    from lab.text.streams import TokenSource

    tokenizer.label = lambda token: tokenizer.decode([token])
    marked = DocumentTokenizer(tokenizer)
    documents = [[0, 1, 2], [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], [5], [1, 2, 0, 1]]
    tokens = np.concatenate([[*one, marked.end] for one in documents])
    made = experiment(
        "transformer",
        tokenizer=marked,
        train=TokenSource(np.tile(tokens, 9), marked.vocabulary_size, 12),
        validation=TokenSource(tokens, marked.vocabulary_size, 12, "windows"),
    )
    found = measure_difficulty(made, made.build(), targets=0)
    assert found.passage_kind == "documents"
    assert {one.number: one.targets for one in found.passages} == {0: 3, 1: 14, 2: 2, 3: 5}  # the first token is read
    assert {one.number: one.text.strip() for one in found.passages}[1] == "d" * 13


def test_a_run_without_validation_text_has_nothing_that_could_be_hard(experiment):
    made = experiment("transformer")
    with pytest.raises(BadInput, match="no validation text"):
        measure_difficulty(made, made.build())
