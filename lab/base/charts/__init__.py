"""The geometry of charts, without Qt: ticks, numbers, ranges, downsampling, colours of maps, and layouts of labels.

The window, the report and exported figures share it.
"""
