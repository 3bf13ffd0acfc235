"""The pages are correct: their Python runs, their plugins train, their commands and settings exist."""

import argparse
import functools
import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest
import torch

from lab.api import HOOKS, LabError, settings_of
from lab.cli.commands.bench import BENCHMARKS
from lab.cli.commands.train import recipe_of
from lab.cli.main import main, parsed_options, parser
from lab.host import Plugins
from lab.interop.exports import FORMATS
from lab.lessons.markdown import EXPLORABLE, EXPLORABLES
from lab.recipes import Recipe, parse_assignment
from lab.runs import RunFolder
from lab.runs.bundle_file import is_run_file
from lab.runs.commands import COMMANDS_FILE
from lab.runs.library.measure import Figure
from lab.testing import trials
from lab.training.evaluation import check_protocol
from lab.training.recording.checkpoints import BASE
from lab.training.resolution import resolve_all
from lab.workbench import Workbench
from lab.workbench.settings_pages import settings_entries
from lab.workbench.texts.store import FILE as TEXTS_FILE

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "docs"
INDEX = FOLDER / "index.md"
GERMAN = FOLDER / "de"
"""The German pages, with the names of the English ones; `test_german.py` has their rules."""
DOCS = sorted(page for page in FOLDER.rglob("*.md") if not page.is_relative_to(GERMAN))
PAGES = [ROOT / "README.md", *DOCS]
RUN_PAGES = [FOLDER / "using" / name for name in ("checkpoints.md", "finding-runs.md", "runs.md", "sharing.md")]
"""The pages whose commands are run in their order, one page after the other."""
LONGEST = 1500
"""Words that a page has at most, without its code."""
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"# ((?:plugins/)?[\w./]+\.(?:py|toml))\n")
CHAT = '{"messages": [{"role": "user", "content": "the cat"}, {"role": "assistant", "content": "sat"}]}\n'
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
    yield from (code for code in re.findall(r"`(lm-lab [^`]+)`", prose(page)) if "…" not in code)


PLUGINS = sorted({block.plugin for block in blocks(*PAGES) if block.plugin})
FILES = [block for block in blocks(*PAGES) if block.name]
WITH_PYTHON = sorted({block.page for block in blocks(*PAGES) if block.language == "python"})


def words_under(command):
    """The parsers of the words that may stand behind a command, by word."""
    return next(action for action in command._actions if isinstance(action, argparse._SubParsersAction)).choices


COMMANDS = set(words_under(parser(Plugins(safe_mode=True))))


def id_of(page):
    return page.relative_to(ROOT).with_suffix("").as_posix().removeprefix("resources/docs/")


def prose(page):
    """Return a page without its blocks of code."""
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


def links(page):
    """Yield the links of a page within the docs: the page or picture that each leads to, and the anchor."""
    for link in re.findall(r"\]\(([^)]+)\)", prose(page)):
        if "://" not in link and not link.startswith(EXPLORABLE):
            path, _, anchor = link.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


def test_the_page_of_lessons_lists_every_figure():
    table = (FOLDER / "plugins" / "lessons.md").read_text(encoding="utf-8").split("## Measures")[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    listed = [figure for cell in cells for figure in re.findall(r"`([^`]+)`", cell) if figure != "figure"]
    assert sorted(listed) == sorted([*get_args(Figure), "example"])


def test_an_explorable_of_a_page_is_one_of_the_lab():
    named = [key for page in PAGES for key in re.findall(rf"\]\({EXPLORABLE}([^)]+)\)", prose(page))]
    assert named
    assert set(named) <= set(EXPLORABLES)


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
    Path("chats.jsonl").write_text(CHAT * 20, encoding="utf-8")
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


@pytest.mark.short("using/*", "plugins/[!t]*", "plugins/to*")
@pytest.mark.parametrize("page", WITH_PYTHON, ids=id_of)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, workplace, lab_home, monkeypatch):
    if page.parent.name == "plugins":
        monkeypatch.chdir(lab_home / "plugins")
    names = {"__name__": "page"}
    for block in blocks(page):
        if block.language == "python" and not block.name:
            code = "\n" * (block.line - 1) + block.text
            exec(compile(code, str(block.page), "exec"), names)


def alone(name):
    """Load one plugin of the pages. Return all plugins, and what was found of it."""
    plugins = Plugins(enable=[name]).load()
    return plugins, next(info for info in plugins.listed() if info.name == name)


@pytest.mark.short(
    "average",
    "capitals",
    "late",
    "sign",
    "averaging_sign",
    "coin",
    "words",
    "sensitivity",
    "journal",
    "several",
    "first_symbol",
)
@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_of_the_pages_registers_and_trains(name, workplace):
    plugins, found = alone(name)
    if "objectives" in found.cards:  # some architectures of other pages know them
        plugins = Plugins(enable=PLUGINS).load()
    assert (found.state, found.problems) == ("on", ())
    assert found.cards
    bench = Workbench(plugins)
    for recipe in recipes_with(found.cards, plugins):
        run = bench.start(recipe)
        run.wait_out()
        assert run.state == "finished"
    for name in found.cards.get("adapters", ()):
        base = bench.start(tiny_recipe().with_assignments("architecture.bias=true"))
        base.wait_out()
        run = bench.branch(base.path, base.step, [f"adapter.name={name}"])
        run.wait_out()
        assert run.state == "finished"
    bench.close()
    after = next(info for info in plugins.listed() if info.name == name)
    assert (after.state, after.problems) == ("on", ())


def short_recipe():
    """A recipe of a few steps."""
    return Recipe().with_values({"corpus": {"name": "file", "path": "my.txt"}}).with_assignments(*SHORT)


def tiny_recipe():
    """The same with the smallest model."""
    return short_recipe().with_assignments(*TINY)


def recipes_with(cards, plugins):
    """A short recipe for each card of a plugin; for each objective, with each architecture that knows it."""
    base = short_recipe()
    recipes = [architecture_in(base, name, plugins) for name in cards.get("architectures", ())]
    paths = {
        "tokenizers": "tokenizer.name",
        "optimizers": "training.optimizer.name",
        "schedules": "training.schedule.name",
    }
    tiny = tiny_recipe()
    for name in cards.get("corpora", ()):
        of_pairs = plugins.card("corpora", name).kind == "pairs"
        writer = architecture_in(base, "encoder-decoder", plugins)
        recipes.append((writer if of_pairs else tiny).with_assignments(f"corpus.name={name}"))
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
    for _ in cards.get("rules", ()):
        recipes.append(tiny)
    used = {
        "architectures",
        "corpora",
        "mixers",
        "checkpoint_formats",
        "samplers",
        "filters",
        "strategies",
        "objectives",
        "probes",
        "observers",
        "rules",
        "interventions",
        "views",
        "commands",
        "lessons",
        "adapters",
        *paths,
    }
    assert used == set(HOOKS), "this test knows no recipe for a new kind of card"
    return recipes


def architecture_in(recipe, name, plugins):
    """The recipe with this architecture, as small as it can be, an objective that it knows, and a corpus for it."""
    card = plugins.card("architectures", name)
    objective = recipe.objective.name if recipe.objective.name in card.tasks else min(card.tasks)
    known = {"sequence-to-sequence": {"name": "reversal", "rows": 20}, "classification": {"name": "points"}}
    corpus = {"corpus": known[objective]} if objective in known else {}
    return recipe.with_values({
        "architecture": {"name": name, **small(card.config)}, "objective": {"name": objective}, **corpus,
    })  # fmt: skip


def small(config):
    return {name: size for name, size in (("layers", 1), ("width", 8)) if name in config.model_fields}


QUICK = {"loads", "config", "build", "shape", "live", "tables"}
"""The checks of a model that take little time each."""


@pytest.mark.short("quick-*")
@pytest.mark.parametrize("name", PLUGINS)
@pytest.mark.parametrize("checks", [QUICK, None], ids=["quick", "every"])
def test_the_architectures_of_a_plugin_of_the_pages_conform(name, checks, workplace):
    plugins, found = alone(name)
    for kind in ("architectures", "mixers"):
        for card in (plugins.card(kind, card) for card in found.cards.get(kind, ())):
            if kind == "mixers":
                continue  # is among the architectures
            architecture = card if kind == "architectures" else card.stack()
            config = architecture.config(**small(architecture.config))
            tried = [trial for trial in trials(card, config) if checks is None or trial.check.name in checks]
            assert [str(trial.failure) for trial in tried if trial.failure] == []


@pytest.mark.long
def test_the_plugins_of_the_pages_have_types(workplace, lab_home):
    """All but the first, which shows how little is needed."""
    files = [str(lab_home / block.name) for block in FILES if block.plugin and block.name != "plugins/average.py"]
    from mypy import api

    alone = ["--strict", "--explicit-package-bases", "--namespace-packages", "--config-file", os.devnull]
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("MYPYPATH", os.pathsep.join(map(str, (ROOT, ROOT / "plugins", lab_home / "plugins"))))
        reported, _, _ = api.run([*alone, "--cache-dir", str(ROOT / ".mypy_cache"), *files])
    assert "Success" in reported, reported


@pytest.mark.parametrize("block", [block for block in FILES if block.language == "toml"], ids=lambda block: block.name)
def test_a_recipe_of_the_pages_names_cards_and_settings_that_exist(block, workplace):
    resolve_all(Recipe.from_toml(block.text), Plugins(safe_mode=True))


@pytest.mark.parametrize("block", [block for block in FILES if block.language == "toml"], ids=lambda block: block.name)
def test_a_recipe_of_the_pages_trains_with_its_schedule_of_edits(block, workplace):
    bench = Workbench(Plugins(safe_mode=True))
    run = bench.start(Recipe.from_toml(block.text).with_assignments(*TINY, *SHORT))
    run.wait_out()
    bench.close()
    assert run.state == "finished"


def test_the_commands_of_the_pages_are_understood(workplace, monkeypatch):
    monkeypatch.setattr("lab.cli.main.parser", functools.cache(parser))
    plugins, refused = Plugins(enable=PLUGINS).load(), []
    for page, command in ((one, command) for one in PAGES for command in commands(one)):
        words = shlex.split(command, comments=True)[1:]
        if len(words) == 1 and words[0] in COMMANDS:
            continue  # the prose names the command, without its arguments
        try:
            check(parsed_options(words, plugins), plugins)
        except LabError as error:
            refused.append(f"{page.name}: {command}\n{error}")
    assert refused == []


def check(parsed, plugins):
    """Check that what a command names exists."""
    assert set(parsed.enable) <= set(PLUGINS)
    if parsed.command == "train":
        recipe = recipe_of(parsed, plugins)
        resolve_all(recipe, plugins)
        path = recipe.corpus.settings.get("path")
        assert path is None or Path(path).exists(), f"{path} is none of the files that the pages name"
    elif parsed.command == "evaluate":
        check_protocol(parsed.protocol or "windows", 64)
        assert parsed.text is None or Path(parsed.text).exists()
    elif parsed.command == "probe":
        settings = {name: value for text in parsed.set for name, value in parse_assignment(text).items()}
        plugins.card("probes", parsed.probe).config.read(settings)
    elif parsed.command == "branch":
        Recipe().with_assignments(*parsed.set)
    elif parsed.command == "runs" and parsed.action == "export":
        assert Path(parsed.file).suffix in (".lmlab", ".py", *(form.suffix for form in FORMATS))
    elif parsed.command == "settings":
        assert parsed.name in (None, "NAME") or parsed.name in {entry.name for entry in settings_entries(plugins)}
    elif parsed.command == "plugins":
        assert parsed.name is None or parsed.name in {info.name for info in plugins.listed()}


@pytest.mark.long
@pytest.mark.timeout(300)  # some 4,000 steps
def test_the_commands_for_runs_do_what_the_page_describes_in_its_order(workplace, lab_home, monkeypatch):
    """A run is trained, killed, resumed, branched, verified, named, deleted, brought back and handed on."""
    small = {"recipe.toml": ("training.steps=800", "training.evaluate_every=200"), "edits.toml": (*TINY, *SHORT)}
    for name, changes in small.items():
        recipe = Recipe.load(Path(name)).with_assignments(*changes)
        Path(name).write_text(recipe.to_toml(), encoding="utf-8")
    run = lab_home / "runs" / "my-run"
    done = []
    for words in (shlex.split(command, comments=True)[1:] for command in part_about_runs()):
        if words[:2] == ["train", "recipe.toml"]:
            assert main([*words, "--out", str(run)]) == 0
            kill_after(run, 400)
        elif words[:2] == ["runs", "import"]:
            with monkeypatch.context() as elsewhere:
                elsewhere.setenv("LAB_HOME", str(workplace / "elsewhere"))
                assert main(words) == 0, words
        else:
            assert main(words) == 0, words
        done += words
    assert set(words_under(words_under(parser())["runs"])) <= set(done)
    assert RunFolder.open(run).status().step == 1200
    assert RunFolder.open(workplace / "elsewhere" / "runs" / "my-run").id == RunFolder.open(run).id


def part_about_runs():
    """Yield the commands in the blocks of the pages about runs, in their order."""
    for block in blocks(*RUN_PAGES):
        if block.language == "":
            yield from (line for line in block.text.splitlines() if line.startswith("lm-lab"))


def kill_after(run, step):
    """Leave a run as a killed process does whose last checkpoint was at this step."""
    folder = RunFolder.open(run)
    for later in folder.checkpoint_steps():
        if later > step:
            shutil.rmtree(folder.checkpoint_folder(later))
    folder.update(state="interrupted")


def test_every_file_of_a_run_is_in_the_table_of_its_files(workplace):
    bench = Workbench(Plugins(safe_mode=True), floors=True)
    run = bench.start(Recipe.load(Path("recipe.toml")))
    run.control.set("training.clip", 0.5)
    run.wait_out()
    bench.floors.join()
    bench.verify(run.path)
    bench.close()
    main(["runs", "note", str(run.path), "well"])
    found = {path.relative_to(run.path).as_posix() for path in run.path.rglob("*") if path.is_file()}
    found.add(f"{BASE}/model.safetensors")  # of a run with an adapter
    reported = files_told()
    assert {re.sub(r"/\d+", "/STEP", name) for name in found} | {COMMANDS_FILE, TEXTS_FILE} == reported
    assert [name for name in reported if not is_run_file(name.replace("STEP", "1"))] == [COMMANDS_FILE]


def files_told():
    """The files that the table of a run names, "STEP" for the number of one."""
    page = (FOLDER / "using" / "runs.md").read_text(encoding="utf-8")
    table = page[page.index("| file | what it holds |") :].partition("\n\n")[0]
    names = set()
    for name, rest in re.findall(r"^\| `([\w./]+)` \|(.*)", table, re.MULTILINE):
        inside = re.findall(r"`([\w.]+)`", rest) if name.endswith("/") else [""]
        names |= {name + part for part in inside}
    return names


def test_every_command_is_documented():
    reported = {word for page in PAGES for command in commands(page) for word in shlex.split(command, comments=True)}
    actions = set(words_under(words_under(parser())["runs"]))
    assert reported >= COMMANDS | actions | set(BENCHMARKS)


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
        text = page.read_text(encoding="utf-8")
        named = rf"(?<![\w/.])((?:{sections})(?!\.(?:safetensors|json))(?:\.[a-z_]+)+)(?=[`='\"])"
        for name in re.findall(named, text):
            assert name in paths, f"{page.name} names the setting {name}, which does not exist"


def test_defaults_in_tables_of_settings_are_those_of_the_recipe():
    defaults = {setting.name: setting.default for setting in settings_of(Recipe)}
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    reported = dict(re.findall(r"^\| `(training\.[a-z_.]+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE))
    assert "training.checkpoint_seconds" in reported
    for name, value in reported.items():
        assert parse_assignment(f"x={value}")["x"] == defaults[name], f"the default of {name} is {defaults[name]}"


def test_every_link_of_a_page_leads_to_a_page_and_a_heading_that_exist():
    for page in PAGES:
        for target, anchor in links(page):
            assert target.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(target), f"{page.name} links to {target.name}#{anchor}"


def test_every_path_that_a_page_names_exists():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for path in re.findall(r"(?<![\w/`.-])(?:lab|resources|packaging|tests)/[\w/.-]*\w", text):
            assert (ROOT / path).exists(), f"{page.name} names {path}"
        for path in re.findall(r"`((?:lab|resources|packaging|plugins|tests)/[\w/.-]*\w)`", prose(page)):
            assert (ROOT / path).exists(), f"{page.name} names {path}"


def test_a_page_is_short():
    for page in PAGES:
        assert len(prose(page).split()) <= LONGEST, page


def test_every_page_is_listed_in_the_index_once_with_its_title():
    listed = re.findall(r"^- \[([^\]]+)\]\(([^)]+)\)", INDEX.read_text(encoding="utf-8"), re.MULTILINE)
    titles = {id_of(page): page.read_text(encoding="utf-8").partition("\n")[0] for page in DOCS}
    del titles["index"]
    assert sorted(name for _, name in listed) == sorted(f"{name}.md" for name in titles)
    assert [title for title, name in listed if f"# {title}" != titles[name.removesuffix(".md")]] == []


def test_every_page_leads_to_another_one_and_is_reached_from_one_besides_the_index():
    pages = sorted(set(DOCS) - {INDEX})
    leads = {page: {target for target, _ in links(page) if target.suffix == ".md"} - {page, INDEX} for page in pages}
    assert [id_of(page) for page in pages if not leads[page]] == []
    assert [id_of(page) for page in pages if not any(page in leads[other] for other in pages)] == []


def anchors(page):
    """Return what a link into a page may name: its headings in small letters, with hyphens."""
    heads = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_the_page_for_developers_names_every_package():
    packages = {f"lab/{path.parent.name}" for path in (ROOT / "lab").glob("*/__init__.py")}
    page = FOLDER / "developers" / "rooms.md"
    reported = set(re.findall(r"^\| \d+ \| `(lab/\w+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE))
    assert reported == packages, "keep the table of packages in rooms.md up to date"
