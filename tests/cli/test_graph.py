"""`lm-lab graph` and `lm-lab examples`."""

import json
from pathlib import Path

import numpy as np
import pytest

from lab.cli.main import main
from lab.worked import find_example
from lab.worked.expressions.values import typed

GOLD = Path(__file__).parents[1] / "gold" / "lectures" / "worked_examples.json"


def run(capsys, *arguments):
    status = main([*arguments])
    out, err = capsys.readouterr()
    return status, out, err


def as_json(capsys, *arguments):
    status, out, _ = run(capsys, *arguments, "--json")
    assert status == 0
    return json.loads(out)


def test_graph_prints_values_adjoints_and_counts(capsys):
    status, out, _ = run(capsys, "graph", "(x + y)·x", "--set", "x=2", "--set", "y=3")
    assert status == 0
    assert "v̄1·" not in out.splitlines()[0]
    assert "reverse mode  5 with" in out
    found = as_json(capsys, "graph", "(x + y)·x", "--set", "x=2", "--set", "y=3")
    assert found["result"] == 10
    assert found["gradient"] == {"x": 7, "y": 2}
    assert found["operations"] == {"value": 2, "reverse": 5, "forward": 6, "passes": 2}
    assert [each["name"] for each in found["nodes"]] == ["x", "y", "v1", "v2"]


def test_graph_takes_matrices_and_a_direction(capsys):
    found = as_json(
        capsys,
        "graph",
        "h = tanh(W @ x); sum(h)",
        "--set",
        "W=[[1, 2], [3, 4]]",
        "--set",
        "x=[0, 0]",
        "--forward",
        "x[1]",
    )
    assert found["derivative"] == 6
    assert found["tangents"][1]["formula"] == "W @ ẋ"


def test_graph_compares_formats(capsys):
    found = as_json(capsys, "graph", "--log-sum-exp", "1000,999,998")
    assert set(found["as defined"].values()) == {"inf"}
    assert found["less the largest"]["float64"] == pytest.approx(1000.4076059644444)
    assert found["less the largest"]["float16"] == 1000.5
    assert as_json(capsys, "graph", "x + 1", "--set", "x=2048", "--formats")["result"]["float16"] == 2048


def test_a_training_step_of_a_network_is_that_of_the_lecture_s_example(capsys):
    example = find_example("net-231-step")
    program = find_example("net-231-batch-gradient").graph
    given = [f"--set={name}={typed(value)}" for name, value in example.inputs.items() if name != "eta"]
    found = as_json(capsys, "graph", program, *given, "--descend", "W1,b1,W2,b2")["after_step"]
    values = example.compute().values
    for name, value in found.items():
        np.testing.assert_allclose(value, values[f"{name}'"], rtol=1e-12)
    _, out, _ = run(capsys, "graph", "x^2", "--set", "x=3", "--descend", "x", "--rate", "0.5")
    assert out.splitlines()[-1].split() == ["x", "x", "−", "0.5·x̄", "0"]


def test_graph_writes_python_and_lists_functions(capsys):
    program = as_json(capsys, "graph", "softmax(z)[0]", "--set", "z=[1, 2]", "--python")["python"]
    space = {}
    exec(program, space)
    assert float(space["result"]) == pytest.approx(0.2689414213699951)
    assert "softmax" in run(capsys, "graph", "--functions")[1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["graph"], "EXPR"),
        (["graph", "x"], "x"),
        (["graph", "x", "--set", "x"], "--set"),
        (["graph", "x +", "--set", "x=1"], "EXPR"),
        (["graph", "x", "--set", "x=1", "--set", "z=1"], "--set"),
        (["graph", "x", "--set", "x=1", "--forward", "y"], "--forward"),
        (["graph", "__import__('os')"], "EXPR"),
        (["graph", "sort(x)[0]", "--set", "x=[1, 2]"], "EXPR"),
        (["graph", "x", "--set", "x=1", "--descend", "y"], "--descend"),
        (["graph", "--log-sum-exp", "a,b"], "--log-sum-exp"),
        (["examples", "show"], "NAME"),
        (["examples", "show", "nothing"], "NAME"),
        (["examples", "show", "net-221", "--set", "x"], "--set"),
        (["examples", "show", "net-221", "--set", "x=a"], "x"),
        (["examples", "show", "net-221", "--digits", "0"], "--digits"),
        (["examples", "check", "net-221", "--against", "missing.json"], "--against"),
    ],
)
def test_what_cannot_be_computed_is_named(capsys, arguments, named):
    status, _, err = run(capsys, *arguments)
    assert status == 2
    assert err.startswith(f"lm-lab: {named}"), err


def test_examples_are_listed_by_words(capsys):
    assert len(as_json(capsys, "examples")["examples"]) == 89
    assert [each["name"] for each in as_json(capsys, "examples", "list", "chinchilla", "budget")["examples"]] == [
        "chinchilla-budget"
    ]


def test_an_example_is_shown_with_the_lecture_s_error(capsys):
    _, out, _ = run(capsys, "examples", "show", "net-231-sample-1")
    assert "1.1223" in out
    assert "wrong" in out
    found = as_json(capsys, "examples", "show", "net-231-sample-1")
    assert found["printed"][-1] == {
        "name": "loss",
        "printed": "1.1223",
        "value": 1.1233311147926668,
        "agrees": False,
        "kind": "wrong",
    }
    changed = as_json(capsys, "examples", "show", "net-231-sample-1", "--set", "y=1")
    assert changed["printed"] == []
    assert changed["steps"][-1]["value"] == pytest.approx(0.3933310887)


def test_an_example_is_written_as_a_page(capsys, tmp_path):
    page = tmp_path / "page.html"
    assert run(capsys, "examples", "show", "layernorm-4", "--sheet", str(page))[0] == 0
    assert "-1.12" in page.read_text(encoding="utf-8")
    assert run(capsys, "examples", "show", "layernorm-4", "--sheet", str(page))[0] == 2
    assert run(capsys, "examples", "show", "layernorm-4", "--sheet", str(page), "--overwrite")[0] == 0


def test_examples_are_checked_against_references(capsys, tmp_path):
    found = as_json(capsys, "examples", "check", "adam-epsilon", "rnn-bptt", "--against", str(GOLD))
    assert (found["checked"], found["failed"]) == (2, 0)
    assert found["examples"][0]["part"] == "adam"
    wrong = json.loads(GOLD.read_text(encoding="utf-8"))
    next(each for each in wrong["examples"] if each["id"] == "adam-epsilon")["result"]["under"] = 0.01
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(wrong), encoding="utf-8")
    status, out, _ = run(capsys, "examples", "check", "adam-epsilon", "--against", str(file), "--without-parts")
    assert status == 1
    assert "under differs" in out
