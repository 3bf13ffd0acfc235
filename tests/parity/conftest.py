import importlib
import os
import warnings

import pytest
import torch

torch.set_num_threads(1)


@pytest.fixture(scope="session")
def hf():
    """Import transformers, which takes seconds, in the one process that runs these tests."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what transformers itself says while it is imported
        for module in ("models.gpt2.modeling_gpt2", "generation.logits_process"):
            importlib.import_module(f"transformers.{module}")
        transformers = importlib.import_module("transformers")
    transformers.logging.disable_progress_bar()
    return transformers
