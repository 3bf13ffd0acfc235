"""Bytes that should be text: decoded and normalised, or told apart from what they seem to be instead."""

from __future__ import annotations

from lab.api import BadInput

_MARKS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_TEXT_BYTES = bytes([9, 10, 12, 13, *range(32, 127), *range(128, 256)])
_SAMPLE = 1 << 16


def decoded(data: bytes, *, field: str, value: str) -> tuple[str, list[str]]:
    r"""UTF-8 bytes as text without byte order mark, with \n at the end of lines.

    Args:
        data: The bytes.
        field: The recipe path a problem is about.
        value: What stands there.

    Returns:
        The text, and in words what was changed: empty where it is the bytes as they were.

    Raises:
        BadInput: They are no UTF-8 text; the problem says where that shows and what they seem to be.
    """
    fault = _other_encoding(data)
    if fault is None:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            fault = _not_utf8(data, error)
        else:
            return _normalised(text)
    raise BadInput(
        fault,
        field=field,
        value=value,
        allowed="UTF-8 text",
        remedy="Save it again as UTF-8 plain text (in most editors: Save as, encoding UTF-8)",
    )


def _normalised(text: str) -> tuple[str, list[str]]:
    changes = []
    if text.startswith("\ufeff"):
        text = text[1:]
        changes.append("byte order mark removed")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        changes.append("line ends made \\n")
    return text, changes


def _other_encoding(data: bytes) -> str | None:
    """What shows without decoding that this is no UTF-8 text."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return f"is {name}, not UTF-8: its byte order mark stands at offset 0"
    zero = data.find(0)
    if zero < 0:
        return None
    even, odd = data[:_SAMPLE:2].count(0), data[1:_SAMPLE:2].count(0)
    if abs(even - odd) > min(len(data), _SAMPLE) // 4:  # nearly every second byte, as in Latin letters of UTF-16
        return f"seems to be UTF-16, not UTF-8: NUL byte at offset {zero}"
    return f"is binary, not text: NUL byte at offset {zero}"


def _not_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    place = f"byte 0x{data[error.start]:02X} at offset {error.start}"
    if error.reason == "unexpected end of data":
        return f"is not UTF-8: it ends in the middle of a character, {place}"
    sample = data[max(0, error.start - _SAMPLE // 2) :][:_SAMPLE]
    strange = sample.translate(None, _TEXT_BYTES)
    seems = "binary" if strange else "Latin-1 or Windows-1252 text"
    return f"is not UTF-8: {place}; it seems to be {seems}"
