"""The entry point of `lm-lab`: options, commands, and the status a command ends with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # waiting threads give the processor away; read when torch is loaded

import argparse

from lab.api import Command
from lab.api.architecture import load
from lab.base import BadInput, LabError
from lab.base.jobs import running_jobs
from lab.base.notices import catch_uncaught, listen
from lab.base.problems import attributed, problem_of
from lab.cli.commands import (
    bench,
    branch,
    corpus,
    download,
    evaluate,
    export,
    generate,
    import_checkpoint,
    plugins,
    probe,
    resume,
    runs,
    settings,
    sizes,
    tokenize,
    train,
    window,
)
from lab.cli.context import Context
from lab.cli.options import add_common
from lab.cli.output import Progress, make_streams_usable, print_problem
from lab.host import Plugins
from lab.host.card_checks import NAME
from lab.host.reserved import COMMANDS
from lab.workbench.runners import worker

BY_PLUGIN = "command of a plugin"
"""Where the parsed options name the command of a plugin; no option of such a command has a name with spaces."""
OPERANDS = {
    "recipe": "RECIPE", "run": "RUN", "name": "NAME", "note": "TEXT", "file": "FILE", "source": "SOURCE",
    "place": "PATH|NAME", "words": "TEXT", "folder": "FOLDER", "card": "ARCHITECTURE",
}  # fmt: skip
"""Options that stand without a name, as the help calls them."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors as problems in one line; it takes no abbreviations.

    Args:
        signed: Whether words may begin with a minus: "-old" comes through as "+-old".
        options: What argparse takes.
    """

    def __init__(self, *, signed: bool = False, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})
        self._signed = signed

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does."""
        if self._signed and args is not None:
            args = [f"+{word}" if word[:1] == "-" and word != "-h" and word[:2] != "--" else word for word in args]
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Raise BadInput."""
        raise BadInput(message, remedy=f"{self.prog} --help lists what there is")


def parser(found: Plugins | None = None) -> Parser:
    """Return the parser of all built-in commands and their options.

    Args:
        found: The plugins whose commands are added; None adds none, and loads no plugin.
    """
    top = Parser(
        prog="lm-lab",
        description="A laboratory for language-model architectures. Without a command, the window opens.",
    )
    add_common(top, "before ")
    window.add_arguments(top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    add: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
        "train": ("train a model; `train --architecture NAME --help` lists all settings", train.add_arguments),
        "resume": ("go on with a run from its last checkpoint", resume.add_arguments),
        "branch": ("a new run from a checkpoint of another, with changed settings", branch.add_arguments),
        "runs": ("the runs: list, show, name, tag, delete, export, import, verify", runs.add_arguments),
        "import-checkpoint": (
            "a pretrained model's folder (Hugging Face: GPT-2, LLaMA, Mistral, Mixtral, GPT-NeoX, Pythia, Falcon, "
            "Mamba, Mamba-2) as a run",
            import_checkpoint.add_arguments,
        ),
        "export": ("the model of a run as a folder that transformers reads", export.add_arguments),
        "evaluate": ("the loss of a run, under a named protocol", evaluate.add_arguments),
        "generate": ("text from a run", generate.add_arguments),
        "probe": ("readings of a run's model: what its inside looks like on a text", probe.add_arguments),
        "corpus": ("what a corpus holds: lengths, Zipf's law, n-grams, entropy, repeats", corpus.add_arguments),
        "tokenize": ("a text cut into tokens by several tokenizers, and merges", tokenize.add_arguments),
        "plugins": ("what there is, what runs, what failed and why", plugins.add_arguments),
        "settings": ("every setting of every card, with default, bounds and meaning", settings.add_arguments),
        "sizes": ("the presets' sizes, from what a laptop trains to the papers' own, with counts", sizes.add_arguments),
        "download": ("texts that can be fetched: list them, fetch one", download.add_arguments),
        "bench": ("the lab's own speed, as ratios", bench.add_arguments),
    }
    for name, (summary, add_arguments) in add.items():
        command = commands.add_parser(name, help=summary, description=summary, add_help=name != "train")
        add_common(command)
        if name == "train":
            command.add_argument("-h", "--help", action="store_true", help="show this and every setting")
        add_arguments(command)
    if found is not None:
        for card in found.cards("commands").values():
            own = _options_of(card, found)
            if own is not None:
                command = commands.add_parser(card.name, help=card.summary, description=card.summary, parents=[own])
                command.set_defaults(**{BY_PLUGIN: card.name})
    return top


def _options_of(card: Command, found: Plugins) -> Parser | None:
    """Return the options of a plugin's command; None where the plugin raised, which is then quarantined."""
    own = Parser(add_help=False)
    add_common(own)
    try:
        if card.add_arguments is not None:
            card.add_arguments(own)
    except Exception as error:  # noqa: BLE001 - a plugin's code may raise anything
        found.report_failure(found.owner("commands", card.name), error)
        return None
    return own


def parsed_options(arguments: Sequence[str], found: Plugins | None = None) -> argparse.Namespace:
    """Return the options, those before the command and those after it together.

    Args:
        arguments: The words of the command line.
        found: The plugins whose commands are known; None knows the built-in ones alone.

    Raises:
        BadInput: They cannot be read, or one is empty: a slip (an unset shell variable), and no wish for the default.
    """
    try:
        parsed = parser(found).parse_args(arguments)
    except BadInput as error:
        away = [
            f"{info.name}: {info.state}" for info in (() if found is None else found.listed()) if info.state != "on"
        ]
        if not away or not error.problem.what.startswith("argument COMMAND:"):
            raise
        remedy = f"A plugin that does not run may bring it ({', '.join(away)}), see: lm-lab plugins"
        raise BadInput(replace(error.problem, remedy=remedy)) from None
    given = vars(parsed)
    for name, value in given.items():
        if value == "":
            option = OPERANDS.get(name, f"--{name.replace('_', '-')}")
            raise BadInput("is empty", field=option, remedy="Give it a value, or leave it out")
    parsed.enable = given["before enable"] + given.get("enable", [])
    for name in ("safe_mode", "json"):
        setattr(parsed, name, given[f"before {name}"] or given.get(name, False))
    return parsed


def plugins_for(arguments: Sequence[str]) -> Plugins | None:
    """Load the plugins where the command line cannot be read without their commands: for help, or an unknown command.

    Returns:
        The plugins; None where the command is built in or there is none.
    """
    first = Parser(add_help=False)
    add_common(first)
    window.add_arguments(first)
    first.add_argument("-h", "--help", action="store_true")
    first.add_argument("words", nargs=argparse.REMAINDER)
    behind = Parser(add_help=False)
    add_common(behind)
    try:
        before, _ = first.parse_known_args(arguments)
        after, _ = behind.parse_known_args(before.words[1:])
    except BadInput:
        return None  # which is reported where the options are read
    if not before.help and (not before.words or before.words[0] in COMMANDS):
        return None
    enable = [*before.enable, *after.enable]
    return Plugins.from_environment(enable=enable, safe_mode=before.safe_mode or after.safe_mode).load()


def with_files_opened(arguments: list[str], commands: Iterable[str] = ()) -> list[str]:
    """Return `lm-lab FILE …`, as a file manager calls it, as `lm-lab --open FILE …`.

    Args:
        arguments: The words of the command line.
        commands: Those of plugins.
    """
    word = arguments[0] if arguments else ""
    if word and not word.startswith("-") and word not in (*COMMANDS, *commands) and Path(word).exists():
        return [part for file in arguments for part in ("--open", file)]
    return arguments


def _is_file(arguments: Sequence[str]) -> bool:
    """Return True if the command line names a file that cannot be the name of a command."""
    return bool(arguments) and not NAME.fullmatch(arguments[0]) and with_files_opened([*arguments]) != [*arguments]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns:
        0 if all went well, 2 for bad input, 1 for a failure, 130 after Ctrl+C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == [worker.OPTION]:
        return worker.main()
    as_json = "--json" in given
    make_streams_usable()
    undo = catch_uncaught()
    progress = Progress()
    silence = listen(progress.notice)
    try:
        found = None if _is_file(given) else plugins_for(given)
        given = with_files_opened(given, () if found is None else found.cards("commands"))
        parsed = parsed_options(given, found)
        if found is None:
            later = parsed.command is None  # the window shows first what it has
            found = Plugins.from_environment(enable=parsed.enable, safe_mode=parsed.safe_mode, later=later)
        return _run(parsed, found, given, progress)
    except BadInput as error:
        print_problem(error.problem, as_json=as_json)
        return 2
    except LabError as error:
        print_problem(error.problem, as_json=as_json)
        return 1
    except KeyboardInterrupt:
        if running_jobs():  # Ctrl+C again: a thread in torch's hands would make the interpreter abort at its end
            sys.stdout.flush()
            os._exit(130)
        return 130
    except BrokenPipeError:  # whoever read our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - a fault of ours is told like any other
        print_problem(problem_of(error, doing="lm-lab"), as_json=as_json)
        return 1
    finally:
        silence()
        undo()


def _run(parsed: argparse.Namespace, found: Plugins, given: list[str], progress: Progress) -> int:
    if BY_PLUGIN in parsed:
        return _run_plugin(getattr(parsed, BY_PLUGIN), parsed, found, progress)
    match parsed.command:
        case "train" if parsed.help:
            own = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
            print(own.choices["train"].format_help())
            print(train.help_of(parsed, found))
            return 0
        case "train":
            return train.run(parsed, found, ["lm-lab", *given], progress)
        case "resume":
            return resume.run(parsed, found, progress)
        case "branch":
            return branch.run(parsed, found, ["lm-lab", *given], progress)
        case "runs":
            return runs.run(parsed, found, progress)
        case "import-checkpoint":
            return import_checkpoint.run(parsed, found, progress)
        case "export":
            return export.run(parsed, found)
        case "evaluate":
            return evaluate.run(parsed, found)
        case "generate":
            return generate.run(parsed, found)
        case "probe":
            return probe.run(parsed, found)
        case "corpus":
            return corpus.run(parsed, found, progress)
        case "tokenize":
            return tokenize.run(parsed, found, progress)
        case "plugins":
            return plugins.run(parsed, found)
        case "settings":
            return settings.run(parsed, found)
        case "sizes":
            return sizes.run(parsed, found, progress)
        case "download":
            return download.run(parsed, progress)
        case "bench":
            return bench.run(parsed)
        case _:
            return window.run(parsed, found, lambda: train.quick_start(found.load(), progress, as_json=parsed.json))


def _run_plugin(name: str, parsed: argparse.Namespace, found: Plugins, progress: Progress) -> int:
    """Run the command of a plugin; what it raises names the plugin."""
    card: Command = found.card("commands", name)
    context = Context(found, json=parsed.json, progress=progress)
    left: BrokenPipeError | None = None
    with attributed(found.owner("commands", name), f"lm-lab {name}"):
        try:
            status = load(card.run)(parsed, context)
            code = 0 if status is None else int(status)
        except BrokenPipeError as error:
            left = error
    progress.clear()
    if left is not None:
        raise left
    return code


if __name__ == "__main__":
    raise SystemExit(main())
