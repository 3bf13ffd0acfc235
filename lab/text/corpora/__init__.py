"""Corpora: files, downloads, datasets, and the texts that come with Python."""

__all__ = ["datasets", "downloads", "files", "long_files", "manual", "mixture"]
