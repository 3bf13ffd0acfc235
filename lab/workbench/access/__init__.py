"""Ask a model: of a run that trains, of one on disk, or before any training."""
