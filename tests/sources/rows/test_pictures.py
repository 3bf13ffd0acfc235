"""Pictures show what their labels and captions say."""

import numpy as np
import pytest

from lab.sources.rows.digits import FORMS, DigitsConfig, digits
from lab.sources.rows.shapes import COLOURS, SHAPES, ShapesConfig, shapes


def test_digits_are_grey_pictures_with_ink_in_the_middle():
    data = digits(DigitsConfig(rows=50, size=20, noise=0.0))
    assert data.pixels.shape == (50, 20, 20, 1)
    assert data.pixels.dtype == np.uint8
    assert data.labels.tolist() == [row % 10 for row in range(50)]
    ink = data.pixels.mean(axis=(1, 2, 3))
    assert (ink > 10).all()
    assert data.pixels[:, [0, -1]].mean() < 10


def test_without_variation_and_noise_digits_of_a_form_are_alike_and_no_two_classes_are():
    data = digits(DigitsConfig(rows=400, variation=0.0, noise=0.0))
    found = {digit: {data.pixels[row].tobytes() for row in range(digit, 400, 10)} for digit in range(10)}
    assert [len(found[digit]) for digit in range(10)] == [len(forms) for forms in FORMS]
    assert len(set().union(*found.values())) == sum(map(len, FORMS))


def test_the_nearest_other_digit_is_mostly_the_same_digit():
    data = digits(DigitsConfig(rows=1000, variation=0.4))
    flat = data.pixels.reshape(1000, -1).astype(float)
    apart = ((flat[:100, None] - flat[None]) ** 2).sum(-1)
    apart[np.arange(100), np.arange(100)] = np.inf
    assert (data.labels[apart.argmin(1)] == data.labels[:100]).mean() > 0.9


@pytest.mark.parametrize("size", [8, 33])
def test_pictures_have_the_size_and_noise_asked_for(size):
    calm, noisy = (shapes(ShapesConfig(rows=10, size=size, noise=noise)).pixels for noise in (0.0, 0.2))
    assert calm.shape == (10, size, size, 3)
    assert 0 < np.abs(calm.astype(int) - noisy).max() <= 52


def masks(pixels):
    """For each colour the pixels that have its hue, by the nearest colour of the palette with the background."""
    palette = np.array([(0.08, 0.08, 0.08), *COLOURS.values()]) * 255
    nearest = ((pixels[:, :, None].astype(float) - palette) ** 2).sum(-1).argmin(-1)
    return {name: nearest == number for number, name in enumerate(COLOURS, 1)}


def test_the_class_is_the_form_by_its_filled_share():
    data = shapes(ShapesConfig(rows=500, size=48, noise=0.0))
    share = np.zeros((5, 2))
    for picture, label in zip(data.pixels, data.labels, strict=True):
        ink = (picture.max(-1) > 90).nonzero()
        high, wide = np.ptp(ink[0]) + 1, np.ptp(ink[1]) + 1
        share[label] += len(ink[0]) / (high * wide), 1
    filled = dict(zip(SHAPES, share[:, 0] / share[:, 1], strict=True))
    assert filled["square"] > filled["circle"] > filled["ring"] > 0.4
    assert filled["circle"] == pytest.approx(np.pi / 4, abs=0.06)
    assert filled["triangle"] < 0.65
    assert filled["cross"] < 0.65


def test_captions_say_where_which_colour_is():
    data = shapes(ShapesConfig(rows=300, size=40, noise=0.0, target="caption"))
    seen = set()
    for picture, caption in zip(data.pixels, data.captions, strict=True):
        relation = "left of" if "left of" in caption else "above"
        first, second = caption.split(f" {relation} ")
        seen.update((first.split()[3], second.split()[3], relation))
        one, other = first.split()[2], second.split()[2]
        if one == other or "white" in (one, other):
            continue
        found = masks(picture)
        axis = 1 if relation == "left of" else 0
        assert found[one].any()
        assert found[other].any()
        assert found[one].nonzero()[axis].mean() < found[other].nonzero()[axis].mean()
    assert seen == {*SHAPES, "left of", "above"}


def test_large_shapes_are_larger_than_small_ones():
    data = shapes(ShapesConfig(rows=200, size=40, noise=0.0, target="caption", shapes=1))
    widths = {(size, form): [] for size in ("small", "large") for form in SHAPES}
    for picture, caption in zip(data.pixels, data.captions, strict=True):
        rows = (picture.max(-1) > 90).any(1).nonzero()[0]
        _, size, _, form = caption.split()
        widths[size, form].append(np.ptp(rows) + 1)
    assert all(max(widths["small", form]) < min(widths["large", form]) for form in SHAPES)
