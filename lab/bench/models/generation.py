"""Generation: every strategy over plain sampling, and speculative decoding with a draft a tenth of the size."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from lab.bench.pairs import compare

SYMBOLS, CONTEXT = 64, 512
WRITTEN = 64
"""Tokens of one measurement."""
PROMPT = (1, 2, 3)
LARGE = {"layers": 8, "width": 512, "heads": 8}
SMALL = {"layers": 3, "width": 256, "heads": 4}
"""Sizes of the model and of its draft, which has a tenth of its parameters."""
AGREEMENT = 0.7
"""Factor of the weights of the blocks, which are drawn for each model: the smaller, the more the models agree."""
SETTINGS = {"positions": "rotary", "norm": "rms", "feed_forward": "swiglu", "tie": False}


def generation(pairs: int) -> dict[str, Any]:
    """Measure training while the model writes, and every strategy over plain sampling."""
    from lab.bench import training

    return {**training.generation(pairs), **strategies(pairs)}


def strategies(pairs: int) -> dict[str, Any]:
    """Measure tokens per second of every strategy over plain sampling, on one model, by one thread.

    All read the same transformer of some 25 million parameters and have no filters, as the stream that the playground
    reads. The draft of speculative decoding has a tenth of the parameters. Both models know one table of the symbols
    that follow each other, besides blocks of random weights of their own, so that they agree about as often as a
    trained model and a trained draft; the acceptance rate is given with the ratio.

    Args:
        pairs: Measurements of each side.

    Returns:
        "strategies": a row for each, with the "ratio" to plain sampling, its "spread", and the rates "ours" and
        "theirs"; that of speculative decoding also has "tokens", and its figures. "model_parameters" and
        "draft_parameters".
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        model, draft = _model(LARGE, seed=1), _model(SMALL, seed=2)
        plain = _chooser("sampling")
        rows = []
        for name, settings in _measured():
            make = _chooser(name, draft, **settings)
            compared = compare(partial(_rate, model, make), partial(_rate, model, plain), pairs)
            rows.append({"strategy": name, **settings, **_figures(model, make), **compared})
        return {"strategies": rows, "model_parameters": _size(model), "draft_parameters": _size(draft)}
    finally:
        torch.set_num_threads(threads)


def _measured() -> list[tuple[str, dict[str, Any]]]:
    """Return every registered strategy but sampling, and speculative decoding with several numbers of tokens."""
    from lab.host import Plugins

    names = [name for name in Plugins(safe_mode=True).cards("strategies") if name not in ("sampling", "speculative")]
    return [*((name, {}) for name in names), *(("speculative", {"tokens": tokens}) for tokens in (2, 4, 8))]


def _model(size: dict[str, int], seed: int) -> Any:
    """Return a model whose logits are a table of the last symbol, which all of them share, and what its blocks add."""
    import torch

    from lab.api import Task
    from lab.host import Plugins

    card = Plugins(safe_mode=True).card("architectures", "transformer")
    torch.manual_seed(seed)
    model = card.make(card.config(**size, **SETTINGS), Task(SYMBOLS, CONTEXT)).eval()
    table = 2 * torch.randn(SYMBOLS, SYMBOLS, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        for parameter in model.blocks.parameters():
            if parameter.ndim > 1:
                parameter.mul_(AGREEMENT)
        model.embedding.weight.zero_()[:, :SYMBOLS] = torch.eye(SYMBOLS)
        model.output.weight.zero_()[:, :SYMBOLS] = table.T / size["width"] ** 0.5  # the norm before it brings √width
    return model


def _size(model: Any) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def _chooser(name: str, draft: Any = None, **settings: Any) -> Callable[[], Any]:
    """Return what makes a strategy for one text."""
    from lab.api import settings_of
    from lab.decoding.reader import ModelReader
    from lab.host import Plugins

    card = Plugins(safe_mode=True).card("strategies", name)
    runs = [one.name for one in settings_of(card.config) if one.run]

    def make() -> Any:
        readers = [{run: ModelReader(draft, "cpu", SYMBOLS) for run in runs}] if runs else []
        return card.make(card.config(**settings), *readers)

    return make


def _tokens(model: Any, make: Callable[[], Any]) -> Any:
    from lab.decoding.stream import generate

    return generate(model, PROMPT, strategy=make(), seed=0, symbols=SYMBOLS, count=WRITTEN)


def _rate(model: Any, make: Callable[[], Any]) -> float:
    """Return tokens per second; several hypotheses write their tokens when they agree, so the whole text counts."""
    started = time.perf_counter()
    written = sum(1 for _ in _tokens(model, make))
    return written / (time.perf_counter() - started)


def _figures(model: Any, make: Callable[[], Any]) -> dict[str, float]:
    """Return what the strategy reports of the text that is measured."""
    *_, last = _tokens(model, make)
    return dict(last.figures)
