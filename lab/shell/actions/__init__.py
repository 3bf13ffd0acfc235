"""Commands as data: the registry, the palette, the page of shortcuts."""

__all__ = ["entry", "palette", "registry", "shortcuts_page"]
