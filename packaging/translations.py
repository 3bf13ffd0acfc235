#!/usr/bin/env python3
"""Collect the texts of the window for translators, and compile what they wrote.

    python packaging/translations.py update    # writes all texts to resources/translations/*.ts
    python packaging/translations.py compile   # writes the .qm files that the window reads
    python packaging/translations.py missing   # lists the texts that have no translation

A .ts file is edited with Qt's Linguist (pyside6-linguist) or as text. Texts are found in calls of tr("…") and
tr_n("one", "{n} many", n) of the window and of the page about a run, in the tables below, in the cards that the
built-in plugins register (titles, summaries, settings, presets, symbols, explanations), in the shipped recipes, and in
the problems that the engine makes (message_texts.py), and titles of the worked examples.
Citations and the pages of Help stay English, and so do the texts of other plugins.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as Tree

from pydantic import BaseModel

from lab.api import HOOKS, settings_of
from lab.host import Plugins
from lab.recipes import Readings, Recipe, Training
from lab.shell.play.writing import WritingConfig

sys.path.insert(0, str(Path(__file__).resolve().parent))
from message_texts import find_messages, parsed

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
MESSAGES = "messages.txt"
"""The file of the engine's messages, with which the window recognises them; one a line."""
SOURCES = (
    "lab/api", "lab/interop/report", "lab/lessons", "lab/widgets", "lab/shell", "lab/workbench/classroom", "plugins",
)  # fmt: skip
CONTEXT = "lab"
FORMS = {"de": 2}
"""The numerus forms of each language, which Qt selects by number: in German one, and all others."""
TABLES = {
    "lab/lessons/lesson.py": ("TRACKS",),
    "lab/shell/recipe/outline.py": ("HEADINGS", "SECTIONS", "ORDER", "LAST"),
    "lab/shell/window/appearance.py": ("MODES",),
    "lab/shell/window/commands.py": ("PAGES",),
    "lab/shell/window/main_window.py": ("PLACES",),
    "lab/widgets/core/messages.py": ("MESSAGES",),
    "lab/workbench/classroom/table.py": ("DIFFERENCES",),
    "lab/widgets/readings/axes.py": ("QUANTITIES", "HEADS", "UNITS", "TITLES"),
}
"""Tables whose texts are given to tr() where they are shown, by file."""


DESCRIPTIONS = ("title", "summary", "tests", "expected", "family", "singular", "plural")
"""Attributes of cards that are texts for the user."""


class Text(NamedTuple):
    """A text of the window: its file, the English text, and whether it depends on a number."""

    file: str
    source: str
    numbered: bool = False


def texts(root: Path = ROOT) -> list[Text]:
    """Return every text of the window: those of its files in the order of lines, of the gallery, and of the cards."""
    found: list[Text] = [*texts_of_cards(), *texts_of_gallery(root / "resources" / "gallery.toml")]
    found += texts_of_examples(root / "resources" / "worked")
    found += [Text(file, source) for source, file in find_messages(root).messages.items()]
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            found += texts_in(parsed(path), name)
    return found


def texts_in(module: ast.Module, name: str) -> Iterator[Text]:
    """Yield the texts of one file."""
    for node in ast.walk(module):
        match node:
            case ast.Call(func=ast.Name(id="tr"), args=[argument, *_]):
                yield from (Text(name, source) for source in literals(argument))
            case ast.Call(func=ast.Name(id="tr_n"), args=[_, ast.Constant(value=str(source)), *_]):
                yield Text(name, source, numbered=True)
            case (
                ast.Assign(targets=[ast.Name(id=table)], value=value)
                | ast.AnnAssign(target=ast.Name(id=table), value=ast.expr() as value)
            ) if table in TABLES.get(name, ()):
                yield from (Text(name, source) for source in entries(value))


def entries(node: ast.expr) -> Iterator[str]:
    """Yield the texts of a table: of rows the last column, of a dictionary its values, of a list all of them."""
    match node:
        case ast.Constant(value=str(source)):
            yield source
        case ast.Dict(values=values):
            for value in values:
                yield from entries(value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            rows = [element.elts[-1] if isinstance(element, ast.Tuple) else element for element in elements]
            for row in rows:
                yield from entries(row)


def texts_of_cards() -> Iterator[Text]:
    """Yield the texts of the cards that the built-in plugins register, and of the parts of every recipe."""
    seen: set[type[BaseModel]] = set()
    for config in (Recipe, Training, Readings):
        yield from texts_of_settings("lab/recipes", config, seen)
    yield from texts_of_settings("lab/shell/play", WritingConfig, seen)
    plugins = Plugins(safe_mode=True).load()
    yield from (Text(info.location, info.title) for info in plugins.listed())
    for kind in HOOKS:
        for name, card in plugins.cards(kind).items():
            file = f"{kind}/{name}"
            described = (getattr(card, each, "") for each in DESCRIPTIONS)
            notes = getattr(card, "preset_notes", {}).values()
            yield from (Text(file, text) for text in (*described, *getattr(card, "baselines", ()), *notes) if text)
            sizes = (size.name for preset in getattr(card, "sizes", {}).values() for size in preset)
            words = (*getattr(card, "presets", ()), *(size for size in sizes if not size[0].isdigit()))
            yield from (Text(file, word) for word in words)
            yield from (Text(file, meaning) for meaning in getattr(card, "symbols", {}).values())
            explained = getattr(card, "explanations", {})
            yield from (Text(file, reading[:1].upper() + reading[1:]) for reading in explained)
            explanations = (*explained.values(), getattr(card, "explanation", None))
            for explanation in filter(None, explanations):
                parts = (explanation.shows, explanation.how, explanation.example, *explanation.symbols.values())
                yield from (Text(file, text) for text in parts if text)
            if hasattr(card, "config"):
                yield from texts_of_settings(file, card.config, seen)


def texts_of_settings(file: str, config: type[BaseModel], seen: set[type[BaseModel]]) -> Iterator[Text]:
    """Yield the texts of the settings of a config, of the configs in it, and of the variants of its unions."""
    if config in seen:
        return
    seen.add(config)
    for setting in settings_of(config):
        texts = (setting.title, setting.help, setting.group, setting.zero, setting.unit, *setting.names.values())
        yield from (Text(file, text) for text in texts if text)
        words = (str(value).replace("_", " ") for value in setting.choices if value not in setting.names)
        yield from (Text(file, word) for word in words if word[0].isalpha())
        if setting.unit and len(setting.unit) > 2:  # "s" and "MB" have no plural
            yield Text(file, f"{{n}} {setting.unit}", numbered=True)
        if setting.counted:
            yield Text(file, f"{{n}} {setting.counted}", numbered=True)
        for variant in setting.variants.values():
            yield from texts_of_settings(file, variant, seen)


def texts_of_gallery(file: Path) -> Iterator[Text]:
    """Yield the topics of the gallery, the short titles and descriptions of its recipes, and their own titles."""
    gallery = tomllib.loads(file.read_text(encoding="utf-8"))
    recipes = (text for recipe in gallery["recipes"].values() for text in (recipe["title"], recipe["shows"]))
    yield from (Text(file.name, text) for text in (*gallery["topics"].values(), *recipes))
    for recipe in sorted((file.parent / "recipes").glob("*.toml")):
        yield Text(recipe.name, tomllib.loads(recipe.read_text(encoding="utf-8"))["title"])


def texts_of_examples(folder: Path) -> Iterator[Text]:
    """Yield the topics and titles of the worked examples; their notes, which speak of the lectures, stay English."""
    for file in sorted(folder.glob("*.toml")):
        written = tomllib.loads(file.read_text(encoding="utf-8"))
        yield from (Text(file.name, text) for text in (written["topic"], *(one["title"] for one in written["example"])))


def literals(node: ast.expr) -> Iterator[str]:
    """Yield the texts of an argument of tr(): a literal, or both ends of a choice."""
    match node:
        case ast.Constant(value=str(source)):
            yield source
        case ast.IfExp(body=body, orelse=otherwise):
            yield from literals(body)
            yield from literals(otherwise)


def file_of(language: str) -> Path:
    """Return the .ts file of a language."""
    return FOLDER / f"lm-lab_{language}.ts"


def translations(language: str) -> dict[str, list[str]]:
    """Return the finished translations of a language by English text: one form, or several for numbers."""
    found = {}
    for message in Tree.parse(file_of(language)).getroot().iter("message"):
        translation = message.find("translation")
        if translation is not None and translation.get("type") is None:
            forms = [form.text or "" for form in translation.findall("numerusform")]
            found[message.findtext("source") or ""] = forms or [translation.text or ""]
    return found


def update(language: str) -> int:
    """Write the .ts file again, without texts that are gone and with new ones; return how many have no translation."""
    known = translations(language) if file_of(language).exists() else {}
    root = Tree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = Tree.SubElement(root, "context")
    Tree.SubElement(context, "name").text = CONTEXT
    every = {text.source: text for text in texts()}
    for source, text in sorted(every.items()):
        message = Tree.SubElement(context, "message", {"numerus": "yes"} if text.numbered else {})
        Tree.SubElement(message, "source").text = source
        translation = Tree.SubElement(message, "translation", {} if source in known else {"type": "unfinished"})
        count = FORMS[language] if text.numbered else 1
        forms = known.get(source, [""] * count)
        if text.numbered:
            for form in forms:
                Tree.SubElement(translation, "numerusform").text = form
        else:
            translation.text = forms[0]
    Tree.indent(root, "    ")
    FOLDER.mkdir(parents=True, exist_ok=True)
    body = Tree.tostring(root, encoding="unicode")
    file_of(language).write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")
    return len(every.keys() - known.keys())


def write_messages() -> None:
    """Write the file of the engine's messages."""
    (FOLDER / MESSAGES).write_text("".join(f"{one}\n" for one in sorted(find_messages(ROOT).messages)), "utf-8")


def compile_all() -> None:
    """Write the .qm file of each language with Qt's own compiler, without unfinished texts."""
    compiler = Path(sys.executable).with_name("pyside6-lrelease")
    for language in FORMS:
        file = file_of(language)
        subprocess.run([compiler, "-silent", "-nounfinished", file, "-qm", file.with_suffix(".qm")], check=True)


def missing(language: str) -> list[Text]:
    """Return the texts that have no translation in a language."""
    known = translations(language)
    return [text for text in texts() if text.source not in known]


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    match arguments:
        case ["update"]:
            write_messages()
            for language in FORMS:
                print(f"{language}: {update(language)} texts have no translation")
        case ["compile"]:
            compile_all()
        case ["missing"]:
            for language in FORMS:
                print(*(f"{language} {text.file}: {text.source}" for text in missing(language)), sep="\n")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
