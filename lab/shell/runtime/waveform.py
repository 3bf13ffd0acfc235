"""A curve as sound: the pitch follows its value, from left to right."""

from __future__ import annotations

import io
import wave

import numpy as np
from numpy.typing import NDArray

RATE = 44_100
"""Samples per second."""
LOWEST, HIGHEST = 220.0, 880.0
"""Frequencies of the smallest and the largest value, in hertz: two octaves."""
SHORTEST, LONGEST = 3.0, 5.0
"""The shortest and the longest sound in seconds, for few points and for FULL."""
FULL = 1000
"""The number of points from which on a sound is as long as possible."""
SMOOTHED = 60
"""Parts of a curve of which the pitch is the mean, so that noise does not hide its course."""
LOUDNESS, OVERTONE = 0.5, 0.3
"""The largest amplitude, as a share of what a sample can hold, and the share of an overtone in it."""
FADE = 0.02
"""Seconds in which the sound begins and ends, and in which a gap of the curve becomes silent."""


def frequencies(x: NDArray[np.float64], y: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return the frequency of each sample.

    Args:
        x: Ascending positions, [N].
        y: Values, [N]; those that are not finite are gaps.
        count: The number of samples.

    Returns:
        [count] in hertz; NaN in a gap.

    Raises:
        ValueError: Fewer than two values are finite.
    """
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 2:
        raise ValueError("a curve needs two values to be heard")
    smooth = _smoothed(y[known])
    low, high = float(smooth.min()), float(smooth.max())
    shares = (smooth - low) / (high - low) if high > low else np.full(len(smooth), 0.5)
    at = np.linspace(x[known][0], x[known][-1], count)
    pitches = LOWEST * (HIGHEST / LOWEST) ** np.interp(at, x[known], shares)
    gaps = ~known
    if gaps.any():  # a sample is silent if the point before or after it is a gap
        right = np.clip(np.searchsorted(x, at), 0, len(x) - 1)
        left = np.clip(right - 1, 0, len(x) - 1)
        pitches[(gaps[right] | gaps[left]) & (x[right] != at)] = np.nan
    return np.asarray(pitches, np.float64)


def _smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return running means; the ends are means of fewer values."""
    width = len(values) // SMOOTHED
    if width < 2:
        return values
    kernel = np.ones(width)
    sums, counts = np.convolve(values, kernel, "same"), np.convolve(np.ones(len(values)), kernel, "same")
    return np.asarray(sums / counts, np.float64)


def sound_of(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a curve as sound.

    Args:
        x: Ascending positions, [N].
        y: Values, [N]; those that are not finite are silent.

    Returns:
        Samples from −1 to 1, RATE for each second.

    Raises:
        ValueError: Fewer than two values are finite.
    """
    seconds = SHORTEST + (LONGEST - SHORTEST) * min(1.0, len(x) / FULL)
    pitches = frequencies(x, y, round(RATE * seconds))
    phase = 2 * np.pi * np.cumsum(np.nan_to_num(pitches)) / RATE
    wave_form = (1 - OVERTONE) * np.sin(phase) + OVERTONE * np.sin(2 * phase)
    return np.asarray(LOUDNESS * wave_form * _envelope(np.isfinite(pitches)), np.float64)


def _envelope(audible: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the amplitude of each sample, 0 to 1: silent at both ends and in gaps, without clicks."""
    width = round(FADE * RATE)
    steps = np.concatenate(([0.0], np.cumsum(np.concatenate((np.zeros(width), audible, np.zeros(width))))))
    shares = (steps[width:] - steps[:-width])[width // 2 : width // 2 + len(audible)] / width
    return np.asarray(np.clip(2 * shares - 1, 0, 1), np.float64)  # half of what is around an end is silent


def wav_of(samples: NDArray[np.float64]) -> bytes:
    """Return samples from −1 to 1 as a WAV file of one channel with 16 bits."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(np.round(32767 * np.clip(samples, -1, 1)).astype("<i2").tobytes())
    return file.getvalue()
