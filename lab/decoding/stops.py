"""What ends a text: stop symbols, the symbol for the end of a text, and stop strings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal["length", "end of text", "stop symbol", "stop string", "strategy", "filter"]


@dataclass(frozen=True)
class End:
    """Why a text ended.

    Args:
        reason: "length" if as many tokens came as were wanted, "strategy" if the strategy ended it by itself, "filter"
            if a filter allows nothing more.
        what: The symbol, string or filter that ended it; "" if there is none.
    """

    reason: Reason
    what: str = ""


@dataclass(frozen=True)
class Stops:
    """What ends a text.

    Args:
        symbols: The end that a symbol means, by its number.
        strings: Texts that end a text as soon as it contains one, whichever tokens they come in.
        decode: Tokens -> text; needed for strings.
    """

    symbols: Mapping[int, End] = field(default_factory=dict)
    strings: Sequence[str] = ()
    decode: Callable[[Sequence[int]], str] | None = None

    @property
    def reach(self) -> int:
        """Number of tokens before a new one that can be part of a stop string."""
        longest = max((len(string.encode()) for string in self.strings), default=0)
        return longest and longest + 8  # a token stands for at least one byte, but for a few symbols

    def end_of(self, before: Sequence[int], token: int) -> End | None:
        """Return the end of a text that goes on with a token; None if the text goes on after it.

        Args:
            before: Generated tokens before it: the last `reach` ones, or all if there are fewer.
            token: The new token.
        """
        end = self.symbols.get(token)
        if end is not None or not self.strings or self.decode is None:
            return end
        text = self.decode([*before, token])
        found = [(text.find(string), string) for string in self.strings if string in text]
        return End("stop string", min(found)[1]) if found else None
