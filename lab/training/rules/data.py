"""Rules about what a training was started with: data, weight decay, and a model that reads the future."""

from __future__ import annotations

from lab.api import Finding, Remedy, RunRecord

OVERLAP = 0.5
"""Share of the validation text that may stand in the training text, too."""
UNSEEN = 0.5
"""Share of the vocabulary that may not occur in the training text."""
LARGE = 256
"""Symbols from which a vocabulary can be too large."""
ALIKE = 0.5
"""Distance between successive batches over that between distant ones, below which the order of the data shows."""
LEAK = "the model says that it is causal"
"""The start of the problem of a model that reads later tokens, found at the start of its training."""


def reads_the_future(record: RunRecord) -> list[Finding]:
    """Repeat what the check at the start found about a model that reads the tokens it predicts."""
    for event in record.events:
        what = event.get("what")
        if event.get("event") == "problem" and isinstance(what, str) and what.startswith(LEAK):
            return [
                Finding(
                    "the model reads the tokens that it predicts, so its loss does not measure prediction",
                    0,
                    remedy=str(event.get("remedy") or ""),
                )
            ]
    return []


def validation_in_training(record: RunRecord) -> list[Finding]:
    """Find validation text that stands in the training text, word for word."""
    share = record.facts.get("overlap")
    if not isinstance(share, float) or share <= OVERLAP:
        return []
    what = f"{100 * share:.0f} % of the validation text stands in the training text, too"
    remedy = "The validation loss measures memory here; take a text without repeated parts, or another validation text"
    return [Finding(what, 0, remedy=remedy)]


def unseen_tokens(record: RunRecord) -> list[Finding]:
    """Find a vocabulary of which most symbols never occur."""
    unseen, targets = record.facts.get("unseen"), record.facts.get("targets")
    if not isinstance(unseen, int) or not isinstance(targets, int) or targets < LARGE or unseen <= UNSEEN * targets:
        return []
    what = f"{unseen:,} of {targets:,} symbols of the vocabulary do not occur in the training text"
    remedy = "Their vectors stay random and take memory; a smaller vocabulary, fitted to this text, has none of them"
    remedies: tuple[Remedy, ...] = ()
    if isinstance(record.setting("tokenizer.vocabulary_size"), int):
        changes = {"tokenizer.vocabulary_size": max(LARGE, targets - unseen)}
        remedies = (Remedy(what="A smaller vocabulary", changes=changes, start="beginning"),)
    return [Finding(what, 0, remedy=remedy, remedies=remedies)]


def decayed_norms(record: RunRecord) -> list[Finding]:
    """Find weight decay on the gains and shifts of norms."""
    names = record.facts.get("decayed norms")
    if not isinstance(names, list) or not names:
        return []
    count, first = len(names), names[0]
    what = f"weight decay applies to {count} parameters of norms, such as {first}"
    remedy = "Decay pulls their gains to zero, away from what they are for; leave them out of the decaying group"
    changes = {"training.optimizer.weight_decay": 0.0}
    has_setting = record.setting("training.optimizer.weight_decay") is not None
    remedies = (Remedy(what="No weight decay", changes=changes, start="beginning"),) if has_setting else ()
    return [Finding(what, 0, remedy=remedy, remedies=remedies)]


def not_shuffled(record: RunRecord) -> list[Finding]:
    """Find batches that resemble their neighbours far more than distant ones: the data come in an order."""
    ratio = record.facts.get("neighbours")
    if not isinstance(ratio, float) or not 0 <= ratio < ALIKE:
        return []
    what = (
        f"the data are not shuffled: symbols or classes of successive batches differ {ratio:.2g} times as much as "
        "those of distant ones"
    )
    remedy = "Each stretch of steps then learns one kind of data and forgets the last one; batches should mix all kinds"
    remedies: list[Remedy] = []
    if record.setting("objective.name") == "carried":
        size = record.setting("training.batch_size")
        if isinstance(size, int) and not isinstance(size, bool):
            changes = {"training.batch_size": max(16, 4 * size)}
            remedies.append(
                Remedy(what="More rows, each from its own part of the text", changes=changes, start="beginning")
            )
        shuffled = {"objective.name": "causal"}
        remedies.append(Remedy(what="Windows from anywhere in the text", changes=shuffled, start="beginning"))
    return [Finding(what, 0, remedy=remedy, remedies=tuple(remedies))]


def smoothed_twice(record: RunRecord) -> list[Finding]:
    """Find label smoothing of targets that the predictions of a teacher soften already."""
    smoothing = record.setting("objective.label_smoothing")
    if not isinstance(smoothing, int | float) or isinstance(smoothing, bool) or not smoothing > 0:
        return []
    teacher, weight = record.setting("distillation.teacher"), record.setting("distillation.weight", 0)
    if not teacher or not isinstance(weight, int | float) or not 0 < weight < 1:
        return []
    what = f"the labels are smoothed twice: by ε = {smoothing:g}, and by the predictions of the teacher"
    remedy = (
        "A loss that cannot fall below the entropy of its targets says little, and smoothing takes from a teacher what "
        "it knows of the wrong classes (Müller et al. 2019); smooth once"
    )
    remedies = (Remedy(what="No label smoothing", changes={"objective.label_smoothing": 0.0}, start="beginning"),)
    return [Finding(what, 0, remedy=remedy, remedies=remedies)]
