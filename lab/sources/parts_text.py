"""Sources that give a text: their cards."""

from __future__ import annotations

from lab.api import Corpus, Register, hookimpl


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    """Offers generated texts whose entropy rate is known."""
    del register
