"""Text: the corpora and tokenizers that come with the lab."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Corpus, Tokenization, hookimpl
from lab.text.corpora import FileConfig, PastedConfig


@hookimpl
def lab_register_corpora(register: Callable[[Corpus], None]) -> None:
    """Offers a file or folder, text that the recipe carries, and the prose of Python's own manual."""
    register(
        Corpus(
            name="file",
            title="A file or folder",
            build="lab.text.corpora:read_file",
            config=FileConfig,
            summary="A UTF-8 text file of yours, or all text files of a folder.",
        )
    )
    register(
        Corpus(
            name="text",
            title="Pasted text",
            build="lab.text.corpora:read_pasted",
            config=PastedConfig,
            summary="Text that was pasted or dropped; the recipe carries it, so it needs no file.",
        )
    )
    register(
        Corpus(
            name="python-manual",
            title="Python manual",
            build="lab.text.manual:read_manual",
            summary="A megabyte of English about Python, gathered from the installed Python itself; needs no network.",
        )
    )


@hookimpl
def lab_register_tokenizers(register: Callable[[Tokenization], None]) -> None:
    """Offers characters and bytes."""
    register(
        Tokenization(
            name="character",
            title="Characters",
            build="lab.text.tokenizers:fit_characters",
            load="lab.text.tokenizers:load_characters",
            summary="One symbol for each different character of the corpus.",
        )
    )
    register(
        Tokenization(
            name="byte",
            title="Bytes",
            build="lab.text.tokenizers:fit_bytes",
            load="lab.text.tokenizers:load_bytes",
            summary="256 symbols, the bytes of UTF-8: reads every text, whatever it was fitted to.",
        )
    )
