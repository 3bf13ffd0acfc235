"""The lab as the command of a plugin sees it: an implementation of lab.api.CommandContext."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from lab.api import LanguageModel, Tokenizer
from lab.base.files.writing import check_output, named_by_user, write_file
from lab.base.units import finite
from lab.cli.output import Progress, print_json, print_text
from lab.host import Plugins
from lab.workbench import SavedRun


class Opened:
    """A run on disk, as lab.api.OpenedRun describes it.

    Args:
        saved: The run.
    """

    def __init__(self, saved: SavedRun) -> None:
        self._saved = saved

    @property
    def path(self) -> Path:
        """The folder of the run."""
        return self._saved.path

    @cached_property
    def recipe(self) -> Mapping[str, Any]:
        """The recipe with all settings, as in its TOML file."""
        return tomllib.loads(self._saved.recipe.to_toml())

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of the run."""
        return self._saved.tokenizer

    def model(self, step: int | None = None) -> LanguageModel:
        """Load the model of a checkpoint."""
        return self._saved.model(step)


class Context:
    """The objects that a command may use, as lab.api.CommandContext describes them.

    Args:
        plugins: The plugins.
        json: True if the last line must be one JSON object.
        progress: The line of progress.
    """

    def __init__(self, plugins: Plugins, *, json: bool, progress: Progress) -> None:
        self._plugins, self._progress = plugins, progress
        self.json = json

    def cards(self, kind: str) -> Mapping[str, Any]:
        """Return the cards of a kind by name."""
        return self._plugins.cards(kind)

    def open_run(self, name: str) -> Opened:
        """Open a run by its folder, its name, the start of its name, or "last"."""
        return Opened(SavedRun.find(name, self._plugins))

    def write_file(
        self, file: Path, content: bytes | str, *, overwrite: bool = False, read: Sequence[Path] = ()
    ) -> None:
        """Write a file completely or not at all."""
        check_output(file, overwrite=overwrite, read=read)
        with named_by_user():
            write_file(file, content, recorded=True)

    def print(self, line: str = "") -> None:
        """Print one line."""
        self._progress.clear()
        print_text(line)

    def print_json(self, values: Mapping[str, Any]) -> None:
        """Print one JSON object on one line."""
        self._progress.clear()
        print_json({name: _finite(value) for name, value in values.items()})

    def show_progress(self, line: str) -> None:
        """Show the progress of the work."""
        self._progress.show(line)


def _finite(value: Any) -> Any:
    """Return plain data without NaN and infinities."""
    match value:
        case float():
            return finite(value)
        case dict():
            return {name: _finite(each) for name, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
    return value
