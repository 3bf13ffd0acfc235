"""A mixture of experts on the command line: where its tokens go, and what single experts are worth."""

import shutil

import pytest

from lab.cli.main import main

MIXTURE = ("architecture.name=moe", "architecture.layers=2", "architecture.width=16", "architecture.heads=2",
           "architecture.experts=4", "architecture.chosen=2", "architecture.hidden=8",
           "training.context_length=8", "training.sample_tokens=2", "training.threads=1")  # fmt: skip


LATER = "the model sees the tokens it predicts, so its loss cannot be compared"


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


def shares(line):
    """Check that the values of a line sum to 1, and return what they are called."""
    reported = [each.split(" = ") for each in line.partition(": ")[2].split(", ")]
    assert sum(float(value) for _, value in reported) == pytest.approx(1, abs=0.01)
    return [name for name, _ in reported]


def test_the_loads_of_experts_and_the_classes_of_their_tokens_are_printed(mixture, lm_lab):
    out = lm_lab("probe", mixture, "--probe", "routing", "--text", "the cat.").out.splitlines()
    (load,) = (line for line in out if line.startswith("block 1, load (4 experts): "))
    assert shares(load) == ["1", "2", "3", "4"]
    start = out.index("block 2, experts by class (3 quantities × 4 experts):")
    rows = out[start + 1 : start + 4]
    assert [row.partition(":")[0].strip() for row in rows] == ["letter", "space", "punctuation"]
    assert all(shares(row) == ["1", "2", "3", "4"] for row in rows)


def test_each_named_expert_is_left_out_once_and_the_model_as_it_is_has_the_loss_of_an_evaluation(mixture, lm_lab):
    found = lm_lab("evaluate", mixture, "--without", "expert:2.3,expert:1.4,expert:2.3", "--json").json
    assert [each["target"] for each in found["without"]] == ["expert:2.3", "expert:1.4"]
    assert found["intact"] == pytest.approx(lm_lab("evaluate", mixture, "--json").json["loss"])


@pytest.mark.parametrize(
    ("experts", "words"),
    [
        ("expert:3.1", "expert:1.1 to expert:2.4"),
        ("expert:2.5", "expert:1.1 to expert:2.4"),
        ("expert:1.1,expert:1.2,expert:1.3,expert:1.4", "block 1 would have no expert left"),
        ("2", "names no intervention"),
        ("2:3", "names no intervention"),
        (",", "names nothing"),
    ],
)
def test_experts_that_cannot_be_left_out_are_refused(mixture, lm_lab, experts, words):
    ended = lm_lab("evaluate", mixture, "--without", experts)
    assert ended.code == 2
    assert ended.problem.startswith("lm-lab: --without")
    assert words in ended.problem


def test_lengths_are_asked_for_with_all_experts(mixture, lm_lab):
    ended = lm_lab("evaluate", mixture, "--lengths", "--without", "expert:1.1")
    assert ended.code == 2
    assert "--without" in ended.problem


def test_a_model_that_reads_later_tokens_is_reported_with_every_loss(mixture, lm_lab):
    settings = [word for setting in (*MIXTURE, "architecture.routing=expert-choice") for word in ("--set", setting)]
    out = lm_lab("train", "--corpus", "animals.txt", "--steps", 1, "--out", "leaks", *settings).out.splitlines()
    loss = next(at for at, line in enumerate(out) if line.startswith("validation loss"))
    assert out[loss + 1] == LATER
    assert lm_lab("evaluate", "leaks").out.splitlines()[-1] == LATER
    assert lm_lab("evaluate", "leaks", "--json").json["reads_later_tokens"]
    assert LATER in lm_lab("runs", "show", "leaks").out
    assert lm_lab("runs", "show", "leaks", "--json").json["summary"]["reads_later_tokens"]
    assert LATER not in lm_lab("evaluate", mixture).out + lm_lab("runs", "show", mixture).out
    assert not lm_lab("evaluate", mixture, "--json").json["reads_later_tokens"]
    refused = lm_lab("generate", "leaks", "--prompt", "the")
    assert refused.code == 2
    assert refused.problem.startswith("lm-lab: this model reads later tokens, though it learned to guess them")
