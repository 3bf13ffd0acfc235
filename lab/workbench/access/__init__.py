"""Asking a model for text, its inside and its losses, whether its run is live, saved or untrained."""

__all__ = ["generation", "inspection", "saved", "untrained", "without_experts"]
