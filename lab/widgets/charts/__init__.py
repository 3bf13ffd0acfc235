"""The line chart: axes, ticks, downsampling, annotations, crosshair."""

__all__ = ["annotations", "chart", "crosshair", "end_labels", "lines", "plot"]
