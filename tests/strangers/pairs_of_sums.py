"""Pairs of a sum and its result, 12+34= and 46: an algorithm for models that read a source and write a target."""

import numpy as np

from lab.api import ENTROPY_RATE, Corpus, ModelConfig, Pairs, Register, hookimpl, setting, uniforms

LAB_API_VERSION = 2


class SumsConfig(ModelConfig):
    digits: int = setting(2, ge=1, le=9, unit="digits", help="Most digits of a number; from 1 on equally likely.")
    rows: int = setting(5000, ge=20, le=200_000, log=True, unit="rows", help="Sums drawn; repeated ones are left out.")
    seed: int = setting(0, ge=0, lt=2**63, help="Of the sums; more rows start with the same ones.")


def sums(config: SumsConfig) -> Pairs:
    draws = uniforms(config.seed, np.arange(config.rows), 4)  # (rows, 4) in [0, 1)
    digits = 1 + (config.digits * draws[:, :2]).astype(np.int64)
    numbers = (10**digits * draws[:, 2:]).astype(np.int64)
    distinct = dict.fromkeys(map(tuple, numbers.tolist()))  # so no sum is in both parts
    return Pairs(
        "sums",
        [f"{a}+{b}=" for a, b in distinct],
        [str(a + b) for a, b in distinct],
        floors={ENTROPY_RATE: 0.0},  # the result follows from the sum
    )


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    register(
        Corpus(
            name="pairs-of-sums",
            title="Pairs of sums",
            build=sums,
            config=SumsConfig,
            kind="pairs",
            summary="Sums of two numbers as sources, their results as targets: 12+34= and 46.",
            tests="Whether a decoder aligns two numbers, and knows a carry before it writes the digit that causes it.",
            expected="Attention to the source finds the digits; short sums are learned first, carries last.",
        )
    )
