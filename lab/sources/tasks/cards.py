"""The cards of sources that give examples with scored positions."""

from __future__ import annotations

from lab.api import Corpus, Register, hookimpl
from lab.sources.tasks.arithmetic import AdditionConfig, ModularConfig
from lab.sources.tasks.automata import AutomatonConfig, CycleConfig
from lab.sources.tasks.order import OrderConfig
from lab.sources.tasks.recall import InductionConfig, RecallConfig, SelectiveCopyingConfig
from lab.sources.tasks.strings import StringConfig

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
        tests="Whether a model keeps a whole string and gives it back token by token.",
        expected="Attention looks each token up and learns it fast. A recurrent state must hold the string: its size "
        "bounds the length. Longer strings than trained ones need positions that reach there.",
        references=(_GRAVES, _JELASSI),
        tokenizer="symbol",
    ),
    Corpus(
        name="reverse",
        title="Reverse",
        build="lab.sources.tasks.strings:reversing",
        config=StringConfig,
        summary="A random string, then the same from its end: cab|bac.",
        tests="Whether a model can read its memory in the opposite order, as a stack does.",
        expected="Recurrent networks with a stack reach longer strings. Attention learns the trained lengths and fails "
        "beyond them, plain recurrent networks lose the earliest symbols.",
        references=(_CHOMSKY, _GRAVES),
        tokenizer="symbol",
    ),
    Corpus(
        name="sort",
        title="Sort",
        build="lab.sources.tasks.strings:sorting",
        config=StringConfig,
        summary="A random string, then its symbols in the order of the alphabet: cab|abc.",
        tests="Whether a model counts how often each symbol came; their order does not matter.",
        expected="LSTMs count and reach longer strings, attention does nearly as well.",
        references=(_CHOMSKY,),
        tokenizer="symbol",
    ),
    Corpus(
        name="induction",
        title="Induction",
        build="lab.sources.tasks.recall:induction",
        config=InductionConfig,
        summary="Random tokens, then the same again without a separator.",
        tests="Whether a model finds the last place where the present token stood and predicts what followed it.",
        expected="Attention of two layers learns it all at once, when induction heads form; one layer can only learn "
        "the distance. Only a match of contents holds at other lengths. Recurrent states hold too little.",
        references=("Olsson et al. 2022, In-context Learning and Induction Heads",),
        tokenizer="symbol",
    ),
    Corpus(
        name="selective-copying",
        title="Selective copying",
        build="lab.sources.tasks.recall:selective_copying",
        config=SelectiveCopyingConfig,
        summary="A few data tokens at random places among noise, then these tokens in order.",
        tests="Whether what a model keeps depends on what it reads: the places differ from example to example.",
        expected="Attention and selective or gated recurrences (Mamba, LSTM) solve it. Convolutions and linear "
        "recurrences whose weights do not depend on the input (S4) cannot.",
        references=(_MAMBA, "Jing et al. 2019, Gated Orthogonal Recurrent Units: On Learning to Forget"),
        tokenizer="symbol",
    ),
    Corpus(
        name="mqar",
        title="Associative recall (MQAR)",
        build="lab.sources.tasks.recall:associative_recall",
        config=RecallConfig,
        summary="Keys with their values, then each key once more: which value belongs to it?",
        tests="How many pairs a model recalls at once, many questions in one sequence as in language.",
        expected="Attention recalls all pairs at any width. Models with a state of fixed size need one that grows with "
        "the pairs: delta rules and wide linear attention before Mamba, that before gated convolutions.",
        references=("Arora et al. 2024, Zoology: Measuring and Improving Recall in Efficient Language Models (ICLR)",),
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
        tokenizer="symbol",
    ),
    Corpus(
        name="even-pairs",
        title="Even pairs",
        build="lab.sources.tasks.automata:even_pairs",
        config=AutomatonConfig,
        summary="A string of 0 and 1, then whether an odd number of neighbours differ: 0110=0",
        tests="What looks like counting, and is a comparison of the first symbol with the last.",
        expected="Nearly all solve it: RNNs and LSTMs at any length, transformers well beyond the trained ones.",
        references=(_CHOMSKY,),
        tokenizer="symbol",
    ),
    Corpus(
        name="cycle-navigation",
        title="Cycle navigation",
        build="lab.sources.tasks.automata:cycle_navigation",
        config=CycleConfig,
        summary="Steps back and forth on a cycle, then the place where the walk ends: >.>=2",
        tests="Whether a model keeps a state of several values: a counter modulo the length of the cycle.",
        expected="RNNs and LSTMs solve it at any length. Transformers and linear recurrences with positive eigenvalues "
        "do not get beyond the trained lengths.",
        references=(_CHOMSKY, _GRAZZI, _MERRILL),
        tokenizer="symbol",
    ),
    Corpus(
        name="modular-addition",
        title="Modular addition",
        build="lab.sources.tasks.arithmetic:modular_addition",
        config=ModularConfig,
        summary="Sums modulo a number, one symbol for each number, part of all pairs held out: 3 + 4 = 2",
        tests="Whether a model finds the rule behind a table it has seen a part of, long after it knows that part.",
        expected="Transformers grok: the validation loss falls long after the training loss, sooner with weight decay "
        "and more trained pairs. A table of counts never learns a held-out pair.",
        references=(
            "Power et al. 2022, Grokking: Generalization Beyond Overfitting on Small Algorithmic Datasets",
            "Nanda et al. 2023, Progress Measures for Grokking via Mechanistic Interpretability (ICLR)",
        ),
        tokenizer="symbol",
    ),
    Corpus(
        name="addition",
        title="Addition",
        build="lab.sources.tasks.arithmetic:addition",
        config=AdditionConfig,
        summary="Sums of two numbers digit by digit: 12+34=46.",
        tests="Whether a model learns an algorithm: to align digits and to carry.",
        expected="Transformers learn it, much faster if the sum is written from its last digit on, and hardly reach "
        "more digits than were trained.",
        references=("Lee et al. 2023, Teaching Arithmetic to Small Transformers",),
        tokenizer="symbol",
    ),
    Corpus(
        name="temporal-order",
        title="Temporal order",
        build="lab.sources.tasks.order:temporal_order",
        config=OrderConfig,
        summary="A long random sequence with two or three X and Y far apart, then the class of their order.",
        tests="Whether a model keeps rare symbols and their order over a long stretch of noise.",
        expected="LSTMs and other gated recurrences solve it, plain RNNs do not, since their gradients vanish. "
        "Attention finds X and Y by content.",
        references=("Hochreiter and Schmidhuber 1997, Long Short-Term Memory, section 5.6",),
        tokenizer="symbol",
    ),
)


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    """Register tasks whose best possible loss is known."""
    for card in _CARDS:
        register(card)
