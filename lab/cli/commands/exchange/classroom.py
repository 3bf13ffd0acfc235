"""`lm-lab class`: hand out a recipe to a class, open it, hand in runs, collect them, and compare them in a table."""

from __future__ import annotations

import argparse
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.base.files.reading import read_text
from lab.base.files.writing import check_output, write_file
from lab.cli.options import RUN_HELP, add_common
from lab.cli.output import Progress, print_json, print_text, printable
from lab.cli.table import print_table
from lab.host import Plugins
from lab.recipes import Recipe, shipped, shipped_names
from lab.runs import resolve_run
from lab.workbench.launch.known_corpora import load_recipe, localised


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab class`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        add_common(action, again=True)
        return action

    out = add("hand-out", "write a recipe with its text, its plugins and a page of instructions to one file")
    out.add_argument("what", metavar="FILE|RUN", help="a recipe file, the name of a recipe of the lab, or a run")
    out.add_argument("file", metavar="FILE", help="the file to write, which ends with .lmlab")
    out.add_argument("--instructions", metavar="PAGE.md", help="the page of instructions, in Markdown")
    out.add_argument("--title", metavar="TEXT", help="its title; without one, that of the recipe")
    out.add_argument("--corpus", metavar="TEXT.txt", help="the text, if the recipe or run does not say where it is")
    out.add_argument(
        "--plugin", metavar="NAME.py", action="append", default=[], help="pack this plugin of one file, too"
    )
    out.add_argument("--overwrite", action="store_true", help="replace an existing file")
    opened = add("open", "show what a teacher handed out, and unpack it; nothing in it is executed")
    opened.add_argument("file", metavar="FILE", help="the file")
    opened.add_argument("--out", metavar="FOLDER", help="unpack to this new folder instead of the lab's own")
    opened.add_argument(
        "--add-plugins", action="store_true", help="copy its plugins to the plugins folder; they are not enabled"
    )
    back = add("hand-in", "hand in a run, to a folder, a stick, or the page of the teacher's lab")
    back.add_argument("run", metavar="RUN", help=RUN_HELP)
    back.add_argument("--name", required=True, metavar="NAME", help="your name, which is stored in the file")
    back.add_argument("--to", required=True, metavar="FOLDER|ADDRESS", help="a folder, or an address http://…")
    collect = add("collect", "serve a page on the local network, on which a class hands in; Ctrl+C ends it")
    collect.add_argument("folder", metavar="FOLDER", help="the folder for what is handed in")
    collect.add_argument("--port", metavar="N", type=int, default=0, help="the port; without it, a free one")
    collect.add_argument("--token", metavar="TEXT", help="the last part of the address; without it, a random one")
    table = add("table", "list what was handed in to a folder, the lowest loss first")
    table.add_argument("folder", metavar="FOLDER", help="the folder")
    table.add_argument("--csv", metavar="FILE", help="write the table as CSV")
    table.add_argument("--html", metavar="FILE", help="write table, curves and samples as one page for the projector")
    table.add_argument("--overwrite", action="store_true", help="replace existing files")


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Perform an action.

    Raises:
        BadInput: Something given cannot be used; the problem names it.
        LabError: Something cannot be read or written.
    """
    match arguments.action:
        case "hand-out":
            return _hand_out(arguments, plugins.load())
        case "open":
            return _open(arguments, plugins)
        case "hand-in":
            return _hand_in(arguments, progress)
        case "collect":
            return _collect(arguments)
        case _:
            return _table(arguments, progress)


def _hand_out(arguments: argparse.Namespace, plugins: Plugins) -> int:
    from lab.workbench.classroom.hand_out import write_hand_out

    file = Path(arguments.file).expanduser()
    if file.suffix.lower() != ".lmlab":
        raise BadInput("its suffix is another", field="file", value=file.name, allowed="a name that ends with .lmlab")
    check_output(file, overwrite=arguments.overwrite, read=[Path(arguments.what)])
    page = "" if arguments.instructions is None else _page(Path(arguments.instructions).expanduser())
    more = [Path(one).expanduser() for one in arguments.plugin]
    recipe = _recipe(arguments.what, arguments.corpus)
    title = arguments.title or ""
    made = write_hand_out(file, recipe, plugins, title=title, instructions=page, with_plugins=more)
    names = [one.name for one in (*made.corpus, *made.plugins)]
    if arguments.json:
        print_json({"file": str(file.absolute()), "title": made.title, "files": names, "packages": [*made.packages]})
        return 0
    print_text(f"written: {file}")
    for name in names:
        print_text(f"    with {name}")
    for name in made.packages:
        print_text(f"    needs the package {name}, which the machines of the class must have")
    return 0


def _recipe(what: str, corpus: str | None) -> Recipe:
    """Return a recipe with the path of its corpus on this machine."""
    if what in shipped_names():
        recipe = shipped(what)
    elif Path(what).suffix.lower() == ".toml":
        recipe = load_recipe(Path(what).expanduser())
    else:
        folder = resolve_run(what)
        recipe = folder.read_recipe() if corpus is not None else localised(folder.read_recipe(), folder)
    if corpus is None:
        return recipe
    path = str(Path(corpus).expanduser().absolute())
    if recipe.corpus.name == "file":
        return recipe.with_values({"corpus": {"path": path}})
    return recipe.with_values({"corpus": {"name": "file", "path": path}})


def _page(file: Path) -> str:
    """Return the page of instructions."""
    try:
        return read_text(file)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise BadInput(f"cannot be read: {reason}", field="--instructions", value=str(file)) from None


def _open(arguments: argparse.Namespace, plugins: Plugins) -> int:
    from lab.workbench.classroom.hand_out import add_plugin, read_hand_out, unpack_hand_out

    opened = read_hand_out(Path(arguments.file).expanduser(), plugins.load())
    out = None if arguments.out is None else Path(arguments.out).expanduser()
    recipe = unpack_hand_out(opened, out)
    added = {one.name: add_plugin(opened, one.name, plugins) for one in opened.plugins if arguments.add_plugins}
    held = [{"name": one.name, "bytes": one.size, "sha256": one.sha256} for one in (*opened.corpus, *opened.plugins)]
    if arguments.json:
        print_json({
            "title": opened.title, "instructions": opened.instructions, "recipe": str(recipe.absolute()),
            "files": held, "packages": [*opened.packages], "plugins_added": [*added.values()],
        })  # fmt: skip
        return 0
    print_text(printable(opened.title))
    if opened.instructions:
        print_text(f"\n{opened.instructions.rstrip()}\n")
    for one in opened.corpus:
        print_text(f"text {printable(one.name)}, {one.size:,} bytes")
    for one in opened.plugins:
        print_text(f"plugin {one.name}, SHA-256 {one.sha256}")
    for package in opened.packages:
        print_text(f"needs the package {printable(package)}")
    if added:
        print_text(f"If you trust them: {'; '.join(f'lm-lab plugins enable {name}' for name in added.values())}")
    elif opened.plugins:
        print_text("Plugins are programs. If you trust them, open this with --add-plugins, and enable them")
    print_text(f"unpacked: {recipe}\nlm-lab train '{recipe}' trains it")
    return 0


def _hand_in(arguments: argparse.Namespace, progress: Progress) -> int:
    from lab.workbench.classroom.hand_in import hand_in

    folder = resolve_run(arguments.run)
    name = hand_in(
        folder, arguments.name, arguments.to, progress=lambda share: progress.show(f"handing in … {share:.0%}")
    )
    progress.clear()
    result = {"run": str(folder.path.absolute()), "to": arguments.to, "file": name}
    if arguments.json:
        print_json(result)
    else:
        print_text(f"handed in: {name}")
    return 0


def _collect(arguments: argparse.Namespace) -> int:
    from lab.workbench.classroom.collecting import Collection

    def report(path: Path) -> None:
        print_text(f"handed in: {path.name}", error=arguments.json)

    folder = Path(arguments.folder).expanduser().absolute()
    collection = Collection(folder, port=arguments.port, token=arguments.token, taken=report)
    collection.start()
    try:
        if arguments.json:
            print_json({"addresses": collection.addresses, "folder": str(folder)})
        else:
            print_text(f"A class hands in at {collection.addresses[0]}, and Ctrl+C ends it")
            for address in collection.addresses[1:]:
                print_text(f"    or at {address}")
        wait()
    finally:
        collection.stop()
    return 0


def wait() -> None:
    """Wait until the process is interrupted."""
    threading.Event().wait()


def _table(arguments: argparse.Namespace, progress: Progress) -> int:
    from lab.workbench.classroom.page import class_page
    from lab.workbench.classroom.table import class_csv, read_class

    folder = Path(arguments.folder).expanduser()
    files = {
        option: Path(given).expanduser()
        for option, given in (("--csv", arguments.csv), ("--html", arguments.html))
        if given is not None
    }
    for option, file in files.items():
        check_output(file, overwrite=arguments.overwrite, field=option)
    rows = read_class(folder, progress=lambda share: progress.show(f"reading … {share:.0%}"))
    progress.clear()
    makers = {"--csv": lambda: class_csv(rows), "--html": lambda: class_page(rows, folder.absolute().name)}
    for option, file in files.items():
        write_file(file, makers[option](), recorded=True)
    if arguments.json:
        listed = [{"rank": row.rank, "not_compared": row.difference or None, **asdict(row.entry)} for row in rows]
        print_json({"runs": listed, "written": [str(file.absolute()) for file in files.values()]})
        return 0
    if not rows:
        print_text("nothing was handed in to this folder")
        return 0
    heads = ("rank", "student", "run", "architecture", "steps", "parameters", "best loss", "remark")
    right = (True, False, False, False, True, True, True, False)
    print_table(heads, [_cells(row) for row in rows], right=right)
    for file in files.values():
        print_text(f"written: {file}")
    return 0


def _cells(row: Any) -> list[str]:
    one = row.entry
    if one.problem is not None:
        return ["", one.label, "", "", "", "", "", one.problem]
    return [
        "" if row.rank is None else str(row.rank),
        one.label,
        one.run,
        one.architecture,
        f"{one.steps:,}",
        "" if one.parameters is None else f"{one.parameters:,}",
        "" if one.loss is None else f"{one.loss:.4f}",
        row.difference,
    ]
