"""`lm-lab scaling`: fit a scaling law to a table of runs, or compute what a budget of compute buys."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.extras import need
from lab.base.files.writing import check_output, named_by_user, write_file
from lab.base.folders import resources
from lab.base.units import finite, short
from lab.cli.options import add_common
from lab.cli.output import print_json, print_text
from lab.cli.table import print_pairs, print_table

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from lab.studies.scaling import FitOptions, Frontier, Interval, ScalingFit, ScalingTable

FORMS = ("chinchilla", "kaplan", "isoflop", "envelope", "data-constrained")
SYMBOLS = ("N", "D", "C", "U", "L")
FIXED = 4
"""Decimals of a loss."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab scaling`."""
    actions = parser.add_subparsers(dest="what", metavar="WHAT", title="what to do", required=True)
    fit = actions.add_parser(
        "fit",
        help="fit a law to a table of runs, with intervals",
        description="Fit a law to a CSV file of parameters (N), tokens (D), compute (C), unique tokens (U), loss (L).",
    )
    add_common(fit, again=True)
    tables = ", ".join(_tables())
    fit.add_argument(
        "file", help=f"a CSV file whose first line names its columns, or the runs of a study of the lab: {tables}"
    )
    fit.add_argument("--form", choices=FORMS, default=FORMS[0], help=f"the law ({FORMS[0]})")
    fit.add_argument(
        "--column",
        metavar="SYMBOL=NAME",
        action="append",
        default=[],
        help='the column of a symbol where its name is not recognised: --column N="Model Size"',
    )
    fit.add_argument("--loss", metavar="NAME", default="huber", help="loss of the fit: huber, or squares (huber)")
    fit.add_argument("--delta", metavar="X", type=float, default=1e-3, help="residual where Huber's loss bends (0.001)")
    fit.add_argument("--leave-out", metavar="ROWS", help='rows that are left out: "3,7-9"; the first has the number 1')
    fit.add_argument("--resamples", metavar="N", type=int, default=1000, help="resamples for the intervals (1000)")
    fit.add_argument("--level", metavar="X", type=float, default=0.95, help="share of the intervals (0.95)")
    fit.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the resamples (0)")
    fit.add_argument(
        "--predict",
        metavar="N=X,D=Y",
        action="append",
        default=[],
        help="predict the loss at these amounts, with its band",
    )
    fit.add_argument("--flops", metavar="C", type=float, help="also give the best size and tokens of this compute")
    fit.add_argument("--reach", metavar="LOSS", type=float, help="with --read: the loss that is to be reached")
    fit.add_argument(
        "--read", metavar="TOKENS", type=float, help="with --reach: tokens that the model will read in use"
    )
    fit.add_argument("--picture", metavar="FILE", help="also draw the rows and a law of N and D, as SVG or PDF")
    fit.add_argument("--overwrite", action="store_true", help="replace an existing picture")
    compute = actions.add_parser(
        "compute",
        help="compute size, tokens and operations from one or two of them",
        description="C = 6 N D; of one amount alone, with 20 tokens per parameter. Published models stand beside it.",
    )
    add_common(compute, again=True)
    compute.add_argument("--parameters", metavar="N", type=float, help="parameters")
    compute.add_argument("--tokens", metavar="D", type=float, help="tokens of the training")
    compute.add_argument("--flops", metavar="C", type=float, help="operations of the training")


def _tables() -> dict[str, Traversable]:
    """Return the tables of runs that come with the lab, by the names of their studies."""
    files = sorted((resources() / "studies").iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".csv"): file for file in files if file.name.endswith(".csv")}


def run(arguments: argparse.Namespace) -> int:
    """Fit or compute, and print what was found.

    Raises:
        BadInput: An option or the file cannot be used.
    """
    if arguments.what == "compute":
        return _compute(arguments)
    from lab.studies.scaling import FORMS as JOINT
    from lab.studies.scaling import FitOptions, fit_envelope, fit_isoflops, fit_law, parse_table, read_table
    from lab.studies.scaling.table import rows_of

    options = FitOptions(arguments.loss, arguments.delta, arguments.resamples, arguments.level, arguments.seed)
    shipped, columns = _tables().get(arguments.file), _columns(arguments.column)
    if shipped is not None:
        table = parse_table(shipped.read_text(encoding="utf-8"), columns, name=shipped.name)
    else:
        table = read_table(Path(arguments.file).expanduser(), columns)
    if arguments.leave_out is not None:
        table = table.without(rows_of(arguments.leave_out))
    if arguments.picture is not None:
        _check_picture(arguments)
    if arguments.form in JOINT:
        return _show_fit(arguments, _fitted(arguments.form, table, options, fit_law), table, options)
    found = fit_isoflops(table, options) if arguments.form == "isoflop" else fit_envelope(table, options)
    _refuse(arguments, "predict", "flops", "reach", "read", "picture")
    if arguments.json:
        print_json({**_head(arguments, table, options), **_frontier(found)})
    else:
        _print_frontier(found)
    return 0


def _check_picture(arguments: argparse.Namespace) -> None:
    """Check that a picture can be written, before the fit.

    Raises:
        BadInput: Its name has another form, it exists, or what draws it is not installed.
    """
    need("PySide6", "window", "A picture")
    need("matplotlib", "figures", "A picture")
    from lab.cli.commands.studies.law_picture import check_picture

    picture = Path(arguments.picture).expanduser()
    check_picture(picture)
    check_output(picture, overwrite=arguments.overwrite, field="--picture")


def _fitted(form: str, table: ScalingTable, options: FitOptions, fit: Any) -> ScalingFit | None:
    """Return the joint fit; None for Kaplan's laws of a table that has no sizes or no tokens, which has single laws."""
    if form == "kaplan" and not {"N", "D"} <= table.columns.keys():
        return None
    fitted: ScalingFit = fit(form, table, options)
    return fitted


def _show_fit(arguments: argparse.Namespace, fit: ScalingFit | None, table: ScalingTable, options: FitOptions) -> int:
    from lab.studies.scaling import fit_single_laws

    single = fit_single_laws(table, options) if arguments.form == "kaplan" else None
    if fit is None:
        assert single is not None
        _refuse(arguments, "predict", "flops", "reach", "read", "picture")
        if arguments.json:
            print_json({**_head(arguments, table, options), "single": _frontier(single)})
        else:
            _print_frontier(single)
        return 0
    if fit.form.name != "chinchilla":
        _refuse(arguments, "flops", "reach", "read")
    if (arguments.reach is None) != (arguments.read is None):
        raise BadInput("--reach and --read go together", field="--reach", remedy="Give both, or neither")
    predicted = [(at, fit.predict(at)) for at in map(_amounts, arguments.predict)]
    found: dict[str, Any] = _joint(fit)
    if predicted:
        found["predictions"] = [
            {
                "at": at,
                "loss": one.loss.as_dict(),
                "spread": one.spread,
                "factors": one.factors,
                "warning": one.warning or None,
            }
            for at, one in predicted
        ]
    if arguments.flops is not None:
        found["optimum"] = _optimum(fit, arguments.flops)
    if arguments.reach is not None:
        found["with_inference"] = _with_inference(fit, arguments.reach, arguments.read)
    if single is not None:
        found["single"] = _frontier(single)
    if arguments.picture is not None:
        from lab.cli.commands.studies.law_picture import picture_of

        picture = Path(arguments.picture).expanduser()
        with named_by_user():
            write_file(picture, picture_of(fit, picture))
    if arguments.json:
        print_json({**_head(arguments, table, options), **found})
        return 0
    _print_fit(fit, found)
    if single is not None:
        print_text()
        _print_frontier(single)
    return 0


def _head(arguments: argparse.Namespace, table: ScalingTable, options: FitOptions) -> dict[str, Any]:
    return {
        "form": arguments.form,
        "rows": len(table.loss),
        "left_out": list(table.left_out),
        "loss": options.loss,
        "delta": options.delta if options.loss == "huber" else None,
        "resamples": options.resamples,
        "level": options.level,
    }


def _joint(fit: ScalingFit) -> dict[str, Any]:
    names, matrix = fit.correlation
    residuals = fit.residuals
    return {
        **{name: value.as_dict() for name, value in fit.values.items()},
        "formula": fit.form.formula,
        "correlation": {"names": names, "matrix": [[round(float(one), 4) for one in row] for row in matrix]},
        "residuals": {
            "rows": fit.table.rows.tolist(),
            "ln_loss": [float(one) for one in residuals],
            "spread": fit.spread,
        },
        "objective": fit.objective,
        "starts": fit.starts,
        "agreeing": fit.agreeing,
        "warnings": fit.warnings,
    }


def _frontier(found: Frontier) -> dict[str, Any]:
    points = {name: [finite(float(one)) for one in values] for name, values in found.points.items()}
    values = {name: value.as_dict() for name, value in found.values.items()}
    return {**values, "points": points, "warnings": found.warnings}


def _optimum(fit: ScalingFit, flops: float) -> dict[str, Any]:
    from lab.studies.scaling import budget_of, compute_optimal

    budget_of(flops=flops)  # checks it
    best = compute_optimal(fit.form.values(fit.parameters), flops)
    drawn = compute_optimal(fit.form.values(fit.resampled), flops)
    found = {name: fit.interval(float(best[name]), drawn[name]) for name in best}
    ratio = fit.interval(float(best["tokens"] / best["parameters"]), drawn["tokens"] / drawn["parameters"])
    beyond = flops / float(fit.table.columns["C"].max())
    return {
        "flops": flops,
        **{name: value.as_dict() for name, value in found.items()},
        "tokens_per_parameter": ratio.as_dict(),
        "factor": beyond,
    }


def _with_inference(fit: ScalingFit, loss: float, read: float) -> dict[str, Any]:
    from lab.studies.scaling import compute_with_inference

    values = {name: float(value) for name, value in fit.form.values(fit.parameters).items()}
    used, unused = compute_with_inference(values, loss, read), compute_with_inference(values, loss, 0.0)
    return {
        "loss": loss,
        "read": read,
        "parameters": used.parameters,
        "tokens": used.tokens,
        "flops": used.flops,
        "tokens_per_parameter": used.tokens_per_parameter,
        "without_use": {"parameters": unused.parameters, "tokens": unused.tokens, "flops": unused.flops},
    }


def _print_fit(fit: ScalingFit, found: dict[str, Any]) -> None:
    print_text(f"{fit.form.formula}   ({fit.form.source})")
    print_table(
        ("", "value", f"{fit.options.level:.0%} interval"),
        [(name, _number(value.value), _interval(value)) for name, value in fit.values.items()],
        right=(False, True, True),
    )
    names, matrix = fit.correlation
    print_text()
    rows = [(name, *(f"{value:+.2f}" for value in row)) for name, row in zip(names, matrix, strict=True)]
    print_table(("correlation", *names), rows, right=(False, *(True for _ in names)))
    print_text()
    residuals = fit.residuals
    worst = max(range(len(residuals)), key=lambda index: abs(residuals[index]))
    pairs = [
        ("rows", f"{len(residuals)}" + (f", left out {len(fit.table.left_out)}" if fit.table.left_out else "")),
        (
            "spread of ln L",
            f"{fit.spread:.2%}; the largest residual is {residuals[worst]:+.2%}, of row {fit.table.rows[worst]}",
        ),
        ("minimum", f"{fit.objective:.6g}, which {fit.agreeing} of {fit.starts} starts came to"),
    ]
    for one in found.get("predictions", ()):
        at = ", ".join(f"{name} {value:.4g}" for name, value in one["at"].items())
        low, high = one["loss"]["interval"]
        text = f"{one['loss']['value']:.{FIXED}f}, {low:.{FIXED}f} to {high:.{FIXED}f}"
        pairs.append((f"loss at {at}", text + (f"; {one['warning']}" if one["warning"] else "")))
    if "optimum" in found:
        best = found["optimum"]
        text = f"N {short(best['parameters']['value'])}, D {short(best['tokens']['value'])}, "
        text += (
            f"{best['tokens_per_parameter']['value']:.3g} tokens per parameter, loss {best['loss']['value']:.{FIXED}f}"
        )
        text += f"; {best['factor']:.3g} times the largest compute here" if best["factor"] > 1 else ""
        pairs.append((f"best at {best['flops']:.3g} FLOPs", text))
    if "with_inference" in found:
        used = found["with_inference"]
        text = (
            f"N {short(used['parameters'])}, D {short(used['tokens'])}, {used['tokens_per_parameter']:.3g} tokens per "
        )
        text += f"parameter; without use N {short(used['without_use']['parameters'])}"
        pairs.append((f"least compute for loss {used['loss']:g} and {short(used['read'])} tokens in use", text))
    print_pairs(pairs)
    _print_warnings(fit.warnings)


def _print_frontier(found: Frontier) -> None:
    titles = {"isoflop": "minima of parabolas at each compute", "envelope": "envelope of the training curves"}
    print_text(titles.get(found.name, "L = (X_c/X)^alpha_X, each where the others limit least"))
    rows = [(name, _number(value.value), _interval(value)) for name, value in found.values.items()]
    print_table(("", "value", "interval"), rows, right=(False, True, True))
    if found.name == "isoflop":
        print_text()
        points = list(zip(*found.points.values(), strict=True))
        cells = [tuple(f"{one:.4g}" for one in point) for point in points]
        print_table(tuple(found.points), cells, right=(True,) * len(found.points))
    _print_warnings(found.warnings)


def _print_warnings(warnings: list[str]) -> None:
    for warning in warnings:
        print_text(f"note: {warning}")


def _interval(value: Interval) -> str:
    return f"{_number(value.low)} to {_number(value.high)}"


def _number(value: float) -> str:
    return f"{value:.4g}" if math.isfinite(value) else "unknown"


def _columns(given: list[str]) -> dict[str, str]:
    found = {}
    for one in given:
        symbol, sign, name = one.partition("=")
        if not sign or symbol.strip() not in SYMBOLS or not name.strip():
            raise BadInput("is not SYMBOL=NAME", field="--column", value=one, allowed=f"{', '.join(SYMBOLS)}")
        found[symbol.strip()] = name.strip()
    return found


def _amounts(text: str) -> dict[str, float]:
    """Return the amounts in "N=1e9,D=2e10".

    Raises:
        BadInput: It is no such list.
    """
    from lab.studies.scaling.table import LARGEST_AMOUNT, SMALLEST

    found = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            found[name.strip()] = math.nan
    if not all(name in SYMBOLS and SMALLEST <= value <= LARGEST_AMOUNT for name, value in found.items()):
        raise BadInput("is not a list of amounts", field="--predict", value=text, allowed="such as N=1e9,D=2e10")
    return found


def _refuse(arguments: argparse.Namespace, *options: str) -> None:
    """Raise BadInput if an option was given that this form has no use for."""
    for option in options:
        if getattr(arguments, option):
            needed = "a joint law" if option in ("predict", "picture") else "--form chinchilla"
            raise BadInput(f"needs {needed}", field=f"--{option}", value=getattr(arguments, option))


def _compute(arguments: argparse.Namespace) -> int:
    from lab.studies.scaling import PUBLISHED, budget_of

    found = budget_of(parameters=arguments.parameters, tokens=arguments.tokens, flops=arguments.flops)
    published = [(one.name, budget_of(parameters=one.parameters, tokens=one.tokens)) for one in PUBLISHED]
    if arguments.json:
        print_json({**_budget(found), "published": [{"name": name, **_budget(one)} for name, one in published]})
        return 0
    rows = [
        (name, short(one.parameters), short(one.tokens), f"{one.flops:.3g}", f"{one.tokens_per_parameter:.3g}")
        for name, one in sorted([("this", found), *published], key=lambda each: each[1].flops)
    ]
    titles = ("", "parameters", "tokens", "FLOPs (6ND)", "tokens per parameter")
    print_table(titles, rows, right=(False, True, True, True, True))
    return 0


def _budget(one: Any) -> dict[str, float]:
    return {
        "parameters": one.parameters,
        "tokens": one.tokens,
        "flops": one.flops,
        "tokens_per_parameter": one.tokens_per_parameter,
    }
