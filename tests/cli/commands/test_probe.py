"""`lm-lab probe`: the inside of a run's model on a text, by any registered probe."""

import numpy as np
import pytest

import lab
from lab.api import Reading
from lab.cli.commands.measuring.probe import lines


def test_the_reports_of_a_run_are_listed_with_axes_and_figures(run, lm_lab):
    ended = lm_lab("probe", run, "--text", "the the")
    assert ended.code == 0, ended.err
    (line,) = [line for line in ended.out.splitlines() if line.startswith("block 1, residual")]
    assert "7 tokens × 16 channels" in line


def test_json_holds_every_value_as_python_does(run, lm_lab):
    reported = lm_lab("probe", run, "--text", "the the", "--probe", "surprise", "--json").json["readings"]
    (reading,) = lab.open(run).probe("surprise", "the the")
    assert [(reported[0]["name"], reported[0]["axes"], reported[0]["shape"])] == [("surprise", ["token"], [7])]
    assert np.allclose(reported[0]["values"], reading.values)


def test_quantities_side_by_side_have_their_figures_each(run, lm_lab):
    ended = lm_lab("probe", run, "--text", "the the", "--probe", "logit-lens")
    assert ended.code == 0, ended.err
    first, choice, lost, rank, blocks = ended.out.splitlines()
    assert first == "logit lens (3 quantities × 2 blocks × 7 tokens):"
    assert choice.startswith("  choice: ")
    assert lost.startswith("  KL to the end: 0 to ")
    assert rank.startswith("  rank of the truth: ")
    assert "nan" not in rank  # the last token has none, and the others have
    assert blocks == "  block: embedding, 1"


def test_people_count_from_1_but_orders_and_json_from_0(run, n_gram, lm_lab):
    reported = lm_lab("probe", run, "--text", "the the", "--json").json["readings"]
    assert {reading["layer"] for reading in reported} == {None, 0}
    out = lm_lab("probe", n_gram, "--text", "the the", "--probe", "n-grams").out
    assert " orders): 0 = " in out
    assert "block 1, residual (1 token × 16 channels)" in lm_lab("probe", run, "--text", "t").out


@pytest.mark.parametrize(
    ("reading", "reported"),
    [
        (
            Reading("load", ("expert",), np.array([0.25, 0.75]), layer=1),
            "block 2, load (2 experts): 1 = 0.25, 2 = 0.75",
        ),
        (Reading("rate", ("head",), np.full(2, np.nan)), "rate (2 heads): no number"),
        (Reading("far", ("lag",), np.array([3, 1]), coordinates={"lag": (1.0, 8.0)}), "far (2 lags): 1 = 3, 8 = 1"),
        (Reading("two", ("quantity", "unit"), np.eye(2)), "two (2 quantities × 2 units): 0 to 1, mean 0.5"),
    ],
)
def test_a_few_values_along_one_axis_are_printed_with_their_names(reading, reported):
    assert lines(reading)[0] == reported


def test_many_positions_on_a_scale_are_printed_by_their_ends(run, lm_lab):
    ended = lm_lab("probe", run, "--text", "the the", "--probe", "score-histogram")
    (line,) = [line for line in ended.out.splitlines() if line.startswith("  bin: ")]
    low, high = line.removeprefix("  bin: ").split(" to ")
    assert float(low) < float(high)


def test_json_holds_the_places_too(run, lm_lab):
    (reading,) = lm_lab("probe", run, "--text", "the the", "--probe", "logit-lens", "--json").json["readings"]
    assert reading["places"]["layer"] == ["embedding", "1"]
    assert reading["values"][-1] is None  # JSON has no NaN


def test_without_a_text_the_model_reads_what_the_run_recorded_of(run, lm_lab):
    reported = lm_lab("probe", run, "--probe", "surprise", "--json").json["readings"]
    assert reported[0]["shape"] == [8]  # as much as it can read


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--probe", "x-ray"), ("--probe = x-ray", "reports", "surprise")),
        (("--set", "depth=3"), ("readings.probes.reports.depth", "no such setting")),
        (("--set", "name=foo"), ("readings.probes.reports.name", "no such setting")),
        (("--set", "version=abc"), ("readings.probes.reports.version", "no such setting")),
        (("--text", "ß"), ("ß", "does not occur")),
        (("--device", "cuda:7"), ("--device = cuda:7", "cpu")),
    ],
)
def test_what_cannot_be_is_refused(run, lm_lab, options, words):
    ended = lm_lab("probe", run, *options)
    assert ended.code == 2
    assert all(word in ended.problem for word in words), ended.problem
