"""Checks of learning: scores, auxiliary losses, gradients, live settings, copies, tables, the meta device, counting."""

from __future__ import annotations

import contextlib
import copy
import itertools
import math
from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor

from lab.api import BadInput, ModelConfig, Setting, State, settings_of, tensors_of
from lab.layers import AuxiliaryLosses
from lab.testing.check import check, remedied, require, require_same
from lab.testing.subject import LENGTH, Subject, task_of_length
from lab.training.snapshot import instance_of


@check()
@torch.enable_grad()
def score(subject: Subject) -> None:
    """`score` is the log-softmax of the logits at the targets, 0 where a target is negative, and differentiable."""
    model = subject.model()
    T = min(40, subject.longest(model))
    tokens, targets = subject.tokens(3, T), subject.tokens(3, T, seed=1)
    targets[0, 1::3], targets[1, 2::5] = -1, -100
    define = "let score give log_softmax(logits)[target] per position, and 0 where target < 0 (−1 and −100 alike)"
    with remedied("score of some negative targets", define):
        scores = model.score(tokens, targets)
    nats = model(tokens).log_softmax(dim=-1)
    expected = nats.gather(-1, targets.clamp(min=0)[..., None])[..., 0].where(targets >= 0, 0.0)
    require_same(scores.to(expected.dtype), expected, "score, and the log-softmax of forward at the targets", define)
    if model.learns == "gradient":
        keep = "compute score with torch from the parameters, without detach, item or no_grad"
        require(scores.requires_grad, "score has no gradient", keep)


@check("gradient")
@torch.enable_grad()
def losses(subject: Subject) -> None:
    """Auxiliary losses are finite scalars with a weight, the same for every pass over the same tokens."""
    model = subject.model(training=True)
    listener = AuxiliaryLosses().attach(model)
    tokens = subject.tokens(4, min(70, subject.longest(model)))
    heard: list[list[tuple[str, Tensor, float]]] = []
    for _ in range(2):
        torch.manual_seed(1)
        model.score(tokens, tokens)
        heard.append(listener.take())
    for name, value, weight in heard[0]:
        scalar = "give add_loss a tensor of no dimensions: value.mean()"
        require(isinstance(value, Tensor) and value.ndim == 0, f"the loss {name!r} is no scalar tensor", scalar)
        sound = "look for a logarithm or a division by zero in it, and take its weight from the config as a number"
        require(bool(value.isfinite()) and math.isfinite(weight), f"the loss {name!r} is not finite", sound)
    fresh = "compute auxiliary losses in each forward pass from that pass alone, and keep none on the module"
    require([term[0] for term in heard[0]] == [term[0] for term in heard[1]], "a second pass adds other losses", fresh)


@check("gradient", after="losses")
@torch.enable_grad()
def gradients(subject: Subject) -> None:
    """Every trained parameter gets a finite gradient that is not zero, from some hundred tokens."""
    model = subject.model(training=True)
    listener = AuxiliaryLosses().attach(model)
    tokens, targets = (subject.tokens(4, subject.length(model), seed) for seed in (0, 1))
    loss = -model.score(tokens, targets).mean()
    for _, value, weight in listener.take():
        loss = loss + weight * value
    with remedied("the backward pass", "let score be differentiable in training, and write into no tensor on its way"):
        loss.backward()
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        use = f"use {name} in forward, or keep it with register_buffer or requires_grad_(False)"
        require(parameter.grad is not None, f"{name} gets no gradient", use)
        finite = f"look for a division by zero, sqrt or log of zero on the way from {name} to the score"
        require(bool(parameter.grad.isfinite().all()), f"{name} gets a gradient that is not finite", finite)
        require(bool(parameter.grad.any()), f"{name} gets a gradient of zeros only", use)


@check()
def live(subject: Subject) -> None:
    """A live setting acts at once: the model is then as one built with the new value and the same weights."""
    for setting in settings_of(type(subject.config())):
        if not setting.live:
            continue
        model = subject.model()
        if not change_to_another(model.config, setting):
            continue
        new = subject.model(model.config.model_copy(deep=True))
        new.load_tables(model.tables())
        at_use = f"read {setting.name} from the config at use (self.config.{setting.name}), copy it nowhere in __init__"
        for training in (True, False):
            (found, terms), (expected, others) = (_passed(subject, each.train(training)) for each in (model, new))
            mode = "training" if training else "evaluation"
            what = f"in {mode}, the model after changing {setting.name}, and one built with the new value"
            require_same(found, expected, what, at_use)
            added = [name for name, _, _ in terms] == [name for name, _, _ in others]
            require(added, f"{what}: they add other auxiliary losses", at_use)
            for (name, value, weight), (_, other, right) in zip(terms, others, strict=True):
                require_same(torch.as_tensor(value), torch.as_tensor(other), f"{what}: the loss {name!r}", at_use)
                require(weight == right, f"{what}: the loss {name!r} has the weights {weight} and {right}", at_use)


@check()
@torch.enable_grad()
def copies(subject: Subject) -> None:
    """A model can be copied after a training pass, while its losses are listened to, and the copy computes the same."""
    model = subject.model(training=True)
    tokens = subject.tokens(2, min(20, subject.longest(model)))
    AuxiliaryLosses().attach(model)
    scores = model.score(tokens, tokens)
    if scores.requires_grad:
        scores.sum().backward()
    with remedied("copy.deepcopy(model)", "keep no tensor of a pass on a module, and nothing that cannot be copied"):
        twin = copy.deepcopy(model)
    found, expected = (_passed(subject, each)[0] for each in (twin, model))
    require_same(found, expected, "a copy's logits, and the model's", "let deepcopy copy all that forward reads")


@check()
def tables(subject: Subject) -> None:
    """What a checkpoint stores of a model brings it back in another instance, through safetensors."""
    model, other = subject.model(), subject.model(seed=1, counted=False)
    own = "give every table storage of its own (clone it), as a tensor: safetensors takes nothing else"
    with remedied("saving what tables gives", own):
        stored = load(save({name: table.contiguous() for name, table in model.tables().items()}))
    with remedied("load_tables of what tables gave", "let load_tables take everything that tables gives"):
        other.load_tables({name: table.to(str(subject.device)) for name, table in stored.items()})
    tokens = subject.tokens(2, min(70, subject.longest(model)))
    keep = "make what the model needs a parameter or a persistent buffer, or put it into tables and load_tables"
    found, expected = (each.score(tokens[:, :-1], tokens[:, 1:]) for each in (other, model))
    require_same(found, expected, "scores after load_tables, and before", keep)


@check("gradient")
def meta(subject: Subject) -> None:
    """The full-size model runs on the meta device, as costs need it: no tensor stands on a device of its own."""
    anywhere = "make every tensor where the others are (x.new_zeros(…), parameter.new_zeros(…), device=x.device), "
    anywhere += "compute constants with math instead of .item(), and take a balanced path `if x.is_meta` where code "
    anywhere += "depends on the data"
    for name, (config, length) in subject.whole.items():
        task = task_of_length(subject.task, length)
        with remedied(name, anywhere, word="meta"):
            with torch.device("meta"):
                model: Any = subject.architecture.make(config.model_copy(deep=True), task)
            weights = itertools.chain(model.named_parameters(), model.named_buffers())
            stray = [path for path, tensor in weights if not tensor.is_meta]
            make = "make parameters with torch's factories and no device of their own"
            require(not stray, f"{name}: built on meta, {', '.join(stray[:3])} stands elsewhere", make)
            T = min(model.reach or length, 20)
            tokens = torch.zeros(2, T, dtype=torch.long, device="meta")
            with torch.enable_grad():
                torch.autograd.backward(model.score(tokens, tokens).sum())
            if not model.causal:
                continue
            state = model.start(2)
            place = "make the state with new_zeros of a parameter, so that it lies where the model is"
            require(_all_meta(state), f"{name}: start is not on the model's device", place)
            if T > 1:
                _, state = model.extend(tokens[:, 1:], state)
            _, state = model.step(tokens[:, 0], state)
            require(_all_meta(state), f"{name}: the state left the model's device", place)


@check("counting")
def slices(subject: Subject) -> None:
    """Counting a text in two unequal slices is counting it at once."""
    text = subject.text()
    whole, parts = subject.model(), subject.model(counted=False)
    parts.count(text[:1301])
    parts.count(text[1301:])
    tokens = subject.tokens(4, min(70, subject.longest(whole)))
    seam = "count over the seam too: keep the last tokens of a slice, and add to the counts instead of replacing them"
    found, expected = (each.score(tokens[:, :-1], tokens[:, 1:]) for each in (parts, whole))
    require_same(found, expected, "scores after counting two slices, and after counting once", seam)
    again = whole.score(tokens[:, :-1], tokens[:, 1:])
    still = "let score read the tables only: no draws, no changes"
    require(torch.equal(again, expected), "scoring the same tokens twice gives different numbers", still)


@check("counting")
def counting_on(subject: Subject) -> None:
    """Counting on makes new tables: a copy that the lab took before, which shares them, stays as it was."""
    model, text = subject.model(counted=False), subject.text()
    model.count(text[:1301])
    twin = instance_of(model)
    tokens = subject.tokens(4, min(70, subject.longest(model)))
    before = twin.score(tokens[:, :-1], tokens[:, 1:]).clone()
    stored = {name: table.clone() for name, table in model.tables().items()}
    held = model.tables()
    model.count(text[1301:])
    anew = "never write a table in place: self.pairs = self.pairs + new instead of self.pairs += new"
    same = all(torch.equal(held[name], table) for name, table in stored.items())
    require(same, "counting on changes the tables that were given out before", anew)
    after = twin.score(tokens[:, :-1], tokens[:, 1:])
    require_same(after, before, "scores of a copy after the model counted on, and before", anew)


@check("counting")
def normalised(subject: Subject) -> None:
    """The probabilities of all symbols sum to 1 at every position."""
    model, V = subject.model(), subject.task.vocabulary_size
    T = min(30, subject.longest(model))
    tokens = subject.tokens(1, T).expand(V, T)
    targets = torch.arange(V, device=tokens.device)[:, None].expand(V, T)
    total = model.score(tokens, targets).double().exp().sum(dim=0)
    error, at = (total - 1).abs().max(dim=0)
    weigh = "look at discounts and back-off weights: what is taken from seen symbols must go to the others"
    require(error.item() < 1e-6, f"at position {at.item()} they sum to {total[at].item():.6f}", weigh)


def change_to_another(config: ModelConfig, setting: Setting) -> bool:
    """Sets a live field to another value that it allows; whether one was found."""
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


def _passed(subject: Subject, model: Any) -> tuple[Tensor, list[tuple[str, Tensor, float]]]:
    """Logits and scores, and the auxiliary losses of scoring, always drawn from one seed."""
    listener = AuxiliaryLosses().attach(model)
    tokens = subject.tokens(2, min(LENGTH, subject.longest(model)))
    torch.manual_seed(1)
    scores = model.score(tokens, tokens)
    return torch.cat([model(tokens).flatten(), scores.flatten()]), listener.take()


def _all_meta(state: State) -> bool:
    with contextlib.suppress(TypeError):  # no plain data: the check of states tells
        return all(tensor.is_meta for tensor in tensors_of(state))
    return True
