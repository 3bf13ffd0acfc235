"""`lm-lab export`: write the model of a run as a folder that Hugging Face's transformers reads."""

from __future__ import annotations

import argparse
from pathlib import Path

from lab.cli.options import RUN_HELP, named_by_option
from lab.cli.output import print_json, print_text
from lab.host import Plugins
from lab.training.corpus_fit import NO_TOKENIZER
from lab.workbench import SavedRun


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab export`."""
    parser.add_argument("run", metavar="RUN", help=RUN_HELP)
    parser.add_argument("folder", metavar="FOLDER", help="a new or empty folder")
    parser.add_argument(
        "--as",
        dest="model_type",
        metavar="TYPE",
        help="the model_type of its config.json: gpt2, llama, mistral, mixtral, gpt_neox, falcon, mamba, mamba2, bert, "
        "distilbert, albert, electra, roberta, t5, bart, vit, clip; without it, the one that fits",
    )


@named_by_option({"folder": "FOLDER"})
def run(arguments: argparse.Namespace, plugins: Plugins) -> int:
    """Write the folder.

    Raises:
        BadInput: There is no such run, or no format can represent its model.
        LabError: The run is damaged, or the folder cannot be written.
    """
    from lab.workbench.exchange.pretrained import export_pretrained

    cards = plugins.load()
    saved = SavedRun.find(arguments.run, cards)
    written = export_pretrained(saved, cards, Path(arguments.folder).expanduser(), model_type=arguments.model_type)
    if arguments.json:
        print_json(
            {
                "run": str(saved.path.absolute()),
                "folder": str(written.folder.absolute()),
                "model_type": written.model_type,
                "tokenizer": written.tokenizer,
            }
        )
        return 0
    print_text(f"written: {written.folder} ({written.model_type})")
    if not written.tokenizer and saved.recipe.tokenizer.name != NO_TOKENIZER:
        print_text("without tokenizer.json, which cannot represent the tokenizer of this run")
    return 0
