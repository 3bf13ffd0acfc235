"""The help: the docs as pages with an index, links and search."""
