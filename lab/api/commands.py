"""Commands that a plugin adds to `lm-lab`, and the part of the lab that they may use."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from lab.api.model import LanguageModel
    from lab.api.text import Tokenizer

COMMON_OPTIONS = ("--enable", "--safe-mode", "--json")
"""Options that every command of `lm-lab` has, so that no plugin adds them again."""
RUN_HELP = 'a run: its folder, its name, the beginning of it, or "last"'
"""The help of an option that names a run."""


class OpenedRun(Protocol):
    """A run on disk, opened for a command."""

    @property
    def path(self) -> Path:
        """Its folder."""
        ...

    @property
    def recipe(self) -> Mapping[str, Any]:
        """Its recipe with all settings, as in the TOML file."""
        ...

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer it was trained with.

        Raises:
            LabError: The vocabulary in the run is missing or damaged.
        """
        ...

    def model(self, step: int | None = None) -> LanguageModel:
        """Load the model of a checkpoint, in eval mode, on the processor.

        Args:
            step: The step of the checkpoint; None means the last one.

        Raises:
            BadInput: There is no such checkpoint.
            LabError: The checkpoint is damaged or does not fit the recipe.
        """
        ...


class CommandContext(Protocol):
    """The part of the lab that a command may use."""

    @property
    def json(self) -> bool:
        """True if the last line of the output must be one JSON object."""
        ...

    def cards(self, kind: str) -> Mapping[str, Any]:
        """Return the cards of a kind (a key of lab.api.HOOKS) by name.

        Raises:
            KeyError: There is no such kind.
        """
        ...

    def open_run(self, name: str) -> OpenedRun:
        """Open a run by its folder, its name, the beginning of its name, or "last".

        Raises:
            BadInput: There is no such run, or more than one.
            LabError: The run is damaged.
        """
        ...

    def write_file(
        self, file: Path, content: bytes | str, *, overwrite: bool = False, read: Sequence[Path] = ()
    ) -> None:
        """Write a file completely or not at all, also if the process is killed or the disk is full.

        Args:
            file: The file.
            content: Its content; a text is encoded as UTF-8.
            overwrite: True to replace an existing file.
            read: The files that the content was made from, which are never replaced.

        Raises:
            BadInput: It exists and may not be replaced, is one of those that were read, or is a device or a link.
            LabError: It could not be written; an old file is untouched.
        """
        ...

    def print(self, line: str = "") -> None:
        """Print one line on standard output."""
        ...

    def print_json(self, values: Mapping[str, Any]) -> None:
        """Print one JSON object on one line; numbers that JSON cannot write (NaN, infinities) become null."""
        ...

    def show_progress(self, line: str) -> None:
        """Show the progress of the work on standard error; the line is replaced by the next one."""
        ...


CommandFunction: TypeAlias = Callable[[argparse.Namespace, CommandContext], "int | None"]
"""The function of a command: (parsed options, context) -> exit status, None for 0."""


@dataclass(frozen=True)
class Command:
    """A command of `lm-lab`.

    The function may raise BadInput (status 2) or LabError (status 1), which are printed in one line. It returns the
    exit status; it does not call sys.exit.

    Args:
        name: The word after `lm-lab`; lower-case, of letters, digits, "-" and "_".
        summary: What it does, in one line of `lm-lab --help`.
        run: The function, or "package.module:function", imported only when the command runs.
        add_arguments: Adds its options to the parser; None if it has none. It is called when the plugin is loaded, so
            it imports nothing heavy.
    """

    name: str
    summary: str
    run: CommandFunction | str
    add_arguments: Callable[[argparse.ArgumentParser], None] | None = None
