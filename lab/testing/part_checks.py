"""The suite for cards that are no models, corpora, tokenizers, objectives and so on: as a list of failures or as tests."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from lab.api import BadInput, LabError, ModelConfig, NoSettings, Part, Source

# imported for the checks they define, in the order in which these are best read
from lab.testing import card_checks, text_checks, training_checks, use_checks  # noqa: F401
from lab.testing.check import Broken, Check, Failure, told
from lab.testing.specimen import KINDS, PART_CHECKS, Specimen


@dataclass(frozen=True)
class PartTrial:
    """One check on one card with one config."""

    subject: Specimen
    check: Check
    _done: dict[str, Failure | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        """What its test is called ("defaults-contract")."""
        return f"{self.subject.case}-{self.check.name}"

    def run(self) -> Failure | None:
        """The failure, if there is one; none where the check before it was not passed, which then has one.

        torch's default generators are left as they were.
        """
        if self.check.name not in self._done:
            first = PART_CHECKS[self.subject.kind].get(self.check.after or "")
            misleading = first is not None and not PartTrial(self.subject, first, self._done).passed
            self._done[self.check.name] = None if misleading else self._failure()
        return self._done[self.check.name]

    @property
    def passed(self) -> bool:
        """Whether it was passed, and those that must be passed before."""
        first = PART_CHECKS[self.subject.kind].get(self.check.after or "")
        return self.run() is None and (first is None or PartTrial(self.subject, first, self._done).passed)

    def _failure(self) -> Failure | None:
        names = self.subject.name, self.subject.case, self.check.name
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # what is computed here is slower on several
        try:
            with torch.random.fork_rng(), torch.no_grad():
                torch.manual_seed(0)
                self.check.run(self.subject)
        except Broken as broken:
            return Failure(*names, broken.measured, broken.remedy)
        except LabError as error:  # has words already
            measured, remedy = replace(error.problem, remedy=None).line(), error.problem.remedy or ""
            return Failure(*names, measured.rstrip("."), remedy.rstrip(".") or None, error.problem.trace)
        except Exception as error:  # noqa: BLE001 - an author's code may raise anything
            return Failure(*names, told(error), None, "".join(traceback.format_exception(error)))
        finally:
            torch.set_num_threads(threads)
        return None


def part_checks(kind: str) -> tuple[Check, ...]:
    """Every check of a kind of card: its name, and what must hold.

    Raises:
        BadInput: There is no such kind, or it is one of models.
    """
    if kind not in KINDS:
        raise BadInput("is no kind of card that is checked here", field="kind", value=kind, allowed=", ".join(KINDS))
    return tuple(PART_CHECKS[kind].values())


def part_trials(
    kind: str,
    card: Part,
    config: ModelConfig | None = None,
    *,
    text: str | None = None,
    source: Source | None = None,
    model: Any = None,
) -> list[PartTrial]:
    """Every check of one card; where the host refuses it, the check that says so alone.

    Args:
        kind: What it is registered as, the last word of its hook ("tokenizers").
        card: The card.
        config: Its settings; None means the defaults.
        text: For a tokenizer: what it is fitted to; None means a text in several scripts, in English if it refuses that.
        source: For an objective: what it reads; None means a tiny source of the kind that it needs.
        model: For a probe or an objective: a model that it is made for; None means tiny ones.

    Raises:
        BadInput: There is no such kind, or settings have no default and no config is given.
    """
    checks = part_checks(kind)
    given, case = config, "defaults" if config is None else "config"
    try:
        card_checks.check_card(kind, card, plugin="")
    except BadInput:
        checks, given = checks[:1], NoSettings()
    if given is None:
        needed = [name for name, field in card.config.model_fields.items() if field.is_required()]
        if needed:
            raise BadInput(
                "has settings without a default",
                field=f"{kind}.{card.name}",
                value=", ".join(needed),
                remedy="Give it a config, as in check_part(kind, card, card.config(…))",
            )
        given = card.config()
    subject = Specimen(kind, card, case, given, text, source, model)
    done: dict[str, Failure | None] = {}
    return [PartTrial(subject, check, done) for check in checks]


def check_part(
    kind: str,
    card: Part,
    config: ModelConfig | None = None,
    *,
    text: str | None = None,
    source: Source | None = None,
    model: Any = None,
) -> list[Failure]:
    """Every check of one card, and what failed; the arguments are those of `part_trials`."""
    trials = part_trials(kind, card, config, text=text, source=source, model=model)
    return [failure for failure in (trial.run() for trial in trials) if failure is not None]
