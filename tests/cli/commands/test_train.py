"""`lm-lab train`: what it prints, which option wins, and what it leaves behind."""

import json
import tomllib
from pathlib import Path

import pytest

from lab.recipes import Recipe

PROMISED = {
    "steps", "train_loss", "validation_loss", "protocol", "bits_per_byte", "tokens_per_second", "parameters", "run",
}  # fmt: skip
A_PRESET = """
    from lab.api import Architecture, ModelConfig, hookimpl, setting

    class Config(ModelConfig):
        width: int = setting(4, ge=1, help="Channels.")
        depth: int = setting(1, ge=1, help="Blocks.")

    @hookimpl
    def lab_register_architectures(register):
        preset = {"architecture": {"width": 5}, "training": {"steps": 7, "batch_size": 5}}
        register(Architecture("mine", "Mine", "own", "Own.", config=Config, build=print, presets={"five": preset}))
"""


def test_json_is_the_last_line_and_holds_every_promised_figure(train):
    ended = train("--json")
    assert ended.code == 0
    assert ended.json.keys() >= PROMISED
    assert (ended.json["steps"], ended.json["protocol"]) == (3, "windows")
    assert ended.json["tokens_per_second"] > 0
    assert ended.json["parameters"] > 1000
    assert Path(ended.json["run"]) == Path("run").absolute()


def test_json_prints_nothing_else_on_standard_output(train):
    assert len(train("--json").out.splitlines()) == 1


def test_without_a_step_the_training_loss_is_null(train):
    figures = train("--json", steps=0).json
    assert figures["train_loss"] is None
    assert figures["tokens_per_second"] is None
    assert figures["validation_loss"] > 0


def test_a_corpus_of_one_character_has_nothing_to_learn(train, text):
    text.write_text("a" * 500)
    figures = train("--json").json
    assert figures["validation_loss"] == 0
    assert figures["bits_per_byte"] == 0


def test_a_counting_model_is_evaluated_in_one_stream(train):
    figures = train("--architecture", "n-gram", "--json", architecture=()).json
    assert figures["protocol"] == "stream"
    assert figures["train_loss"] > figures["validation_loss"]  # prequential: of text that was not yet counted
    assert 0 < figures["validation_loss"] < 0.5  # the text repeats itself


def test_a_loss_that_is_infinite_is_reported_as_such(lm_lab, tmp_path):
    (tmp_path / "pairs.txt").write_text("ab" * 500 + "bb")  # whose last pair the training text does not have
    words = ("train", "--corpus", tmp_path / "pairs.txt", "--architecture", "n-gram")
    words = (*words, "--set", "architecture.smoothing=maximum-likelihood", "--set", "training.context_length=8")
    ended = lm_lab(*words, "--out", "one")
    assert ended.code == 0
    assert "validation loss  infinite: the model gives probability 0 to some tokens of the text" in ended.out
    figures = lm_lab(*words, "--out", "other", "--json").json
    assert (figures["state"], figures["validation_loss"], figures["infinite"]) == (
        "finished",
        None,
        ["validation_loss"],
    )
    assert "infinite" in lm_lab("evaluate", "one").out
    assert lm_lab("evaluate", "one", "--json").json["infinite"] == ["loss"]


def test_a_diverged_training_prints_its_figures_and_what_to_try(train):
    rates = ("training.optimizer.name=sgd", "training.optimizer.learning_rate=100", "training.clip=0")
    ended = train("--json", *[part for rate in rates for part in ("--set", rate)], steps=50)
    assert ended.code == 1
    assert ended.json.keys() >= PROMISED
    assert ended.json["state"] == "failed"
    assert ended.json["problem"]["field"] == "training.optimizer.learning_rate"
    assert " is nan at step " in ended.problem
    assert "Try a third of the learning rate" in ended.problem


def test_a_diverged_training_saves_its_model(train, lm_lab):
    train("--set", "training.optimizer.name=sgd", "--set", "training.optimizer.learning_rate=100",
          "--set", "training.clip=0", steps=50)  # fmt: skip
    assert lm_lab("evaluate", "run", "--json").code == 0


def test_for_people_it_prints_losses_floors_a_sample_and_where_the_run_is(train):
    out = train().out
    for word in ("train loss", "validation loss", "nats per token", "bits per byte", "floors", "unigram", "sample"):
        assert word in out
    assert str(Path("run").absolute()) in out


def test_the_same_seed_gives_the_same_losses(train):
    first, second = (train("--seed", 3, "--json", out=None).json for _ in range(2))
    assert first["validation_loss"] == second["validation_loss"]
    assert first["run"] != second["run"]


def test_without_a_folder_the_run_lies_among_the_labs_runs(train, lab_home):
    assert Path(train("--json", out=None).json["run"]).parent == lab_home / "runs"


def test_an_empty_folder_may_be_given(train):
    Path("here").mkdir()
    assert train(out="here").code == 0


def test_a_home_folder_in_out_is_found_without_a_shell(train, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    assert train(out="~/runs/first").code == 0
    assert (tmp_path / "me" / "runs" / "first" / "run.json").is_file()


def test_presets_set_architecture_and_training(recipe_of):
    recipe = recipe_of("--preset", "nanogpt-cpu")
    assert recipe.architecture.settings["width"] == 128
    assert (recipe.training.steps, recipe.training.batch_size) == (2000, 12)


def test_a_preset_overrides_the_file_and_set_overrides_the_preset(recipe_of, plugin):
    plugin("mine", A_PRESET)
    Path("r.toml").write_text(
        '[architecture]\nname = "mine"\nwidth = 2\ndepth = 3\n[training]\nsteps = 1\nbatch_size = 2\nclip = 0.5\n'
    )
    recipe = recipe_of("r.toml", "--enable", "mine", "--preset", "five", "--set", "training.batch_size=9")
    assert recipe.architecture.settings == {"width": 5, "depth": 3}
    assert (recipe.training.steps, recipe.training.batch_size, recipe.training.clip) == (7, 9, 0.5)


def test_a_short_option_wins_over_the_preset_and_set_over_both(recipe_of, plugin):
    plugin("mine", A_PRESET)
    options = ("--enable", "mine", "--architecture", "mine", "--preset", "five")
    assert recipe_of(*options, "--steps", 3).training.steps == 3
    assert recipe_of(*options, "--steps", 3, "--set", "training.steps=4").training.steps == 4


def test_another_architecture_drops_the_files_settings_of_the_old_one(recipe_of):
    Path("r.toml").write_text('[architecture]\nname = "transformer"\nheads = 2\n')
    assert recipe_of("r.toml", "--architecture", "n-gram").architecture.settings == {}
    assert recipe_of("r.toml", "--architecture", "transformer").architecture.settings == {"heads": 2}


def test_the_last_of_several_assignments_wins(recipe_of):
    assert recipe_of("--set", "training.steps=1", "--set", "training.steps=2").training.steps == 2


def test_a_corpus_of_the_lab_is_named_and_a_file_is_found(recipe_of, text):
    assert recipe_of("--corpus", "python-manual").corpus.name == "python-manual"
    assert recipe_of("--corpus", "animals.txt").corpus.settings == {"path": "animals.txt"}


def test_a_recipe_travels_with_its_text(lm_lab, text, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    text.rename(folder / "story.txt")
    recipe = {"corpus": {"name": "file", "path": "story.txt"}, "architecture": {"name": "n-gram"},
              "training": {"context_length": 8}}  # fmt: skip
    (folder / "recipe.toml").write_text(Recipe().with_values(recipe).to_toml())
    assert lm_lab("train", "elsewhere/recipe.toml", "--out", "run").code == 0


def test_the_run_keeps_every_setting_even_the_defaults(train, run):
    stored = tomllib.loads((run / "recipe.toml").read_text())
    assert stored["architecture"]["dropout"] == 0.0
    assert stored["training"]["optimizer"]["beta2"] == 0.99
    assert stored["format"] == 1


def test_a_runs_recipe_trains_the_same_model_again(run, lm_lab, text):
    again = lm_lab("train", run / "recipe.toml", "--corpus", text, "--out", "again", "--json")
    assert again.json["validation_loss"] == json.loads((run / "status.json").read_text())["summary"]["validation_loss"]


def test_the_command_is_stored_without_the_folders_it_named(train, text, tmp_path):
    train()
    command = json.loads(Path("run/run.json").read_text())["command"]
    assert command.startswith("lm-lab train --corpus")
    assert "animals.txt" in command
    assert str(tmp_path) not in command


def test_the_recipe_of_a_run_finds_its_corpus_from_any_folder(train, lm_lab, tmp_path, monkeypatch):
    assert train().code == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    again = lm_lab("train", tmp_path / "run" / "recipe.toml", "--json")
    assert again.code == 0, again.err
    assert again.json["validation_loss"] == lm_lab("evaluate", tmp_path / "run", "--json").json["loss"]


def test_a_dry_run_prints_what_a_training_would_cost_and_hints_and_trains_nothing(train, monkeypatch):
    monkeypatch.setattr("lab.training.finders.durations.SECONDS", 0.05)
    ended = train("--dry-run", "--json", steps=500)
    assert ended.code == 0, ended.err
    found = ended.json
    assert not Path("run").exists()
    assert found["steps"] == 500
    assert found["seconds"] == pytest.approx(500 * found["step"]["seconds"])
    (hint,) = [hint for hint in found["hints"] if hint["kind"] == "overfits"]
    assert hint["field"] == "architecture.dropout"
    shown = train("--dry-run", steps=500).out
    assert f"hint: {hint['what']}: {hint['why']}. {hint['remedy']}" in shown
    counted = train("--dry-run", "--json", "--architecture", "n-gram", architecture=()).json
    assert (counted["step"], counted["hints"]) == (None, [])
