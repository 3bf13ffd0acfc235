"""The text of a single token: white space and unprintable characters are replaced by visible signs."""

from __future__ import annotations

SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥"}
"""The signs of common white space."""


def glyphs(label: str) -> str:
    """Return the label of a token with a visible sign for every character.

    Args:
        label: The tokenizer's label of the token.

    Returns:
        As many characters: ␣ for a blank, ⏎ for the end of a line, ⇥ for a tab, · for unprintable characters.
    """
    return "".join(SIGNS.get(sign) or (sign if sign.isprintable() else "·") for sign in label)
