"""What other programs read of a run, and what the lab reads of theirs.

Tables, TensorBoard event files, a page of HTML, a script of plain PyTorch; and pretrained models, in and out.
"""

from lab.interop.pretrained.reading import load_pretrained

__all__ = ["exports", "load_pretrained", "pretrained", "script"]
