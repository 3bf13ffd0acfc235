"""`lm-lab study`: plans, results and what is refused."""

import json
from itertools import pairwise

import pytest

from lab.cli.commands.studies.study import shipped_studies

STUDY = """
title = "Small"
seeds = [0, 1]
set = [
  "corpus.name=file", "corpus.path=animals.txt", "architecture.layers=1", "architecture.width=16",
  "architecture.heads=2", "training.context_length=8", "training.batch_size=2", "training.steps=2",
  "training.sample_tokens=0", "readings.moments=0",
]
[[vary]]
path = "architecture.width"
values = [16, 32]
"""


@pytest.fixture
def study(text, tmp_path):
    """A file with a small study."""
    file = tmp_path / "small.toml"
    file.write_text(STUDY)
    return file


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    """Train in threads of this process, which starts sooner than processes do."""
    from concurrent.futures import ThreadPoolExecutor

    from lab.workbench.studies.execution import StudyExecution

    monkeypatch.setattr(StudyExecution, "_pool", lambda self: ThreadPoolExecutor(self._workers))


def test_a_study_ends_with_arms_and_comparisons_in_json(lm_lab, study):
    found = lm_lab("study", study, "--json")
    assert found.code == 0
    assert found.json["complete"]
    assert [arm["runs"] for arm in found.json["arms"]] == [2, 2]
    assert found.json["comparisons"][0]["sentence"].endswith(".")
    assert len({run["key"] for run in found.json["runs"]}) == 4


def test_a_table_is_printed_with_a_sentence_for_each_comparison(lm_lab, study):
    out = lm_lab("study", study).out
    assert "width 16" in out
    assert "95 %" in out


def test_what_is_measured_besides_has_columns_with_intervals_and_what_was_never_reached_says_so(
    lm_lab, study, monkeypatch
):
    monkeypatch.setenv("COLUMNS", "200")
    measures = '[[measures]]\ntitle = "far"\nfigure = "loss at positions"\npositions = [5, 8]\n'
    measures += '[[measures]]\ntitle = "low"\nfigure = "step reached"\nof = "train loss"\nat_most = 0.0\n'
    study.write_text('look = "At the table."\nminutes = 1\n' + STUDY + measures)
    out = lm_lab("study", study).out
    head, row = next((head, row) for head, row in pairwise(out.splitlines()) if "far" in head)
    assert head.split()[-5:] == ["far", "low", "parameters", "tokens", "time"]
    assert "±" in row
    assert "never" in row
    assert "look at: At the table." in out
    assert lm_lab("study", study, "--plan", "--json").json["minutes"] == 1
    arm = lm_lab("study", study, "--json").json["arms"][0]
    assert arm["measures"]["low"] == [None, None]
    assert len(arm["measures"]["far"]) == 2


def test_the_runs_are_written_as_a_table_that_scaling_laws_and_spreadsheets_read(lm_lab, study, tmp_path):
    from lab.studies.scaling import read_table

    study.write_text(STUDY + '[[measures]]\ntitle = "far"\nfigure = "loss at positions"\npositions = [5, 8]\n')
    found = lm_lab("study", study, "--csv", "runs.csv", "--json").json
    lines = [line.split(",") for line in (tmp_path / "runs.csv").read_text().splitlines()]
    rows = [dict(zip(lines[0], line, strict=True)) for line in lines[1:]]
    assert [(row["architecture.width"], row["seed"]) for row in rows] == [
        ("16", "0"),
        ("16", "1"),
        ("32", "0"),
        ("32", "1"),
    ]
    table = read_table(tmp_path / "runs.csv")
    runs = found["runs"]
    assert table.loss.tolist() == pytest.approx([run["loss"] for run in runs], rel=1e-6)
    assert table.columns["N"].tolist() == [run["parameters"] for run in runs]
    assert table.columns["D"].tolist() == [32.0] * 4  # two steps of two windows of eight tokens
    vocabulary = (int(rows[0]["parameters"]) - int(rows[0]["non-embedding parameters"])) / 16
    assert vocabulary == (int(rows[2]["parameters"]) - int(rows[2]["non-embedding parameters"])) / 32 > 10
    far = {arm["name"]: arm["measures"]["far"] for arm in found["arms"]}
    assert [float(row["far"]) for row in rows[:2]] == pytest.approx(far["width 16"], rel=1e-6)
    assert "already exists" in lm_lab("study", study, "--csv", "runs.csv").problem
    assert lm_lab("study", study, "--csv", "runs.csv", "--overwrite").code == 0


def test_a_plan_trains_nothing(lm_lab, study, lab_home):
    found = lm_lab("study", study, "--plan", "--json")
    assert len(found.json["runs"]) == 4
    assert not (lab_home / "runs").exists()


def test_the_plan_of_a_fair_fight_says_what_is_not_equal(lm_lab, text, tmp_path):
    vary = STUDY.index("[[vary]]")
    fair = '[fair]\narchitectures = ["transformer", "gru"]\nequal = "tokens"\n'
    (tmp_path / "fair.toml").write_text(STUDY[:vary].replace('"architecture.heads=2", ', "") + fair)
    found = lm_lab("study", "fair.toml", "--plan", "--json")
    assert [run["point"]["architecture.name"] for run in found.json["runs"]] == ["transformer", "gru"]
    assert any(line.startswith("parameters are not equal: transformer") for line in found.json["unequal"])


@pytest.mark.parametrize("name", [name for name in shipped_studies() if name != "fair-fight"])
def test_the_lab_s_own_studies_have_a_plan(lm_lab, name):
    assert lm_lab("study", name, "--plan", "--json").json["runs"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.toml"], "no such study file"),
        (["animals.txt"], "is not TOML"),
        (["small.toml", "--workers", "-1"], "--workers"),
    ],
)
def test_what_cannot_be_carried_out_is_refused(lm_lab, study, arguments, message):
    ended = lm_lab("study", *arguments)
    assert ended.code == 2
    assert message in ended.problem


def test_an_architecture_that_does_not_exist_is_named(lm_lab, study):
    study.write_text(STUDY.replace("[[vary]]", '[fair]\narchitectures = ["transformer", "none"]\n#').split("path =")[0])
    assert "no such architecture" in lm_lab("study", study).problem


def test_json_is_one_line(lm_lab, study):
    out = lm_lab("study", study, "--json").out
    assert len(out.splitlines()) == 1
    json.loads(out)
