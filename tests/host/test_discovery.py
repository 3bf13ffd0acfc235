"""The plugins that are found, their names, and that finding runs none of their code."""

import inspect
import subprocess
import sys

import pytest

from lab.host import BUILT_INS, Plugins
from lab.host.discovery import discover


@pytest.fixture
def folder(lab_home):
    """The plugins folder."""
    path = lab_home / "plugins"
    path.mkdir(parents=True)
    return path


def files():
    return {found.name: found for found in discover(()) if found.origin == "file"}


def test_without_a_plugins_folder_there_are_the_built_ins_in_the_order_of_their_list():
    assert [found.name for found in discover() if found.origin == "built-in"] == list(BUILT_INS)


def test_files_and_packages_of_the_plugins_folder_are_found_by_their_names(folder):
    (folder / "average.py").touch()
    (folder / "wave").mkdir()
    (folder / "wave" / "__init__.py").touch()
    assert {name: found.location for name, found in files().items()} == {
        "average": str(folder / "average.py"),
        "wave": str(folder / "wave"),
    }


@pytest.mark.parametrize("name", ["_private.py", "._average.py", "notes.txt", "README"])
def test_private_hidden_and_other_files_are_no_plugins(folder, name):
    (folder / name).touch()
    assert not files()


def test_a_folder_without_an_init_file_is_no_plugin(folder):
    (folder / "data").mkdir()
    assert not files()


def test_a_file_where_the_plugins_folder_should_be_is_a_notice(lab_home, reported):
    lab_home.mkdir()
    (lab_home / "plugins").touch()
    assert not files()
    assert reported[-1].field == str(lab_home / "plugins")


def test_a_name_that_is_taken_gets_a_number(folder):
    (folder / "lab_ngram.py").touch()
    (folder / "average.py").touch()
    (folder / "average").mkdir()
    (folder / "average" / "__init__.py").touch()
    names = [found.name for found in discover() if found.origin == "file"]
    assert names == ["average", "average-2", "lab_ngram-2"]


def test_a_file_named_like_a_module_of_python_does_not_touch_that_module(folder):
    (folder / "json.py").write_text("number = 1")
    (folder / "numpy.py").write_text("number = 2")
    import json

    import numpy

    assert [files()[name].read().number for name in ("json", "numpy")] == [1, 2]
    assert sys.modules["json"] is json
    assert sys.modules["numpy"] is numpy


def test_two_files_whose_names_differ_by_a_sign_are_two_modules(folder):
    for name, number in (("my_plugin", 1), ("my-plugin", 2), ("my plugin", 3)):
        (folder / f"{name}.py").write_text(f"number = {number}")
    modules = [found.read() for found in files().values()]
    assert sorted(module.number for module in modules) == [1, 2, 3]
    assert len({module.__name__ for module in modules}) == 3
    assert all(sys.modules[module.__name__] is module for module in modules)


def test_the_source_dataclasses_and_configs_of_a_file_work(folder):
    (folder / "shapes.py").write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "from lab.api import ModelConfig, setting\n"
        "@dataclass\n"
        "class Point:\n"
        "    x: int = 3\n"
        "class Inner(ModelConfig):\n"
        "    size: int = setting(3, help='A size.')\n"
        "class Outer(ModelConfig):\n"
        "    inner: Inner = setting(Inner(), help='More.')\n"
    )
    module = files()["shapes"].read()
    assert inspect.getsource(module.Point).endswith("x: int = 3\n")
    assert module.Point().x == module.Outer().inner.size == 3


def test_a_package_reaches_its_own_modules_by_relative_import_and_by_its_name(folder):
    package = folder / "wave"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from . import model\nfrom .model import number\nfactory = f'{__name__}.model:make'"
    )
    (package / "model.py").write_text("number = 7\ndef make(): return number")
    from lab.api import load

    module = files()["wave"].read()
    assert module.number == load(module.factory)() == 7


def test_a_package_that_fails_to_import_leaves_no_module_behind(folder):
    package = folder / "wave"
    package.mkdir()
    (package / "__init__.py").write_text("from . import model\n1 / 0")
    (package / "model.py").touch()
    before = set(sys.modules)
    with pytest.raises(ZeroDivisionError):
        files()["wave"].read()
    assert set(sys.modules) == before


def test_an_installed_distribution_is_found_by_its_entry_point(installed):
    installed("lm-extra", "1.2", "extra")
    found = next(found for found in discover(()) if found.origin == "package")
    assert (found.name, found.location) == ("extra", "lm-extra 1.2")


def test_a_distribution_with_broken_metadata_does_not_hide_the_others(installed):
    site = installed("lm-extra", "1.2", "extra")
    broken = site / "aaa-0.dist-info"
    broken.mkdir()
    (broken / "entry_points.txt").write_bytes(b"\xff\xfe[lab.plugins")
    assert [found.name for found in discover(()) if found.origin == "package"] == ["extra"]


def test_loading_and_listing_the_built_ins_imports_no_torch():
    code = (
        "import sys; from lab.host import Plugins; plugins = Plugins().load()\n"
        "plugins.listed(); plugins.cards('architectures')\n"
        "sys.exit(', '.join({'torch', 'PySide6', 'matplotlib'} & set(sys.modules)) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_built_in_that_is_missing_is_listed_as_failed_and_the_others_run(fake_built_in):
    fake_built_in("lab_fake_one")
    plugins = Plugins(built_ins=("lab_of_nobody", "lab_fake_one")).load()
    missing, there = plugins.listed()
    assert (missing.state, there.state) == ("failed", "on")
    assert "No module named 'lab_of_nobody'" in missing.problems[0].what
    assert missing.problems[0].plugin == "lab_of_nobody"
