"""The structure of a model on the meta device: its parts, their shapes and costs, and the settings that shape them."""

__all__ = ["influences", "tree"]
