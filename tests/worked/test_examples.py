"""All worked examples against figures that were computed apart, against what lectures print, and as Python."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lab.base import BadInput
from lab.worked import Graph, examples, find_example, gradient, search
from lab.worked.check import TOLERANCE, check, references_in
from lab.worked.examples import Printed, largest_difference
from lab.worked.expressions.values import plain
from lab.worked.parts.table import PARTS, compare_with_part
from lab.worked.sheet import sheet
from lab.worked.snippet import example_as_python, python_name

GOLD = Path(__file__).parents[1] / "gold" / "lectures" / "worked_examples.json"
REFERENCES = {one["id"]: one for one in json.loads(GOLD.read_text(encoding="utf-8"))["examples"]}
NAMES = list(REFERENCES)
WITH_PART = [name for name, example in examples().items() if example.part]


def test_there_are_all_89():
    assert list(examples()) == NAMES
    assert len(NAMES) == 89


@pytest.mark.parametrize("name", NAMES)
def test_every_step_and_result_is_that_of_the_reference(name):
    found = check(examples()[name], parts=False, reference=REFERENCES[name])
    assert found.problems == ()
    assert found.reference_difference <= TOLERANCE


@pytest.mark.parametrize("name", NAMES)
def test_what_the_lecture_prints_is_there_with_its_error(name):
    example, wanted = examples()[name], REFERENCES[name]
    agreeing = {(each["name"], each["printed"]) for each in wanted.get("agrees", [])}
    differing = {(each["name"], each["printed"], each["kind"]) for each in wanted.get("printed", [])}
    assert {(each.name, each.text) for each in example.printed if not each.kind} == agreeing
    assert {(each.name, each.text, each.kind) for each in example.printed if each.kind} == differing
    assert example.note == wanted["note"]
    for printed, number, agrees in example.compute().verdicts():
        assert agrees != bool(printed.kind), (printed, number)


@pytest.mark.parametrize("name", WITH_PART)
def test_the_lab_s_own_part_gives_the_same(name):
    computed = examples()[name].compute()
    found = compare_with_part(computed)
    assert found.figures
    assert found.difference <= PARTS[computed.example.part].tolerance


def test_every_part_belongs_to_an_example_and_the_other_way_round():
    assert {examples()[name].part for name in WITH_PART} == set(PARTS)


def test_parts_follow_the_inputs():
    changed = {"x": [0.9, 0.8], "y": 1.0}
    found = compare_with_part(find_example("net-231-sample-1").compute(changed))
    assert found.figures["loss"] == pytest.approx(0.17826954277812512)


@pytest.mark.parametrize("name", NAMES)
def test_python_gives_the_same_figures(name):
    computed = examples()[name].compute()
    space = {"print": lambda *_: None}
    with np.errstate(all="ignore"):
        exec(compile(example_as_python(computed.example), name, "exec"), space)
    for step in computed.example.steps:
        theirs = space[python_name(step.name)]
        theirs = theirs.tolist() if hasattr(theirs, "tolist") else theirs
        assert largest_difference([plain(computed.values[step.key])], [theirs]) <= 1e-12, step.key


def test_python_runs_by_itself():
    program = example_as_python(find_example("perceptron-four-points"))
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "updates_at_samples = [1 2 3 4 1]" in done.stdout


def test_the_examples_need_no_torch():
    code = "import sys, lab.worked as w; w.find_example('lstm-two-steps').compute(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", [name for name, example in examples().items() if example.graph])
def test_graphs_of_examples_have_derivatives(name):
    example = examples()[name]
    found = gradient(Graph(example.graph, example.inputs))
    assert found


def test_the_gradients_of_the_graph_are_those_that_the_example_computes():
    for name in ("net-231-batch-gradient", "rnn-weight-gradients", "attention-backward"):
        example = find_example(name)
        values = example.compute().values
        for key, found in gradient(Graph(example.graph, example.inputs)).items():
            if f"d{key}" in values:
                np.testing.assert_allclose(found, values[f"d{key}"], rtol=1e-12, atol=1e-15)


def test_changed_inputs_change_the_steps_and_take_the_lecture_s_figures_away():
    computed = find_example("perplexity-aba").compute({"q": [0.5, 0.5]})
    assert float(computed.values["perplexity"]) == 2
    assert computed.verdicts() == []


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("perplexity-aba", {"z": 1}),
        ("perplexity-aba", {"q": "text"}),
        ("net-231-sample-1", {"x": [1, 2, 3]}),
        ("letters-in-strings", {"strings": 3}),
        ("perceptron-four-points", {"labels": [1.0]}),
        ("permute-axes", {"shape": [2, 3]}),
        ("span-corruption", {"text": 3}),
        ("decoding-movie", {"k": float("nan")}),
        ("sqrt-512", {"seed": -1}),
        ("sqrt-512", {"d_k": 1e9}),
        ("sinusoid-repeat", {"searched_to": 1e12}),
    ],
)
def test_inputs_that_do_not_fit_are_refused(name, changed):
    with pytest.raises(BadInput):
        find_example(name).compute(changed)


def test_an_unknown_name_is_refused_with_those_near_it():
    with pytest.raises(BadInput) as error:
        find_example("perplexity")
    assert "perplexity-aba" in error.value.problem.allowed


def test_search_finds_words_in_title_topic_steps_and_note():
    assert [each.name for each in search("moe balance")] == ["moe-balance"]
    assert len(search("")) == 89
    assert "lstm-two-steps" in [each.name for each in search("LSTM width")]
    assert search("nothing like this") == []


@pytest.mark.parametrize(
    ("text", "number", "agrees"),
    [
        ("0.25", 0.25, True),
        ("0.25", 0.2549, True),
        ("0.25", 0.2551, False),
        ("-0.515", -0.51457, True),
        ("3.1e23", 3.125e23, True),
        ("14000", 13780.6, True),
        ("10", 11.4, False),
        ("60e6", 60506624, True),
        ("86e6", 85798656, True),
        ("1.00", 1.0, True),
        ("65.2e9", 65285660672, False),
        ("100000", 100000.0, True),
        ("0.75", float("nan"), False),
    ],
)
def test_a_figure_agrees_if_ours_rounds_to_its_digits(text, number, agrees):
    assert Printed("x", text).agrees_with(number) is agrees


def test_the_page_to_print_holds_every_step_and_escapes_texts():
    page = sheet(find_example("decoding-movie").compute({"words": ("<script>", *"abcdefghi")}))
    assert "<script>" not in page
    assert "nucleus_renormalised" in page
    assert "1.1223" in sheet(find_example("net-231-sample-1").compute())


@pytest.mark.parametrize("data", [[], {}, {"examples": [{"id": 1}]}, {"examples": [3]}])
def test_a_file_without_references_is_refused(data):
    with pytest.raises(BadInput):
        references_in(data, "file.json")
