"""The suite on models that each break one promise: the right check fails, and says what to change."""

from pathlib import Path

import pytest

from lab.testing import check_architecture
from lab.testing.cards import architecture_of, cards_of

FILE = Path(__file__).parent / "plugins" / "broken.py"

# model: the checks that fail, and what the first of them names
BROKEN = {
    "LeaksOneToken": ("causality causality-in-training pieces", "mask or shift"),
    "LeaksThroughBatchNorm": ("causality-in-training", "BatchNorm"),
    "WritesIntoItsState": ("purity", "never write into a state"),
    "LosesItsStateAtChunks": ("pieces", "first at position 64"),
    "KeepsASpareParameter": ("gradients", "blocks.0.token.spare"),
    "PutsTheBatchSecond": ("state", "batch first"),
    "HoldsADataclass": ("state", "Held"),
    "StartsOnTheProcessor": ("meta", "new_zeros"),
    "StartsInAnotherType": ("state", "begins as torch.float32 and becomes torch.float64"),
    "CopiesALiveField": ("live", "self.config.gain"),
    "ReportsTwice": ("readings", "twice in layer 0"),
    "ReportsWrongAxes": ("readings silence copies", "unknown axis 'time'"),
    "ChangesWhenCaptured": ("silence", "reporting"),
    "ShowsTheFuture": ("mixing", "keys after the query"),
    "KeepsItsOutput": ("copies", "keep no tensor"),
    "HidesATensor": ("tables", "persistent buffer"),
    "DrawsElsewhere": ("build", "blocks.0.token.decay"),
    "MisnamesAParameter": ("names", "use decay"),
    "AddsALossPerToken": ("losses", "value.mean()"),
    "DropsRows": ("rows", "row 2 alone"),
    "IgnoresLast": ("last", "logits[:, -last:]"),
    "HasUnboundedPositionsOnly": ("context", "reach"),
    "CopiesTheConfig": ("build", "super().__init__"),
    "ScoresPadding": ("score", "target < 0"),
    "DoesNotBuild": ("build", "broken.py:"),
    "CountsSlicesApart": ("slices normalised score", "two slices"),
    "CountsInPlace": ("counting-on", "self.pairs = self.pairs + new"),
    "DecodesBothWays": ("no-decoding", "NotCausal"),
    "IgnoresTheTask": ("future", "task.causal"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_exactly_the_checks_that_it_breaks_fail_and_name_what_to_change(name):
    expected, words = BROKEN[name]
    failures = {failure.check: failure for failure in check_architecture(architecture_of(name, FILE))}
    assert sorted(failures) == sorted(expected.split())
    assert words in str(failures[expected.split()[0]])


def test_every_broken_model_stands_in_the_table():
    assert set(cards_of(FILE)) - set(BROKEN) == {"Average", "Own"}
