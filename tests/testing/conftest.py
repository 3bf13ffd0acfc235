import pytest


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Compute in one thread, without importing torch before a test needs it."""
    import torch

    torch.set_num_threads(1)
