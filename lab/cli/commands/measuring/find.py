"""`lm-lab find`: try a recipe for some steps, and suggest a learning rate, a batch size, or whether a width holds."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.units import finite, short
from lab.cli.commands.train import add_recipe_arguments, origin_of
from lab.cli.options import add_common
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.workbench.analysis.finders import Finder

if TYPE_CHECKING:
    from lab.training.finders.batches import BatchTest
    from lab.training.finders.noise import NoiseTest
    from lab.training.finders.rates import RateTest

SHOWN = 16
"""Most rates of a range test that are printed."""
WIDTHS = "64,128,256"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab find`."""
    actions = parser.add_subparsers(dest="what", metavar="WHAT", title="what to find", required=True)

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        add_common(action, again=True)
        add_recipe_arguments(action)
        return action

    rate = add("rate", "a learning rate: it grows from step to step until the loss is lost (range test)")
    rate.add_argument("--lowest", metavar="RATE", type=float, help="the first learning rate")
    rate.add_argument("--highest", metavar="RATE", type=float, help="the last learning rate")
    rate.add_argument("--trial", metavar="N", type=int, help="steps of the trial")
    batch = add("batch", "a batch size: the sizes that fit into memory, and their speeds")
    batch.add_argument("--largest", metavar="N", type=int, help="the largest size to try, in examples")
    noise = add("noise", "the gradient noise scale, and the critical batch size that follows from it")
    noise.add_argument("--trial", metavar="N", type=int, help="steps of training during which it is measured")
    width = add("width", "whether a learning rate holds at other widths: the coordinate check, and a sweep")
    width.add_argument("--widths", metavar="A,B,C", default=WIDTHS, help=f"the widths to compare ({WIDTHS})")
    width.add_argument("--trial", metavar="N", type=int, help="steps after which activations are compared")
    width.add_argument("--rates", metavar="A,B,C", help="learning rates with which every width is also trained")


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """Try, and print what was found.

    Raises:
        BadInput: An option cannot be used.
        LabError: A step failed.
    """
    plugins = plugins.load()
    finder = Finder(
        origin_of(arguments, plugins), plugins, lambda share, doing: progress.show(f"{doing} … {share:.0%}")
    )
    find: dict[str, Callable[[argparse.Namespace, Finder], tuple[dict[str, Any], Callable[[], None]]]] = {
        "rate": _rate,
        "batch": _batch,
        "noise": _noise,
        "width": _width,
    }
    found, show = find[arguments.what](arguments, finder)
    progress.clear()
    if arguments.json:
        print_json(found)
    else:
        show()
    return 0


def _given(arguments: argparse.Namespace, **options: str) -> dict[str, Any]:
    """Return the options that were given, by the names of the finder's."""
    found = {name: getattr(arguments, option) for name, option in options.items()}
    return {name: value for name, value in found.items() if value is not None}


def _rate(arguments: argparse.Namespace, finder: Finder) -> tuple[dict[str, Any], Callable[[], None]]:
    test = finder.rate(**_given(arguments, lowest="lowest", highest="highest", steps="trial"))

    def show() -> None:
        every = max(1, -(-len(test.rates) // SHOWN))
        rows = [
            (f"{rate:.2g}", f"{loss:.4f}") for rate, loss in list(zip(test.rates, test.smoothed, strict=True))[::every]
        ]
        print_table(("learning rate", "loss"), rows, right=(True, True))
        print_text(rate_line(test))

    return asdict(test), show


def rate_line(test: RateTest) -> str:
    """Return the suggestion of a range test, with its reason."""
    from lab.training.finders.rates import BELOW, Reason

    if test.suggestion is None:
        return "no suggestion: the loss falls at none of these rates"
    use = f"suggestion: --set training.optimizer.learning_rate={test.suggestion:.2g}"
    if test.reason is Reason.STILL_FALLS:
        return f"{use}, at which the loss still falls: a larger --highest may find a larger one"
    return f"{use}, which is {test.lowest:.2g}, where the loss is lowest, divided by {BELOW:g}"


def _batch(arguments: argparse.Namespace, finder: Finder) -> tuple[dict[str, Any], Callable[[], None]]:
    test = finder.batch(**_given(arguments, largest="largest"))

    def show() -> None:
        rows = [
            (
                str(one.size),
                f"{1000 * one.seconds:.3g} ms",
                short(one.tokens_per_second),
                f"{short(one.bytes)}B" if one.bytes else "",
            )
            for one in test.speeds
        ]
        print_table(("batch", "step", "tokens/s", "activations"), rows, right=(True, True, True, True))
        print_text(batch_line(test))

    return asdict(test), show


def batch_line(test: BatchTest) -> str:
    """Return the suggestion of the batch finder, with its reason."""
    ends = {
        "memory": f"{2 * test.largest} would not fit into memory",
        "slower": f"larger ones than {test.largest} are slower",
        "largest": f"{test.largest} is the largest that was tried",
        "cancelled": "the test was cancelled",
    }
    use = f"suggestion: --set training.batch_size={test.suggestion}"
    return f"{use}, the smallest that is within 5 % of the fastest; {ends[test.ended]}"


def _noise(arguments: argparse.Namespace, finder: Finder) -> tuple[dict[str, Any], Callable[[], None]]:
    test = finder.noise(**_given(arguments, steps="trial"))
    scales = [{**asdict(one), "examples": finite(one.examples), "error": finite(one.error)} for one in test.scales]

    def show() -> None:
        rows = [
            (
                str(one.step),
                f"{one.loss:.4f}",
                _number(one.examples),
                _number(one.error),
                _number(one.examples * test.context_length),
            )
            for one in test.scales
        ]
        print_table(("step", "loss", "noise scale", "±", "in tokens"), rows, right=(True,) * 5)
        print_text(noise_line(test))

    return {"scales": scales, "critical": finite(test.critical), "batch_size": test.batch_size}, show


def noise_line(test: NoiseTest) -> str:
    """Return what the noise scale says about the batch size of the recipe."""
    return noise_sentence(test.critical, test.batch_size)


def noise_sentence(critical: float, batch_size: int) -> str:
    """Return what a noise scale in examples says about a batch size."""
    if finite(critical) is None:
        return "the mean gradient is not told from noise: train for longer (--trial), or use larger batches"
    use = f"critical batch size: {critical:.3g} examples"
    if batch_size < critical:
        return f"{use}; {batch_size} is below it: larger batches take fewer steps for about as many examples"
    return f"{use}; {batch_size} is above it: larger batches read more examples for few steps less"


def _width(arguments: argparse.Namespace, finder: Finder) -> tuple[dict[str, Any], Callable[[], None]]:
    widths = [int(value) for value in _numbers(arguments.widths, "--widths", int)]
    rates = _numbers(arguments.rates, "--rates", float) if arguments.rates else []
    check = finder.coordinates(widths, **_given(arguments, steps="trial"))
    swept = finder.sweep(widths, rates) if rates else None
    found: dict[str, Any] = {**asdict(check), "holds": check.holds}
    found["exponents"] = {name: finite(value) for name, value in check.exponents.items()}
    if swept is not None:
        found["losses"] = {str(width): [finite(loss) for loss in losses] for width, losses in swept.losses.items()}
        found |= {"rates": swept.rates, "best": {str(width): rate for width, rate in swept.best.items()}}

    def show() -> None:
        rows = [
            (name, *(f"{value:.3g}" for value in changes), f"{check.exponents[name]:+.2f}")
            for name, changes in check.changes.items()
        ]
        titles = ("change of", *(f"width {width}" for width in check.widths), "exponent")
        print_table(titles, rows, right=(False, *(True for _ in titles[1:])))
        print_text(
            "the changes do not depend on width: a learning rate holds"
            if check.holds
            else "the changes depend on width: a learning rate of one width is not that of another"
        )
        if swept is not None:
            rows = [
                (str(width), *(f"{loss:.4f}" for loss in losses), f"{swept.best[width]:.3g}")
                for width, losses in swept.losses.items()
            ]
            titles = ("width", *(f"{rate:.3g}" for rate in swept.rates), "best")
            print_table(titles, rows, right=tuple(True for _ in titles))

    return found, show


def _numbers(text: str, option: str, kind: type[Any]) -> list[Any]:
    """Return the numbers that a text lists with commas.

    Raises:
        BadInput: One of them is none.
    """
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise BadInput("lists no numbers", field=option, value=text, allowed="numbers with commas") from None


def _number(value: float) -> str:
    return "∞" if finite(value) is None else f"{value:.3g}"
