"""Models of vectors and images on rows of their corpus: the rows, their predictions, and the plane of two numbers."""

__all__ = ["explanations", "plane", "predictions", "rows"]
