"""The dialog of the finders: a learning rate, a batch size, the gradient noise, other widths, tried on a copy."""

__all__ = ["controller"]
