"""Checks of reading: the forms agree, nothing leaks from the future, states are plain and never written in place."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lab.api import NotCausal, State, select_state, tensors_of
from lab.testing.check import check, require, require_same, tolerance
from lab.testing.subject import Subject

FORMS = "make forward, extend and step compute the same: look at what the state carries from piece to piece"


@check("causal", remedy=FORMS)
def pieces(subject: Subject) -> None:
    """Forward, extend in unequal pieces and one step per token agree, beyond two chunks of 64."""
    model = subject.model()
    T = subject.length(model)
    for length in sorted({1, T, subject.longest(model)}):
        tokens = subject.tokens(2, length)
        whole = model(tokens)
        found, _ = read(model, tokens, model.start(2))
        require_same(found, whole, f"extend and forward over {length} tokens", FORMS)
        found, _ = read(model, tokens, model.start(2), sizes=(7, 13, length))
        lost = f"{FORMS}, and what it carries across the borders of chunks inside extend"
        require_same(found, whole, f"extend in pieces of 7, 13 and the rest, and forward, over {length} tokens", lost)
        if length <= T:
            found, _ = read(model, tokens, model.start(2), sizes=(0,) * length)
            require_same(found, whole, f"one step per token, and forward, over {length} tokens", FORMS)


@check("causal", remedy="take the argument `last` in extend, and give the logits of the last so many positions")
def last(subject: Subject) -> None:
    """`extend(tokens, state, last=n)` gives the last n positions of what extend gives."""
    model = subject.model()
    tokens = subject.tokens(2, min(20, subject.longest(model)))
    logits, state = model.extend(tokens[:, :-6], model.start(2))
    cut, _ = model.extend(tokens[:, :-6], model.start(2), last=3)
    only = "cut the logits, not the tokens: logits[:, -last:]"
    require_same(cut, logits[:, -3:], "extend from the start with last=3, and the tail of extend", only)
    logits, after = model.extend(tokens[:, -6:-1], state)
    cut, after_cut = model.extend(tokens[:, -6:-1], state, last=1)
    require_same(cut, logits[:, -1:], "extend with last=1, and the tail of extend", only)
    same = model.step(tokens[:, -1], after)[0], model.step(tokens[:, -1], after_cut)[0]
    require_same(
        same[1], same[0], "the step after extend with and without last=1", "keep the whole state, whatever last"
    )


@check("causal", remedy=FORMS)
def greedy(subject: Subject) -> None:
    """Greedy decoding gives the same text by forward, by steps, and by extend and steps."""
    model = subject.model()
    count = min(30, subject.longest(model) - 1)
    prompt = subject.tokens(2, max(1, count // 4))
    slow = prompt
    while slow.shape[1] < count:
        slow = torch.cat([slow, model(slow)[:, -1].argmax(-1, keepdim=True)], dim=1)
    for name, sizes in (("one step per token", (0,) * prompt.shape[1]), ("extend over the prompt", (prompt.shape[1],))):
        logits, state = read(model, prompt, model.start(2), sizes)
        text, best = prompt, logits[:, -1].argmax(-1)
        while text.shape[1] < count:
            text = torch.cat([text, best[:, None]], dim=1)
            logits, state = model.step(best, state)
            best = logits.argmax(-1)
        at = int((text != slow).any(dim=0).nonzero()[0]) if not torch.equal(text, slow) else -1
        require(at < 0, f"greedy text by {name} leaves that by forward at token {at}", FORMS)


@check("causal", remedy="read positions up to t alone at position t")
def causality(subject: Subject) -> None:
    """Another token at t changes nothing before t, and something from t on, in evaluation."""
    _no_leak(subject, subject.model())


@check("causal", "gradient", remedy="read positions up to t alone at position t, in training too")
def causality_in_training(subject: Subject) -> None:
    """Another token at t changes nothing before t, and something from t on, in training without dropout."""
    model = subject.model(training=True)
    _no_leak(subject, model, in_training=True)


@check(remedy="compute each row by itself: no statistics, capacities or sorting over the batch")
def rows(subject: Subject) -> None:
    """A row alone gives what it gives in its batch."""
    model = subject.model()
    tokens = subject.tokens(3, min(70, subject.longest(model)))
    together = model(tokens)
    for row in range(3):
        alone = model(tokens[row : row + 1])
        apart = "compute each row by itself: no statistics, capacities or sorting over the batch"
        require_same(alone, together[row : row + 1], f"row {row} alone and in its batch of 3", apart)


@check(
    "causal", remedy="return a new state from extend and step; plain tensors, ints, None, tuples, lists, dicts of them"
)
def purity(subject: Subject) -> None:
    """Branches from one state do not disturb each other: a state is never written in place."""
    model = subject.model()
    pure = (
        "never write into a state: build the new one with torch.cat, where or arithmetic, without _ at its end or [:] ="
    )
    for form, size in (("step", 0), ("extend", 3)):
        n = size or 1
        prefix, a, b, c = torch.split(subject.tokens(2, 9 + 3 * n), [9, n, n, n], dim=1)
        _, state = read(model, prefix, model.start(2))
        first, after = read(model, a, state, (size,))
        read(model, b, state, (size,))
        onward, _ = read(model, c, after, (size,))
        again, _ = read(model, a, state, (size,))
        truth = model(torch.cat([prefix, a, c], dim=1))[:, 9:]
        require_same(again, first, f"{form} twice from one state", pure)
        require_same(onward, truth[:, n:], f"{form} on from a branch, after another branch of the same state", pure)


@check(
    "causal",
    remedy="keep the state as tensors with the batch first, ints and None, in tuples, lists and dicts: no dataclass, "
    "no object, no float, and nn.LSTM's (layers, batch, channels) transposed",
)
def state(subject: Subject) -> None:
    """The state is plain data with the batch first, keeps its type, and its rows can be picked and repeated."""
    model = subject.model()
    tokens = subject.tokens(3, 12)
    start = model.start(3)
    _, before = read(model, tokens[:, :8], start)
    _, after = read(model, tokens[:, 8:9], before, (0,))
    for when, held in (("start", start), ("extend", before), ("step", after)):
        for tensor in tensors_of(held):
            first = "put the batch first in every tensor of the state (transpose what has it elsewhere)"
            good = tensor.ndim > 0 and tensor.shape[0] == 3
            require(good, f"a state tensor after {when} of 3 rows is {tuple(tensor.shape)}", first)
    types = [[tensor.dtype for tensor in tensors_of(held)] for held in (start, before, after)]
    keep = "make start in the type that step and extend return (new_zeros of a parameter), and keep that type"
    for later in types[1:]:
        changed = [pair for pair in zip(types[0], later, strict=False) if pair[0] != pair[1]]
        require(
            not changed,
            f"the state begins as {changed and changed[0][0]} and becomes {changed and changed[0][1]}",
            keep,
        )
    picked = torch.tensor([2, 0, 0, 1, 2], device=tokens.device)
    truth = model(tokens[picked])[:, -1:]
    keep = "hold everything a row needs in tensors of the state, the batch first in each"
    for sizes in ((0, 0, 0, 0), (4,)):
        found, _ = read(model, tokens[picked, 8:], select_state(before, picked), sizes)
        require_same(found[:, -1:], truth, "reading on after picking rows 2, 0, 0, 1, 2 of a state of 3", keep)


@check("bidirectional", remedy="raise lab.api.NotCausal in start when self.causal is False")
def no_decoding(subject: Subject) -> None:
    """A model that reads the future says so when it is asked to decode."""
    try:
        subject.model().start(2)
    except NotCausal:
        return
    require(False, "start gives a state", "raise lab.api.NotCausal in start when self.causal is False")


@check("bidirectional", remedy="read both directions where task.causal is False")
def future(subject: Subject) -> None:
    """With task.causal False, some position does read later ones."""
    model = subject.model()
    tokens = subject.tokens(1, min(32, subject.longest(model)))
    T = tokens.shape[1]
    difference = (
        (model(changed(tokens.expand(T, T), subject)) - model(tokens.expand(T, T))).abs().amax(dim=-1)
    )  # (T, T)
    wide = "hand slot.causal or task.causal on to whatever masks the future"
    require(difference.tril(-1).max().item() > 1e-8, "no position changes with a later token", wide)


def read(model: Any, tokens: Tensor, state: State, sizes: tuple[int, ...] = ()) -> tuple[Tensor, State]:
    """Logits (B, T, V) of reading tokens on from a state: by one extend, or in pieces of these sizes, 0 for a step."""
    logits, at = [], 0
    for size in sizes or (tokens.shape[1],):
        if at == tokens.shape[1]:
            break
        if size == 0:
            one, state = model.step(tokens[:, at], state)
            logits.append(one[:, None])
            at += 1
        else:
            more, state = model.extend(tokens[:, at : at + size], state)
            logits.append(more)
            at = min(at + size, tokens.shape[1])
    return torch.cat(logits, dim=1), state


def changed(tokens: Tensor, subject: Subject) -> Tensor:
    """Row t of (T, T) tokens with another token at position t."""
    others = tokens.clone()
    others.diagonal().copy_((tokens.diagonal() + 1) % subject.task.vocabulary_size)
    return others


def _no_leak(subject: Subject, model: Any, *, in_training: bool = False) -> None:
    T = subject.length(model)
    tokens = subject.tokens(1, T).expand(T, T)
    torch.manual_seed(1)
    plain = model(tokens)
    torch.manual_seed(1)
    other = model(changed(tokens, subject))
    limit = tolerance(other, plain)
    difference = (other - plain).abs().amax(dim=-1)  # (token changed, position read)
    leaks = ~(difference.tril(-1) <= limit)
    if leaks.any():
        at, position = leaks.nonzero()[0].tolist()
        size = difference[at, position].item()
        mask = "mask or shift so that position t reads positions up to t"
        batch = f"{mask}, and normalise or route over nothing that holds later tokens (BatchNorm, capacities)"
        measured = f"position {position} changes by {size:.2g} with the token at {at}, which comes later"
        require(False, measured, batch if in_training else mask)
    silent = (difference.triu().amax(dim=1) <= limit).nonzero().flatten().tolist()
    heard = not silent or (model.learns == "counting" and len(silent) < T)
    listen = "let every token reach its own position or a later one: it is masked, shifted out or left out"
    require(heard, f"nothing changes with the token at position {silent and silent[0]}", listen)
