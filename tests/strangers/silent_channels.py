"""An intervention that sets single channels of the embedding to zero, in models of any architecture."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from torch import Tensor, nn

from lab.api import Intervention, LanguageModel, Register, hookimpl

LAB_API_VERSION = 1


def table_of(model: LanguageModel) -> nn.Embedding | None:
    modules = model.modules() if isinstance(model, nn.Module) else ()
    return next((module for module in modules if isinstance(module, nn.Embedding)), None)


def channels(model: LanguageModel, tokens: Tensor) -> list[str]:
    table = table_of(model)
    return [] if table is None else [str(channel + 1) for channel in range(table.embedding_dim)]


@contextmanager
def silent(model: LanguageModel, addresses: Sequence[str], tokens: Tensor) -> Iterator[None]:
    table, numbers = table_of(model), [int(address) - 1 for address in addresses]
    assert table is not None  # without one there are no addresses

    def silence(module: nn.Module, given: tuple[Tensor, ...], x: Tensor) -> Tensor:
        x = x.clone()
        x[..., numbers] = 0
        return x

    hook = table.register_forward_hook(silence)
    try:
        yield
    finally:
        hook.remove()


@hookimpl
def lab_register_interventions(register: Register[Intervention]) -> None:
    register(
        Intervention(
            name="embedding",
            title="Channel of the embedding",
            build=silent,
            targets=channels,
            singular="embedding channel {n}",
            plural="embedding channels",
            summary="embedding:N: channel N of the embedding is zero.",
        )
    )
