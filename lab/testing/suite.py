"""The suite: every check of everything that a plugin registers, as a list of failures or as pytest tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from lab.api import Architecture, CheckpointFormat, Mixer, ModelConfig, NoSettings, Registration, Task
from lab.testing.cards import offer_of
from lab.testing.check import CHECKS, Check, Failure
from lab.testing.checks import build as build_checks
from lab.testing.checks import decoding as decoding_checks
from lab.testing.checks import learning as learning_checks
from lab.testing.checks import reports as report_checks
from lab.testing.checks import tasks as task_checks
from lab.testing.checks.registrations import registration_trials
from lab.testing.model_case import ModelCase, model_cases
from lab.testing.registration_case import RegistrationCase
from lab.testing.trial import Trial

__all__ = ["Check", "Failure", "Trial", "check_architecture", "conformance", "list_checks", "trials"]


MODULES = [module.__name__ for module in (build_checks, decoding_checks, learning_checks, report_checks, task_checks)]
"""The modules that define the checks of models, the most basic first, independent of the order of imports."""


ANY_TASK = {"config", "build", "names", "baselines"}
"""The checks that read no tokens, which apply to models of every task."""


def list_checks() -> tuple[Check, ...]:
    """Return every check of models: its name, requirement, and the kinds of models that it applies to."""
    return tuple(sorted(CHECKS.values(), key=lambda check: MODULES.index(check.run.__module__)))


def trials(
    card: str | Architecture | Mixer | Registration | None,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
    plugin: str | Path | ModuleType | None = None,
) -> Iterator[Trial]:
    """Yield a trial of the plugin's acceptance by the host, then one for each applicable check, task and config.

    Args:
        card: A card, or the name under which the plugin registers it; None means all that it registers. A mixer is
            tested in a stack of it.
        config: The one config to test; None means the defaults and every preset of a model, with two layers and 32
            channels if they have such fields, and the defaults of another card, which is skipped if it has none.
        task: The one task to test models for; None means the card's tasks that the suite knows: causal, masked,
            classification, regression and sequence to sequence.
        device: The device of the models; None means the CPU, or another device if the card requires it.
        plugin: The plugin: its .py file or folder, its module, or the module's name.

    Raises:
        ValueError: The suite knows none of the card's tasks, and none is given; or a name is given without a plugin.
    """
    offer = offer_of(card, plugin)
    loads = Trial(offer, CHECKS["loads"])
    yield loads
    if loads.failure:
        return
    for name, architecture in offer.architectures.items():
        for case in model_cases(name, architecture, config, task, device):
            applying, made = _applying(case), dict[str, Trial]()
            for check in list_checks():
                if check.name in applying:
                    made[check.name] = Trial(case, check, made.get(check.after or ""))
            yield from made.values()
    for kind, registration in offer.registrations:
        named = offer.named(registration.architecture) if isinstance(registration, CheckpointFormat) else None
        yield from _of_registration(kind, registration, config, named)


def check_architecture(
    architecture: str | Architecture | Mixer,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
    plugin: str | Path | ModuleType | None = None,
) -> list[Failure]:
    """Run every check that applies and return the failures; the arguments are those of `trials`."""
    tried = trials(architecture, config, task, device, plugin)
    return [trial.failure for trial in tried if not trial.moot and trial.failure]


def conformance(
    card: str | Architecture | Mixer | Registration,
    *,
    plugin: str | Path | ModuleType | None = None,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
) -> Callable[..., None]:
    """Return a pytest function in which every check is its own test; bind it to a name in a test file.

    As in `test_average = conformance("average", plugin="average.py")`. The arguments are those of `trials`.
    """
    import pytest

    every = list(trials(card, config, task, device, plugin))

    @pytest.mark.parametrize("trial", [pytest.param(trial, id=_identity(trial)) for trial in every])
    def test(trial: Trial) -> None:
        trial.test()

    return test


def _identity(trial: Trial) -> str:
    """Return the name of a trial in a test file, with its kind, as cards of several kinds may share a name."""
    return f"{trial.case.kind}-{trial.name}" if isinstance(trial.case, RegistrationCase) else trial.name


def _of_registration(
    kind: str, card: Registration, config: ModelConfig | None, architecture: Architecture | None
) -> Iterator[Trial]:
    """Yield the trials of a card other than a model; or a skipped one if it has settings without a default."""
    config = config if type(config) is card.config else None
    needed = [name for name, field in card.config.model_fields.items() if field.is_required()]
    if needed and config is None:
        given = ", ".join(f"{name}=…" for name in needed)
        how = f"check_registration({kind!r}, card, card.config({given})) tests it"
        reason = f"{card.name} has settings without a default: {how}"
        whole = Check("settings", "Settings without defaults are given.", frozenset(), None, lambda _: None)
        yield Trial(RegistrationCase(kind, card, "defaults", NoSettings()), whole, skipped=reason)
        return
    yield from registration_trials(kind, card, config, architecture=architecture)


def _applying(case: ModelCase) -> set[str]:
    """Return the names of the checks that apply to this kind of model."""
    if case.device is None:
        return {"config", "meta"}
    try:
        model = case.model(counted=False)
    except Exception:  # noqa: BLE001 - the check `build` reports it
        return {"config", "build"}
    kinds = {"causal" if model.causal else "bidirectional", model.learns}
    if case.special is None:
        return {name for name, check in CHECKS.items() if check.needs <= kinds}
    kinds.add(case.special)
    return {name for name, check in CHECKS.items() if check.needs <= kinds and case.special in check.needs} | ANY_TASK
