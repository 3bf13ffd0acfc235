"""Animations of a training: a reading or histograms at every recorded step, as a GIF or as a folder of pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading
from lab.base.charts.colours import COLOURS, SIGNED, VIRIDIS, table_of
from lab.base.charts.maps import Numbers, Scale, scale_of, shrunk
from lab.base.extras import need
from lab.base.files.writing import (
    check_output,
    folder_for,
    named_by_user,
    sync_tree,
    write_atomically,
    write_errors_as_problems,
)
from lab.base.problems import BadInput, LabError
from lab.interop.report.maps import png
from lab.runs import RunFolder
from lab.runs.histograms import KINDS, Histogram, Histograms, add_histograms
from lab.runs.readings import read_readings, reading_steps

Cells = NDArray[np.uint8]
HISTOGRAMS = "histograms of "
"""Prefix of the name of an animation of histograms; one of KINDS follows."""
SIDE, BARS, GAP = 180, 60, 6
"""Pixels: the longer side of a map, the height of bars, and the distance between two of them."""
TILES = 16
"""Most maps or rows of bars in a picture."""
DIGITS = ("75557", "26227", "71747", "71717", "55711", "74717", "74757", "71111", "75757", "75717")
"""The ten digits, five rows of three bits each."""
PICTURE = re.compile(r"step-\d{8,}\.png")
"""The names of the pictures in a folder."""
SUFFIX = re.compile(r"\.[a-z][a-z0-9]{1,4}")
"""The suffix of a file name; the ".5" of "lr=0.5" is none."""
SECONDS = 0.2
"""Default seconds per step of a GIF; its last step is shown for one second."""


@dataclass(frozen=True)
class Subject:
    """A reading, or a kind of histograms, that can be animated over the recorded steps.

    Args:
        name: The name of a reading, or HISTOGRAMS and one of KINDS.
        layer: The block of a reading; None outside the blocks and for histograms.
        steps: The steps at which it was recorded, in order.
    """

    name: str
    layer: int | None
    steps: tuple[int, ...]


def subjects_of(run: RunFolder, progress: Callable[[float], object] = lambda _: None) -> list[Subject]:
    """Return what was recorded at two or more steps of a run.

    Args:
        run: The run.
        progress: Called with the share that is read, 0 to 1; what it raises ends the search.
    """
    steps: dict[tuple[str, int | None], list[int]] = {}
    recorded = reading_steps(run.path)
    for number, step in enumerate(recorded):
        progress(number / len(recorded))
        for name, layer in dict.fromkeys((one.name, one.layer) for one in _readings(run, step)):
            steps.setdefault((name, layer), []).append(step)
    for kind, layers in _histograms(run).items():
        found = sorted({one.step for each in layers.values() for one in each})
        steps[HISTOGRAMS + kind, None] = found
    return [Subject(name, layer, tuple(found)) for (name, layer), found in steps.items() if len(found) > 1]


def write_animation(
    run: RunFolder,
    path: Path,
    name: str,
    layer: int | None = None,
    *,
    seconds: float = SECONDS,
    overwrite: bool = False,
    progress: Callable[[float], object] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> int:
    """Write an animation of a training, completely or not at all.

    Maps have the same colours at all steps; the heads of a reading are next to each other, and rows of numbers are
    bars. Each picture has the number of its step above, and below a line as long as its share of the last one.

    Args:
        run: The run.
        path: "NAME.gif", or a new folder of pictures "step-00000100.png".
        name: What it shows, the name of a Subject.
        layer: The block of a reading.
        seconds: Seconds per step of a GIF.
        overwrite: Whether what exists at the path may be replaced.
        progress: Called in this thread with the share that is done, 0 to 1.
        cancelled: Polled before every picture; True stops the export.

    Returns:
        The number of pictures.

    Raises:
        BadInput: It was recorded at fewer than two steps, the path exists, is a folder with other files or has
            another suffix, or Pillow is not installed for a GIF.
        LabError: The run cannot be read, the animation cannot be written, or it was cancelled; nothing remains.
    """
    check_output(path, overwrite=overwrite)
    is_gif = path.suffix.lower() == ".gif"
    _check_kind(path, is_gif)
    if not 0.02 <= seconds <= 10:
        raise BadInput("is not allowed", field="seconds", value=str(seconds), allowed="0.02 to 10")
    image = need("PIL.Image", "images", "A GIF") if is_gif else None

    def tick(share: float) -> None:
        if cancelled():
            raise LabError("the export was cancelled, and nothing was written", field="file", value=str(path))
        progress(share)

    parts = dict(_recorded(run, name, layer, lambda share: tick(0.4 * share)))
    if len(parts) < 2:
        known = sorted({subject.name for subject in subjects_of(run)})
        what = "was recorded at fewer than two steps of this run"
        raise BadInput(
            what if layer is None else f"was recorded at fewer than two steps of this run in block {layer + 1}",
            field="reading",
            value=name,
            allowed=", ".join(known) or None,
            remedy=None if known else "Train with readings.moments above 1",
        )
    are_maps = all(tile.ndim == 2 for tiles in parts.values() for tile in tiles)
    scale = scale_of(np.concatenate([_range_of(tiles) for tiles in parts.values()]), root=are_maps)
    last, pictures = max(parts), []
    for number, (step, tiles) in enumerate(parts.items()):
        tick(0.4 + 0.4 * number / len(parts))
        pictures.append(_picture(tiles, scale, step, step / last))
    pictures = _of_one_size(pictures)
    palette = _palette(scale)

    def write(temporary: Path) -> None:
        if image is not None:
            _write_gif(image, temporary, pictures, palette, seconds)
            tick(1.0)
            return
        temporary.mkdir()
        for number, (step, cells) in enumerate(zip(parts, pictures, strict=True)):
            tick(0.8 + 0.2 * number / len(parts))
            (temporary / f"step-{step:08}.png").write_bytes(png(cells, palette, bytes([255] * (COLOURS + 1))))
        sync_tree(temporary)

    with named_by_user(), folder_for(path.absolute().parent):
        write_atomically(path.absolute(), write, recorded=True)
    return len(pictures)


def _check_kind(path: Path, is_gif: bool) -> None:
    """Refuse a name that is neither of a GIF nor of a folder, and a folder that is no earlier animation."""
    if SUFFIX.fullmatch(path.suffix.lower()) and not is_gif:
        raise BadInput(
            "is the name of neither kind of animation",
            field="file",
            value=str(path),
            allowed="NAME.gif, or NAME for a folder of pictures",
        )
    with write_errors_as_problems(path):
        others = path.is_dir() and (is_gif or not all(PICTURE.fullmatch(inside.name) for inside in path.iterdir()))
    if others:
        raise BadInput("is a folder with other files", field="file", value=str(path), remedy="Choose a new name")


def _recorded(
    run: RunFolder, name: str, layer: int | None, tick: Callable[[float], object]
) -> Iterator[tuple[int, list[Numbers]]]:
    """Yield the steps and the maps (R, C) or rows (N,) recorded at each, as small as they are drawn."""
    if name.startswith(HISTOGRAMS):
        yield from _recorded_histograms(_histograms(run).get(name.removeprefix(HISTOGRAMS), {}))
        return
    steps = reading_steps(run.path)
    for number, step in enumerate(steps):
        tick(number / len(steps))
        found = [one for one in _readings(run, step) if one.name == name and layer in (None, one.layer)]
        tiles = islice((tile for one in found for tile in tiles_of(one)), TILES)
        small = [_small(tile).copy() for tile in tiles]  # no view that holds all of a reading
        if small:
            yield step, small


def _recorded_histograms(layers: Mapping[str, Sequence[Histogram]]) -> Iterator[tuple[int, list[Numbers]]]:
    """Yield the steps and a row (N,) of shares for each layer, on one axis at all steps; NaN where it has none."""
    series = [each for each in layers.values() if each][:TILES]
    axes = [(max(one.bound for one in each), max(len(one.counts) for one in each)) for each in series]
    by_step = [{one.step: one for one in each} for each in series]
    for step in sorted({step for known in by_step for step in known}):
        rows = [_shares(known.get(step), *axis) for known, axis in zip(by_step, axes, strict=True)]
        yield step, [_small(row) for row in rows]


def _shares(histogram: Histogram | None, bound: float, bins: int) -> Numbers:
    """Return the shares (N,) of the counts in bins from −bound to bound, spread evenly in a bin; NaN without any."""
    if histogram is None:
        return np.full(bins, np.nan, np.float32)
    counts = histogram.counts
    if histogram.bound == 0 < bound:
        middle = np.zeros(bins, np.float32)
        middle[bins // 2] = min(1.0, counts.sum())
        return middle
    known = np.linspace(-1, 1, len(counts) + 1) * (histogram.bound / bound if bound else 1.0)
    below = np.interp(np.linspace(-1, 1, bins + 1), known, np.concatenate([[0.0], counts.cumsum()]))
    shares: Numbers = np.diff(below) / max(1.0, below[-1])
    return shares.astype(np.float32)


def _readings(run: RunFolder, step: int) -> list[Reading]:
    """Return the readings of a step, none if the run was thinned out in the meantime."""
    try:
        return read_readings(run.path, step)
    except BadInput:
        return []


def _histograms(run: RunFolder) -> Histograms:
    found: Histograms = {}
    add_histograms(found, run.path)
    return {kind: found[kind] for kind in KINDS if kind in found}


def tiles_of(reading: Reading) -> list[Numbers]:
    """Return the maps (R, C) of a reading, one for each place along its other axes, or its one row (N,).

    Of several examples the first is taken. What a query does not read, with a weight of zero, is NaN.
    """
    values, axes = np.asarray(reading.values, np.float32), list(reading.axes)
    values = np.where(np.isfinite(values), values, np.float32(np.nan))
    if axes[:1] == ["batch"]:
        values, axes = values[:1].reshape(values.shape[1:]) if len(values) else values.sum(axis=0), axes[1:]
    if not values.size:
        return []
    if axes[-2:] == ["query", "key"]:
        values = np.where(values == 0, np.float32(np.nan), values)
    if values.ndim < 2:
        return [values.reshape(-1)]
    return list(values.reshape(-1, *values.shape[-2:]))


def _range_of(tiles: Sequence[Numbers]) -> Numbers:
    """Return the least and the greatest finite number; nothing if there is none."""
    known = np.concatenate([tile[np.isfinite(tile)] for tile in tiles])
    return np.array([known.min(), known.max()]) if known.size else known


def _picture(tiles: Sequence[Numbers], scale: Scale, step: int, share: float) -> Cells:
    """Return a picture (H, W) of indices of colours."""
    drawn = _of_one_size([_bars(tile, scale) if tile.ndim == 1 else _map(tile, scale) for tile in tiles])
    height, width = drawn[0].shape
    columns = math.ceil(math.sqrt(len(drawn) * height / width)) if len(drawn) > 1 else 1
    rows = -(-len(drawn) // columns)
    head = 10 + 2 * GAP
    size = head + rows * (height + GAP) + GAP, GAP + columns * (width + GAP)
    cells = np.full((size[0], max(size[1], 8 * len(str(step)) + 2 * GAP)), COLOURS, np.uint8)
    for number, one in enumerate(drawn):
        top, left = head + number // columns * (height + GAP), GAP + number % columns * (width + GAP)
        cells[top : top + height, left : left + width] = one
    for number, digit in enumerate(str(step)):
        rows_of_digit = [[int(bit) for bit in f"{int(row):03b}"] for row in DIGITS[int(digit)]]
        glyph = np.kron(np.array(rows_of_digit, bool), np.ones((2, 2), bool))
        cells[GAP : GAP + 10, GAP + 8 * number : GAP + 8 * number + 6][glyph] = 0
    cells[-3:, : max(1, round(share * cells.shape[1]))] = 0
    return cells


def _small(tile: Numbers) -> Numbers:
    """Return a map or a row with at most SIDE numbers along each axis."""
    return shrunk(tile, SIDE, SIDE) if tile.ndim == 2 else shrunk(tile[None], 1, SIDE)[0]


def _map(tile: Numbers, scale: Scale) -> Cells:
    cells = scale.indices(tile)
    larger = max(1, SIDE // max(cells.shape))
    return np.kron(cells, np.ones((larger, larger), np.uint8))


def _bars(row: Numbers, scale: Scale) -> Cells:
    """Return bars from zero upwards or downwards, in the colours of their values."""
    low, high = min(scale.low, 0.0), max(scale.high, 0.0)
    at = np.rint((BARS - 1) * (high - np.nan_to_num(row)) / (high - low)).astype(int)
    zero = round((BARS - 1) * high / (high - low))
    rows = np.arange(BARS)[:, None]
    inside = (rows >= np.minimum(at, zero)) & (rows <= np.maximum(at, zero)) & np.isfinite(row)
    cells = np.where(inside, scale.indices(row), np.uint8(COLOURS)).astype(np.uint8)
    return np.repeat(cells, max(1, SIDE // len(row)), axis=1)


def _of_one_size(pictures: Sequence[Cells]) -> list[Cells]:
    """Return pictures of the size of the largest, with background at the right and below."""
    height, width = (max(one.shape[axis] for one in pictures) for axis in (0, 1))
    return [
        np.pad(one, ((0, height - one.shape[0]), (0, width - one.shape[1])), constant_values=COLOURS)
        for one in pictures
    ]


def _palette(scale: Scale) -> bytes:
    """Return red, green and blue of each colour; the background is white."""
    return table_of(SIGNED["light"] if scale.signed else VIRIDIS).tobytes() + bytes([255] * 3)


def _write_gif(image: Any, path: Path, pictures: Sequence[Cells], palette: bytes, seconds: float) -> None:
    frames = []
    for cells in pictures:
        frame = image.frombytes("P", cells.shape[::-1], cells.tobytes())
        frame.putpalette(palette)
        frames.append(frame)
    durations = [round(1000 * seconds)] * (len(frames) - 1) + [1000]
    frames[0].save(path, format="GIF", save_all=True, append_images=frames[1:], duration=durations, loop=0)
