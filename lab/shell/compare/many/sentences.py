"""What the place Compare says of two groups of runs, and of a scaling law, in the language of the window."""

from __future__ import annotations

from collections.abc import Mapping

from lab.shell.session.setting_labels import setting_title
from lab.studies.scaling import ScalingFit
from lab.studies.statistics import PairedTest
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.messages import problem_line

DECIMALS = 4
MOST_SHARES = 6
"""Most settings whose importance is named."""


def paired_sentence(test: PairedTest) -> str:
    """Return what a paired test says, as PairedTest.sentence does in English."""
    values = {
        "better": test.better, "other": test.other, "gap": _nats(test.difference), "low": _nats(test.low),
        "high": _nats(test.high),
    }  # fmt: skip
    if test.is_clear:
        lead = tr("{better} is better than {other} by {gap} nats, 95 % {low} to {high}, on the same windows.", **values)
    else:
        lead = tr("{better} and {other} are not told apart: {gap} nats, 95 % {low} to {high}, on the same windows.",
                  **values)  # fmt: skip
    return f"{lead} {_advice(test)}".strip()


def _advice(test: PairedTest) -> str:
    if not test.knows_seeds:
        return tr("How much of it is the seed is not known: train a second seed of both.")
    if test.is_clear:
        return tr("That counts {n} and {m} seeds.", n=test.seeds[0], m=test.seeds[1])
    if test.needs_text:
        return tr("More seeds would not tell, a longer validation text might.")
    if test.more is None:
        return tr("Many more seeds would hardly tell.")
    return tr("{n} more seeds of each would tell, if the difference is as large as it looks.", n=test.more)


def law_sentence(fit: ScalingFit) -> str:
    """Return the parameters of a law with their intervals, and what so small a study forbids to conclude."""
    parts = [
        tr("{name} {value} ({low} to {high})", name=name, value=_figure(value.value), low=_figure(value.low),
           high=_figure(value.high))
        for name, value in fit.fitted.items()
    ]  # fmt: skip
    law = tr("{formula}: {parameters}.", formula=fit.form.formula, parameters="; ".join(parts))
    caution = tr("Fitted to {n} runs. A wide interval, or a law beyond the largest run, supports no conclusion.",
                 n=len(fit.table.loss))  # fmt: skip
    return " ".join([law, caution, *(problem_line(problem) for problem in fit.problems)])


def importance_sentence(shares: Mapping[str, float], runs: int) -> str:
    """Return how much each setting matters, and that it is an estimate."""
    parts = [f"{setting_title(path)} {localized(f'{share:.0%}')}" for path, share in list(shares.items())[:MOST_SHARES]]
    estimate = tr("This is an estimate, by fANOVA of {n} runs; settings that were not varied independently share what "
                  "they explain.", n=runs)  # fmt: skip
    return tr("Importance of the settings for the loss: {shares}.", shares=", ".join(parts)) + f" {estimate}"


def _nats(value: float) -> str:
    return localized(f"{value:.{DECIMALS}f}")


def _figure(value: float) -> str:
    return localized(f"{value:.3g}")
