"""One training step: by gradient or by counting, clipping, weight averaging, live edits."""
