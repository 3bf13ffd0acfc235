"""Asking a model for text, its inside and its losses, whether its run is live, saved or untrained."""

__all__ = ["classes", "evaluation_data", "generation", "inspection", "model_access", "saved", "text_use", "untrained"]
