"""The questions and costs of the gallery, in words."""

from __future__ import annotations

from lab.shell.inspect.gallery.entries import ALL, OTHER, OWN, Cost, Entry
from lab.widgets.core.i18n import number_text, tr, tr_registered


def question_label(view: str) -> str:
    """Return the words of a question, or of OWN, ALL and OTHER."""
    labels = {
        OWN: tr("My selection"),
        ALL: tr("All"),
        "attention": tr("What does it attend to?"),
        "memory": tr("What does it remember?"),
        "work": tr("Who does the work?"),
        "gradient": tr("Where does the gradient go?"),
        "prediction": tr("What does it predict?"),
        OTHER: tr("Other"),
    }
    return labels[view]


def question_hint(view: str) -> str:
    """Return what is shown where a question is selected."""
    hints = {
        OWN: tr("The cards that you have switched on"),
        ALL: tr("All cards of this model"),
        OTHER: tr("Cards that are not assigned to a question"),
    }
    return hints.get(view) or tr("The cards that answer this question; click again to show those you have hidden")


def short_cost(cost: Cost) -> str:
    """Return a cost in a few words."""
    if cost.kind == "free":
        return tr("free")
    if cost.seconds is not None:
        return _seconds(cost.seconds)
    return tr("one pass") if cost.kind == "pass" else tr("needs model")


def cost_label(cost: Cost) -> str:
    """Return a cost in a sentence without a full stop."""
    labels = {
        "free": tr("Free: recorded while training"),
        "pass": tr("One forward pass of the model"),
        "model": tr("Needs the model"),
    }
    label = labels[cost.kind]
    if cost.kind == "free" or cost.seconds is None:
        return label
    return tr("{label}; it took {time} the last time", label=label, time=_seconds(cost.seconds))


def description(entry: Entry) -> str:
    """Return caption, cost and problem of an entry, line by line."""
    kind = tr("Probe") if entry.is_probe else tr("Reading")
    lines = (tr_registered(entry.caption), f"{kind} · {cost_label(entry.cost)}", entry.problem)
    return "\n".join(line for line in lines if line)


def _seconds(seconds: float) -> str:
    if seconds < 0.1:
        return tr("{n} ms", n=max(1, round(1000 * seconds)))
    return tr("{n} s", n=number_text(seconds, ".1f" if seconds < 10 else ",.0f"))
