"""The base of every package: problems, notices, jobs, folders, settings, units, safe writing, the torch lock."""

from lab.base.problems import BadInput, LabError, Problem

__all__ = ["BadInput", "LabError", "Problem"]
