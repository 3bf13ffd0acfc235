"""Pretrained models as Hugging Face folders: reading one into a run, writing a run as one."""

__all__ = ["reading", "writing"]
