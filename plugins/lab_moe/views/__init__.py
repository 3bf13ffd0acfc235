"""The card of routing: its view, its parts and its foot. Only the window imports it, and only it imports Qt."""
