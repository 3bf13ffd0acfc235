"""The geometry of charts, without Qt: ticks, numbers, ranges, downsampling and the layout of labels.

The window, the report and exported figures share it.
"""
