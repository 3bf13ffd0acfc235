"""What a model thinks of a text, token by token, and what can be counted in texts that were written."""
