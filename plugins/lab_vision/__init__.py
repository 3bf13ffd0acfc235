"""Images as tokens: the vision transformer, and CLIP, which finds the text that belongs to an image."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lab.api import CheckpointFormat, ObjectiveCard, Probe, hookimpl
from lab_vision import explanations
from lab_vision.cards import CLIP, VIT

if TYPE_CHECKING:
    from lab.api import Architecture

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the vision transformer and CLIP."""
    register(VIT)
    register(CLIP)


@hookimpl
def lab_register_objectives(register: Callable[[ObjectiveCard], None]) -> None:
    """Register the objective of images and captions."""
    register(
        ObjectiveCard(
            name="contrastive",
            title="Images and captions",
            build="lab_vision.objectives:Contrastive",
            summary="Find the caption of each image among those of the others, and the image of each caption.",
        )
    )


@hookimpl
def lab_register_checkpoint_formats(register: Callable[[CheckpointFormat], None]) -> None:
    """Register the Hugging Face checkpoints of ViT and CLIP."""
    register(CheckpointFormat("vit", "ViT", "lab_vision.formats:ViT", architecture="vit", model_type="vit"))
    register(CheckpointFormat("clip", "CLIP", "lab_vision.formats:Clip", architecture="clip", model_type="clip"))


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probes of filters, of where a model looks, and of what belongs together."""
    images = frozenset({"images"})
    register(
        Probe(
            name="patch-filters",
            title="Filters of the squares",
            build="lab_vision.probes:filters",
            summary="The weights by which each channel of a token reads the pixels of a square, as pictures.",
            reads=images,
            explanations=explanations.FILTERS,
        )
    )
    register(
        Probe(
            name="picture-attention",
            title="Attention over the picture",
            build="lab_vision.probes:by_head",
            summary="Which squares of a picture the token reads that the output is made of, by head and block.",
            reads=images,
            explanations=explanations.BY_HEAD,
        )
    )
    register(
        Probe(
            name="attention-rollout",
            title="Attention rollout",
            build="lab_vision.probes:through",
            summary="Which squares of a picture reach the output through all blocks together (Abnar & Zuidema 2020).",
            reads=images,
            explanations=explanations.THROUGH,
        )
    )
    register(
        Probe(
            name="similarity",
            title="Images and captions",
            build="lab_vision.probes:similarity",
            summary="How close images of the validation split are to each other's captions.",
            reads=images,
            explanations=explanations.SIMILARITY,
        )
    )
