"""Optional libraries, imported when they are needed; if one is missing, the problem names what to install."""

from __future__ import annotations

import importlib
from typing import Any

from lab.base.problems import BadInput


def need(module: str, extra: str, what: str) -> Any:
    """Import a library that comes with an extra of the lab.

    Args:
        module: The module, "pyarrow.parquet".
        extra: The extra that installs it, a key of pyproject's optional dependencies: "exports".
        what: The thing that needs it, as the start of a message: "A Parquet file".

    Raises:
        BadInput: It is not installed or cannot be loaded; the problem names what to install.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        library = module.partition(".")[0]
        absent = isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == library
        why = "is not installed" if absent else f"cannot be loaded: {error}"
        remedy = f'Install it: pip install "lm-lab[{extra}]"'
        raise BadInput(f"{what} needs {library}, which {why}", remedy=remedy) from None
