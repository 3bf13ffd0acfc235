"""A mixture of experts on the command line: where its tokens go, and what single experts are worth."""

import shutil

import pytest

from lab.cli.main import main

MIXTURE = ("architecture.name=moe", "architecture.layers=2", "architecture.width=16", "architecture.heads=2",
           "architecture.experts=4", "architecture.chosen=2", "architecture.hidden=8",
           "training.context_length=8", "training.sample_tokens=8", "training.threads=1")  # fmt: skip


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with a run and its corpus."""
    folder = tmp_path_factory.mktemp("mixture")
    (folder / "animals.txt").write_text("the cat sat on the mat. a dog ran to the hat.\n" * 20)
    options = [word for setting in MIXTURE for word in ("--set", setting)]
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LAB_HOME", str(folder / "home"))
        words = ("train", "--corpus", folder / "animals.txt", "--steps", 1, "--out", folder / "run", *options)
        assert main([str(word) for word in words]) == 0
    return folder


@pytest.fixture
def mixture(trained):
    """A run with experts, whose corpus lies here."""
    shutil.copy(trained / "animals.txt", "animals.txt")
    return shutil.copytree(trained / "run", "run")


def test_the_loads_of_experts_and_the_classes_of_their_tokens_are_printed(mixture, lm_lab):
    out = lm_lab("probe", mixture, "--probe", "routing", "--text", "the cat.").out.splitlines()
    (load,) = (line for line in out if line.startswith("layer 0, load (4 expert): "))
    assert sum(map(float, load.partition(": ")[2].split(", "))) == pytest.approx(1, abs=0.01)
    start = out.index("layer 1, experts by class (3 quantity × 4 expert):")
    rows = [line.partition(":") for line in out[start + 1 : start + 4]]
    assert [row[0].strip() for row in rows] == ["letter", "space", "punctuation"]
    assert all(sum(map(float, row[2].split(", "))) == pytest.approx(1, abs=0.01) for row in rows)


def test_an_evaluation_without_experts_tells_both_losses(mixture, lm_lab):
    told = lm_lab("evaluate", mixture, "--without", "2:3,1:4", "--json").json
    assert told["without"] == [{"block": 2, "expert": 3}, {"block": 1, "expert": 4}]
    assert told["intact"] == pytest.approx(lm_lab("evaluate", mixture, "--json").json["loss"])
    assert told["loss"] != told["intact"]
    out = lm_lab("evaluate", mixture, "--without", "2:3, 1:4").out
    assert f"loss {told['loss']:.4f} nats per token without these experts, {told['intact']:.4f} with all" in out


@pytest.mark.parametrize(
    ("experts", "words"),
    [
        ("3:1", "the blocks 1, 2"),
        ("2:5", "the experts 1 to 4"),
        ("1:1,1:2,1:3,1:4", "block 1 would have no expert left"),
        ("2", "block:expert, both counted from 1, as 2:5"),
        ("0:1", "block:expert"),
        (",", "names no expert"),
    ],
)
def test_experts_that_cannot_be_left_out_are_refused(mixture, lm_lab, experts, words):
    ended = lm_lab("evaluate", mixture, "--without", experts)
    assert ended.code == 2
    assert ended.problem.startswith("lm-lab: --without")
    assert words in ended.problem


def test_lengths_are_asked_for_with_all_experts(mixture, lm_lab):
    ended = lm_lab("evaluate", mixture, "--lengths", "--without", "1:1")
    assert ended.code == 2
    assert "--without" in ended.problem
