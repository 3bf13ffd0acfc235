"""TensorBoard event files, written without TensorBoard as records of protocol buffers, thousands of points at a time.

A record is its length, a checksum of the length, the body and a checksum of the body (TFRecord). The body is an `Event`
of TensorFlow's event.proto and summary.proto; for scalars and texts neither has changed since 2017.
"""

from __future__ import annotations

import contextlib
import struct
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from lab.base.notices import notify
from lab.base.problems import LabError
from lab.runs import RunFolder

AT_ONCE = 1 << 16
"""The number of points that are converted to records at a time."""
VARINT, FIXED64, MESSAGE, FIXED32 = 0, 1, 2, 5
"""Wire types of the fields of a protocol buffer; texts have that of messages."""
LARGEST = 1 << 63
"""Steps are smaller than this."""
STRING = 7
"""TensorFlow's number of the data type of texts."""

Bytes = NDArray[np.uint8]


def write_events(run: RunFolder, folder: Path, tick: Callable[[float], None]) -> None:
    """Write a run as a folder with one event file: every series as scalars, samples as texts.

    Scalars have TensorBoard's precision, float32. The time of a scalar is the start of the run plus the seconds of
    training until then. Unreadable parts of the run are left out with a notice.

    Args:
        run: The run.
        folder: The folder to create.
        tick: Called regularly with the share that is done.

    Raises:
        LabError: Neither metrics nor samples can be read.
        OSError: The file cannot be written.
    """
    folder.mkdir()
    begin = _start_time(run)
    with (folder / f"events.out.tfevents.{int(begin):010}.lm-lab").open("wb") as out:
        out.write(_record(_field(1, FIXED64, struct.pack("<d", begin)) + _text(3, "brain.Event:2")))
        lacking: list[LabError] = []
        for write in (_write_scalars, _write_samples):
            try:
                write(run, begin, out, tick)
            except LabError as error:
                lacking.append(error)
    if len(lacking) == 2:
        raise lacking[0]
    for one in lacking:
        notify("warning", one.problem)


def _start_time(run: RunFolder) -> float:
    """Return the time when the run was made, in seconds since 1970; 0 if it is not recorded."""
    with contextlib.suppress(ValueError, OverflowError):
        return max(datetime.fromisoformat(run.created).timestamp(), 0.0)
    return 0.0


def _write_scalars(run: RunFolder, begin: float, out: BinaryIO, tick: Callable[[float], None]) -> None:
    reader = run.metrics()
    series = reader.series()
    known, seconds = reader.read("seconds") if "seconds" in series else (np.empty(0, np.int64), np.empty(0))
    known, seconds = np.append(0, known[known > 0]), np.append(0.0, seconds[known > 0])
    for number, (name, info) in enumerate(series.items(), start=1):
        steps, values = reader.read(name, first=0)
        times = begin + np.interp(steps, known, seconds)
        for records in _scalars(name, info.unit, steps, times, values):
            out.write(records)
        tick(number / len(series))


def _write_samples(run: RunFolder, begin: float, out: BinaryIO, tick: Callable[[float], None]) -> None:
    for sample in run.samples():
        step, text, time = sample.get("step"), sample.get("text"), sample.get("time", begin)
        if isinstance(step, int) and 0 <= step < LARGEST and isinstance(text, str) and isinstance(time, float):
            event = _field(1, FIXED64, struct.pack("<d", time)) + _field(2, VARINT, _varint(step))
            out.write(_record(event + _message(5, _message(1, _sample(text)))))
    tick(1.0)


def _sample(text: str) -> bytes:
    """Return the record's value for a text, indented so that TensorBoard, which reads Markdown, shows it unchanged."""
    shown = "".join(f"    {line}" for line in text.splitlines(keepends=True))
    plugin = _message(9, _message(1, _text(1, "text")))
    one = _message(2, _message(2, _field(1, VARINT, _varint(1))))  # the shape (1,)
    tensor = _field(1, VARINT, _varint(STRING)) + one + _text(8, shown)
    return _text(1, "sample") + plugin + _message(8, tensor)


def _scalars(name: str, unit: str, steps: NDArray[np.int64], times: Any, values: Any) -> Iterator[bytes]:
    """Yield the records of a series; the first one contains its unit, where TensorBoard expects it."""
    about = _message(9, _message(1, _text(1, "scalars")) + _text(3, unit))
    firsts = [0, *range(1, len(steps), AT_ONCE), len(steps)] if len(steps) else []
    # Steps whose varints have the same length make records of the same length.
    longer = np.searchsorted(steps, [1 << 7 * length for length in range(1, 9)]).tolist()
    cuts = sorted({*firsts, *longer})
    for begin, end in pairwise(cuts):
        value = _text(1, name) + (b"" if begin else about) + _key(2, FIXED32)
        head = _key(5, MESSAGE) + _varint(len(_message(1, value + bytes(4))))
        head += _key(1, MESSAGE) + _varint(len(value) + 4) + value
        part = steps[begin:end]
        length = len(_varint(int(part[0])))
        digits = part[:, None] >> 7 * np.arange(length) & 127 | np.where(np.arange(length) < length - 1, 128, 0)
        with np.errstate(over="ignore"):  # values beyond float32 become infinite
            numbers = values[begin:end].astype("<f4")
        columns = (
            _rows(_key(1, FIXED64), len(part)),
            times[begin:end].astype("<f8").view(np.uint8).reshape(-1, 8),
            _rows(_key(2, VARINT), len(part)),
            digits.astype(np.uint8),
            _rows(head, len(part)),
            numbers.view(np.uint8).reshape(-1, 4),
        )
        yield _records(np.concatenate(columns, axis=1))


def _record(body: bytes) -> bytes:
    return _records(_rows(body, 1))


def _records(bodies: Bytes) -> bytes:
    """Return (N, L) bodies, one per row, as N records."""
    count, length = bodies.shape
    size = _rows(struct.pack("<Q", length), 1)
    head = np.concatenate([size, _checksums(size)], axis=1)
    return np.concatenate([np.repeat(head, count, axis=0), bodies, _checksums(bodies)], axis=1).tobytes()


def _checksums(rows: Bytes) -> Bytes:
    """Return the CRC-32C of each row (RFC 3720, B.4) as (N, 4) bytes, masked as TFRecord requires."""
    crc = np.full(len(rows), 0xFFFFFFFF, np.uint32)
    for column in np.ascontiguousarray(rows.T):
        crc = _CRC[(crc & 0xFF).astype(np.uint8) ^ column] ^ (crc >> 8)
    crc ^= 0xFFFFFFFF
    masked = ((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)
    return masked.astype("<u4").view(np.uint8).reshape(-1, 4)


def _crc_table() -> NDArray[np.uint32]:
    """Return the CRC-32C of every byte, (256,)."""
    table: NDArray[np.uint32] = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = np.bitwise_xor(table >> 1, (table & 1) * np.uint32(0x82F63B78), dtype=np.uint32)
    return table


_CRC = _crc_table()


def _rows(content: bytes, count: int) -> Bytes:
    """Return (count, L): the same bytes in every row."""
    return np.broadcast_to(np.frombuffer(content, np.uint8), (count, len(content)))


def _varint(number: int) -> bytes:
    digits = bytearray()
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def _key(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _field(field: int, kind: int, content: bytes) -> bytes:
    return _key(field, kind) + content


def _message(field: int, content: bytes) -> bytes:
    return _key(field, MESSAGE) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode(errors="backslashreplace"))
