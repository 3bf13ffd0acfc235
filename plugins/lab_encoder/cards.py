"""The cards of the encoder and of ELECTRA."""

from __future__ import annotations

from lab.api import Architecture
from lab_encoder.explanations import REPLACED
from lab_encoder.presets import ELECTRA_PRESETS, PRESET_NOTES, PRESETS
from lab_encoder.settings import ElectraConfig, EncoderConfig
from lab_encoder.sizes import ELECTRA_SIZES, SIZES

_EMBEDDED = r"x_t = W_E\, \mathrm{norm}(E_{w_t} + P_t + S_{s_t})"
_ATTENTION = r"A_h = \mathrm{softmax}\!\left(Q_h K_h^\top / \sqrt{D}\right) V_h"
_ATTENDED = r"x \leftarrow \mathrm{norm}(x + [A_1, \dots, A_H]\, W^O)"
_FED = r"x \leftarrow \mathrm{norm}(x + W_2\, f(W_1\, x))"
_SYMBOLS = {
    "x_t": "the residual stream, a vector for each token",
    "W_E": "the matrix to the width, where the embedding is narrower",
    "E_{w_t}": "the trained embedding of the token",
    "P_t": "the position, where positions are added",
    "S_{s_t}": "the vector of the segment that the token belongs to",
    "A_h": "what head h reads, of all tokens of the text",
    "Q_h": "the queries of head h",
    "K_h": "the keys of head h",
    "V_h": "the values of head h",
    "D": "the width of a head",
    "H": "the number of heads",
    "W^O": "the matrix that joins the heads",
    "W_1": "the matrix to the hidden units",
    "W_2": "the matrix back to the channels",
    "f": "the activation",
}
_PARTS = {
    "E_{w_t}": "embedding", "P_t": "positions", "Q_h": "query", "K_h": "key", "V_h": "value", "A_h": "tokens",
}  # fmt: skip
_SETTINGS = {"H": "heads", "D": "head_width", "f": "feed_forward", "S_{s_t}": "segments", "W_E": "embedding_width"}

ENCODER = Architecture(
    name="encoder",
    title="Encoder",
    family="transformer",
    summary="Reads a text both ways, as BERT does: predicts hidden tokens, classes, or numbers, and writes nothing.",
    config=EncoderConfig,
    build="lab_encoder.model:build",
    tasks=frozenset({"masked", "next-sentence", "classification", "regression"}),
    presets=PRESETS,
    preset_notes=PRESET_NOTES,
    sizes=SIZES,
    equations=(
        _EMBEDDED,
        _ATTENTION,
        _ATTENDED,
        _FED,
        r"p(w_t \mid \mathrm{all\ others}) = \mathrm{softmax}(U\, \mathrm{norm}(f(W\, x_t)) + b)",
    ),
    symbols={
        **_SYMBOLS,
        "w_t": "the token at position t",
        "U": "the head; the embedding itself if both are tied",
        "W": "the matrix before the head",
        "b": "the biases of the head",
        "p": "the probability of the hidden token",
    },
    symbol_parts={
        **_PARTS,
        "W_1": "blocks.0.channel.inner",
        "W_2": "blocks.0.channel.outer",
        "W^O": "blocks.0.token.output",
        "U": "output",
        "W": "transform",
        "b": "output",
        "p": "output",
    },
    symbol_settings=_SETTINGS,
    references=(
        "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
        "Liu et al. 2019, RoBERTa: A Robustly Optimized BERT Pretraining Approach",
        "Lan et al. 2020, ALBERT: A Lite BERT for Self-supervised Learning of Language Representations",
        "Sanh et al. 2019, DistilBERT, a distilled version of BERT",
        "Schuster & Paliwal 1997, Bidirectional Recurrent Neural Networks",
    ),
)
ELECTRA = Architecture(
    name="electra",
    title="ELECTRA",
    family="transformer",
    summary="An encoder that learns from every token: it tells those that a small generator replaced from the others.",
    config=ElectraConfig,
    build="lab_encoder.electra:build",
    tasks=frozenset({"replaced-tokens", "classification", "regression"}),
    presets=ELECTRA_PRESETS,
    sizes=ELECTRA_SIZES,
    equations=(
        _EMBEDDED,
        _ATTENTION,
        _ATTENDED,
        _FED,
        r"\hat{w}_t \sim p_G(w_t \mid \mathrm{all\ others})",
        r"D(\hat{w}, t) = \sigma(u^\top f(W\, x_t))",
        r"\mathcal{L} = \mathcal{L}_D + \mathcal{L}_G / \lambda",
    ),
    symbols={
        **_SYMBOLS,
        r"\hat{w}_t": "the token that the generator puts in place of a hidden one",
        "p_G": "the probabilities of the generator, a narrower encoder",
        r"D(\hat{w}, t)": "the probability that the token at t was replaced",
        r"\sigma": "the logistic function",
        "u": "the weights of the discriminator's head",
        "W": "the matrix before its head",
        r"\mathcal{L}_D": "the loss of the discriminator, of all tokens",
        r"\mathcal{L}_G": "the loss of the generator, of the hidden tokens",
        r"\lambda": "the weight of the discriminator's loss",
    },
    symbol_parts={
        **_PARTS,
        "W_1": "discriminator.blocks.0.channel.inner",
        "W_2": "discriminator.blocks.0.channel.outer",
        "W^O": "discriminator.blocks.0.token.output",
        r"\hat{w}_t": "generator",
        "p_G": "generator",
        r"D(\hat{w}, t)": "discriminator.output",
        "u": "discriminator.output",
        "W": "discriminator.transform",
        r"\mathcal{L}_D": "discriminator",
        r"\mathcal{L}_G": "generator",
        r"\lambda": "discriminator",
    },
    symbol_settings={**_SETTINGS, "p_G": "generator_share"},
    explanations=REPLACED,
    references=(
        "Clark et al. 2020, ELECTRA: Pre-training Text Encoders as Discriminators Rather Than Generators",
        "Devlin et al. 2018, BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    ),
)
