"""The stages of the next token: they follow the settings of the panel on logits that are known."""

__all__ = ["follower", "page"]
