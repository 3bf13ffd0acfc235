"""Files: the one reader of what anybody may have written, the one writer, and the temporary names of both."""
