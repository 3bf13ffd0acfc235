"""Rows of numbers as pictures: the plane of two numbers with its points, pictures in a grid, a curve with residuals."""

__all__ = ["fit", "pictures", "plane"]
