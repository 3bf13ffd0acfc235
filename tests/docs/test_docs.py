"""What the pages say is true: their Python runs, their plugins train, their commands and settings exist."""

import argparse
import os
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from lab.api import HOOKS, LabError, settings_of
from lab.cli.main import parsed_options, parser
from lab.cli.train import recipe_of
from lab.host import Plugins
from lab.recipes import Recipe, parse_assignment
from lab.testing import check_architecture
from lab.training.choices import all_chosen
from lab.training.evaluation import check_protocol
from lab.workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "docs"
PAGES = [ROOT / "README.md", *sorted(FOLDER.glob("*.md"))]
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ((?:plugins/)?[\w./]+\.(?:py|toml))\n")
TEXT = "It was the best of times, it was the worst of times.\nOnce more: The end.\n" * 20
TINY = ["architecture.layers=1", "architecture.width=16", "architecture.heads=2"]
SHORT = ["training.steps=2", "training.batch_size=2", "training.context_length=16", "training.sample_tokens=4"]


@dataclass(frozen=True)
class Block:
    """A piece of code on a page; `name` is the file it says it is."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def name(self):
        found = FILE.match(self.text)
        return found[1] if found else None

    @property
    def plugin(self):
        return Path(self.name or "").parts[1].removesuffix(".py") if (self.name or "").startswith("plugins/") else None


def blocks(*pages):
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for found in BLOCK.finditer(text):
            line = text[: found.start(3)].count("\n") + 1
            yield Block(page, line, found[2], re.sub(rf"^{found[1]}", "", found[3], flags=re.MULTILINE))


def commands(page):
    """Every line of code and every inline code that begins with lm-lab, but those that leave something out ("…")."""
    for block in blocks(page):
        if block.language == "":
            yield from (line for line in block.text.splitlines() if line.startswith("lm-lab"))
    prose = BLOCK.sub("", page.read_text(encoding="utf-8"))
    yield from (code for code in re.findall(r"`(lm-lab [^`]+)`", prose) if "…" not in code)


PLUGINS = sorted({block.plugin for block in blocks(*PAGES) if block.plugin})
FILES = [block for block in blocks(*PAGES) if block.name]
WITH_PYTHON = sorted({block.page for block in blocks(*PAGES) if block.language == "python"})
COMMANDS = set(next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)).choices)


@pytest.fixture(autouse=True)
def one_thread():
    """Compute with one thread: these models are so small that two wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def workplace(lab_home, tmp_path, monkeypatch):
    """A folder with the files that the pages name, small, and a home with their plugins."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-texts").mkdir()
    for name in ("my.txt", "other.txt", "my-texts/one.txt"):
        Path(name).write_text(TEXT, encoding="utf-8")
    for block in FILES:
        path = lab_home / block.name if block.plugin else tmp_path / block.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
    small = Recipe.load(Path("recipe.toml")).with_assignments(*TINY, *SHORT)
    for path in (tmp_path / "recipe.toml", tmp_path / "my-run" / "recipe.toml"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(small.to_toml(), encoding="utf-8")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("lab_plugin_")]:
        del sys.modules[name]


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.name)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, workplace, lab_home, monkeypatch):
    if page.name == "plugins.md":
        monkeypatch.chdir(lab_home / "plugins")
    names = {"__name__": "page"}
    for block in blocks(page):
        if block.language == "python" and not block.name:
            code = "\n" * (block.line - 1) + block.text
            exec(compile(code, str(block.page), "exec"), names)


@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_of_the_pages_registers_and_trains(name, workplace):
    plugins = Plugins(enable=PLUGINS).load()
    found = next(info for info in plugins.listed() if info.name == name)
    assert (found.state, found.problems) == ("on", ())
    assert found.cards
    bench = Workbench(plugins)
    for recipe in recipes_with(found.cards, plugins):
        run = bench.start(recipe)
        run.wait_out()
        assert run.state == "finished"
    bench.close()
    after = next(info for info in plugins.listed() if info.name == name)
    assert (after.state, after.problems) == ("on", ())


def recipes_with(cards, plugins):
    """A short recipe for each card of a plugin; for each objective, with each architecture that knows it."""
    base = Recipe().with_values({"corpus": {"name": "file", "path": "my.txt"}}).with_assignments(*SHORT)
    recipes = [architecture_in(base, name, plugins) for name in cards.get("architectures", ())]
    paths = {
        "corpora": "corpus.name",
        "tokenizers": "tokenizer.name",
        "optimizers": "training.optimizer.name",
        "schedules": "training.schedule.name",
    }
    tiny = base.with_assignments(*TINY)
    for kind, path in paths.items():
        recipes += [tiny.with_assignments(f"{path}={name}") for name in cards.get(kind, ())]
    for name in cards.get("objectives", ()):
        for architecture, card in plugins.cards("architectures").items():
            if name in card.tasks:
                recipe = architecture_in(base, architecture, plugins)
                recipes.append(recipe.with_assignments(f"objective.name={name}"))
    for name in cards.get("probes", ()):
        recipes.append(tiny.with_assignments(f'readings.probes=["{name}"]'))
    for _ in cards.get("observers", ()):
        recipes.append(tiny.with_assignments("training.evaluate_every=1"))
    used = {"architectures", "mixers", "samplers", "objectives", "probes", "observers", "views", *paths}
    assert used == set(HOOKS), "this test knows no recipe for a new kind of card"
    return recipes


def architecture_in(recipe, name, plugins):
    """The recipe with this architecture, as small as it can be, and an objective that it knows."""
    card = plugins.card("architectures", name)
    objective = recipe.objective.name if recipe.objective.name in card.tasks else min(card.tasks)
    return recipe.with_values({
        "architecture": {"name": name, **small(card.config)}, "objective": {"name": objective},
    })  # fmt: skip


def small(config):
    return {name: size for name, size in (("layers", 1), ("width", 8)) if name in config.model_fields}


@pytest.mark.parametrize("name", PLUGINS)
def test_the_architectures_of_a_plugin_of_the_pages_conform(name, workplace):
    plugins = Plugins(enable=PLUGINS).load()
    found = next(info for info in plugins.listed() if info.name == name)
    for kind in ("architectures", "mixers"):
        for card in (plugins.card(kind, card) for card in found.cards.get(kind, ())):
            if kind == "mixers":
                continue  # is among the architectures
            architecture = card if kind == "architectures" else card.stack()
            config = architecture.config(**small(architecture.config))
            assert [str(failure) for failure in check_architecture(card, config=config)] == []


@pytest.mark.long
def test_the_plugins_of_the_pages_have_types(workplace, lab_home):
    """All but the first, which shows how little is needed."""
    files = [str(lab_home / block.name) for block in FILES if block.plugin and block.name != "plugins/average.py"]
    from mypy import api

    alone = ["--strict", "--explicit-package-bases", "--namespace-packages", "--config-file", os.devnull]
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MYPYPATH", os.pathsep.join(map(str, (ROOT, ROOT / "plugins", lab_home / "plugins"))))
        told, _, _ = api.run([*alone, "--cache-dir", str(ROOT / ".mypy_cache"), *files])
    assert "Success" in told, told


@pytest.mark.parametrize("block", [block for block in FILES if block.language == "toml"], ids=lambda block: block.name)
def test_a_recipe_of_the_pages_names_cards_and_settings_that_exist(block, workplace):
    all_chosen(Recipe.from_toml(block.text), Plugins(safe_mode=True))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_are_understood(page, workplace):
    plugins = Plugins(enable=PLUGINS).load()
    for command in commands(page):
        words = shlex.split(command, comments=True)[1:]
        if len(words) == 1 and words[0] in COMMANDS:
            continue  # the prose names the command, without its arguments
        try:
            check(parsed_options(words), plugins)
        except LabError as error:
            pytest.fail(f"{page.name}: {command}\n{error}", pytrace=False)


def check(parsed, plugins):
    """Looks whether what a command names is there."""
    assert set(parsed.enable) <= set(PLUGINS)
    if parsed.command == "train":
        recipe = recipe_of(parsed, plugins)
        all_chosen(recipe, plugins)
        path = recipe.corpus.settings.get("path")
        assert path is None or Path(path).exists(), f"{path} is none of the files that the pages name"
    elif parsed.command == "evaluate":
        check_protocol(parsed.protocol or "windows", 64)
        assert parsed.text is None or Path(parsed.text).exists()
    elif parsed.command == "probe":
        settings = {name: value for text in parsed.set for name, value in parse_assignment(text).items()}
        plugins.card("probes", parsed.probe).config.read(settings)
    elif parsed.command == "plugins":
        assert parsed.name is None or parsed.name in {info.name for info in plugins.listed()}


def test_every_command_is_told_to_people():
    told = {word for page in PAGES for command in commands(page) for word in shlex.split(command, comments=True)}
    assert told >= COMMANDS


def test_settings_named_in_the_prose_exist(workplace):
    plugins = Plugins(enable=PLUGINS)
    paths = {setting.name for setting in settings_of(Recipe)}
    kinds = {
        "corpora": "corpus",
        "tokenizers": "tokenizer",
        "architectures": "architecture",
        "objectives": "objective",
        "optimizers": "training.optimizer",
        "schedules": "training.schedule",
    }
    for kind, path in kinds.items():
        for card in plugins.cards(kind).values():
            paths |= {f"{path}.{setting.name}" for setting in settings_of(card.config)}
    for kind, path in (("probes", "readings.probes"), ("observers", "observers")):
        for name, card in plugins.cards(kind).items():
            paths |= {f"{path}.{name}", *(f"{path}.{name}.{setting.name}" for setting in settings_of(card.config))}
    sections = "corpus|tokenizer|architecture|objective|training|readings|observers"
    for page in PAGES:
        for name in re.findall(rf"(?<![\w/])((?:{sections})(?:\.[a-z_]+)+)(?=[`=])", page.read_text(encoding="utf-8")):
            assert name in paths, f"{page.name} names the setting {name}, which does not exist"


def test_links_and_folders_of_the_pages_exist():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"
        for path in re.findall(r"(?<![\w/`.])(?:lab|resources|packaging|tests)/[\w/.]*\w", text):
            assert (ROOT / path).exists(), f"{page.name} names {path}"


def test_the_page_for_developers_names_every_package():
    packages = {f"lab/{path.parent.name}" for path in (ROOT / "lab").glob("*/__init__.py")}
    told = set(re.findall(r"^\| \d+ \| `(lab/\w+)` \|", (FOLDER / "internals.md").read_text("utf-8"), re.MULTILINE))
    assert told == packages, "keep the table of packages in internals.md up to date"
