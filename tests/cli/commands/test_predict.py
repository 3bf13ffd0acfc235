"""`lm-lab predict`: the class, the score or the numbers of each row of a table."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from lab.cli.main import main

QUICK = (
    "--device", "cpu", "--json", "--set", "training.threads=1", "--set", "training.evaluate_every=0",
)  # fmt: skip


def clouds():
    """Write two clouds of points in units of hundreds, with the name of the cloud."""
    draws = np.random.default_rng(1)
    rows = [
        (*(draws.normal((300, 20) if n % 2 else (100, 10), (20, 2))), "right" if n % 2 else "left") for n in range(80)
    ]
    with Path("clouds.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("length", "height", "side"), *rows])


def line():
    """Write numbers n and 1000 + 5 n."""
    Path("line.csv").write_text("n,price\n" + "".join(f"{n},{1000 + 5 * n}\n" for n in range(60)))


@pytest.fixture
def trained(tmp_path, monkeypatch, capsys):
    """Train in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def trained(file, architecture, preset, steps, *more):
        arguments = ["--corpus", "vectors-file", "--set", f"corpus.path={file}", "--architecture", architecture]
        given = ["--preset", preset, "--steps", str(steps), "--out", "run", *QUICK, *more]
        assert main(["train", *arguments, *given]) == 0
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    return trained


def test_each_row_gets_its_class_with_its_probability(trained, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    clouds()
    trained("clouds.csv", "perceptron", "logistic", 200)
    # the columns in another order, and one more
    Path("new.csv").write_text("height,extra,length\n10,x,110\n20,y,290\n")
    assert main(["predict", "run", "new.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["classes"] == ["left", "right"]
    assert found["probabilities"]
    (left, _), (_, right) = found["values"]
    assert left > 0.9
    assert right > 0.9
    assert main(["predict", "run", "new.csv", "--csv", "out.csv"]) == 0
    printed = capsys.readouterr().out
    assert "probability" in printed
    assert "left" in printed.splitlines()[1]
    rows = list(csv.reader(Path("out.csv").read_text().splitlines()))
    assert rows[0] == ["class", "left", "right"]
    assert [row[0] for row in rows[1:]] == ["left", "right"]
    assert [float(row[1]) for row in rows[1:]] == [values[0] for values in found["values"]]


def test_margins_are_scores_and_no_probabilities(trained, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    clouds()
    done = trained("clouds.csv", "perceptron", "perceptron", 200)
    assert done["metrics"]["accuracy"] == 1.0
    assert done["floors"] == {}  # those of classes are in nats
    assert main(["predict", "run", "clouds.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert not found["probabilities"]
    likeliest = [found["classes"][int(np.argmax(values))] for values in found["values"]]
    assert likeliest == [row[2] for row in csv.reader(Path("clouds.csv").read_text().splitlines())][1:]


def test_numbers_come_in_their_own_units(trained, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line()
    trained("line.csv", "mlp", "small", 300, "--set", "corpus.target=price")
    Path("new.csv").write_text("n\n10\n50\n")
    assert main(["predict", "run", "new.csv", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["names"] == ["price"]
    assert found["values"][0][0] == pytest.approx(1050, abs=20)
    assert found["values"][1][0] == pytest.approx(1250, abs=20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("length,weight\n1,2\n", "height"),
        ("length,height\n1,abc\n", "abc"),
        ("length,height\n", "no rows"),
        ("1\n2\n", "too few columns"),
    ],
)
def test_tables_that_cannot_be_used_are_refused(text, message, trained, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    clouds()
    trained("clouds.csv", "perceptron", "logistic", 2)
    Path("new.csv").write_text(text)
    assert main(["predict", "run", "new.csv"]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert "FILE" in said


def test_a_file_is_not_replaced_unasked_and_another_kind_of_run_is_refused(trained, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    clouds()
    trained("clouds.csv", "perceptron", "logistic", 2)
    assert main(["predict", "run", "clouds.csv", "--csv", "clouds.csv", "--overwrite"]) == 2
    Path("there.csv").write_text("mine")
    assert main(["predict", "run", "clouds.csv", "--csv", "there.csv"]) == 2
    assert Path("there.csv").read_text() == "mine"
    text = ("--set", "training.context_length=8", "--set", "training.batch_size=2", "--steps", "1", "--out", "words")
    assert main(["train", "--corpus", "markov", "--architecture", "bengio", *text, *QUICK]) == 0
    assert main(["predict", "words", "clouds.csv"]) == 2
    assert "reads no tables of numbers" in capsys.readouterr().err
