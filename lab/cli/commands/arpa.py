"""`lm-lab arpa`: n-gram models as files that SRILM and KenLM read: written from a run or a text, asked for a text."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.units import finite
from lab.cli.options import RUN_HELP
from lab.cli.output import print_json
from lab.host import Plugins
from lab.workbench import SavedRun

if TYPE_CHECKING:
    from lab_ngram.arpa import Arpa

ACTIONS = {
    "export": "the n-gram model of the run SOURCE is written to FILE",
    "count": "the characters of the text SOURCE are counted as one sentence, as lmplz does, and written to FILE",
    "check": "the ARPA file SOURCE is read, and tells how likely the text FILE is",
}
"""What each action does, by name."""
LN_10 = math.log(10)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab arpa`."""
    parser.add_argument("action", choices=ACTIONS, help="; ".join(f"{name}: {what}" for name, what in ACTIONS.items()))
    parser.add_argument("source", metavar="SOURCE", help=f"what is read; a run is {RUN_HELP}")
    parser.add_argument("file", metavar="FILE", help="what is written, compressed if it ends in .gz; of check the text")
    parser.add_argument("--order", metavar="N", type=int, default=5, help="of count: tokens of the longest n-gram (5)")
    parser.add_argument("--smoothing", metavar="NAME", default="modified-kneser-ney", help="of count")
    parser.add_argument(
        "--words",
        action="store_true",
        help="of check: the tokens are words, and each line is a sentence; without, characters, and the whole text one",
    )


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Writes or checks a file, and tells what is in it.

    Raises:
        BadInput: A file cannot be read, or is no ARPA file; or the run is of no n-gram model.
    """
    from lab_ngram import arpa  # no other command needs it

    path = Path(arguments.file).expanduser()
    try:
        if arguments.action == "check":
            found = arpa.read(Path(arguments.source).expanduser())
            result = {**_told(found), **_checked(found, path.read_text(encoding="utf-8"), words=arguments.words)}
        else:
            found = _exported(arguments.source, plugins) if arguments.action == "export" else _counted(arguments)
            arpa.write(found, path)
            result = {"file": str(path.absolute()), **_told(found)}
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadInput(f"cannot be used: {what}", field="arpa", value=str(getattr(error, "filename", path))) from None
    if arguments.json:
        print_json({name: finite(value) if isinstance(value, float) else value for name, value in result.items()})
        return 0
    for name, value in result.items():
        shown = f"{value:.6g}" if isinstance(value, float) else value
        print(f"{name.replace('_', ' '):<32} {', '.join(map(str, value)) if isinstance(value, list) else shown}")
    return 0


def _told(found: Arpa) -> dict[str, Any]:
    return {"order": len(found.orders), "ngrams": [len(entries.log10) for entries in found.orders]}


def _exported(source: str, plugins: Plugins) -> Arpa:
    """The model of a run."""
    from lab_ngram.arpa import of_model
    from lab_ngram.counts import Counts

    saved = SavedRun.find(source, plugins)
    model: Any = saved.model()
    if not isinstance(getattr(model, "counts", None), Counts):
        raise BadInput(
            "only n-gram models can be written as ARPA files",
            field="architecture",
            value=saved.recipe.architecture.name,
        )
    labels = [saved.tokenizer.decode([token]) for token in range(model.task.vocabulary_size)]
    whole = ("\ufffd" not in label and label for label in labels)
    names = [
        label if fits else saved.tokenizer.label(token)
        for token, (label, fits) in enumerate(zip(labels, whole, strict=True))
    ]
    return of_model(model.counts, model.smoothed, names)


def _counted(arguments: argparse.Namespace) -> Arpa:
    """The characters of a text, as one sentence."""
    from lab_ngram import NgramConfig
    from lab_ngram.arpa import of_text, word

    settings = {"order": arguments.order, "smoothing": arguments.smoothing}
    config = NgramConfig.read(settings, field="--")
    text = Path(arguments.source).expanduser().read_text(encoding="utf-8")
    return of_text([word(character) for character in text], config)


def _checked(found: Arpa, text: str, *, words: bool) -> dict[str, Any]:
    """How likely a text is; the end of each sentence is a token, unless the file gives ends no probability."""
    from lab_ngram.arpa import END, ZERO, word

    sentences = [line.split() for line in text.splitlines()] if words else [[word(character) for character in text]]
    place = found.places.get(END, -1)
    unigrams = found.orders[0]
    ends = bool((unigrams.log10[unigrams.tokens[:, 0] == place] > ZERO).any())  # of a run's text the end is unknown
    total, known_total, tokens, unknown = 0.0, 0.0, 0, 0
    for sentence in sentences:
        log10 = found.log10(found.sentence(sentence))[: len(sentence) + ends]
        known = [name in found.places for name in (*sentence, END)[: len(log10)]]
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
