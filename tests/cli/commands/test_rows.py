"""`lm-lab corpus`, `train`, `evaluate`, `resume`, `runs verify` and `generate` with data in rows."""

import math
import tomllib
from pathlib import Path

import pytest

TINY = (
    "--set", "training.batch_size=4", "--set", "training.context_length=16", "--set", "training.threads=1",
    "--set", "architecture.layers=1", "--set", "architecture.width=16", "--set", "architecture.heads=2",
    "--device", "cpu",
)  # fmt: skip

TALK = """
    from lab.api import Conversations, Corpus, Turn, hookimpl

    def talk(config):
        return Conversations("Echo", [(Turn("user", c), Turn("bot", c, learned=True)) for c in "abcdefgh"])

    @hookimpl
    def lab_register_corpora(register):
        register(Corpus("talk", "Talk", talk, kind="conversations"))
"""


@pytest.mark.parametrize(
    ("corpus", "expected"),
    [
        ("reversal", ("pairs", "source length", "target length", " → ", "the right target in")),
        ("polarity", ("labels", "text length", "negative 50", "nats per label")),
        ("parts-of-speech", ("labels", "noun ", "class priors", "/noun")),
        ("points", ("vectors", "reads", "x: ", "linear")),
        ("sine", ("vectors", "predicts", "y: ", "mean squared error")),
        ("digits", ("images", "16 × 16 pixels, grey", "0 10.0%")),
    ],
)
def test_corpus_shows_parts_lengths_classes_ranges_floors_and_three_rows(lm_lab, corpus, expected):
    ended = lm_lab("corpus", corpus, "--set", "corpus.rows=60")
    assert ended.code == 0, ended.err
    assert "54 for training, 6 for validation" in ended.out
    for text in expected:
        assert text in ended.out
    assert len(ended.out.split("examples")[-1].strip().splitlines()) == 3


def test_the_figures_of_rows_are_in_the_json(lm_lab):
    page = lm_lab("corpus", "points", "--set", "corpus.rows=60", "--json").json
    assert (page["kind"], page["rows"], page["training"], page["validation"]) == ("vectors", 60, 54, 6)
    assert page["floors"]["uniform"] == pytest.approx(math.log(2))
    assert [one["name"] for one in page["ranges"]] == ["x", "y"]
    assert len(page["examples"]) == 3
    assert page["source"]["name"] == "points"


@pytest.mark.short("points-*")
@pytest.mark.parametrize(
    ("corpus", "unit", "architecture"),
    [
        ("reversal", "token", "encoder-decoder"),
        ("shapes", "token", "encoder-decoder"),
        ("polarity", "label", "transformer"),
        ("points", "label", "transformer"),
    ],
)
def test_corpus_shows_the_floors_of_a_training_on_these_rows(lm_lab, corpus, unit, architecture):
    settings = ("--set", "corpus.rows=60") + (("--set", "corpus.target=caption") if corpus == "shapes" else ())
    shown = lm_lab("corpus", corpus, *settings)
    assert f"(nats per {unit})" in shown.out
    floors = lm_lab("corpus", corpus, *settings, "--json").json["floors"]
    settings += (*TINY, "--set", "training.context_length=128", "--architecture", architecture, "--json")
    ended = lm_lab("train", "--corpus", corpus, *settings, "--steps", 1, "--out", "run")
    assert ended.code == 0, ended.err
    assert floors == pytest.approx(ended.json["floors"], abs=1e-6)
    assert floors["uniform"] > 0
    assert ("unigram" in floors) == (unit == "token")


@pytest.fixture
def pairs(lm_lab):
    """The folder of an encoder-decoder that was trained on reversed letters for three steps."""
    ended = lm_lab(
        "train", "--corpus", "reversal", "--set", "corpus.rows=40", "--architecture", "encoder-decoder",
        "--objective", "sequence-to-sequence", *TINY, "--steps", 3, "--out", "pairs",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert "floors           uniform" in ended.out
    return Path("pairs")


def test_a_run_on_pairs_writes_a_target_for_a_source(lm_lab, pairs):
    ended = lm_lab("generate", pairs, "--prompt", "abc", "--max-tokens", 4)
    assert ended.code == 0, ended.err
    prompt, *_ = ended.out.splitlines()
    assert prompt == "abc"
    first = lm_lab("generate", pairs, "--prompt", "abc", "--max-tokens", 4, "--seed", 5, "--json").json
    again = lm_lab("generate", pairs, "--prompt", "abc", "--max-tokens", 4, "--seed", 5, "--json").json
    del first["cost"], again["cost"]  # times
    assert first == again
    assert len(first["tokens"]) <= 4
    assert sum(other["probability"] for other in first["tokens"][0]["alternatives"]) <= 1


def test_a_target_goes_on_after_its_end_if_that_is_ignored(lm_lab, pairs):
    asked = ("generate", pairs, "--prompt", "abc", "--max-tokens", 150, "--stop", "never", "--json")
    ended = lm_lab(*asked).json
    assert ended["end"]["reason"] == "end of text"
    gone_on = lm_lab(*asked, "--ignore-end-of-text").json
    assert len(gone_on["tokens"]) == 150
    assert gone_on["text"].startswith(ended["text"])


def test_a_run_on_pairs_is_evaluated_resumed_and_verified(lm_lab, pairs):
    evaluated = lm_lab("evaluate", pairs, "--json")
    assert evaluated.code == 0, evaluated.err
    bits = evaluated.json["bits_per_byte"]
    assert bits > evaluated.json["loss"] / math.log(2)  # each letter is a byte, the end of a target is none
    assert f"{bits:.3f} bits per byte" in lm_lab("evaluate", pairs).out
    verified = lm_lab("runs", "verify", pairs)
    assert verified.code == 0, verified.err
    assert "exact" in verified.out
    assert lm_lab("resume", pairs, "--steps", 5).code == 0
    assert lm_lab("evaluate", pairs, "--json").json["targets"] == evaluated.json["targets"]


def test_a_resumed_run_on_rows_equals_one_that_never_stopped(lm_lab):
    common = ("train", "--corpus", "points", "--set", "corpus.rows=60", "--architecture", "transformer")
    common += ("--objective", "classification", *TINY)
    schedule = ("--set", "training.schedule.name=constant")
    for steps, out in ((6, "whole"), (3, "first")):
        assert lm_lab(*common, *schedule, "--steps", steps, "--out", out).code == 0
    assert lm_lab("resume", "first", "--steps", 6).code == 0
    losses = [lm_lab("evaluate", out, "--json").json["loss"] for out in ("whole", "first")]
    assert losses[0] == losses[1]


def test_a_run_without_text_has_no_tokenizer_in_its_recipe_and_cannot_write(lm_lab):
    ended = lm_lab(
        "train", "--corpus", "points", "--set", "corpus.rows=60", "--architecture", "transformer",
        "--objective", "classification", *TINY, "--steps", 2, "--out", "points",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert tomllib.loads(Path("points/recipe.toml").read_text())["tokenizer"]["name"] == "none"
    refused = lm_lab("generate", "points", "--prompt", "abc")
    assert refused.code == 2
    assert "this run predicts no text, and cannot write" in refused.problem
    assert "have no lengths to choose" in lm_lab("evaluate", "points", "--lengths").problem


def test_classify_prints_the_classes_of_a_text_and_the_likeliest_class_of_each_word(lm_lab):
    common = ("--set", "corpus.rows=40", "--objective", "classification", "--tokenizer", "word", *TINY, "--steps", 2)
    common += ("--set", "training.context_length=64")
    for corpus in ("polarity", "parts-of-speech"):
        assert lm_lab("train", "--corpus", corpus, *common, "--out", corpus).code == 0
    whole = lm_lab("classify", "polarity", "the soup", "--json").json
    assert sum(whole["classes"].values()) == pytest.approx(1)
    table = lm_lab("classify", "polarity", "the soup").out
    assert table.splitlines()[0].split() == ["class", "probability"]
    words = lm_lab("classify", "parts-of-speech", "the dog", "--json").json
    assert (words["words"], len(words["classes"])) == (["the", "dog"], 2)
    assert [row.split()[0] for row in lm_lab("classify", "parts-of-speech", "the dog").out.splitlines()] == [
        "word", "the", "dog",
    ]  # fmt: skip
    refused = lm_lab("classify", "polarity", "")
    assert refused.code == 2
    assert "TEXT" in refused.problem


def test_a_run_on_conversations_answers_a_turn(lm_lab, plugin):
    plugin("talk", TALK)
    enabled = ("--enable", "talk")
    ended = lm_lab("train", "--corpus", "talk", *TINY, "--steps", 3, "--out", "talk", *enabled)
    assert ended.code == 0, ended.err
    assert "faultless" in ended.out
    answered = lm_lab("generate", "talk", "--prompt", "a", "--max-tokens", 3, *enabled)
    assert answered.code == 0, answered.err
    assert answered.out.startswith("a\n")
    asked = ("generate", "talk", "--prompt", "a", "--max-tokens", 60, "--json", *enabled)
    assert lm_lab(*asked).json["end"]["reason"] == "end of text"
    assert len(lm_lab(*asked, "--ignore-end-of-text").json["tokens"]) == 60
    described = lm_lab("corpus", "talk", *enabled).out
    assert "turns" in described
    assert "unigram" in described


def test_a_row_that_is_too_long_is_named_with_what_to_set(lm_lab):
    refused = lm_lab(
        "train", "--corpus", "reversal", "--set", "corpus.rows=40", "--architecture", "encoder-decoder",
        "--objective", "sequence-to-sequence", *TINY, "--set", "training.context_length=4", "--out", "long",
    )  # fmt: skip
    assert refused.code == 2
    assert "Set training.context_length=10" in refused.problem


def test_tokenize_fits_to_the_text_of_rows_and_refuses_numbers(lm_lab):
    assert lm_lab("tokenize", "abc", "--corpus", "reversal", "--tokenizer", "character").code == 0
    assert "has no text" in lm_lab("tokenize", "abc", "--corpus", "points").problem


def test_a_run_on_a_file_of_rows_finds_it_again_and_stores_no_path(lm_lab, tmp_path):
    folder = tmp_path / "somewhere"
    folder.mkdir()
    table = folder / "names.csv"
    table.write_text("source,target\n" + "".join(f"{c}x,{c}y\n" for c in "abcdefghij"))
    ended = lm_lab(
        "train", "--set", "corpus.name=pairs-file", "--set", f"corpus.path={table}", "--architecture",
        "encoder-decoder", "--objective", "sequence-to-sequence", *TINY, "--steps", 2, "--out", "names",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert tomllib.loads(Path("names/recipe.toml").read_text())["corpus"]["path"] == "names.csv"
    assert str(folder) not in Path("names/run.json").read_text()
    assert lm_lab("evaluate", "names").code == 0
    table.write_text("source,target\na,b\nc,d\n")
    assert "is not the text" in lm_lab("evaluate", "names").problem


BINARY = (
    "--set", "corpus.name=vectors-file", "--set", "corpus.path=rain.csv", "--set", "corpus.predicts=number",
    "--objective", "binary",
)  # fmt: skip


@pytest.mark.long  # in short: the objective, in the tests of trainings
def test_a_column_of_0_and_1_is_learned_as_a_probability_from_a_file(lm_lab):
    lines = (f"{number % 10},{number % 7},{int(number % 10 > 2)}" for number in range(120))
    Path("rain.csv").write_text("clouds,wind,rain\n" + "\n".join(lines) + "\n")
    slow = ("--set", "training.optimizer.learning_rate=0.03")
    ended = lm_lab("train", *BINARY, *TINY, *slow, "--steps", 150, "--out", "rain", "--json")
    assert ended.code == 0, ended.err
    figures = ended.json
    assert figures["loss_unit"] == "nats per label"
    assert figures["floors"]["uniform"] == pytest.approx(math.log(2))
    assert figures["floors"]["linear"] < figures["floors"]["class priors"]
    assert figures["validation_loss"] < figures["floors"]["class priors"]
    assert lm_lab("evaluate", "rain", "--json").json["loss"] == pytest.approx(figures["validation_loss"])
    shown = lm_lab("corpus", *BINARY[:-2], "--set", "objective.name=binary")
    assert "(nats per label)" in shown.out


SINE = ("train", "--corpus", "sine", "--out", "run", "--json", "--set", "corpus.rows=20", *TINY)


def test_what_fits_a_corpus_of_rows_is_chosen_and_said(lm_lab):
    ended = lm_lab(*SINE, "--steps", "2")
    assert ended.code == 0
    assert "A noisy wave gives vectors; chosen for it: objective regression, tokenizer none" in ended.err
    assert ended.json["loss_unit"] == "mean squared error"


def test_a_named_objective_is_never_replaced(lm_lab):
    ended = lm_lab(*SINE, "--objective", "causal")
    assert ended.code == 2
    assert "objective.name = causal: this objective does not read vectors" in ended.err


@pytest.mark.long  # in short: mixtures of rows, in the tests of trainings
def test_a_mixture_of_pairs_trains_is_evaluated_by_part_and_verified(lm_lab, tmp_path):
    pairs = "".join(f"a{number}\tb{number}\n" for number in range(40))
    (tmp_path / "mine.tsv").write_text(f"source\ttarget\n{pairs}")
    parts = ("first.corpus=reversal", f"second.path={tmp_path / 'mine.tsv'}", "second.holds=pairs", "second.weight=3")
    mixed = [each for part in parts for each in ("--set", f"corpus.{part}")]
    sizes = ("--architecture", "encoder-decoder", "--set", "training.checkpoint_every=2")
    ended = lm_lab("train", "--corpus", "mixture", *mixed, *sizes, *TINY, "--steps", "4", "--out", "mixed")
    assert ended.code == 0, ended.err
    assert "chosen for it: objective sequence-to-sequence" in ended.err
    assert "loss reversed letters" in ended.out
    found = lm_lab("evaluate", "mixed", "--json").json
    shares = 0.25 * found["metrics"]["loss reversed letters"] + 0.75 * found["metrics"]["loss mine.tsv"]
    assert found["loss"] == pytest.approx(shares)
    assert "exact" in lm_lab("runs", "verify", "mixed").out
    assert "reversed letters 5,000, mine.tsv 40" in lm_lab("corpus", "mixture", *mixed).out
    ended = lm_lab("train", "--corpus", "mixture", "--set", "corpus.first.corpus=reversal", *TINY, "--steps", "1")
    assert "gives text, and the first corpus gives pairs of texts" in ended.err


def test_classify_reads_a_picture_and_says_what_its_class_rests_on(lm_lab, tmp_path):
    Image = pytest.importorskip("PIL.Image")
    Image.new("L", (30, 20), 200).save(tmp_path / "grey.png")
    rows = ("--set", "corpus.rows=40", "--set", "corpus.size=8", "--steps", 2)
    for corpus, architecture, more in (("digits", "vit", ()), ("shapes", "clip", ("--set", "corpus.target=caption"))):
        small = ("--set", "architecture.layers=1", "--set", "architecture.width=16", "--set", "training.batch_size=4")
        given = ("--corpus", corpus, "--architecture", architecture, *rows, *small, *more)
        ended = lm_lab("train", *given, "--set", "training.context_length=64", "--out", corpus)
        assert ended.code == 0, ended.err
    picture = str(tmp_path / "grey.png")
    found = lm_lab("classify", "digits", picture, "--why", "--json").json
    assert list(found["classes"]) == list("0123456789")
    assert (len(found["occlusion"]), len(found["gradient"][0])) == (8, 8)
    printed = lm_lab("classify", "digits", picture, "--why").out
    assert printed.count("in nats; below 0 it speaks against it") == 2
    texts = ("--prompt", "a large red ring", "--prompt", "a small blue cross")
    assert set(lm_lab("classify", "shapes", picture, *texts, "--json").json["classes"]) == {texts[1], texts[3]}
    for given, option, what in (
        (("shapes", picture), "--prompt", "at least two texts"),
        (("digits", picture, *texts), "--prompt", "learned classes"),
        (("digits", "none.png"), "TEXT", "no such file"),
    ):
        refused = lm_lab("classify", *given)
        assert refused.code == 2
        assert option in refused.problem
        assert what in refused.problem
