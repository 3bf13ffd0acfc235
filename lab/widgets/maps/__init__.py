"""Arrays as pictures: maps, bars, points, links, the complex plane, QR codes."""

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
    "plane",
    "points",
    "qr_view",
    "ridges",
    "token_row",
]
