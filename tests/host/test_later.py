"""Third parties that load later: a window is up with the built-ins first, and loads the others when it is ready."""

import threading

import pytest

from lab.host import Plugins

FLAT = """
from lab.api import Schedule, hookimpl

@hookimpl
def lab_register_schedules(register):
    register(Schedule(name="flat", title="Flat", build=print))
"""


@pytest.fixture
def late(write, fake_built_in):
    """A built-in, a third party (code), and plugins that load it later."""

    def late(code=FLAT, **more):
        fake_built_in("lab_fake_late")
        write("third", code)
        return Plugins(enable=["third"], built_ins=["lab_fake_late"], later=True, **more)

    return late


def test_asking_for_cards_loads_the_built_ins_alone(late, info):
    plugins = late("raise RuntimeError('too early')")
    assert list(plugins.cards("mixers")) == ["average"]
    assert plugins.owner("mixers", "average") == "lab_fake_late"
    assert list(plugins.cards("schedules")) == []
    assert (info(plugins, "lab_fake_late").state, info(plugins, "third").state) == ("on", "waiting")


def test_after_load_all_are_there_and_all_is_as_usual(late, info, write):
    plugins = late()
    assert list(plugins.cards("schedules")) == []
    assert list(plugins.load().cards("schedules")) == ["flat"]
    assert info(plugins, "third").state == "on"
    plugins.disable("third")
    plugins.enable("third")
    assert list(plugins.cards("schedules")) == ["flat"]


def test_load_may_come_before_anybody_asks(late):
    assert list(late().load().cards("schedules")) == ["flat"]


def test_a_card_of_a_plugin_that_waits_is_missed_with_its_name(late):
    with pytest.raises(Exception, match="third: waiting"):
        late().card("schedules", "flat")


def test_nobody_who_asks_for_cards_waits_for_a_plugin_that_takes_long(late, tmp_path, info):
    inside, go = tmp_path / "inside", tmp_path / "go"
    plugins = late(
        f"import pathlib, time\npathlib.Path({str(inside)!r}).touch()\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\n" + FLAT
    )
    thread = threading.Thread(target=plugins.load)
    thread.start()
    while not inside.exists():
        pass
    cards = []
    asking = threading.Thread(
        target=lambda: cards.append((list(plugins.cards("mixers")), info(plugins, "third").state))
    )
    asking.start()
    asking.join(5)
    go.touch()
    thread.join()
    asking.join()
    assert cards == [(["average"], "waiting")]
    assert list(plugins.cards("schedules")) == ["flat"]


def test_the_environment_narrows_later_plugins_too(write, monkeypatch):
    write("third", FLAT)
    write("other", FLAT.replace("flat", "steep"))
    monkeypatch.setenv("LAB_PLUGINS", "third")
    plugins = Plugins.from_environment(enable=["third", "other"], built_ins=(), later=True)
    assert list(plugins.cards("schedules")) == []
    assert list(plugins.load().cards("schedules")) == ["flat"]
