"""Plugins that an administrator shares or forbids: the policy of the machine comes before the choices of the user."""

import json

import pytest

from lab.base import BadInput
from lab.host import Plugins, PluginState
from lab.host.discovery import discover

MINE = '''
"""A mixer of mine."""
from lab.api import Mixer, ModelConfig, hookimpl

@hookimpl
def lab_register_mixers(register):
    register(Mixer(name="mine", title="Mine", kind="token", config=ModelConfig, build=print))
'''


@pytest.fixture
def share(lab_system, write):
    """Put a plugin into the shared folder."""

    def share(name):
        folder = lab_system / "plugins"
        folder.mkdir(parents=True, exist_ok=True)
        path = write(name)
        return path.rename(folder / path.name)

    return share


def states(plugins):
    return {info.name: info.state for info in plugins.listed()}


def test_a_shared_plugin_is_off_until_the_user_enables_it(share, info):
    path = share("average")
    plugins = Plugins(built_ins=()).load()
    listed = info(plugins, "average")
    assert (listed.origin, listed.location, listed.state) == ("shared", str(path), PluginState.OFF)
    assert not listed.is_fixed
    plugins.enable("average")
    assert "average" in plugins.load().cards("mixers")


def test_the_policy_enables_a_shared_plugin_for_everybody_and_nobody_disables_it(share, with_policy, info):
    share("average")
    file = with_policy('enabled_plugins = ["average"]')
    plugins = Plugins(built_ins=()).load()
    assert states(plugins) == {"average": PluginState.ON}
    assert (info(plugins, "average").enabled, info(plugins, "average").is_fixed) == (True, True)
    with pytest.raises(BadInput, match="enabled for everybody") as caught:
        plugins.disable("average")
    assert f"{file} (enabled_plugins)" in caught.value.problem.what
    assert states(plugins) == {"average": PluginState.ON}


def test_a_file_of_the_user_is_not_enabled_by_the_name_of_a_shared_one(share, write, with_policy, reported):
    write("average")
    with_policy('enabled_plugins = ["average"]')
    assert states(Plugins(built_ins=()).load()) == {"average": PluginState.OFF}
    assert any("no such plugin is shared" in problem.what for problem in reported)
    share("average")
    write("average", MINE)
    plugins = Plugins(built_ins=()).load()
    assert states(plugins) == {"average": PluginState.ON, "average-2": PluginState.OFF}
    plugins.enable("average-2")
    assert set(plugins.load().cards("mixers")) == {"average", "mine"}


def test_a_shared_plugin_and_one_of_the_user_never_get_the_same_module(share, write):
    share("average")
    write("average")
    assert len({candidate.module for candidate in discover(())}) == 2


def test_what_the_policy_does_not_allow_never_runs_though_the_user_enabled_it_before(
    write, with_policy, lab_home, info
):
    path = write("stranger", "raise SystemExit")
    (lab_home / "settings.json").write_text(json.dumps({"version": 1, "plugins": {"enabled": {str(path): ""}}}))
    file = with_policy("allowed_plugins = []")
    plugins = Plugins(built_ins=()).load()
    listed = info(plugins, "stranger")
    assert (listed.state, listed.enabled, listed.is_fixed) == (PluginState.FORBIDDEN, False, True)
    assert listed.problems[0].what == f"this plugin is not allowed by {file} (allowed_plugins)"
    with pytest.raises(BadInput, match="not allowed"):
        plugins.enable("stranger")
    with pytest.raises(BadInput, match="not allowed") as caught:
        Plugins(enable=["stranger"], built_ins=())
    assert caught.value.problem.field == "--enable"


def test_a_file_that_would_not_be_allowed_is_not_added(tmp_path, with_policy, lab_home):
    with_policy('allowed_plugins = ["average"]')
    for name in ("average", "stranger"):
        (tmp_path / f"{name}.py").write_text("")
    plugins = Plugins(built_ins=())
    assert plugins.add_file(tmp_path / "average.py") == "average"
    with pytest.raises(BadInput, match="not allowed"):
        plugins.add_file(tmp_path / "stranger.py")
    assert not (lab_home / "plugins" / "stranger.py").exists()


def test_the_policy_leaves_built_in_plugins_to_the_user(fake_built_in, with_policy):
    fake_built_in("built")
    with_policy("allowed_plugins = []")
    assert states(Plugins(built_ins=("built",)).load()) == {"built": PluginState.ON}
