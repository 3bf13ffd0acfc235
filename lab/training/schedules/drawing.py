"""Schedules as points: the few through which a drawn one goes nearly like another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

SAMPLES = 400
"""Most steps at which a schedule is called for its factor."""
MOST = 12
"""Most points of a drawing."""
TOLERANCE = 0.01
"""Greatest distance of the drawing from the schedule, as a share of its greatest factor."""

Points = list[tuple[float, float]]
"""Shares of a training, from 0 to 1, and the factors there."""


def points_like(factor: Callable[[int], float], steps: int) -> Points:
    """Return points whose straight lines are nearly a schedule (Ramer 1972; Douglas & Peucker 1973).

    Args:
        factor: The schedule, from a step to its factor.
        steps: The steps of the training.
    """
    last, count = max(1, steps - 1), min(SAMPLES, max(2, steps))
    sampled = sorted({round(index * last / (count - 1)) for index in range(count)})
    samples = [(step / last, float(factor(step))) for step in sampled]
    tolerance = TOLERANCE * max(value for _, value in samples)
    while len(found := _simplified(samples, tolerance)) > MOST:
        tolerance *= 1.5
    return [(round(share, 4), float(f"{value:.4g}")) for share, value in found]


def _simplified(points: Sequence[tuple[float, float]], tolerance: float) -> Points:
    """Return the points from whose straight lines none is further away than a tolerance, in factors."""
    (left, low), (right, high) = points[0], points[-1]
    away = [abs(value - low - (high - low) * (share - left) / (right - left)) for share, value in points]
    far = max(range(len(points)), key=away.__getitem__)
    if away[far] <= tolerance:
        return [points[0], points[-1]]
    return _simplified(points[: far + 1], tolerance)[:-1] + _simplified(points[far:], tolerance)


def moved(points: Points, index: int, share: float, factor: float) -> Points:
    """Return the points with one moved as far as its neighbours allow; the first and the last keep their shares.

    Args:
        points: The points.
        index: The one that moves.
        share: Where it is to be.
        factor: Its factor, which becomes 0 or more.
    """
    last, gap = len(points) - 1, 1e-3
    if index in (0, last):
        share = points[index][0]
    else:
        share = min(max(share, points[index - 1][0] + gap), points[index + 1][0] - gap)
    return [*points[:index], (share, max(0.0, factor)), *points[index + 1 :]]


def with_point(points: Points, share: float, factor: float) -> tuple[Points, int]:
    """Return the points with another one between the first and the last, and its index."""
    index = next((index for index, (other, _) in enumerate(points) if other > share), len(points) - 1)
    index = max(1, index)
    room = points[index][0] - points[index - 1][0]
    share = min(max(share, points[index - 1][0] + room / 100), points[index][0] - room / 100)
    return [*points[:index], (share, max(0.0, factor)), *points[index:]], index


def without_point(points: Points, index: int) -> Points:
    """Return the points without one; the first and the last stay."""
    return points if index in (0, len(points) - 1) else [*points[:index], *points[index + 1 :]]
