"""A run with an adapter as a run of a plain model: the adapter is folded into its weights."""

from __future__ import annotations

import contextlib
from pathlib import Path

from lab.base import BadInput
from lab.base.files.temporary import temporary_path
from lab.base.files.writing import folder_for, place, sync_tree
from lab.base.folders import runs_folder
from lab.base.run_state import RunState
from lab.runs import RunFolder
from lab.runs.folder import check_new
from lab.runs.library.names import new_run_name
from lab.workbench.access.saved import SavedRun
from lab.workbench.launch.origins import NONE

LACKS = "the state of the training, as its adapter was folded into the weights"
"""What the checkpoint of a merged run lacks."""


def merge_run(saved: SavedRun, out: Path | None = None) -> RunFolder:
    """Make a run whose weights are those of another one with its adapter folded in. The other one stays as it is.

    Args:
        saved: A run with an adapter.
        out: A new or empty folder for the merged run; None makes one among the lab's runs.

    Returns:
        The merged run, finished at the step of the other one.

    Raises:
        BadInput: The run has no adapter or no checkpoint, or the adapter cannot be folded in; nothing is left behind.
        LabError: The run is damaged, or the merged one cannot be written; nothing is left behind.
    """
    from lab.training.adapters.attaching import merge
    from lab.training.recording.checkpoints import load_facts, save_checkpoint

    if saved.recipe.adapter.name == NONE:
        raise BadInput("this run has no adapter that could be merged", field="run", value=saved.name)
    if out is not None:
        check_new(out)
    model, step = saved.model(), saved.folder.checkpoint_steps()[-1]
    merge(model)  # refuses one that is still attached
    before = load_facts(saved.folder.checkpoint_folder(step))
    taken = ("step", "tokens", "examples", "seconds", "validation_loss", "evaluated")
    facts = {**{name: before[name] for name in taken if name in before}, "reason": "start", "lacks": LACKS}
    facts["live"] = {"architecture": before.get("live", {}).get("architecture", {})}
    parent = {
        "id": saved.folder.id,
        "name": saved.name,
        "step": step,
        "changes": ["adapter.name=none"],
        "weights_only": True,
    }
    known = {name: fact for name, fact in saved.folder.facts.items() if name not in ("format", "id", "created")}
    name = f"{saved.folder.assigned_name or saved.name} merged"
    recipe = saved.recipe.with_values({"adapter": {"name": NONE}}).to_toml()
    path = runs_folder() / new_run_name(saved.recipe.architecture.name) if out is None else out
    with contextlib.ExitStack() as entered:
        entered.enter_context(folder_for(path.absolute().parent))
        temporary = entered.enter_context(temporary_path(path, recorded=True))
        run = RunFolder.create(temporary, recipe, {**known, "name": name, "parent": parent})
        save_checkpoint(run.checkpoint_folder(step), model=model.tables(), training={}, facts=facts)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        run.update(state=RunState.FINISHED, step=step, summary={**saved.summary, "parameters": parameters})
        sync_tree(temporary)
        with contextlib.suppress(OSError):
            path.rmdir()  # the empty folder that may be there
        return RunFolder.open(place(temporary, path))
