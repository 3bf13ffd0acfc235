"""The parts of the card of routing, for more experts than a screen has room for."""

import numpy as np

from lab_moe.views.parts import Routed, TogetherPart


def test_pairs_of_a_thousand_experts_are_shown_in_tool_tips_and_not_in_cells(qtbot):
    part = TogetherPart()
    qtbot.addWidget(part)
    part.resize(600, 400)
    g = np.where(np.random.default_rng(0).random((64, 1024)) < 0.01, 0.5, 0)
    routed = Routed(g, g, ())

    part.show_routed(routed)
    assert not part.grab().isNull()
    assert part.map.isVisibleTo(part)
    assert part.map.text_at(0, 0).startswith("expert 1 · partner")
