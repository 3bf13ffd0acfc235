"""Queries over many runs: which of them, in which order, what of each, and the figures of their series."""

import math

import numpy as np
import pytest

from lab.base.problems import BadInput, LabError
from lab.recipes import Recipe
from lab.runs import MetricWriter, RunFolder
from lab.runs.library.columns import Row, column_names, figures
from lab.runs.library.labels import change_label
from lab.runs.library.queries import Query, sort_rows, table


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    """Make a run from a name, settings, figures, series and a label."""

    def make(folder, *settings, summary=None, series=None, state="finished", step=0, **label):
        recipe = Recipe().with_assignments(*settings)
        run = RunFolder.create(
            tmp_path_factory.mktemp("runs") / folder, recipe.to_toml(), {"corpus": {"name": f"{folder}.txt"}}
        )
        run.update(state=state, step=step, summary=summary or {})
        if series:
            with MetricWriter(run.metrics_file) as writer:
                for reported, values in series.items():
                    writer.append((number, reported, value) for number, value in enumerate(values))
        if label:
            change_label(run.path, **label)
        return Row(run)

    return make


def select(text, *rows):
    return [row.run.name for row in Query.parse(text).select(rows)]


@pytest.fixture(scope="module")
def three(make):
    """Three runs that differ in settings, figures and labels."""
    return (
        make("small", "architecture.layers=2", summary={"validation_loss": 2.0, "protocol": "windows"}, step=100),
        make("large", "architecture.layers=12", "training.optimizer.learning_rate=0.0003", step=900,
             summary={"validation_loss": 1.5}, star=True, tags=["baseline", "Paper"], name="The large one",
             note="with warm-up"),
        make("counts", "architecture.name=n-gram", "training.seed=3", state="stopped", tags=["baseline"]),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "small large counts"),
        ("large", "large"),
        ("LARGE one", "large"),
        ('"one large"', ""),
        ('"large one', "large"),
        ("warm-up", "large"),
        ("n-gram", "counts"),
        ("counts.txt", "counts"),
        ("stopped", "counts"),
        ("tag=baseline", "large counts"),
        ("tags=BASELINE tag=paper", "large"),
        ("tag!=baseline", "small"),
        ("tag=", "small"),
        ("tag!=", "large counts"),
        ("star=yes", "large"),
        ("star!=yes", "small counts"),
        ("state=finished", "small large"),
        ("state!=finished", "counts"),
        ("architecture=transformer", "small large"),
        ("architecture.name=n-gram", "counts"),
        ("training.optimizer.learning_rate=0.0003", "large"),
        ("learning_rate=3e-4", "large"),
        ("learning_rate<0.0003", ""),
        ("learning_rate<=0.0003", "large"),
        ("layers>2", "large"),
        ("layers>=2", "small large"),
        ("layers!=2", "large counts"),
        ("layers = 2", "small"),
        ("layers=two", ""),
        ("seed=3", "counts"),
        ("validation_loss<1.7 state=finished", "large"),
        ("validation_loss=", "counts"),
        ("validation_loss!=", "small large"),
        ("protocol=windows", "small"),
        ("step>=100 step<900", "small"),
        ("name=small", "small"),
        ('name="the large one"', "large"),
        ("created>2000-01-01", "small large counts"),
        ("created<2000-01-01", ""),
        ("parent=", "small large counts"),
        ("<3", ""),
    ],
)
def test_a_query_means_these_runs(three, text, expected):
    assert select(text, *three) == expected.split()


@pytest.mark.parametrize(
    ("text", "field", "allowed"),
    [
        ("lajers=2", "column", "architecture.layers"),
        ("layers<two", "layers", "a number"),
        ("star=perhaps", "star", "yes, no"),
        ("star<yes", "star", "=, !="),
        ("tag>a", "tag", "=, !="),
        ("best unknown=3", "column", "name"),
        ("layers==4", "layers", ">="),
        ("layers=>4", "layers", ">="),
        ("layers!==4", "layers", "!="),
        ("layers => 4", "layers", ">="),
    ],
)
def test_what_means_nothing_is_refused_with_what_would(three, text, field, allowed):
    with pytest.raises(BadInput) as error:
        select(f'"{text.split("=")[0]}"=3' if text.startswith("best ") else text, *three)
    assert error.value.problem.field == field
    assert allowed in error.value.problem.allowed


def test_without_runs_every_query_means_none():
    assert select("whatever=3 words") == []
    assert table([], ["name"]) == sort_rows([], "name") == []


def test_the_end_of_a_path_that_is_several_settings_is_refused_with_them(make):
    row = make("a", "training.schedule.name=cosine", "architecture.warmup=3")
    with pytest.raises(BadInput, match="several settings") as error:
        select("warmup=3", row, make("b", "training.schedule.warmup=9"))
    assert error.value.problem.allowed == "architecture.warmup, training.schedule.warmup"


def test_every_text_is_a_query_while_it_is_typed(three):
    for text in ('tag="base line" layers>=2 "best loss"<3 word', "a==b", 'x"y', '"', "=", "!= <"):
        for end in range(len(text)):
            Query.parse(text[:end])


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("name", "counts small large"),  # "The large one" comes after "small"
        ("step", "counts small large"),
        ("layers", "small large counts"),
        ("validation_loss", "large small counts"),
        ("tags", "counts large small"),
        ("star", "small counts large"),
        ("created", "small large counts"),
    ],
)
def test_runs_are_sorted_by_any_column_and_what_is_not_known_comes_last(three, column, expected):
    assert [row.run.name for row in sort_rows(three, column)] == expected.split()


def test_what_is_not_known_comes_last_the_other_way_round_too(three):
    assert [row.run.name for row in sort_rows(three, "validation_loss", reverse=True)] == ["small", "large", "counts"]


def test_a_table_has_what_was_asked_for(three):
    names = ["folder", "layers", "validation_loss", "tags", "star", "architecture", "corpus"]
    assert table(three, names) == [
        ["small", 2, 2.0, (), False, "transformer", "small.txt"],
        ["large", 12, 1.5, ("baseline", "Paper"), True, "transformer", "large.txt"],
        ["counts", None, None, ("baseline",), False, "n-gram", "counts.txt"],
    ]


def test_a_table_names_runs_by_what_differs(three):
    assert table(three, ["difference"]) == [["transformer · 2 layers"], ["transformer · 12 layers"], ["n-gram"]]


def test_series_are_columns_by_last_best_step_of_best_and_mean(make):
    rows = make("a", series={"loss": [3, 1, 2]}), make("b", series={"loss": [5.0], "other": [1]}), make("c")
    names = ["loss", "last loss", "best loss", "step of best loss", "mean loss", "mean 2 loss"]
    assert table(rows, names) == [[2, 2, 1, 1, 2, 1.5], [5, 5, 5, 0, 5, 5], [None] * 6]
    assert select('"best loss"<2', *rows) == ["a"]
    assert [row.run.name for row in sort_rows(rows, "best loss")] == ["a", "b", "c"]


def test_every_name_that_is_listed_can_be_asked_for(make):
    rows = [
        make(
            "a", "observers=[]", summary={"floors": {"unigram": 3.1}, "validation_loss": None}, series={"loss": [1.0]}
        ),
        make("b", "architecture.name=n-gram"),
    ]
    names = column_names(rows)
    assert {"name", "difference", "floors.unigram", "training.steps", "step of best loss", "mean loss"} <= set(names)
    (first, _second) = table(rows, list(names))
    assert dict(zip(names, first, strict=True))["floors.unigram"] == 3.1


def test_a_damaged_run_is_listed_with_what_still_opens_and_reported_once(make, notices):
    row = make("a", summary={"validation_loss": 1.0}, series={"loss": [1.0]})
    for name in ("status.json", "recipe.toml", "metrics.sqlite"):
        (row.run.path / name).write_text("{[")
    rows = [Row(RunFolder.open(row.run.path)), make("b", "architecture.layers=3", series={"loss": [2.0]})]
    names = ["folder", "state", "step", "layers", "loss", "difference"]
    for _ in range(2):
        assert table(rows, names)[0] == ["a", None, None, None, None, "run"]
    assert [
        "status.json" in reported.problem.what or "recipe.toml" in reported.problem.what for reported in notices
    ] == [
        True,
        True,
    ]


# ------------------------------------------------------------------------------------------------ figures of a series


@pytest.fixture
def series(run):
    """Write a series of the run and return its figures."""

    def series(values, steps=None, name="train loss", last=3):
        with MetricWriter(run.metrics_file) as writer:
            writer.append((step, name, value) for step, value in zip(steps or range(len(values)), values, strict=True))
        return figures(run, name, last=last)

    return series


def test_figures_are_last_best_its_first_step_and_the_mean_of_the_last(series):
    found = series([5, 1, 4, 1, 3, 2], steps=[0, 10, 11, 12, 900, 901])
    assert (found.last, found.best, found.best_step, found.mean) == (2, 1, 10, 2)


@pytest.mark.parametrize("name", ["accuracy", "validation accuracy", "tokens per second"])
def test_of_accuracy_and_speed_the_largest_is_the_best(series, name):
    found = series([0.1, 0.9, 0.5], name=name)
    assert (found.best, found.best_step) == (0.9, 1)


def test_nan_is_neither_best_nor_in_a_mean(series):
    found = series([math.nan, 4, 2, math.nan, 3], last=3)
    assert (found.best, found.best_step, found.mean) == (2, 2, 2.5)


def test_a_series_of_nan_has_no_figures(series):
    found = series([math.nan] * 3)
    assert math.isnan(found.last)
    assert math.isnan(found.best)
    assert math.isnan(found.mean)
    assert found.best_step is None


def test_a_series_without_points_has_no_figures(run):
    with MetricWriter(run.metrics_file) as writer:
        writer.add_series("empty")
    found = figures(run, "empty")
    assert math.isnan(found.last)
    assert found.best_step is None


@pytest.mark.parametrize("last", [1, 100, 5000, 20_000])
def test_figures_of_a_long_series_are_those_of_all_its_values(series, last):
    chance = np.random.default_rng(last)
    values = chance.standard_normal(10_000)
    steps = np.cumsum(chance.integers(1, 50, len(values))).tolist()
    found = series(values.tolist(), steps=steps, last=last)
    assert found.mean == pytest.approx(values[-last:].mean())
    assert (found.best, found.best_step) == (values.min(), steps[values.argmin()])


def test_an_unknown_series_is_refused_with_those_there_are(series, run):
    series([1.0])
    with pytest.raises(BadInput, match="no such series") as error:
        figures(run, "trian loss")
    assert error.value.problem.allowed == "train loss"


def test_a_run_whose_series_are_gone_is_reported(run):
    run.metrics_file.unlink()
    with pytest.raises(LabError, match=r"metrics\.sqlite"):
        figures(run, "train loss")
