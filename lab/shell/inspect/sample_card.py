"""The card of the text that the model wrote at the selected step, and at the pinned one."""

from __future__ import annotations

from collections.abc import Sequence

from lab.shell.inspect.inspection_view import SAMPLE, InspectionView, names_of_pair, title_of_card
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.timeline.pair import ViewPair
from lab.widgets.tokens.samples import SampleText, sample_at

Samples = Sequence[tuple[int, str]]
"""Step and text of each sample, oldest first."""


class SampleCard(Card):
    """The last text that a run had written by a step."""

    def __init__(self) -> None:
        super().__init__(title_of_card(SAMPLE))
        self._text = SampleText()
        self._pinned: SampleText | None = None
        self._pair = ViewPair(self._text)
        self.set_content(self._pair)

    def show_inspection(self, shown: InspectionView, pinned: InspectionView | None, samples: Samples) -> None:
        """Show the sample of an inspection, and that of a pinned one alongside.

        Args:
            shown: The inspection.
            pinned: The pinned one, or that of another run; None where there is none.
            samples: Step and text of the run's samples, oldest first.
        """
        written = _written(shown, samples)
        if written is None and pinned is None:
            self.set_title(self.title)
            self.show_empty(_nothing_yet(samples))
            return
        if (pinned is not None) != (self._pinned is not None):
            self._pinned = None if pinned is None else SampleText()
            self._pair.pin(self._pinned)
        if pinned is not None and self._pinned is not None:
            of_run = () if pinned.of_other_run else samples
            other = _written(pinned, of_run)
            self._pinned.show_text(_nothing_yet(of_run) if other is None else other[1])
            self._pair.name(*names_of_pair(shown, pinned))
        self._text.show_text(_nothing_yet(samples) if written is None else written[1])
        self.set_title(self.title, "" if written is None else tr("written at step {n}", n=number_text(written[0])))
        self.show_content()

    def wait(self, message: str) -> None:
        """Show what is waited for in place of a sample."""
        self.set_title(self.title)
        self.show_empty(message)


def _written(view: InspectionView, samples: Samples) -> tuple[int, str] | None:
    """Return step and text of the sample of an inspection, or of the last one before it; None where there is none."""
    if view.inspection.sample is not None:
        return view.inspection.step, view.inspection.sample
    index = sample_at(samples, view.inspection.step)
    return samples[index] if index >= 0 else None


def _nothing_yet(samples: Samples) -> str:
    if not samples:
        return tr("No sample yet: the model writes one at every evaluation.")
    return tr("No sample yet at this step: the first one was written at step {step}.", step=number_text(samples[0][0]))
