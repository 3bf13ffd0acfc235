"""Arrays as pictures: maps, bars, points, links, the complex plane."""

__all__ = [
    "bars",
    "categories",
    "colours",
    "complex_plane",
    "head_grid",
    "head_strip",
    "layout",
    "links",
    "map",
    "margins",
    "part_map",
    "points",
    "token_row",
]
