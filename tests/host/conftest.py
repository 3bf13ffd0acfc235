"""Real, tiny plugins: files in the plugins folder, installed distributions, built-ins."""

import shutil
import sys
import textwrap

import pytest

from lab.host import Plugins

AVERAGE = '''
"""A decaying average of the past.

More about it.
"""
from lab.api import Mixer, ModelConfig, hookimpl, setting

class AverageConfig(ModelConfig):
    slowest: float = setting(0.98, ge=0.5, lt=1, help="Share of the old value that is kept per token.")

@hookimpl
def lab_register_mixers(register):
    register(Mixer(name="average", title="Decaying average", kind="token", config=AverageConfig, build=print))
'''


@pytest.fixture(autouse=True)
def forgotten(file_plugins_forgotten):
    """Forget the modules of file plugins after each test."""


@pytest.fixture
def write(lab_home):
    """Write a file plugin and return its path."""

    def write(name, code=AVERAGE):
        path = lab_home / "plugins" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(code).lstrip())
        return path

    return write


@pytest.fixture
def loaded(write):
    """Write file plugins (code by name), enable them for this process, load them."""

    def loaded(**codes):
        for name, code in codes.items():
            write(name, code)
        return Plugins(enable=tuple(codes), built_ins=()).load()

    return loaded


@pytest.fixture
def site(tmp_path, monkeypatch, installed_packages):
    """A folder on sys.path, where packages are searched for; what tests import from it is forgotten after them."""
    monkeypatch.setattr("lab.host.discovery._packages", installed_packages.__wrapped__)
    path = tmp_path / "site"
    path.mkdir()
    monkeypatch.syspath_prepend(str(path))
    before = set(sys.modules)
    yield path
    for name in set(sys.modules) - before:
        if str(path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def installed(site):
    """Install a distribution with one entry point of the lab, in the given version; its module has the entry's name."""

    def installed(distribution, version, entry, code=AVERAGE):
        for old in site.glob(f"{distribution.replace('-', '_')}-*.dist-info"):
            shutil.rmtree(old)
        info = site / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[lab.plugins]\n{entry} = {entry}_module\n")
        (site / f"{entry}_module.py").write_text(textwrap.dedent(code).lstrip())
        return site

    return installed


@pytest.fixture
def fake_built_in(site):
    """Write a module that can stand in the list of built-ins."""

    def fake(name, code=AVERAGE):
        (site / f"{name}.py").write_text(textwrap.dedent(code).lstrip())

    return fake


@pytest.fixture
def info():
    """Return the listed description of one plugin."""
    return lambda plugins, name: next(info for info in plugins.listed() if info.name == name)
