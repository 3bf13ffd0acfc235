"""The entry point of `lm-lab`: options, commands, and the exit status."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # waiting threads yield the processor; read when torch is loaded

import argparse
import contextlib

from lab.api import Command
from lab.api.architecture import load
from lab.base import BadInput, LabError
from lab.base.files.temporary import sweep_all
from lab.base.jobs import running_jobs
from lab.base.leaving import leave
from lab.base.notices import catch_uncaught, listen
from lab.base.problems import attributed, is_interrupt, problem_of
from lab.base.process_state import put_back
from lab.base.processes import on_signals
from lab.base.system.compiler import hold_back_compiler
from lab.base.system.policy import report_problems
from lab.cli import window
from lab.cli.context import Context
from lab.cli.options import add_common
from lab.cli.output import Progress, make_streams_usable, print_problem, print_text
from lab.host import Plugins, PluginState
from lab.host.card_checks import NAME
from lab.host.reserved import COMMANDS
from lab.recipes import is_link
from lab.workbench.runners import worker

INTERRUPTED = 130
"""The exit status after Ctrl+C."""
BY_PLUGIN = "command of a plugin"
"""Name of the parsed option that holds the command of a plugin; with spaces, as no option of a command has."""
OPERANDS = {
    "recipe": "RECIPE", "run": "RUN", "name": "NAME", "note": "TEXT", "file": "FILE", "source": "SOURCE",
    "place": "PATH|NAME", "words": "TEXT", "what": "FILE|RUN|LINK", "link": "LINK",
    "folder": "FOLDER", "card": "ARCHITECTURE",
}  # fmt: skip
"""Positional arguments, by the names in the help."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors as problems in one line; it takes no abbreviations.

    Args:
        signed: Whether arguments may start with a minus: "-old" becomes "+-old".
        options: Options of argparse.ArgumentParser.
    """

    def __init__(self, *, signed: bool = False, **options: Any) -> None:
        super().__init__(**{**options, "allow_abbrev": False})
        self._signed = signed

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, with signed arguments if the parser has them."""
        if self._signed and args is not None:
            args = [f"+{word}" if word[:1] == "-" and word != "-h" and word[:2] != "--" else word for word in args]
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Raise BadInput."""
        raise BadInput(message, remedy=f"{self.prog} --help lists all options")


class BuiltIn(NamedTuple):
    """A built-in command: its module, its one-line help, and the arguments of its `run` after the parsed options."""

    module: str
    summary: str
    takes: tuple[str, ...] = ("plugins",)


BUILT_INS = {
    "train": BuiltIn(
        "lab.cli.commands.train",
        "train a model; `train --architecture NAME --help` lists all settings",
        ("plugins", "line", "progress"),
    ),
    "resume": BuiltIn(
        "lab.cli.commands.resume", "continue a run from its last checkpoint", ("plugins", "line", "progress")
    ),
    "branch": BuiltIn(
        "lab.cli.commands.branch",
        "start a new run from a checkpoint of another, with changed settings",
        ("plugins", "line", "progress"),
    ),
    "find": BuiltIn(
        "lab.cli.commands.measuring.find",
        "try a recipe for some steps: find a learning rate, a batch size, the gradient noise, whether a width holds",
        ("plugins", "progress"),
    ),
    "gauges": BuiltIn(
        "lab.cli.commands.measuring.gauges",
        "measure a run on demand: what it finds hard, how its gradients agree, the shape of its loss",
        ("plugins", "progress"),
    ),
    "study": BuiltIn(
        "lab.cli.commands.studies.study",
        "run a study: a file that plans many runs, resumed after any interruption, and what can be concluded from them",
        ("plugins", "progress"),
    ),
    "scaling": BuiltIn(
        "lab.cli.commands.studies.scaling",
        "fit scaling laws to a table of runs, and compute what a budget of compute buys",
        (),
    ),
    "runs": BuiltIn(
        "lab.cli.commands.runs",
        "manage runs: list, show, name, tag, delete, export, import, merge, verify",
        ("plugins", "progress"),
    ),
    "recipe": BuiltIn(
        "lab.cli.commands.exchange.recipe", "write a recipe or run as a link or QR code, or show what is in a link"
    ),
    "import-checkpoint": BuiltIn(
        "lab.cli.commands.exchange.import_checkpoint",
        "import the folder of a pretrained model (Hugging Face: GPT-2, LLaMA, Mistral, Mixtral, GPT-NeoX, Pythia, "
        "Falcon, Mamba, Mamba-2, BERT, RoBERTa, DistilBERT, ALBERT, ELECTRA; with --look also: T5, BART) as a run",
        ("plugins", "progress"),
    ),
    "export": BuiltIn(
        "lab.cli.commands.exchange.export", "write the model of a run as a folder that transformers reads"
    ),
    "class": BuiltIn(
        "lab.cli.commands.exchange.classroom",
        "hand out a recipe to a class, hand in runs, and compare them",
        ("plugins", "progress"),
    ),
    "lessons": BuiltIn(
        "lab.cli.commands.learning.lessons",
        "list and check lessons, run one and decide its checks, read the answers of a class",
        ("plugins", "progress"),
    ),
    "evaluate": BuiltIn("lab.cli.commands.evaluate", "compute the loss of a run under a named protocol"),
    "score": BuiltIn(
        "lab.cli.commands.texts.score",
        "score a text under one run or several: surprisal per token, perplexity, bits per byte, likelihood ratio",
        ("plugins", "progress"),
    ),
    "generate": BuiltIn(
        "lab.cli.commands.generate",
        "generate text from a run; --table measures ways of decoding beside the corpus",
        ("plugins", "progress"),
    ),
    "translate": BuiltIn(
        "lab.cli.commands.texts.translate",
        "translate a source with a run on pairs: hypotheses with scores, alignment; BLEU and exact match by length",
        ("plugins", "progress"),
    ),
    "behaviour": BuiltIn(
        "lab.cli.commands.texts.behaviour",
        "test a run: loss by context, copying, a needle, arithmetic, minimal pairs, cloze, prompts with examples",
        ("plugins", "progress"),
    ),
    "costs": BuiltIn(
        "lab.cli.commands.costs",
        "measure time and memory of a run against the length of a text, beside the theory",
        ("plugins", "progress"),
    ),
    "classify": BuiltIn("lab.cli.commands.ask.classify", "predict the class of a text or a picture"),
    "fill": BuiltIn(
        "lab.cli.commands.ask.fill", "fill in the [MASK]s of a text with a run that predicts hidden tokens"
    ),
    "predict": BuiltIn(
        "lab.cli.commands.ask.predict", "predict the class or the numbers of each row of a table with a run of vectors"
    ),
    "probe": BuiltIn("lab.cli.commands.measuring.probe", "read internal values of a run's model on a text"),
    "corpus": BuiltIn(
        "lab.cli.commands.data.corpus",
        "statistics of a corpus: lengths, Zipf's law, n-grams, entropy, repeats",
        ("plugins", "progress"),
    ),
    "tokenize": BuiltIn(
        "lab.cli.commands.data.tokenize",
        "split a text with several tokenizers, or show merges",
        ("plugins", "progress"),
    ),
    "plugins": BuiltIn("lab.cli.commands.plugins", "list plugins with their state and problems, enable or disable one"),
    "settings": BuiltIn("lab.cli.commands.settings", "explain every setting of every card, with default and bounds"),
    "sizes": BuiltIn(
        "lab.cli.commands.sizes",
        "list the presets' sizes, from laptop to paper scale, with counts",
        ("plugins", "progress"),
    ),
    "examples": BuiltIn(
        "lab.cli.commands.learning.examples",
        "list, show or check the worked examples of the lectures, computed step by step",
        ("progress",),
    ),
    "graph": BuiltIn(
        "lab.cli.commands.learning.graph",
        "compute an expression, or a training step of a run, as a graph: values, adjoints or tangents node by node",
        ("plugins", "progress"),
    ),
    "download": BuiltIn(
        "lab.cli.commands.data.download", "list the texts that can be fetched, or fetch one", ("progress",)
    ),
    "doctor": BuiltIn(
        "lab.cli.commands.doctor",
        "check this machine: versions, devices, folders, plugins, a short training; 1 if something is wrong",
        ("plugins", "progress"),
    ),
    "bench": BuiltIn("lab.cli.commands.bench", "measure the speed of the lab, as ratios", ()),
}
"""The built-in commands by name, in the order of the help."""


def module_of(name: str) -> Any:
    """Import the module of a built-in command; a start of the window imports none of them."""
    return importlib.import_module(BUILT_INS[name].module)


def parser(found: Plugins | None = None, only: str | None = None) -> Parser:
    """Return the parser of all built-in commands and their options.

    Args:
        found: The plugins whose commands are added; None adds none and loads no plugin.
        only: The command whose options are added, "" for none; None adds those of every command.
    """
    top = Parser(
        prog="lm-lab",
        description="A laboratory for language-model architectures. Without a command, the window opens.",
    )
    add_common(top, "before ")
    window.add_arguments(top)
    top.add_argument("--version", action="store_true", help="print the version")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, built_in in BUILT_INS.items():
        command = commands.add_parser(
            name, help=built_in.summary, description=built_in.summary, add_help=name != "train"
        )
        if only is None or only == name:
            add_common(command)
            if name == "train":
                command.add_argument("-h", "--help", action="store_true", help="show this and every setting")
            module_of(name).add_arguments(command)
    if found is not None:
        for card in found.cards("commands").values():
            own = _options_of(card, found)
            if own is not None:
                command = commands.add_parser(card.name, help=card.summary, description=card.summary, parents=[own])
                command.set_defaults(**{BY_PLUGIN: card.name})
    return top


def _options_of(card: Command, found: Plugins) -> Parser | None:
    """Return the options of a plugin's command; None if the plugin raised, which quarantines it."""
    own = Parser(add_help=False)
    add_common(own)
    plugin = found.owner("commands", card.name)
    try:
        if card.add_arguments is not None:
            with put_back(plugin, f"The options of lm-lab {card.name}"):
                card.add_arguments(own)
    except BaseException as error:
        if is_interrupt(error):
            raise
        found.report_failure(plugin, error)
        return None
    return own


def parsed_options(arguments: Sequence[str], found: Plugins | None = None) -> argparse.Namespace:
    """Return the options given before and after the command, together.

    Args:
        arguments: The arguments of the command line.
        found: The plugins whose commands are known; None means only the built-in commands.

    Raises:
        BadInput: An option cannot be read, or is empty: that is a slip (an unset shell variable), not a default.
    """
    try:
        parsed = parser(found, command_of(arguments)).parse_args(arguments)
    except BadInput as error:
        stopped = [
            f"{info.name}: {info.state}"
            for info in (() if found is None else found.listed())
            if info.state != PluginState.ON
        ]
        if not stopped or not error.problem.what.startswith("argument COMMAND:"):
            raise
        remedy = f"A plugin that does not run may provide it ({', '.join(stopped)}), see: lm-lab plugins"
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


def _before_command(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options before the command, and the command and its arguments as `words`.

    Raises:
        BadInput: The options cannot be read.
    """
    first = Parser(add_help=False)
    add_common(first)
    window.add_arguments(first)
    first.add_argument("-h", "--help", action="store_true")
    first.add_argument("words", nargs=argparse.REMAINDER)
    before: argparse.Namespace = first.parse_known_args(arguments)[0]
    return before


def command_of(arguments: Sequence[str]) -> str | None:
    """Return the command in a command line; "" if there is none, None if the line cannot be read."""
    try:
        return str(next(iter(_before_command(arguments).words), ""))
    except BadInput:  # reported where the options are read
        return None


def plugins_for(arguments: Sequence[str]) -> Plugins | None:
    """Load the plugins if the command line needs their commands: for help, or for a command that is not built in.

    Returns:
        The plugins; None if the command is built in or there is none.
    """
    after_command = Parser(add_help=False)
    add_common(after_command)
    try:
        before = _before_command(arguments)
        after, _ = after_command.parse_known_args(before.words[1:])
    except BadInput:
        return None  # reported where the options are read
    if not before.help and (not before.words or before.words[0] in COMMANDS):
        return None
    enable = [*before.enable, *after.enable]
    return Plugins.from_environment(enable=enable, safe_mode=before.safe_mode or after.safe_mode).load()


def with_files_opened(arguments: list[str], commands: Iterable[str] = ()) -> list[str]:
    """Return `lm-lab FILE …`, as a file manager calls it, as `lm-lab --open FILE …`; likewise for a link.

    Args:
        arguments: The arguments of the command line.
        commands: The commands of plugins.
    """
    word = arguments[0] if arguments else ""
    if is_link(word):
        return [part for link in arguments for part in (("--open", link) if is_link(link) else (link,))]
    if word and not word.startswith("-") and word not in (*COMMANDS, *commands) and Path(word).exists():
        return [part for file in arguments for part in ("--open", file)]
    return arguments


def _is_file(arguments: Sequence[str]) -> bool:
    """Return True if the command line names a link, or a file, that cannot be the name of a command."""
    return bool(arguments) and not NAME.fullmatch(arguments[0]) and with_files_opened([*arguments]) != [*arguments]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    SIGTERM and SIGHUP stop and save as Ctrl+C does, within ten seconds. A second Ctrl+C quits at once, and so does a
    second signal, unless it follows the first within two seconds: a terminal that is closed may send several.

    Returns:
        0 if all went well, 2 for bad input, 1 for a failure, 130 after Ctrl+C, 143 after SIGTERM, 129 after SIGHUP.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == [worker.OPTION]:
        return worker.main()
    received: list[int] = []

    def interrupt(number: int) -> None:
        received.append(number)
        if number == signal.SIGINT or len(received) == 1:
            raise KeyboardInterrupt

    status = INTERRUPTED
    with contextlib.suppress(KeyboardInterrupt), on_signals(interrupt):
        status = _main(given)
    return 128 + received[0] if received and status == INTERRUPTED else status


def _main(given: list[str]) -> int:
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
            later = parsed.command is None  # the window opens before plugins are loaded
            found = Plugins.from_environment(enable=parsed.enable, safe_mode=parsed.safe_mode, later=later)
        return _run(parsed, found, given, progress)
    except BadInput as error:
        print_problem(error.problem, as_json=as_json)
        return 2
    except LabError as error:
        print_problem(error.problem, as_json=as_json)
        return 1
    except KeyboardInterrupt:
        if running_jobs():  # a second Ctrl+C: a thread inside torch would make the interpreter abort
            sys.stdout.flush()
            os._exit(INTERRUPTED)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output is gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - an error of ours is reported like any other
        print_problem(problem_of(error, doing="lm-lab"), as_json=as_json)
        return 1
    finally:
        silence()
        undo()


def _run(parsed: argparse.Namespace, found: Plugins, given: list[str], progress: Progress) -> int:
    if parsed.version:
        print_text(f"lm-lab {importlib.metadata.version('lm-lab')}")
        return 0
    sweep_all()
    if parsed.command is not None:  # the window reports them by itself
        report_problems()
    if BY_PLUGIN in parsed:
        return _run_plugin(getattr(parsed, BY_PLUGIN), parsed, found, progress)
    if parsed.command is None:
        return window.run(
            parsed, found, progress, lambda: module_of("train").quick_start(found.load(), progress, as_json=parsed.json)
        )
    module = module_of(parsed.command)
    if parsed.command == "train" and parsed.help:
        own = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
        print_text(own.choices["train"].format_help())
        print_text(module.help_of(parsed, found))
        return 0
    taken = {"plugins": found, "line": ["lm-lab", *given], "progress": progress}
    status: int = module.run(parsed, *(taken[name] for name in BUILT_INS[parsed.command].takes))
    return status


def _run_plugin(name: str, parsed: argparse.Namespace, found: Plugins, progress: Progress) -> int:
    """Run the command of a plugin; errors name the plugin."""
    card: Command = found.card("commands", name)
    context = Context(found, json=parsed.json, progress=progress)
    broken: BrokenPipeError | None = None
    with attributed(found.owner("commands", name), f"lm-lab {name}"):
        try:
            status = load(card.run)(parsed, context)
            code = 0 if status is None else int(status)
        except BrokenPipeError as error:
            broken = error
    progress.clear()
    if broken is not None:
        raise broken
    return code


def program() -> NoReturn:
    """Run a command and end the process with its status."""
    hold_back_compiler()
    leave(main(), print_problem)


if __name__ == "__main__":
    program()
