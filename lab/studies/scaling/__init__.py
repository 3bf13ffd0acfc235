"""Scaling laws: their forms, their fit to a table of runs, what follows from them for a budget of compute."""

from lab.studies.scaling.compute import PUBLISHED, Budget, budget_of, compute_optimal, compute_with_inference
from lab.studies.scaling.fit import LOSSES, FitOptions, Interval, ScalingFit, fit_law
from lab.studies.scaling.forms import FORMS, Form
from lab.studies.scaling.frontiers import Frontier, fit_envelope, fit_isoflops, fit_single_laws
from lab.studies.scaling.table import ScalingTable, parse_table, read_table

__all__ = [
    "FORMS",
    "LOSSES",
    "PUBLISHED",
    "Budget",
    "FitOptions",
    "Form",
    "Frontier",
    "Interval",
    "ScalingFit",
    "ScalingTable",
    "budget_of",
    "compute_optimal",
    "compute_with_inference",
    "fit_envelope",
    "fit_isoflops",
    "fit_law",
    "fit_single_laws",
    "parse_table",
    "read_table",
]
