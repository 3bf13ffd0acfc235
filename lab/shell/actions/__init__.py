"""Commands as data: the registry, the palette, the sheet of shortcuts."""
