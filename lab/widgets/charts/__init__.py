"""The line chart: axes, ticks, downsampling, annotations, crosshair."""
