"""The suite for cards other than models: every check of a corpus, a tokenizer, an objective and so on."""

from __future__ import annotations

from typing import Any

from lab.api import Architecture, BadInput, ModelConfig, NoSettings, Registration, Source
from lab.host.card_checks import check_card
from lab.testing.check import Check, Failure

# imported for the checks they define, in reading order
from lab.testing.checks import adapters, common, formats, text_choice, texts, training, use  # noqa: F401
from lab.testing.registration_case import KINDS, REGISTRATION_CHECKS, RegistrationCase
from lab.testing.trial import Trial


def registration_checks(kind: str) -> tuple[Check, ...]:
    """Return every check of a kind of card: its name and requirement.

    Raises:
        BadInput: There is no such kind, or it is a kind of models.
    """
    if kind not in KINDS:
        raise BadInput("is not a kind of card that is checked here", field="kind", value=kind, allowed=", ".join(KINDS))
    return tuple(REGISTRATION_CHECKS[kind].values())


def registration_trials(
    kind: str,
    card: Registration,
    config: ModelConfig | None = None,
    *,
    text: str | None = None,
    source: Source | None = None,
    model: Any = None,
    architecture: Architecture | None = None,
) -> list[Trial]:
    """Return every check of one card as trials; if the host refuses the card, only the check that reports this.

    Args:
        kind: The kind that it is registered as, the last part of its hook ("tokenizers").
        card: The card.
        config: The settings; None means the defaults.
        text: For a tokenizer: the text it is fitted to; None means a text in several scripts, or one in English if the
            tokenizer refuses that.
        source: For an objective: the source that it reads; None means a tiny source of the kind that it needs.
        model: For a probe, an intervention or an objective: a model that it supports; None means tiny ones. For a
            checkpoint format: one whose settings it can express; None means the defaults or a preset of its
            architecture.
        architecture: For a checkpoint format: the architecture it names; None means the lab's own of that name.

    Raises:
        BadInput: There is no such kind, or settings have no default and no config is given.
    """
    checks, given = {check.name: check for check in registration_checks(kind)}, config
    try:
        check_card(kind, card, plugin="")
    except BadInput:
        checks, given = {"card": checks["card"]}, NoSettings()
    if given is None:
        needed = [name for name, field in card.config.model_fields.items() if field.is_required()]
        if needed:
            raise BadInput(
                "has settings without defaults",
                field=f"{kind}.{card.name}",
                value=", ".join(needed),
                remedy="Pass a config, as in check_registration(kind, card, card.config(…))",
            )
        given = card.config()
    label = "defaults" if config is None else "config"
    case: Any = RegistrationCase(kind, card, label, given, text, source, model, architecture)
    made: dict[str, Trial] = {}

    def trial(name: str) -> Trial:
        if name not in made:
            after = checks[name].after
            made[name] = Trial(case, checks[name], trial(after) if after else None)
        return made[name]

    return [trial(name) for name in checks]


def check_registration(
    kind: str,
    card: Registration,
    config: ModelConfig | None = None,
    *,
    text: str | None = None,
    source: Source | None = None,
    model: Any = None,
    architecture: Architecture | None = None,
) -> list[Failure]:
    """Run every check of one card and return the failures; the arguments are those of `registration_trials`."""
    trials = registration_trials(kind, card, config, text=text, source=source, model=model, architecture=architecture)
    return [trial.failure for trial in trials if not trial.moot and trial.failure is not None]
