"""Recipes and results of runs as links: texts of some hundred characters that another lab opens."""

from __future__ import annotations

import base64
import binascii
import functools
import zlib
from dataclasses import dataclass
from typing import Any, Final

import tomli_w
from pydantic import ConfigDict

from lab.api import ModelConfig, setting
from lab.base import BadInput
from lab.base.files.reading import parse_toml
from lab.base.folders import resources
from lab.recipes.controls import Controls
from lab.recipes.recipe import Recipe

SCHEME: Final = "lmlab:"
"""The start of every link, in small or capital letters."""
VERSION: Final = "1"
"""The version of the format, in the character after the scheme; each has its own words in resources/links."""
LONGEST: Final = 4296
"""Most characters of a link: the largest QR code holds no more letters and digits."""
MOST_BYTES: Final = 64 * 1024
"""Most bytes of the text in a link."""
MOST_DOTS: Final = 1000
"""Most dots in what a link says about corpus and run: tomllib takes long for keys like a.a.a.a."""
CHECKSUM: Final = 4
"""Bytes of the checksum in front of the compressed text."""
AGAIN: Final = "Copy the link again, from its first to its last character"
"""The remedy for a link that is damaged."""
PROTOCOL: Final = r"^[A-Za-z0-9:._-]*$"
"""The names of evaluations: "windows", "strided:64"."""
AMONG_WORDS: Final = ("clip", "average")
"""Controls in the words of version 1."""
BETWEEN: Final = "\0"
"""The character between the recipe and what is known of its corpus and run; TOML does not allow it."""


class LinkedCorpus(ModelConfig):
    """The description of a corpus that is read from a file, in a link: enough to recognise it."""

    model_config = ConfigDict(frozen=True)

    name: str = setting(min_length=1, max_length=300, help="Name of the file, without its folder.")
    characters: int = setting(0, ge=0, help="Number of characters; 0 if that is unknown.")
    sha256: str = setting("", pattern="^([0-9a-f]{16})?$", help="First digits of the hash; empty if that is unknown.")


class LinkedRun(ModelConfig):
    """The results, in a link, of the run that was trained with its recipe, for comparison."""

    model_config = ConfigDict(frozen=True)

    name: str = setting("", max_length=300, help="Name that the user gave the run, if any.")
    step: int = setting(0, ge=0, help="Steps that it has made.")
    validation_loss: float | None = setting(None, help="Last validation loss in nats per token, if it has one.")
    protocol: str = setting("", max_length=100, pattern=PROTOCOL, help="Protocol of the evaluation.")
    branched: bool = setting(False, help="Whether it started from a checkpoint of another run.")


@dataclass(frozen=True)
class Link:
    """The content of a link.

    Args:
        recipe: The recipe, with file names instead of paths.
        corpus: The corpus, if it is in a file; None otherwise.
        run: The run that was trained with the recipe; None for a recipe alone.
    """

    recipe: Recipe
    corpus: LinkedCorpus | None = None
    run: LinkedRun | None = None


def is_link(text: str) -> bool:
    """Return True if a text starts as links do; it may still be damaged."""
    return text.lstrip()[: len(SCHEME)].lower() == SCHEME


def write_link(link: Link) -> str:
    """Return a link as text: small letters and digits after the scheme; in capital letters it is the same link.

    The recipe is written as in a file, with all defaults, so that a later change of defaults has no effect. The words
    that all recipes have in common are in a file of the lab, and cost next to nothing. Controls that came after that
    file, and are off unless they are named, are left out where they are off.

    Raises:
        BadInput: The recipe is too long for a link.
    """
    tables = {
        name: table.model_dump(mode="json", exclude_defaults=True)
        for name, table in (("corpus", link.corpus), ("run", link.run))
        if table is not None
    }
    content = (_written(link.recipe) + (f"{BETWEEN}{tomli_w.dumps(tables)}" if tables else "")).encode()
    press = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, 9, zdict=_words(VERSION))
    data = zlib.crc32(content).to_bytes(CHECKSUM, "big") + press.compress(content) + press.flush()
    text = f"{SCHEME}{VERSION}{base64.b32encode(data).decode().rstrip('=').lower()}"
    if len(text) > LONGEST or len(content) > MOST_BYTES:
        raise BadInput(
            "is too long for a link",
            field="recipe",
            value=link.recipe.title or None,
            allowed=f"links of at most {LONGEST:,} characters; this one would have {len(text):,}",
            remedy="Share the recipe as a file, or the run as a bundle",
        )
    return text


def _written(recipe: Recipe) -> str:
    """Return the recipe as TOML, without the controls that are off and without tables that say nothing."""
    values = recipe.model_dump(mode="json", exclude_none=True)
    usual = Recipe().model_dump(mode="json", exclude_none=True)
    for table in ("adapter", "distillation"):
        if values[table] == usual[table]:
            del values[table]
    if values["readings"]["gauges_every"] == usual["readings"]["gauges_every"]:
        del values["readings"]["gauges_every"]
    for name, field in Controls.model_fields.items():
        if name not in AMONG_WORDS and values["training"][name] == field.default:
            del values["training"][name]
    return tomli_w.dumps({"format": recipe.version, **values})


def read_link(text: str) -> Link:
    """Read a link; white space in it is ignored, as it may have been wrapped. Nothing is opened and nothing runs.

    Raises:
        BadInput: It is not a link, is damaged, has another version, or holds a setting that is not allowed.
    """
    content = _unpacked("".join(text[: 4 * LONGEST].split()))
    recipe, _, more = content.partition(BETWEEN)
    tables = _tables(more)
    corpus, run = tables.get("corpus"), tables.get("run")
    return Link(
        Recipe.from_toml(recipe, name="the recipe in the link"),
        None if corpus is None else LinkedCorpus.read(corpus, field="link.corpus"),
        None if run is None else LinkedRun.read(run, field="link.run"),
    )


def _unpacked(text: str) -> str:
    """Return the text in a link without white space."""
    if not is_link(text):
        raise _refused("is not a link of the lab", text, allowed=f"{SCHEME}{VERSION}…", remedy=AGAIN)
    if len(text) > LONGEST:
        raise _refused(f"is too long: {len(text):,} characters or more", text, allowed=f"at most {LONGEST:,}")
    version, digits = text[len(SCHEME) : len(SCHEME) + 1].lower(), text[len(SCHEME) + 1 :]
    if version != VERSION:
        what = f"is of version {version}, which this lab does not know" if version else "has no content"
        raise _refused(what, text, allowed=f"version {VERSION}", remedy="Update the lab" if version else AGAIN)
    try:
        data = base64.b32decode(digits.upper() + "=" * (-len(digits) % 8))
        press = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_words(version))
        content = press.decompress(data[CHECKSUM:], MOST_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):  # ValueError: characters other than ASCII
        raise _refused("is incomplete or damaged", text, remedy=AGAIN) from None
    if len(content) > MOST_BYTES:
        raise _refused("holds more text than any recipe", text, allowed=f"at most {MOST_BYTES:,} bytes")
    if not press.eof or press.unused_data or zlib.crc32(content).to_bytes(CHECKSUM, "big") != data[:CHECKSUM]:
        raise _refused("is incomplete or damaged", text, remedy=AGAIN)
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise _refused("holds no text", text, remedy="Ask for the recipe as a file") from None


def _tables(text: str) -> dict[str, dict[str, Any]]:
    """Return the tables of what is known of corpus and run."""
    remedy = "Update the lab, or ask for the recipe as a file"
    if text.count(".") > MOST_DOTS:
        raise BadInput("has too many dots in its keys", field="link", remedy=remedy)
    try:
        tables = parse_toml(text)
    except ValueError as error:
        raise BadInput(f"is not TOML: {error}", field="link", remedy=remedy) from None
    unknown = [name for name, table in tables.items() if name not in ("corpus", "run") or not isinstance(table, dict)]
    if unknown:
        raise BadInput("is not known", field="link", value=unknown[0][:40], allowed="corpus, run", remedy=remedy)
    return tables


def _refused(what: str, text: str, *, allowed: str | None = None, remedy: str | None = None) -> BadInput:
    shown = text if len(text) <= 24 else f"{text[:24]}…"
    return BadInput(what, field="link", value=shown, allowed=allowed, remedy=remedy or "Ask for the recipe as a file")


@functools.cache
def _words(version: str) -> bytes:
    """Return the words that links of a version leave out, with the line ends that they had when it was made."""
    return (resources() / "links" / f"{version}.txt").read_bytes().replace(b"\r\n", b"\n")
