"""`lm-lab arpa`: write n-gram models from a run or a text as ARPA files (SRILM, KenLM), and check them on a text."""

from __future__ import annotations

import argparse
import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, Command, CommandContext, read_bytes
from lab.api.commands import RUN_HELP

if TYPE_CHECKING:
    from lab_ngram.arpa import Arpa

ACTIONS = {
    "export": "write the n-gram model of the run SOURCE to FILE",
    "count": "count the characters of the text SOURCE as one sentence, as lmplz does, and write the model to FILE",
    "check": "read the ARPA file SOURCE, and report the likelihood of the text FILE",
}
"""The help of each action, by name."""
LN_10 = math.log(10)
LONGEST = 2**26
"""Most bytes of a text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab arpa`."""
    parser.add_argument("action", choices=ACTIONS, help="; ".join(f"{name}: {what}" for name, what in ACTIONS.items()))
    parser.add_argument("source", metavar="SOURCE", help=f"the input; a run is {RUN_HELP}")
    parser.add_argument("file", metavar="FILE", help="the output, compressed if it ends in .gz; check: the text")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing FILE")
    parser.add_argument("--order", metavar="N", type=int, default=5, help="count: tokens of the longest n-gram (5)")
    parser.add_argument("--smoothing", metavar="NAME", default="modified-kneser-ney", help="count: the smoothing")
    parser.add_argument(
        "--words",
        action="store_true",
        help="check: tokens are words and each line is a sentence; otherwise characters, and the text is one sentence",
    )


def run(arguments: argparse.Namespace, context: CommandContext) -> int:
    """Write or check a file, and print a summary of it.

    Raises:
        BadInput: A file cannot be read or is not an ARPA file, or the run is not of an n-gram model.
    """
    from lab_ngram import arpa  # imports numpy, which no other command of lm-lab --help needs

    path, source = Path(arguments.file).expanduser(), Path(arguments.source).expanduser()
    if arguments.action == "check":
        with _named(source):
            found = arpa.read(source)
        with _named(path):
            text = _text(path)
        result = {**_summary(found), **_checked(found, text, words=arguments.words)}
    else:
        with _named(source):
            found = _exported(arguments.source, context) if arguments.action == "export" else _counted(arguments)
        data = arpa.content(found, compressed=path.suffix == ".gz")
        context.write_file(path, data, overwrite=arguments.overwrite, read=[source])
        result = {"file": str(path.absolute()), **_summary(found)}
    if context.json:
        context.print_json(result)
        return 0
    for name, value in result.items():
        shown = f"{value:.6g}" if isinstance(value, float) else value
        listed = ", ".join(map(str, value)) if isinstance(value, list) else shown
        context.print(f"{name.replace('_', ' '):<32} {listed}")
    return 0


@contextlib.contextmanager
def _named(file: Path) -> Iterator[None]:
    """Let what fails inside the context name a file.

    Raises:
        BadInput: It cannot be read, written or understood.
    """
    try:
        yield
    except (OSError, ValueError) as error:
        what = (error.strerror if isinstance(error, OSError) else None) or error
        what = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else what
        remedy = "Choose a file of text"
        raise BadInput(f"cannot be used: {what}", field="arpa", value=file.name, remedy=remedy) from None


def _summary(found: Arpa) -> dict[str, Any]:
    return {"order": len(found.orders), "ngrams": [len(entries.log10) for entries in found.orders]}


def _exported(source: str, context: CommandContext) -> Arpa:
    """Return the model of a run as an ARPA file.

    Raises:
        BadInput: There is no such run, or its model is not an n-gram model.
    """
    from lab_ngram.arpa import of_model
    from lab_ngram.counts import Counts

    opened = context.open_run(source)
    model: Any = opened.model()
    if not isinstance(getattr(model, "counts", None), Counts):
        raise BadInput(
            "only n-gram models can be written as ARPA files",
            field="architecture",
            value=opened.recipe["architecture"]["name"],
        )
    tokenizer = opened.tokenizer
    labels = [tokenizer.decode([token]) for token in range(model.task.vocabulary_size)]
    names = [
        label if label and "\ufffd" not in label else tokenizer.label(token)  # part of a character has no text
        for token, label in enumerate(labels)
    ]
    return of_model(model.counts, model.smoothed, names)


def _counted(arguments: argparse.Namespace) -> Arpa:
    """Return the model of the characters of a text, counted as one sentence."""
    from lab_ngram.arpa import of_text, word
    from lab_ngram.settings import NgramConfig

    settings = {"order": arguments.order, "smoothing": arguments.smoothing}
    try:
        config = NgramConfig.read(settings, field="")
    except BadInput as error:
        option = f"--{error.problem.field}"
        raise BadInput(replace(error.problem, field=option)) from None
    file = Path(arguments.source).expanduser()
    text = _text(file)
    if not text.strip():
        raise BadInput("is empty", field="SOURCE", value=file.name, remedy="Give a text to count")
    return of_text([word(character) for character in text], config)


def _text(path: Path) -> str:
    return read_bytes(path, LONGEST).decode("utf-8-sig")


def _checked(found: Arpa, text: str, *, words: bool) -> dict[str, Any]:
    """Return the likelihood of a text; the end of a sentence is a token if the file gives ends a probability."""
    from lab_ngram.arpa import END, ZERO, word

    sentences = [line.split() for line in text.splitlines()] if words else [[word(character) for character in text]]
    end = found.indices.get(END, -1)
    unigrams = found.orders[0]
    ends = bool((unigrams.log10[unigrams.tokens[:, 0] == end] > ZERO).any())  # a run's text has no known end
    total, known_total, tokens, unknown = 0.0, 0.0, 0, 0
    for sentence in sentences:
        log10 = found.log10(found.sentence(sentence))[: len(sentence) + ends]
        known = [name in found.indices for name in (*sentence, END)[: len(log10)]]
        total += float(log10.sum())
        known_total += float(log10[known].sum())
        tokens, unknown = tokens + len(log10), unknown + known.count(False)
    return {
        "tokens": tokens,
        "unknown": unknown,
        "ends_scored": ends,
        "log10": total,
        "nats_per_token": -total * LN_10 / tokens if tokens else math.nan,
        "perplexity": _perplexity(total, tokens),
        "perplexity_without_unknown": _perplexity(known_total, tokens - unknown),
    }


def _perplexity(log10: float, tokens: int) -> float:
    per_token = -log10 / tokens if tokens else math.nan
    return math.inf if per_token > 308 else float(10**per_token)


ARPA = Command(
    name="arpa",
    summary="n-gram models as ARPA files: export a run, count a text, check a file on a text",
    run=run,
    add_arguments=add_arguments,
)
