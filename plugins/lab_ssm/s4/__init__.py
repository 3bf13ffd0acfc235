"""S4 and S4D: their cards and settings, and the layer with the matrices that it starts from."""
