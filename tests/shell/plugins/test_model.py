"""The state of Plugins without a window, over real plugins in the folder."""

import textwrap
from types import SimpleNamespace

import pytest

from lab.base.problems import Problem
from lab.host import PluginInfo, Plugins
from lab.shell.plugins.model import Group, PluginsModel, Status, titles_of_files

FLAT = '''
"""Schedules that stay flat.

More about it.
"""
from lab.api import Schedule, hookimpl

@hookimpl
def lab_register_schedules(register):
    register(Schedule(name="flat", title="Flat", build=print))
'''


@pytest.fixture
def write(lab_home):
    """Write a plugin into the plugins folder."""

    def write(name, code=FLAT):
        path = lab_home / "plugins" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(code).lstrip())
        return path

    return write


def model_of(**options):
    plugins = Plugins(**options).load()
    return PluginsModel(plugins), plugins


def entry(model, name):
    model.refresh()
    return next(one for one in model.entries if one.info.name == name)


def test_the_groups_stand_in_order_and_those_without_plugins_are_left_out(write):
    write("zebra")
    write("Alpha")
    model, _ = model_of(built_ins=("lab.text.builtins", "lab_ngram"))
    assert [(group, [one.info.name for one in entries]) for group, entries in model.groups()] == [
        (Group.FOLDER, ["Alpha", "zebra"]),
        (Group.FAMILIES, ["lab_ngram"]),
        (Group.LAB, ["lab.text.builtins"]),
    ]


def test_a_file_that_was_never_enabled_needs_consent_and_can_only_be_enabled(write):
    path = write("flat")
    model, plugins = model_of(built_ins=())
    off = entry(model, "flat")
    assert (off.status, off.needs_consent, off.can_enable, off.can_disable) == (Status.OFF, True, True, False)
    assert off.path == path
    plugins.enable("flat", load=True)
    on = entry(model, "flat")
    assert (on.status, on.needs_consent, on.can_enable, on.can_disable) == (Status.RUNNING, False, False, True)
    plugins.disable("flat")
    assert (entry(model, "flat").status, entry(model, "flat").needs_consent) == (Status.OFF, True)


def test_a_plugin_that_fails_can_be_tried_again_and_disabled(write):
    write("broken", "raise RuntimeError('no')")
    model, plugins = model_of(built_ins=())
    plugins.enable("broken", load=True)
    failed = entry(model, "broken")
    assert (failed.status, failed.needs_consent, failed.can_enable, failed.can_disable) == (
        Status.FAILED,
        False,
        True,
        True,
    )


def test_one_for_another_version_of_the_api_is_told_from_one_that_fails(write):
    write("new", "LAB_API_VERSION = 99")
    model, plugins = model_of(built_ins=())
    plugins.enable("new", load=True)
    assert entry(model, "new").status is Status.OTHER_API


def test_one_that_was_enabled_in_another_version_needs_consent_again():
    problem = Problem("it was enabled as version 1.2, and is version 1.3 now")
    info = PluginInfo("extra", "", "package", "lm-extra 1.3", "off", (problem,), version="1.3")
    model = PluginsModel(SimpleNamespace(listed=lambda: [info]))
    (shown,) = model.entries
    assert (shown.group, shown.status, shown.needs_consent) == (Group.PACKAGES, Status.OTHER_VERSION, True)
    assert shown.path is None


def test_what_the_policy_decides_about_cannot_be_changed(write, with_policy, lab_system):
    path = write("flat")
    write("stranger")
    (lab_system / "plugins").mkdir(parents=True)
    path = path.rename(lab_system / "plugins" / "flat.py")
    with_policy('allowed_plugins = ["flat"]', 'enabled_plugins = ["flat"]')
    model, _ = model_of(built_ins=())
    shared, forbidden = entry(model, "flat"), entry(model, "stranger")
    assert (shared.group, shared.status, shared.path) == (Group.SHARED, Status.RUNNING, path)
    assert (forbidden.group, forbidden.status) == (Group.FOLDER, Status.FORBIDDEN)
    for one in (shared, forbidden):
        assert (one.can_enable, one.can_disable) == (False, False)


def test_a_part_of_the_lab_cannot_be_disabled_and_a_family_can():
    model, plugins = model_of(built_ins=("lab.text.builtins", "lab_ngram"))
    assert not entry(model, "lab.text.builtins").can_disable
    assert entry(model, "lab_ngram").can_disable
    plugins.disable("lab_ngram")
    family = entry(model, "lab_ngram")
    assert (family.status, family.can_enable, family.needs_consent) == (Status.DISABLED, True, False)


def test_a_trusted_plugin_can_be_disabled_in_safe_mode(write):
    write("flat")
    Plugins(built_ins=()).enable("flat")
    model, plugins = model_of(built_ins=(), safe_mode=True)
    skipped = entry(model, "flat")
    assert (skipped.status, skipped.can_enable, skipped.can_disable) == (Status.SKIPPED, False, True)
    plugins.disable("flat")
    skipped = entry(model, "flat")
    assert (skipped.status, skipped.can_enable, skipped.can_disable) == (Status.SKIPPED, True, False)


def test_the_first_selected_one_is_a_broken_one_of_others(write):
    write("alpha")
    write("broken", "raise RuntimeError('no')")
    model, _ = model_of(built_ins=("lab_ngram",), enable=("broken",))
    assert model.selected.info.name == "broken"


def test_without_plugins_of_others_none_is_selected_until_somebody_selects_one():
    model, _ = model_of(built_ins=("lab_ngram",))
    assert model.selected is None
    model.select("lab_ngram")
    assert model.selected.info.name == "lab_ngram"


def test_a_selected_plugin_stays_selected_until_it_is_gone(write):
    paths = {name: write(name) for name in ("alpha", "beta")}
    model, plugins = model_of(built_ins=())
    model.select("beta")
    model.refresh()
    assert model.selected.info.name == "beta"
    paths["beta"].unlink()
    plugins.discover()
    model.refresh()
    assert model.selected.info.name == "alpha"


def test_a_plugin_is_changed_once_at_a_time(write):
    write("flat")
    model, _ = model_of(built_ins=())
    assert model.begin_change("flat")
    assert not model.begin_change("flat")
    changing = entry(model, "flat")
    assert (changing.status, changing.can_enable, changing.can_disable) == (Status.CHANGING, False, False)
    model.end_change("flat")
    assert entry(model, "flat").status is Status.OFF


def test_the_title_of_a_file_is_read_without_running_it(write, tmp_path):
    mark = tmp_path / "it ran"
    path = write(
        "flat", f'"""Schedules that stay flat.\n\nMore."""\nimport pathlib\npathlib.Path({str(mark)!r}).touch()'
    )
    write("damaged", "def (:")
    model, _ = model_of(built_ins=())
    titles = titles_of_files(model.entries)
    assert titles == {str(path): "Schedules that stay flat."}
    model.take_titles(titles)
    assert entry(model, "flat").title == "Schedules that stay flat."
    assert not mark.exists()


def test_the_title_of_a_package_is_that_of_its_init_file(lab_home):
    folder = lab_home / "plugins" / "wave"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""Waves."""')
    model, _ = model_of(built_ins=())
    assert titles_of_files(model.entries) == {str(folder): "Waves."}
