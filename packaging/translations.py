#!/usr/bin/env python3
"""Collect the texts of the window for translators, and compile what they wrote.

    python packaging/translations.py update    # adds the texts of the TRANSLATED files to resources/translations/*.ts
    python packaging/translations.py compile   # writes the .qm files that the window reads
    python packaging/translations.py missing   # counts the texts of all other files

A .ts file is edited with Qt's Linguist (pyside6-linguist) or as text. Texts are found in calls of tr("…") and
tr_n("one", "{n} many", n), and in the tables below, whose rows are given to tr().
"""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as Tree

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
SOURCES = ("lab/widgets", "lab/shell", "plugins")
CONTEXT = "lab"
FORMS = {"de": 2}
"""The numerus forms of each language, which Qt selects by number: in German one, and all others."""
TRANSLATED = (
    "lab/shell/actions/",
    "lab/shell/links/commands.py",
    "lab/shell/play/",
    "lab/shell/runs/commands.py",
    "lab/shell/session/queue_commands.py",
    "lab/shell/window/commands.py",
    "lab/shell/window/main_window.py",
    "lab/shell/window/status_line.py",
    "lab/shell/window/top_bar.py",
)
"""Files and rooms whose texts all have a translation; the texts of the others are shown in English."""
TABLES = {"lab/shell/window/main_window.py": ("PLACES",), "lab/shell/window/commands.py": ("MODES", "PAGES")}
"""Tables whose last columns are given to tr(), by file."""


class Text(NamedTuple):
    """A text of the window: its file, the English text, and whether it depends on a number."""

    file: str
    source: str
    numbered: bool = False


def texts(root: Path = ROOT) -> list[Text]:
    """Return every text of the window, in the order of files and lines."""
    found: list[Text] = []
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*.py")):
            name = path.relative_to(root).as_posix()
            found += texts_in(path.read_text(encoding="utf-8"), name)
    return found


def texts_in(code: str, name: str) -> Iterator[Text]:
    """Yield the texts of one file."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Call(func=ast.Name(id="tr"), args=[argument, *_]):
                yield from (Text(name, source) for source in literals(argument))
            case ast.Call(func=ast.Name(id="tr_n"), args=[_, ast.Constant(value=str(source)), *_]):
                yield Text(name, source, numbered=True)
            case (
                ast.Assign(targets=[ast.Name(id=table)], value=value)
                | ast.AnnAssign(target=ast.Name(id=table), value=ast.expr() as value)
            ) if table in TABLES.get(name, ()):
                yield from (Text(name, row[-1]) for row in ast.literal_eval(value))


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
    every = {text.source: text for text in texts() if text.file.startswith(TRANSLATED)}
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


def compile_all() -> None:
    """Write the .qm file of each language with Qt's own compiler, without unfinished texts."""
    compiler = Path(sys.executable).with_name("pyside6-lrelease")
    for language in FORMS:
        file = file_of(language)
        subprocess.run([compiler, "-silent", "-nounfinished", file, "-qm", file.with_suffix(".qm")], check=True)


def missing() -> dict[str, int]:
    """Return how many texts each file has that is not translated yet."""
    return dict(Counter(text.file for text in texts() if not text.file.startswith(TRANSLATED)))


def main(arguments: list[str]) -> int:
    """Do what the command line says."""
    match arguments:
        case ["update"]:
            for language in FORMS:
                print(f"{language}: {update(language)} texts have no translation")
        case ["compile"]:
            compile_all()
        case ["missing"]:
            counts = missing()
            print(*(f"{count:4} {file}" for file, count in counts.items()), sep="\n")
            print(f"{sum(counts.values()):4} in all")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
