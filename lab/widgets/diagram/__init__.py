"""The drawing of a model: its parts as boxes that unfold, with the lines of the data flow."""

__all__ = ["labels", "view"]
