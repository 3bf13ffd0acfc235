"""Commands of plugins: listed with the built-in ones, refused where two have one name, and blamed where they raise."""

import pytest

MINE = """
    from lab.api import Command, hookimpl

    def add_arguments(parser):
        parser.add_argument("words", nargs="*")
        parser.add_argument("--status", type=int, default=0)
        parser.add_argument("--command", default="train")

    def run(arguments, context):
        context.show_progress("thinking")
        context.print(" ".join(arguments.words))
        if arguments.words == ["rain"]:
            raise RuntimeError("it rained")
        if arguments.words == ["leave"]:
            raise SystemExit(3)
        if context.json:
            context.print_json({"worst": 1e999, "all": [1.5, 1e999 - 1e999], "kinds": len(context.cards("probes"))})
        return arguments.status or None

    @hookimpl
    def lab_register_commands(register):
        register(Command("shout", "prints words", run, add_arguments))
"""
NAMED = """
    from lab.api import Command, hookimpl

    @hookimpl
    def lab_register_commands(register):
        register(Command("{name}", "another", lambda arguments, context: context.print("another")))
"""


@pytest.fixture
def mine(plugin):
    plugin("mine", MINE)


@pytest.mark.parametrize("words", [("--enable", "mine", "shout", "a", "b"), ("shout", "a", "b", "--enable", "mine")])
def test_a_command_runs_with_its_options_and_those_of_all_commands(mine, lm_lab, words):
    ended = lm_lab(*words)
    assert (ended.code, ended.out) == (0, "a b\n")


def test_its_status_is_that_of_the_process(mine, lm_lab):
    assert lm_lab("shout", "--status", "4", "--enable", "mine").code == 4


def test_what_json_cannot_write_becomes_null(mine, lm_lab):
    found = lm_lab("shout", "--json", "--enable", "mine").json
    assert (found["worst"], found["all"]) == (None, [1.5, None])
    assert found["kinds"] > 3


def test_help_lists_it_with_the_built_in_ones(mine, lm_lab, capsys):
    with pytest.raises(SystemExit):
        lm_lab("--help", "--enable", "mine")
    out = capsys.readouterr().out
    assert "prints words" in out
    assert "train a model" in out
    assert "ARPA" in out


@pytest.mark.parametrize(("word", "error"), [("rain", "RuntimeError: it rained"), ("leave", "SystemExit: 3")])
def test_one_that_raises_is_blamed_in_one_line(mine, lm_lab, word, error):
    ended = lm_lab("shout", word, "--enable", "mine")
    assert ended.code == 1
    assert f"plugin mine: lm-lab shout failed: {error}" in ended.err.splitlines()[-1]


@pytest.mark.parametrize("fault", ["sys.exit(3)", "random.seed(3)"])
def test_options_that_exit_or_change_what_all_share_the_second_time_are_the_plugins(plugin, lm_lab, fault):
    asked = "times.append(parser) or len(times) == 1 or "  # the first time, the card is checked
    source = MINE.replace('parser.add_argument("words"', f'{asked}{fault}\n        parser.add_argument("words"')
    plugin("mine", source.replace("from lab.api", "import random, sys\n    times = []\n    from lab.api", 1))
    ended = lm_lab("shout", "a", "--enable", "mine")
    assert "plugin mine: " in ended.err
    assert (ended.code == 0) == (fault != "sys.exit(3)")


def test_one_of_a_plugin_that_is_off_is_unknown_and_the_plugin_named(mine, lm_lab):
    ended = lm_lab("shout")
    assert ended.code == 2
    assert "invalid choice: 'shout'" in ended.problem
    assert "mine: off" in ended.problem


def test_a_command_of_the_lab_cannot_be_replaced(plugin, lm_lab):
    plugin("mine", NAMED.format(name="sizes"))
    ended = lm_lab("plugins", "--enable", "mine")
    assert "sizes is a command of the lab itself" in ended.err
    assert "the plugin mine registers it too" in ended.err
    assert "another" not in lm_lab("sizes", "transformer", "--preset", "gpt-2", "--enable", "mine").out


def test_of_two_plugins_with_one_command_the_first_has_it_and_both_are_named(plugin, lm_lab):
    plugin("first", NAMED.format(name="shout"))
    plugin("second", NAMED.format(name="shout").replace("another", "the second"))
    ended = lm_lab("shout", "--enable", "first", "--enable", "second")
    assert "the plugins first and second both register the command shout" in ended.err
    assert ended.out == "another\n"


def test_options_that_raise_cost_the_plugin_its_cards_and_nobody_else_anything(plugin, lm_lab):
    plugin("mine", MINE.replace('"--status", type=int, default=0', "1 / 0"))
    ended = lm_lab("plugins", "--enable", "mine", "--json")
    assert "ZeroDivisionError" in ended.err
    assert ended.json["plugins"][-1]["state"] == "failed"
    assert lm_lab("sizes", "transformer", "--preset", "gpt-2", "--enable", "mine").code == 0


def test_a_file_with_the_name_of_a_plugins_command_is_no_file_to_open(mine, lm_lab, tmp_path):
    (tmp_path / "shout").mkdir()
    assert lm_lab("shout", "a", "--enable", "mine").out == "a\n"
    assert lm_lab("arpa").code == 2
