"""`lm-lab score` and `lm-lab generate --table`: what is printed, as lines and as JSON."""

import math

import pytest


def test_each_token_of_a_short_text_has_a_row(run, lm_lab):
    ended = lm_lab("score", run, "--text", "the cat")
    assert ended.code == 0
    head, *rows = ended.out.splitlines()[1:9]
    assert head.split() == ["token", "bits", "entropy", "rank", "sum", "product"]
    assert [row.split()[0] for row in rows] == ["t", "h", "e", "␣", "c", "a", "t"]
    assert "protocol strided:4, 6 tokens scored; windows of 8 tokens" in ended.out


def test_json_holds_every_token_with_the_chain_rule(run, lm_lab):
    (scored,) = lm_lab("score", run, "--text", "the cat", "--json", "--alternatives", 2).json["runs"]
    first, *tokens = scored["tokens"]
    assert first == {"text": "t", "label": "t", "scored": False}
    assert sum(token["nats"] for token in tokens) == pytest.approx(scored["nats"])
    assert tokens[-1]["log10_product"] == pytest.approx(-scored["nats"] / math.log(10))
    assert all(len(token["alternatives"]) == 2 and token["rank"] >= 1 for token in tokens)
    lower, upper = scored["guess_bounds_bits"].values()
    assert 0 <= lower <= upper


def test_two_runs_are_compared_by_their_likelihood_ratio(run, n_gram, text, lm_lab):
    found = lm_lab("score", run, text, "--with", n_gram, "--json").json
    (compared,) = found["comparison"]
    transformer, counted = (one["nats"] for one in found["runs"])
    assert compared["log_likelihood_ratio"] == pytest.approx(transformer - counted)
    assert compared["running"][0][1] == 0
    assert compared["same_tokens"]
    assert len(compared["differences"]) == len(text.read_text())
    assert "the text fits n-gram best" in lm_lab("score", run, text, "--with", n_gram).out
    assert "the text fits n-gram best" in lm_lab("score", run, text, "--with", run, "--with", n_gram).out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "FILE: is missing"),
        (("animals.txt", "--text", "a cat"), "is given besides --text"),
        (("--text", "Zebra"), "the character Z does not occur"),
        (("--text", "the cat", "--alternatives", "-1"), "0 ≤ N ≤ 100"),
        (("--text", "the cat", "--protocol", "strided:9"), "strided:N with 1 ≤ N ≤ 8"),
        (("nowhere.txt",), "there is no such file"),
    ],
)
def test_what_cannot_be_scored_is_refused_in_one_sentence(run, lm_lab, options, sentence):
    ended = lm_lab("score", run, *options)
    assert ended.code == 2
    assert sentence in ended.problem


SIZES = ("--texts", 3, "--prompt-tokens", 4, "--max-tokens", 20)


def test_the_table_has_a_row_of_the_corpus_and_marks_the_nearest(n_gram, lm_lab, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)  # a narrow terminal cuts texts
    settings = ("--setting", "greedy", "--setting", "top-p=0.9")
    ended = lm_lab("generate", n_gram, "--table", *settings, *SIZES)
    assert ended.code == 0
    head, corpus, *rows = ended.out.splitlines()
    assert head.split()[:3] == ["setting", "perplexity", "repetition"]
    assert corpus.startswith("the corpus")
    assert [row.split()[0] for row in rows[:2]] == ["greedy", "top-p=0.9"]
    found = lm_lab("generate", n_gram, "--table", *settings, *SIZES, "--json").json
    assert (found["texts"], found["tokens"]) == (3, 20)
    assert found["nearest"]["perplexity"] in ("greedy", "top-p=0.9")
    assert f"by perplexity: {found['nearest']['perplexity']};" in ended.out
    assert len(found["rows"][0]["example"]) == 20


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--table", "--prompt", "the"), "--prompt = the: is given besides --table"),
        (("--table", "--setting", "nucleus"), "names no strategy and no filter"),
        (("--table", "--texts", 1), "--texts = 1: is too small"),
        (("--table", "--max-tokens", 9999), "--max-tokens: needs pieces of"),
        (("--prompt", "the", "--setting", "greedy"), "only goes with --table"),
        (("--prompt", "the", "--texts", 3), "--texts: only goes with --table"),
        (("--table", "--top-k", 3), "--top-k: does not go with --table"),
        (("--table", "--filter", "top-k"), "--filter: does not go with --table"),
        (("--table", "--stages"), "--stages: does not go with --table"),
        ((), "--prompt: is missing"),
    ],
)
def test_options_that_do_not_go_together_are_refused(run, lm_lab, options, sentence):
    ended = lm_lab("generate", run, *options)
    assert ended.code == 2
    assert sentence in ended.problem


def test_tests_of_a_run_print_figures_and_tables(n_gram, lm_lab):
    ended = lm_lab("behaviour", n_gram)
    assert ended.code == 0
    assert ended.out.startswith("context, step ")
    found = lm_lab("behaviour", n_gram, "--test", "copying", "--json").json["tests"]
    assert [one["test"] for one in found] == ["copying"]
    assert 0 <= found[0]["figures"]["copied"] <= 1
    assert found[0]["curves"][0]["x"] == "tokens before"


def test_minimal_pairs_come_from_a_file(n_gram, tmp_path, lm_lab):
    (tmp_path / "pairs.jsonl").write_text('{"sentence_good": "the cat sat", "sentence_bad": "the tac sat"}\n')
    ended = lm_lab("behaviour", n_gram, "--test", "pairs", "--file", "pairs.jsonl")
    assert "accuracy 100.0%, pairs 1" in ended.out
    assert "--file: is missing" in lm_lab("behaviour", n_gram, "--test", "pairs").problem
    assert "--file: is not read" in lm_lab("behaviour", n_gram, "--test", "copying", "--file", "pairs.jsonl").problem
    assert "--test = x: there is no such test" in lm_lab("behaviour", n_gram, "--test", "x").problem


def test_a_table_by_checkpoint_has_the_rows_of_each(run, lm_lab):
    options = ("generate", run, "--table", "--texts", 2, "--prompt-tokens", 4, "--max-tokens", 8)
    ended = lm_lab(*options, "--setting", "greedy", "--checkpoint", "last", "--checkpoint", "best")
    assert ended.code == 0
    head, *rows = ended.out.splitlines()
    assert head.split()[:4] == ["step", "validation", "loss", "setting"]
    assert any("the corpus" in row for row in rows)
    assert any("(best)" in row and "greedy" in row for row in rows)
    found = lm_lab(*options, "--setting", "greedy", "--checkpoint", "all", "--json").json["checkpoints"]
    assert [one["rows"][0]["setting"] for one in found] == ["greedy"] * len(found)
    assert [one["best"] for one in found].count(True) == 1
    assert "--checkpoint = 12345: is no checkpoint" in lm_lab(*options, "--checkpoint", "12345").problem
    refused = lm_lab("generate", run, "--prompt", "the ", "--checkpoint", "last")
    assert "--checkpoint: only goes with --table" in refused.problem
