"""A penalty for tokens that came a short while ago: the nearer, the more."""

import torch
from torch import Tensor

from lab.api import Filter, FilterFunction, Histories, ModelConfig, Register, hookimpl, setting

LAB_API_VERSION = 2


class EchoConfig(ModelConfig):
    penalty: float = setting(2.0, ge=0, unit="nats", live=True, help="Subtracted from the logit of the last token.")
    decay: float = setting(0.8, gt=0, lt=1, live=True, help="Factor of the penalty for each token further back.")


def echo(config: EchoConfig) -> FilterFunction:
    def filtered(logits: Tensor, histories: Histories) -> Tensor:
        less = torch.zeros_like(logits)
        for row, history in enumerate(histories):
            penalty = config.penalty
            for token in reversed(history[-20:]):
                if token < logits.shape[-1]:
                    less[row, token] += penalty
                penalty *= config.decay
        return logits - less

    return filtered


@hookimpl
def lab_register_filters(register: Register[Filter]) -> None:
    register(Filter("echo-penalty", "Echo penalty", echo, EchoConfig, "Makes tokens less likely that just came."))
