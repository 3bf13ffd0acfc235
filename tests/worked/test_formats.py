"""Values in number formats are rounded as torch rounds them, and the shifted sum of exponentials cures its overflow."""

import numpy as np
import pytest
import torch

from lab.worked.formats import FORMATS, LOG_SUM_EXP, SHIFTED, in_formats


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_numbers_are_rounded_as_torch_rounds_them(each):
    dtype = getattr(torch, each.name)
    exponents = np.random.default_rng(0).uniform(-30, 30, 5000)
    numbers = np.concatenate(
        [np.exp(exponents), -np.exp(exponents), [0.0, np.inf, -np.inf, 65519.9, 65520.0, 3.39e38, 1e39, 3e-8, 2e-8]]
    )
    ties = [sign * (1 + count * each.epsilon / 2) for count in range(8) for sign in (1, -1)]  # half go to an even digit
    numbers = np.concatenate([numbers, ties])
    with np.errstate(over="ignore"):
        found = each.rounding(numbers)
    assert np.array_equal(found, torch.from_numpy(numbers).to(dtype).double().numpy())
    assert np.isnan(each.rounding(np.array(np.nan)))


@pytest.mark.parametrize("each", FORMATS, ids=lambda each: each.name)
def test_limits_are_those_of_torch(each):
    info = torch.finfo(getattr(torch, each.name))
    assert (each.largest, each.epsilon, each.smallest_normal) == (info.max, info.eps, info.smallest_normal)
    assert each.rounding(np.array(each.smallest)) == each.smallest
    assert each.rounding(np.array(each.smallest / 2.01)) == 0


def test_the_sum_of_exponentials_overflows_and_the_shifted_one_does_not():
    z = [12.0, 11.0, 10.0]
    plain, shifted = in_formats(LOG_SUM_EXP, {"z": z}), in_formats(SHIFTED, {"z": z})
    assert [name for name, value in plain.items() if np.isinf(value)] == ["float16"]
    for each in FORMATS:
        assert shifted[each.name] == pytest.approx(10 + np.log(1 + np.e + np.e**2), abs=8 * each.epsilon * 12)
    assert all(np.isinf(value) for value in in_formats(LOG_SUM_EXP, {"z": [1000.0]}).values())


def test_every_operation_is_rounded_not_only_the_result():
    assert in_formats("(x + 1) − x", {"x": 2048})["float16"] == 0
    assert in_formats("(x + 1) − x", {"x": 2048})["float32"] == 1
