"""The conformance suite on every card of lab_linear_attention, with every preset."""

import pytest

from lab.testing import conformance
from lab_linear_attention.cards import ARCHITECTURES, MIXERS

pytestmark = pytest.mark.long

for card in (*ARCHITECTURES, *MIXERS):
    kind = "mixer_" if card in MIXERS else ""
    globals()[f"test_{kind}{card.name.replace('-', '_')}"] = conformance(card)
