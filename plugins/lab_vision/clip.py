"""CLIP: an encoder of images and one of texts, whose vectors are close where both belong together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput, Role, Task
from lab.layers import Attention, FeedForward, LanguageModel, LayerNorm, ResidualStack, name_readings
from lab_vision.model import VisionTransformer

if TYPE_CHECKING:
    from lab.api import Slot
    from lab_vision.clip_settings import ClipConfig, TextConfig

LARGEST_SCALE = 100.0
"""The largest factor of the cosines, 1 / temperature (Radford et al. 2021, section 2.5)."""


class TextEncoder(ResidualStack):
    """A transformer that reads a text from left to right; its vector is that of the last token, projected.

    Args:
        config: The settings.
        task: The task of the model that it is part of.
        outputs: E, the numbers of a vector.
    """

    def __init__(self, config: TextConfig, task: Task, outputs: int) -> None:
        def attention(slot: Slot) -> Attention:
            return Attention(slot, heads=config.heads, bias=True)

        def feed_forward(slot: Slot) -> FeedForward:
            return FeedForward(slot, hidden=config.hidden, activation=config.activation, bias=True)

        def norm(slot: Slot) -> nn.Module:
            return LayerNorm(slot, bias=True, eps=config.norm_epsilon)

        super().__init__(
            config,
            Task(task.vocabulary_size, task.context_length, outputs=outputs),
            token_mixer=attention,
            channel_mixer=feed_forward,
            norm=norm,
            positions="learned",
            pool="last",
        )
        self.output = nn.Linear(config.width, outputs, bias=False)
        nn.init.normal_(self.output.weight, std=config.width**-0.5)


class Clip(LanguageModel):
    """s · cos(f(image), g(text)) of each image and each text, with a learned factor s (Radford et al. 2021, figure 3).

    The image encoder is a vision transformer with a norm before its first block; the text encoder reads from left to
    right, and its last token, the end of the text, stands for all of it. A linear map takes either into the same E
    numbers. s is exp of a parameter, at most 100; the temperature of the paper is 1 / s.

    Args:
        config: The settings.
        task: The task that the model is built for: images of one size, and texts.

    Raises:
        BadInput: The task has no images, the patches do not fill them, or heads do not divide a width.
    """

    roles: Mapping[str, Role] = {"images.output.weight": "matrix", "texts.output.weight": "matrix"}
    no_decay = ("log_scale",)
    head_parts = ("images.output", "texts.output")

    def __init__(self, config: ClipConfig, task: Task) -> None:
        super().__init__(config, task)
        self.causal = False
        outputs = config.embedding_channels
        read = Task(1, 1, causal=False, input_shape=task.input_shape, outputs=outputs)
        self.images = VisionTransformer(config.of_images(), read, embedding_norm=True, bias=False)
        nn.init.normal_(self.images.output.weight, std=config.width**-0.5)
        self.texts = TextEncoder(config.of_texts(), task, outputs)
        name_readings(self.texts, "text ")
        self.log_scale = nn.Parameter(torch.tensor(-math.log(config.temperature)))

    def forward(self, tokens: Tensor, target: Tensor | None = None, **given: Tensor) -> Tensor:
        """Return logits (M, N) of M images and N texts, s times the cosine of their vectors.

        Args:
            tokens: The texts (N, T); or the images, if the texts follow.
            target: The texts, if the images come first.
            **given: "source", the images (M, H, W, channels), unless they came first; "mask" (N, T) bool, False behind
                the end of a text, without which all texts are equally long.

        Raises:
            BadInput: No images are given, or they have another size; or a text is empty or longer than the positions.
        """
        if target is not None:
            tokens, given = target, {**given, "source": tokens}
        if "source" not in given:
            what = "this model compares texts with images, and none are given"
            raise BadInput(what, field="source", remedy="Give the images: model(images, tokens)")
        return self.scale() * self.of_images(given["source"]) @ self.of_texts(tokens, given.get("mask")).T

    def scale(self) -> Tensor:
        """Return s, the factor of the cosines: 1 / temperature."""
        return self.log_scale.exp()

    def of_images(self, images: Tensor) -> Tensor:
        """Return the vectors of images (M, H, W, channels), of length 1: (M, E).

        Raises:
            BadInput: They have another size, or other channels.
        """
        self._follow()
        return F.normalize(self.images(images), dim=-1)

    def of_texts(self, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return the vectors of texts (N, T) with their mask (N, T) bool, of length 1: (N, E).

        Raises:
            BadInput: A text is empty, or longer than the positions. Whether one is all padding is only checked on the
                CPU: a GPU would have to wait for it.
        """
        longest = self.task.context_length
        if not 1 <= tokens.shape[1] <= longest:
            raise BadInput(
                "a text is empty" if not tokens.shape[1] else "a text is longer than the positions of this model",
                field="tokens",
                value=f"{tokens.shape[1]} tokens",
                allowed=f"1 to {longest}",
                remedy="Write a text" if not tokens.shape[1] else "Shorten it, or train with a longer context",
            )
        if mask is not None and mask.device.type == "cpu" and not bool(mask.any(dim=1).all()):
            what, remedy = "a row of the text is nothing but padding", "Leave the row out"
            raise BadInput(what, field="mask", allowed="at least one token in each row", remedy=remedy)
        self._follow()
        given = {} if mask is None else {"mask": mask}
        return F.normalize(self.texts(tokens, **given), dim=-1)

    def _follow(self) -> None:
        """Hand settings that may change while the run trains on to both encoders."""
        live = {name: getattr(self.config, name) for name in ("dropout", "layer_dropout")}
        for encoder in (self.images, self.texts):
            encoder.config.__dict__.update(live)

    def after_step(self) -> None:
        """Hold the factor of the cosines at 100 or below, after each step of a training."""
        with torch.no_grad():
            self.log_scale.clamp_(max=math.log(LARGEST_SCALE))


def build(config: ClipConfig, task: Task) -> Clip:
    """Return the model of a config, with new weights."""
    return Clip(config, task)
