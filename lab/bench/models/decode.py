"""Decoding: with a cache of keys and values over none and over transformers' `generate`; with states of fixed size."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from lab.api import select_state, state_bytes
from lab.base import BadInput
from lab.bench.pairs import compare

CONTEXTS = (100, 1000)
"""Tokens before the measured ones."""

WRITTEN, UNCACHED = 48, 6
"""Tokens of one measurement: with a cache, and without one, where each token reads all earlier ones again."""

WIDTH = 4
"""Hypotheses of the beam search."""

SETTINGS: Mapping[str, Any] = {
    "layers": 4, "width": 128, "heads": 4, "positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "tie": False,
    "norm_epsilon": 1e-6, "hidden": 344,
}  # fmt: skip
"""A small LLaMA."""

VOCABULARY = 512

STEPS = 32
"""Tokens of one measurement of a model whose state has a fixed size."""

HOLDS = 1.1
"""Largest cost of a late token of such a model, relative to an early one."""

REMEDY = "Install it: pip install transformers"


def decode(pairs: int) -> dict[str, Any]:
    """Measure tokens per second of greedy text after 100 and 1,000 tokens, by one thread, as a window decodes.

    Ours is the stream that the playground reads, with probability and alternatives of every token; theirs is
    `transformers`' LlamaForCausalLM.generate with its own cache, on the same weights. The time of reading the prompt is
    subtracted from both, and the first token is not counted. Beam search is compared with steps of as many rows and
    nothing else, neither choice nor selected states. For every architecture whose state does not grow, the
    result also has the cost of a token after 1,000 others over one after 100.

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
                "beams_over_rows": compare(
                    partial(_rate, partial(_beams, model, prompt), WRITTEN),
                    partial(_rate, partial(_rows, model, prompt), WRITTEN),
                    pairs,
                ),
            }
        found["recurrent"] = recurrent(pairs)
        found["recurrent_holds"] = all(row["ratio"] <= HOLDS for row in found["recurrent"])
    finally:
        torch.set_num_threads(threads)
    return found


def recurrent(pairs: int) -> list[dict[str, Any]]:
    """Measure the cost of a token after 1,000 others over one after 100, for architectures with a fixed state.

    Each has its defaults, and steps through tokens of its own vocabulary, without a strategy.

    Args:
        pairs: Half the number of measurements of each side, which are short.

    Returns:
        A row for each: "ratio" of the costs, and as "ours" and "theirs" the tokens per second after 100 and 1,000.
    """
    import torch

    from lab.host import Plugins

    rows = []
    tokens = torch.randint(VOCABULARY, (1, CONTEXTS[-1] + STEPS), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        for name, card in Plugins(safe_mode=True).cards("architectures").items():
            model = _with_steady_state(card)
            if model is not None:
                early, late = (model.extend(tokens[:, :context], model.start(1))[1] for context in CONTEXTS)
                steps = [partial(_stepped, model, tokens[0, -STEPS:], state) for state in (early, late)]
                compared = compare(steps[0], steps[1], 2 * pairs)
                rows.append({"model": name, "state_bytes": state_bytes(late), **compared})
    return rows


def _with_steady_state(card: Any) -> Any:
    """Return a model of this architecture; None if it cannot decode that many tokens, or its state grows."""
    import torch

    from lab.api import Task
    from lab.diagnostics.cost import blueprint

    config, task = card.config(), Task(VOCABULARY, 2 * CONTEXTS[-1])
    sketch = blueprint(card, config, task)
    if "causal" not in card.tasks or sketch.learns != "gradient":
        return None
    if sketch.reach is not None and sketch.reach < CONTEXTS[-1] + STEPS:
        return None
    read = torch.zeros(1, CONTEXTS[0], dtype=torch.long, device="meta")
    _, before = sketch.extend(read, sketch.start(1))
    _, after = sketch.step(read[:, 0], before)
    return card.make(config, task).eval() if state_bytes(before) == state_bytes(after) else None


def _stepped(model: Any, tokens: Any, state: Any) -> float:
    """Return tokens per second from this state on, one token at a time."""
    started = time.perf_counter()
    for token in tokens.split(1):
        _, state = model.step(token, state)
    return len(tokens) / (time.perf_counter() - started)


def _models() -> tuple[Any, Any]:
    """Return our model and theirs with the same weights, which are large enough that greedy texts vary."""
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
    reference = AutoModelForCausalLM.from_config(AutoConfig.for_model(**config)).eval()
    reference.load_state_dict(converter.tensors(settings, model.tables()))
    return model, reference


def _rate(write: Callable[[int], object], count: int) -> float:
    """Return tokens per second without the first one, which includes reading the prompt."""
    started = time.perf_counter()
    write(1)
    first = time.perf_counter() - started
    started = time.perf_counter()
    write(count)
    return (count - 1) / (time.perf_counter() - started - first)


def _written(model: Any, prompt: list[int], count: int) -> list[int]:
    """Return the tokens that the lab's stream generates, as for the window."""
    from lab.decoding.builtins import GreedyConfig
    from lab.decoding.strategies import Greedy
    from lab.decoding.stream import generate

    stream = generate(model, prompt, strategy=Greedy(GreedyConfig()), seed=0, symbols=VOCABULARY, count=count)
    return [each.token for each in stream]


def _beams(model: Any, prompt: list[int], count: int) -> list[int]:
    """Return the tokens that beam search writes."""
    from lab.decoding.beams import BeamSearch
    from lab.decoding.builtins import BeamSearchConfig
    from lab.decoding.stream import generate

    strategy = BeamSearch(BeamSearchConfig(width=WIDTH))
    return [each.token for each in generate(model, prompt, strategy=strategy, seed=0, symbols=VOCABULARY, count=count)]


def _rows(model: Any, prompt: list[int], count: int) -> Any:
    """Step through as many rows as there are beams; return their last tokens."""
    import torch

    with torch.no_grad():
        logits, state = model.extend(torch.tensor([prompt]), model.start(1), last=1)
        rows = torch.zeros(WIDTH, dtype=torch.long)
        state, tokens = select_state(state, rows), logits[:, -1].argmax(dim=-1)[rows]
        for _ in range(count - 1):
            logits, state = model.step(tokens, state)
            tokens = logits.argmax(dim=-1)
    return tokens


def _read_again(model: Any, prompt: list[int], count: int) -> list[int]:
    """Return the same tokens, reading everything again for every token."""
    import torch

    seen = list(prompt)
    with torch.no_grad():
        for _ in range(count):
            seen.append(int(model.forward(torch.tensor([seen]))[0, -1].argmax()))
    return seen[len(prompt) :]


def _generated(reference: Any, prompt: list[int], count: int) -> list[int]:
    """Return the tokens that transformers generates."""
    import torch

    read = torch.tensor([prompt])
    written: list[int] = reference.generate(
        read, attention_mask=torch.ones_like(read), do_sample=False, max_new_tokens=count, min_new_tokens=count,
        pad_token_id=0, use_cache=True,
    )[0, len(prompt) :].tolist()  # fmt: skip
    return written
