"""Sources whose truth is known: sequences that are generated, with the loss of the best predictor beside them."""
