"""`lm-lab evaluate`: the loss of a run under a protocol."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.base.units import finite
from lab.cli.options import RUN_HELP, told_by_option
from lab.cli.output import print_json
from lab.host import Plugins
from lab.workbench import SavedRun


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `lm-lab evaluate`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("--text", metavar="FILE", help="a UTF-8 file; without one, the validation text")
    parser.add_argument("--protocol", metavar="P", help="windows, stream or strided:N; without one, the model's own")
    parser.add_argument("--device", metavar="D", default="auto", help="auto, cpu, cuda, cuda:1, mps")


def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Prints the loss of a run under a protocol."""
    saved = SavedRun.find(arguments.run, plugins)
    text = None if arguments.text is None else Path(arguments.text)
    options = {"training.device": "--device"} | ({} if text is None else {"corpus.path": "--text"})
    with told_by_option(options):
        result = saved.evaluate(text=text, protocol=arguments.protocol, device=arguments.device)
    if arguments.json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "loss": finite(result.loss),
                "perplexity": finite(result.perplexity),
                "bits_per_byte": finite(result.bits_per_byte),
                "targets": result.targets,
                "protocol": result.protocol,
                "context_length": result.context_length,
            }
        )
        return 0
    size = result.bits_per_byte
    print(
        f"{result.loss:.4f} nats per token, perplexity {result.perplexity:.2f}"
        + (f", {size:.3f} bits per byte" if size is not None else "")
    )
    window = f", windows of {result.context_length} tokens" if result.context_length else ""
    print(f"protocol {result.protocol}{window}, {result.targets:,} targets")
    return 0
