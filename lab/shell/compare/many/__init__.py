"""Many runs: a table, groups with bands, points, curves and parallel coordinates, conclusions, and a report of all."""

__all__ = ["arms", "arms_page", "multiples", "run_figures", "table_model"]
