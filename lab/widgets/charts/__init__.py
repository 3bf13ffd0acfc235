"""The line chart: axes, ticks, downsampling, annotations, crosshair."""

__all__ = ["chart", "crosshair", "lines", "plot"]
