"""The icon of the lab in the formats of Windows and macOS, made from its drawing with the Qt that is shipped."""

from pathlib import Path

from release import LINUX, call

DRAWING = LINUX / "lm-lab.svg"
SCRIPT = """
import sys
from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

application = QGuiApplication([])
drawing, target = sys.argv[1:]
image = QImage(1024, 1024, QImage.Format.Format_RGBA8888)
image.fill(0)
painter = QPainter(image)
QSvgRenderer(drawing).render(painter, QRectF(0, 0, 1024, 1024))
painter.end()
picture = Image.frombytes("RGBA", (1024, 1024), bytes(image.constBits()))
picture.save(target, sizes=[(size, size) for size in (16, 24, 32, 48, 64, 128, 256)])
"""
"""Draws the first file that it is given as the second; the sizes are those of an .ico, an .icns has its own."""


def write_icon(python: Path, target: Path) -> None:
    """Write the icon as .ico or .icns, whichever the target's suffix says.

    Args:
        python: A Python that has PySide6 and pillow.
        target: The file.
    """
    call(python, "-P", "-c", SCRIPT, DRAWING, target, environment={"QT_QPA_PLATFORM": "offscreen"})
