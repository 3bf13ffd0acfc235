"""The counting of statistics: a thread counts the parts one by one, and the main thread takes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from lab.api import LongText, Text
from lab.base.jobs import Cancelled
from lab.base.problems import LabError, Problem, problem_of
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.text.statistics.report import Computation
    from lab.training.resolution import Resolved

PARTS = (
    "size", "zipf_tokens", "zipf_words", "grams_words", "grams_characters", "entropies", "duplicates", "repeats",
    "overlap", "compressed",
)  # fmt: skip
"""The parts in the order in which they are counted."""
TOKENIZED = frozenset({"size", "zipf_tokens"})
"""Parts that depend on the tokenizer."""
SPLIT = frozenset({"entropies", "overlap", "compressed"})
"""Parts that depend on the start of the validation text."""


class Counting:
    """A count of the statistics of one corpus.

    Args:
        source: The corpus.
        tokenizer: The tokenizer.
        share: The share of the corpus that is training text.
        names: The names of the parts to count.

    Attributes:
        found: The name and the value, or the Problem, of each part that was not taken yet.
        done: The share of the work that is done, 0 to 1.
        doing: The name of the part that is being counted; "" while the text is tokenized.
        stopped: True to stop the counting.
    """

    def __init__(self, source: Text | LongText, tokenizer: Resolved, share: float, names: Collection[str]) -> None:
        self._source, self._tokenizer, self._share = source, tokenizer, share
        self._names = [name for name in PARTS if name in names]
        self.found: deque[tuple[str, Any]] = deque()
        self.done, self.doing, self.stopped = 0.0, "", False

    def work(self, job: Job) -> Counting:
        """Count until everything is done or it is stopped; in a thread."""
        self._job = job
        names = self._names
        parts, refused = self._parts()
        for number, name in enumerate(names):
            if self._is_stopped():
                break
            self.doing = name
            if refused is not None and name in TOKENIZED:
                self.found.append((name, refused))
            else:
                self._count(name, parts[name], number / len(names))
        return self

    def _parts(self) -> tuple[dict[str, Computation], Problem | None]:
        """Return a function for each part, and the problem of tokenizing, which only prevents parts about tokens."""
        import numpy as np

        from lab.api import NoSettings
        from lab.text.statistics.report import parts
        from lab.text.tokenizers.units import fit_characters

        source = self._source
        beginning = source.text if isinstance(source, Text) else source.beginning
        if TOKENIZED.intersection(self._names):
            try:
                tokenizer = self._tokenizer.make(beginning)
                return parts(source, tokenizer.encode(beginning), tokenizer, self._share), None
            except LabError as error:
                refused = error.problem
            except Exception as error:  # noqa: BLE001 - a plugin's code
                refused = problem_of(error, plugin=self._tokenizer.plugin, doing=self._tokenizer.card.title)
        else:
            refused = None
        return parts(source, np.zeros(0, np.int64), fit_characters(NoSettings(), beginning[:1]), self._share), refused

    def _count(self, name: str, part: Computation, before: float) -> None:
        from lab.text.statistics.progress import watched

        def note(done: int, total: int) -> None:
            self.done = before + min(1.0, done / max(1, total)) / len(self._names)

        try:
            self.found.append((name, part(watched(note, self._is_stopped))))
        except Cancelled:
            pass
        except Exception as error:  # noqa: BLE001 - the card shows the problem; the other parts are still counted
            self.found.append((name, problem_of(error, doing=step_label(name))))

    def _is_stopped(self) -> bool:
        return self.stopped or self._job.cancelled


def step_label(name: str) -> str:
    """Return a label of the work while a part is counted; "" stands for tokenizing."""
    return {
        "": tr("Tokenizing the text"),
        "size": tr("Measuring the text"),
        "zipf_tokens": tr("Ranking tokens"),
        "zipf_words": tr("Ranking words"),
        "grams_words": tr("Counting n-grams of words"),
        "grams_characters": tr("Counting n-grams of characters"),
        "entropies": tr("Estimating entropies"),
        "duplicates": tr("Finding duplicates"),
        "repeats": tr("Finding repeated passages"),
        "overlap": tr("Comparing validation with training"),
        "compressed": tr("Compressing the text"),
    }[name]
