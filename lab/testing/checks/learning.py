"""Checks of learning: scores, losses, gradients, live settings, copies, tables, the meta device, counting."""

from __future__ import annotations

import contextlib
import copy
import itertools
import math
from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor

from lab.api import BadInput, MixerStackConfig, ModelConfig, Setting, State, settings_of, tensors_of
from lab.diagnostics.cost import blueprint
from lab.layers import AuxiliaryLosses
from lab.layers.reports import Derives, Term
from lab.testing.check import Broken, check, remedied, require, require_same, tolerance
from lab.testing.checks.decoding import read
from lab.testing.model_case import LENGTH, ModelCase, task_of_length
from lab.training.recording.model_copy import copy_of


@check()
@torch.enable_grad()
def score(case: ModelCase) -> None:
    """`score` is the log-softmax of the logits at the targets, 0 where a target is negative, and differentiable."""
    model = case.model()
    T = min(40, case.longest(model))
    tokens, targets = case.tokens(3, T), case.tokens(3, T, seed=1)
    targets[0, 1::3], targets[1, 2::5] = -1, -100
    remedy = "let score return log_softmax(logits)[target] per position, and 0 where target < 0 (−1 and −100 alike)"
    with remedied("score of some negative targets", remedy):
        scores = model.score(tokens, targets)
    nats = model(tokens).log_softmax(dim=-1)
    expected = nats.gather(-1, targets.clamp(min=0)[..., None])[..., 0].where(targets >= 0, 0.0)
    require_same(scores.to(expected.dtype), expected, "score, and the log-softmax of forward at the targets", remedy)
    if model.learns == "gradient":
        remedy = "compute score with torch from the parameters, without detach, item or no_grad"
        require(scores.requires_grad, "score has no gradient", remedy)


@check("gradient", after="score")
def initial_loss(case: ModelCase) -> None:
    """New weights do not favour a token: a random token costs at most 1.5 · ln V + 1 nats."""
    model = case.model()
    tokens, targets = (case.tokens(8, min(40, case.longest(model)), seed) for seed in (0, 1))
    found, blind = -model.score(tokens, targets).mean().item(), math.log(case.task.vocabulary_size)
    remedy = "start with smaller weights in the embedding or the head, as by nn.init.normal_(weight, std=0.02): a tied "
    remedy += "embedding returns through the residuals as a large logit of the token just read"
    measured = f"with new weights a random token costs {found:.3g} nats, and a uniform guess ln V = {blind:.3g}"
    require(found <= 1.5 * blind + 1, measured, remedy)


@check("gradient")
@torch.enable_grad()
def losses(case: ModelCase) -> None:
    """Auxiliary losses are finite scalars with a weight, and the same for every pass over the same tokens."""
    model = case.model(training=True)
    listener = AuxiliaryLosses().attach(model)
    tokens = case.tokens(4, min(70, case.longest(model)))
    passes: list[list[Term]] = []
    for _ in range(2):
        torch.default_generator.manual_seed(1)
        model.score(tokens, tokens)
        passes.append(listener.take())
    for name, value, weight, _ in passes[0]:
        remedy = "pass a tensor without dimensions to add_loss: value.mean()"
        require(isinstance(value, Tensor) and value.ndim == 0, f"the loss {name!r} is not a scalar tensor", remedy)
        remedy = "look for a logarithm or a division by zero in it, and take its weight from the config as a number"
        require(bool(value.isfinite()) and math.isfinite(weight), f"the loss {name!r} is not finite", remedy)
    remedy = "compute auxiliary losses in each forward pass from that pass alone, and store none on the module"
    require(
        [term[0] for term in passes[0]] == [term[0] for term in passes[1]],
        "a second pass adds other losses",
        remedy,
    )


@check("gradient", after="losses")
@torch.enable_grad()
def gradients(case: ModelCase) -> None:
    """Every trained parameter gets a finite, nonzero gradient from a few hundred tokens."""
    model = case.model(training=True)
    listener = AuxiliaryLosses().attach(model)
    tokens, targets = (case.tokens(4, case.length(model), seed) for seed in (0, 1))
    loss = -model.score(tokens, targets).mean()
    for _, value, weight, _ in listener.take():
        loss = loss + weight * value
    with remedied("the backward pass", "make score differentiable in training, and change no tensor in place"):
        loss.backward()
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        use_remedy = f"use {name} in forward, or keep it with register_buffer or requires_grad_(False)"
        require(parameter.grad is not None, f"{name} gets no gradient", use_remedy)
        remedy = f"look for a division by zero, sqrt or log of zero on the way from {name} to the score"
        require(bool(parameter.grad.isfinite().all()), f"{name} gets a gradient that is not finite", remedy)
        require(bool(parameter.grad.any()), f"{name} gets a gradient of zeros only", use_remedy)


@check("causal", "gradient", after="pieces")
@torch.enable_grad()
def form_gradients(case: ModelCase) -> None:
    """Forward and extend have the gradients of one step per token, if more than one form is written."""
    if not any(_writes_several(part) for part in case.model().modules()):
        return
    for training in (True, False):
        model = case.model(training=training)
        length = min(70, case.longest(model))  # beyond one chunk of 64
        tokens, targets = (case.tokens(2, length, seed) for seed in (0, 1))
        whole = model(tokens)
        if not whole.requires_grad:
            continue
        slow, _ = read(model, tokens, model.start(2), (0,) * length)
        if not training and not slow.requires_grad:
            continue
        if slow.shape != whole.shape or (slow - whole).abs().max().item() > tolerance(slow, whole):
            continue  # it draws random numbers in training
        graph_remedy = (
            "compute step with torch from the parameters and the state, without no_grad, detach or item, and change "
        )
        graph_remedy += "no tensor in place"
        require(slow.requires_grad, "step returns logits without gradients", graph_remedy)
        with remedied("the backward pass of step", graph_remedy):
            expected = _gradients(model, slow, targets)
        quick, _ = read(model, tokens, model.start(2), (7, 13, length))
        for form, logits in (("forward", whole), ("extend", quick)):
            remedy = "compute it with torch from the parameters and the state, without no_grad or detach"
            require(logits.requires_grad, f"{form} returns logits without gradients", remedy)
            with remedied(f"the backward pass of {form}", f"change no tensor in place in {form}"):
                found = _gradients(model, logits, targets)
            _require_same_gradients(found, expected, form, graph_remedy)
        return


@check()
def live(case: ModelCase) -> None:
    """A live setting acts at once: the model then equals one built with the new value and the same weights."""
    for setting in settings_of(type(case.config())):
        if not setting.live:
            continue
        model = case.model()
        if not change_to_another(model.config, setting):
            continue
        new = case.model(model.config.model_copy(deep=True))
        new.load_tables(model.tables())
        own = setting.name
        if isinstance(model.config, MixerStackConfig):  # a mixer gets its section of the stack's config
            own = own.removeprefix(f"{type(model.config).mixer.key}.")
        remedy = f"read {own} from the config at each use (self.config.{own}), and do not copy it in __init__"
        for training in (True, False):
            (found, terms), (expected, others) = (_passed(case, each.train(training)) for each in (model, new))
            mode = "training" if training else "evaluation"
            what = f"in {mode}, the model after changing {setting.name}, and one built with the new value"
            require_same(found, expected, what, remedy)
            added = [name for name, *_ in terms] == [name for name, *_ in others]
            require(added, f"{what}: the auxiliary losses differ", remedy)
            for (name, value, weight, _), (_, other, right, _) in zip(terms, others, strict=True):
                require_same(torch.as_tensor(value), torch.as_tensor(other), f"{what}: the loss {name!r}", remedy)
                require(weight == right, f"{what}: the loss {name!r} has the weights {weight} and {right}", remedy)


@check()
@torch.enable_grad()
def copies(case: ModelCase) -> None:
    """A model can be copied after a training pass with collected losses, and the copy computes the same."""
    model = case.model(training=True)
    tokens = case.tokens(2, min(20, case.longest(model)))
    AuxiliaryLosses().attach(model)
    scores = model.score(tokens, tokens)
    if scores.requires_grad:
        scores.sum().backward()
    with remedied("copy.deepcopy(model)", "store no tensor of a pass on a module, and nothing that cannot be copied"):
        twin = copy.deepcopy(model)
    found, expected = (_passed(case, each)[0] for each in (twin, model))
    require_same(found, expected, "a copy's logits, and the model's", "let deepcopy copy all that forward reads")


@check()
def tables(case: ModelCase) -> None:
    """A checkpoint restores the model in another instance, through safetensors."""
    model, other = case.model(), case.model(seed=1, counted=False)
    remedy = "return every table as a tensor with its own storage (clone it), as safetensors requires"
    with remedied("saving the result of tables", remedy):
        stored = load(save({name: table.contiguous() for name, table in model.tables().items()}))
    with remedied("load_tables of the result of tables", "let load_tables accept everything that tables returns"):
        other.load_tables({name: table.to(str(case.device)) for name, table in stored.items()})
    tokens = case.tokens(2, min(70, case.longest(model)))
    remedy = "make what the model needs a parameter or a persistent buffer, or put it into tables and load_tables"
    found, expected = (each.score(tokens[:, :-1], tokens[:, 1:]) for each in (other, model))
    require_same(found, expected, "scores after load_tables, and before", remedy)


@check("gradient")
def meta(case: ModelCase) -> None:
    """The full-size model runs on the meta device, which counting costs needs: no tensor is on another device."""
    anywhere_remedy = (
        "make every tensor on the device of the others (x.new_zeros(…), parameter.new_zeros(…), device=x.device), "
    )
    anywhere_remedy += (
        "compute constants with math instead of .item(), and use a balanced path `if x.is_meta` where code "
    )
    anywhere_remedy += "depends on the data"
    for name, (config, length) in case.whole.items():
        task = task_of_length(case.task, length)
        with remedied(name, anywhere_remedy, text="meta"):
            model = blueprint(case.architecture, config.model_copy(deep=True), task)
            weights = itertools.chain(model.named_parameters(), model.named_buffers())
            stray = [path for path, tensor in weights if not tensor.is_meta]
            remedy = "create parameters with torch's factories, without a device"
            require(not stray, f"{name}: built on meta, {', '.join(stray[:3])} is elsewhere", remedy)
            T = min(model.reach or length, 20)
            tokens = torch.zeros(2, T, dtype=torch.long, device="meta")
            with torch.enable_grad():
                torch.autograd.backward(model.score(tokens, tokens).sum())
            if not model.causal:
                continue
            state = model.start(2)
            remedy = "create the state with new_zeros of a parameter, so that it is on the model's device"
            require(_all_meta(state), f"{name}: start is not on the model's device", remedy)
            if T > 1:
                _, state = model.extend(tokens[:, 1:], state)
            _, state = model.step(tokens[:, 0], state)
            require(_all_meta(state), f"{name}: the state left the model's device", remedy)


@check()
def baselines(case: ModelCase) -> None:
    """Every baseline of the architecture can be built, and is its own baseline."""
    remedy = "return settings that the config allows together, or none if the model already is this baseline"
    for name in case.architecture.baselines:
        with remedied(f"the baseline {name}", remedy):
            config = case.architecture.baseline(name, case.config())
            case.model(config, counted=False)
            again = case.architecture.baseline(name, config)
        require(again.stored() == config.stored(), f"applying the baseline {name} to itself changes it", remedy)


@check("counting")
def slices(case: ModelCase) -> None:
    """Counting a text in two unequal slices equals counting it at once."""
    text = case.text()
    whole, parts = case.model(), case.model(counted=False)
    parts.count(text[:1301])
    parts.count(text[1301:])
    tokens = case.tokens(4, min(70, case.longest(whole)))
    remedy = (
        "count across the boundary too: store the last tokens of a slice, and add to the counts instead of replacing "
        "them"
    )
    found, expected = (each.score(tokens[:, :-1], tokens[:, 1:]) for each in (parts, whole))
    require_same(found, expected, "scores after counting two slices, and after counting once", remedy)
    again = whole.score(tokens[:, :-1], tokens[:, 1:])
    remedy = "let score only read the tables, without random draws or changes"
    require(torch.equal(again, expected), "scoring the same tokens twice gives different numbers", remedy)


@check("counting")
def counting_on(case: ModelCase) -> None:
    """Counting more makes new tables: an earlier copy that shares the old tables stays unchanged."""
    model, text = case.model(counted=False), case.text()
    model.count(text[:1301])
    twin = copy_of(model)
    tokens = case.tokens(4, min(70, case.longest(model)))
    before = twin.score(tokens[:, :-1], tokens[:, 1:]).clone()
    stored = {name: table.clone() for name, table in model.tables().items()}
    held = model.tables()
    model.count(text[1301:])
    remedy = "never write a table in place: self.pairs = self.pairs + new instead of self.pairs += new"
    same = all(torch.equal(held[name], table) for name, table in stored.items())
    require(same, "further counting changes tables that were returned earlier", remedy)
    after = twin.score(tokens[:, :-1], tokens[:, 1:])
    require_same(after, before, "scores of a copy after and before the model counted more", remedy)


@check("counting")
def normalised(case: ModelCase) -> None:
    """The probabilities of all symbols sum to 1 at every position."""
    model, V = case.model(), case.task.vocabulary_size
    T = min(30, case.longest(model))
    tokens = case.tokens(1, T).expand(V, T)
    targets = torch.arange(V, device=tokens.device)[:, None].expand(V, T)
    total = model.score(tokens, targets).double().exp().sum(dim=0)
    error, at = (total - 1).abs().max(dim=0)
    remedy = "check discounts and back-off weights: the mass taken from seen symbols must go to the others"
    require(error.item() < 1e-6, f"at position {at.item()} they sum to {total[at].item():.6f}", remedy)


def _writes_several(part: object) -> bool:
    """Return True if the author wrote two forms or more; those of the stack, which only call mixers, do not count."""
    if not isinstance(part, Derives):
        return False
    forms = [form for form in ("forward", "extend", "step") if part.writes(form)]
    return len([form for form in forms if getattr(type(part), form).__module__ != "lab.layers.stack"]) > 1


def _gradients(model: Any, logits: Tensor, targets: Tensor) -> dict[str, Tensor]:
    """Return the gradient of the summed cross-entropy by parameter, zeros if there is none."""
    parameters = {name: each for name, each in model.named_parameters() if each.requires_grad}
    loss = -logits.log_softmax(dim=-1).gather(-1, targets[..., None]).sum()
    gradients = torch.autograd.grad(loss, list(parameters.values()), allow_unused=True, materialize_grads=True)
    return dict(zip(parameters, gradients, strict=True))


def _require_same_gradients(found: dict[str, Tensor], expected: dict[str, Tensor], form: str, graph: str) -> None:
    """Raise Broken if a parameter's gradient through this form differs from the one through step."""
    rounding = 1e-9 * max(1.0, *(each.abs().max().item() for each in expected.values() if each.numel()))
    errors = {}
    for name, gradient in expected.items():
        error = (found[name] - gradient).abs().max().item() if gradient.numel() else 0.0
        if not error <= 1e-6 * gradient.abs().max().item() + rounding:
            errors[name] = error
    if not errors:
        return
    name = max(errors, key=lambda name: errors[name])
    through = f"the gradient of {name} through step"
    lost = [name for name in errors if not expected[name].any()]
    require(not lost, f"{form} has a gradient and step has none for {', '.join(lost[:3])}", graph)
    size = expected[name].abs().max().item()
    measured = f"the backward of {form} is not that of step: {through} is up to {size:.2g}, and that through {form} "
    measured += f"differs from it by {errors[name]:.2g}"
    first = (
        f"correct the backward of {form} (that of an autograd.Function of yours, a detach, a no_grad on the way), or "
    )
    raise Broken(measured, f"{first}that of step (a detached state)")


def change_to_another(config: ModelConfig, setting: Setting) -> bool:
    """Set a live field to another allowed value. Return True if there is one."""
    owner: Any = config
    for part in setting.name.split("."):
        owner = getattr(owner, part)
    if setting.kind == "choice":
        candidates = list(setting.choices)
    elif setting.kind == "bool":
        candidates = [not owner]
    else:
        number = owner if isinstance(owner, int | float) else 1
        whole = setting.kind == "int"
        candidates = [number + 1, number - 1, number * 2] if whole else [0.5, 0.25, number * 0.5, number * 2 + 1]
    for candidate in candidates:
        if candidate == owner:
            continue
        try:
            config.change(setting.name, candidate)
        except BadInput:
            continue
        return True
    return False


def _passed(case: ModelCase, model: Any) -> tuple[Tensor, list[Term]]:
    """Return logits and scores, and the auxiliary losses of scoring, always from the same seed."""
    listener = AuxiliaryLosses().attach(model)
    tokens = case.tokens(2, min(LENGTH, case.longest(model)))
    torch.default_generator.manual_seed(1)
    scores = model.score(tokens, tokens)
    return torch.cat([model(tokens).flatten(), scores.flatten()]), listener.take()


def _all_meta(state: State) -> bool:
    with contextlib.suppress(TypeError):  # not plain data, which the check of states reports
        return all(tensor.is_meta for tensor in tensors_of(state))
    return True
