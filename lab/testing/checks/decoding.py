"""Checks of reading: the forms agree, nothing leaks from the future, states are plain and never changed in place."""

from __future__ import annotations

import inspect
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import NotCausal, State, select_state, tensors_of
from lab.diagnostics.causality import first_leak
from lab.layers.reports import Derives
from lab.testing.check import (
    check,
    remedied,
    require,
    require_finite,
    require_same,
    require_shape,
    tolerance,
)
from lab.testing.model_case import CONTEXT, LENGTH, ModelCase

FORMS = "make forward, extend and step compute the same: check what the state carries from piece to piece"
DERIVED = (
    "the lab derives start, extend and step from forward over the last `history` inputs: `history` is too short, or "
    "forward reads absolute positions or how many tokens there are, or a channel mixer reads other tokens than its own"
)


@check("causal")
def causality(case: ModelCase) -> None:
    """Another token at t changes nothing before t, and something from t on, in evaluation."""
    _no_leak(case, case.model())


@check("causal", "gradient")
def causality_in_training(case: ModelCase) -> None:
    """Another token at t changes nothing before t, and something from t on, in training without dropout."""
    model = case.model(training=True)
    _no_leak(case, model, in_training=True)


@check("bidirectional")
def future(case: ModelCase) -> None:
    """With task.causal False, at least one position reads later ones."""
    model = case.model()
    tokens = case.tokens(1, min(32, case.longest(model)))
    T = tokens.shape[1]
    others = changed(tokens, torch.arange(T, device=tokens.device), case)
    difference = (model(others) - model(tokens.expand(T, T))).abs().amax(dim=-1)  # (T, T)
    remedy = "pass slot.causal or task.causal to the code that masks the future"
    require(difference.tril(-1).max().item() > 1e-8, "no position changes with a later token", remedy)


@check("bidirectional")
def padding(case: ModelCase) -> None:
    """Forward takes the mask of padded rows, and a row without padding reads the same with it and without it."""
    model = case.model()
    tokens = case.tokens(2, min(32, case.longest(model)))
    remedy = (
        "write mask=None in the signature of forward: (B, T) bool, False behind the end of a row, None for no padding"
    )
    with remedied("forward with a mask", remedy):
        found = model(tokens, mask=torch.ones_like(tokens, dtype=torch.bool))
    require_same(found, model(tokens), "logits of rows without padding, with a mask and without it", remedy)


@check("bidirectional")
def no_decoding(case: ModelCase) -> None:
    """A model that reads the future raises NotCausal when it is used for decoding."""
    try:
        case.model().start(2)
    except NotCausal:
        return
    require(False, "start returns a state", "raise lab.api.NotCausal in start when self.causal is False")


@check()
def context(case: ModelCase) -> None:
    """One token can be read, the full context, and more than that if the model has no reach."""
    model, V = case.model(), case.task.vocabulary_size
    longest = case.longest(model)
    for length in [1, longest] + ([longest + 9] if model.reach is None else []):
        what = f"forward of {length} tokens"
        many = "set `reach` to the largest number of positions that can be read, or support any number"
        with remedied(what, many if length > 1 else "read a single token too"):
            logits = model(case.tokens(2, length))
        require_shape(logits, what, "(B, T, V)", (2, length, V))
        require_finite(logits, what)


@check()
def rows(case: ModelCase) -> None:
    """A row alone gives the same result as in its batch."""
    model = case.model()
    tokens = case.tokens(3, min(70, case.longest(model)))
    together = model(tokens)
    for row in range(3):
        alone = model(tokens[row : row + 1])
        remedy = "compute each row by itself: no statistics, capacities or sorting over the batch"
        require_same(alone, together[row : row + 1], f"row {row} alone and in its batch of 3", remedy)


@check("causal", after="causality")
def history(case: ModelCase) -> None:
    """No token further back than `history` has an effect, in the model or in a mixer with its own `history`."""
    for loud in (False, True):
        model = case.model(loud=loud)
        limited = {
            name: module
            for name, module in model.named_modules()
            if getattr(module, "history", None) is not None and (module is model or _is_forward_alone(module))
        }
        if not limited:
            return
        reach = min(model.reach or 4 * CONTEXT, 4 * CONTEXT)
        tokens = case.tokens(1, min(reach, max(LENGTH, *(module.history + 33 for module in limited.values()))))
        inputs = _inputs(model, limited, tokens)
        others = _inputs(model, limited, (tokens + 1) % case.task.vocabulary_size)
        for name in inputs:
            _reads_no_further(limited[name], name, inputs[name], others[name])


@check("causal", after="history")
def pieces(case: ModelCase) -> None:
    """Forward, extend in unequal pieces and one step per token agree, beyond two chunks of 64."""
    model = case.model()
    T = case.length(model)
    for length in sorted({1, T, case.longest(model)}):
        tokens = case.tokens(2, length)
        whole = model(tokens)
        found, _ = read(model, tokens, model.start(2))
        require_same(found, whole, f"extend and forward over {length} tokens", _forms(model))
        found, _ = read(model, tokens, model.start(2), sizes=(7, 13, length))
        remedy = _forms(model, f"{FORMS}, and what it carries across the borders of chunks inside extend")
        require_same(found, whole, f"extend in pieces of 7, 13 and the rest, and forward, over {length} tokens", remedy)
        if length <= T:
            found, _ = read(model, tokens, model.start(2), sizes=(0,) * length)
            require_same(found, whole, f"one step per token, and forward, over {length} tokens", _forms(model))


@check("causal", after="pieces")
def purity(case: ModelCase) -> None:
    """Branches from one state do not disturb each other: a state is never changed in place."""
    model = case.model()
    remedy = (
        "never write into a state: build a new one with torch.cat, where or arithmetic, without in-place methods or "
        "[:] ="
    )
    remedy = _forms(model, remedy)
    for form, size in (("step", 0), ("extend", 3)):
        n = size or 1
        prefix, a, b, c = torch.split(case.tokens(2, 9 + 3 * n), [9, n, n, n], dim=1)
        _, state = read(model, prefix, model.start(2))
        first, after = read(model, a, state, (size,))
        read(model, b, state, (size,))
        onward, _ = read(model, c, after, (size,))
        again, _ = read(model, a, state, (size,))
        truth = model(torch.cat([prefix, a, c], dim=1))[:, 9:]
        require_same(again, first, f"{form} twice from one state", remedy)
        require_same(onward, truth[:, n:], f"{form} on from a branch, after another branch of the same state", remedy)


@check("causal", after="pieces")
def state(case: ModelCase) -> None:
    """The state is plain data with the batch axis first, keeps its dtype, and its rows can be selected and repeated."""
    model = case.model()
    tokens = case.tokens(3, 12)
    start = model.start(3)
    _, before = read(model, tokens[:, :8], start)
    _, after = read(model, tokens[:, 8:9], before, (0,))
    for when, held in (("start", start), ("extend", before), ("step", after)):
        for tensor in tensors_of(held):
            remedy = "put the batch first in every tensor of the state (transpose tensors that have it elsewhere)"
            good = tensor.ndim > 0 and tensor.shape[0] == 3
            require(good, f"a state tensor after {when} of 3 rows is {tuple(tensor.shape)}", remedy)
    types = [[tensor.dtype for tensor in tensors_of(held)] for held in (start, before, after)]
    remedy = "let start return the dtype that step and extend return (new_zeros of a parameter), and keep that dtype"
    for later in types[1:]:
        changed = [pair for pair in zip(types[0], later, strict=False) if pair[0] != pair[1]]
        require(
            not changed,
            f"the state begins as {changed and changed[0][0]} and becomes {changed and changed[0][1]}",
            remedy,
        )
    picked = torch.tensor([2, 0, 0, 1, 2], device=tokens.device)
    truth = model(tokens[picked])[:, -1:]
    remedy = _forms(model, "store everything that a row needs in tensors of the state, each with the batch first")
    for sizes in ((0, 0, 0, 0), (4,)):
        found, _ = read(model, tokens[picked, 8:], select_state(before, picked), sizes)
        require_same(found[:, -1:], truth, "reading on after picking rows 2, 0, 0, 1, 2 of a state of 3", remedy)


@check("causal")
def last(case: ModelCase) -> None:
    """`extend(tokens, state, last=n)` returns the last n positions of the result of extend."""
    model = case.model()
    given = inspect.signature(model.extend).parameters
    require("last" in given, "extend has no such argument", "write extend(self, tokens, state, last=None)")
    tokens = case.tokens(2, min(20, case.longest(model)))
    logits, state = model.extend(tokens[:, :-6], model.start(2))
    cut, _ = model.extend(tokens[:, :-6], model.start(2), last=3)
    remedy = "cut the logits, not the tokens: logits[:, -last:]"
    require_same(cut, logits[:, -3:], "extend from the start with last=3, and the tail of extend", remedy)
    logits, after = model.extend(tokens[:, -6:-1], state)
    cut, after_cut = model.extend(tokens[:, -6:-1], state, last=1)
    require_same(cut, logits[:, -1:], "extend with last=1, and the tail of extend", remedy)
    same = model.step(tokens[:, -1], after)[0], model.step(tokens[:, -1], after_cut)[0]
    require_same(
        same[1], same[0], "the step after extend with and without last=1", "return the full state for any last"
    )


@check("causal", after="history")
def greedy(case: ModelCase) -> None:
    """Greedy decoding gives the same text by forward, by steps, and by extend and steps."""
    model = case.model()
    count = min(30, case.longest(model) - 1)
    prompt = case.tokens(2, max(1, count // 4))
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
        differs_at = int((text != slow).any(dim=0).nonzero()[0]) if not torch.equal(text, slow) else -1
        require(differs_at < 0, f"greedy text by {name} leaves that by forward at token {differs_at}", _forms(model))


def read(model: Any, tokens: Tensor, state: State, sizes: tuple[int, ...] = ()) -> tuple[Tensor, State]:
    """Return logits (B, T, V) of tokens after a state: by one extend, or in pieces of these sizes, 0 for a step."""
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


def changed(tokens: Tensor, positions: Tensor, case: ModelCase) -> Tensor:
    """Return tokens (N, T) in which row n has another token than `tokens` (1, T) at position n of `positions` (N,)."""
    others = tokens.repeat(len(positions), 1)
    rows = torch.arange(len(positions), device=tokens.device)
    others[rows, positions] = (others[rows, positions] + 1) % case.task.vocabulary_size
    return others


def positions_to_change(length: int, device: Any) -> Tensor:
    """Return the positions (N,) that are changed in training: the first 34, those around multiples of 16, and the end.

    All of them, as in evaluation, take three times as long; what differs in training are statistics over all tokens,
    which leak at any position, and chunks, whose sizes are multiples of 16.
    """
    positions = [t for t in range(length) if t < 34 or (t + 1) % 16 < 3 or t >= length - 2]
    return torch.tensor(positions, device=device)


def _is_forward_alone(module: Any) -> bool:
    """Return True if the author wrote `forward` and no state."""
    return isinstance(module, Derives) and not (module.writes("extend") or module.writes("step"))


def _forms(model: Any, otherwise: str = FORMS) -> str:
    """Return the remedy if the forms differ; it leaves out extend and step if only the lab wrote them."""
    parts = [part for part in model.modules() if isinstance(part, Derives)]
    written = [getattr(type(part), form).__module__ for part in parts for form in ("extend", "step")]
    return DERIVED if all(module.startswith("lab.layers.") for module in written) else otherwise


def _inputs(model: nn.Module, modules: dict[str, Any], tokens: Tensor) -> dict[str, Tensor]:
    """Return the input of each of these modules for these tokens."""
    inputs: dict[str, Tensor] = {}
    hooks = [
        module.register_forward_pre_hook(lambda _, given, name=name: inputs.setdefault(name, given[0]))
        for name, module in modules.items()
    ]
    model(tokens)
    for hook in hooks:
        hook.remove()
    return inputs


def _reads_no_further(module: Any, name: str, inputs: Tensor, others: Tensor) -> None:
    """Raise Broken if an input more than `history` back changes an output; `others` are other inputs (1, T, …)."""
    history, T = module.history, inputs.shape[1]
    if history + 2 > T:
        return
    at = torch.arange(0, T - history - 1, 1 + (T - history) // 16)  # the index of the changed input in each row
    rows = inputs.repeat_interleave(len(at), dim=0)
    replaced = rows.clone()
    replaced[range(len(at)), at] = others[0, at]
    plain, found = module(rows), module(replaced)
    rounding = max((plain - plain[:1]).abs().max().item(), 1e-4 * tolerance(plain, plain))
    back = torch.arange(T, device=plain.device) - at[:, None].to(plain.device)  # (row, position)
    further = ((found - plain).abs().amax(dim=-1) > rounding) & (back > history)
    name_of, what = (f"{name}.history", "its outputs") if name else ("history", "logits")
    remedy = "history = the number of tokens before the one being read that can change its output "
    remedy += "(receptive field − 1)"
    far = int(back[further].max()) if further.any() else 0
    require(not far, f"{name_of} = {history}, but {what} at a position change with the token {far} before it", remedy)
    if _is_forward_alone(module) and plain.isfinite().all():
        short, long = module(inputs[:, -history - 1 :])[0, -1], plain[0, -1]
        compared = f"{name_of} = {history}, but forward of the last {history + 1} inputs and of all {T} end differently"
        require_same(short, long, compared, f"{remedy}, and read no absolute positions in forward")


def _no_leak(case: ModelCase, model: Any, *, in_training: bool = False) -> None:
    T = case.length(model)
    tokens = case.tokens(1, T)
    every = torch.arange(T, device=tokens.device)
    positions = positions_to_change(T, tokens.device) if in_training else every  # (N,)
    torch.default_generator.manual_seed(1)
    plain = model(tokens.expand(len(positions), T))
    torch.default_generator.manual_seed(1)
    other = model(changed(tokens, positions, case))
    limit = tolerance(other, plain)
    difference = (other - plain).abs().amax(dim=-1)  # (N, T): changed token, position that reads
    leak = first_leak(difference, positions, limit)
    if leak is not None:
        mask = "mask or shift so that position t reads positions up to t"
        batch = f"{mask}, and do not normalise or route over later tokens (BatchNorm, capacities)"
        measured = f"position {leak.position} changes by {leak.size:.2g} with the later token at {leak.later}"
        require(False, measured, batch if in_training else mask)
    onward = difference.masked_fill(every < positions[:, None], 0).amax(dim=1)
    silent = positions[onward <= limit].tolist()
    alone = model.history == 0  # counts of single tokens are the same after every text
    noticed = not silent or (model.learns == "counting" and (alone or len(silent) < len(positions)))
    remedy = "let every token affect its own position or a later one: this one is masked, shifted out or left out"
    require(noticed, f"nothing changes with the token at position {silent and silent[0]}", remedy)
