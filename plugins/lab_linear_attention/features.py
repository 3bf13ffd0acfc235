"""Feature maps φ: the product φ(q)·φ(k) is the weight of a key."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

if TYPE_CHECKING:
    from lab_linear_attention.settings import LinearAttentionSettings

LOWEST = -1e4
"""Initial value of the greatest exponent, below that of any key that matters."""


class FeatureMap(nn.Module):
    """φ for queries and keys alike: K channels -> F features.

    Args:
        name: "elu", "relu", "identity" or "taylor".
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def forward(self, q: Tensor, k: Tensor, greatest: Tensor | None) -> tuple[Tensor, Tensor, Tensor | None, None]:
        """Return features of queries and keys.

        Args:
            q: (B, T, H, K).
            k: (B, T, H, K).
            greatest: None here; `Exponential` uses it.

        Returns:
            φ(q) and φ(k), (B, T, H, F); None for the decay; None for what is carried over.
        """
        del greatest
        return self.of(q), self.of(k), None, None

    def of(self, x: Tensor) -> Tensor:
        """Return φ(x)."""
        if self.name == "elu":
            return F.elu(x) + 1  # Katharopoulos et al. 2020, eq. 7
        if self.name == "relu":
            return F.relu(x)
        if self.name == "taylor":
            return taylor(x)
        return x


def taylor(x: Tensor) -> Tensor:
    """Return features whose product is 1 + s + s²/2 ≥ 1/2 for s = q·k/√K (Arora et al. 2024).

    The features are [1, x, x⊗x/√2] with x/K^¼ for x. The symmetric x⊗x needs one of its two halves only: half the
    features give the same product.

    Args:
        x: (…, K).

    Returns:
        (…, 1 + K + K (K + 1) / 2).
    """
    K = x.shape[-1]
    x = x / K**0.25
    i, j = torch.triu_indices(K, K, 1, device=x.device)
    return torch.cat([torch.ones_like(x[..., :1]), x, x.square() / math.sqrt(2), x[..., i] * x[..., j]], dim=-1)


class Exponential(nn.Module):
    """φ(x) = e^x for each channel, or e^(w·x − |x|²/2) for random directions w: never above 1, and never all zero.

    A factor on a query cancels in the normalised weights, and so does a common factor on all keys. So queries are
    divided by their greatest feature, and keys by the greatest feature of all keys so far, head by head. Where that
    rises, the state written before is scaled down by the same factor, as by a decay. So no token depends on a later
    one, and every form computes the same result.

    Args:
        directions: (F, K), or None for e^x.
    """

    def __init__(self, directions: Tensor | None = None) -> None:
        super().__init__()
        self.register_buffer("directions", directions)
        self.directions: Tensor | None

    def forward(self, q: Tensor, k: Tensor, greatest: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return features of queries and keys.

        Args:
            q: (B, T, H, K).
            k: (B, T, H, K).
            greatest: Exponent of the greatest feature of the keys before these, (B, H); LOWEST before the first key.

        Returns:
            φ(q) and φ(k), (B, T, H, F); the logarithm of the factor on the state, (B, T, H); the new `greatest`.
        """
        q, k = self.exponents(q), self.exponents(k)
        with torch.no_grad():
            tops = torch.cat([greatest[:, None].to(k.dtype), k.amax(dim=-1)], dim=1).cummax(dim=1).values
        before, now = tops[:, :-1], tops[:, 1:]
        scaled = (before - now).masked_fill(before <= LOWEST, 0)  # the state is still empty
        q = (q - q.detach().amax(dim=-1, keepdim=True)).exp()
        return q, (k - now[..., None]).exp(), scaled, now[:, -1].to(greatest.dtype)

    def exponents(self, x: Tensor) -> Tensor:
        """Return (…, K) -> (…, F): x, or w·x − |x|²/2 with x/K^¼ for x (Choromanski et al. 2021, lemma 1)."""
        if self.directions is None:
            return x
        x = x / x.shape[-1] ** 0.25
        return x @ self.directions.to(x.dtype).T - x.square().sum(dim=-1, keepdim=True) / 2


def orthogonal_directions(features: int, width: int, seed: int) -> Tensor:
    """Return random directions (F, K), orthogonal within blocks of K, with normal lengths (ibid., section 2.4)."""
    generator, count = torch.Generator("cpu").manual_seed(seed), -(-features // width)
    kind: Any = {"generator": generator, "dtype": torch.float64, "device": "cpu"}
    Q, R = torch.linalg.qr(torch.randn(count, width, width, **kind))
    # without these signs a direction would not be as likely as its opposite, and the estimate would be biased
    Q = Q * R.diagonal(dim1=1, dim2=2).sign()[:, None]
    normal = torch.randn(features, width, **kind)
    directions: Tensor = Q.mT.flatten(0, 1)[:features] * normal.norm(dim=1, keepdim=True)
    return directions


def feature_map(settings: LinearAttentionSettings, width: int, layer: int) -> FeatureMap | Exponential:
    """Return the feature map that the settings select for keys of `width` channels in this layer."""
    if settings.feature_map == "exp":
        return Exponential()
    if settings.feature_map == "performer":
        random = orthogonal_directions(settings.features_of(width), width, settings.feature_seed + layer)
        return Exponential(torch.empty(random.shape).copy_(random))  # on the current default device
    return FeatureMap(settings.feature_map)
