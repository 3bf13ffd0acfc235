"""One training step: by gradient or by counting, loss scale, clipping, regularising, weight averaging, live edits."""

__all__ = [
    "averaging",
    "causality",
    "clipping",
    "compiling",
    "counting",
    "edits",
    "gradient",
    "hooks",
    "learner",
    "live",
    "loss_scale",
    "pace",
    "readback",
    "regularising",
]
