"""QR codes of links, as modules to paint, as files, and as text for a terminal."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

BORDER = 4
"""Modules of the light border that the standard asks for."""
SCALE = 8
"""Pixels of a module in a PNG file."""
BLOCKS = " ▀▄█"
"""The characters that show two modules, one above the other: neither dark, the upper, the lower, both."""
DARK_ON_LIGHT = "\x1b[38;5;16;48;5;231m"
"""The colours black on white in a terminal, whatever its own are."""
PLAIN = "\x1b[0m"


@dataclass(frozen=True)
class QrCode:
    """A QR code.

    Args:
        rows: Its modules without the border; True is dark.
        version: Its version, 1 to 40, which is its size.
        code: The code of the library that made it.
    """

    rows: tuple[tuple[bool, ...], ...]
    version: int
    code: Any

    def svg(self) -> str:
        """Return it as an SVG file, dark on a white ground."""
        file = io.BytesIO()
        self.code.save(file, kind="svg", scale=4, border=BORDER, light="#fff")
        return file.getvalue().decode()

    def png(self) -> bytes:
        """Return it as a PNG file, black on white."""
        file = io.BytesIO()
        self.code.save(file, kind="png", scale=SCALE, border=BORDER)
        return file.getvalue()

    def text(self, *, coloured: bool) -> str:
        """Return it as lines of text, with two modules in each character.

        Args:
            coloured: True for a terminal; False writes light modules as blocks, for light text on a dark ground.
        """
        width = len(self.rows) + 2 * BORDER
        empty = (False,) * width
        side = (False,) * BORDER
        rows = [empty] * BORDER + [(*side, *row, *side) for row in self.rows] + [empty] * BORDER
        rows += [empty] * (len(rows) % 2)
        flip = 0 if coloured else 3
        start, end = (DARK_ON_LIGHT, PLAIN) if coloured else ("", "")
        lines = (
            "".join(BLOCKS[(upper + 2 * lower) ^ flip] for upper, lower in zip(*pair, strict=True))
            for pair in zip(rows[::2], rows[1::2], strict=True)
        )
        return "\n".join(f"{start}{line}{end}" for line in lines)


def qr_code(link: str) -> QrCode:
    """Return the QR code of a link: in capital letters, which take little more than half the room of small ones."""
    import segno

    code = segno.make_qr(link.upper(), error="l")
    rows = tuple(tuple(bool(module) for module in row) for row in code.matrix)
    return QrCode(rows, int(code.version), code)
