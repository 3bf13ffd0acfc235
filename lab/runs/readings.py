"""The recorded readings of a run: `readings/<step>.safetensors`, arrays with JSON descriptions; never pickle."""

from __future__ import annotations

import contextlib
import json
import math
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

from lab.api.readings import Reading, check_axes, check_coordinates
from lab.base.files.reading import LARGEST, check_regular, is_link, parse_json
from lab.base.files.writing import make_folder, write_errors_as_problems, write_file
from lab.base.problems import BadInput, LabError
from lab.base.units import short
from lab.runs.records import damaged, plain

FORMAT = 1
VALUES = 2**26
"""Most values of the readings of one step, and most positions along an axis."""


def write_readings(run: Path, step: int, readings: Sequence[Reading], sample: str | None = None) -> None:
    """Store the readings of one step, in order and with their dtypes, in place of earlier ones.

    Args:
        run: The run's folder.
        step: The step of the readings.
        readings: Readings whose values are numpy arrays of real numbers.
        sample: The text that the model generated at that step, if any.

    Raises:
        LabError: The file could not be written.
        ValueError: A reading's values are not real numbers, its axes do not fit them, or they are more than VALUES.
    """
    arrays = {}
    _check_sizes([np.shape(reading.values) for reading in readings])
    for number, reading in enumerate(readings):
        values = np.asarray(reading.values, order="C")  # safetensors writes the memory as it is
        check_axes(reading.name, reading.axes, values.ndim, reading.path)
        if values.dtype.kind not in "biuf":
            raise ValueError(f"the reading {reading.name!r} holds {values.dtype}, which is not a type of real numbers")
        arrays[str(number)] = values.astype(values.dtype.newbyteorder("<"), copy=False)
    described = [
        {"name": each.name, "axes": each.axes, "layer": each.layer, "path": each.path, "units": each.units}
        | ({"places": dict(each.coordinates)} if each.coordinates else {})
        | ({"quantity_units": dict(each.quantity_units)} if each.quantity_units else {})
        for each in readings
    ]
    written = {} if sample is None else {"sample": sample}
    text = json.dumps(plain({"format": FORMAT, "readings": described, **written}))
    make_folder(run / "readings")
    write_file(_file(run, step), save(arrays, {"lab": text}))


def reading_steps(run: Path) -> list[int]:
    """Return the steps that have readings, in order."""
    return list(reading_sizes(run))


def reading_sizes(run: Path) -> dict[int, int]:
    """Return the steps that have readings, in order, and the bytes of each on disk; a link or a pipe is none."""
    sizes = {}
    for path in (run / "readings").glob("*.safetensors"):
        if path.stem.isdecimal():
            with contextlib.suppress(OSError):  # deleted in the meantime
                about = path.lstat()
                if stat.S_ISREG(about.st_mode):
                    sizes[int(path.stem)] = about.st_size
    return dict(sorted(sizes.items()))


def remove_readings(run: Path, step: int) -> None:
    """Remove the readings of a step.

    Raises:
        LabError: They could not be removed.
    """
    path = _file(run, step)
    with write_errors_as_problems(path):
        path.unlink(missing_ok=True)


def read_readings(run: Path, step: int) -> list[Reading]:
    """Return the readings stored at one step.

    Raises:
        BadInput: There are none at this step; the problem lists near steps that have some.
        LabError: The file is damaged or newer than this lab; the problem names it.
    """
    path = _file(run, step)
    if not path.is_file() or is_link(path):
        nearest = sorted(reading_steps(run), key=lambda other: abs(other - step))[:5]
        steps = ", ".join(map(str, sorted(nearest))) or None
        raise BadInput("no readings were stored at this step", field="step", value=str(step), allowed=steps)
    try:
        with safe_open(path, "numpy") as file:
            described = _described(file.metadata(), set(file.keys()))
            _check_sizes([file.get_slice(str(number)).get_shape() for number in range(len(described))])
            return [_reading(each, file.get_tensor(str(number))) for number, each in enumerate(described)]
    except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
        raise LabError(damaged(path, error or type(error).__name__)) from None


def read_sample(run: Path, step: int) -> str | None:
    """Return the text that the model generated at a step with readings; None without one.

    Raises:
        LabError: The file is damaged; the problem names it.
    """
    path = _file(run, step)
    try:
        check_regular(path)
        with safe_open(path, "numpy") as file:
            sample = _about(file.metadata()).get("sample")
    except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
        raise LabError(damaged(path, error or type(error).__name__)) from None
    return sample if isinstance(sample, str) else None


def _check_sizes(shapes: Sequence[Sequence[int]]) -> None:
    """Raise ValueError if arrays of these shapes have more values, or positions along an axis, than VALUES."""
    values = sum(math.prod(shape) for shape in shapes)
    if values > VALUES or any(size > VALUES for shape in shapes for size in shape):
        raise ValueError(f"it holds {short(values)} values or a longer axis, and the limit is {short(VALUES)}")


def _described(metadata: dict[str, str] | None, arrays: set[str]) -> list[dict[str, Any]]:
    about = _about(metadata)
    if about.get("format") != FORMAT:
        raise ValueError(f"its format is {about.get('format')}, and this lab reads format {FORMAT}")
    described: list[dict[str, Any]] = about["readings"]
    if arrays != {str(number) for number in range(len(described))}:
        raise ValueError("it does not have the arrays it describes")
    return described


def _about(metadata: dict[str, str] | None) -> Any:
    text = (metadata or {}).get("lab", "{}")
    if len(text) > LARGEST:
        raise ValueError(f"its description is longer than {short(LARGEST)} characters")
    return parse_json(text)


def _reading(described: dict[str, Any], values: np.ndarray[Any, Any]) -> Reading:
    stored = dict(described)  # its coordinates are stored as "places"
    coordinates = {axis: tuple(named) for axis, named in stored.pop("places", {}).items()}
    reading = Reading(**{**stored, "axes": tuple(stored["axes"]), "values": values, "coordinates": coordinates})
    texts = (reading.name, *reading.axes, reading.path, reading.units or "")
    if not all(isinstance(text, str) for text in texts) or not isinstance(reading.layer, int | None):
        raise ValueError("a description is not that of a reading")
    check_axes(reading.name, reading.axes, values.ndim, "it")
    check_coordinates(reading, values.shape)
    return reading


def _file(run: Path, step: int) -> Path:
    return run / "readings" / f"{step}.safetensors"
