"""Classes of tokens by their labels: part of a keyword, letter, digit, space, punctuation, other."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Collection, Sequence

CLASSES = ("keyword", "letter", "digit", "space", "punctuation", "other")
"""The classes of tokens."""
KEYWORDS = frozenset(keyword.kwlist)
"""The keywords of Python, the default."""

_SPACES = "␣⏎⇥"  # how a tokenizer labels white space
_NAMED = re.compile(r"<0x[0-9A-F]{2}>|<unused \d+>|<\|[^|]*\|>")  # labels of tokens without characters
_NOTHING = "\0"
_WORD = re.compile(r"\w+")


def classes_of(labels: Sequence[str], keywords: Collection[str] = KEYWORDS) -> tuple[str, ...]:
    """Return the class of each token of a text, one of CLASSES.

    Args:
        labels: Labels of the tokens in order, as Tokenizer.label returns them.
        keywords: Words. A token that is part of one is "keyword"; a word may span several tokens. Any other token has
            the class of its first character that is not a space.
    """
    texts = [label if len(label) == 1 else _NAMED.sub(_NOTHING, label) for label in labels]
    classes = [_class_of(text) for text in texts]
    token = [number for number, text in enumerate(texts) for _ in text]  # the token of each character
    for word in _WORD.finditer("".join(texts)):
        if word.group() in keywords:
            for number in range(token[word.start()], token[word.end() - 1] + 1):
                classes[number] = "keyword"
    return tuple(classes)


def _class_of(text: str) -> str:
    first = next((character for character in text if not _is_space(character)), None)
    if first is None:
        return "space" if text else "other"
    kind = unicodedata.category(first)[0]
    return {"L": "letter", "M": "letter", "N": "digit", "P": "punctuation", "S": "punctuation"}.get(kind, "other")


def _is_space(character: str) -> bool:
    return character in _SPACES or character.isspace()
