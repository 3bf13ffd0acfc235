"""Corpora that have names of their own for some of their settings: `--corpus spirals`."""

import json

import pytest

from lab.cli.main import main

QUICK = ("--steps", "3", "--device", "cpu", "--json", "--out", "run", "--set", "training.threads=1",
         "--set", "training.evaluate_every=0", "--set", "corpus.rows=60")  # fmt: skip


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def last(capsys):
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_a_network_is_trained_evaluated_and_asked_on_spirals(tmp_path, capsys):
    assert main(["train", "--architecture", "mlp", "--corpus", "spirals", *QUICK]) == 0
    trained = last(capsys)
    assert 0 <= trained["metrics"]["accuracy"] <= 1
    assert 'shape = "spirals"' in (tmp_path / "run" / "recipe.toml").read_text()
    assert main(["evaluate", "run", "--json"]) == 0
    assert last(capsys)["metrics"]["accuracy"] == trained["metrics"]["accuracy"]
    (tmp_path / "new.csv").write_text("0.1,0.2\n-1,0.5\n")
    assert main(["predict", "run", "new.csv", "--header", "no", "--json"]) == 0
    found = last(capsys)
    assert found["classes"] == ["A", "B", "C"]
    assert [sum(row) for row in found["values"]] == pytest.approx([1, 1])


@pytest.mark.parametrize("name", ["xor", "moons", "digits"])
def test_other_shapes_and_digits_are_known_by_their_names(name, capsys):
    assert main(["train", "--architecture", "mlp", "--corpus", name, *QUICK]) == 0
    assert "accuracy" in last(capsys)["metrics"]


def test_a_row_is_probed_by_its_number(capsys):
    assert main(["train", "--architecture", "mlp", "--corpus", "xor", *QUICK]) == 0
    capsys.readouterr()
    assert main(["probe", "run", "--probe", "predictions", "--text", "2"]) == 0
    printed = capsys.readouterr().out
    assert "confusion" in printed
    assert "probability: A = " in printed
