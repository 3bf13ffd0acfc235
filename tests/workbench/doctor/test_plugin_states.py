"""The check of the plugins: which run, which failed and why; names are details."""

import pytest

from lab.base.folders import plugins_folder
from lab.host import Plugins
from lab.host.died_starts import _marker
from lab.host.discovery import BUILT_INS
from lab.workbench.doctor.plugin_states import plugins

BUILT_IN = f"plugins of the lab that run: {len(BUILT_INS)} of {len(BUILT_INS)}"


@pytest.fixture
def write(file_plugins_forgotten):
    """Write a plugin of one file."""

    def write(name, code):
        plugins_folder().mkdir(parents=True, exist_ok=True)
        (plugins_folder() / f"{name}.py").write_text(code)

    return write


def test_the_built_in_plugins_run(subject, levels):
    assert levels(plugins(subject())) == {
        "good": [BUILT_IN],
    }


def test_a_plugin_that_fails_is_wrong_and_its_name_and_words_are_a_detail(subject, write):
    write("annas", "raise RuntimeError('it rained on /home/anna')")
    found = list(plugins(subject(Plugins(enable=["annas"]))))
    wrong = next(one for one in found if one.level == "wrong")
    assert wrong.what == "a plugin by others failed: RuntimeError"
    assert wrong.remedy
    assert "annas" in wrong.detail
    assert "it rained" in wrong.detail
    assert all("anna" not in one.what + one.remedy for one in found)


def test_a_plugin_that_is_off_is_no_fault(subject, levels, write):
    write("annas", "raise RuntimeError")
    assert "plugins by others that are off: 1" in levels(plugins(subject(Plugins())))["good"]


def test_a_plugin_that_ended_the_last_start_is_wrong(subject, levels, write):
    write("annas", "import lab.api")
    first = Plugins(enable=["annas"])
    first.enable("annas")
    marker = _marker(first._plugins["annas"].candidate)
    marker.parent.mkdir(parents=True)
    marker.write_text("{")
    assert "ended the last start" in levels(plugins(subject(Plugins())))["wrong"][0]


def test_plugins_that_this_start_leaves_out_are_noted(subject, levels, write):
    write("annas", "import lab.api")
    found = levels(plugins(subject(Plugins(safe_mode=True))))
    assert found["note"] == ["plugins that this start leaves out, since they are disabled or by its options: 1"]
