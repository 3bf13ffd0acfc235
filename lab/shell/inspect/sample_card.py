"""The card of what the model wrote at the moment that is looked at, and at the pinned one beside it."""

from __future__ import annotations

from collections.abc import Sequence

from lab.shell.inspect.reading_card import Key, Scene, names_of
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.widgets.timeline.pair import Pair
from lab.widgets.tokens.samples import SampleText, sample_at

SAMPLE: Key = (tr("Sample"), ("text",))
"""What stands for this card among the readings."""

Samples = Sequence[tuple[int, str]]


class SampleCard(Card):
    """What a run wrote last when it had reached a moment."""

    def __init__(self) -> None:
        super().__init__(SAMPLE[0])
        self._text = SampleText()
        self._pinned: SampleText | None = None
        self._pair = Pair(self._text)
        self.set_content(self._pair)

    def show_scene(self, scene: Scene, pinned: Scene | None, samples: Samples) -> None:
        """Shows the samples of one moment, and of a pinned one beside it.

        Args:
            scene: The moment.
            pinned: The pinned one; None where nothing is.
            samples: (step, text) of the run, oldest first.
        """
        written = _written(scene, samples)
        if written is None and pinned is None:
            self.set_title(self.title)
            self.show_empty(_nothing_yet(samples))
            return
        if (pinned is not None) != (self._pinned is not None):
            self._pinned = None if pinned is None else SampleText()
            self._pair.pin(self._pinned)
        if pinned is not None and self._pinned is not None:
            of_run = () if pinned.of_other_run else samples
            before = _written(pinned, of_run)
            self._pinned.show_text(_nothing_yet(of_run) if before is None else before[1])
            self._pair.name(*names_of(scene, pinned))
        self._text.show_text(_nothing_yet(samples) if written is None else written[1])
        self.set_title(self.title, "" if written is None else tr("written at step {n}", n=f"{written[0]:,}"))
        self.show_content()

    def wait(self, words: str) -> None:
        """Shows no sample but what is waited for."""
        self.set_title(self.title)
        self.show_empty(words)


def _written(scene: Scene, samples: Samples) -> tuple[int, str] | None:
    """The step and the text of what was written at a moment, or last before it."""
    if scene.look.sample is not None:
        return scene.look.step, scene.look.sample
    place = sample_at(samples, scene.look.step)
    return samples[place] if place >= 0 else None


def _nothing_yet(samples: Samples) -> str:
    if not samples:
        return tr("The model has written nothing yet: it does at every evaluation.")
    return tr("Nothing was written yet: the first sample is of step {step}.", step=f"{samples[0][0]:,}")
