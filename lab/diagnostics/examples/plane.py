"""The plane of the two numbers that a model reads: its decision surface, the surfaces of units, linear regions."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.api import LanguageModel, ProbedRows, ProbeFunction, Reading, capture, probed_rows

SIDE = 100
"""Points along each side of a surface that is recorded."""
MARGIN = 0.15
"""Share of the extent of the points that the plane is larger than they are."""
MOST_UNITS = 64
"""The largest number of units of a layer whose surfaces are recorded."""
UNIT_SIDE = 32
"""Points along each side of the surface of a unit."""
POINTS_AT_ONCE = 4096
"""Points that a model reads at once, so that what its layers give stays in the cache of the processor."""
FLAT = 0.02
"""Part of the range of a surface below which its corners count as equal, and what lies between them is interpolated."""
SUMS = "weighted sum"
"""The reading whose signs tell the linear pieces of a network of ReLUs apart."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Extent:
    """A rectangle of the plane.

    Args:
        left: Smallest x.
        right: Largest x.
        bottom: Smallest y.
        top: Largest y.
    """

    left: float
    right: float
    bottom: float
    top: float

    @classmethod
    def around(cls, points: NDArray[Any], margin: float = MARGIN) -> Extent:
        """Return the rectangle around points (N, 2), larger by a share of its sides."""
        finite = points[np.isfinite(points).all(axis=1)] if len(points) else np.zeros((1, 2))
        low, high = finite.min(axis=0).astype(float), finite.max(axis=0).astype(float)
        wide = np.where(high > low, margin * (high - low), 1.0)
        (left, bottom), (right, top) = (low - wide).tolist(), (high + wide).tolist()
        return cls(left, right, bottom, top)

    def axes(self, side: int) -> tuple[Floats, Floats]:
        """Return the x of the columns from left to right, and the y of the rows from top to bottom: centres."""
        shares = (np.arange(side, dtype=np.float64) + 0.5) / side
        x = self.left + (self.right - self.left) * shares
        y = self.top - (self.top - self.bottom) * shares
        return x.astype(np.float32), y.astype(np.float32)

    @functools.lru_cache(8)  # noqa: B019 - extents are values, and few
    def grid(self, side: int) -> Floats:
        """Return (side · side, 2) the centres of the cells, row after row from the top."""
        x, y = self.axes(side)
        return np.stack([np.tile(x, side), np.repeat(y, side)], axis=1)


def surface(model: Any, extent: Extent, side: int, *, probable: bool, classes: bool) -> Floats:
    """Return what a model gives over a rectangle, (K, side, side): probabilities, scores, or numbers.

    Args:
        model: A model that reads two numbers.
        extent: The rectangle.
        side: Points along each side.
        probable: Whether the softmax of what it gives, or of single numbers the sigmoid, are probabilities.
        classes: Whether it predicts classes.
    """
    return _values(model, extent.grid(side), probable, classes).reshape(-1, side, side)


def quick_surface(model: Any, extent: Extent, side: int, *, probable: bool, classes: bool) -> Floats:
    """Return a surface as `surface` does, but with points interpolated where it is flat: for one that changes at once.

    Every second point of every second row is computed. Where four such neighbours differ by less than FLAT of the range
    of the surface, the points between them get the mean of those beside them; elsewhere they are computed, too. So what
    is narrower than two points and lies in a flat part is missed.

    Args:
        model: A model that reads two numbers.
        extent: The rectangle.
        side: Points along each side, an even number of at least 4.
        probable: As of `surface`.
        classes: As of `surface`.
    """
    places = extent.grid(side).reshape(side, side, 2)
    half = side // 2
    coarse = _values(model, places[::2, ::2].reshape(-1, 2), probable, classes).reshape(-1, half, half)
    right, below = np.roll(coarse, -1, axis=2), np.roll(coarse, -1, axis=1)
    across = np.roll(right, -1, axis=1)
    found = np.empty((len(coarse), side, side), np.float32)
    found[:, ::2, ::2] = coarse
    found[:, ::2, 1::2] = (coarse + right) / 2
    found[:, 1::2, ::2] = (coarse + below) / 2
    found[:, 1::2, 1::2] = (coarse + right + below + across) / 4
    corners = np.stack([coarse, right, below, across])
    rough = (np.ptp(corners, axis=0) >= FLAT * np.ptp(coarse, axis=(1, 2), keepdims=True)).any(axis=0)
    rough[-1], rough[:, -1] = True, True  # their neighbours are those of the other side
    missing = np.repeat(np.repeat(rough, 2, axis=0), 2, axis=1)
    missing[::2, ::2] = False
    found[:, missing] = _values(model, places[missing], probable, classes)
    return found


def _values(model: Any, points: Floats, probable: bool, classes: bool) -> Floats:
    """Return what a model gives for points (N, 2), (K, N)."""
    device = next((tensor.device for tensor in model.tables().values()), torch.device("cpu"))
    with torch.inference_mode():
        pieces = torch.split(torch.from_numpy(points).to(device), POINTS_AT_ONCE)
        found = torch.cat([model(piece).float().T for piece in pieces], dim=1)
        if probable:
            found = found.softmax(dim=0) if classes else found.sigmoid()
    return found.cpu().numpy()


def unit_surfaces(model: Any, extent: Extent, side: int, most: int = MOST_UNITS) -> dict[int, Floats]:
    """Return what each unit of each layer hands on over a rectangle, (units, side, side) by the number of the layer."""
    return _reported(model, extent, side, "activation", most)


def linear_regions(model: Any, extent: Extent, side: int) -> tuple[NDArray[np.int64], int]:
    """Return the linear region of each point of a rectangle, (side, side), and how many regions were met.

    Two points are in one region if the weighted sums of all hidden units have the same signs there: between them a
    network of ReLUs is a linear function (Montúfar et al. 2014). Regions smaller than a cell may be missed, so that the
    number is a lower bound.
    """
    layers = _reported(model, extent, side, SUMS, None)
    if not layers:
        return np.zeros((side, side), np.int64), 1
    signs = np.concatenate([values.reshape(len(values), -1) > 0 for values in layers.values()])  # (units, points)
    _, regions = np.unique(_hashes(np.packbits(signs, axis=0)), return_inverse=True)
    return regions.reshape(side, side).astype(np.int64), int(regions.max()) + 1


def _hashes(packed: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return a number of 64 bits for each column of bytes; of 40,000 columns two are alike by chance once in 10¹⁰."""
    factors = np.random.default_rng(0).integers(0, 2**63, len(packed), np.uint64) * np.uint64(2) + np.uint64(1)
    found = np.zeros(packed.shape[1], np.uint64)
    for row, factor in zip(packed, factors, strict=True):
        found = (found ^ (row.astype(np.uint64) + np.uint64(1))) * factor
        found ^= found >> np.uint64(29)
    return found


def _reported(model: Any, extent: Extent, side: int, name: str, most: int | None) -> dict[int, Floats]:
    device = next((tensor.device for tensor in model.tables().values()), torch.device("cpu"))
    with torch.no_grad(), capture(model, (name,)) as readings:
        model(torch.from_numpy(extent.grid(side)).to(device))
    found: dict[int, Floats] = {}
    for reading in readings:
        if reading.layer is not None and tuple(reading.axes) == ("batch", "unit"):
            values = np.asarray(reading.values, np.float32)[:, :most]
            found[reading.layer] = values.T.reshape(-1, side, side)
    return found


def is_planar(rows: ProbedRows) -> bool:
    """Return True if the model reads two numbers."""
    return rows.inputs.ndim == 2 and rows.inputs.shape[1] == 2


def plane(config: Any) -> ProbeFunction:
    """Return the probe of the decision surface, the surfaces of units and the linear regions; [] in other spaces."""
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        del tokens
        rows = probed_rows(model)
        return planar_readings(model, rows) if is_planar(rows) else []

    return probe


def planar_readings(model: Any, rows: ProbedRows) -> list[Reading]:
    """Return the readings of the plane that two numbers span."""
    points = rows.inputs.cpu().numpy()
    extent = Extent.around(points)
    names = rows.classes or rows.outputs
    values = surface(model, extent, SIDE, probable=rows.gives_probabilities, classes=bool(rows.classes))
    units = "probability" if rows.gives_probabilities else None
    readings = [Reading("decision surface", ("class", "y", "x"), values, units=units,
                        coordinates={"class": names, **_places(extent, SIDE)})]  # fmt: skip
    targets = rows.targets.cpu().numpy().reshape(len(points), -1)[:, 0]
    quantities = ("x", "y", "class" if rows.classes else "target")
    stacked = np.stack([*points.T.astype(np.float64), targets.astype(np.float64)])
    readings.append(Reading("points", ("quantity", "example"), stacked, coordinates={"quantity": quantities}))
    for layer, found in unit_surfaces(model, extent, UNIT_SIDE).items():
        readings.append(Reading("unit surfaces", ("unit", "y", "x"), found, layer=layer,
                                coordinates=_places(extent, UNIT_SIDE)))  # fmt: skip
    regions, count = linear_regions(model, extent, SIDE)
    if count > 1:
        readings += [
            Reading("linear regions", ("y", "x"), regions, coordinates=_places(extent, SIDE)),
            Reading("number of linear regions", (), np.array(count), units="regions"),
        ]
    return readings


def _places(extent: Extent, side: int) -> dict[str, tuple[str | float, ...]]:
    x, y = extent.axes(side)
    return {"x": tuple(x.tolist()), "y": tuple(y.tolist())}
