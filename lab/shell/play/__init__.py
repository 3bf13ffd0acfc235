"""Play: generation from a prompt, token by token."""
