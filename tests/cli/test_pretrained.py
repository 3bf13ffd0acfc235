"""`lm-lab import-checkpoint` and `lm-lab export`: pretrained models in and out."""

import json
from pathlib import Path

import pytest

from lab.api import Text

TEXT = "the cat sat on the mat. a dog ran to the hat. the end\n" * 40


@pytest.fixture(autouse=True)
def short_manual(monkeypatch):
    monkeypatch.setattr("lab.text.corpora.manual.read_manual", lambda config: Text(TEXT, "Python manual"))


def test_a_folder_becomes_a_run_that_other_commands_take(lm_lab, pretrained):
    ended = lm_lab("import-checkpoint", pretrained(), "--out", "run")
    assert ended.code == 0
    assert ended.out.startswith("tiny: GPT-2, 1 layers of width 16, 8,016 parameters, 262 symbols, ")
    assert "imported: run" in ended.out
    assert lm_lab("generate", "run", "--prompt", "the", "--max-tokens", 3).code == 0
    assert lm_lab("probe", "run", "--text", "the cat").code == 0
    assert "pretrained    tiny (gpt2), SHA-256 " in lm_lab("runs", "show", "run").out


def test_json_tells_what_was_found_and_where_it_is(lm_lab, pretrained, tmp_path):
    reported = lm_lab("import-checkpoint", pretrained(), "--json").json
    assert (reported["model_type"], reported["parameters"], reported["layers"]) == ("gpt2", 8016, 1)
    assert reported["run"].startswith(str(tmp_path / "lab home" / "runs"))


def test_a_tokenizer_that_makes_the_library_panic_is_refused_by_its_name(lm_lab, pretrained, lab_home, monkeypatch):
    folder = pretrained()
    file = folder / "tokenizer.json"
    told = json.loads(file.read_text())
    hostile = {"type": "Split", "pattern": {"Regex": "(x+x+)+y"}, "behavior": "Isolated", "invert": False}
    told["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [hostile, told["pre_tokenizer"]]}
    file.write_text(json.dumps(told))
    monkeypatch.setattr("lab.text.corpora.manual.read_manual", lambda config: Text("x" * 999, "Python manual"))
    ended = lm_lab("import-checkpoint", folder)
    assert ended.code == 2
    assert "tokenizer.json: cannot be used: Onig" in ended.problem
    assert not list((lab_home / "runs").glob("*"))


def test_a_look_takes_in_nothing(lm_lab, pretrained, lab_home):
    ended = lm_lab("import-checkpoint", pretrained(), "--look", "--json")
    assert "run" not in ended.json
    assert not (lab_home / "runs").exists()


def test_a_run_goes_out_as_a_folder(lm_lab, pretrained):
    lm_lab("import-checkpoint", pretrained(), "--out", "run")
    reported = lm_lab("export", "run", "out", "--json").json
    assert (reported["model_type"], reported["tokenizer"]) == ("gpt2", True)
    assert json.loads(Path("out/config.json").read_text())["n_embd"] == 16
    assert "out: this folder is not empty" in lm_lab("export", "run", "out").problem


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("import-checkpoint", "nowhere"), "FOLDER = nowhere: there is no such folder"),
        (("import-checkpoint", ""), "FOLDER: is empty"),
        (("import-checkpoint",), "the following arguments are required"),
        (("export", "nothing", "out"), "there are no runs"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(lm_lab, words, said):
    ended = lm_lab(*words)
    assert ended.code == 2
    assert said in ended.problem
