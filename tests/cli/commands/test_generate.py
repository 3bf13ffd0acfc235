"""`lm-lab generate`: text after a prompt, the same for the same seed."""

import re

import pytest

from lab.cli.main import main


def written(lm_lab, run, *options, prompt="the "):
    ended = lm_lab("generate", run, "--prompt", prompt, *options)
    assert ended.code == 0, ended.err
    return ended.out


def test_the_prompt_and_what_follows_it_are_printed(run, lm_lab):
    out = written(lm_lab, run, "--max-tokens", 5)
    assert out.startswith("the ")
    assert len(out) == len("the ") + 5 + 1  # and a line end


def test_text_is_printed_token_by_token(run, monkeypatch):
    printed = []
    monkeypatch.setattr("builtins.print", lambda *words, **options: printed.append((words, options.get("flush"))))
    assert main(["generate", "run", "--prompt", "the ", "--max-tokens", "3"]) == 0
    assert [flush for _, flush in printed] == [True, True, True, False]
    assert printed[0][0][0].startswith("the ")


@pytest.mark.long  # in short: the same of the stream
def test_the_same_seed_writes_the_same_text_and_another_seed_another(run, lm_lab):
    first, again, other = (written(lm_lab, run, "--seed", seed, "--max-tokens", 40) for seed in (1, 1, 2))
    assert first == again != other


def test_json_holds_text_tokens_and_their_alternatives(run, lm_lab):
    result = lm_lab("generate", run, "--prompt", "the ", "--max-tokens", 6, "--json").json
    assert all(value > 0 for value in result["cost"].values())
    assert set(result["cost"]) == {"seconds_to_first_token", "tokens_per_second", "state_bytes"}
    assert result["prompt"] == "the "
    assert result["text"] == "".join(token["text"] for token in result["tokens"])
    assert len(result["tokens"]) == 6
    for token in result["tokens"]:
        shares = [other["probability"] for other in token["alternatives"]]
        assert shares == sorted(shares, reverse=True)
        assert 0 <= token["probability"] <= shares[0] <= 1


def test_at_temperature_0_the_likeliest_token_is_taken_for_any_seed(run, lm_lab):
    options = ("--temperature", 0, "--max-tokens", 12, "--json")
    one, two = (lm_lab("generate", run, "--prompt", "the ", "--seed", s, *options).json for s in (1, 2))
    assert one["text"] == two["text"]
    for token in one["tokens"]:
        assert token["probability"] == token["alternatives"][0]["probability"]


@pytest.mark.parametrize("filters", [("--top-k", 1), ("--top-p", 1e-9)])
def test_filters_that_leave_one_token_write_greedily(n_gram, lm_lab, filters):
    greedy = written(lm_lab, n_gram, "--temperature", 0, "--max-tokens", 20)
    assert written(lm_lab, n_gram, *filters, "--seed", 5, "--max-tokens", 20) == greedy


@pytest.mark.long  # in short: the filters, in the tests of decoding
def test_filters_that_filter_nothing_change_nothing(run, lm_lab):
    plain = written(lm_lab, run, "--max-tokens", 30)
    assert written(lm_lab, run, "--top-k", 0, "--top-p", 1, "--temperature", 1, "--max-tokens", 30) == plain
    assert written(lm_lab, run, "--top-k", 10**9, "--max-tokens", 30) == plain


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("--temperature", "-1", "0 ≤ x ≤ 10"),
        ("--temperature", "11", "0 ≤ x ≤ 10"),
        ("--temperature", "nan", "0 ≤ x ≤ 10"),
        ("--temperature", "warm", "0 ≤ x ≤ 10"),
        ("--top-k", "-1", "0 ≤ x"),
        ("--top-k", "1.5", "0 ≤ x"),
        ("--top-p", "0", "0 < x ≤ 1"),
        ("--top-p", "1.1", "0 < x ≤ 1"),
        ("--max-tokens", "-1", "0 ≤ x"),
        ("--max-tokens", "many", "0 ≤ x"),
        ("--seed", "x", "int"),
        ("--device", "tpu", "auto, cpu"),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_its_bounds(run, lm_lab, option, value, allowed):
    ended = lm_lab("generate", run, "--prompt", "the ", option, value)
    assert ended.code == 2
    assert allowed in ended.problem
    assert ended.out == ""


def test_a_character_that_is_not_in_the_vocabulary_is_named(run, lm_lab):
    ended = lm_lab("generate", run, "--prompt", "the ß")
    assert ended.code == 2
    assert "the character ß (U+00DF) does not occur in this model's text (position 5)" in ended.problem
    assert "prompt" in ended.problem


def test_bytes_on_the_command_line_that_are_no_text_are_refused(run, lm_lab):
    ended = lm_lab("generate", run, "--prompt", "the \udcff", "--json")
    assert ended.code == 2
    assert ended.json["problem"]["field"] == "prompt"


def test_an_empty_prompt_is_refused(run, lm_lab):
    ended = lm_lab("generate", run, "--prompt", "")
    assert ended.code == 2
    assert "prompt: is empty" in ended.problem


def test_a_prompt_is_asked_for(run, lm_lab):
    ended = lm_lab("generate", run)
    assert ended.code == 2
    assert "--prompt" in ended.problem


def test_of_a_prompt_of_a_megabyte_the_end_is_read(run, lm_lab):
    options = ("--strategy", "greedy", "--max-tokens", 3, "--json")
    ended = lm_lab("generate", run, "--prompt", "the cat sat on " * 70_000, *options)
    assert len(ended.json["tokens"]) == 3
    assert ended.json["rereads"] >= 1


def test_no_tokens_are_the_prompt_alone(run, lm_lab):
    assert written(lm_lab, run, "--max-tokens", 0) == "the \n"
    assert lm_lab("generate", run, "--prompt", "the", "--max-tokens", 0, "--json").json["tokens"] == []


def test_generation_past_the_reach_reports_how_often_the_context_was_full(run, lm_lab):
    ended = lm_lab("generate", run, "--prompt", "the ", "--max-tokens", 20)
    assert "the context was full 3 times; the model continued from the last tokens" in ended.problem
    assert lm_lab("generate", run, "--prompt", "the ", "--max-tokens", 20, "--json").json["rereads"] == 3


def test_the_context_of_an_n_gram_is_never_full(n_gram, lm_lab):
    ended = lm_lab("generate", n_gram, "--prompt", "the ", "--max-tokens", 50, "--json")
    assert ended.json["rereads"] == 0
    assert ended.err == ""


def test_a_prompt_longer_than_the_models_reach_is_read_from_its_end(run, lm_lab):
    prompt = "the cat sat on the mat. a dog "
    assert len(written(lm_lab, run, "--max-tokens", 3, prompt=prompt)) == 30 + 3 + 1
    assert "full once" in lm_lab("generate", run, "--max-tokens", 3, "--prompt", prompt).problem


def test_whole_characters_come_from_a_model_of_bytes(train, lm_lab, text):
    text.write_text("größe über alles, für immer schön. " * 80)
    train("--tokenizer", "byte")
    result = lm_lab("generate", "run", "--prompt", "grö", "--max-tokens", 40, "--json").json
    assert "".join(token["text"] for token in result["tokens"]) == result["text"]


def test_a_model_that_has_diverged_reports_it(run_without_numbers, lm_lab):
    ended = lm_lab("generate", run_without_numbers, "--enable", "mine", "--prompt", "the ")
    assert ended.code == 1
    assert "its logits are not finite. The training has diverged" in ended.problem


THE_LAST = """
    import torch
    from lab.api import ModelConfig, Sampler, hookimpl, setting

    class LastConfig(ModelConfig):
        back: int = setting(1, ge=1, help="How many from the end.")

    def last(config):
        def only(logits):
            filtered = torch.full_like(logits, float("-inf"))
            filtered[:, -config.back] = 0
            return filtered
        return only

    @hookimpl
    def lab_register_samplers(register):
        register(Sampler("last", "The last symbol", last, LastConfig))
"""


def test_a_plugins_sampler_is_chosen_by_name_and_set_like_anything(run, lm_lab, plugin):
    plugin("last", THE_LAST)
    chosen = ("--enable", "last", "--sampler", "last", "--max-tokens", 4)
    assert written(lm_lab, run, *chosen) == "the tttt\n"
    assert written(lm_lab, run, *chosen, "--set", "back=2") == "the ssss\n"


@pytest.mark.parametrize("name", ["seed", "count", "device", "prompt"])
def test_a_setting_cannot_change_what_an_option_sets(run, lm_lab, name):
    ended = lm_lab("generate", run, "--prompt", "a", "--set", f"{name}=3")
    assert ended.code == 2
    assert f"sampling.{name}" in ended.problem


def test_a_sampler_may_have_a_setting_of_the_name_of_an_option(run, lm_lab, plugin):
    plugin("last", THE_LAST.replace("back", "count"))
    chosen = ("--enable", "last", "--sampler", "last", "--max-tokens", 4)
    assert written(lm_lab, run, *chosen, "--set", "count=2") == "the ssss\n"


def test_torch_keeps_its_threads_between_two_tokens(run):
    import torch

    import lab

    torch.set_num_threads(2)
    try:
        pieces = lab.open(run).generate("the ", count=3)
        next(pieces)
        assert torch.get_num_threads() == 2
        pieces.close()
    finally:
        torch.set_num_threads(1)


def test_a_setting_the_sampler_does_not_know_is_refused(run, lm_lab, plugin):
    plugin("last", THE_LAST)
    ended = lm_lab("generate", run, "--prompt", "a", "--enable", "last", "--sampler", "last", "--top-k", 3)
    assert ended.code == 2
    assert "last.top_k" in ended.problem


def generated(lm_lab, run, *options, prompt="the "):
    found = lm_lab("generate", run, "--prompt", prompt, *options, "--json").json
    return {name: value for name, value in found.items() if name != "cost"}  # which is another each time


def test_the_filters_are_those_that_are_named_in_their_order(run, lm_lab):
    options = ("--seed", 3, "--max-tokens", 30)
    usual = ("--filter", "temperature=0.7", "--filter", "top-k=4", "--filter", "top-p")
    assert generated(lm_lab, run, *usual, *options) == generated(
        lm_lab, run, "--temperature", 0.7, "--top-k", 4, *options
    )
    first, second = (
        lm_lab("generate", run, "--prompt", "the ", *order, "--stages", "--json").json["stages"]
        for order in (
            ("--filter", "top-p=0.5", "--filter", "temperature=5"),
            ("--filter", "temperature=5", "--filter", "top-p=0.5"),
        )
    )
    assert [stage["name"] for stage in first] == ["model", "top-p", "temperature"]
    assert first[-1]["left"] < second[-1]["left"]


def test_no_filter_leaves_the_model_as_it_is(run, lm_lab):
    stages = lm_lab("generate", run, "--prompt", "the ", "--filter", "none", "--stages", "--json").json["stages"]
    assert [stage["name"] for stage in stages] == ["model"]


def test_filters_and_strategies_are_set_like_anything(run, lm_lab):
    alone = ("--filter", "top-k", "--set", "filters.top-k.k=1", "--max-tokens", 8)
    assert generated(lm_lab, run, *alone)["text"] == generated(lm_lab, run, "--strategy", "greedy", *alone[4:])["text"]
    wide = generated(lm_lab, run, "--strategy", "beam-search", "--set", "strategy.width=3", "--max-tokens", 8)
    assert len(wide["tokens"]) == 8
    refused = lm_lab("generate", run, "--prompt", "a", "--strategy", "beam-search", "--set", "strategy.width=0")
    assert refused.code == 2
    assert "strategy.width = 0" in refused.problem


@pytest.mark.long  # in short: the filters, in the tests of decoding
def test_a_filter_with_history_acts_on_the_text(run, lm_lab):
    text = generated(lm_lab, run, "--strategy", "greedy", "--filter", "no-repeat=1", "--max-tokens", 5, prompt="t")
    assert len(set("t" + text["text"])) == 6
    banned = generated(lm_lab, run, "--filter", "ban-list", "--set", 'filters.ban-list.texts=["e", " t"]')
    assert "e" not in banned["text"]
    assert " t" not in "the " + banned["text"]


def test_a_text_ends_before_a_stop_string_and_says_so(run, lm_lab):
    whole = generated(lm_lab, run, "--seed", 4, "--max-tokens", 60)
    assert whole["end"] == {"reason": "length", "what": ""}
    string = whole["text"][20:23]
    options = ("--seed", 4, "--max-tokens", 60, "--stop", string)
    cut = generated(lm_lab, run, *options)
    assert cut["text"] == whole["text"][: whole["text"].index(string)]
    assert cut["end"] == {"reason": "stop string", "what": string}
    assert "".join(token["text"] for token in cut["tokens"]) == cut["text"]
    ended = lm_lab("generate", run, "--prompt", "the ", *options)
    assert ended.out == f"the {cut['text']}\n"
    assert ended.err.splitlines()[-1] == f"lm-lab: the text ended before the stop string {string!r}."


def test_a_text_ends_at_a_stop_symbol(run, lm_lab):
    whole = generated(lm_lab, run, "--seed", 4, "--max-tokens", 60)
    cut = generated(lm_lab, run, "--seed", 4, "--max-tokens", 60, "--stop-symbol", whole["text"][10])
    assert cut["text"] == whole["text"][: whole["text"].index(whole["text"][10])]
    assert cut["end"] == {"reason": "stop symbol", "what": whole["text"][10]}
    assert cut["tokens"][-1]["text"] == ""
    refused = lm_lab("generate", run, "--prompt", "a", "--stop-symbol", "ta")
    assert refused.code == 2
    assert "--stop-symbol = ta: is 2 tokens" in refused.problem
    assert "--stop-symbol" in lm_lab("generate", run, "--prompt", "a", "--stop-symbol", "ß").problem


def test_the_stages_show_the_token_that_is_written_and_how_it_was_drawn(run, lm_lab):
    for draw in ("race", "inverse"):
        options = ("--seed", 9, "--temperature", 0.5, "--set", f"strategy.draw={draw}")
        found = lm_lab("generate", run, "--prompt", "the ", *options, "--stages", "--json").json
        first = lm_lab("generate", run, "--prompt", "the ", *options, "--max-tokens", 1, "--json").json["tokens"][0]
        picked = found["picked"]
        assert found["stages"][0]["probabilities"][picked] == pytest.approx(first["probability"])
        for stage in found["stages"]:
            assert sum(stage["probabilities"]) <= 1.00001
        if draw == "inverse":
            low, high = found["draw"]["interval"]
            assert low <= found["draw"]["uniform"] < high
            assert high - low == pytest.approx(found["stages"][-1]["probabilities"][picked], abs=1e-6)
        else:
            assert found["draw"]["uniform"] is None
            assert min(filter(None, found["draw"]["times"])) == found["draw"]["times"][picked]
        shown = lm_lab("generate", run, "--prompt", "the ", *options, "--stages").out.splitlines()
        assert [line.split()[0] for line in shown[1:-1]] == ["model", "temperature", "top-k", "top-p"]
        assert shown[-1].startswith("picked: ")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--filter", "top-k", "--temperature", 0.5), "sampling.temperature = 0.5: is no filter of this text"),
        (("--filter", "nothing"), "there is no such filter"),
        (("--strategy", "nothing"), "--strategy = nothing: there is no such strategy"),
        (("--filter", "top-k", "--filter", "top-k"), "top-k is listed twice"),
        (("--filter", "top-k=-1"), "sampling.top_k = -1"),
        (("--sampler", "top-k", "--filter", "top-p"), "--sampler = top-k: is given besides --filter"),
        (("--stop", ""), "--stop: is empty"),
        (("--filter", "repetition-penalty=0"), "0 < x ≤ 10"),
        (("--filter", "repetition-penalty=inf"), "0 < x ≤ 10"),
        (("--filter", "presence-penalty=inf"), "-10 ≤ x ≤ 10"),
        (("--filter", "frequency-penalty=-inf"), "-10 ≤ x ≤ 10"),
        (("--strategy", "beam-search", "--set", "strategy.width=10000"), "1 ≤ x ≤ 256"),
        (("--strategy", "beam-search", "--set", "strategy.groups=3"), "groups = 3 does not divide width = 4"),
        (("--filter", "regex=(a"), "cannot be read: unclosed group"),
        (("--filter", "regex=[^\\s\\S]"), "no text of this vocabulary can match it"),
        (("--filter", 'json-schema={"type": "object"}'), "no text of this vocabulary can match it"),
    ],
)
def test_a_decoding_that_cannot_be_is_refused(run, lm_lab, options, what):
    ended = lm_lab("generate", run, "--prompt", "the ", *options)
    assert ended.code == 2
    assert what in ended.problem


def test_the_decoding_of_the_recipe_holds_where_no_option_says_otherwise(lm_lab):
    small = ("--set", "architecture.layers=1", "--set", "architecture.width=16", "--set", "training.context_length=16")
    decoding = ("--set", "decoding.strategy.name=greedy", "--set", 'decoding.stop=["e"]')
    text = ("--set", "corpus.name=text", "--set", f"corpus.text={'the cat sat there. ' * 40}")
    assert lm_lab("train", *text, *small, *decoding, "--steps", 2, "--device", "cpu", "--out", "own").code == 0
    whole = lm_lab("generate", "own", "--prompt", "the ", "--max-tokens", 30, "--json").json
    same = lm_lab("generate", "own", "--prompt", "the ", "--max-tokens", 30, "--seed", 5, "--json").json
    assert whole["text"] == same["text"]
    assert "e" not in whole["text"]
    drawn = [
        lm_lab("generate", "own", "--prompt", "the ", "--strategy", "sampling", "--seed", seed, "--json").json["text"]
        for seed in range(3)
    ]
    assert len(set(drawn)) > 1
    refused = lm_lab("train", *text, *small, "--set", "decoding.strategy.name=none", "--steps", 1)
    assert refused.code == 2
    assert "decoding.strategy.name" in refused.problem


# ---- other runs


def test_a_draft_changes_nothing_about_a_greedy_text_and_its_help_is_reported(run, n_gram, lm_lab):
    greedy = generated(lm_lab, run, "--strategy", "greedy", "--max-tokens", 12)
    draft = ("--strategy", "speculative", "--set", "strategy.draft=n-gram", "--temperature", 0, "--max-tokens", 12)
    found = generated(lm_lab, run, *draft)
    assert found["text"] == greedy["text"]
    assert found["figures"].keys() == {"acceptance rate", "tokens per pass"}
    assert found["figures"]["tokens per pass"] >= 1
    assert greedy["figures"] == {}
    err = lm_lab("generate", run, "--prompt", "the ", *draft).err
    assert f"acceptance rate {found['figures']['acceptance rate']:.3g}" in err


def test_a_run_is_compared_with_another_one_by_a_filter(run, n_gram, lm_lab):
    plain = generated(lm_lab, run, "--filter", "none", "--strategy", "greedy", "--max-tokens", 12)
    less = generated(lm_lab, run, "--filter", "contrastive-decoding=n-gram", "--strategy", "greedy", "--max-tokens", 12)
    own = generated(lm_lab, run, "--filter", "contrastive-decoding=run", "--strategy", "greedy", "--max-tokens", 12)
    assert less["text"] != plain["text"]
    assert own["text"] != ""  # all plausible tokens are equal


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--strategy", "speculative"), "strategy.draft: names no run"),
        (("--strategy", "speculative", "--set", "strategy.draft=nobody"), "strategy.draft.*nobody"),
        (("--strategy", "speculative", "--set", "strategy.draft=bytes"), "strategy.draft.*bytes.*another vocabulary"),
        (("--filter", "contrastive-decoding"), "filters.contrastive-decoding.amateur: names no run"),
        (("--filter", "contrastive-decoding=bytes"), "filters.contrastive-decoding.amateur.*another vocabulary"),
    ],
)
def test_a_setting_that_names_no_run_of_the_same_vocabulary_is_refused(run, train, lm_lab, options, what):
    if "vocabulary" in what:
        assert train("--set", "tokenizer.name=byte", out="bytes", steps=1).code == 0
    ended = lm_lab("generate", run, "--prompt", "the ", *options)
    assert ended.code == 2
    assert re.search(what, ended.problem), ended.problem


def test_the_texts_of_all_hypotheses_are_in_the_json(run, lm_lab):
    found = generated(lm_lab, run, "--strategy", "beam-search", "--set", "strategy.width=3", "--max-tokens", 6)
    assert len(found["texts"]) == 3
    assert found["texts"][0]["text"] == found["text"]
    scores = [one["score"] for one in found["texts"]]
    assert scores == sorted(scores, reverse=True)
    assert generated(lm_lab, run, "--max-tokens", 6)["texts"] == []


def test_contrastive_search_writes_and_refuses_a_model_without_hidden_states(run, n_gram, lm_lab):
    found = generated(lm_lab, run, "--strategy", "contrastive-search", "--max-tokens", 12)
    assert len(found["tokens"]) == 12
    ended = lm_lab("generate", n_gram, "--prompt", "the ", "--strategy", "contrastive-search")
    assert "this model reports none" in ended.problem


def test_a_text_is_held_to_a_pattern_and_ends_when_it_is_complete(run, lm_lab):
    found = generated(lm_lab, run, "--filter", "regex=(the|cat){2}[.]", "--max-tokens", 40)
    assert re.fullmatch(r"(the|cat){2}\.", found["text"])
    assert found["end"] == {"reason": "filter", "what": "regex"}
    err = lm_lab("generate", run, "--prompt", "the ", "--filter", "regex=[.]").err
    assert "the text is complete for the filter 'regex'" in err


def test_runs_write_in_lockstep_and_their_divergence_is_printed(run, n_gram, lm_lab):
    options = ("--prompt", "the ", "--max-tokens", 9, "--beside", n_gram, "--beside", "run@3")
    ended = lm_lab("generate", run, *options)
    assert ended.code == 0, ended.err
    assert [line for line in ended.out.splitlines() if line.endswith(":")] == [
        "run, step 3:", f"{n_gram}, step 1:", "run@3, step 3:"
    ]  # fmt: skip
    assert "KL(first ‖ column)" in ended.out
    itself = ended.out.splitlines()[-2].split()
    assert itself == ["run@3", "0.0000", "0.0000", "100.0%", "100.0%", "100.0%"]


def test_json_holds_divergence_and_agreement_of_every_token(run, n_gram, lm_lab):
    options = ("--prompt", "the ", "--max-tokens", 6, "--beside", n_gram, "--json")
    free = lm_lab("generate", run, *options).json
    held = lm_lab("generate", run, *options, "--held").json
    assert (free["mode"], held["mode"]) == ("each on its own text", "on the text of the first")
    assert [column["run"] for column in free["columns"]] == ["run", "n-gram"]
    first, second = held["columns"]
    assert first["text"] == second["text"] == free["columns"][0]["text"]
    for token in second["tokens"]:
        assert token["kl_bits"] == pytest.approx(token["kl_nats"] / 0.6931471805599453)
        assert token["same_text"]
        assert 0 <= token["overlap"] <= 1
    assert [token["uniform"] for token in second["tokens"]] == [token["uniform"] for token in first["tokens"]]
    alone = lm_lab("generate", run, *options[:4], "--set", "strategy.draw=inverse", "--json").json
    assert alone["text"] == first["text"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--beside", "no such run"), "--beside = no such run"),
        (("--beside", "run@99"), "has no checkpoint of step 99. Allowed: 3"),
        (("--beside", "run@" + "9" * 5000), "--beside"),
        (("--held",), "--held: only goes with --beside"),
        (("--beside", "run", "--stages"), "--stages: does not go with --beside"),
        (("--beside", "run") * 4, "--beside = 4: is given too often"),
        (("--beside", "run", "--strategy", "beam-search"), "--strategy: keeps several hypotheses"),
        (("--beside", "run", "--table"), "--prompt"),
    ],
)
def test_what_cannot_write_beside_is_refused(run, lm_lab, options, sentence):
    ended = lm_lab("generate", run, "--prompt", "the ", *options)
    assert ended.code != 0
    assert sentence in ended.err


def test_a_checkpoint_of_a_run_is_named_with_its_step(run, lm_lab):
    assert written(lm_lab, "run@3", "--seed", 1, "--max-tokens", 5) == written(
        lm_lab, run, "--seed", 1, "--max-tokens", 5
    )
