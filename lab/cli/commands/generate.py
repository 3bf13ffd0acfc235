"""`lm-lab generate`: generate text from a run, after a prompt, or measure ways of decoding it."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.units import finite
from lab.cli.commands.texts.degeneration import print_by_checkpoint, print_degeneration
from lab.cli.commands.texts.lockstep import print_lockstep
from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import Progress, print_json, print_text, printable
from lab.host import Plugins
from lab.recipes import Decoding, merged, parse_assignment
from lab.recipes.assignments import parse_value
from lab.workbench import SavedRun
from lab.workbench.access.generation import Piece, end_label
from lab.workbench.access.next_token import ShownStage, TokenStages
from lab.workbench.scoring.degeneration import PROMPT, TEXTS

if TYPE_CHECKING:
    from lab.api import Draw

SECTIONS = ("strategy", "filters", "stop", "stop_symbols", "end_of_text")
"""First parts of the paths of `--set` that lead into the decoding; all others are settings of filters by name."""
DEFAULT = "sampling"
"""The value of `--sampler` that stands for the default filters."""
OF_ONE_TEXT = (
    "strategy", "filters", "sampler", "set", "temperature", "top_k", "top_p", "stop", "stop_symbol",
    "ignore_end_of_text", "stages", "others",
)  # fmt: skip
"""Options that say how one text is written, and mean nothing for a table."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab generate`."""
    parser.add_argument("run", metavar="RUN", help=f"{RUN_HELP}; RUN@STEP takes a checkpoint of it")
    parser.add_argument("--prompt", metavar="TEXT", help="the start of the text; --table takes the validation text's")
    parser.add_argument("--temperature", metavar="X", help="below 1 sharper, above 1 flatter; 0 takes the likeliest")
    parser.add_argument("--top-k", metavar="N", help="only the N likeliest tokens; 0 means all")
    parser.add_argument("--top-p", metavar="X", help="only the likeliest tokens that together reach this probability")
    parser.add_argument(
        "--strategy",
        metavar="NAME",
        help="sampling, mirostat, greedy, beam-search, stochastic-beams, speculative, contrastive-search; plugins may "
        "add more",
    )
    parser.add_argument(
        "--filter",
        metavar="NAME[=X]",
        action="append",
        default=[],
        dest="filters",
        help="a filter of the distribution, with its first setting; repeated in the order in which they are applied; "
        "without it: temperature, top-k, top-p. --filter none leaves the distribution as it is",
    )
    parser.add_argument("--sampler", metavar="NAME", help="the same as this one --filter, set by --set SETTING=VALUE")
    parser.add_argument(
        "--set",
        metavar="PATH=VALUE",
        action="append",
        default=[],
        help="a setting, as in strategy.width=4 or filters.top-k.k=40; may be repeated",
    )
    parser.add_argument(
        "--stop", metavar="TEXT", action="append", default=[], help="end before this text; may be repeated"
    )
    parser.add_argument(
        "--stop-symbol", metavar="TEXT", action="append", default=[], help="end at this token; may be repeated"
    )
    parser.add_argument(
        "--ignore-end-of-text", action="store_true", help="go on after the symbol for the end of a text"
    )
    parser.add_argument("--average", action="store_true", help="the averaged weights of the run instead of its own")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of this text")
    parser.add_argument("--max-tokens", metavar="N", type=_count, default=200, help="most tokens (200)")
    parser.add_argument(
        "--stages", action="store_true", help="show the next token after the prompt, filter by filter, and its draw"
    )
    parser.add_argument(
        "--beside", metavar="RUN[@STEP]", action="append", default=[], dest="others",
        help="another run, or a checkpoint, that writes in lockstep with the same random numbers; up to three times",
    )  # fmt: skip
    parser.add_argument(
        "--held", action="store_true",
        help="with --beside: all read the text of the first run, so that they predict on the same text",
    )  # fmt: skip
    parser.add_argument(
        "--table", action="store_true", help="measure ways of decoding beside the corpus: perplexity, repetition, …"
    )
    parser.add_argument(
        "--setting", metavar="S", action="append", default=[],
        help="with --table: names of a strategy and of filters, such as greedy, beam-search=8 or "
        "top-k=40,temperature=0.7; may be repeated. Without it, a grid of settings",
    )  # fmt: skip
    parser.add_argument(
        "--checkpoint", metavar="S", action="append", default=[], dest="checkpoints",
        help="with --table: measure at this checkpoint: a step, best, last or all; may be repeated",
    )  # fmt: skip
    parser.add_argument("--texts", metavar="N", type=_count, help=f"with --table: texts each ({TEXTS})")
    parser.add_argument("--prompt-tokens", metavar="N", type=_count, help=f"with --table: tokens read first ({PROMPT})")
    parser.add_argument("--device", metavar="D", default="cpu", help="auto, cpu, cuda, cuda:1, mps")


@named_by_option(
    {
        "training.device": "--device",
        "strategy.name": "--strategy",
        "filters": "--filter",
        "stop": "--stop",
        "stop_symbols": "--stop-symbol",
        "setting": "--setting",
        "checkpoint": "--checkpoint",
        "tokens": "--max-tokens",
    }
)
def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Generate text after a prompt, show the stages of its first token, or measure ways of decoding."""
    saved = SavedRun.find_at(arguments.run, plugins, averaged=arguments.average)
    if arguments.held and not arguments.others:
        raise BadInput("only goes with --beside", field="--held", remedy="Name another run with --beside")
    if arguments.table:
        _measure(saved, arguments, progress)
        return 0
    if arguments.prompt is None:
        raise BadInput("is missing", field="--prompt", remedy="Write how the text begins")
    if arguments.setting:
        raise BadInput("only goes with --table", field="--setting", remedy="Leave it out, or use --strategy")
    if arguments.checkpoints:
        raise BadInput("only goes with --table", field="--checkpoint", remedy="Leave it out")
    for option in ("texts", "prompt_tokens"):
        if getattr(arguments, option) is not None:
            raise BadInput("only goes with --table", field=_named(option), remedy="Leave it out")
    decoding, settings = _decoding(arguments, saved.decoding)
    given = {"seed": arguments.seed, "device": arguments.device, "decoding": decoding, "settings": settings}
    if arguments.others:
        if arguments.stages:
            raise BadInput("does not go with --beside", field="--stages", remedy="Leave it out")
        print_lockstep(
            saved, arguments.run, arguments.others, arguments.prompt, progress, count=arguments.max_tokens,
            held=arguments.held, json=arguments.json, **given,
        )  # fmt: skip
        return 0
    if arguments.stages:
        return _show_stages(saved.stages(arguments.prompt, **given), arguments)
    written: list[Piece] = []
    opening = arguments.prompt + ("\n" if saved.answers else "")
    rereads, started, to_first = 0, time.perf_counter(), 0.0
    for piece in saved.generate(arguments.prompt, count=arguments.max_tokens, **given):
        to_first = to_first or time.perf_counter() - started
        if not arguments.json:
            print_text(piece.text if written else opening + piece.text, end="", exact=True)
        rereads += piece.reread
        written.append(piece)
    seconds = time.perf_counter() - started
    end = written[-1].end if written else None
    figures, texts = (written[-1].figures, written[-1].texts) if written else ({}, ())
    if arguments.json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "prompt": arguments.prompt,
                "text": "".join(piece.text for piece in written),
                "end": {"reason": end.reason, "what": end.what} if end else {"reason": "length", "what": ""},
                "rereads": rereads,
                "cost": {
                    "seconds_to_first_token": to_first,
                    "tokens_per_second": len(written) / seconds if written else None,
                    "state_bytes": written[-1].state_bytes if written else None,
                },
                "figures": {name: finite(value) for name, value in figures.items()},
                "texts": [{"text": text, "score": finite(score)} for text, score in texts],
                "tokens": [
                    {
                        "text": piece.text,
                        "probability": piece.probability,
                        "alternatives": [
                            {"token": label, "probability": share} for label, _text, share in piece.alternatives
                        ],
                    }
                    for piece in written
                ],
            }
        )
    else:
        print_text("" if written else opening)
        if rereads:
            times = "once" if rereads == 1 else f"{rereads} times"
            print_text(f"lm-lab: the context was full {times}; the model continued from the last tokens.", error=True)
        if end is not None and end.reason != "length":
            print_text(f"lm-lab: {end_label(end)}.", error=True)
        if figures:
            shown = ", ".join(f"{name} {value:.3g}" for name, value in figures.items())
            print_text(f"lm-lab: {shown}.", error=True)
    return 0


def _named(option: str) -> str:
    """Return an option as it is written."""
    short = {"filters": "filter", "others": "beside"}
    return f"--{short.get(option, option).replace('_', '-')}"


def _measure(saved: SavedRun, arguments: argparse.Namespace, progress: Progress) -> None:
    """Print the table of degeneration."""
    if arguments.prompt is not None:
        what, remedy = "is given besides --table, whose prompts are pieces of the validation text", "Leave it out"
        raise BadInput(what, field="--prompt", value=arguments.prompt[:40], remedy=remedy)
    for option in OF_ONE_TEXT:
        if getattr(arguments, option) not in (None, [], False):
            remedy = "Leave it out, or name the ways of decoding by --setting"
            raise BadInput("does not go with --table", field=_named(option), remedy=remedy)
    texts = TEXTS if arguments.texts is None else arguments.texts
    prompt = PROMPT if arguments.prompt_tokens is None else arguments.prompt_tokens
    for field, given, least in (
        ("--texts", texts, 2),
        ("--prompt-tokens", prompt, 1),
        ("--max-tokens", arguments.max_tokens, 1),
    ):
        if given < least:
            raise BadInput("is too small for a table", field=field, value=given, allowed=f"{least} or more")
    options: dict[str, Any] = {
        "texts": texts, "prompt": prompt, "tokens": arguments.max_tokens, "seed": arguments.seed,
        "device": arguments.device, "json": arguments.json,
    }  # fmt: skip
    if arguments.checkpoints:
        print_by_checkpoint(saved, arguments.checkpoints, arguments.setting, progress, **options)
    else:
        print_degeneration(saved, arguments.setting, progress, **options)


def _decoding(arguments: argparse.Namespace, usual: Decoding) -> tuple[Decoding, dict[str, Any]]:
    """Return the decoding that the options describe, and the settings that name only a filter.

    Args:
        arguments: The options.
        usual: What holds where an option is not given.

    Raises:
        BadInput: Options exclude each other, or are not allowed.
    """
    sampler = None if arguments.sampler == DEFAULT else arguments.sampler
    named: dict[str, Any] = {}
    table: dict[str, Any] = usual.stored()
    table |= {"stop": [*usual.stop, *arguments.stop], "stop_symbols": [*usual.stop_symbols, *arguments.stop_symbol]}
    table["end_of_text"] = usual.end_of_text and not arguments.ignore_end_of_text
    if arguments.strategy is not None:
        table["strategy"] = {"name": arguments.strategy}
    if arguments.filters or sampler is not None:
        if arguments.filters and sampler is not None:
            raise BadInput("is given besides --filter", field="--sampler", value=sampler, remedy="Use --filter alone")
        table["filters"] = [sampler] if sampler is not None else []
        for one in arguments.filters:
            name, sign, value = one.partition("=")
            if one != "none":
                table["filters"].append(name)
            if sign:
                named[name.replace("-", "_")] = parse_value(value)
    own: dict[str, Any] = {}  # settings of the one sampler, or of filters by their names
    for name in ("temperature", "top_k", "top_p"):
        if getattr(arguments, name) is not None:
            own[name] = getattr(arguments, name)
    for assignment in arguments.set:
        piece = parse_assignment(assignment)
        if next(iter(piece)) in SECTIONS:
            table = merged(table, piece)
        else:
            own = merged(own, piece)
    if sampler is not None:
        table["filters"] = [{"name": sampler, **own}]
        own = {}
    return Decoding.read(table), named | own


def _show_stages(found: TokenStages, arguments: argparse.Namespace) -> int:
    """Print the next token stage by stage."""
    if arguments.json:
        print_json(
            {
                "prompt": arguments.prompt,
                "tokens": list(found.labels),
                "picked": found.picked,
                "stages": [_stage_of(stage) for stage in found.stages],
                "draw": None if found.draw is None else _draw_of(found.draw),
            }
        )
        return 0
    widest = max(len(stage.name) for stage in found.stages)
    columns = [max(6, len(label)) for label in found.labels]
    labels = "  ".join(f"{printable(label):>{width}}" for label, width in zip(found.labels, columns, strict=True))
    print_text(f"{'':<{widest}}  {'left':>7}  {'bits':>6}  {labels}")
    for stage in found.stages:
        row = "  ".join(f"{share:>{width}.4f}" for share, width in zip(stage.probabilities, columns, strict=True))
        print_text(f"{stage.name:<{widest}}  {stage.left:>7,}  {stage.entropy:>6.2f}  {row}")
    print_text(f"picked: {printable(found.labels[found.picked])}{_draw_line(found)}")
    return 0


def _stage_of(stage: ShownStage) -> dict[str, Any]:
    logits = [one if one > -float("inf") else None for one in stage.logits]
    return {
        "name": stage.name, "left": stage.left, "probabilities": list(stage.probabilities), "logits": logits,
        "entropy": stage.entropy, "retained": stage.retained,
    }  # fmt: skip


def _draw_of(draw: Draw) -> dict[str, Any]:
    times = None if draw.times is None else [time if time < float("inf") else None for time in draw.times.tolist()]
    return {"method": draw.method, "uniform": draw.uniform, "interval": draw.interval, "times": times}


def _draw_line(found: TokenStages) -> str:
    """Return how the token was chosen, as the end of a line."""
    draw = found.draw
    if draw is None:
        return ""
    if draw.uniform is not None and draw.interval is not None:
        low, high = draw.interval
        return f", by {draw.method}: {low:.6f} ≤ {draw.uniform:.6f} < {high:.6f}"
    if draw.times is not None:
        return f", by {draw.method}: it came first, at {float(draw.times[found.picked]):.6f}"
    return f", by {draw.method}"


def _count(text: str) -> int:
    """Return the integer in a text, at least 0."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not allowed. Allowed: whole number, 0 ≤ x")
    return number
