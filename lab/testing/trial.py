"""A trial of the suite: one check of one case, run once, as a failure or as a test of pytest."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import cached_property

import torch

from lab.api import LabError
from lab.testing.cards import Offer
from lab.testing.check import Broken, Check, Failure, describe_error
from lab.testing.model_case import ModelCase
from lab.testing.registration_case import RegistrationCase


@dataclass(frozen=True, eq=False)
class Trial:
    """One check of one case.

    Args:
        case: The case to examine.
        check: The check.
        after: The trial that must pass first.
        skipped: The reason why it is skipped, if any.
    """

    case: ModelCase | Offer | RegistrationCase
    check: Check
    after: Trial | None = None
    skipped: str | None = None

    @property
    def name(self) -> str:
        """The name of its test ("causal-defaults-pieces")."""
        return "-".join(filter(None, (self.case.label, self.check.name)))

    @property
    def full_name(self) -> str:
        """The unique name within a plugin ("gru-causal-defaults-pieces", "corpora-coin-defaults-same")."""
        kind = self.case.kind if isinstance(self.case, RegistrationCase) else None
        return "-".join(filter(None, (kind, self.case.label and self.case.name, self.name)))

    @property
    def moot(self) -> str | None:
        """The name of a failed check that makes this one misleading; None if there is none."""
        if self.after is None:
            return None
        return self.after.moot or (self.after.check.name if self.after.failure else None)

    @cached_property
    def failure(self) -> Failure | None:
        """The failure; None if the check passes. torch's generators are restored."""
        names = self.case.name, self.case.label, self.check.name
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # faster for models this small
        try:
            with torch.random.fork_rng(), torch.no_grad():
                torch.default_generator.manual_seed(0)
                self.check.run(self.case)
        except Broken as broken:
            return Failure(*names, broken.measured, broken.remedy, _trace(broken.__cause__))
        except Exception as error:  # noqa: BLE001 - an author's code may raise anything
            return Failure(*names, describe_error(error), None, _trace(error))
        finally:
            torch.set_num_threads(threads)
        return None

    def test(self) -> None:
        """Run the trial as a test of pytest."""
        import pytest

        if self.skipped:
            pytest.skip(self.skipped)
        if self.moot:
            pytest.skip(f"{self.moot} failed")
        if self.failure is not None:
            pytest.fail(f"{self.failure}\n{self.failure.trace or ''}".rstrip(), pytrace=False)


def _trace(error: BaseException | None) -> str | None:
    """Return the traceback as text, unless the error already is a problem for the user."""
    return None if error is None or isinstance(error, LabError) else "".join(traceback.format_exception(error))
