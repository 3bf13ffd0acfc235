"""Pretrained models as Hugging Face folders: reading them into runs, and writing runs as such folders."""

__all__ = ["reading", "writing"]
