"""`lm-lab sizes` lists what presets can be scaled to, and `lm-lab train --size` takes one of them."""

import pytest

A_CARD = """
    from lab.api import Architecture, ModelConfig, Size, Task, hookimpl, setting
    from torch import nn

    class Config(ModelConfig):
        width: int = setting(4, ge=1, help="Channels.")
        depth: int = setting(1, ge=1, help="Blocks.")

    def build(config, task):
        return nn.Embedding(task.vocabulary_size, config.width)

    @hookimpl
    def lab_register_architectures(register):
        register(
            Architecture(
                "mine", "Mine", "own", "Own.", config=Config, build=build,
                presets={"five": {"architecture": {"width": 5, "depth": 7}}},
                sizes={
                    "five": [
                        Size("small", {"width": 3}),
                        Size("large", {"width": 9}, 1000, 32, 10e3, "Me 2020, p. 1"),
                    ],
                },
            )
        )
"""


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Print tables whole: processes of pytest-xdist say how wide its terminal is."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def mine(plugin):
    """A card with two sizes, that is enabled by these options."""
    plugin("mine", A_CARD)
    return ("--enable", "mine")


def test_the_table_has_counts_beside_the_papers_with_their_source(lm_lab):
    ended = lm_lab("sizes", "transformer", "--preset", "palm")
    assert ended.code == 0, ended.err
    titles, *rows, note = ended.out.splitlines()
    assert titles.split()[:6] == ["architecture", "preset", "size", "layers", "width", "heads"]
    assert rows[-1].split()[:11] == [
        "transformer", "palm", "540B", "118", "18,432", "48", "256,000", "2,048", "540,356,474,880", "540.35B", "+0.0%",
    ]  # fmt: skip
    assert rows[-1].endswith("Chowdhery et al. 2022, table 1")
    assert "scaled by the lab" in note


@pytest.mark.long
def test_the_sentence_about_a_preset_follows_its_sizes(lm_lab):
    ended = lm_lab("sizes", "transformer", "--preset", "nanogpt-cpu")
    assert ended.out.splitlines()[-1].startswith(
        "nanogpt-cpu: On Tiny Shakespeare it ends at 1.8993 nats: below 1.90 by"
    )
    assert lm_lab("sizes", "transformer", "--preset", "palm", "--json").json["notes"] == {}


def test_without_an_architecture_every_preset_with_sizes_is_listed(lm_lab, mine, monkeypatch):
    counted = []
    monkeypatch.setattr("lab.cli.commands.sizes._counted", lambda card, preset, size: counted.append(preset) or {})
    assert lm_lab("sizes", *mine, "--json").code == 0
    assert {"five", "gpt-2", "vaswani-2017", "nanogpt-gpu"} <= set(counted)


def test_json_has_the_settings_of_each_size(lm_lab, mine):
    small, large = lm_lab("sizes", "mine", *mine, "--json").json["sizes"]
    assert (small["preset"], small["size"], small["settings"]) == ("five", "small", {"width": 3})
    assert (small["parameters"], small["published"], small["source"]) == (256 * 3, None, "")
    assert (large["vocabulary"], large["context"], large["parameters"]) == (1000, 32, 9000)
    assert large["published"] == 10_000


def test_a_size_that_differs_from_its_publication_is_printed_with_the_difference(lm_lab, mine):
    rows = lm_lab("sizes", "mine", *mine).out.splitlines()
    assert rows[2].split()[-6:] == ["0.01M", "-10.0%", "Me", "2020,", "p.", "1"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("n-gram",), ("ARCHITECTURE", "n-gram", "transformer")),
        (("perceptron",), ("ARCHITECTURE", "perceptron")),
        (("--preset", "gpt-9"), ("--preset", "gpt-9", "llama-2")),
    ],
)
def test_what_has_no_sizes_is_refused_with_what_has(lm_lab, arguments, words):
    ended = lm_lab("sizes", *arguments)
    assert ended.code == 2
    assert all(word in ended.err for word in words)


def test_a_run_takes_the_size_of_its_preset_and_keeps_the_rest_of_it(recipe_of, mine):
    recipe = recipe_of("--architecture", "mine", *mine, "--preset", "five", "--size", "large")
    assert recipe.architecture.settings == {"width": 9, "depth": 7}


def test_single_settings_win_over_the_size(recipe_of):
    recipe = recipe_of("--preset", "llama", "--size", "7B", "--set", "architecture.layers=2")
    settings = recipe.architecture.settings
    assert (settings["layers"], settings["width"], settings["hidden"], settings["norm"]) == (2, 4096, 11008, "rms")


def test_an_unknown_size_is_refused_with_the_sizes_there_are(lm_lab):
    ended = lm_lab("train", "--preset", "palm", "--size", "9B")
    assert ended.code == 2
    assert "--size = 9B" in ended.err
    assert "width 64, width 128, width 192, width 256, width 384, width 512, 8B, 62B, 540B" in ended.err


def test_a_size_without_its_preset_is_refused(lm_lab):
    ended = lm_lab("train", "--size", "7B")
    assert ended.code == 2
    assert "preset" in ended.err
