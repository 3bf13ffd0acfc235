"""Lessons on the workbench: their recipes are trained one after the other, and what they claim is measured."""

__all__ = ["planning", "training"]
