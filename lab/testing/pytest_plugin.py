"""`pytest --conformance average.py`: the suite for everything in a plugin file, without a test file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from lab.testing.suite import Trial


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --conformance."""
    group = parser.getgroup("lm-lab")
    group.addoption(
        "--conformance",
        action="store_true",
        help="Treat the given .py files as plugins of LM Lab, and test everything they register.",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect files named on the command line as plugins instead of test files."""
    named = [Path(argument.partition("::")[0]).absolute() for argument in parent.config.args]
    if parent.config.getoption("conformance") and module_path in named:
        return PluginFile.from_parent(parent, path=module_path)
    return None


class PluginFile(pytest.File):
    """A plugin as a collection of tests: one for its acceptance by the host, and one per check and card."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the checks of everything that the plugin registers."""
        from lab.testing.suite import trials

        for trial in trials(None, plugin=self.path):
            yield ConformanceItem.from_parent(self, name=trial.full_name, trial=trial)


class ConformanceItem(pytest.Item):
    """One check as a test item."""

    def __init__(self, *, trial: Trial, **given: Any) -> None:
        super().__init__(**given)
        self.trial = trial

    def runtest(self) -> None:
        """Run the check."""
        self.trial.test()

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the location and the requirement."""
        return self.path, None, f"{self.name}: {self.trial.check.title}"
