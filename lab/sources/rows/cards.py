"""Generated rows: the cards of their sources."""

from __future__ import annotations

from lab.api import Corpus, Register, hookimpl
from lab.sources.rows.dates import DatesConfig
from lab.sources.rows.digits import DigitsConfig
from lab.sources.rows.draws import RowsConfig
from lab.sources.rows.numbers import CurveConfig, LinearRuleConfig
from lab.sources.rows.phrases import PhrasesConfig
from lab.sources.rows.points import PointsConfig
from lab.sources.rows.polarity import PolarityConfig
from lab.sources.rows.reversal import ReversalConfig
from lab.sources.rows.shapes import ShapesConfig
from lab.sources.rows.topics import TopicsConfig

LAB_API_VERSION = 2

_SUTSKEVER = "Sutskever, Vinyals and Le 2014, Sequence to Sequence Learning with Neural Networks"
_BAHDANAU = (
    "Bahdanau, Cho and Bengio 2015, Neural Machine Translation by Jointly Learning to Align and Translate (ICLR)"
)
_BAYES = "Hastie, Tibshirani and Friedman 2009, The Elements of Statistical Learning, section 2.4 (Bayes rate)"

_CARDS = (
    Corpus(
        name="reversal",
        title="Reversed letters",
        build="lab.sources.rows.reversal:reversal",
        kind="pairs",
        config=ReversalConfig,
        summary="Random strings, each with the same letters from the last to the first: cab and bac.",
        tests="Whether a decoder finds for each letter the one place of the source where it stands.",
        expected="Attention to the source solves it and shows a falling diagonal. A recurrent encoder without it must "
        "hold the string in one state, so its size limits the length.",
        references=(_SUTSKEVER, _BAHDANAU),
    ),
    Corpus(
        name="dates",
        title="Dates in one format",
        build="lab.sources.rows.dates:dates",
        kind="pairs",
        config=DatesConfig,
        summary="Dates as people write them, each with its form in ISO 8601: 4 March 2025 and 2025-03-04.",
        tests="Whether a model finds day, month and year in any of 14 spellings, and writes them in another order.",
        expected="Every encoder with attention solves it, and its attention shows where each part is read. The century "
        "of a year in two digits follows from the range of years.",
        references=(_BAHDANAU,),
    ),
    Corpus(
        name="phrases",
        title="Phrase book of a made language",
        build="lab.sources.rows.phrases:phrases",
        kind="pairs",
        config=PhrasesConfig,
        summary="English sentences, each with its translation into a language of eight rules without exceptions.",
        tests="Whether a model learns to translate: words, another word order, and endings that agree with a word "
        "elsewhere in the sentence.",
        expected="Encoder and decoder with attention learn it nearly without mistakes, words first, agreement last.",
        references=(_SUTSKEVER, _BAHDANAU),
    ),
    Corpus(
        name="polarity",
        title="Opinions with negation",
        build="lab.sources.rows.polarity:polarity",
        kind="labels",
        config=PolarityConfig,
        summary='Opinions that are positive or negative: "the soup was not good" is negative.',
        tests="Whether a model reads negation and contrast, or only counts words: where two clauses disagree, the main "
        "one decides, and the same words in another order have the other label.",
        expected="Attention and recurrent networks solve it. What only counts words stays at chance on texts with a "
        "contrast.",
        references=("Socher et al. 2013, Recursive Deep Models for Semantic Compositionality (EMNLP)",),
    ),
    Corpus(
        name="topics",
        title="Topics",
        build="lab.sources.rows.topics:topics",
        kind="labels",
        config=TopicsConfig,
        summary="Short texts about sport, kitchen, weather and other topics, in which some words mislead.",
        tests="Whether a model weighs all words of a text: each is evidence, none is proof, and their order means "
        "nothing.",
        expected="Counting words is all there is to do, so a linear classifier is as good as any network, and no model "
        "gets below the stated loss.",
        references=(
            "McCallum and Nigam 1998, A Comparison of Event Models for Naive Bayes Text Classification",
            _BAYES,
        ),
    ),
    Corpus(
        name="parts-of-speech",
        title="Parts of speech",
        build="lab.sources.rows.speech:parts_of_speech",
        kind="labels",
        config=RowsConfig,
        summary="Sentences in which each word is labelled as noun, verb, adjective and so on.",
        tests="Whether a model uses both sides of a word: in the light plants fall, light is an adjective since a noun "
        "follows.",
        expected="Models that read in both directions solve it. One that reads from left to right cannot know what "
        "follows, and one that sees each word alone loses what the facts of the run state.",
        references=("Marcus, Santorini and Marcinkiewicz 1993, Building a Large Annotated Corpus of English",),
    ),
    Corpus(
        name="points",
        title="Points in the plane",
        build="lab.sources.rows.points:points",
        kind="vectors",
        config=PointsConfig,
        summary="Points of two or more classes that form moons, circles, spirals, squares or clouds.",
        tests="Whether a network bends its border between the classes as the data demand.",
        expected="A linear model separates only the clouds. One hidden layer bends around moons, circles and XOR; "
        "spirals need width or depth. With noise no model gets below the stated loss.",
        references=("Minsky and Papert 1969, Perceptrons (XOR)", _BAYES),
        variants={shape: {"shape": shape} for shape in ("moons", "circles", "spirals", "xor", "blobs")},
    ),
    Corpus(
        name="sine",
        title="A noisy wave",
        build="lab.sources.rows.numbers:curve",
        kind="vectors",
        config=CurveConfig,
        summary="Positions, each with the height of a sine wave, of steps or of a sawtooth there and some noise, which "
        "is to be predicted.",
        tests="Whether a network fits a curve and not its noise: the mean squared error of the wave itself is the "
        "square of the noise.",
        expected="Networks learn slow waves sooner than fast ones. A linear model stays near the variance of the wave.",
        references=(
            "Rahaman et al. 2019, On the Spectral Bias of Neural Networks (ICML)",
            "Telgarsky 2016, Benefits of Depth in Neural Networks (COLT)",
            _BAYES,
        ),
        variants={shape: {"shape": shape} for shape in ("step", "sawtooth")},
    ),
    Corpus(
        name="linear-rule",
        title="A linear rule with noise",
        build="lab.sources.rows.numbers:linear_rule",
        kind="vectors",
        config=LinearRuleConfig,
        summary="Rows of normal numbers, each with a weighted sum of them and noise, which is to be predicted.",
        tests="What happens where a model has as many weights as there are rows, and beyond: all rows can be fitted, "
        "noise included.",
        expected="The error is largest where weights and rows are equally many, and falls again with more weights. "
        "Gradient descent from zeros finds the smallest weights of all that fit. No model gets below the noise.",
        references=(
            "Belkin et al. 2019, Reconciling Modern Machine-Learning Practice and the Bias-Variance Trade-Off",
            "Hastie, Montanari, Rosset and Tibshirani 2022, Surprises in High-Dimensional Ridgeless Least Squares "
            "Interpolation",
            "Heckel and Yilmaz 2021, Early Stopping in Deep Networks: Double Descent and How to Eliminate It",
        ),
    ),
    Corpus(
        name="digits",
        title="Drawn digits",
        build="lab.sources.rows.digits:digits",
        kind="images",
        config=DigitsConfig,
        summary="Small grey pictures of the digits 0 to 9, drawn with strokes that differ in form, slant and width.",
        tests="Whether a model recognises a form wherever it lies and however it is drawn.",
        expected="Convolutions and attention over patches get nearly all of them right; a linear model confuses digits "
        "that share strokes. The lowest possible loss is not known; it is close to 0.",
        references=("LeCun et al. 1998, Gradient-Based Learning Applied to Document Recognition",),
    ),
    Corpus(
        name="shapes",
        title="Coloured shapes",
        build="lab.sources.rows.shapes:shapes",
        kind="images",
        config=ShapesConfig,
        summary="Pictures of circles, squares and other shapes, with the shape as class or a caption of what is seen.",
        tests="Whether a model tells forms apart in any colour and size; with captions, whether it binds size, colour "
        "and position to the right shape.",
        expected="Models of patches learn colours first, then forms and sizes, and relations last. The lowest possible "
        "loss is not known; it is close to 0.",
        references=(
            "Johnson et al. 2017, CLEVR: A Diagnostic Dataset for Compositional Language and Visual Reasoning",
        ),
    ),
)


@hookimpl
def lab_register_corpora(register: Register[Corpus]) -> None:
    """Register pairs, labelled texts, points and pictures."""
    for card in _CARDS:
        register(card)
