"""The text that an exported script reads; this is copied into the script of a run on text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.api import Tokenizer
from lab.interop.script.loop import Plan
from lab.text.fitting import border_of
from lab.training.material import text_splits


@dataclass
class TextData:
    """The text of a run.

    Args:
        sha256: SHA-256 of the text.
        tokenizer: The tokenizer, with the vocabulary of the run.
        fitted_to: What the tokenizer was fitted to: "training" is the training part of the text alone.
    """

    sha256: str
    tokenizer: Tokenizer
    fitted_to: str

    def read(self, plan: Plan, file: Path) -> tuple[Any, Any]:
        """Return the splits of a UTF-8 file, with line ends normalised as in the lab; refuse another text."""
        data = file.read_bytes()
        found = hashlib.sha256(data).hexdigest()
        if found != self.sha256:
            data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            found = hashlib.sha256(data).hexdigest()
        if found != self.sha256:
            raise SystemExit(f"{file} is not the text of this run: its SHA-256 is {found}, not {self.sha256}")
        tokens = self.tokenizer.encode(text := data.decode())
        given: Any = plan  # a plan holds the same settings of the data as a recipe
        size, share = self.tokenizer.vocabulary_size, 1 - plan.training.validation_share
        border = border_of(text, tokens, self.tokenizer.sizes(), share) if self.fitted_to == "training" else None
        return text_splits(tokens, size, given, carries=plan.objective.carries, border=border)
