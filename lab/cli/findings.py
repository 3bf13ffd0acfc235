"""The findings of the doctor in a run, each with its remedies as commands."""

from __future__ import annotations

import shlex

from lab.cli.output import print_json, print_text
from lab.host import Plugins
from lab.runs import RunFolder
from lab.workbench.analysis.examination import examine_folder
from lab.workbench.analysis.remedies import Plan, plan_of


def print_findings(folder: RunFolder, plugins: Plugins, *, as_json: bool) -> int:
    """Examine a run, and print what is found.

    Returns:
        0; findings are no failure of the command.

    Raises:
        LabError: The series of the run cannot be read.
    """
    found = examine_folder(folder, plugins)
    if as_json:
        print_json({"run": str(folder.path.absolute()), "findings": [one.as_dict() for one in found]})
        return 0
    if not found:
        rules = len(plugins.cards("rules"))
        print_text(f"nothing is found: {rules} rules see nothing wrong in {folder.name}")
    for one in found:
        finding = one.finding
        print_text(f"{one.rule}, step {finding.step:,}: {finding.what}")
        if finding.remedy:
            print_text(f"  {finding.remedy}.")
        for remedy in finding.remedies:
            print_text(f"  {remedy.what}: {_command(folder, plan_of(folder, finding, remedy))}")
    return 0


def _command(folder: RunFolder, plan: Plan) -> str:
    """Return the command that follows a plan."""
    settings = [word for change in plan.changes for word in ("--set", change)]
    if plan.step is None:
        return shlex.join(["lm-lab", "train", str(folder.path / "recipe.toml"), *settings])
    return shlex.join(["lm-lab", "branch", str(folder.path), "--from", str(plan.step), *settings])
