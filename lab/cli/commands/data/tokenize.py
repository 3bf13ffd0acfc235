"""`lm-lab tokenize`: split a text with several tokenizers, or show the merges of a corpus."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from lab.api import Examples, Rows, Text, Tokenizer, settings_of
from lab.base import BadInput
from lab.base.problems import attributed
from lab.cli.commands import train
from lab.cli.options import named_by_option
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.text.rows.columns import texts_of
from lab.text.tokenizers.merges import Merges, learn_merges
from lab.text.tokenizers.symbols import SymbolTokenizer
from lab.text.tokenizers.views import Cut, letters_in, side_by_side
from lab.training.material import Given, read_corpus
from lab.training.resolution import Resolved, resolve_all

DEFAULT = ("byte", "character", "bpe")
"""The tokenizers used if none is named."""
_SETTINGS = "tokenizer."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab tokenize`."""
    parser.add_argument("words", nargs="?", metavar="TEXT", help="the text to split into tokens")
    parser.add_argument(
        "--corpus",
        metavar="PATH|NAME",
        help="the corpus that the tokenizers are fitted to; without it, the default corpus",
    )
    parser.add_argument(
        "--tokenizer", metavar="NAME", action="append", help=f"may be repeated; by default {', '.join(DEFAULT)}"
    )
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="a setting, such as tokenizer.vocabulary_size=500, for every tokenizer that has it; may be repeated",
    )
    parser.add_argument(
        "--letter", metavar="L", help="show which tokens contain this letter, and whether a model can see it"
    )
    parser.add_argument("--merges", metavar="N", help="print the first N merges of byte pair encoding on the corpus")


@named_by_option({"corpus": "--corpus", "corpus.name": "--corpus", "tokenizer.name": "--tokenizer", "text": "TEXT"})
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Print the tokens with their ids, or with --merges the merges; with --json everything."""
    count = _count(arguments.merges)
    if arguments.words is None and count is None:
        raise BadInput("is missing", field="TEXT", remedy='Give some text: lm-lab tokenize "How many r?"')
    if arguments.letter is not None and len(arguments.letter) != 1:
        raise BadInput("is not one letter", field="--letter", value=arguments.letter, allowed="one character")
    given = _corpus(arguments, plugins)
    result: dict[str, Any] = {"corpus": given.name}
    if count is not None:
        merges = _merges(given, count, progress)
        result["merges"] = [
            {**asdict(step), **{name: merges.label(getattr(step, name)) for name in ("left", "right", "token")}}
            for step in merges.steps
        ]
        if not arguments.json:
            _print_merges(result["merges"])
    if arguments.words is not None:
        fitted = _fitted(given, _resolved(arguments, plugins))
        cuts = side_by_side(arguments.words, fitted)
        result["text"] = arguments.words
        result["tokenizers"] = {name: _as_dict(cut, fitted[name], arguments.letter) for name, cut in cuts.items()}
        if not arguments.json:
            _print_cuts(cuts, fitted, arguments.letter)
    if arguments.json:
        print_json(result)
    return 0


def _count(given: str | None) -> int | None:
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or not 1 <= int(given[:7]) <= 999_999:
        raise BadInput("is not a number of merges", field="--merges", value=given, allowed="1 ≤ N ≤ 999,999")
    return int(given)


def _resolved(arguments: argparse.Namespace, plugins: Plugins, corpus: bool = False) -> dict[str, Resolved]:
    """Resolve the named tokenizers, each with the settings that it has; or only the corpus.

    Raises:
        BadInput: There is no tokenizer of that name, a setting is not allowed, or no tokenizer has it.
    """
    names = ["byte"] if corpus else list(dict.fromkeys(arguments.tokenizer or DEFAULT))
    cards = {name: plugins.card("tokenizers", name, field="--tokenizer") for name in names}
    known = {name: {setting.name for setting in settings_of(card.config)} for name, card in cards.items()}
    others = dict.fromkeys(("recipe", "architecture", "preset", "objective", "steps", "device", "seed", "size"))
    found: dict[str, Resolved] = {}
    for name in names:
        settings = [one for one in arguments.set if not _is_foreign(one, known[name], known.values(), corpus)]
        options = {**others, "corpus": arguments.corpus, "tokenizer": name, "set": settings}
        everything = resolve_all(train.recipe_of(argparse.Namespace(**options), plugins), plugins)
        found[name] = everything["corpus" if corpus else "tokenizer"]
    return found


def _is_foreign(assignment: str, own: set[str], all_known: Any, corpus: bool) -> bool:
    """Return True if a setting belongs only to another tokenizer."""
    path = assignment.partition("=")[0].strip()
    if not path.startswith(_SETTINGS):
        return False
    name = path.removeprefix(_SETTINGS)
    return corpus or (name not in own and any(name in known for known in all_known))


def _corpus(arguments: argparse.Namespace, plugins: Plugins) -> Given:
    return read_corpus(_resolved(arguments, plugins, corpus=True)["byte"])


def _text(given: Given) -> str:
    """Return the text that a tokenizer is fitted to.

    Raises:
        BadInput: The corpus has no text.
    """
    if isinstance(given, Rows):
        text = "\n".join(texts_of(given))
        if text:
            return text
    if isinstance(given, Examples | Rows):
        raise BadInput(
            "has no text, only numbers or symbols of its own",
            field="--corpus",
            value=given.name,
            remedy="Name a corpus that is text",
        )
    return given.text if isinstance(given, Text) else given.beginning


def _merges(given: Given, count: int, progress: Progress) -> Merges:
    merges = learn_merges(_text(given), count, lambda done, total: progress.show(f"merge {done:,} of {total:,}"))
    progress.clear()
    return merges


def _fitted(given: Given, resolved: Mapping[str, Resolved]) -> dict[str, Tokenizer]:
    if isinstance(given, Examples):
        return {"symbol": SymbolTokenizer(given.symbols)}
    fitted: dict[str, Tokenizer] = {}
    for name, one in resolved.items():
        with attributed(one.plugin, one.card.title):
            fitted[name] = one.make(_text(given))
    return fitted


def _as_dict(cut: Cut, tokenizer: Tokenizer, letter: str | None) -> dict[str, Any]:
    letters = [] if letter is None else letters_in(cut.pieces, letter)
    return {
        **({} if letter is None else {"letter": letter, "holding": [asdict(one) for one in letters]}),
        "vocabulary_size": int(tokenizer.vocabulary_size),
        "tokens": len(cut.pieces),
        "tokens_per_byte": cut.tokens_per_byte,
        "pieces": [asdict(piece) for piece in cut.pieces],
    }


def _print_cuts(cuts: Mapping[str, Cut], tokenizers: Mapping[str, Tokenizer], letter: str | None) -> None:
    print_table(
        ("tokenizer", "symbols", "tokens", "per byte"),
        [
            (name, f"{tokenizers[name].vocabulary_size:,}", f"{len(cut.pieces):,}", f"{cut.tokens_per_byte:.3f}")
            for name, cut in cuts.items()
        ],
        right=(False, True, True, True),
    )
    for name, cut in cuts.items():
        print_text(f"\n{name}\n  {'│'.join(piece.label for piece in cut.pieces)}")
        print_text(f"  {' '.join(str(piece.token) for piece in cut.pieces)}")
        if letter is not None:
            found = letters_in(cut.pieces, letter)
            alone, inside = sum(one.visible for one in found), [one for one in found if not one.visible]
            hidden = ", ".join(f"{one.piece.label} ({one.count})" for one in inside)
            print_text(f"  {letter}: {alone} as tokens of their own" + (f", hidden in {hidden}" if hidden else ""))


def _print_merges(merges: list[dict[str, Any]]) -> None:
    print_text(f"{'merge':>7}  {'count':>11}  left + right = token")  # not a table, which would cut long tokens
    for number, step in enumerate(merges, 1):
        print_text(f"{number:>7,}  {step['count']:>11,}  {step['left']} + {step['right']} = {step['token']}")
