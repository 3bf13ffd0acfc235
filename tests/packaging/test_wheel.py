"""The wheel: it holds the lab and nothing else, and works in an environment that has never seen the tree."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from lab.base.folders import resources

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
# Each package folder of the wheel and where it lies in the tree, the deepest first.
PLACES = {
    package.replace(".", "/"): place
    for package, place in sorted(PYPROJECT["tool"]["setuptools"]["package-dir"].items(), reverse=True)
}
FOLDERS = sorted({place.partition("/")[0] for place in PLACES.values()})
TEXT = "It was the best of times, it was the worst of times.\n" * 200


def command(*arguments, **options):
    """Run a command to its end and fail with all that it said."""
    parts = [str(argument) for argument in arguments]
    result = subprocess.run(parts, capture_output=True, text=True, encoding="utf-8", **options)
    assert result.returncode == 0, f"{parts} ended with {result.returncode}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Return the wheel, built with the running environment's tools from a copy of the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    tree.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", folder)
    command(sys.executable, "-m", "pip", "wheel", *options, tree)
    (built,) = folder.glob("*.whl")
    shutil.rmtree(tree)
    return built


class Environment:
    """A virtual environment outside the tree and a working folder beside it."""

    def __init__(self, folder):
        """Make the environment without packages."""
        scripts = "Scripts" if os.name == "nt" else "bin"
        self.folder = folder
        command(sys.executable, "-m", "venv", "--without-pip", folder / "environment")
        self.scripts = folder / "environment" / scripts
        self.python = self.scripts / ("python.exe" if os.name == "nt" else "python")
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        self.packages = Path(command(self.python, "-c", code).strip())

    def install(self, *arguments):
        """Install with the running environment's pip."""
        command(sys.executable, "-m", "pip", "--python", self.python, "install", "--quiet", *arguments)

    def run(self, *arguments):
        """Run a command of the environment as a stranger to the tree would; return what it printed."""
        program = shutil.which(arguments[0], path=str(self.scripts))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LAB_"))}
        environment = kept | {"LAB_HOME": str(self.folder / "lab home"), "PYTHONUTF8": "1"}
        return command(program, *arguments[1:], cwd=self.folder, env=environment)


@pytest.fixture(scope="module")
def borrowed(wheel, tmp_path_factory):
    """Return an environment that holds the wheel and borrows everything else from the running one."""
    environment = Environment(tmp_path_factory.mktemp("borrowed"))
    # A path in a .pth file is only appended to sys.path: editable installations over there take no effect here.
    paths = sorted({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})
    (environment.packages / "borrowed.pth").write_text("\n".join(paths) + "\n", encoding="utf-8")
    environment.install("--no-deps", "--no-index", "--no-compile", wheel)  # little of it is ever imported
    return environment


def check_that_the_lab_is_there(environment):
    """Find the packages and the data of an installed lab, and list its plugins."""
    code = """
from importlib.util import find_spec
from lab.base.folders import resources
print(find_spec("lab").origin, find_spec("lab_transformer").origin, resources() / "recipes", sep="\\n")
"""
    found = [Path(line) for line in environment.run("python", "-c", code).splitlines()]
    assert len(found) == 3
    assert all(path.exists() and path.is_relative_to(environment.packages) for path in found)
    plugins = environment.run("lm-lab", "plugins", "--json")
    assert "transformer" in json.dumps(json.loads(plugins.splitlines()[-1]))


def check_that_the_lab_trains(environment):
    """Train one step with an installed lab."""
    (environment.folder / "times.txt").write_text(TEXT, encoding="utf-8")
    small = ("architecture.layers=1", "architecture.width=32", "architecture.heads=2")
    small += ("training.context_length=16", "training.batch_size=2")
    settings = [part for setting in small for part in ("--set", setting)]
    arguments = ("--architecture", "transformer", "--corpus", "times.txt", "--steps", "1", "--out", "run", "--json")
    result = json.loads(environment.run("lm-lab", "train", *arguments, *settings).splitlines()[-1])
    assert result["steps"] == 1
    assert result["train_loss"] > 0
    assert result["validation_loss"] > 0
    assert result["parameters"] > 0
    assert (environment.folder / "run").is_dir()


def source_of(name):
    """Return where the tree holds a file of the wheel."""
    package = next(package for package in PLACES if name.startswith(f"{package}/"))
    return PLACES[package] + name.removeprefix(package)


def test_the_wheel_holds_every_module_and_data_file_and_nothing_else(wheel):
    held = {source_of(name) for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*") if file.is_file()]
    sources = (".ts",)  # of translations: the window reads what is compiled from them
    expected = [file for file in files if "__pycache__" not in file.parts and file.suffix not in sources]
    assert held == {file.relative_to(ROOT).as_posix() for file in expected}


def test_the_wheel_asks_for_what_pyproject_lists_and_offers_the_command(wheel):
    with zipfile.ZipFile(wheel) as archive:
        metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(metadata).decode().splitlines()
        entry_points = archive.read(metadata.replace("METADATA", "entry_points.txt")).decode()
    always = [line for line in lines if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert len(always) == len(PYPROJECT["project"]["dependencies"])
    assert "lm-lab = lab.cli.main:program" in entry_points


def test_the_data_are_reached_in_a_checkout():
    assert {"docs", "recipes"} <= {entry.name for entry in resources().iterdir()}


@pytest.mark.long  # in short: the wheel holds every module and all data
def test_an_installed_wheel_reaches_its_data_and_lists_plugins(borrowed):
    check_that_the_lab_is_there(borrowed)


@pytest.mark.long  # in short: the wheel holds every module, and its plugins are listed
def test_an_installed_wheel_trains_a_step(borrowed):
    check_that_the_lab_trains(borrowed)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_an_installed_wheel_works_with_dependencies_of_its_own(wheel, tmp_path):
    environment = Environment(tmp_path)
    environment.install("--constraint", ROOT / "packaging" / "constraints.txt", wheel)
    check_that_the_lab_is_there(environment)
    check_that_the_lab_trains(environment)


def test_every_package_the_lab_imports_is_one_it_asks_for(nodes):
    asked = {requirement_name(line) for line in PYPROJECT["project"]["dependencies"]}
    own = {package.partition(".")[0] for package in PYPROJECT["tool"]["setuptools"]["packages"]}
    imported = set()
    for file, inside in nodes.items():
        if file.relative_to(ROOT).parts[0] not in FOLDERS:
            continue
        for node in inside:
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                imported.add(node.module.partition(".")[0])
    called = {"bs4": "beautifulsoup4", "PIL": "pillow"}  # where the distribution has another name than its package
    foreign = {called.get(name, name).replace("_", "-") for name in imported - own - set(sys.stdlib_module_names)}
    of_the_window = {"PySide6", "shiboken6", "pyqtgraph"}  # the extra "window"; shiboken6 is a part of PySide6
    of_figures = {"matplotlib"}  # the extra "figures"
    of_pictures = {"pillow"}  # the extra "images"
    of_a_benchmark = {"transformers"}  # lm-lab bench decode compares with it, where it is installed
    assert foreign - asked == {
        "pytest",
        *of_figures,
        *of_pictures,
        *of_a_benchmark,
        *of_the_window,
    }  # lab.testing.pytest_plugin runs inside pytest


def requirement_name(line):
    """Return the name of a requirement without its bounds."""
    return re.split(r"[^A-Za-z0-9-]", line, maxsplit=1)[0].lower()
