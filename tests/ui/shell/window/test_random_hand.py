"""The hand of the benchmark soak uses a window for a moment, and nothing fails."""

from PySide6.QtCore import QCoreApplication

from lab.bench.window.hand import Hand, answered_dialogs


def test_the_hand_drives_a_window_and_nothing_fails(open_window, tmp_path, reported):
    window = open_window()
    hand, done = Hand(lambda: window, 7), []
    with answered_dialogs(tmp_path):
        for _ in range(6):
            done.append(hand.act(lambda _: None))
            QCoreApplication.processEvents()
    kinds = [name.partition(":")[0] for name in done]
    assert kinds == ["scrub", "point", "point", "place", "write", "place"]
    assert [problem for problem in reported if problem.trace] == []
