"""One training step: by gradient or by counting, loss scale, clipping, weight averaging, live edits."""

__all__ = [
    "averaging",
    "causality",
    "clipping",
    "counting",
    "edits",
    "gradient",
    "hooks",
    "live",
    "loss_scale",
    "readback",
]
