"""Rules about what a training was started with: data, weight decay, and a model that reads the future."""

from __future__ import annotations

from lab.api import Finding, Remedy, RunRecord

OVERLAP = 0.5
"""Share of the validation text that may stand in the training text, too."""
UNSEEN = 0.5
"""Share of the vocabulary that may not occur in the training text."""
LARGE = 256
"""Symbols from which a vocabulary can be too large."""
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
