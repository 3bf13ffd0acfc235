"""The chi-squared test by which counts are compared with an exact distribution."""

import torch

LEVEL = 1e-4
"""The probability with which a correct strategy fails one case. The seeds are fixed: a case that passes stays so."""


def tail(counts, means):
    """Return the probability of counts (N,) that deviate at least as much from their means (N,).

    Outcomes with means below 5 are counted together, as the rarest ones.
    """
    assert counts[means == 0].sum() == 0, "an outcome came that has no probability"
    counts, means = counts[means > 0], means[means > 0]
    order = means.argsort()
    rare = torch.zeros(len(means), dtype=torch.bool)
    rare[order[means[order].cumsum(0) < 5]] = True
    if rare.any():
        counts = torch.cat([counts[~rare], counts[rare].sum()[None]])
        means = torch.cat([means[~rare], means[rare].sum()[None]])
    if len(means) == 1:
        return 1.0
    statistic = ((counts - means) ** 2 / means).sum()
    return float(torch.special.gammaincc(torch.tensor((len(means) - 1) / 2).double(), statistic / 2))
