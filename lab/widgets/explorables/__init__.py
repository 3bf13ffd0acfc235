"""What cards are made of in which something is moved: sliders, surfaces, bars, lines, vectors; such cards in texts."""

__all__ = ["bars", "embedding", "lines", "slider", "surface", "vectors"]
