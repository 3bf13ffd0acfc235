"""Studies in the window: a file that is opened and edited, its runs that train, pause and wait in order, and curves."""

__all__ = ["page"]
