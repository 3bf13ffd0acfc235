"""Commands as data: the registry, the palette, the page of shortcuts."""
