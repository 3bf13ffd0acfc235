"""Commands as data: the registry, their groups, the palette, the page of shortcuts."""

__all__ = ["entry", "groups", "palette", "registry", "shortcuts_page"]
