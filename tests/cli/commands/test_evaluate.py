"""`lm-lab evaluate`: a loss, under a protocol that is named beside it."""

import math

import pytest

from lab.api import ENTROPY_RATE
from lab.training.material import Material


def test_the_loss_is_the_one_the_training_ended_with(train, lm_lab):
    trained = train("--json").json
    evaluated = lm_lab("evaluate", "run", "--json")
    assert evaluated.code == 0
    assert evaluated.json["loss"] == pytest.approx(trained["validation_loss"])
    assert evaluated.json["bits_per_byte"] == pytest.approx(trained["bits_per_byte"])
    assert evaluated.json["perplexity"] == pytest.approx(math.exp(evaluated.json["loss"]))


def test_a_loss_below_the_entropy_of_the_source_is_told_as_what_it_is(train, lm_lab, text, monkeypatch):
    told = "standard errors below the entropy of the source, where no model comes on average"
    monkeypatch.setattr(Material, "floors", lambda *_: {ENTROPY_RATE: 9.0})
    assert told in train().out
    assert told in lm_lab("runs", "show", "run").out
    assert told in lm_lab("evaluate", "run").out
    assert told not in lm_lab("evaluate", "run", "--text", text).out  # whose entropy is another


def test_protocol_and_number_of_targets_are_printed_with_the_loss(run, lm_lab):
    out = lm_lab("evaluate", "run").out
    assert "nats per token" in out
    assert "protocol windows, windows of 8 tokens, 275 targets" in out


@pytest.mark.short("options0")
@pytest.mark.parametrize("options", [(), ("--lengths", "4,8"), ("--without", "layer:1")])
def test_a_run_of_another_format_says_beside_its_loss_that_float32_was_computed(train, run, lm_lab, options):
    assert train("--set", "training.precision=bfloat16", out="half").code == 0
    sentence = "computed in float32; the run trained, and evaluated meanwhile, in bfloat16"
    assert sentence in lm_lab("evaluate", "half", *options).out.splitlines()
    figures = lm_lab("evaluate", "half", *options, "--json").json
    assert (figures["precision"], figures["run_precision"]) == ("float32", "bfloat16")
    assert "computed in" not in lm_lab("evaluate", "run", *options).out


def test_a_run_is_found_by_name_beginning_and_as_the_last(train, lm_lab):
    name = train("--json", out=None).json["run"].rpartition("/")[2]
    found = {lm_lab("evaluate", said, "--json").json["run"] for said in (name, name[:-3], "last")}
    assert len(found) == 1


def test_strides_read_more_before_each_target(run, lm_lab):
    windows, strided = (lm_lab("evaluate", "run", "--protocol", p, "--json").json for p in ("windows", "strided:1"))
    assert strided["protocol"] == "strided:1"
    assert strided["targets"] == windows["targets"] == 275
    whole = lm_lab("evaluate", "run", "--protocol", "strided:8", "--json").json
    assert whole["loss"] == pytest.approx(windows["loss"], rel=1e-2)  # the last window reaches further back


@pytest.mark.parametrize("protocol", ["streams", "strided", "strided:0", "strided:9", "strided:-1", "strided:x"])
def test_a_protocol_that_does_not_exist_is_refused_with_those_that_do(run, lm_lab, protocol):
    ended = lm_lab("evaluate", "run", "--protocol", protocol)
    assert ended.code == 2
    assert "windows, stream, strided:N with 1 ≤ N ≤ 8" in ended.problem


def test_a_transformer_cannot_read_one_stream(run, lm_lab):
    ended = lm_lab("evaluate", "run", "--protocol", "stream")
    assert ended.code == 2
    assert "reads at most 8 positions" in ended.problem


def test_an_n_gram_reads_a_stream_and_windows_and_knows_less_in_windows(n_gram, lm_lab):
    stream, windows = (lm_lab("evaluate", n_gram, "--protocol", p, "--json").json for p in ("stream", "windows"))
    assert lm_lab("evaluate", n_gram, "--json").json["protocol"] == "stream"
    assert stream["targets"] == windows["targets"]
    assert stream["context_length"] is None
    assert stream["loss"] < windows["loss"]


def test_a_text_of_ones_own_is_scored(run, lm_lab, tmp_path):
    (tmp_path / "own.txt").write_text("the dog sat on the cat.")
    result = lm_lab("evaluate", "run", "--text", "own.txt", "--json").json
    assert result["targets"] == 22


def test_a_text_of_ones_own_needs_the_corpus_no_more(run, lm_lab, text, tmp_path):
    text.rename(tmp_path / "gone.txt")
    assert lm_lab("evaluate", "run", "--text", "gone.txt").code == 0


def test_a_character_the_model_has_never_seen_is_named_with_its_place(run, lm_lab, tmp_path):
    (tmp_path / "own.txt").write_text("the döner")
    ended = lm_lab("evaluate", "run", "--text", "own.txt")
    assert ended.code == 2
    assert "the character ö (U+00F6) does not occur in this model's text (position 6)" in ended.problem


@pytest.mark.parametrize("content", [b"", b" \n", b"\x00\x01\x02", b"x"])
def test_a_text_that_holds_nothing_to_score_is_refused(run, lm_lab, tmp_path, content):
    (tmp_path / "own.txt").write_bytes(content)
    ended = lm_lab("evaluate", "run", "--text", "own.txt")
    assert ended.code == 2
    assert ended.problem


def test_a_missing_text_is_reported_with_the_folder_of_the_search(run, lm_lab, tmp_path):
    ended = lm_lab("evaluate", "run", "--text", "nowhere.txt")
    assert ended.code == 2
    assert "no such file or folder" in ended.problem
    assert str(tmp_path) in ended.problem


@pytest.mark.parametrize("fate", ["deleted", "moved", "changed"])
def test_a_corpus_that_is_not_there_any_more_asks_for_the_text(run, lm_lab, text, fate):
    if fate == "changed":
        text.write_text(text.read_text() + "and so on")
    else:
        text.rename(text.with_name("moved.txt"))
    ended = lm_lab("evaluate", "run")
    assert ended.code == 2
    assert "--text FILE" in ended.problem
    assert "animals.txt" in ended.problem


def test_a_run_that_was_carried_elsewhere_asks_for_the_text(train, lm_lab, tmp_path, monkeypatch):
    train()
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "another machine"))
    (tmp_path / "animals.txt").rename(tmp_path / "not here.txt")
    ended = lm_lab("evaluate", "run")
    assert ended.code == 2
    assert "--text FILE" in ended.problem


def test_a_moved_run_still_finds_its_corpus(train, lm_lab, tmp_path, monkeypatch):
    train()
    (tmp_path / "run").rename(tmp_path / "moved")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert lm_lab("evaluate", tmp_path / "moved").code == 0


def test_a_run_that_does_not_exist_is_refused_with_those_that_do(train, lm_lab):
    name = train("--json", out=None).json["run"].rpartition("/")[2]
    ended = lm_lab("evaluate", "nothing")
    assert ended.code == 2
    assert name in ended.problem


def test_a_folder_that_is_no_run_says_what_is_missing_in_it(lm_lab, tmp_path):
    ended = lm_lab("evaluate", tmp_path)
    assert ended.code == 2
    assert "run.json and recipe.toml missing" in ended.problem


def test_a_device_that_is_not_here_is_refused_with_those_that_are(run, lm_lab):
    ended = lm_lab("evaluate", "run", "--device", "cuda:7")
    assert ended.code == 2
    assert "auto, cpu" in ended.problem


def test_a_model_that_gives_no_numbers_has_a_loss_of_null(run_without_numbers, lm_lab):
    ended = lm_lab("evaluate", run_without_numbers, "--enable", "mine", "--json")
    assert ended.code == 0
    assert ended.json["loss"] is None
    assert ended.json["perplexity"] is None


@pytest.fixture
def of_examples(lm_lab):
    """Return the output of a training on examples; the run is in `copying`."""
    words = ("--corpus", "copy", "--steps", 2, "--out", "copying", "--set", "corpus.length=3", "--set",
             "training.context_length=8", "--set", "training.threads=1", "--set", "architecture.layers=1", "--set",
             "architecture.width=16", "--set", "architecture.heads=2")  # fmt: skip
    return lambda *more: lm_lab("train", *words, *more)


def test_training_and_evaluation_report_the_share_of_correct_examples(of_examples, lm_lab):
    trained = of_examples("--json").json["metrics"]
    assert trained.keys() == {"accuracy", "faultless"}
    assert lm_lab("evaluate", "copying", "--json").json["metrics"] == pytest.approx(trained)
    out = lm_lab("evaluate", "copying").out
    assert f"{trained['accuracy']:.1%} of the targets" in out
    assert "% of the examples" in out


def test_a_run_of_text_has_no_further_metrics(run, lm_lab):
    assert lm_lab("evaluate", "run", "--json").json["metrics"] == {}


def test_a_text_is_refused_by_a_run_that_learns_from_examples(of_examples, lm_lab, text):
    assert "of the targets" in of_examples().out
    ended = lm_lab("evaluate", "copying", "--text", text)
    assert ended.code == 2
    assert "--text" in ended.problem
    assert "this run learns from examples" in ended.problem


def test_a_source_with_its_own_symbols_reports_that_it_replaces_the_named_tokenizer(of_examples):
    assert "has its own symbols" in of_examples("--tokenizer", "byte").err


def test_losses_without_parts_of_the_model_are_a_table_of_each_and_of_all_together(run, lm_lab):
    reported = lm_lab("evaluate", "run", "--without", "head:1.2,layer:1", "--json").json
    assert [each["target"] for each in reported["without"]] == ["head:1.2", "layer:1"]
    assert reported["intact"] == pytest.approx(lm_lab("evaluate", "run", "--json").json["loss"])
    lines = lm_lab("evaluate", "run", "--without", "head:1.2,layer:1").out.splitlines()
    cells = [line.split() for line in lines]
    assert cells[0] == ["without", "nats", "change"]
    assert cells[1] == ["none", f"{reported['intact']:.4f}", "+0.0000"]
    head = reported["without"][0]["loss"]
    assert cells[2] == ["head:1.2", f"{head:.4f}", f"{head - reported['intact']:+.4f}"]
    assert lines[4].startswith("all of these")
    assert lines[4].split()[3] == f"{reported['loss']:.4f}"
    assert lines[5] == "protocol windows, 275 targets"


@pytest.mark.parametrize("heads", ["head", "head:*", "head:1.*"])
def test_a_star_gives_the_table_of_all_heads(run, lm_lab, heads):
    lines = lm_lab("evaluate", "run", "--without", heads).out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["none", "head:1.1", "head:1.2"]
    assert lm_lab("evaluate", "run", "--without", heads, "--json").json["loss"] is None


def test_a_mean_is_taken_over_the_text_that_is_given(run, lm_lab):
    losses = {
        lm_lab("evaluate", "run", "--without", "mean:head:1.1", *reference, "--json").json["loss"]
        for reference in ([], ["--reference", "the cat"], ["--reference", "a hat."])
    }
    assert len(losses) == 3
    ended = lm_lab("evaluate", "run", "--reference", "the cat")
    assert ended.code == 2
    assert "--reference: only goes with --without" in ended.problem
    assert "--reference" in lm_lab("evaluate", "run", "--without", "mean:head:1.1", "--reference", "ß").problem


def test_the_orders_of_an_n_gram_are_what_can_be_left_out_of_it(n_gram, lm_lab):
    reported = lm_lab("evaluate", n_gram, "--without", "order:*", "--json").json
    losses = [each["loss"] for each in reported["without"]]
    assert losses[0] == max(losses) > reported["intact"]
    assert "order:1 to order:" in lm_lab("evaluate", n_gram, "--without", "head:1.1").problem


def test_a_target_that_the_model_has_not_is_refused_with_those_that_it_has(run, lm_lab):
    ended = lm_lab("evaluate", "run", "--without", "head:1.9")
    assert ended.code == 2
    assert ended.problem.startswith("lm-lab: --without")
    assert "head:1.1 to head:1.2" in ended.problem
