"""Third parties are off until the person enables them; before that nothing of them runs."""

import json
import subprocess
import sys

import pytest

from lab.api import BadInput, LabError
from lab.host import Plugins


@pytest.fixture
def telltale(tmp_path):
    """Code that leaves a mark when it runs, and the mark."""
    mark = tmp_path / "it ran"
    return f"import pathlib\npathlib.Path({str(mark)!r}).touch()", mark


def test_a_file_that_was_never_enabled_is_listed_as_off_and_never_runs(write, telltale, info):
    code, mark = telltale
    path = write("stranger", code)
    plugins = Plugins(built_ins=()).load()
    plugins.cards("mixers")
    listed = info(plugins, "stranger")
    assert (listed.state, listed.origin, listed.location, listed.title) == ("off", "file", str(path), "")
    assert not mark.exists()
    plugins.enable("stranger")
    plugins.load()
    assert mark.exists()


def test_a_distribution_that_was_never_enabled_is_listed_as_off_and_never_runs(installed, telltale, info):
    code, mark = telltale
    installed("lm-extra", "1.2", "extra", code)
    plugins = Plugins(built_ins=()).load()
    assert (info(plugins, "extra").state, info(plugins, "extra").location) == ("off", "lm-extra 1.2")
    assert not mark.exists()
    plugins.enable("extra")
    plugins.load()
    assert mark.exists()
    assert info(plugins, "extra").state == "on"


def test_a_plugin_that_was_enabled_runs_in_later_starts(write, info):
    write("average")
    Plugins(built_ins=()).enable("average")
    plugins = Plugins(built_ins=())
    assert info(plugins, "average").state == "waiting"
    assert list(plugins.cards("mixers")) == ["average"]
    assert info(plugins, "average").state == "on"


def test_a_file_is_trusted_by_its_path_not_by_its_name(write, lab_home, monkeypatch, info):
    write("average")
    Plugins(built_ins=()).enable("average")
    settings = lab_home / "settings.json"
    other = lab_home.with_name("other home")
    (other / "plugins").mkdir(parents=True)
    (other / "plugins" / "average.py").touch()
    (other / "settings.json").write_bytes(settings.read_bytes())
    monkeypatch.setenv("LAB_HOME", str(other))
    assert info(Plugins(built_ins=()), "average").state == "off"


def test_a_distribution_in_another_version_must_be_enabled_again(installed, info):
    installed("lm-extra", "1.2", "extra")
    Plugins(built_ins=()).enable("extra")
    installed("lm-extra", "1.3", "extra")
    plugins = Plugins(built_ins=()).load()
    listed = info(plugins, "extra")
    assert (listed.state, listed.location) == ("off", "lm-extra 1.3")
    assert "1.2" in listed.problems[0].what
    assert "1.3" in listed.problems[0].what
    assert "lm-lab plugins enable extra" in listed.problems[0].remedy
    plugins.enable("extra")
    assert info(plugins.load(), "extra").state == "on"
    assert not info(plugins, "extra").problems


def test_a_plugin_enabled_on_the_command_line_runs_in_this_process_only(write, info, lab_home):
    write("average")
    assert info(Plugins(enable=["average"], built_ins=()).load(), "average").state == "on"
    assert info(Plugins(built_ins=()), "average").state == "off"
    assert not (lab_home / "settings.json").exists()


def test_disabling_takes_the_cards_away_at_once_and_in_later_starts(write, info):
    write("average")
    plugins = Plugins(built_ins=())
    plugins.enable("average")
    assert "average" in plugins.cards("mixers")
    plugins.disable("average")
    assert "average" not in plugins.cards("mixers")
    assert "average" not in plugins.cards("architectures")
    assert info(plugins, "average").state == info(Plugins(built_ins=()), "average").state == "off"


def test_a_built_in_can_be_disabled_and_stays_listed(fake_built_in, info):
    fake_built_in("lab_fake_two")
    Plugins(built_ins=["lab_fake_two"]).disable("lab_fake_two")
    plugins = Plugins(built_ins=["lab_fake_two"]).load()
    assert info(plugins, "lab_fake_two").state == "disabled"
    plugins.enable("lab_fake_two")
    assert info(plugins.load(), "lab_fake_two").state == "on"
    assert info(Plugins(built_ins=["lab_fake_two"]), "lab_fake_two").state == "waiting"


@pytest.mark.parametrize("act", [Plugins.enable, Plugins.disable])
def test_an_unknown_name_is_answered_with_the_nearest_one_and_all_there_are(act, write):
    write("average")
    with pytest.raises(BadInput) as caught:
        act(Plugins(built_ins=["lab_ngram"]), "averag")
    problem = caught.value.problem
    assert (problem.value, problem.allowed) == ("averag", "lab_ngram, average")
    assert problem.remedy == "Did you mean average?"


def test_an_unknown_name_on_the_command_line_is_refused():
    with pytest.raises(BadInput) as caught:
        Plugins(enable=["nobody"], built_ins=["lab_ngram"])
    assert (caught.value.problem.field, caught.value.problem.allowed) == ("--enable", "lab_ngram")


def test_safe_mode_starts_with_the_built_ins_only(write, fake_built_in, info, telltale):
    code, mark = telltale
    fake_built_in("lab_fake_three")
    write("stranger", code)
    Plugins(built_ins=()).enable("stranger")
    plugins = Plugins(enable=["stranger"], safe_mode=True, built_ins=["lab_fake_three"]).load()
    assert (info(plugins, "lab_fake_three").state, info(plugins, "stranger").state) == ("on", "skipped")
    assert not mark.exists()


def test_the_environment_narrows_what_loads_but_enables_nothing(write, fake_built_in, info, reported, monkeypatch):
    for name in ("lab_fake_four", "lab_fake_five"):
        fake_built_in(name, "")
    for name in ("known", "other", "stranger"):
        write(name, "")
    for name in ("known", "other"):
        Plugins(built_ins=()).enable(name)
    monkeypatch.setenv("LAB_PLUGINS", "lab_fake_five, known,stranger,nobody")
    plugins = Plugins.from_environment(built_ins=["lab_fake_four", "lab_fake_five"]).load()
    assert {info.name: info.state for info in plugins.listed()} == {
        "lab_fake_four": "skipped",
        "lab_fake_five": "on",
        "known": "on",
        "other": "skipped",
        "stranger": "off",
    }
    assert any(problem.field == "LAB_PLUGINS" and problem.value == "nobody" for problem in reported)


def test_settings_written_by_hand_in_another_shape_count_as_nothing(write, lab_home, info):
    write("average")
    (lab_home / "settings.json").write_text(json.dumps({"version": 1, "plugins": {"enabled": [3], "disabled": "x"}}))
    assert info(Plugins(built_ins=()), "average").state == "off"


def test_a_choice_that_cannot_be_stored_is_a_problem_and_changes_nothing(lab_home, info, monkeypatch):
    lab_home.touch()  # a file where the folder should be
    plugins = Plugins(built_ins=["lab_ngram"])
    with pytest.raises(LabError, match="cannot write"):
        plugins.disable("lab_ngram")
    assert info(plugins, "lab_ngram").state == "waiting"


def start_elsewhere():
    """Start with all plugins in a process of its own; returns its exit status."""
    code = "from lab.host import Plugins; Plugins(built_ins=()).load()"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_after_a_start_that_died_in_a_plugin_it_is_left_out_until_enabled_again(write, info):
    write("deadly", "import os\nos._exit(3)")
    plugins = Plugins(built_ins=())
    plugins.enable("deadly")
    assert [start_elsewhere() for _ in range(2)] == [3, 0]
    listed = info(Plugins(built_ins=()), "deadly")
    assert listed.state == "left out"
    assert "lm-lab plugins enable deadly" in listed.problems[0].remedy
    write("deadly", "")
    plugins.enable("deadly")
    assert info(plugins.load(), "deadly").state == "on"
    assert start_elsewhere() == 0
    assert info(Plugins(built_ins=()), "deadly").state == "waiting"


def test_a_plugin_that_was_left_out_can_be_tried_again_in_one_process(write, info):
    write("deadly", "import os\nos._exit(3)")
    Plugins(built_ins=()).enable("deadly")
    start_elsewhere()
    write("deadly", "")
    assert info(Plugins(enable=["deadly"], built_ins=()), "deadly").state == "waiting"


def test_a_plugin_that_another_process_is_loading_now_is_not_left_out(write, info):
    write("slow", "import sys\nprint('up', file=sys.__stdout__, flush=True)\nsys.stdin.read() if sys.stdin else None")
    Plugins(built_ins=()).enable("slow")
    code = "from lab.host import Plugins; Plugins(built_ins=()).load()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline().strip() == b"up"
        state = info(Plugins(built_ins=()), "slow").state
        other.communicate()
    assert state == "waiting"


def test_where_no_marker_can_be_written_the_plugin_loads_all_the_same(write, info, reported, lab_home):
    write("average")
    (lab_home / "cache").touch()  # a file where the folder should be
    plugins = Plugins(enable=["average"], built_ins=()).load()
    assert info(plugins, "average").state == "on"
    assert any("average" in problem.what for problem in reported)
