"""The encoding of text files: detected and named, decoded piece by piece, or recognised as binary.

Strict UTF-8 comes first. Other bytes are read in the encoding that their first bytes or the document itself name, then
in the one that looks most like a language; the facts of the text name a detected encoding.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat

from lab.api import BadInput

Blocks = Callable[[], Iterator[bytes]]
"""Yields bytes in blocks, none of them empty, the same at each call."""

_MARKS = (
    (b"\xff\xfe\x00\x00", "utf_32_le"),
    (b"\x00\x00\xfe\xff", "utf_32_be"),
    (b"\xff\xfe", "utf_16_le"),
    (b"\xfe\xff", "utf_16_be"),
)
_NAMES = {
    "utf_8": "UTF-8",
    "utf_32_le": "UTF-32 LE",
    "utf_32_be": "UTF-32 BE",
    "utf_16_le": "UTF-16 LE",
    "utf_16_be": "UTF-16 BE",
    "cp1252": "Windows-1252 (Latin-1)",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1255": "Windows-1255",
    "cp1256": "Windows-1256",
    "iso8859_2": "ISO 8859-2",
    "iso8859_5": "ISO 8859-5",
    "iso8859_7": "ISO 8859-7",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp949": "EUC-KR",
    "mac_roman": "Mac Roman",
}
_WIDER = {"iso8859_1": "cp1252", "ascii": "cp1252", "shift_jis": "cp932", "gb2312": "gb18030", "gbk": "gb18030"}
_WIDER |= {"euc_kr": "cp949", "utf_16": "utf_16_le"}
"""Encodings that are read as a larger one, since their names are used for both."""

_LIKELIEST = "cp1252"
_MORE_NOISE, _LESS_SENSE = 0.05, 0.1
"""The margin by which cp1252, by far the most common encoding, may be worse than another guess and is still used."""

_TEXT_BYTES = bytes([9, 10, 12, 13, *range(32, 127), *range(128, 256)])
_SAMPLE = 1 << 16
_DECLARED = re.compile(rb"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_HEAD = 2048


@dataclass(frozen=True)
class Encoded:
    r"""Bytes that are text.

    Args:
        blocks: The bytes.
        codec: Python's name of their encoding.
        changes: Descriptions of how the text differs from the bytes; empty for unchanged UTF-8.
    """

    blocks: Blocks
    codec: str
    changes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the encoding for display."""
        return _NAMES[self.codec]

    def pieces(self) -> Iterator[str]:
        r"""Yield the text of each block, without byte order mark and with newlines normalised."""
        decoder, lines = _decoder(self.codec), io.IncrementalNewlineDecoder(None, translate=True)
        first = True
        for block in chain(self.blocks(), [b""]):
            text = lines.decode(decoder.decode(block, final=not block), final=not block)
            if text:
                yield text.removeprefix("\ufeff") if first else text
                first = False


class _NotDecodable(Exception):
    """Bytes that are not in an encoding.

    Args:
        data: The bytes read last.
        at: The offset of the error in them.
        offset: The offset of the error in all bytes.
        cut: True if the bytes end there, in the middle of a character.
        readable: True if there are characters beyond ASCII before it.
    """

    def __init__(self, data: bytes, at: int, offset: int, *, cut: bool = False, readable: bool = False) -> None:
        super().__init__(offset)
        start = max(0, at - _SAMPLE // 2)
        if start:  # start at a line, and so at a character
            start = max(start, data.find(b"\n", start, at) + 1)
        self.sample, self.sample_offset = data[start : start + _SAMPLE], offset - at + start
        self.location = f"byte 0x{data[at]:02X} at offset {offset}"
        self.cut, self.readable = cut, readable


def encoded(blocks: Blocks, *, field: str, value: str, declares: bool = False) -> Encoded:
    """Return the bytes as text, after decoding all of them once, so that this cannot fail later.

    Args:
        blocks: The bytes.
        field: The field of problems.
        value: The value of that field.
        declares: True if they may name their encoding as HTML does, "charset=…" near the start.

    Raises:
        BadInput: They are not text; the problem names the position of the error and what they seem to be.
    """
    head = next(blocks(), b"")[:_HEAD]
    marked = next((codec for mark, codec in _MARKS if head.startswith(mark)), None)
    guesses: list[str] = []
    try:
        return _checked(blocks, marked or "utf_8")
    except _NotDecodable as error:
        what, other = _explained(error)
        if marked:
            what = f"starts like {_NAMES[marked]}, but is not: {error.location}"
        elif other:
            named = _declared(head) if declares else None
            guesses = [*([named] if named else []), *_guesses(error.sample)]
    for codec in guesses:
        with contextlib.suppress(_NotDecodable):
            return _checked(blocks, codec)
    raise BadInput(
        what,
        field=field,
        value=value,
        allowed="UTF-8 text, or text in another encoding that can be detected",
        remedy="Save it again as UTF-8 plain text (in most editors: Save as, encoding UTF-8)",
    )


def _decoder(codec: str) -> codecs.IncrementalDecoder:
    return codecs.getincrementaldecoder(codec)("strict")


def _checked(blocks: Blocks, codec: str) -> Encoded:
    r"""Return the bytes in an encoding after decoding all of them.

    Raises:
        _NotDecodable: They are not in it, or hold the character NUL.
    """
    decoder = _decoder(codec)
    lines = io.IncrementalNewlineDecoder(None, translate=True)  # records which line ends it met
    last, read, mark, readable = b"", 0, False, False
    for block in chain(blocks(), [b""]):
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            data = last + block
            at = len(data) - len(error.object) + error.start
            readable = readable or not data[:at].isascii()
            raise _NotDecodable(data, at, read - len(last) + at, cut=not block, readable=readable) from None
        if "\0" in text:
            at = max(0, block.find(0))
            raise _NotDecodable(block, at, read + at)
        mark = mark or (not read and text.startswith("\ufeff"))
        readable = readable or not text.isascii()
        lines.decode(text, final=not block)
        last, read = block, read + len(block)
    changes = [f"decoded from {_NAMES[codec]}"] if codec != "utf_8" else []
    changes += ["byte order mark removed"] if mark else []
    newlines = lines.newlines if isinstance(lines.newlines, tuple) else (lines.newlines,)
    changes += ["line ends made \\n"] if {"\r", "\r\n"} & set(newlines) else []
    return Encoded(blocks, codec, tuple(changes))


def _declared(head: bytes) -> str | None:
    """Return the codec of the encoding that a document names at its start, if it is known here."""
    named = _DECLARED.search(head)
    try:
        codec = codecs.lookup(named[1].decode()).name.replace("-", "_") if named else ""
    except (LookupError, UnicodeDecodeError):
        return None
    codec = _WIDER.get(codec, codec)
    return codec if codec in _NAMES else None


def _explained(error: _NotDecodable) -> tuple[str, bool]:
    """Return a description of why bytes are not UTF-8, and True if they may be text in another encoding."""
    zero = error.sample.find(0)
    if zero >= 0:
        return f"is binary, not text: NUL byte at offset {error.sample_offset + zero}", bool(_utf16(error.sample))
    if error.cut and error.readable:
        return f"is not UTF-8: it ends in the middle of a character, {error.location}", False
    what = f"is not UTF-8: {error.location}"
    if error.sample.translate(None, _TEXT_BYTES) != b"":
        return f"{what}; it seems to be binary", False
    good = sum(map(str.__gt__, error.sample.decode(errors="ignore"), repeat("\x7f")))
    if good > error.sample.decode(errors="replace").count("\ufffd"):
        return f"{what}, though most of it is: it is damaged", False
    return f"{what}, and in no other encoding that can be detected", True


def _utf16(sample: bytes) -> str | None:
    """Return UTF-16 of either byte order if its NUL bytes show it: nearly every second byte for Latin letters."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if abs(even - odd) <= len(sample) // 4:
        return None
    return "utf_16_be" if even > odd else "utf_16_le"


def _guesses(sample: bytes) -> list[str]:
    """Return codecs that a sample may be in, the likeliest first."""
    by_zeros = _utf16(sample)
    if by_zeros:
        return [by_zeros]
    from charset_normalizer import from_bytes

    if len(sample) == _SAMPLE:  # cut after a character
        sample = sample[: max(sample.rfind(b"\n"), sample.rfind(b" ")) + 1 or None]
    tried = [codec for codec in _NAMES if not codec.startswith(("utf_8", "utf_32"))]
    matches = list(from_bytes(sample, cp_isolation=tried, enable_fallback=False))
    guesses = [codec for match in matches for codec in match.could_be_from_charset]
    if any(
        _LIKELIEST in match.could_be_from_charset
        and match.chaos <= matches[0].chaos + _MORE_NOISE
        and match.coherence >= matches[0].coherence - _LESS_SENSE
        for match in matches
    ):
        guesses.insert(0, _LIKELIEST)
    return guesses
