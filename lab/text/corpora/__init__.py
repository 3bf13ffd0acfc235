"""Corpora: files, downloads, datasets, and the texts that come with Python."""
