"""The suite: every check on every task and config of an architecture, as a list of failures or as pytest tests."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

import lab.api
import lab.layers
import lab.testing
from lab.api import Architecture, Mixer, ModelConfig, Task

# imported for the checks they define, in the order in which these are best read
from lab.testing import build_checks, decoding_checks, learning_checks, report_checks  # noqa: F401
from lab.testing.cards import architecture_of
from lab.testing.check import CHECKS, Broken, Check, Failure
from lab.testing.subject import Subject, subjects_of

__all__ = ["Check", "Failure", "Trial", "check_architecture", "checks", "conformance", "trials"]


def checks() -> tuple[Check, ...]:
    """Every check there is: its name, what must hold, and the kinds of models it looks at."""
    return tuple(CHECKS.values())


@dataclass(frozen=True)
class Trial:
    """One check on one subject."""

    subject: Subject
    check: Check

    @property
    def name(self) -> str:
        """What its test is called ("causal-defaults-pieces")."""
        return f"{self.subject.case}-{self.check.name}"

    def run(self) -> Failure | None:
        """The failure, if there is one. torch's generators are left as they were."""
        names = self.subject.architecture.name, self.subject.case, self.check.name
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # models this small are slower on several
        try:
            with torch.random.fork_rng(), torch.no_grad():
                torch.manual_seed(0)
                self.check.run(self.subject)
        except Broken as broken:
            return Failure(*names, broken.measured, broken.remedy)
        except Exception as error:  # noqa: BLE001 - an author's code may raise anything
            said = f"{type(error).__name__}: {error}".strip().rstrip(".")
            measured = f"{said} ({_place(error)})"
            return Failure(*names, measured, self.check.remedy, "".join(traceback.format_exception(error)))
        finally:
            torch.set_num_threads(threads)
        return None


def trials(
    architecture: Architecture | Mixer,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
) -> Iterator[Trial]:
    """Every check that applies to an architecture, for each of its tasks and configs.

    Args:
        architecture: Its card; a mixer is tested in a stack of it.
        config: The one config to test; None means the defaults and every preset, with two layers and 32 channels
            where they have such fields.
        task: The one task to test; None means those of the card's tasks that the suite knows: causal and masked.
        device: Where to compute; None means the processor, or what the card's devices allow.

    Raises:
        ValueError: None of the card's tasks is known, and none is given.
    """
    for subject in subjects_of(architecture_of(architecture), config, task, device):
        names = _applying(subject)
        yield from (Trial(subject, check) for name, check in CHECKS.items() if name in names)


def check_architecture(
    architecture: Architecture | Mixer,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
) -> list[Failure]:
    """Every check that applies, and what failed; the arguments are those of `trials`."""
    failures = (trial.run() for trial in trials(architecture, config, task, device))
    return [failure for failure in failures if failure is not None]


def conformance(
    architecture: str | Architecture | Mixer,
    *,
    plugin: str | Path | Any = None,
    config: ModelConfig | None = None,
    task: Task | None = None,
    device: str | None = None,
) -> Callable[..., None]:
    """A pytest function in which every check is a test of its own, for a test file to bind to a name.

    As in `test_average = conformance("average", plugin="average.py")`.

    Args:
        architecture: A card, or the name under which the plugin registers it.
        plugin: The plugin: its .py file, its module, or the module's name.
        config: As in `trials`.
        task: As in `trials`.
        device: As in `trials`.
    """
    import pytest

    every = list(trials(architecture_of(architecture, plugin), config, task, device))

    @pytest.mark.parametrize("trial", [pytest.param(trial, id=trial.name) for trial in every])
    def test(trial: Trial) -> None:
        failure = trial.run()
        if failure is not None:
            pytest.fail(f"{failure}\n{failure.trace or ''}".rstrip(), pytrace=False)

    return test


def _applying(subject: Subject) -> set[str]:
    """Names of the checks that look at this kind of model."""
    if subject.device is None:
        return {"config", "meta"}
    try:
        model = subject.model(counted=False)
    except Exception:  # noqa: BLE001 - the check `build` tells
        return {"config", "build"}
    kinds = {"causal" if model.causal else "bidirectional", model.learns}
    return {name for name, check in CHECKS.items() if check.needs <= kinds}


def _place(error: Exception) -> str:
    """The innermost line of the author's own code; of any code if none is."""
    frames = traceback.extract_tb(error.__traceback__)
    others = [Path(module.__file__ or "").parent for module in (torch, lab.api, lab.layers, lab.testing)]
    own = [frame for frame in frames if not any(Path(frame.filename).is_relative_to(folder) for folder in others)]
    frame = (own or frames)[-1]
    return f"in {frame.name}, {frame.filename}:{frame.lineno}"
