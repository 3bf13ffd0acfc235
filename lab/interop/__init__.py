"""Exchange with other programs: exports of a run, and pretrained models in and out.

A run is exported as a table, TensorBoard event files, an HTML page or a script of plain PyTorch.
"""

from lab.interop.pretrained.reading import load_pretrained

__all__ = ["animation", "exports", "load_pretrained", "pretrained", "report", "script"]
