"""Checks of models that classify, predict numbers, read a source and write, or match texts and images."""

from __future__ import annotations

from typing import Any

import torch
from safetensors.torch import load, save
from torch import Tensor

from lab.api import map_state, select_state, tensors_of
from lab.diagnostics.cost import blueprint
from lab.testing.check import check, remedied, require, require_finite, require_same, require_shape
from lab.testing.checks.decoding import read
from lab.testing.model_case import ModelCase, task_of_length

LENGTH = 12
"""Tokens of what is labelled, or of the source."""

MASK = (
    "read no position where the mask is False: pass it to attention (a TokenMixer with reads_mask = True gets it), and "
    "leave it out of means"
)


def call(model: Any, inputs: dict[str, Tensor]) -> Tensor:
    """Return the output of a model for inputs by name."""
    given = dict(inputs)
    outputs: Tensor = model(given.pop("tokens"), **given)
    return outputs


def length_of(case: ModelCase, model: Any) -> int:
    """Return how many tokens are read."""
    return min(LENGTH, case.longest(model))


def picked(inputs: dict[str, Tensor], rows: Tensor) -> dict[str, Tensor]:
    """Return some rows of inputs, in their order."""
    return {name: tensor[rows] for name, tensor in inputs.items()}


def padded(inputs: dict[str, Tensor], names: tuple[str, str], more: int) -> dict[str, Tensor]:
    """Return inputs with more padding, and with other symbols in it.

    Args:
        inputs: The inputs.
        names: The names of the tokens and of their mask.
        more: Further positions.
    """
    tokens, mask = (inputs[name] for name in names)
    tokens = torch.where(mask, tokens, 1)
    tail = tokens.new_ones(len(tokens), more)
    return {**inputs, names[0]: torch.cat([tokens, tail], 1), names[1]: torch.cat([mask, tail < 0], 1)}


# ---- labels


@check("labels", after="build")
def label_shape(case: ModelCase) -> None:
    """Forward returns one row of outputs for each input, or for each token if every token has a class."""
    model = case.model()
    outputs, T = case.task.classes or case.task.outputs or 0, length_of(case, model)
    logits = call(model, case.inputs(3, T))
    by_token = case.task.by_token
    shape = (3, T, outputs) if by_token else (3, outputs)
    require_shape(logits, "forward", "(B, T, classes)" if by_token else "(B, outputs)", shape)
    require_finite(logits, "forward")


@check("labels", after="label-shape")
def label_padding(case: ModelCase) -> None:
    """Padding behind the end of a row has no effect on its outputs, however long it is and whatever is in it."""
    model = case.model()
    inputs = case.inputs(3, length_of(case, model))
    more = min(5, case.longest(model) - LENGTH)
    if "mask" not in inputs or more < 1:
        return
    found, expected = call(model, padded(inputs, ("tokens", "mask"), more)), call(model, inputs)
    if case.task.by_token:
        found, expected = found[:, : expected.shape[1]][inputs["mask"]], expected[inputs["mask"]]
    require_same(found, expected, f"outputs with {more} more positions of padding, and without them", MASK)


@check("labels", after="label-shape")
def label_mask(case: ModelCase) -> None:
    """The mask may be absent: nothing is padding then."""
    model = case.model()
    _without(model, case.inputs(1, length_of(case, model)), "mask")


@check("labels", after="label-shape")
def label_rows(case: ModelCase) -> None:
    """The outputs of a row do not depend on the other rows, nor on their order."""
    model = case.model()
    inputs, order = case.inputs(4, length_of(case, model)), torch.tensor([2, 0, 3, 1])
    together = call(model, inputs)
    remedy = "compute each row by itself: no statistics, capacities or sorting over the batch"
    require_same(call(model, picked(inputs, order)), together[order], "rows in another order, and as they were", remedy)
    for row in range(2):
        alone = call(model, picked(inputs, torch.tensor([row])))
        require_same(alone, together[row : row + 1], f"row {row} alone, and in its batch of 4", remedy)


@check("labels", "gradient", after="label-shape")
def label_gradients(case: ModelCase) -> None:
    """Every trained parameter gets a finite, nonzero gradient from a few rows."""
    model = case.model(training=True)
    _gradients(model, case.inputs(6, case.length(model)))


@check("labels", after="label-shape")
def label_tables(case: ModelCase) -> None:
    """A checkpoint restores the model in another instance, through safetensors."""
    _restores(case, case.inputs(2, length_of(case, case.model())))


@check("labels", "gradient", after="label-shape")
def label_meta(case: ModelCase) -> None:
    """The full-size model runs on the meta device, which counting costs needs: no tensor is on another device."""
    _runs_on_meta(case)


# ---- a source


@check("source", after="build")
def source_shape(case: ModelCase) -> None:
    """Forward and extend return (B, T, V), step (B, V), with any number of tokens of source and target."""
    model, V = case.model(), case.task.vocabulary_size
    inputs = case.inputs(3, length_of(case, model))
    logits = call(model, {**inputs, "tokens": inputs["tokens"][:, :7]})
    require_shape(logits, "forward", "(B, T, V)", (3, 7, V))
    require_finite(logits, "forward")
    logits, state = model.extend(inputs["tokens"][:, :5], _started(model, inputs), last=2)
    require_shape(logits, "extend with last=2", "(B, 2, V)", (3, 2, V))
    logits, _ = model.step(inputs["tokens"][:, 5], state)
    require_shape(logits, "step", "(B, V)", (3, V))


@check("source", after="source-shape")
def source_forms(case: ModelCase) -> None:
    """Forward, extend in unequal pieces and one step per token agree, all with the same source."""
    model = case.model()
    inputs = case.inputs(3, length_of(case, model))
    tokens, whole = inputs["tokens"], call(model, inputs)
    remedy = "make forward, extend and step compute the same, and store what they read of the source in the state"
    for how, sizes in (("extend", ()), ("extend in pieces", (5, 1, 100)), ("steps", (0,) * tokens.shape[1])):
        found, _ = read(model, tokens, _started(model, inputs), sizes)
        require_same(found, whole, f"{how}, and forward", remedy)


@check("source", after="source-shape")
def source_causality(case: ModelCase) -> None:
    """No position of the target reads a later one."""
    model = case.model()
    inputs = case.inputs(2, length_of(case, model))
    others = inputs["tokens"].clone()
    others[:, 6:] = (others[:, 6:] + 1) % case.task.vocabulary_size
    found, expected = call(model, {**inputs, "tokens": others}), call(model, inputs)
    remedy = "mask or shift the target so that position t reads positions up to t"
    require_same(found[:, :6], expected[:, :6], "logits before other tokens, and before the right ones", remedy)


@check("source", after="source-shape")
def source_read(case: ModelCase) -> None:
    """Another source changes the logits of every position."""
    model = case.model()
    inputs = case.inputs(2, length_of(case, model))
    other = {**case.inputs(2, length_of(case, model), seed=5), "tokens": inputs["tokens"]}
    change = (call(model, other) - call(model, inputs)).abs().amax(dim=-1)
    remedy = "let every position of the target read the source, as by lab.layers.CrossAttention"
    require(change.min().item() > 1e-8, "a position has the same logits with another source", remedy)


@check("source", after="source-shape")
def source_padding(case: ModelCase) -> None:
    """Padding of the source has no effect, however long it is and whatever is in it."""
    model = case.model()
    inputs = case.inputs(3, length_of(case, model))
    more = min(5, case.longest(model) - LENGTH)
    if "source_mask" not in inputs or more < 1:
        return
    longer, expected = padded(inputs, ("source", "source_mask"), more), call(model, inputs)
    require_same(call(model, longer), expected, f"logits with {more} more positions of padding, and without", MASK)
    found, _ = read(model, inputs["tokens"], _started(model, longer), (3, 0, 100))
    require_same(found, expected, "logits of extend and step with more padding, and of forward without", MASK)


@check("source", after="source-shape")
def source_mask(case: ModelCase) -> None:
    """The mask of the source may be absent: nothing is padding then."""
    model = case.model()
    _without(model, case.inputs(1, length_of(case, model)), "source_mask")


@check("source", after="source-forms")
def source_once(case: ModelCase) -> None:
    """The source is read by `start` alone: changing it afterwards has no effect, nor does deleting the encoder."""
    model = case.model()
    inputs = case.inputs(2, length_of(case, model))
    expected = call(model, inputs)
    own = {name: tensor.clone() for name, tensor in inputs.items()}
    state = _started(model, own)
    own["source"].zero_()
    if getattr(model, "encode", None) is not None:
        model.encode = _not_again
    remedy = "let start read the source, and store keys and values of it in the state"
    with remedied("extend or step", remedy, text="again"):
        found, _ = read(model, inputs["tokens"], state, (4, 0, 100))
    require_same(found, expected, "logits after the source was overwritten, and before", remedy)


@check("source", after="source-forms")
def source_state(case: ModelCase) -> None:
    """The state is plain data with the batch first; its rows can be selected, and it is never changed in place."""
    model = case.model()
    inputs = case.inputs(3, length_of(case, model))
    tokens, rows = inputs["tokens"], torch.tensor([2, 0, 0])
    _, state = read(model, tokens[:, :6], _started(model, inputs))
    before = map_state(lambda tensor: tensor.clone(), state)
    remedy = "put the batch first in every tensor of the state"
    for tensor in tensors_of(state):
        require(tensor.shape[:1] == (3,), f"a state tensor of 3 rows is {tuple(tensor.shape)}", remedy)
    found, _ = read(model, tokens[rows, 6:], select_state(state, rows), (2, 0, 100))
    expected = call(model, picked(inputs, rows))[:, 6:]
    remedy = "store everything that a row needs in tensors of the state, the source too"
    require_same(found, expected, "reading on after picking rows 2, 0, 0 of a state of 3", remedy)
    same = all(torch.equal(one, other) for one, other in zip(tensors_of(state), tensors_of(before), strict=True))
    require(same, "extend or step changes the state it was given", "never write into a state: build a new one")


@check("source", "gradient", after="source-shape")
def source_gradients(case: ModelCase) -> None:
    """Every trained parameter, the encoder's too, gets a finite, nonzero gradient from a few rows."""
    model = case.model(training=True)
    _gradients(model, case.inputs(6, case.length(model)))


@check("source", after="source-shape")
def source_tables(case: ModelCase) -> None:
    """A checkpoint restores the model in another instance, through safetensors."""
    _restores(case, case.inputs(2, length_of(case, case.model())))


@check("source", "gradient", after="source-shape")
def source_meta(case: ModelCase) -> None:
    """The full-size model runs on the meta device, which counting costs needs: no tensor is on another device."""
    _runs_on_meta(case)


# ---- texts and images that belong together


@check("matching", after="build")
def matching_shape(case: ModelCase) -> None:
    """Forward returns (images, texts), of any numbers of both."""
    model = case.model()
    inputs = case.inputs(3, length_of(case, model))
    logits = call(model, {**inputs, "source": inputs["source"][:2]})
    require_shape(logits, "forward", "(images, texts)", (2, 3))
    require_finite(logits, "forward")


@check("matching", after="matching-shape")
def matching_rows(case: ModelCase) -> None:
    """How an image and a text belong together does not depend on the others, nor on their order."""
    model = case.model()
    inputs, order = case.inputs(4, length_of(case, model)), torch.tensor([2, 0, 3, 1])
    together = call(model, inputs)
    remedy = "compute each text and each image by itself: no statistics or sorting over the batch"
    others = {**picked({**inputs}, order), "source": inputs["source"][1:3]}
    require_same(call(model, others), together[1:3][:, order], "some images, texts in another order, and all", remedy)


@check("matching", after="matching-shape")
def matching_padding(case: ModelCase) -> None:
    """Padding behind the end of a text has no effect, however long it is and whatever is in it."""
    model = case.model()
    inputs = case.inputs(3, length_of(case, model))
    more = min(5, case.longest(model) - LENGTH)
    if more < 1:
        return
    longer = padded(inputs, ("tokens", "mask"), more)
    require_same(call(model, longer), call(model, inputs), f"outputs with {more} more positions of padding", MASK)


@check("matching", after="matching-shape")
def matching_mask(case: ModelCase) -> None:
    """The mask may be absent: nothing is padding then."""
    model = case.model()
    _without(model, case.inputs(1, length_of(case, model)), "mask")


@check("matching", "gradient", after="matching-shape")
def matching_gradients(case: ModelCase) -> None:
    """Every trained parameter gets a finite, nonzero gradient from a few rows."""
    model = case.model(training=True)
    _gradients(model, case.inputs(6, case.length(model)))


@check("matching", after="matching-shape")
def matching_tables(case: ModelCase) -> None:
    """A checkpoint restores the model in another instance, through safetensors."""
    _restores(case, case.inputs(2, length_of(case, case.model())))


@check("matching", "gradient", after="matching-shape")
def matching_meta(case: ModelCase) -> None:
    """The full-size model runs on the meta device, which counting costs needs: no tensor is on another device."""
    _runs_on_meta(case)


def _without(model: Any, inputs: dict[str, Tensor], name: str) -> None:
    """Raise Broken unless inputs of one row, which has no padding, give the same with and without the mask."""
    if name not in inputs:
        return
    bare = {each: tensor for each, tensor in inputs.items() if each != name}
    remedy = f"write {name}=None in the signature, and read every position then"
    with remedied(f"forward without {name}", remedy):
        found = call(model, bare)
    require_same(found, call(model, inputs), f"outputs of a row without padding, without {name} and with it", remedy)
    if name == "source_mask":
        with remedied(f"start without {name}", remedy):
            found, _ = read(model, bare["tokens"], _started(model, bare))
        require_same(found, call(model, inputs), f"logits of extend without {name}, and of forward with it", remedy)


def _started(model: Any, inputs: dict[str, Tensor]) -> Any:
    given = {name: tensor for name, tensor in inputs.items() if name != "tokens"}
    return model.start(len(inputs["tokens"]), **given)


def _not_again(*_: Any, **__: Any) -> Any:
    raise RuntimeError("the source is encoded again")


@torch.enable_grad()
def _gradients(model: Any, inputs: dict[str, Tensor]) -> None:
    """Raise Broken unless every trained parameter gets a gradient."""
    outputs = call(model, inputs)
    weights = torch.linspace(-1, 2, outputs.numel(), dtype=outputs.dtype, device=outputs.device)
    (outputs.log_softmax(dim=-1).flatten() * weights).sum().backward()  # type: ignore[no-untyped-call]
    for name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        remedy = f"use {name} in forward, or keep it with register_buffer or requires_grad_(False)"
        require(parameter.grad is not None, f"{name} gets no gradient", remedy)
        require(bool(parameter.grad.isfinite().all()), f"{name} gets a gradient that is not finite", remedy)
        require(bool(parameter.grad.any()), f"{name} gets a gradient of zeros only", remedy)


def _restores(case: ModelCase, inputs: dict[str, Tensor]) -> None:
    """Raise Broken unless tables restore the model."""
    model, other = case.model(), case.model(seed=1)
    stored = load(save({name: table.contiguous() for name, table in model.tables().items()}))
    other.load_tables({name: table.to(str(case.device)) for name, table in stored.items()})
    remedy = "make what the model needs a parameter or a persistent buffer"
    require_same(call(other, inputs), call(model, inputs), "outputs after load_tables, and before", remedy)


def _runs_on_meta(case: ModelCase) -> None:
    """Raise Broken unless the full-size model runs on the meta device."""
    remedy = "make every tensor on the device of the others, and compute constants with math instead of .item()"
    for name, (config, length) in case.whole.items():
        with remedied(name, remedy, text="meta"):
            model = blueprint(case.architecture, config.model_copy(deep=True), task_of_length(case.task, length))
            inputs = case.inputs(2, min(model.reach or length, 20))
            weights = next(model.parameters())
            moved = {
                each: torch.empty_like(
                    tensor, device="meta", dtype=weights.dtype if tensor.is_floating_point() else None
                )
                for each, tensor in inputs.items()
            }
            found = call(model, moved)
            require(found.is_meta, f"{name}: the outputs are on {found.device}", remedy)
