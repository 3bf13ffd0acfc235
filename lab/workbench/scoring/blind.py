"""The blind test: a passage that one of several runs or the corpus wrote, and who is guessed to have written it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lab.api import BadInput
from lab.base.jobs import Cancelled
from lab.base.problems import LabError, attributed
from lab.recipes import Decoding
from lab.workbench.scoring.degeneration import validation_pieces

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lab.workbench.access.model_access import ModelAccess

PLACES = 200
"""Places of the validation text among which prompts are drawn."""
PROMPT, CHARACTERS = 48, 240
"""Tokens of each prompt under the first run, and characters of each passage."""
SHORTEST = 0.5
"""The least share of the wanted characters that every author must have written."""
REPLACEMENT = "\ufffd"


@dataclass(frozen=True)
class Author:
    """A run that may have written a passage.

    Args:
        access: Its model.
        name: Its name.
    """

    access: ModelAccess
    name: str


class BlindRound:
    """A passage, the names among which its author is guessed, and the guess.

    Nothing but `guess` tells who wrote it: all passages of a round have one prompt and one length, and every author
    has written one, so that not even the time that it took tells.

    Args:
        prompt: The text before it, of the validation text.
        passages: What each author wrote after it, the corpus last; all of one length.
        names: The names of the runs.
        author: The index of the author of the passage that is shown.
        place: Which place of the validation text it is.

    Attributes:
        guessed: The guess: the index of a run, or their number for the corpus; None before it.
    """

    def __init__(self, prompt: str, passages: Sequence[str], names: Sequence[str], author: int, place: int) -> None:
        self.prompt, self.names, self.place = prompt, tuple(names), place
        self._passages, self._author = tuple(passages), author
        self.guessed: int | None = None

    @property
    def passage(self) -> str:
        """The text whose author is guessed."""
        return self._passages[self._author]

    @property
    def choices(self) -> int:
        """The number of possible authors: the runs and the corpus."""
        return len(self._passages)

    def guess(self, author: int) -> bool:
        """Guess the author, once; return True if it is right.

        Raises:
            ValueError: It was guessed before, or there is no such author.
        """
        if self.guessed is not None or not 0 <= author < self.choices:
            raise ValueError("one guess for each passage, of one of its authors")
        self.guessed = author
        return author == self._author

    @property
    def author(self) -> int | None:
        """The author; None before the guess."""
        return None if self.guessed is None else self._author

    @property
    def passages(self) -> tuple[str, ...]:
        """What each author wrote, the corpus last; () before the guess."""
        return () if self.guessed is None else self._passages


def blind_round(
    authors: Sequence[Author],
    number: int,
    *,
    seed: int,
    decoding: Decoding,
    prompt: int = PROMPT,
    characters: int = CHARACTERS,
    device: str | None = None,
    progress: Callable[[float], object] = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> BlindRound:
    """Return a round: every run, and the corpus, continue one place of the validation text of the first run.

    The places come in an order drawn from the seed, each once before any comes again. The author is drawn for each
    round anew, with equal chances, so that one guess tells nothing about the next.

    Args:
        authors: The runs, one or more.
        number: Of the round, from 0.
        seed: Of the order.
        decoding: How the runs write; nothing ends their texts early.
        prompt: Tokens of the prompt under the first run.
        characters: Most characters of the passage.
        device: Where to compute; see ModelAccess.borrow.
        progress: Called with the share that is written.
        cancelled: Called between tokens.

    Raises:
        BadInput: There is no run, one cannot continue the prompt, or the first has no long enough validation text.
        Cancelled: It was cancelled.
        LabError: A run's text ended early, or a plugin's code raised.
    """
    if not authors:
        raise BadInput("are missing", field="runs", remedy="Choose one run or more")
    first = authors[0].access
    pieces = validation_pieces(first, PLACES, prompt + characters)
    place = _place(len(pieces), number, seed)
    before, own = _parts(first, pieces[place], prompt)
    plain = decoding.stored() | {"stop": [], "stop_symbols": [], "end_of_text": False}
    texts = []
    for at, author in enumerate(authors):
        text = ""
        for piece in _written(author, before, Decoding.read(plain), _seed(seed, "text", number), characters, device):
            if cancelled():
                raise Cancelled
            text += piece
            progress((at + min(1.0, len(text) / characters)) / len(authors))
            if len(text) >= characters:
                break
        texts.append(text)
    texts.append(own)
    length = min(characters, *map(len, texts))
    if length < SHORTEST * characters:
        shortest = min(range(len(texts)), key=lambda at: len(texts[at]))
        name = [*(author.name for author in authors), "the corpus"][shortest]
        what = f"{name} wrote {length} characters of {characters}"
        raise LabError(what, field="runs", remedy="Choose other filters, or shorter passages")
    drawn = random.Random(f"{seed} author {number}").randrange(len(texts))
    return BlindRound(before, [text[:length] for text in texts], [one.name for one in authors], drawn, place)


def _written(
    author: Author, prompt: str, decoding: Decoding, seed: int, characters: int, device: str | None
) -> Iterator[str]:
    """Yield the texts of the tokens of a run."""
    try:
        for piece in author.access.generate(
            prompt, decoding=decoding, seed=seed, count=4 * characters, alternatives=1, device=device
        ):
            yield piece.text
    except BadInput as error:
        problem = error.problem
        what = f"{author.name}: {' '.join(filter(None, (problem.field, str(problem.value or ''), problem.what)))}"
        raise BadInput(replace(problem, what=what, field="runs", value=None)) from None


def _parts(access: ModelAccess, piece: NDArray[np.int64], prompt: int) -> tuple[str, str]:
    """Return the text of a piece before and after its prompt, which does not end inside of a character."""
    with attributed(access.tokenizer_plugin, "Decoding"):
        decode = access.tokenizer.decode
        ends = range(prompt, prompt + 4)  # a character has at most four bytes
        end = next((end for end in ends if not decode(piece[:end]).endswith(REPLACEMENT)), prompt)
        return decode(piece[:end]).lstrip(REPLACEMENT), decode(piece[end:]).rstrip(REPLACEMENT)


def _place(count: int, number: int, seed: int) -> int:
    """Return the place of a round: all places in a drawn order, again and again, never one twice in a row."""
    order: list[int] = []
    for cycle in range(number // count + 1):
        last = order[-1:]
        order = random.Random(f"{seed} places {cycle}").sample(range(count), count)
        if count > 1 and order[:1] == last:
            order = [*order[1:], order[0]]
    return order[number % count]


def _seed(seed: int, what: str, number: int) -> int:
    return random.Random(f"{seed} {what} {number}").randrange(2**31)


def binomial_interval(right: int, count: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of Clopper and Pearson (1934) for a probability.

    Args:
        right: Successes.
        count: Trials; 0 tells nothing, and the interval is (0, 1).
        level: At least so often the interval contains the probability.

    Raises:
        ValueError: The counts or the level are impossible.
    """
    if not 0 <= right <= count or not 0 < level < 1:
        raise ValueError(f"{right} of {count} at level {level}")
    half = (1 - level) / 2
    low = 0.0 if right == 0 else _solve(lambda p: 1 - _at_most(right - 1, count, p) - half)
    high = 1.0 if right == count else _solve(lambda p: half - _at_most(right, count, p))
    return low, high


def _at_most(right: int, count: int, p: float) -> float:
    """Return the probability of at most so many successes."""
    whole = math.lgamma(count + 1)
    return math.fsum(
        math.exp(
            whole - math.lgamma(k + 1) - math.lgamma(count - k + 1) + k * math.log(p) + (count - k) * math.log1p(-p)
        )
        for k in range(right + 1)
    )


def _solve(rises: Callable[[float], float]) -> float:
    """Return where an ascending function of (0, 1) is 0."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if rises(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
