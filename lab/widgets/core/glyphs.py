"""How a token is written where it stands alone: white space and what cannot be printed get a sign of their own."""

from __future__ import annotations

SIGNS = {" ": "␣", "\n": "⏎", "\t": "⇥"}
"""What is drawn for the white space that is common in texts."""


def glyphs(label: str) -> str:
    """Return the label of a token with a visible sign for every character.

    Args:
        label: As the tokenizer shows the token to people.

    Returns:
        As many characters: ␣ for a blank, ⏎ for the end of a line, ⇥ for a tab, · for what cannot be printed.
    """
    return "".join(SIGNS.get(sign) or (sign if sign.isprintable() else "·") for sign in label)
