"""Decoding: tokens a second with a cache of keys and values, over none and over transformers' own `generate`."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lab.base import BadInput
from lab.bench.pairs import compare

CONTEXTS = (100, 1000)
"""Tokens that stand before those that are counted."""

WRITTEN, UNCACHED = 48, 6
"""Tokens of one measurement: with a cache, and without one, where each takes as long as all before it."""

SETTINGS: Mapping[str, Any] = {
    "layers": 4, "width": 128, "heads": 4, "positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "tie": False,
    "norm_epsilon": 1e-6, "hidden": 344,
}  # fmt: skip
"""A small LLaMA."""

VOCABULARY = 512

REMEDY = "Install it: pip install transformers"


def decode(pairs: int) -> dict[str, Any]:
    """Tokens per second of greedy text behind 100 and 1,000 tokens, by one thread, as a window decodes.

    Ours is the stream that the playground reads, with probability and alternatives of every token; theirs is
    `transformers`' LlamaForCausalLM.generate with its own cache, on the same weights. The time of reading the prompt is
    taken off both: the first token counts for neither.

    Args:
        pairs: Measurements of each side.

    Raises:
        BadInput: transformers is not installed.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model, reference = _models()
        found: dict[str, Any] = {"unit": "tokens/s", "parameters": sum(each.numel() for each in model.parameters())}
        for context in CONTEXTS:
            prompt = torch.randint(VOCABULARY, (context,), generator=torch.Generator().manual_seed(0)).tolist()
            texts = _written(model, prompt, WRITTEN), _generated(reference, prompt, WRITTEN)
            if texts[0] != texts[1]:
                raise RuntimeError(f"the two texts differ: {texts}")
            ours = partial(_rate, partial(_written, model, prompt), WRITTEN)
            none = partial(_rate, partial(_read_again, model, prompt), UNCACHED)
            theirs = partial(_rate, partial(_generated, reference, prompt), WRITTEN)
            found[f"at_{context}"] = {
                "over_none": compare(ours, none, max(1, pairs // 3)),
                "over_transformers": compare(ours, theirs, pairs),
            }
    finally:
        torch.set_num_threads(threads)
    return found


def _models() -> tuple[Any, Any]:
    """Our model, and theirs of the same weights, drawn large enough that greedy texts do not stand still."""
    import torch

    from lab.api import Task
    from lab.host import Plugins

    try:
        from transformers import AutoConfig, AutoModelForCausalLM
    except ImportError:
        raise BadInput("transformers is not installed", field="name", value="decode", remedy=REMEDY) from None
    plugins = Plugins(safe_mode=True)
    card = plugins.card("architectures", "transformer")
    settings, task = card.config(**SETTINGS), Task(VOCABULARY, 2 * CONTEXTS[-1])
    model = card.make(settings, task).eval()
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim > 1:
                parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.1)
    converter = plugins.card("checkpoint_formats", "llama").make()
    config = converter.config(settings, task)
    reference = AutoModelForCausalLM.from_config(AutoConfig.for_model(**config)).eval()  # type: ignore[no-untyped-call]
    reference.load_state_dict(converter.tensors(settings, model.tables()))
    return model, reference


def _rate(write: Callable[[int], object], count: int) -> float:
    """Tokens a second without the first one, which the prompt is read for."""
    began = time.perf_counter()
    write(1)
    first = time.perf_counter() - began
    began = time.perf_counter()
    write(count)
    return (count - 1) / (time.perf_counter() - began - first)


def _written(model: Any, prompt: list[int], count: int) -> list[int]:
    """What the lab's stream writes, as the playground shows it."""
    from lab.decoding.samplers import only_the_best
    from lab.decoding.stream import generate

    stream = generate(model, prompt, sampler=only_the_best, seed=0, symbols=VOCABULARY)
    return [each.token for each in itertools.islice(stream, count)]


def _read_again(model: Any, prompt: list[int], count: int) -> list[int]:
    """The same where all that stands before is read anew for every token."""
    import torch

    seen = list(prompt)
    with torch.no_grad():
        for _ in range(count):
            seen.append(int(model.forward(torch.tensor([seen]))[0, -1].argmax()))
    return seen[len(prompt) :]


def _generated(reference: Any, prompt: list[int], count: int) -> list[int]:
    """What transformers writes."""
    import torch

    read = torch.tensor([prompt])
    told: list[int] = reference.generate(
        read, attention_mask=torch.ones_like(read), do_sample=False, max_new_tokens=count, min_new_tokens=count,
        pad_token_id=0, use_cache=True,
    )[0, len(prompt) :].tolist()  # fmt: skip
    return told
