"""`lm-lab plugins` and the options that decide which plugins run."""

import ast
import subprocess
import sys

import pytest

NOTHING = '''
    """A plugin that leaves a mark when it runs."""
    from pathlib import Path
    Path({mark!r}).touch()
'''
BROKEN = "raise RuntimeError('it rained')"


@pytest.fixture
def mark(tmp_path, plugin):
    """A plugin called `mine`, and the file that exists once it has run."""
    mark = tmp_path / "it ran"
    plugin("mine", NOTHING.format(mark=str(mark)))
    return mark


def states(lm_lab, *options):
    ended = lm_lab("plugins", "--json", *options)
    assert ended.code == 0
    return {info["name"]: info["state"] for info in ended.json["plugins"]}


def test_built_ins_are_on_and_list_their_cards(lm_lab):
    out = lm_lab("plugins").out
    assert "architectures: encoder-decoder, recurrent-encoder-decoder" in out
    assert "corpora: conversations-file, dataset, download, file, images-folder" in out


def test_without_an_action_it_lists(lm_lab):
    assert lm_lab("plugins", "list").out == lm_lab("plugins").out


def test_a_file_in_the_plugins_folder_is_listed_as_off_and_does_not_run(lm_lab, mark):
    assert states(lm_lab)["mine"] == "off"
    assert not mark.exists()


def test_enable_runs_it_now_and_in_later_starts(lm_lab, mark):
    ended = lm_lab("plugins", "enable", "mine")
    assert ended.code == 0
    assert ended.out.split()[:2] == ["mine", "on"]
    assert mark.exists()
    assert states(lm_lab)["mine"] == "on"


def test_disable_ends_that(lm_lab, mark):
    lm_lab("plugins", "enable", "mine")
    assert lm_lab("plugins", "disable", "mine", "--json").json["plugins"][0]["state"] == "off"
    mark.unlink()
    assert states(lm_lab)["mine"] == "off"
    assert not mark.exists()


def test_a_built_in_can_be_disabled_and_its_card_is_missed_by_name(lm_lab, text):
    lm_lab("plugins", "disable", "lab_ngram")
    ended = lm_lab("train", "--architecture", "n-gram", "--corpus", text)
    assert ended.code == 2
    assert "lab_ngram: disabled" in ended.problem
    assert lm_lab("plugins", "enable", "lab_ngram").code == 0
    assert states(lm_lab)["lab_ngram"] == "on"


@pytest.mark.parametrize("action", ["enable", "disable"])
def test_a_name_is_asked_for(lm_lab, action):
    ended = lm_lab("plugins", action)
    assert ended.code == 2
    assert f"lm-lab plugins {action} NAME" in ended.problem


def test_a_name_behind_list_is_refused(lm_lab):
    assert lm_lab("plugins", "list", "lab_ngram").code == 2


def test_an_unknown_plugin_is_refused_with_the_nearest(lm_lab, mark):
    ended = lm_lab("plugins", "enable", "mien")
    assert ended.code == 2
    assert "Did you mean mine?" in ended.problem


@pytest.mark.parametrize("place", ["before", "behind"])
def test_enable_for_one_call_may_be_given_before_or_after_the_command(lm_lab, mark, place):
    words = ("--enable", "mine", "plugins") if place == "before" else ("plugins", "--enable", "mine")
    assert lm_lab(*words).code == 0
    assert mark.exists()
    assert states(lm_lab)["mine"] == "off"


def test_enable_may_be_repeated(lm_lab, mark, plugin):
    plugin("other", "'''Another.'''")
    listed = lm_lab("--enable", "mine", "plugins", "--enable", "other", "--json").json["plugins"]
    assert [(info["name"], info["state"]) for info in listed[-2:]] == [("mine", "on"), ("other", "on")]


@pytest.mark.parametrize("place", ["before", "behind"])
def test_safe_mode_starts_without_third_parties(lm_lab, mark, place):
    lm_lab("plugins", "enable", "mine")
    mark.unlink()
    words = ("--safe-mode", "plugins", "--json") if place == "before" else ("plugins", "--safe-mode", "--json")
    found = {info["name"]: info["state"] for info in lm_lab(*words).json["plugins"]}
    assert found["mine"] == "skipped"
    assert found["lab_transformer"] == "on"
    assert not mark.exists()


def test_json_may_be_given_before_the_command(lm_lab):
    assert lm_lab("--json", "plugins").json["plugins"]


def test_lab_plugins_narrows_the_start(lm_lab, mark, monkeypatch):
    lm_lab("plugins", "enable", "mine")
    monkeypatch.setenv("LAB_PLUGINS", "lab_ngram, mine")
    found = states(lm_lab)
    own = ["lab.text.builtins", "lab.sources.texts.cards", "lab.sources.tasks.cards", "lab.sources.rows.cards"]
    own += ["lab.training.builtins", "lab.training.adapters.builtins", "lab.training.optimizers.builtins"]
    own += ["lab.training.schedules.builtins", "lab.training.rules.builtins"]
    own += ["lab.decoding.builtins", "lab.diagnostics.builtins"]
    assert [name for name, state in found.items() if state == "on"] == [*own, "lab_ngram", "mine"]
    assert found["lab_transformer"] == "skipped"


def test_lab_plugins_does_not_enable(lm_lab, mark, monkeypatch):
    monkeypatch.setenv("LAB_PLUGINS", "mine")
    assert states(lm_lab)["mine"] == "off"


def test_an_unknown_name_in_lab_plugins_is_reported(lm_lab, monkeypatch):
    monkeypatch.setenv("LAB_PLUGINS", "lab_transfomer")
    ended = lm_lab("plugins")
    assert "LAB_PLUGINS = lab_transfomer: there is no such plugin" in ended.err


def test_the_trace_switch_writes_every_call_with_its_time(lm_lab, mark, monkeypatch):
    monkeypatch.setenv("LAB_PLUGINS_TRACE", "1")
    err = lm_lab("plugins", "--enable", "mine").err
    assert "plugin mine: its import" in err
    assert "plugin lab_transformer: lab_register_architectures" in err
    assert " ms" in err


def test_a_plugin_that_cannot_be_imported_fails_to_be_enabled_and_is_listed_with_the_reason(lm_lab, plugin):
    plugin("broken", BROKEN)
    ended = lm_lab("plugins", "enable", "broken")
    assert ended.code == 1
    assert "plugin broken: its import failed: RuntimeError: it rained" in ended.problem
    listed = lm_lab("plugins", "--json").json["plugins"][-1]
    assert listed["state"] == "failed"
    assert listed["problems"][0]["plugin"] == "broken"


@pytest.mark.long  # in short: the same of the host
def test_listing_plugins_imports_no_torch(of_this_tree):
    code = "import sys; from lab.cli.main import main; main(['plugins']); print(sorted(sys.modules))"
    listed = subprocess.run(
        [sys.executable, "-c", code],
        env=of_this_tree,
        capture_output=True,
        text=True,
        check=True,
    )
    imported = ast.literal_eval(listed.stdout.splitlines()[-1])
    assert "lab_transformer" in imported
    assert not {"torch", "lab_transformer.model", "PySide6"} & set(imported)
