"""Commands as data: the registry, the palette, the page of shortcuts."""

__all__ = ["palette", "registry", "shortcuts_page"]
