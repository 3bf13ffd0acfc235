"""A curve is heard as it is seen: its pitch follows its value."""

import io
import wave

import numpy as np
import pytest

from lab.shell.runtime.waveform import HIGHEST, LONGEST, LOUDNESS, LOWEST, RATE, SHORTEST, frequencies, sound_of, wav_of


def audible(samples, start, seconds=0.2):
    """Return the strongest frequency of a part of a sound."""
    part = samples[round(start * RATE) :][: round(seconds * RATE)]
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part))))
    return np.fft.rfftfreq(len(part), 1 / RATE)[spectrum.argmax()]


def curve(values):
    return np.arange(float(len(values))), np.asarray(values, float)


def test_the_pitch_rises_with_the_value_and_falls_with_it():
    rising = sound_of(*curve(np.linspace(1, 4, 50)))
    pitches = [audible(rising, start) for start in (0.1, 1.0, 2.0, 2.8)]
    assert pitches == sorted(pitches)
    assert pitches[0] == pytest.approx(LOWEST, rel=0.15)
    assert pitches[-1] == pytest.approx(HIGHEST, rel=0.15)
    falling = sound_of(*curve(np.linspace(4, 1, 50)))
    assert audible(falling, 0.1) > audible(falling, 2.8)


def test_equal_steps_of_value_are_equal_intervals():
    pitches = frequencies(*curve([0, 1, 2]), 3)
    assert pitches[1] / pitches[0] == pytest.approx(pitches[2] / pitches[1]) == pytest.approx(2)


def test_a_level_curve_has_one_pitch_in_the_middle():
    pitches = frequencies(*curve([3, 3, 3]), 100)
    assert set(np.round(pitches, 6)) == {round(float(np.sqrt(LOWEST * HIGHEST)), 6)}


@pytest.mark.parametrize(("points", "seconds"), [(2, SHORTEST), (1000, LONGEST), (100_000, LONGEST)])
def test_a_sound_takes_three_to_five_seconds(points, seconds):
    samples = sound_of(*curve(np.sin(np.arange(points))))
    assert len(samples) / RATE == pytest.approx(seconds, abs=0.01)


def test_a_sound_begins_and_ends_softly_and_is_never_clipped():
    samples = sound_of(*curve(np.random.default_rng(0).normal(size=500)))
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01
    assert LOUDNESS * 0.8 < np.abs(samples).max() <= LOUDNESS


def test_noise_does_not_hide_the_course():
    noise = np.random.default_rng(0).normal(size=3000)
    pitches = frequencies(*curve(np.linspace(0, 3, 3000) + noise), 60)
    assert np.corrcoef(np.arange(60), np.log(pitches))[0, 1] > 0.85


def test_a_gap_is_silent():
    values = np.ones(300)
    values[100:200] = np.nan
    samples = sound_of(*curve(values))
    third = len(samples) // 3
    assert np.abs(samples[third + third // 4 : 2 * third - third // 4]).max() == 0
    assert np.abs(samples[third // 2 : third // 2 + 1000]).max() > 0.3


def test_positions_of_different_distance_are_heard_at_their_time():
    pitches = frequencies(np.array([0.0, 1.0, 10.0]), np.array([0.0, 1.0, 1.0]), 101)
    assert pitches[20:] == pytest.approx(HIGHEST)
    assert pitches[2] < HIGHEST


def test_a_wav_file_has_the_samples():
    with wave.open(io.BytesIO(wav_of(np.array([0.0, 0.5, -1.0, 2.0])))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        assert np.frombuffer(file.readframes(4), "<i2").tolist() == [0, 16384, -32767, 32767]


@pytest.mark.parametrize("values", [[], [1.0], [1.0, np.nan]])
def test_fewer_than_two_values_cannot_be_heard(values):
    with pytest.raises(ValueError, match="two values"):
        sound_of(*curve(values))
