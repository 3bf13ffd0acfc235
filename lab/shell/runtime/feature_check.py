"""PySide's check of each imported module for its own name, without reading what surely does not hold it.

Because of `from __feature__ import …`, PySide reads the source of every module that is imported beside it, which takes
100 ms before the window is there, and half a second while torch is imported. The answers stay the same.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

WITHOUT_QT = sys.stdlib_module_names | {
    "annotated_types", "filelock", "fsspec", "jinja2", "markupsafe", "mpmath", "networkx", "numpy", "packaging",
    "pluggy", "psutil", "pydantic", "pydantic_core", "safetensors", "sympy", "tokenizers", "torch", "torchgen",
    "typing_extensions", "typing_inspection",
}  # fmt: skip
"""Packages that never import Qt."""


def skip_known_modules() -> None:
    """Answer for these packages and for the lab at once; call it before PySide6 is imported."""
    try:
        import shiboken6  # noqa: F401 - it brings shibokensupport, which is no package of its own

        feature: Any = importlib.import_module("shibokensupport.feature")
        check = feature._mod_uses_pyside
    except (ImportError, AttributeError):  # another version of PySide, which may check in another way
        return

    def uses_pyside(module: ModuleType) -> Any:
        package = module.__name__.partition(".")[0]
        return package not in WITHOUT_QT and (package == "lab" or check(module))

    feature._mod_uses_pyside = uses_pyside
