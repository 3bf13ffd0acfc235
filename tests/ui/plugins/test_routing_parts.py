"""The parts of the card of routing, for more experts than a screen has room for."""

import numpy as np

from lab_moe.views.parts import Routed, TogetherPart


def test_which_of_a_thousand_experts_work_together_is_told_by_the_pointer_and_not_written_into_cells(qtbot):
    part = TogetherPart()
    qtbot.addWidget(part)
    part.resize(600, 400)
    g = np.where(np.random.default_rng(0).random((64, 1024)) < 0.01, 0.5, 0)
    routed = Routed(g, g, ())

    part.show_routed(routed)
    assert not part.grab().isNull()
    assert part.map.isVisibleTo(part)
    assert part.map.text_at(0, 0).startswith("expert 1 · partner")
