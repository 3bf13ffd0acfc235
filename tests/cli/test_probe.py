"""`lm-lab probe`: the inside of a run's model on a text, by any registered probe."""

import numpy as np
import pytest

import lab


def test_the_reports_of_a_run_are_listed_with_axes_and_figures(run, lm_lab):
    ended = lm_lab("probe", run, "--text", "the the")
    assert ended.code == 0, ended.err
    (line,) = [line for line in ended.out.splitlines() if line.startswith("layer 0, residual")]
    assert "7 token × 16 channel" in line


def test_json_holds_every_value_as_python_does(run, lm_lab):
    told = lm_lab("probe", run, "--text", "the the", "--probe", "surprise", "--json").json["readings"]
    (reading,) = lab.open(run).probe("surprise", "the the")
    assert [(told[0]["name"], told[0]["axes"], told[0]["shape"])] == [("surprise", ["token"], [7])]
    assert np.allclose(told[0]["values"], reading.values)


def test_quantities_side_by_side_have_their_figures_each(run, lm_lab):
    ended = lm_lab("probe", run, "--text", "the the", "--probe", "logit-lens")
    assert ended.code == 0, ended.err
    first, choice, lost, rank, layer = ended.out.splitlines()
    assert first == "logit lens (3 quantity × 2 layer × 7 token):"
    assert choice.startswith("  choice: ")
    assert lost.startswith("  KL to the end: 0 to ")
    assert rank.startswith("  rank of the truth: ")
    assert "nan" not in rank  # the last token has none, and the others have
    assert layer == "  layer: embedding, 1"


def test_many_places_on_a_scale_are_told_by_their_ends(run, lm_lab):
    ended = lm_lab("probe", run, "--text", "the the", "--probe", "score-histogram")
    (line,) = [line for line in ended.out.splitlines() if line.startswith("  bin: ")]
    low, high = line.removeprefix("  bin: ").split(" to ")
    assert float(low) < float(high)


def test_json_holds_the_places_too(run, lm_lab):
    (reading,) = lm_lab("probe", run, "--text", "the the", "--probe", "logit-lens", "--json").json["readings"]
    assert reading["places"]["layer"] == ["embedding", "1"]
    assert reading["values"][-1] is None  # JSON has no NaN


def test_without_a_text_the_model_reads_what_the_run_recorded_of(run, lm_lab):
    told = lm_lab("probe", run, "--probe", "surprise", "--json").json["readings"]
    assert told[0]["shape"] == [8]  # as much as it can read


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--probe", "x-ray"), ("--probe = x-ray", "reports", "surprise")),
        (("--set", "depth=3"), ("readings.probes.reports.depth", "no such setting")),
        (("--set", "name=foo"), ("readings.probes.reports.name", "no such setting")),
        (("--set", "version=abc"), ("readings.probes.reports.version", "no such setting")),
        (("--text", "ß"), ("ß", "not in the vocabulary")),
        (("--device", "cuda:7"), ("--device = cuda:7", "cpu")),
    ],
)
def test_what_cannot_be_is_refused(run, lm_lab, options, words):
    ended = lm_lab("probe", run, *options)
    assert ended.code == 2
    assert all(word in ended.problem for word in words), ended.problem
