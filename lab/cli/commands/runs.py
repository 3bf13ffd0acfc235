"""`lm-lab runs`: list, find, name, tag, delete, restore, export, import, merge, examine and verify runs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lab.base import BadInput
from lab.base.files.writing import check_output
from lab.cli.findings import print_findings
from lab.cli.options import RUN_HELP, add_common
from lab.cli.output import Progress, print_json, print_problem, print_text
from lab.cli.run_page import print_page, run_page, size, verification_line
from lab.cli.table import print_table
from lab.host import Plugins
from lab.runs import RunFolder, list_runs, resolve_run
from lab.runs.library.bin import binned_runs, delete_run, empty_bin, restore_run
from lab.runs.library.columns import DIFFERENCE, Row, column_names
from lab.runs.library.labels import Label, change_label, read_label
from lab.runs.library.queries import Query, sort_rows, table
from lab.runs.library.recipe_fields import Value
from lab.workbench import Workbench

COLUMNS = ("name", DIFFERENCE, "state", "step", "validation_loss", "tags")
"""Columns of the list, each shown only if it has values."""
LIMIT = 30
SEARCH_HELP = (
    "words in name, note, tags, architecture, corpus or state, and conditions: tag=baseline star=yes "
    'state=finished layers!=4 "validation_loss<1.5" (=, !=, <, <=, >, >= on any column)'
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab runs`."""
    _add_list(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions; without one, list")

    def add(name: str, summary: str, **more: Any) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary, **more)
        add_common(action, again=True)
        return action

    def add_run(name: str, summary: str, **more: Any) -> argparse.ArgumentParser:
        action = add(name, summary, **more)
        action.add_argument("run", metavar="RUN", help=RUN_HELP)
        return action

    _add_list(add("list", "the runs, newest first"), again=True)
    add_run("show", "show all about a run")
    rename = add_run("rename", "give a run a name; its folder keeps its own")
    rename.add_argument("name", nargs="?", metavar="NAME", help="without one, the run gets the name of its folder")
    note = add_run("note", "show or replace the note of a run")
    note.add_argument("note", nargs="?", metavar="TEXT", help="the new note; without it, the note is shown")
    note.add_argument("--remove", action="store_true", help="remove the note")
    star = add_run("star", "mark a run with a star")
    star.add_argument("--off", action="store_true", help="remove the star")
    tag = add_run("tag", "show or change the tags of a run", signed=True)
    tag.add_argument("tags", nargs="*", metavar="+TAG|-TAG", help="+new adds a tag, -old removes one")
    delete = add("delete", "move runs into the bin")
    delete.add_argument("runs", nargs="+", metavar="RUN", help=RUN_HELP)
    restore = add("restore", "restore a run from the bin; without a name, list the bin")
    restore.add_argument("name", nargs="?", metavar="NAME", help="the name of its folder")
    add("empty-bin", "delete the runs in the bin permanently")
    _add_exchange(add, add_run)
    add("columns", "list every name for --columns, --sort and --search")


def _add_list(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """Add the options of the list; with `again`, those after the word "list", which do not reset earlier ones."""

    def add(option: str, default: Any, **more: Any) -> None:
        parser.add_argument(option, default=argparse.SUPPRESS if again else default, **more)

    add("--search", None, metavar="WORDS", help=SEARCH_HELP)
    add("--columns", None, metavar="A,B", help="the columns; `lm-lab runs columns` lists their names")
    add("--sort", None, metavar="COLUMN", help="lowest first; without it, newest first")
    add("--reverse", False, action="store_true", help="in reverse order")
    add("--limit", LIMIT, metavar="N", type=int, help=f"show no more than N runs ({LIMIT})")
    add("--all", False, action="store_true", help="show every run")


def _add_exchange(add: Callable[..., argparse.ArgumentParser], add_run: Callable[..., argparse.ArgumentParser]) -> None:
    export = add_run("export", "write a run to a file; a .lmlab file holds the complete run, for import elsewhere")
    export.add_argument(
        "file",
        metavar="FILE",
        help="its suffix selects the format: .lmlab; .csv or .parquet (the series); .tensorboard (a folder of event "
        "files); .html (a one-page report); .py (a plain PyTorch script that trains the run again)",
    )
    export.add_argument("--overwrite", action="store_true", help="replace an existing file")
    film = add_run("film", "write a reading at every recorded step as a film; without a file, list what was recorded")
    film.add_argument("file", nargs="?", metavar="FILE", help="NAME.gif, or a new folder for a picture of each step")
    film.add_argument("--reading", metavar="NAME", help="what it shows; without it, the first that was recorded")
    film.add_argument("--block", metavar="N", type=int, help="the block of the reading, from 1; without it, all blocks")
    film.add_argument("--seconds", metavar="S", type=float, help="how long a GIF shows each step (0.2)")
    film.add_argument("--overwrite", action="store_true", help="replace an existing file or folder")
    bring = add("import", "import the run of a .lmlab file; nothing in it is executed")
    bring.add_argument("file", metavar="FILE", help="the file")
    bring.add_argument("--out", metavar="FOLDER", help="create the run in this folder instead of the lab's folder")
    merge = add_run("merge", "make a run whose weights are those of a run with its adapter folded in")
    merge.add_argument("--out", metavar="FOLDER", help="a new or empty folder for the merged run")
    add_run("doctor", "find out why a training goes wrong, and what to do")
    verify = add_run("verify", "train the last steps again from a checkpoint and compare")
    verify.add_argument("--steps", metavar="K", type=int, help="number of steps")


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Perform an action on the runs of the lab.

    Raises:
        BadInput: An option cannot be used.
        LabError: A run is damaged, or something cannot be written.
    """
    match arguments.action:
        case "restore" if arguments.name is None:
            return _list_bin(arguments)
        case "restore":
            return _done(arguments, restore_run(arguments.name), "restored")
        case "delete":
            return _delete(arguments)
        case "empty-bin":
            count = empty_bin()
            return _print_result(
                arguments, {"removed": count}, f"{count} {'run' if count == 1 else 'runs'} deleted permanently"
            )
        case "columns":
            return _columns(arguments)
        case "import":
            return _import(arguments, progress)
        case "list" | None:
            return _list(arguments)
    folder = resolve_run(arguments.run)
    match arguments.action:
        case "show":
            return _show(arguments, folder)
        case "export":
            return _export(arguments, folder, plugins, progress)
        case "film":
            return _film(arguments, folder, progress)
        case "merge":
            return _merge(arguments, folder, plugins)
        case "verify":
            return _verify(arguments, folder, plugins, progress)
        case "doctor":
            return print_findings(folder, plugins, as_json=arguments.json)
        case "note" if arguments.note is None and not arguments.remove:
            note = read_label(folder.path).note
            return _print_result(arguments, {"run": str(folder.path.absolute()), "note": note}, note)
        case _:
            return _label(arguments, folder)


def _list(arguments: argparse.Namespace) -> int:
    """Print the runs that match, as a table."""
    runs, problems = list_runs()
    rows = [Row(each) for each in runs]
    found = Query.parse(arguments.search or "").select(rows)
    if arguments.sort is not None:
        found = sort_rows(found, arguments.sort, reverse=arguments.reverse)
    elif arguments.reverse:
        found.reverse()
    if arguments.limit < 1:
        raise BadInput("is not allowed", field="--limit", value=str(arguments.limit), allowed="1, 2, 3, …")
    shown = found if arguments.all else found[: arguments.limit]
    names = _names(arguments.columns) or _known_columns(shown)
    values = table(shown, names)
    if arguments.json:
        listed = [
            {"run": str(row.run.path.absolute()), **dict(zip(names, cells, strict=True))}
            for row, cells in zip(shown, values, strict=True)
        ]
        print_json({"runs": listed, "found": len(found), "problems": [each.as_dict() for each in problems]})
        return 0
    for problem in problems:
        print_problem(problem)
    if not found:
        print_text("no run matches" if rows else "there are no runs yet")
        return 0
    cells = [[_shown(name, value, row.label) for name, value in zip(names, each, strict=True)]
             for row, each in zip(shown, values, strict=True)]  # fmt: skip
    right = [all(isinstance(value, int | float | None) for value in each) for each in zip(*values, strict=True)]
    print_table([name.replace("_", " ") for name in names], cells, right=right)
    if len(shown) < len(found):
        print_text(f"… {len(found) - len(shown):,} more: --all shows every run")
    return 0


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _known_columns(rows: Sequence[Row]) -> list[str]:
    """Return the default columns that have values."""
    summary = {name for row in rows for name in row.summary}
    known = [name for name in COLUMNS if name != "validation_loss" or name in summary]
    if len(rows) < 2:  # nothing to differ from
        known.remove(DIFFERENCE)
    return [name for name in known if name != "tags" or any(row.label.tags for row in rows)]


def _shown(name: str, value: Value, label: Label) -> str:
    """Return a value as text for the table."""
    if name == "name":
        return f"{value} *" if label.star else str(value)
    if name == "bytes" and isinstance(value, int):
        return size(value)
    if name == "created":
        return str(value)[:19].replace("T", " ")
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4f}" if 0.01 <= abs(value) < 10_000 else f"{value:.4g}"
    return ", ".join(value) if isinstance(value, tuple) else value


def _columns(arguments: argparse.Namespace) -> int:
    names = column_names([Row(each) for each in list_runs()[0]])
    if arguments.json:
        print_json({"columns": names})
    else:
        print_table(("column", "meaning"), list(names.items()), right=(False, False))
    return 0


def _show(arguments: argparse.Namespace, folder: RunFolder) -> int:
    page = run_page(folder, list_runs()[0])
    if arguments.json:
        print_json(page)
    else:
        print_page(page)
    return 0


def _label(arguments: argparse.Namespace, folder: RunFolder) -> int:
    """Change the label of a run, and print it."""
    label = read_label(folder.path)
    match arguments.action:
        case "rename":
            label = change_label(folder.path, name=arguments.name or "")
        case "note":
            label = change_label(folder.path, note="" if arguments.remove else arguments.note)
        case "star":
            label = change_label(folder.path, star=not arguments.off)
        case "tag" if arguments.tags:
            label = change_label(folder.path, tags=_tagged(label, arguments.tags))
    line = f"{label.name or folder.name}{' *' if label.star else ''}"
    line += f" [{', '.join(label.tags)}]" if label.tags else ""
    return _print_result(arguments, {"run": str(folder.path.absolute()), **asdict(label)}, line)


def _tagged(label: Label, changes: Sequence[str]) -> list[str]:
    """Return the tags after adding some ("new", "+new") and removing others ("+-old")."""
    tags = list(label.tags)
    for change in changes:
        tag = change.lstrip("+").removeprefix("-")
        if change.startswith("+-"):
            if tag not in tags:
                raise BadInput("the run has no such tag", field="tag", value=tag, allowed=", ".join(tags) or "none")
            tags.remove(tag)
        else:
            tags.append(tag)
    return tags


def _delete(arguments: argparse.Namespace) -> int:
    folders = [resolve_run(name) for name in arguments.runs]  # all, before the first is moved
    for folder in folders:
        delete_run(folder)
    names = [folder.name for folder in folders]
    line = f"in the bin: {', '.join(names)}\nlm-lab runs restore NAME restores a run"
    return _print_result(arguments, {"deleted": names}, line)


def _list_bin(arguments: argparse.Namespace) -> int:
    names = [each.name for each in binned_runs()]
    return _print_result(arguments, {"bin": names}, "\n".join(names) or "the bin is empty")


def _film(arguments: argparse.Namespace, folder: RunFolder, progress: Progress) -> int:
    """Write a film of a run, or list what was recorded of it."""
    from lab.interop.film import SECONDS, subjects_of, write_film

    if arguments.file is None or arguments.reading is None:
        subjects = subjects_of(folder, lambda share: progress.show(f"reading … {share:.0%}"))
        progress.clear()
    if arguments.file is None:
        rows = [(one.name, "" if one.layer is None else str(one.layer + 1), str(len(one.steps))) for one in subjects]
        if arguments.json:
            print_json({"run": str(folder.path.absolute()), "readings": [asdict(one) for one in subjects]})
        else:
            print_table(("reading", "block", "steps"), rows, right=(False, True, True))
        return 0
    name = arguments.reading if arguments.reading is not None else next((one.name for one in subjects), "")
    path = Path(arguments.file).expanduser()
    count = write_film(
        folder,
        path,
        name,
        None if arguments.block is None else arguments.block - 1,
        seconds=SECONDS if arguments.seconds is None else arguments.seconds,
        overwrite=arguments.overwrite,
        progress=lambda share: progress.show(f"drawing … {share:.0%}"),
    )
    progress.clear()
    done = {"file": str(path.absolute()), "reading": name, "pictures": count}
    return _print_result(arguments, done, f"written: {path} ({name}, {count} pictures)")


def _export(arguments: argparse.Namespace, folder: RunFolder, plugins: Plugins, progress: Progress) -> int:
    """Write a run in the format that the suffix of the file selects."""
    from lab.interop.exports import FORMATS, export_run
    from lab.runs.bundle import export_bundle

    file = Path(arguments.file).expanduser()
    suffix = file.suffix.lower()
    suffixes = (".lmlab", *(form.suffix for form in FORMATS), ".py")
    if suffix not in suffixes:
        raise BadInput("its suffix names no format", field="file", value=file.name, allowed=", ".join(suffixes))
    check_output(file, overwrite=arguments.overwrite)

    def show_progress(share: float) -> None:
        progress.show(f"exporting … {share:.0%}")

    if suffix == ".lmlab":
        export_bundle(folder, file, progress=show_progress)
    elif suffix == ".py":
        from lab.workbench.exchange.script import export_script_and_text

        export_script_and_text(folder, plugins.load(), file, overwrite=arguments.overwrite)
    else:
        cards = plugins.load()
        export_run(folder, file, overwrite=arguments.overwrite, cards=cards, progress=show_progress)
    progress.clear()
    return _print_result(
        arguments, {"run": str(folder.path.absolute()), "file": str(file.absolute())}, f"written: {file}"
    )


def _import(arguments: argparse.Namespace, progress: Progress) -> int:
    from lab.runs.bundle import import_bundle
    from lab.workbench.classroom.hand_out import is_hand_out

    into = None if arguments.out is None else Path(arguments.out).expanduser()
    file = Path(arguments.file).expanduser()
    if is_hand_out(file):
        remedy = f"lm-lab class open {file}"
        raise BadInput("a teacher handed this out, and it is no run", field="file", value=str(file), remedy=remedy)
    folder = import_bundle(file, into, progress=lambda share: progress.show(f"importing … {share:.0%}"))
    progress.clear()
    return _done(arguments, folder, "imported")


def _merge(arguments: argparse.Namespace, folder: RunFolder, plugins: Plugins) -> int:
    from lab.workbench.access.saved import SavedRun
    from lab.workbench.exchange.merging import merge_run

    out = None if arguments.out is None else Path(arguments.out).expanduser()
    return _done(arguments, merge_run(SavedRun(folder, plugins.load()), out), "merged")


def _verify(arguments: argparse.Namespace, folder: RunFolder, plugins: Plugins, progress: Progress) -> int:
    """Train the last steps again; return 1 if the run is not reproducible."""

    def show_progress(made: int, of: int) -> None:
        progress.show(f"training {of:,} steps again … {made:,}")

    found = Workbench(plugins.load()).verify(folder.path, steps=arguments.steps, progress=show_progress)
    progress.clear()
    result = asdict(found)
    _print_result(arguments, {"run": str(folder.path.absolute()), **result}, verification_line(result))
    return int(found.kind == "not reproducible")


def _done(arguments: argparse.Namespace, folder: RunFolder, what: str) -> int:
    return _print_result(arguments, {"run": str(folder.path.absolute()), "name": folder.name}, f"{what}: {folder.path}")


def _print_result(arguments: argparse.Namespace, result: dict[str, Any], line: str) -> int:
    """Print a result, as JSON if requested, else as a line."""
    if arguments.json:
        print_json(result)
    else:
        print_text(line)
    return 0
