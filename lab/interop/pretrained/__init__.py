"""Pretrained models as Hugging Face folders: reading and writing."""
