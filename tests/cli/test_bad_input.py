"""Unusable input: status 2, one line, with the field, what is allowed and what to do next."""

import errno
from pathlib import Path

import pytest

from lab.cli.main import main


def assert_refused(ended, *words):
    """Check that a command refused its input in one line that holds these words."""
    assert ended.code == 2, ended
    assert ended.out == ""
    for word in words:
        assert word in ended.problem


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", ("is empty", "Give some text")),
        (b" \n\t " * 100, ("holds nothing but white space",)),
        (bytes(range(256)) * 20, ("is binary", "UTF-8")),
        (b"short", ("training.context_length = 8", "at most", "choose a longer text")),
        (b"ab", ("is too short", "at least 2 tokens")),
    ],
)
def test_a_corpus_that_cannot_be_learned_is_refused(train, text, content, words):
    text.write_bytes(content)
    assert_refused(train(), *words)
    assert not Path("run").exists()


def test_a_missing_corpus_is_reported_with_the_current_folder(lm_lab, tmp_path):
    assert_refused(lm_lab("train", "--corpus", "no/such.txt"), "no such file or folder", str(tmp_path))


def test_a_word_that_is_no_corpus_is_refused_with_those_there_are(lm_lab):
    assert_refused(lm_lab("train", "--corpus", "shakespeare"), "even-pairs, file, grammar")


@pytest.mark.parametrize("path", ["a" * 5000, "b" * 300 + ".txt", "nul\0.txt", "~nobody-of-this-name/x"])
def test_a_corpus_whose_path_can_be_no_path_is_refused(lm_lab, path):
    assert lm_lab("train", "--corpus", path).code == 2


def test_a_folder_without_text_is_refused(lm_lab, tmp_path):
    (tmp_path / "empty").mkdir()
    assert_refused(lm_lab("train", "--corpus", "empty"), "holds no file of text")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--architecture", "transfromer"), ("architecture.name", "retnet, rnn", "Did you mean transformer?")),
        (("--preset", "gpt-5"), ("--preset = gpt-5", "nanogpt-cpu")),
        (("--tokenizer", "words"), ("tokenizer.name = words", "byte, character")),
        (("--device", "cuda:9"), ("training.device = cuda:9", "auto, cpu")),
        (("--device", "tpu"), ("training.device = tpu",)),
        (("--steps", "-1"), ("training.steps = -1", "0 ≤ x ≤ 1000000000")),
        (("--steps", "many"), ("training.steps = 'many'", "whole number")),
        (("--steps", "1.5"), ("training.steps = 1.5", "whole number")),
        (("--steps", "1" * 30), ("training.steps", "0 ≤ x ≤ 1000000000")),
        (("--seed", "-1"), ("training.seed = -1", "0 ≤ x")),
        (("--set", "training.stepz=5"), ("training.stepz", "Did you mean steps?")),
        (("--set", "trainign.steps=5"), ("trainign", "Did you mean training?")),
        (("--set", "training"), ("--set = training", "PATH=VALUE")),
        (("--set", "training..steps=1"), ("--set", "PATH=VALUE")),
        (("--set", "=1"), ("--set", "PATH=VALUE")),
        (("--set", "training=5"), ("training = 5", "table of settings")),
        (("--set", "training.clip=inf"), ("training.clip = inf",)),
        (("--set", "training.order=random"), ("training.order = 'random'", "one of crops, epochs")),
        (("--set", "architecture.widht=16"), ("architecture.widht", "Did you mean width?")),
        (("--set", "architecture.width=0"), ("architecture.width = 0", "1 ≤ x ≤ 65536")),
        (("--set", "architecture.width=17"), ("width 17 is not a multiple of heads 2",)),
        (("--set", "architecture.dropout=1"), ("architecture.dropout = 1", "0 ≤ x < 1")),
        (("--set", "objective.name=guess"), ("objective.name = guess", "causal")),
        (("--set", "objective.name=classification"), ("objective.name = classification", "causal, masked")),
        (
            ("--set", "objective.name=carried"),
            ("objective.name = carried", "Allowed: an objective without carried state"),
        ),
        (("--set", "training.optimizer.name=newton"), ("training.optimizer.name = newton", "adam, adamw, lamb")),
        (("--set", "training.optimizer.learning_rate=1e6"), ("learning_rate = 1000000.0", "0 < x ≤ 10")),
        (("--set", "training.schedule.name=vertical"), ("training.schedule.name = vertical", "constant, cosine")),
        (("--set", "readings.probes=['x']"), ("readings.probes = x", "reports, rollout")),
        (("--enable", "nobody"), ("--enable = nobody", "no such plugin")),
        (("--bogus",), ("unrecognized arguments: --bogus", "--help")),
        (("--steps",), ("expected one argument",)),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_what_can(train, options, words):
    assert_refused(train(*options), *words)


def test_what_is_refused_leaves_no_folder_behind(train):
    train("--set", "objective.name=carried")  # known only once the model is built
    assert not Path("run").exists()


@pytest.mark.parametrize("option", ["--corpus", "--architecture", "--preset", "--tokenizer", "--steps", "--device",
                                    "--seed", "--out"])  # fmt: skip
def test_an_empty_option_is_a_slip_and_no_default(lm_lab, option):
    assert_refused(lm_lab("train", option, ""), f"{option}: is empty")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *[("evaluate", option) for option in ("--text", "--protocol", "--device")],
        *[("generate", option) for option in ("--temperature", "--top-k", "--top-p", "--sampler", "--device")],
    ],
)
def test_an_empty_option_is_a_slip_for_a_finished_run_too(lm_lab, run, command, option):
    prompt = ("--prompt", "the ") if command == "generate" else ()
    assert_refused(lm_lab(command, run, *prompt, option, ""), f"{option}: is empty")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("evaluate", "--device", "tpu"), "--device = tpu: this machine has no such device"),
        (("generate", "--prompt", "the ", "--device", "tpu"), "--device = tpu: this machine has no such device"),
        (("evaluate", "--text", "nofile"), "--text = nofile"),
    ],
)
def test_a_refusal_names_the_option_and_no_setting(lm_lab, run, command, words):
    assert_refused(lm_lab(command[0], run, *command[1:]), words)


@pytest.mark.parametrize("command", [("train", "--step", "5"), ("plugins", "--safe")])
def test_options_are_not_abbreviated(lm_lab, command):
    assert_refused(lm_lab(*command), f"unrecognized arguments: {command[1]}")


def test_an_unknown_command_is_refused_with_those_there_are(lm_lab):
    commands = ("train", "resume", "branch", "runs", "evaluate", "generate", "probe", "corpus", "tokenize", "plugins")
    assert_refused(lm_lab("trian"), *map(repr, commands), "'download', 'doctor', 'bench', 'arpa'")


def test_a_refusal_is_json_too_where_that_is_asked_for(train):
    ended = train("--steps", "-1", "--json")
    assert ended.code == 2
    assert ended.json["problem"]["field"] == "training.steps"
    assert "-1" in ended.problem


def test_a_refusal_is_json_also_where_the_options_cannot_be_read(lm_lab):
    assert "--bogus" in lm_lab("train", "--json", "--bogus").json["problem"]["what"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("steps = ", ("is not TOML", "recipe = r.toml")),
        ("format = 99", ("format = 99", "newer format", "Update the lab")),
        ("format = 0", ("format = 0", "Allowed: 1 to 1")),
        ("format = 'x'", ("format = 'x'",)),
        ("[training]\nsteps = 'many'", ("training.steps = 'many'",)),
        ("[trainning]\nsteps = 1", ("trainning", "Did you mean training?")),
        ("training = 3", ("training = 3",)),
        ("[architecture]\nwidth = 3", ("architecture.name", "is missing")),
        ("[architecture]\nname = ''", ("architecture.name = ''",)),
        ("[architecture]\nname = 'transformer'\nversion = 9", ("architecture.version", "newer version (9")),
    ],
)
def test_a_recipe_that_cannot_be_read_is_refused(lm_lab, text, content, words):
    Path("r.toml").write_text(content)
    assert_refused(lm_lab("train", "r.toml", "--corpus", text), *words)


def test_a_recipe_that_is_not_there_is_refused(lm_lab):
    assert_refused(lm_lab("train", "nowhere.toml"), "nowhere.toml", "no such recipe file")


@pytest.mark.parametrize("recipe", [b"\xff\xfe\x00", None])
def test_a_recipe_that_is_no_text_file_is_refused(lm_lab, recipe):
    Path("r.toml").write_bytes(recipe) if recipe else Path("r.toml").mkdir()
    assert lm_lab("train", "r.toml").code == 2


def test_a_folder_that_holds_something_is_left_alone(train):
    Path("full").mkdir()
    Path("full/letter.txt").write_text("dear")
    assert_refused(train(out="full"), "out = full", "a new or empty folder")
    assert [path.name for path in Path("full").iterdir()] == ["letter.txt"]


def test_a_file_is_no_folder(train, text):
    assert_refused(train(out="animals.txt"), "out = animals.txt", "Choose another folder")
    assert_refused(train(out="animals.txt/run"), "animals.txt/run", "A part of the path is a file")


def test_a_folder_that_may_not_be_written_to_is_named_with_a_remedy(train, monkeypatch):
    mkdir = Path.mkdir

    def refuse(self, *arguments, **options):
        if self.name == "mine":
            raise PermissionError(errno.EACCES, "Permission denied", str(self))
        mkdir(self, *arguments, **options)

    monkeypatch.setattr(Path, "mkdir", refuse)
    assert_refused(train(out="mine"), "out = mine", "Permission denied", "Choose a folder you may write to")


def test_a_home_that_may_not_be_written_to_is_named_with_a_remedy(train, monkeypatch):
    monkeypatch.setenv("LAB_HOME", "/proc/lab")
    ended = train(out=None)
    assert ended.code == 2
    assert "/proc/lab/runs" in ended.err.splitlines()[-1]
    assert "LAB_HOME" in ended.err.splitlines()[-1]


def test_a_model_that_does_not_fit_into_memory_is_refused_before_it_is_built(train):
    ended = train("--set", "architecture.width=65536", "--set", "architecture.layers=40")
    assert_refused(ended, "architecture: a model of 2.1 T parameters does not fit into memory", "Make it smaller")
    assert not Path("run").exists()


def test_a_batch_that_no_memory_holds_says_how_to_make_it_smaller(train, monkeypatch):
    def no_memory(*_, **__):
        raise MemoryError

    monkeypatch.setattr("lab.training.objectives.Causal.batch", no_memory)
    ended = train("--json")
    assert ended.code == 1
    assert "out of memory at step 1" in ended.err
    assert "Set training.accumulation=2" in ended.err
    assert ended.json["problem"]["field"] == "training.accumulation"


def test_a_fault_of_the_lab_itself_is_one_line_too(lm_lab, monkeypatch):
    def fault(**_):
        raise ZeroDivisionError("of ours")

    monkeypatch.setattr("lab.cli.main.Plugins.from_environment", fault)
    ended = lm_lab("plugins")
    assert ended.code == 1
    assert "ZeroDivisionError: of ours" in ended.problem


def test_lab_trace_shows_where_a_fault_comes_from_and_is_offered_by_its_line(monkeypatch, capsys):
    monkeypatch.setattr("lab.cli.main.Plugins.from_environment", lambda **_: 1 / 0)
    monkeypatch.delenv("LAB_TRACE", raising=False)
    assert main(["plugins"]) == 1
    assert capsys.readouterr().err.endswith("division by zero. LAB_TRACE=1 prints the traceback.\n")
    monkeypatch.setenv("LAB_TRACE", "1")
    assert main(["plugins"]) == 1
    assert "division by zero.\nTraceback" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("bench", "throughput", "--pairs", "-1"), "--pairs = -1"),
        (("bench", "memory", "--runs", "0"), "--runs = 0"),
        (("download", "--proxy", "http://a:99999"), "http://a:99999"),
        (("download", "--proxy", "http://a:0"), "http://a:0"),
        (("arpa", "count", "animals.txt", "out.arpa", "--order", "-3"), "--order = -3"),
        (("arpa", "count", "empty.txt", "out.arpa"), "empty.txt"),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_its_option(lm_lab, text, words, named):
    Path("empty.txt").touch()
    assert_refused(lm_lab(*words), named)
    assert not Path("out.arpa").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--set", "adapter.name=lora"), ("adapter.name = lora", "--from RUN")),
        (("--set", "adapter.name=lorra"), ("adapter.name = lorra", "lora, none, prefix")),
        (("--set", "adapter.name=lora", "--set", "adapter.rank=0"), ("adapter.rank = 0", "1 ≤ x")),
        (("--set", "adapter.name=lora", "--set", "adapter.rank=1000000000"), ("adapter.rank = 1000000000",)),
        (("--set", "adapter.name=lora", "--set", "adapter.alpha=nan"), ("adapter.alpha = nan",)),
        (("--set", "distillation.teacher=nobody"), ("distillation.teacher = nobody", "leave the teacher out")),
        (("--set", "distillation.temperature=0"), ("distillation.temperature = 0",)),
        (("--set", "distillation.weight=nan"), ("distillation.weight = nan",)),
        (("--from", "nobody"), ("there are no runs",)),
    ],
)
def test_an_adapter_or_a_teacher_that_cannot_be_is_refused(train, options, words):
    assert_refused(train(*options), *words)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("rate", "--lowest", "nan"), ("--lowest = nan",)),
        (("rate", "--highest", "1e10"), ("--highest",)),
        (("rate", "--trial", "3"), ("--trial = 3", "20 to 10,000")),
        (("noise", "--trial", "-1"), ("--trial = -1",)),
        (("width", "--widths", "a,b"), ("--widths = a,b", "numbers with commas")),
        (("width", "--widths", "64"), ("--widths", "two widths")),
        (("width", "--widths", "1,64"), ("--widths = 1",)),
        (("rate", "--architecture", "n-gram"), ("architecture.name = n-gram", "counts")),
    ],
)
def test_what_cannot_be_tried_is_refused(lm_lab, options, words):
    assert_refused(lm_lab("find", *options), *words)
