"""The cards of sources that give a text."""

from __future__ import annotations

from lab.api import Corpus, Register, hookimpl
from lab.sources.texts.dyck import DyckConfig
from lab.sources.texts.grammar import GrammarConfig
from lab.sources.texts.hidden_markov import HiddenMarkovConfig
from lab.sources.texts.markov import MarkovConfig


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    """Register generated texts whose entropy rate is known."""
    register(
        Corpus(
            name="markov",
            title="Markov chain",
            build="lab.sources.texts.markov:markov",
            config=MarkovConfig,
            summary="Each letter is drawn by the few before it: at random, or as they follow each other in a file.",
            tests="Whether a model finds the probabilities behind short contexts, and stops there: all that can be "
            "known of the next letter stands in the last few.",
            expected="An n-gram of order k + 1 represents a chain of order k and reaches its rate first, from the "
            "fewest letters. Every network whose context holds k letters comes as close with more of them: a "
            "transformer needs a head for each place, a recurrent or state-space layer keeps them in its state. "
            "What a larger model loses above the n-gram is overfitting.",
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
            summary="Hidden states follow each other and each emits a letter; the next letter depends on all before.",
            tests="Whether a model keeps a belief over what it cannot see and updates it with each letter: no number "
            "of last letters holds all that can be known, though each further one adds less.",
            expected="Recurrent and state-space models, whose state can follow the forward algorithm step by step. "
            "Transformers get as close with enough layers and context, and keep the belief in their residual stream. "
            "N-grams fall short by what the letters before their context would add.",
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
            summary="English about children and animals from a probabilistic context-free grammar without ambiguity.",
            tests="Spelling, word order, and what reaches over whole clauses: a verb agrees with a noun that other "
            "clauses stand behind, and each clause that was opened must end.",
            expected="Transformers and LSTMs, which learn to agree over clauses in between; gated and state-space "
            "layers come near. N-grams know the words and lose the agreement and the nesting. A context-free "
            "language needs a stack, so every model of fixed size fails where clauses nest deeper than in training.",
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
            summary="Nested brackets of k kinds: which one may close, and whether one may, depends on a stack.",
            tests="Counting and a stack: the depth says whether a bracket may open or close, the last one that is "
            "open says of which kind the closing one is.",
            expected="With one kind and no maximum depth it takes a counter: LSTMs count, GRUs and recurrent layers "
            "with tanh do not (Weiss et al. 2018; Merrill et al. 2020). With several kinds it takes a stack: up to a "
            "maximum depth recurrent layers hold it in a state of that size (Hewitt et al. 2020) and transformers "
            "find the match with two layers (Yao et al. 2021), while no transformer of fixed size does it at every "
            "length (Hahn 2020), and without a stack of their own all fall off beyond the lengths they were trained "
            "on (Delétang et al. 2023). N-grams know no match beyond their context. A model that is asked in the "
            "middle of a text cannot know the stack before its context, so what is lost falls with the context.",
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
