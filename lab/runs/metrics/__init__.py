"""The metric store of a run: its file, its writer, its reader."""

__all__ = ["clocks", "file", "gauges", "reader", "writer"]
