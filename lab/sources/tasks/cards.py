"""Generated examples: the cards of the sources whose positions are scored."""

from __future__ import annotations

from lab.api import Corpus, Register, hookimpl
from lab.sources.tasks.arithmetic import AdditionConfig, ModularConfig
from lab.sources.tasks.automata import AutomatonConfig, CycleConfig
from lab.sources.tasks.order import OrderConfig
from lab.sources.tasks.recall import InductionConfig, RecallConfig, SelectiveCopyingConfig
from lab.sources.tasks.strings import StringConfig

LAB_API_VERSION = 2

_CHOMSKY = "Delétang et al. 2023, Neural Networks and the Chomsky Hierarchy (ICLR)"
_GRAVES = "Graves, Wayne and Danihelka 2014, Neural Turing Machines"
_JELASSI = "Jelassi et al. 2024, Repeat After Me: Transformers are Better than State Space Models at Copying (ICML)"
_MAMBA = "Gu and Dao 2023, Mamba: Linear-Time Sequence Modeling with Selective State Spaces"
_GRAZZI = "Grazzi et al. 2025, Unlocking State-Tracking in Linear RNNs Through Negative Eigenvalues (ICLR)"
_MERRILL = "Merrill, Petty and Sabharwal 2024, The Illusion of State in State-Space Models (ICML)"

_CARDS = (
    Corpus(
        name="copy",
        title="Copy",
        build="lab.sources.tasks.strings:copying",
        config=StringConfig,
        summary="A random string, then the same again: cab|cab.",
        tests="Whether a model stores a complete string and reproduces it token by token.",
        expected="Attention looks up each token and learns this fast. A recurrent state must hold the string, so its "
        "size limits the length. Strings longer than in training need positions that extend that far.",
        references=(_GRAVES, _JELASSI),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="reverse",
        title="Reverse",
        build="lab.sources.tasks.strings:reversing",
        config=StringConfig,
        summary="A random string, then its reverse: cab|bac.",
        tests="Whether a model can read its memory in the opposite order, as a stack does.",
        expected="Recurrent networks with a stack generalise to longer strings. Attention learns the trained lengths "
        "and fails beyond them; plain recurrent networks lose the earliest symbols.",
        references=(_CHOMSKY, _GRAVES),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="sort",
        title="Sort",
        build="lab.sources.tasks.strings:sorting",
        config=StringConfig,
        summary="A random string, then its symbols in alphabetical order: cab|abc.",
        tests="Whether a model counts how often each symbol occurred; their order does not matter.",
        expected="LSTMs count and generalise to longer strings; attention does nearly as well.",
        references=(_CHOMSKY,),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="induction",
        title="Induction",
        build="lab.sources.tasks.recall:induction",
        config=InductionConfig,
        summary="Different random tokens, then the last of them again; how many differs from example to example.",
        tests="Whether a model finds the last occurrence of the current token and predicts what followed it.",
        expected="Two layers of attention learn it suddenly, when induction heads form; one layer cannot, since the "
        "distance is drawn separately for each example. At a constant distance one layer learns it by position.",
        references=("Olsson et al. 2022, In-context Learning and Induction Heads",),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="selective-copying",
        title="Selective copying",
        build="lab.sources.tasks.recall:selective_copying",
        config=SelectiveCopyingConfig,
        summary="A few data tokens at random positions among noise, then these tokens in order.",
        tests="Whether what a model stores depends on what it reads: the positions differ from example to example.",
        expected="Attention and selective or gated recurrences (Mamba, LSTM) solve it. Convolutions and linear "
        "recurrences whose weights do not depend on the input (S4) cannot.",
        references=(_MAMBA, "Jing et al. 2019, Gated Orthogonal Recurrent Units: On Learning to Forget"),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="mqar",
        title="Associative recall (MQAR)",
        build="lab.sources.tasks.recall:associative_recall",
        config=RecallConfig,
        summary="Keys with their values, then each key again: the model gives its value.",
        tests="How many pairs a model can recall, with many questions in one sequence as in language.",
        expected="Attention recalls all pairs at any width. Models with a state of fixed size need one that grows with "
        "the pairs: delta rules and wide linear attention do better than Mamba, and Mamba better than gated "
        "convolutions.",
        references=("Arora et al. 2024, Zoology: Measuring and Improving Recall in Efficient Language Models (ICLR)",),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="parity",
        title="Parity",
        build="lab.sources.tasks.automata:parity",
        config=AutomatonConfig,
        summary="A string of 0 and 1, then whether it has an odd number of 1: 0110=0",
        tests="Whether a model carries one bit of state that every symbol may change.",
        expected="RNNs and LSTMs solve it at any length. Transformers stay near chance beyond trained lengths. Linear "
        "recurrences need negative eigenvalues: Mamba and linear attention fail without them.",
        references=(_CHOMSKY, _GRAZZI),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="even-pairs",
        title="Even pairs",
        build="lab.sources.tasks.automata:even_pairs",
        config=AutomatonConfig,
        summary="A string of 0 and 1, then whether an odd number of neighbours differ: 0110=0",
        tests="A task that looks like counting, but only needs the first and the last symbol.",
        expected="Nearly all solve it: RNNs and LSTMs at any length, transformers well beyond the trained ones.",
        references=(_CHOMSKY,),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="cycle-navigation",
        title="Cycle navigation",
        build="lab.sources.tasks.automata:cycle_navigation",
        config=CycleConfig,
        summary="Steps back and forth on a cycle, then the position where the walk ends: >.>=2",
        tests="Whether a model tracks a state of several values: a counter modulo the length of the cycle.",
        expected="RNNs and LSTMs solve it at any length. Transformers and linear recurrences with positive eigenvalues "
        "do not generalise beyond the trained lengths.",
        references=(_CHOMSKY, _GRAZZI, _MERRILL),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="modular-addition",
        title="Modular addition",
        build="lab.sources.tasks.arithmetic:modular_addition",
        config=ModularConfig,
        summary="Sums modulo a number, one symbol for each number, some pairs held out: 3 + 4 = 2",
        tests="Whether a model finds the rule of a table from a part of it, long after memorising that part.",
        expected="Transformers grok: the validation loss falls long after the training loss, sooner with weight decay "
        "and more trained pairs. A table of counts never learns a held-out pair.",
        references=(
            "Power et al. 2022, Grokking: Generalization Beyond Overfitting on Small Algorithmic Datasets",
            "Nanda et al. 2023, Progress Measures for Grokking via Mechanistic Interpretability (ICLR)",
        ),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="addition",
        title="Addition",
        build="lab.sources.tasks.arithmetic:addition",
        config=AdditionConfig,
        summary="Sums of two numbers digit by digit: 12+34=46.",
        tests="Whether a model learns an algorithm: aligning digits and carrying.",
        expected="Transformers learn it, much faster if the sum is written from its last digit on, and hardly "
        "generalise to more digits than in training.",
        references=("Lee et al. 2023, Teaching Arithmetic to Small Transformers",),
        kind="examples",
        tokenizer="symbol",
    ),
    Corpus(
        name="temporal-order",
        title="Temporal order",
        build="lab.sources.tasks.order:temporal_order",
        config=OrderConfig,
        summary="A long random sequence with two or three X and Y far apart, then the class of their order.",
        tests="Whether a model remembers rare symbols and their order through long noise.",
        expected="LSTMs and other gated recurrences solve it, plain RNNs do not, since their gradients vanish. "
        "Attention finds X and Y by content.",
        references=("Hochreiter and Schmidhuber 1997, Long Short-Term Memory, section 5.6",),
        kind="examples",
        tokenizer="symbol",
    ),
)


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    """Register tasks whose best possible loss is known."""
    for card in _CARDS:
        register(card)
