"""`--processes` and `--shard`: one run in several processes of this machine, or of several by torchrun itself."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from lab.base import BadInput
from lab.host import Plugins
from lab.workbench.runners.together import is_started_with_others, train_alongside

MOST = 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    text = "train in so many processes, each with its rows of every batch; `torchrun … -m lab.cli.main` does the same"
    parser.add_argument("--processes", metavar="N", type=int, default=1, help=text)
    text = "with several processes: each holds a part of the weights, gradients and optimizer state (FSDP)"
    parser.add_argument("--shard", action="store_true", help=text)


def join_others(arguments: argparse.Namespace, plugins: Plugins, command: Sequence[str]) -> int | None:
    """Start the other processes, or train beside the one that writes the run.

    Args:
        arguments: The options.
        plugins: The plugins.
        command: The command line, "lm-lab" first.

    Returns:
        The status of the process; None if this one is to carry out the command itself.

    Raises:
        BadInput: The number is not allowed, weights are to be sharded in one process, or the other processes cannot be
            reached.
        LabError: The training beside the leading process failed.
    """
    if not 1 <= arguments.processes <= MOST:
        raise BadInput("is not allowed", field="--processes", value=arguments.processes, allowed=f"1 ≤ x ≤ {MOST}")
    if not is_started_with_others():
        if arguments.processes == 1:
            if arguments.shard:
                raise BadInput("needs several processes", field="--shard", remedy="Add --processes N")
            return None
        torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={arguments.processes}"]
        os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # torch's advice for those who write such programs
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, *torchrun, "-m", "lab.cli.main", *command[1:]])
    from lab.training.processes import join

    if join("shard" if arguments.shard else "replicate").leads:
        return None
    train_alongside(plugins.load())
    return 0
