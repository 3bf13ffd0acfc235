"""A plugin that misbehaves is listed with its problem; everything else continues."""

import json
import threading
import time
from types import SimpleNamespace

import pytest
import torch

from lab.api import API_VERSION, HOOKS, OLDEST_API_VERSION, BadInput
from lab.host import Plugins

GOOD = """
from lab.api import Schedule, hookimpl

@hookimpl
def lab_register_schedules(register):
    register(Schedule(name="flat", title="Flat", build=print))
"""

WAITING = """
import pathlib, time
with open({log!r}, "a") as file:
    file.write("x")
deadline = time.monotonic() + 30
while not pathlib.Path({go!r}).exists() and time.monotonic() < deadline:
    time.sleep(0.01)
"""
SECONDS = 30
"""Time in which another thread must have begun."""

MIXERS = """
from lab.api import Mixer, NoSettings, hookimpl

@hookimpl
def lab_register_mixers(register):
    for name in ("whole", "part"):
        register(Mixer(name, "A mixer", "token", NoSettings, print, alone=name == "whole"))
"""


def until(true):
    """Wait until something is true."""
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not come true in time"
        time.sleep(0.005)


def test_a_plugin_is_listed_with_its_title_and_its_cards(loaded, write, info):
    write("average")
    plugins = Plugins(enable=["average"], built_ins=()).load()
    listed = info(plugins, "average")
    assert listed.title == "A decaying average of the past."
    assert listed.cards == {"architectures": ("average",), "mixers": ("average",)}
    assert json.loads(json.dumps(listed.as_dict()))["cards"] == {"architectures": ["average"], "mixers": ["average"]}


BROKEN_IMPORTS = {
    "1 / 0": "ZeroDivisionError",
    "def (": "SyntaxError",
    "import sys; sys.exit(3)": "SystemExit",
    "raise GeneratorExit": "GeneratorExit",
    "import a_module_of_nobody": "a_module_of_nobody",
    "class E(Exception):\n    def __str__(self): raise E\nraise E": "E",
}


@pytest.mark.parametrize("code", BROKEN_IMPORTS)
def test_a_plugin_that_fails_to_import_is_listed_with_its_trace_and_the_others_run(code, loaded, info, reported):
    plugins = loaded(broken=code, good=GOOD)
    listed = info(plugins, "broken")
    assert (listed.state, info(plugins, "good").state) == ("failed", "on")
    (problem,) = listed.problems
    assert problem.what.startswith("its import failed")
    assert BROKEN_IMPORTS[code] in problem.what
    assert problem.plugin == "broken"
    assert "broken.py" in problem.trace
    assert "lm-lab plugins disable broken" in problem.remedy
    assert problem in reported


def test_ctrl_c_is_nobodys_failure(write, info):
    write("broken", "import signal; signal.raise_signal(signal.SIGINT)")
    plugins = Plugins(enable=["broken"], built_ins=())
    with pytest.raises(KeyboardInterrupt):
        plugins.load()
    assert info(plugins, "broken").state == "waiting"


@pytest.mark.parametrize("kind", HOOKS)
def test_a_plugin_that_raises_in_a_hook_is_quarantined_with_all_its_cards(kind, loaded, info):
    other = "schedules" if kind != "schedules" else "filters"
    card = HOOKS[other].__name__
    code = f"""
    from lab.api import {card}, hookimpl

    @hookimpl
    def lab_register_{other}(register):
        register({card}(name="mine", title="Mine", build=print))

    @hookimpl
    def lab_register_{kind}(register):
        raise SystemExit("no more")
    """
    plugins = loaded(broken=code, good=GOOD)
    listed = info(plugins, "broken")
    assert (listed.state, listed.cards) == ("failed", {})
    assert listed.problems[0].what.startswith(f"lab_register_{kind} failed: SystemExit: no more (broken.py, line ")
    assert "broken.py" in listed.problems[0].trace
    assert "mine" not in plugins.cards(other)
    assert "flat" in plugins.cards("schedules")


@pytest.mark.parametrize(("version", "remedy"), [(API_VERSION + 1, "Update the lab"), (0, "Update the plugin")])
def test_another_api_version_is_a_clear_message_without_a_traceback(version, remedy, loaded, info):
    (problem,) = info(loaded(other=f"LAB_API_VERSION = {version}" + GOOD), "other").problems
    assert (problem.field, problem.allowed, problem.remedy) == ("LAB_API_VERSION", "1 to 2", remedy)
    assert str(version) in problem.what
    assert problem.trace is None


@pytest.mark.parametrize("version", range(OLDEST_API_VERSION, API_VERSION + 1))
def test_a_plugin_that_names_a_version_which_the_lab_knows_runs(version, loaded, info):
    assert info(loaded(good=f"LAB_API_VERSION = {version}" + GOOD), "good").state == "on"


SAMPLER = """
from lab.api import Sampler, hookimpl

@hookimpl
def lab_register_samplers(register):
    register(Sampler("halved", "Halved", lambda config: lambda logits: logits / 2))
"""


@pytest.mark.parametrize("version", ["", "LAB_API_VERSION = 1"])
def test_a_sampler_of_version_1_is_a_filter_that_sees_no_history(version, loaded, info):
    plugins = loaded(old=version + SAMPLER)
    assert info(plugins, "old").state == "on"
    assert plugins.owner("filters", "halved") == "old"
    card = plugins.card("filters", "halved")
    assert card.make(card.config())(torch.ones(1, 3), [[1, 2]]).tolist() == [[0.5] * 3]


def test_a_sampler_in_a_plugin_of_version_2_is_answered_with_what_to_write(loaded, info):
    listed = info(loaded(new="LAB_API_VERSION = 2" + SAMPLER), "new")
    assert listed.state == "failed"
    (problem,) = listed.problems
    assert problem.field == "samplers.halved"
    assert "lab_register_filters" in problem.remedy


def test_a_sampler_with_the_name_of_a_built_in_filter_is_answered_with_what_to_rename(write, info):
    write("old", SAMPLER.replace("halved", "min-p"))
    plugins = Plugins(enable=["old"])
    listed = info(plugins.load(), "old")
    assert listed.state == "on"
    (problem,) = listed.problems
    assert problem.field == "filters.min-p"
    assert problem.remedy.startswith("Rename one of them")
    assert plugins.owner("filters", "min-p") == "lab.decoding.builtins"


def test_an_unknown_hook_is_answered_with_the_nearest_one(loaded, info):
    (problem,) = info(loaded(broken=GOOD.replace("_schedules", "_schedule")), "broken").problems
    assert (problem.field, problem.remedy) == ("lab_register_schedule", "Did you mean lab_register_schedules?")
    assert "lab_register_mixers" in problem.allowed


def test_a_hook_with_another_argument_is_answered_with_the_right_form(loaded, info):
    (problem,) = info(loaded(broken=GOOD.replace("register)", "take)", 1)), "broken").problems
    assert "lab_register_schedules" in problem.what
    assert "take" in problem.what
    assert "(register)" in problem.remedy


def test_a_hook_without_its_mark_is_not_overlooked(loaded, info):
    (problem,) = info(loaded(broken=GOOD.replace("@hookimpl", "")), "broken").problems
    assert problem.field == "lab_register_schedules"
    assert "@hookimpl" in problem.remedy


def test_a_plugin_that_registers_nothing_runs_and_is_asked_why(loaded, info, reported):
    listed = info(loaded(silent="X = 1", good=GOOD), "silent")
    assert listed.state == "on"
    (problem,) = listed.problems
    assert problem.what == "registers no card; is @hookimpl missing?"
    assert reported == [problem]


def test_a_plugin_whose_code_raised_later_is_quarantined(loaded, info):
    plugins = loaded(average="", good=GOOD)
    problem = plugins.report_failure("good", ValueError("in the run"))
    assert (problem.plugin, problem.what) == ("good", "ValueError: in the run")
    assert info(plugins, "good").state == "failed"
    assert info(plugins, "good").problems == (problem,)
    assert not plugins.cards("schedules")


def test_a_plugin_that_was_repaired_can_be_enabled_again_in_the_same_process(loaded, write, info):
    plugins = loaded(plugin="1 / 0")
    write("plugin", GOOD)
    plugins.enable("plugin")
    assert "flat" in plugins.cards("schedules")
    assert not info(plugins, "plugin").problems


@pytest.fixture
def slow(write, tmp_path):
    """A plugin that notes each import of it, and waits in it for `go`."""
    slow = SimpleNamespace(log=tmp_path / "log", go=tmp_path / "go")
    write("slow", WAITING.format(log=str(slow.log), go=str(slow.go)) + GOOD)
    yield slow
    slow.go.touch()


def test_each_plugin_is_loaded_once_however_many_threads_ask(slow):
    plugins = Plugins(enable=["slow"], built_ins=())
    asking, seen = threading.Barrier(5, timeout=SECONDS), []

    def ask():
        asking.wait()
        seen.append(list(plugins.cards("schedules")))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    asking.wait()  # no thread is through before `go`, and all have begun
    until(slow.log.exists)
    slow.go.touch()
    for thread in threads:
        thread.join()
    assert seen == [["flat"]] * 4
    assert slow.log.read_text() == "x"


def test_the_list_answers_while_another_thread_loads(slow, info):
    plugins = Plugins(enable=["slow"], built_ins=())
    thread = threading.Thread(target=plugins.load)
    thread.start()
    until(slow.log.exists)
    state = info(plugins, "slow").state
    slow.go.touch()
    thread.join()
    assert (state, info(plugins, "slow").state) == ("waiting", "on")


def test_the_trace_names_every_hook_call_with_its_plugin_and_milliseconds(write, capsys, monkeypatch):
    write("good", GOOD)
    Plugins(built_ins=()).enable("good")
    monkeypatch.setenv("LAB_PLUGINS", "good")
    monkeypatch.setenv("LAB_PLUGINS_TRACE", "1")
    Plugins.from_environment(built_ins=()).load()
    line = next(line for line in capsys.readouterr().err.splitlines() if "lab_register_schedules" in line)
    assert line.startswith("plugin good: lab_register_schedules ")
    assert float(line.split()[-2]) >= 0
    assert line.endswith(" ms")


def test_an_unknown_card_is_answered_with_what_there_is_and_where_it_might_come_from(loaded, write):
    write("average")
    plugins = loaded(good=GOOD)
    with pytest.raises(BadInput) as caught:
        plugins.card("schedules", "flatt", field="training.schedule.name")
    problem = caught.value.problem
    assert (problem.field, problem.value, problem.allowed) == ("training.schedule.name", "flatt", "flat")
    assert "Did you mean flat?" in problem.remedy
    assert "average: off" in problem.remedy
    assert "lm-lab plugins" in problem.remedy
    with pytest.raises(BadInput, match="there is no such corpus"):
        plugins.card("corpora", "nowhere")


def test_a_card_is_found_by_its_name_and_knows_its_owner(loaded):
    plugins = loaded(good=GOOD)
    assert plugins.card("schedules", "flat").title == "Flat"
    assert plugins.owner("schedules", "flat") == "good"
    with pytest.raises(BadInput):
        plugins.owner("schedules", "steep")
    with pytest.raises(KeyError):
        plugins.cards("chairs")


def test_a_mixer_that_does_not_stand_alone_is_not_an_architecture(loaded):
    plugins = loaded(mixers=MIXERS)
    assert set(plugins.cards("mixers")) == {"whole", "part"}
    assert set(plugins.cards("architectures")) == {"whole"}
