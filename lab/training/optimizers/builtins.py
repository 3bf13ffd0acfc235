"""The optimizers that come with the lab, with their settings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from lab.api import ModelConfig, Optimizer, hookimpl, setting

LAB_API_VERSION = 2


class RateSettings(ModelConfig):
    """The settings of learning rates that differ between the parts of a model."""

    layer_decay: float = setting(
        1.0,
        gt=0,
        le=1,
        group="Optimizer",
        help="Factor of the learning rate from each layer to the one below it; the embedding is below all. Typical: "
        "0.8 to 1, which trains all layers alike.",
        cite="Clark et al. 2020",
    )
    embedding_rate: float = setting(
        1.0, ge=0, le=1000, group="Optimizer", help="Factor of the learning rate of embeddings. Typical: 0.1 to 10."
    )
    head_rate: float = setting(
        1.0,
        ge=0,
        le=1000,
        group="Optimizer",
        help="Factor of the learning rate of an untied head; a tied one is an embedding. Typical: 0.1 to 10.",
    )
    recurrence_rate: float = setting(
        1.0,
        ge=0,
        le=1000,
        group="Optimizer",
        help="Factor of the learning rate of what sets how a state changes, such as A, B and the step size of S4. "
        "Typical: 0.1 to 1.",
        cite="Gu et al. 2022b",
    )


class AdamSettings(RateSettings):
    """The settings that AdamW and optimizers with AdamW for some parameters share."""

    learning_rate: float = setting(
        1e-3,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update, before the factor of the schedule. Typical: 1e-4 to 3e-3.",
    )
    beta1: float = setting(
        0.9, ge=0, lt=1, label="β₁", group="Optimizer", help="Decay of the mean gradient per step. Typical: 0.9."
    )
    beta2: float = setting(
        0.99,
        ge=0,
        lt=1,
        label="β₂",
        group="Optimizer",
        help="Decay of the mean squared gradient per step. Typical: 0.95 to 0.999.",
    )
    eps: float = setting(
        1e-8,
        gt=0,
        le=1,
        log=True,
        label="ε",
        group="Optimizer",
        help="Added to the root of the mean squared gradient. Typical: 1e-8.",
    )
    weight_decay: float = setting(
        0.1,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, times the learning rate. Typical: 0.01 to 0.1.",
    )


class AdamWConfig(AdamSettings):
    """The settings of AdamW."""

    base_width: int = setting(
        0,
        ge=0,
        le=2**20,
        unit="channels",
        group="Optimizer",
        zero="off",
        help="Width at which the learning rate was found: matrices and the head get it times base width / inputs, so "
        "that it holds at any width (muP). Needs an untied head. "
        "Typical: 0, or 64 to 256.",
        cite="Yang et al. 2022, table 3",
    )


class MuonConfig(AdamSettings):
    """The settings of Muon."""

    momentum: float = setting(
        0.95,
        ge=0,
        lt=1,
        live=True,
        group="Optimizer",
        help="Decay of the mean gradient of matrices per step, taken one step ahead (Nesterov). Typical: 0.9 to 0.95.",
    )
    iterations: int = setting(
        5,
        ge=1,
        le=20,
        group="Optimizer",
        help="Newton–Schulz iterations, which bring the singular values of an update near 1. Typical: 5.",
        cite="Jordan et al. 2024",
    )
    scaling: Literal["rms", "spectral"] = setting(
        "rms",
        group="Optimizer",
        names={"rms": "as AdamW", "spectral": "spectral"},
        help="Size of the update of a matrix: as large as AdamW's, 0.2 √max(outputs, inputs), so that AdamW's learning "
        "rates hold, or √max(1, outputs / inputs), for learning rates around 0.02.",
        cite="Liu et al. 2025, eq. 4; Jordan et al. 2024",
    )
    adamw_rate: float = setting(
        1.0,
        ge=0,
        le=1000,
        label="AdamW rate",
        group="Optimizer",
        help="Factor of the learning rate of all that AdamW updates: embeddings, head, norms, vectors, recurrences. "
        "Typical: 1, or 0.01 to 0.1 with spectral scaling.",
    )


class SGDConfig(RateSettings):
    """The settings of stochastic gradient descent."""

    learning_rate: float = setting(
        0.1,
        gt=0,
        le=100,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update, before the factor of the schedule. Typical: 0.01 to 0.5.",
    )
    momentum: float = setting(
        0.9,
        ge=0,
        lt=1,
        live=True,
        group="Optimizer",
        help="Share of the last update added to each update; 0 for none. Typical: 0.9.",
    )
    nesterov: bool = setting(
        False,
        label="Nesterov momentum",
        group="Optimizer",
        when={"momentum": True},
        help="Take the gradient one momentum step ahead.",
    )
    weight_decay: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, added to the gradient. Typical: 0, or 1e-4 to 5e-4.",
    )


class AdamConfig(AdamSettings):
    """The settings of Adam with weight decay in the gradient."""

    weight_decay: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, added to the gradient (L2) and so divided by its size like it; AdamW "
        "applies it to the weights. Typical: 0, or 1e-4 to 1e-2.",
        cite="Loshchilov & Hutter 2019",
    )


class NAdamConfig(AdamSettings):
    """The settings of NAdam."""

    momentum_decay: float = setting(
        0.004,
        ge=0,
        le=1,
        label="ψ",
        group="Optimizer",
        help="How fast the momentum rises to β₁: it is β₁ (1 − 0.5 · 0.96^(tψ)) at step t. Typical: 0.004.",
        cite="Dozat 2016",
    )


class RAdamConfig(AdamSettings):
    """The settings of RAdam."""


class ScheduleFreeConfig(AdamSettings):
    """The settings of schedule-free AdamW."""

    learning_rate: float = setting(
        3e-3,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update, before the factor of the schedule, which should be constant after a warm-up. Typical: "
        "one to ten times AdamW's.",
    )
    beta1: float = setting(
        0.9,
        ge=0,
        lt=1,
        label="β₁",
        group="Optimizer",
        help="Where the gradient is taken, from the last step at 0 to the mean of all at 1. Typical: 0.9 to 0.98.",
    )


class LBFGSConfig(ModelConfig):
    """The settings of L-BFGS."""

    learning_rate: float = setting(
        1.0,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="First length of a step along its direction, before the factor of the schedule. Typical: 1.",
    )
    iterations: int = setting(
        5,
        ge=1,
        le=100,
        unit="iterations",
        group="Optimizer",
        help="Directions in each step; each reads all of the training text once or more. Typical: 4 to 20.",
    )
    history: int = setting(
        10,
        ge=1,
        le=100,
        unit="iterations",
        group="Optimizer",
        help="Last directions from which the curvature is estimated. Typical: 5 to 20.",
        cite="Liu & Nocedal 1989",
    )
    line_search: bool = setting(
        True,
        group="Optimizer",
        help="Search along each direction for a length that fulfils the strong Wolfe conditions.",
        cite="Nocedal & Wright 2006, algorithm 3.5",
    )


class LAMBConfig(AdamSettings):
    """The settings of LAMB."""

    learning_rate: float = setting(
        5e-3,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update relative to the parameter, before the factor of the schedule. Typical: 1e-3 to 2e-2.",
    )


class SOAPConfig(AdamSettings):
    """The settings of SOAP."""

    every: int = setting(
        10,
        ge=1,
        le=10_000,
        unit="steps",
        label="Update of the basis",
        group="Optimizer",
        help="Steps between two updates of the basis in which a matrix is updated. Fewer follow the gradients more "
        "closely and take longer. Typical: 10.",
        cite="Vyas et al. 2024, figure 1",
    )


class SophiaConfig(RateSettings):
    """The settings of Sophia-G."""

    learning_rate: float = setting(
        3e-4,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of the largest update of a weight, before the factor of the schedule. Typical: 1e-4 to 2e-3.",
    )
    beta1: float = setting(
        0.96, ge=0, lt=1, label="β₁", group="Optimizer", help="Decay of the mean gradient per step. Typical: 0.96."
    )
    beta2: float = setting(
        0.99,
        ge=0,
        lt=1,
        label="β₂",
        group="Optimizer",
        help="Decay of the curvature per estimate. Typical: 0.99.",
    )
    gamma: float = setting(
        0.05,
        gt=0,
        le=1000,
        log=True,
        label="γ",
        group="Optimizer",
        help="Factor of the curvature; a smaller one clips more weights to updates of one size. Typical: 0.01 to 0.1.",
        cite="Liu et al. 2024",
    )
    every: int = setting(
        10,
        ge=1,
        le=10_000,
        unit="steps",
        label="Update of the curvature",
        group="Optimizer",
        help="Steps between two estimates of the curvature, each of which takes as long as a step. Typical: 10.",
        cite="Liu et al. 2024",
    )
    eps: float = setting(
        1e-12,
        gt=0,
        le=1,
        log=True,
        label="ε",
        group="Optimizer",
        help="Least product of γ and curvature that divides. Typical: 1e-12.",
    )
    weight_decay: float = setting(
        0.2,
        ge=0,
        le=100,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, times the learning rate. Typical: twice AdamW's.",
    )


class LionConfig(RateSettings):
    """The settings of Lion."""

    learning_rate: float = setting(
        1e-4,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of every update, before the factor of the schedule. Typical: a third to a tenth of AdamW's.",
    )
    beta1: float = setting(
        0.9,
        ge=0,
        lt=1,
        label="β₁",
        group="Optimizer",
        help="Share of the momentum in an update; the rest is the gradient. Typical: 0.9.",
    )
    beta2: float = setting(
        0.99, ge=0, lt=1, label="β₂", group="Optimizer", help="Decay of the momentum per step. Typical: 0.99."
    )
    weight_decay: float = setting(
        1.0,
        ge=0,
        le=100,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, times the learning rate. Typical: three to ten times AdamW's.",
    )


class AdagradConfig(RateSettings):
    """The settings of Adagrad."""

    learning_rate: float = setting(
        0.01,
        gt=0,
        le=100,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of the first update, before the factor of the schedule; later ones shrink by themselves. Typical: "
        "0.01 to 0.1.",
    )
    initial: float = setting(
        0.0,
        ge=0,
        le=1e6,
        label="Initial sum",
        group="Optimizer",
        help="The sum of squared gradients at the start; more makes the first updates smaller. Typical: 0 to 0.1.",
    )
    eps: float = setting(
        1e-10,
        gt=0,
        le=1,
        log=True,
        label="ε",
        group="Optimizer",
        help="Added to the root of the sum of squared gradients. Typical: 1e-10.",
    )
    weight_decay: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, added to the gradient. Typical: 0, or 1e-4 to 5e-4.",
    )


class RMSPropConfig(RateSettings):
    """The settings of RMSProp."""

    learning_rate: float = setting(
        1e-3,
        gt=0,
        le=100,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update, before the factor of the schedule. Typical: 1e-4 to 3e-3.",
    )
    alpha: float = setting(
        0.99,
        ge=0,
        lt=1,
        live=True,
        label="α",
        group="Optimizer",
        help="Decay of the mean squared gradient per step. Typical: 0.9 to 0.99.",
    )
    eps: float = setting(
        1e-8,
        gt=0,
        le=1,
        log=True,
        label="ε",
        group="Optimizer",
        help="Added to the root of the mean squared gradient. Typical: 1e-8.",
    )
    momentum: float = setting(
        0.0,
        ge=0,
        lt=1,
        group="Optimizer",
        zero="none",
        help="Share of the last update added to each update. Typical: 0, or 0.9.",
    )
    centered: bool = setting(
        False,
        label="Centred",
        group="Optimizer",
        help="Divide by the root of the gradient's variance instead of its mean square.",
        cite="Graves 2013",
    )
    weight_decay: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, added to the gradient. Typical: 0, or 1e-4 to 5e-4.",
    )


class AdafactorConfig(RateSettings):
    """The settings of Adafactor."""

    learning_rate: float = setting(
        0.01,
        gt=0,
        le=10,
        log=True,
        live=True,
        group="Optimizer",
        help="Size of an update relative to the weights, before the factor of the schedule; never more than one over "
        "the root of the step. Typical: 0.003 to 0.03.",
        cite="Shazeer & Stern 2018, section 8",
    )
    decay: float = setting(
        0.8,
        gt=0,
        le=1,
        group="Optimizer",
        label="Decay exponent",
        help="The mean squared gradient has the decay 1 − t^−x at step t. Typical: 0.8.",
    )
    clipping: float = setting(
        1.0,
        ge=1,
        le=100,
        group="Optimizer",
        label="Largest update",
        help="Root mean square from which an update is scaled down. Typical: 1.",
    )
    least_scale: float = setting(
        1e-3,
        gt=0,
        le=1,
        log=True,
        group="Optimizer",
        help="Least root mean square of the weights that an update is relative to, so that weights of 0 can be left. "
        "Typical: 1e-3.",
    )
    weight_decay: float = setting(
        0.0,
        ge=0,
        le=10,
        live=True,
        group="Regularisation",
        help="Decay of matrices towards zero, times the learning rate. Typical: 0 to 0.1.",
    )


@hookimpl
def lab_register_optimizers(register: Callable[[Optimizer], None]) -> None:
    """Register the optimizers."""
    makers = "lab.training.optimizers.makers"

    def add(
        name: str, title: str, build: str, config: type[ModelConfig], summary: str, *, full_batch: bool = False
    ) -> None:
        card = Optimizer(
            name=name, title=title, build=build, config=config, roles=True, summary=summary, full_batch=full_batch
        )
        register(card)

    add(
        "adamw",
        "AdamW",
        f"{makers}:adamw",
        AdamWConfig,
        "Scales updates by each weight's gradient size; separate weight decay (Loshchilov & Hutter 2019).",
    )
    add(
        "muon",
        "Muon",
        "lab.training.optimizers.muon:muon",
        MuonConfig,
        "Orthogonalises updates of matrices, so that all directions learn; AdamW for the rest (Jordan et al. 2024).",
    )
    add(
        "sgd",
        "SGD",
        f"{makers}:sgd",
        SGDConfig,
        "Plain gradient steps, with momentum (Robbins & Monro 1951; Polyak 1964; Nesterov 1983).",
    )
    add(
        "adagrad",
        "Adagrad",
        f"{makers}:adagrad",
        AdagradConfig,
        "Divides by the root of the sum of all squared gradients, so that rare features get large steps (Duchi et al. "
        "2011).",
    )
    add(
        "rmsprop",
        "RMSProp",
        f"{makers}:rmsprop",
        RMSPropConfig,
        "Divides by the root of the recent mean squared gradient (Tieleman & Hinton 2012).",
    )
    add(
        "adam",
        "Adam with L2",
        f"{makers}:adam",
        AdamConfig,
        "RMSProp with a mean gradient, both without their bias at the start; weight decay in the gradient (Kingma & Ba "
        "2015).",
    )
    add(
        "nadam",
        "NAdam",
        f"{makers}:nadam",
        NAdamConfig,
        "AdamW whose mean gradient is taken one step ahead, as in Nesterov's momentum (Dozat 2016).",
    )
    add(
        "radam",
        "RAdam",
        f"{makers}:radam",
        RAdamConfig,
        "AdamW without a warm-up: it scales updates once the mean squared gradient can be trusted (Liu et al. 2020).",
    )
    add(
        "adafactor",
        "Adafactor",
        f"{makers}:adafactor",
        AdafactorConfig,
        "Keeps mean squared gradients of rows and columns alone, to save memory (Shazeer & Stern 2018).",
    )
    add(
        "lion",
        "Lion",
        "lab.training.optimizers.lion:lion",
        LionConfig,
        "Updates all weights by the same size, with the sign of a momentum (Chen et al. 2023).",
    )
    add(
        "lamb",
        "LAMB",
        "lab.training.optimizers.lamb:lamb",
        LAMBConfig,
        "Adam's updates scaled to the size of each parameter, for very large batches (You et al. 2020).",
    )
    add(
        "soap",
        "SOAP",
        "lab.training.optimizers.soap:soap",
        SOAPConfig,
        "Adam in a basis that follows the gradients of each matrix; AdamW for the rest (Vyas et al. 2024).",
    )
    add(
        "sophia",
        "Sophia-G",
        "lab.training.optimizers.sophia:sophia",
        SophiaConfig,
        "Divides a momentum by the curvature, estimated by labels drawn from the model, and clips each update (Liu et "
        "al. 2024).",
    )
    add(
        "schedule-free",
        "Schedule-free AdamW",
        "lab.training.optimizers.schedule_free:schedule_free",
        ScheduleFreeConfig,
        "AdamW whose trained weights are a mean over its steps, in place of a falling rate (Defazio et al. 2024).",
    )
    add(
        "lbfgs",
        "L-BFGS",
        "lab.training.optimizers.lbfgs:lbfgs",
        LBFGSConfig,
        "Follows the curvature of the loss on all of the training text at once; for small models (Liu & Nocedal 1989).",
        full_batch=True,
    )
