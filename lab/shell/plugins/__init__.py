"""The place Plugins: every plugin with its state, what it adds and why it fails, and what enables and disables it."""

__all__ = ["place"]
