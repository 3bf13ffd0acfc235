"""Generated texts: the cards of their sources."""

from __future__ import annotations

from lab.api import Corpus, Register, hookimpl
from lab.sources.texts.dyck import DyckConfig
from lab.sources.texts.grammar import GrammarConfig
from lab.sources.texts.hidden_markov import HiddenMarkovConfig
from lab.sources.texts.markov import MarkovConfig

LAB_API_VERSION = 2


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    """Register generated texts with known entropy rates."""
    register(
        Corpus(
            name="markov",
            title="Markov chain",
            build="lab.sources.texts.markov:markov",
            config=MarkovConfig,
            summary="Each letter depends on the few letters before it, with random probabilities or those of a file.",
            tests="Whether a model learns the probabilities of short contexts and ignores the rest: the last few "
            "letters hold all information about the next one.",
            expected="An n-gram of order k + 1 represents a chain of order k and reaches its rate first, from the "
            "fewest letters. Every network whose context holds k letters comes as close with more of them: a "
            "transformer needs a head for each position, a recurrent or state-space layer holds them in its state. "
            "If a larger model has a higher loss than the n-gram, it overfits.",
            references=(
                "Shannon 1948, A Mathematical Theory of Communication, sections 3 to 7",
                "Cover & Thomas 2006, Elements of Information Theory, theorem 4.2.4",
                "Makkuva et al. 2024, Attention with Markov: A Framework for Principled Analysis of Transformers via "
                "Markov Chains",
            ),
        )
    )
    register(
        Corpus(
            name="hidden-markov",
            title="Hidden Markov model",
            build="lab.sources.texts.hidden_markov:hidden_markov",
            config=HiddenMarkovConfig,
            summary="Hidden states follow each other and each emits a letter; the next letter depends on all previous "
            "ones.",
            tests="Whether a model maintains a belief over hidden states and updates it with each letter: no fixed "
            "number of last letters holds all that can be known, though each further one adds less.",
            expected="Recurrent and state-space models, whose state can follow the forward algorithm step by step. "
            "Transformers get as close with enough layers and context, with the belief in their residual stream. "
            "N-grams lack the information in letters before their context.",
            references=(
                "Rabiner 1989, A Tutorial on Hidden Markov Models and Selected Applications in Speech Recognition",
                "Cover & Thomas 2006, Elements of Information Theory, theorem 4.5.1 (bounds of the rate)",
                "Shai et al. 2024, Transformers Represent Belief State Geometry in their Residual Stream",
            ),
        )
    )
    register(
        Corpus(
            name="grammar",
            title="Sentences of a grammar",
            build="lab.sources.texts.grammar:grammar",
            config=GrammarConfig,
            summary="English about children and animals from an unambiguous probabilistic context-free grammar.",
            tests="Spelling, word order, and dependencies across clauses: a verb agrees with a noun across other "
            "clauses, and each open clause must end.",
            expected="Transformers and LSTMs, which learn to agree over clauses in between; gated and state-space "
            "layers come close. N-grams learn the words but not agreement and nesting. A context-free language needs "
            "a stack, so every model of fixed size fails when clauses nest deeper than in training.",
            references=(
                "Chomsky 1956, Three Models for the Description of Language",
                "Chi 1999, Statistical Properties of Probabilistic Context-Free Grammars (its entropy)",
                "Linzen, Dupoux & Goldberg 2016, Assessing the Ability of LSTMs to Learn Syntax-Sensitive Dependencies",
                "Allen-Zhu & Li 2023, Physics of Language Models, Part 1: Learning Hierarchical Language Structures",
                "Delétang et al. 2023, Neural Networks and the Chomsky Hierarchy",
            ),
        )
    )
    register(
        Corpus(
            name="dyck",
            title="Brackets (Dyck-k)",
            build="lab.sources.texts.dyck:dyck",
            config=DyckConfig,
            summary="Nested brackets of k kinds: a stack determines which bracket may close, and whether one may.",
            tests="Counting and a stack: the depth determines whether a bracket may open or close, the last open "
            "bracket determines the kind of the closing one.",
            expected="With one kind and no maximum depth it takes a counter: LSTMs count, GRUs and recurrent layers "
            "with tanh do not (Weiss et al. 2018; Merrill et al. 2020). With several kinds it takes a stack: up to a "
            "maximum depth recurrent layers hold it in a state of that size (Hewitt et al. 2020) and transformers "
            "find the match with two layers (Yao et al. 2021), while no transformer of fixed size does so at every "
            "length (Hahn 2020), and without their own stack all fail beyond the trained lengths (Delétang et "
            "al. 2023). N-grams find no match beyond their context. A model that starts in the middle of a text "
            "cannot know the stack before its context, so the loss falls with the context length.",
            references=(
                "Chomsky & Schützenberger 1963, The Algebraic Theory of Context-Free Languages",
                "Weiss, Goldberg & Yahav 2018, On the Practical Computational Power of Finite Precision RNNs",
                "Merrill et al. 2020, A Formal Hierarchy of RNN Architectures",
                "Hahn 2020, Theoretical Limitations of Self-Attention in Neural Sequence Models",
                "Hewitt et al. 2020, RNNs Can Generate Bounded Hierarchical Languages with Optimal Memory",
                "Yao et al. 2021, Self-Attention Networks Can Process Bounded Hierarchical Languages",
                "Delétang et al. 2023, Neural Networks and the Chomsky Hierarchy",
            ),
        )
    )
