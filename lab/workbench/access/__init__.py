"""Ask a model: live, saved or untrained."""
