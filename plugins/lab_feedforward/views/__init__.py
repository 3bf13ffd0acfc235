"""The view of a network as a graph that is walked step by step. Only the window imports it, and only it imports Qt."""
