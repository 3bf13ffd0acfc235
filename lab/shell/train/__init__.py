"""Train: the loss and other quantities of the shown runs, and samples."""

__all__ = ["commands", "finding_line", "gauges", "live_strip", "loss_card", "model_card", "model_drawing", "place"]
