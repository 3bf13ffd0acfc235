"""Examples of activations, losses, norms and filters, computed by the functions of the lab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.worked.examples import Computed
from lab.worked.parts.common import Figures, backward, inputs_of, make_slot, to_tensor

if TYPE_CHECKING:
    from torch import Tensor


def activations(computed: Computed) -> Figures:
    """Compute slopes and least values of activations."""
    import torch

    from lab.layers import activate

    def least(name: Any, at: str) -> Tensor:
        return activate(to_tensor(computed.values[at]), name)

    at = inputs_of(computed, "at")[0].requires_grad_()
    slopes = [torch.autograd.grad(function(at), at)[0] for function in (torch.sigmoid, torch.tanh)]
    return {
        "sigmoid_slope": slopes[0], "tanh_slope": slopes[1], "silu_least": least("silu", "silu_least_at"),
        "gelu_least": least("gelu", "gelu_least_at"),
    }  # fmt: skip


def cross_entropy(computed: Computed) -> Figures:
    """Compute the gradient of softmax and cross-entropy."""
    from lab.layers import unreduced_cross_entropy

    z, y = inputs_of(computed, "z", "y")
    z.requires_grad_()
    backward(unreduced_cross_entropy(z[None, None], y.argmax().reshape(1, 1)).sum())
    return {"p": z.softmax(-1), "gradient": z.grad}


def layer_norm(computed: Computed) -> Figures:
    """Normalise by layer norm and root mean square norm."""
    from lab.layers import LayerNorm, RMSNorm

    x, epsilon = inputs_of(computed, "x", "epsilon")
    slot = make_slot(len(x))
    return {
        "normalised": LayerNorm(slot, eps=float(epsilon)).double()(x),
        "rmsnorm": RMSNorm(slot, eps=float(epsilon)).double()(x),
    }


def divergence(computed: Computed) -> Figures:
    """Compute cross-entropy and divergence."""
    import torch.nn.functional as F

    teacher, logits = inputs_of(computed, "teacher", "student_logits")
    log_student = logits.log_softmax(-1)
    return {
        "cross_entropy_nats": F.cross_entropy(logits[None], teacher[None]),
        "kl_nats": F.kl_div(log_student, teacher, reduction="sum"),
    }


def score(computed: Computed) -> Figures:
    """Compute a perplexity."""
    from lab.base.units import perplexity

    nats = -inputs_of(computed, "q")[0].log().mean()
    return {"perplexity": perplexity(float(nats))}


def half(computed: Computed) -> Figures:
    """Round to float16."""
    import torch

    return {"in_half": inputs_of(computed, "gradients")[0].to(torch.float16)}


def permute(computed: Computed) -> Figures:
    """Permute axes."""
    import torch

    shape = [int(each) for each in inputs_of(computed, "shape")[0]]
    axes = [int(each) for each in to_tensor(computed.values["permute_argument"])]
    return {"result_shape": [float(each) for each in torch.empty(shape, device="meta").permute(axes).shape]}


def graph_of_product(computed: Computed) -> Figures:
    """Differentiate (x1 + x2)·x1, squared."""
    x1, x2 = (each.requires_grad_() for each in inputs_of(computed, "x1", "x2"))
    backward(((x1 + x2) * x1) ** 2)
    return {"dL_dx1": x1.grad, "dL_dx2": x2.grad}


def filters(computed: Computed) -> Figures:
    """Filter by top-k and nucleus."""
    from lab.decoding.filters import top_k, top_p

    p, k, share = inputs_of(computed, "p", "k", "top_p")
    logits = p.log()

    def left(filtered: Tensor) -> Tensor:
        chances = filtered.softmax(-1)
        return chances[chances > 0].sort(descending=True).values

    return {
        "top_k_renormalised": left(top_k(logits, int(k))), "nucleus_renormalised": left(top_p(logits, float(share))),
    }  # fmt: skip


def temperature(computed: Computed) -> Figures:
    """Apply temperatures."""
    from lab.decoding.filters import at_temperature

    p, temperatures = inputs_of(computed, "p", "temperatures")
    return {"p_at": [at_temperature(p.log(), float(each)).softmax(-1) for each in temperatures]}


def softmax(computed: Computed) -> Figures:
    """Compute a softmax of large logits."""
    from lab.decoding.filters import at_temperature

    z = inputs_of(computed, "z")[0]
    return {"p": at_temperature(z, 1.0).softmax(-1), "log_p": z.log_softmax(-1)}


def softmax_columns(computed: Computed) -> Figures:
    """Compute softmax along columns."""
    return {"weights": inputs_of(computed, "scores")[0].softmax(0)}
