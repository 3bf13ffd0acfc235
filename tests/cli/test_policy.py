"""The policy of the machine, and what it shares, on the command line."""

import pytest
import torch

from lab.recipes import Recipe


@pytest.fixture
def share(lab_system):
    """Write a text file into a shared folder."""

    def share(kind, name, text):
        path = lab_system / kind / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return share


def test_each_refusal_names_the_file_and_its_rule(train, lm_lab, with_policy, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    file = with_policy("devices = []", "threads = 2", "network = false", "allowed_plugins = []")
    for ended, rule in (
        (train("--device", "cuda:0"), "devices"),
        (train("--set", "training.threads=4"), "threads"),
        (lm_lab("download", "alice"), "network"),
        (lm_lab("class", "collect", "class"), "network"),
    ):
        assert ended.code == 2
        assert f"not allowed by {file} ({rule})" in ended.problem


def test_a_plugin_that_is_not_allowed_is_listed_and_cannot_be_enabled(lm_lab, plugin, with_policy):
    plugin("stranger", "raise SystemExit(3)")
    file = with_policy("allowed_plugins = []")
    listed = lm_lab("plugins", "--json").json["plugins"]
    assert [one["state"] for one in listed if one["name"] == "stranger"] == ["not allowed"]
    for arguments in (("plugins", "enable", "stranger"), ("plugins", "--enable", "stranger")):
        ended = lm_lab(*arguments)
        assert ended.code == 2
        assert f"not allowed by {file} (allowed_plugins)" in ended.problem


def test_a_broken_policy_is_reported_by_every_command_which_goes_on(lm_lab, with_policy):
    file = with_policy("threads = two")
    ended = lm_lab("plugins", "--json")
    assert ended.code == 0
    assert ended.json
    assert f"{file}: the policy of this machine cannot be read" in ended.err


def test_a_shared_recipe_and_text_are_taken_by_their_names(recipe_of, share):
    text = share("corpora", "novel.txt", "A novel.")
    share("recipes", "class.toml", Recipe(title="Of our class").to_toml())
    assert recipe_of("class").title == "Of our class"
    corpus = recipe_of("--corpus", "novel").corpus
    assert (corpus.name, corpus.settings["path"]) == ("file", str(text))


def test_the_help_of_train_lists_what_is_shared(lm_lab, share):
    text = share("corpora", "novel.txt", "A novel.")
    recipe = share("recipes", "class.toml", 'title = "Of our class"')
    printed = lm_lab("train", "--help").out
    assert f"class  Of our class  ({recipe})" in printed
    assert f"--corpus novel  ({text})" in printed


def test_a_shared_model_is_found_by_its_name(lm_lab, pretrained, lab_system):
    (lab_system / "models").mkdir(parents=True)
    pretrained("tiny").rename(lab_system / "models" / "tiny")
    ended = lm_lab("import-checkpoint", "tiny", "--look", "--json")
    assert ended.code == 0, ended.err
    assert ended.json["name"] == "tiny"
