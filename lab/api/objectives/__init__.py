"""The contract of objectives, and the hiding of tokens that several of them share."""
