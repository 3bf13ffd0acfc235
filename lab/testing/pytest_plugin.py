"""pytest --conformance average.py: every architecture of a plugin file through the suite, without a test file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lab.testing.suite import Trial


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --conformance."""
    group = parser.getgroup("lm-lab")
    group.addoption(
        "--conformance",
        action="store_true",
        help="Read the .py files given as plugins of LM Lab, and test every architecture and mixer they register.",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Takes the files that were named on the command line, as plugins."""
    named = [Path(argument.partition("::")[0]).absolute() for argument in parent.config.args]
    if parent.config.getoption("conformance") and file_path.suffix == ".py" and file_path in named:
        return PluginFile.from_parent(parent, path=file_path)
    return None


class PluginFile(pytest.File):
    """A plugin as a collection of tests, one per check and architecture."""

    def collect(self) -> Iterator[pytest.Item]:
        """The checks of everything it registers."""
        from lab.testing.cards import cards_of
        from lab.testing.suite import trials

        for name, card in cards_of(self.path).items():
            for trial in trials(card):
                yield ConformanceItem.from_parent(self, name=f"{name}-{trial.name}", trial=trial)


class Unmet(Exception):
    """A check that was not passed."""


class ConformanceItem(pytest.Item):
    """One check."""

    def __init__(self, *, trial: Trial, **given: Any) -> None:
        super().__init__(**given)
        self.trial = trial

    def runtest(self) -> None:
        """Runs the check."""
        failure = self.trial.run()
        if failure is not None:
            raise Unmet(f"{failure}\n{failure.trace or ''}".rstrip())

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The failure's own words."""
        return str(excinfo.value) if isinstance(excinfo.value, Unmet) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where it stands, and what must hold."""
        return self.path, None, f"{self.name}: {self.trial.check.title}"
