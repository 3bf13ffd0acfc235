"""The room on the disk that the policy gives the files of one person."""

from __future__ import annotations

import os
from pathlib import Path

from lab.base.folders import home
from lab.base.problems import BadInput
from lab.base.system.policy import GB, policy
from lab.base.units import short


def check_room(coming: int = 0) -> None:
    """Refuse to add something to the home of the lab if the policy gives it no more room. Call it in a thread.

    Args:
        coming: The bytes that will be added, as far as they are known.

    Raises:
        BadInput: The files there, with those that come, take more than the policy allows.
    """
    limit = policy().disk_gb
    if limit is None:
        return
    taken = size_of(home())
    if taken + coming > limit * GB:
        raise BadInput(
            f"no more than {short(limit * GB)}B on the disk are allowed by {policy().source('disk_gb')}, "
            f"and {short(taken)}B are taken",
            field="folder",
            value=str(home()),
            remedy="Delete runs that are no longer needed, then empty the bin",
        )


def size_of(folder: Path) -> int:
    """Return the bytes of all files in a folder, without those that links lead to; what cannot be read counts 0."""
    total, waiting = 0, [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.is_file(follow_symlinks=False):
                        total += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue
    return total
