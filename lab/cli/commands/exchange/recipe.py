"""`lm-lab recipe`: write a recipe or run as a link or QR code, and show what is in a link."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.base.files.writing import check_output, named_by_user, write_file
from lab.cli.options import add_common
from lab.cli.output import print_json, print_picture, print_text, printable
from lab.host import Plugins
from lab.recipes import Link, is_link, shared_recipe, shipped, shipped_names, write_link
from lab.recipes.qr_code import qr_code
from lab.runs import resolve_run
from lab.workbench.exchange.link import link_of_recipe, link_of_run, open_link, recipe_here
from lab.workbench.launch.known_corpora import load_recipe


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab recipe`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        add_common(action, again=True)
        return action

    link = add("link", "print a recipe or run as a link, which another lab opens")
    help_of_what = "a recipe file, the name of a recipe of the lab, a run, or a link"
    link.add_argument("what", metavar="FILE|RUN|LINK", help=help_of_what)
    link.add_argument("--qr", action="store_true", help="draw it as a QR code, too")
    link.add_argument("--svg", metavar="FILE", help="write the QR code as an SVG file")
    link.add_argument("--overwrite", action="store_true", help="replace an existing file")
    show = add("show", "print the recipe in a link, and what the link says of corpus and run; nothing is started")
    show.add_argument("link", metavar="LINK", help='the link, in quotes: "lmlab:…"')


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Print a link, or what is in it.

    Raises:
        BadInput: There is no such recipe or run, the link is damaged, or no link can hold the recipe.
        LabError: The run is damaged, or the file cannot be written.
    """
    if arguments.action == "show":
        return _show(open_link(arguments.link, plugins.load()), arguments)
    svg = None if arguments.svg is None else Path(arguments.svg).expanduser()
    if svg is not None:
        check_output(svg, overwrite=arguments.overwrite, read=[Path(arguments.what)], field="--svg")
    text = _link_of(arguments.what, plugins)
    code = qr_code(text) if arguments.qr or svg or arguments.json else None
    if code is not None and svg is not None:
        with named_by_user():
            write_file(svg, code.svg())
    if code is not None and arguments.qr:
        print_picture(code.text(coloured=sys.stdout.isatty()))
    if code is not None and arguments.json:
        print_json({"link": text, "characters": len(text), "qr_version": code.version})
    else:
        print_text(text)
    return 0


def _link_of(what: str, plugins: Plugins) -> str:
    """Return the link of a recipe or run; a link is checked and written again."""
    if is_link(what):
        return write_link(open_link(what, plugins.load()))
    if what in shipped_names():
        return link_of_recipe(shipped(what), plugins.load())
    path = shared_recipe(what) or Path(what)
    if path.suffix.lower() == ".toml":
        return link_of_recipe(load_recipe(path), plugins.load())
    return link_of_run(resolve_run(what), plugins.load())


def _show(link: Link, arguments: argparse.Namespace) -> int:
    """Print a link as a recipe file, whose comments say what else is in the link."""
    missing = None
    try:
        recipe_here(link, folder=Path.cwd())
    except BadInput as error:
        missing = error.problem
    if arguments.json:
        known: dict[str, Any] = {
            "recipe": link.recipe.model_dump(mode="json", exclude_none=True),
            "corpus": None if link.corpus is None else link.corpus.model_dump(),
            "run": None if link.run is None else link.run.model_dump(),
            "missing": None if missing is None else missing.as_dict(),
        }
        print_json(known)
        return 0
    for line in [*_comments(link), *([] if missing is None else [missing.line()])]:
        print_text(f"# {printable(line)}")
    print_text(_printable_toml(link.recipe.to_toml()), end="")
    return 0


def _printable_toml(text: str) -> str:
    """Return TOML with escapes of its own for characters that a terminal obeys or hides; those of ASCII have them."""
    return "".join(letter if letter.isascii() or letter.isprintable() else f"\\U{ord(letter):08x}" for letter in text)


def _comments(link: Link) -> list[str]:
    lines = []
    if link.run is not None:
        loss, protocol = link.run.validation_loss, link.run.protocol
        parts = [f"The run {link.run.name!r}" if link.run.name else "A run", f"after {link.run.step:,} steps"]
        parts.append("" if loss is None else f"with validation loss {loss:.4f} nats per token (protocol {protocol})")
        lines.append(" ".join(filter(None, parts)))
        lines += ["It was branched from another run, whose weights are not in the link"] if link.run.branched else []
    if link.corpus is not None:
        size = f", {link.corpus.characters:,} characters" if link.corpus.characters else ""
        lines.append(f"Corpus: {link.corpus.name!r}{size}, SHA-256 {link.corpus.sha256 or 'unknown'}…")
    return lines
