"""Train: the loss, other quantities and samples of the shown runs."""

__all__ = ["place"]
