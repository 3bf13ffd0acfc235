"""The class of a picture, or the text that belongs to it, and what that rests on, pixel by pixel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput

if TYPE_CHECKING:
    import torch

Floats: TypeAlias = NDArray[np.float32]
Scorer: TypeAlias = "Callable[[torch.Tensor], torch.Tensor]"
"""Returns the logits (B, K) of pictures (B, H, W, C)."""

COVERED = 7
"""A picture is covered by a square whose side is about its smaller side divided by this."""
ROWS = 64
"""Covered pictures that are read at once."""
MOST_PROMPTS = 1000
"""Most texts among which the one of a picture is sought."""


@dataclass(frozen=True, eq=False)
class PictureForm:
    """The pictures that a run reads, and what it can say of them.

    Args:
        shape: (H, W, C).
        classes: The names of its classes; () where it compares pictures with texts.
        example: (H, W, C) bytes, the first picture of the validation split.
        captions: The first different captions of the validation split; () where it has classes.
    """

    shape: tuple[int, ...]
    classes: tuple[str, ...]
    example: NDArray[np.uint8]
    captions: tuple[str, ...]

    @property
    def background(self) -> NDArray[np.uint8]:
        """The commonest colour of the example, (C,) bytes."""
        return np.asarray(np.median(self.example, axis=(0, 1)), np.uint8)


@dataclass(frozen=True, eq=False)
class PictureDecision:
    """What the likeliest class of a picture rests on.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        name: The likeliest class, or text.
        probability: Its probability.
        occlusion: (H, W) by how many nats the class is less likely where a square around the pixel has the colour that
            is commonest in the picture, the mean of all such squares (Zeiler & Fergus 2014, section 4.2); negative
            where the pixel speaks against the class.
        gradient: (H, W) the gradient of the log-probability times what the pixel differs from that colour, in nats, the
            sum of its channels (Shrikumar et al. 2017, section 3.1).
    """

    step: int
    name: str
    probability: float
    occlusion: Floats
    gradient: Floats


def check_picture(pixels: Any, shape: tuple[int, ...]) -> Floats:
    """Return a picture (H, W, C) as a model of this shape reads it, from 0 to 1.

    Raises:
        BadInput: It has another shape, or a number that is not from 0 to 1.
    """
    picture = np.asarray(pixels)
    if picture.dtype == np.uint8:
        picture = picture.astype(np.float32) / np.float32(255)
    if picture.shape != shape:
        sizes = ["×".join(map(str, size)) for size in (picture.shape, shape)]
        what = "the picture has another size, or other channels, than those of this run"
        raise BadInput(what, field="picture", value=sizes[0], allowed=sizes[1], remedy="Resize it")
    picture = picture.astype(np.float32)
    if not (np.isfinite(picture).all() and picture.min() >= 0 and picture.max() <= 1):
        raise BadInput("has pixels that are no brightness", field="picture", allowed="0 to 1, or bytes of 0 to 255")
    return picture


def check_prompts(prompts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts among which the one of a picture is sought.

    Raises:
        BadInput: There are fewer than two, or too many, or two are equal, or one is blank.
    """
    texts = tuple(prompt.strip() for prompt in prompts)
    what = ""
    if not 2 <= len(texts) <= MOST_PROMPTS:
        what = "a picture is classified among at least two texts" if len(texts) < 2 else "are too many texts"
    elif not all(texts):
        what = "one of the texts is blank"
    elif len(set(texts)) < len(texts):
        what = "two of the texts are equal"
    if what:
        allowed = f"2 to {MOST_PROMPTS:,} different texts"
        remedy = "Give the texts that might describe it, such as: a circle, a square"
        raise BadInput(what, field="prompts", value=len(texts), allowed=allowed, remedy=remedy)
    return texts


def by_texts(model: Any, texts: Sequence[Sequence[int]], device: torch.device) -> Scorer:
    """Return the scorer of a model that matches texts and images, for some texts.

    Args:
        model: The model, in eval mode.
        texts: The tokens of each text, with the symbols that stand around it.
        device: Where the model is.
    """
    import torch

    longest = max(map(len, texts))
    tokens = torch.tensor([[*text, *[text[-1]] * (longest - len(text))] for text in texts], device=device)
    mask = torch.arange(longest, device=device) < torch.tensor([[len(text)] for text in texts], device=device)

    def score(pictures: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = model(tokens, mask=mask, source=pictures)
        return found

    return score


def shares_of(score: Scorer, picture: Floats, device: torch.device) -> tuple[float, ...]:
    """Return the probability of each class or text for a picture (H, W, C)."""
    import torch

    with torch.no_grad():
        logits = score(torch.from_numpy(picture)[None].to(device)).float()
    return tuple(logits.softmax(dim=-1)[0].tolist())


def occlusion_of(score: Scorer, picture: Floats, picked: int, device: torch.device) -> Floats:
    """Return what PictureDecision.occlusion is, for the class of an index."""
    import torch

    height, width, _ = picture.shape
    side = max(1, round(min(height, width) / COVERED))
    corners = [(y, x) for y in _starts(height, side) for x in _starts(width, side)]
    cover = commonest(picture)
    covered = np.repeat(picture[None], len(corners), axis=0)
    for row, (y, x) in enumerate(corners):
        covered[row, y : y + side, x : x + side] = cover
    with torch.no_grad():
        known = _log_share(score, torch.from_numpy(picture)[None].to(device), picked)
        pieces = torch.split(torch.from_numpy(covered), ROWS)
        lost = (known - torch.cat([_log_share(score, piece.to(device), picked) for piece in pieces])).cpu().numpy()
    total, count = np.zeros((height, width)), np.zeros((height, width))
    for (y, x), amount in zip(corners, lost, strict=True):
        total[y : y + side, x : x + side] += amount
        count[y : y + side, x : x + side] += 1
    return (total / count).astype(np.float32)


def gradient_of(score: Scorer, picture: Floats, picked: int, device: torch.device) -> Floats:
    """Return what PictureDecision.gradient is, for the class of an index."""
    import torch

    given = torch.from_numpy(picture)[None].to(device).requires_grad_()
    with torch.enable_grad():
        (slope,) = torch.autograd.grad(_log_share(score, given, picked)[0], given)
    found: Floats = ((picture - commonest(picture)) * slope[0].cpu().numpy()).sum(axis=-1)
    return found.astype(np.float32)


def commonest(picture: Floats) -> Floats:
    """Return the median of each channel of a picture, (C,): the colour of its background."""
    return np.median(picture, axis=(0, 1)).astype(np.float32)


def bytes_of(picture: Floats) -> NDArray[np.uint8]:
    """Return a picture of numbers from 0 to 1 as bytes."""
    return np.asarray(np.round(picture * 255), np.uint8)


def _starts(length: int, side: int) -> list[int]:
    """Return where squares begin along an axis, half a side apart, so that the last one ends at its end."""
    stride = max(1, side // 2)
    return sorted({*range(0, length - side + 1, stride), length - side})


def _log_share(score: Scorer, pictures: torch.Tensor, picked: int) -> torch.Tensor:
    return score(pictures).float().log_softmax(dim=-1)[:, picked]
