"""Rows of numbers as pictures: the plane of two numbers with its points, pictures in a grid, a curve with residuals.

Also a pad on which the mouse draws a picture.
"""

__all__ = ["fit", "pad", "pictures", "plane"]
