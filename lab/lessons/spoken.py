"""A formula in words, for those who hear it: "p of w given h equals c of h w over c of h"."""

from __future__ import annotations

import re
from collections.abc import Mapping

LONGEST, DEEPEST = 2000, 40
"""Most characters of a formula that is put into words, and most braces inside one another."""
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]+|\d+(?:\.\d+)?|\S")
_WITH_ARGUMENT = ("mathrm", "text", "mathbf", "operatorname")
_SILENT = ("left", "right", "!", ",", ";", ":", " ", "quad", "qquad", "top")
ENGLISH: Mapping[str, str] = {
    "frac": "{0} over {1}", "dfrac": "{0} over {1}", "sqrt": "the root of {0}", "hat": "{0} hat", "bar": "{0} bar",
    "_": "sub {0}", "^": "to the {0}", "=": "equals", "+": "plus", "-": "minus", "<": "less than", ">": "greater than",
    "/": "over", "|": "bar", "mid": "given", "leq": "at most", "geq": "at least", "neq": "is not", "approx": "is about",
    "propto": "is proportional to", "leftarrow": "becomes", "rightarrow": "to", "cdot": "times", "times": "times",
    "pm": "plus or minus", "sum": "the sum", "prod": "the product", "ldots": "to", "infty": "infinity", "in": "in",
    "nabla": "the gradient", "ln": "the logarithm of", "log": "the logarithm of", "exp": "e to the",
    "max": "the maximum", "min": "the minimum", "'": "prime",
}  # fmt: skip
"""How signs and commands are read in English, with {0} and {1} for their arguments."""
GERMAN: Mapping[str, str] = {
    "frac": "{0} durch {1}", "dfrac": "{0} durch {1}", "sqrt": "die Wurzel aus {0}", "hat": "{0} Dach",
    "bar": "{0} quer", "_": "Index {0}", "^": "hoch {0}", "=": "gleich", "+": "plus", "-": "minus", "<": "kleiner als",
    ">": "größer als", "/": "durch", "|": "Strich", "mid": "gegeben", "leq": "höchstens", "geq": "mindestens",
    "neq": "ungleich", "approx": "ungefähr", "propto": "proportional zu", "leftarrow": "wird zu", "rightarrow": "nach",
    "cdot": "mal", "times": "mal", "pm": "plus oder minus", "sum": "die Summe", "prod": "das Produkt", "ldots": "bis",
    "infty": "unendlich", "in": "aus", "nabla": "der Gradient", "ln": "der Logarithmus von",
    "log": "der Logarithmus von", "exp": "e hoch", "max": "das Maximum", "min": "das Minimum", "'": "Strich",
}  # fmt: skip
"""How they are read in German."""
_ARGUMENTS = {"frac": 2, "dfrac": 2, "sqrt": 1, "hat": 1, "bar": 1, "_": 1, "^": 1}


def spoken(latex: str, language: str = "en") -> str:
    """Return a formula in words; what is not known is read as it is written, without its backslash."""
    reader = _Reader(_TOKEN.findall(latex[:LONGEST]), GERMAN if language == "de" else ENGLISH)
    return " ".join(" ".join(reader.rest()).split())


class _Reader:
    """Reads tokens from the left, one term after the other."""

    def __init__(self, tokens: list[str], words: Mapping[str, str]) -> None:
        self._tokens, self._words, self._index, self._depth = tokens, words, 0, 0

    def rest(self, end: str = "") -> list[str]:
        """Return the words of all terms up to an end."""
        found: list[str] = []
        while self._index < len(self._tokens):
            if self._tokens[self._index] == end or self._depth >= DEEPEST - 1:
                self._index += 1
                break
            found.append(self._term())
        return found

    def _term(self) -> str:
        self._depth += 1
        found = self._read_term() if self._depth < DEEPEST else ""
        self._depth -= 1
        return found

    def _read_term(self) -> str:
        token = self._tokens[self._index]
        self._index += 1
        name = token.removeprefix("\\")
        if token == "{":
            return " ".join(self.rest("}"))
        if name in _WITH_ARGUMENT and token[0] == "\\":
            return self._argument()
        if (token[0] == "\\" and name in _SILENT) or token in "{}":
            return ""
        if name in _ARGUMENTS:
            return self._words[name].format(*(self._argument() for _ in range(_ARGUMENTS[name])))
        return self._words.get(name, name)

    def _argument(self) -> str:
        return self._term() if self._index < len(self._tokens) else ""
