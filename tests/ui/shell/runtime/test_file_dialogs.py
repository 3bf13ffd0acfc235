"""Qt's own file dialog in the style of the lab."""

import pytest
from PySide6.QtWidgets import QFileDialog, QToolButton

from lab.widgets.core.theme import contrast, themes


def drawn(button):
    """Return the number of pixels whose contrast to the ground of a button is at least 3."""
    image = button.grab().toImage()
    inside = [(x, y) for x in range(6, image.width() - 6) for y in range(8, image.height() - 8)]
    ground = image.pixelColor(4, image.height() // 2).name()
    return sum(contrast(image.pixelColor(x, y).name(), ground) >= 3 for x, y in inside)


@pytest.mark.parametrize("mode", ["dark", "light"])
def test_its_buttons_have_icons_that_can_be_seen(qtbot, tmp_path, mode):
    themes.choose(mode)
    dialog = QFileDialog(None, "Open", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    dialog.show()
    buttons = [one for one in dialog.findChildren(QToolButton) if one.isVisible() and one.isEnabled()]
    assert len(buttons) >= 4
    for button in buttons:
        assert drawn(button) > 20, button.objectName()
