"""Pretrained models as Hugging Face folders, read and written."""
