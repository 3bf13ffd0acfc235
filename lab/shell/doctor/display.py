"""The program that writes what Qt finds of screens and fonts as JSON; the window asks the same without a process."""

from __future__ import annotations

import json
import sys
from typing import Any

from PySide6.QtGui import QFontDatabase, QGuiApplication


def display_facts() -> dict[str, Any]:
    """Return the platform, the screens and the number of fonts; called in the main thread of an application."""
    screens = [
        {"width": screen.size().width(), "height": screen.size().height(), "scale": screen.devicePixelRatio()}
        for screen in QGuiApplication.screens()
    ]
    families = QFontDatabase.families()
    return {
        "platform": QGuiApplication.platformName(),
        "screens": screens,
        "families": len(families),
        "fixed": sum(map(QFontDatabase.isFixedPitch, families)),
    }


def main() -> int:
    """Write what an application without a window finds."""
    application = QGuiApplication(["lm-lab"])
    sys.stdout.write(json.dumps(display_facts()) + "\n")
    sys.stdout.flush()
    del application
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
