"""`lm-lab generate`: text after a prompt, the same for the same seed."""

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
    assert [flush for _, flush in printed] == [True, True, True, None]
    assert printed[0][0][0].startswith("the ")


def test_the_same_seed_writes_the_same_text_and_another_seed_another(run, lm_lab):
    first, again, other = (written(lm_lab, run, "--seed", seed, "--max-tokens", 40) for seed in (1, 1, 2))
    assert first == again != other


def test_json_holds_text_tokens_and_their_alternatives(run, lm_lab):
    result = lm_lab("generate", run, "--prompt", "the ", "--max-tokens", 6, "--json").json
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
