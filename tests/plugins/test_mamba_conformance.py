"""The conformance suite on Mamba and Mamba-2: cards as they are, and variants that are far from them."""

import pytest

from lab.testing import conformance
from lab_ssm.mamba.cards import Mamba2Config, MambaConfig

pytestmark = pytest.mark.long

SMALL = {"layers": 2, "width": 16, "dropout": 0.1}

test_mamba_as_it_is = conformance("mamba", plugin="lab_ssm")
test_mamba_2_as_it_is = conformance("mamba2", plugin="lab_ssm")
test_signed_eigenvalues_with_biases_and_a_head_of_its_own = conformance(
    "mamba", plugin="lab_ssm",
    config=MambaConfig(
        **SMALL, state=3, expand=3, dt_rank=5, eigenvalues="signed", bias=True, conv_bias=False, tie=False
    ),
)  # fmt: skip
test_groups_and_limits = conformance(
    "mamba2", plugin="lab_ssm",
    config=Mamba2Config(
        **SMALL, state=5, head_width=4, groups=4, bias=True, convolution=2, step_least=0.01, step_most=0.5, tie=False
    ),
)  # fmt: skip
