"""Plugins that appear or disappear while the lab runs, and those that are loaded without anybody waiting."""

import threading

import pytest

from lab.api import BadInput, LabError
from lab.host import Plugins

FLAT = """
from lab.api import Schedule, hookimpl

@hookimpl
def lab_register_schedules(register):
    register(Schedule(name="flat", title="Flat", build=print))
"""


def states(plugins):
    return {info.name: info.state for info in plugins.listed()}


@pytest.fixture
def source(tmp_path):
    """A plugin's file outside the plugins folder."""
    path = tmp_path / "downloads" / "flat.py"
    path.parent.mkdir()
    path.write_text(FLAT)
    return path


def test_a_file_that_was_put_into_the_folder_is_found_and_does_not_run(write):
    plugins = Plugins(built_ins=()).load()
    assert states(plugins) == {}
    write("flat", FLAT)
    plugins.discover()
    assert states(plugins) == {"flat": "off"}
    assert list(plugins.cards("schedules")) == []


def test_a_file_that_is_gone_is_dropped_unless_it_runs(write):
    paths = [write(name, FLAT) for name in ("flat", "other")]
    plugins = Plugins(enable=["flat"], built_ins=()).load()
    for path in paths:
        path.unlink()
    plugins.discover()
    assert states(plugins) == {"flat": "on"}
    assert list(plugins.cards("schedules")) == ["flat"]


def test_a_distribution_that_was_installed_is_found_and_another_version_of_it_is_not_trusted(installed, info):
    plugins = Plugins(built_ins=())
    installed("lm-extra", "1.2", "extra", "raise RuntimeError('broken')")
    plugins.discover()
    plugins.enable("extra", load=True)
    assert (info(plugins, "extra").state, info(plugins, "extra").version) == ("failed", "1.2")
    assert info(plugins, "extra").enabled
    installed("lm-extra", "1.3", "extra", FLAT)
    plugins.discover()
    assert (info(plugins, "extra").state, info(plugins, "extra").version) == ("off", "1.3")
    assert not info(plugins, "extra").enabled


def test_a_trusted_file_that_comes_back_runs(write, info):
    path = write("flat", FLAT)
    Plugins(built_ins=()).enable("flat")
    path.unlink()
    plugins = Plugins(built_ins=()).load()
    write("flat", FLAT)
    plugins.discover()
    assert info(plugins, "flat").state == "on"


def test_a_plugin_that_was_repaired_runs_when_it_is_enabled_again(write, info):
    write("flat", "raise RuntimeError('broken')")
    plugins = Plugins(enable=["flat"], built_ins=()).load()
    assert info(plugins, "flat").state == "failed"
    write("flat", FLAT)
    plugins.enable("flat", load=True)
    assert (info(plugins, "flat").state, info(plugins, "flat").problems) == ("on", ())


def test_nobody_who_asks_for_cards_waits_for_a_plugin_that_is_enabled(write, tmp_path, info):
    inside, go = tmp_path / "inside", tmp_path / "go"
    write(
        "slow",
        f"import pathlib, time\npathlib.Path({str(inside)!r}).touch()\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\n" + FLAT,
    )
    plugins = Plugins(built_ins=(), later=True).load()
    thread = threading.Thread(target=plugins.enable, args=["slow"], kwargs={"load": True})
    thread.start()
    while not inside.exists():
        pass
    cards = []
    asking = threading.Thread(target=lambda: cards.append(list(plugins.cards("schedules"))))
    asking.start()
    asking.join(5)
    waiting = info(plugins, "slow").state
    go.touch()
    thread.join()
    asking.join()
    assert (cards, waiting) == ([[]], "waiting")
    assert list(plugins.cards("schedules")) == ["flat"]


def test_a_file_that_is_added_is_copied_and_does_not_run(source, lab_home, info):
    plugins = Plugins(built_ins=()).load()
    assert plugins.add_file(source) == "flat"
    copy = lab_home / "plugins" / "flat.py"
    assert (info(plugins, "flat").location, info(plugins, "flat").state) == (str(copy), "off")
    assert copy.read_text() == source.read_text() == FLAT
    assert list(plugins.cards("schedules")) == []


def test_a_file_that_is_added_is_not_trusted_because_an_earlier_one_had_its_path(write, source, info):
    path = write("flat", "")
    Plugins(built_ins=()).enable("flat")
    path.unlink()
    plugins = Plugins(built_ins=()).load()
    plugins.add_file(source)
    assert (info(plugins, "flat").state, info(plugins, "flat").enabled) == ("off", False)
    assert Plugins(built_ins=()).listed()[0].state == "off"


def test_a_file_does_not_replace_another_one(write, source):
    path = write("flat", "")
    with pytest.raises(BadInput, match="has a file of this name"):
        Plugins(built_ins=()).add_file(source)
    assert path.read_text() == ""


@pytest.mark.parametrize("name", ["notes.txt", "_hidden.py", "folder.py", "missing.py"])
def test_only_a_file_that_can_be_a_plugin_is_added(tmp_path, lab_home, name):
    (tmp_path / "folder.py").mkdir()
    for file in ("notes.txt", "_hidden.py"):
        (tmp_path / file).write_text(FLAT)
    with pytest.raises(BadInput, match="no file of a plugin"):
        Plugins(built_ins=()).add_file(tmp_path / name)
    assert not (lab_home / "plugins").exists()


def test_a_folder_that_cannot_be_written_to_is_named(source, lab_home):
    lab_home.mkdir(exist_ok=True)
    (lab_home / "plugins").write_text("a file")
    with pytest.raises(LabError) as caught:
        Plugins(built_ins=()).add_file(source)
    assert str(lab_home / "plugins") in caught.value.problem.line()
