"""Train: the loss and other quantities of the shown runs, and samples."""

__all__ = ["model_card", "place"]
