"""Many runs: a table, groups with bands, points, curves and parallel coordinates, conclusions, and a report of all."""

__all__: list[str] = []
