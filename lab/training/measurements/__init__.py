"""Gauges on demand: what a model finds hard, how its gradients agree, and the shape of its loss around its weights."""

__all__ = ["agreement", "curvature", "difficulty", "lines", "planes", "surface"]
