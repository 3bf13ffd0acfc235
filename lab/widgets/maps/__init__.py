"""Maps, bars and points: arrays as pictures."""
