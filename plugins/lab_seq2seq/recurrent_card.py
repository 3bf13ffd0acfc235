"""The settings and the card of the recurrent encoder-decoder."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import model_validator

from lab.api import Architecture, Explanation, ModelConfig, Task, counted, setting, tie_setting


class RecurrentEncoderDecoderConfig(ModelConfig):
    """The settings of the recurrent encoder-decoder."""

    cell: Literal["rnn", "gru", "lstm"] = setting(
        "gru", group="Cell", names={"rnn": "RNN", "gru": "GRU", "lstm": "LSTM"},
        help="Cell of encoder and decoder.",
        cite="Elman 1990; Cho et al. 2014; Hochreiter & Schmidhuber 1997",
    )  # fmt: skip
    layers: int = setting(
        1, ge=1, le=64, unit="layers", counted="layers", group="Size",
        help="Stacked layers of the encoder, and of the decoder. Typical: 1 to 4.",
    )  # fmt: skip
    width: int = setting(
        128, ge=2, le=8192, log=True, unit="units", group="Size",
        help="Units of each layer of the decoder, and channels of the embeddings. Typical: 128 to 1,000.",
    )  # fmt: skip
    encoder_width: int = setting(
        0, ge=0, le=8192, unit="units", label="Encoder width", group="Size", auto=True,
        help="Units of each layer of the encoder in each direction; 0 means the width, shared by both directions. "
        "Typical: 0.",
    )  # fmt: skip
    bidirectional: bool = setting(
        True, group="Encoder", label="Both directions",
        help="Read the source forward and backward, so that each state knows both sides of its token.",
        cite="Schuster & Paliwal 1997; Bahdanau et al. 2015, section 3.2",
    )  # fmt: skip
    reverse_source: bool = setting(
        False, group="Encoder", label="Source reversed",
        help="Read the source from its last token to its first, so that the first tokens of source and target are "
        "close.",
        cite="Sutskever et al. 2014, section 3.3",
    )  # fmt: skip
    attention: Literal["none", "additive", "dot", "general", "concat"] = setting(
        "additive", group="Attention", names={"additive": "additive (Bahdanau)"},
        help="Score by which the decoder reads the states of all tokens of the source: before each new state "
        "(additive), or after it (dot, general, concat). Without, the last state is all it knows.",
        cite="Bahdanau et al. 2015, appendix A.1.2; Luong et al. 2015, eq. 8",
    )  # fmt: skip
    feeding: bool = setting(
        False, group="Attention", label="Input feeding", when={"attention": ("none", "dot", "general", "concat")},
        help="Add what was read of the source for the last token to the next input; without attention, the last state "
        "of the encoder to every input.",
        cite="Luong et al. 2015, section 3.3; Cho et al. 2014, appendix A",
    )  # fmt: skip
    bridge: bool = setting(
        True, group="Encoder", label="Projected state",
        help="Start the decoder from a projection of the encoder's last state, tanh(W h), instead of the state itself.",
        cite="Bahdanau et al. 2015, appendix A.2.2",
    )  # fmt: skip
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True, group="Regularisation",
        help="Share of values set to zero before each layer and before the head in training; never between tokens "
        "within a layer. Typical: 0 to 0.3.",
        cite="Zaremba et al. 2014, section 3.2",
    )  # fmt: skip
    tie: bool = tie_setting(default=False)
    forget_bias: float = setting(
        1.0, ge=-10, le=10, label="Forget-gate bias", group="Initialisation", when={"cell": "lstm"},
        help="Initial bias of the forget gate; 1 retains 73 % of a cell per token, 0 half. Typical: 1.",
        cite="Jozefowicz et al. 2015, section 3.3",
    )  # fmt: skip
    embedding_std: float = setting(
        0.5, gt=0, le=10, log=True, label="Embedding std", group="Initialisation",
        help="Initial standard deviation of the embeddings. Typical: 0.02 to 1.",
    )  # fmt: skip

    @property
    def encoder_units(self) -> int:
        """Units of each direction of the encoder."""
        return self.encoder_width or (self.width // 2 if self.bidirectional else self.width)

    @property
    def memory_width(self) -> int:
        """Units of the states of the encoder, of both directions together."""
        return self.encoder_units * (2 if self.bidirectional else 1)

    @model_validator(mode="after")
    def _widths_fit(self) -> RecurrentEncoderDecoderConfig:
        if self.memory_width != self.width:
            have = f"states of the source have {self.memory_width} units, and those of the decoder {self.width}"
            if self.attention == "dot":
                raise ValueError(f"dot compares states of one width, but {have}: choose general, or another width")
            if not self.bridge:
                raise ValueError(f"{have}: choose a projected state, or another width")
        return self


def state_formula(config: RecurrentEncoderDecoderConfig, task: Task) -> tuple[str, int]:
    """Return the size of the decoding state: the layers of the decoder, and with attention the source."""
    kinds = 2 if config.cell == "lstm" else 1
    parts = [
        (f"{kinds} × {counted(config.layers, 'layers')} × {config.width} units", kinds * config.layers * config.width)
    ]
    if config.attention != "none":
        tokens = task.context_length
        keys = 0 if config.attention == "dot" else config.width
        parts.append((f"{tokens} tokens × {config.memory_width + keys} units", tokens * (config.memory_width + keys)))
    if config.feeding and config.attention != "additive":
        fed = config.memory_width if config.attention == "none" else config.width
        parts.append((f"{fed} units", fed))
    return f"({' + '.join(text for text, _ in parts)}) × 4 bytes", 4 * sum(size for _, size in parts)


def _preset(settings: dict[str, Any], **training: Any) -> dict[str, Any]:
    return {
        "architecture": RecurrentEncoderDecoderConfig(**settings).stored(),
        "objective": {"name": "sequence-to-sequence"},
        "training": training,
    }


_ONE_STATE: dict[str, Any] = {"bidirectional": False, "bridge": False}
_SMALL: dict[str, Any] = {
    "steps": 1500, "batch_size": 64, "clip": 1.0,
    "optimizer": {"name": "adamw", "learning_rate": 3e-3, "weight_decay": 0.0},
    "schedule": {"name": "cosine", "warmup": 50, "floor": 0.05},
}  # fmt: skip
_PUBLISHED: dict[str, Any] = {
    "batch_size": 80, "clip": 1.0, "optimizer": {"name": "adamw", "learning_rate": 1e-3, "weight_decay": 0.0},
    "schedule": {"name": "constant"},
}  # fmt: skip

PRESETS = {
    "small": _preset({**_ONE_STATE, "attention": "none", "reverse_source": True}, **_SMALL),
    "small-attention": _preset({}, **_SMALL),
    "sutskever-2014": _preset(
        {
            **_ONE_STATE, "cell": "lstm", "layers": 4, "width": 1000, "attention": "none", "reverse_source": True,
            "embedding_std": 0.08,
        },
        **_PUBLISHED,
    ),
    "bahdanau-2015": _preset(
        {"width": 1000, "encoder_width": 1000, "embedding_std": 0.01}, **_PUBLISHED,
    ),
    "luong-2015": _preset(
        {
            **_ONE_STATE, "cell": "lstm", "layers": 4, "width": 1000, "reverse_source": True, "attention": "general",
            "feeding": True, "dropout": 0.2, "embedding_std": 0.1,
        },
        **_PUBLISHED,
    ),
}  # fmt: skip
"""Two that a CPU trains in minutes, and the networks of the papers, with as many layers and units as published.

Embeddings are as wide as the state; those of Bahdanau et al. have 620 channels, and a maxout layer of 500.
"""
PRESET_NOTES = {
    "small": "A GRU that reads the source reversed, and a decoder that starts from its last state.",
    "small-attention": "A GRU that reads the source both ways, and additive attention to its states.",
    "sutskever-2014": "Four layers of 1,000 LSTM units, the source reversed; the paper trains it with SGD.",
    "bahdanau-2015": "RNNsearch: 1,000 GRU units in each direction and additive attention; the paper uses Adadelta.",
    "luong-2015": "Four layers of 1,000 LSTM units with general attention and input feeding; the paper uses SGD.",
}
EXPLANATIONS = {
    "cross attention": Explanation(
        shows="The tokens of the source that are read for each token of the target",
        how="Each row adds up to 1. A bright cell is a token that is read: the alignment of both texts.",
        example="Where letters are reversed, the bright cells fall from the upper right to the lower left.",
        formula=r"\alpha_{ij} = \mathrm{softmax}_j(e_{ij})",
        symbols={
            r"\alpha_{ij}": "the weight of token j of the source for token i of the target",
            "e_{ij}": "its score",
        },
        parts={r"\alpha_{ij}": "attention", "e_{ij}": "attention"},
        question="attention",
    ),
    "source summary": Explanation(
        shows="The state of the decoder before its first token: all that it knows of the source without attention",
        how="Texts that only differ in what this state has forgotten get the same translation.",
        example="128 numbers for a source of 5 letters and for one of 50.",
        formula=r"s_0 = \tanh(W_s h)",
        symbols={
            "s_0": "the state before the first token",
            "W_s": "the projection of the last state of the encoder, if there is one",
            "h": "the last state of the encoder",
        },
        parts={"W_s": "bridges.0", "h": "encoder"},
        question="memory",
    ),
}

CARD = Architecture(
    name="recurrent-encoder-decoder",
    title="Recurrent encoder-decoder",
    family="recurrent",
    summary="One recurrent network reads the source, another writes the target: from its last state alone, or with "
    "attention to the states of all its tokens.",
    config=RecurrentEncoderDecoderConfig,
    build="lab_seq2seq.recurrent:build",
    tasks=frozenset({"sequence-to-sequence"}),
    presets=PRESETS,
    preset_notes=PRESET_NOTES,
    state_formula=state_formula,
    explanations=EXPLANATIONS,
    equations=(
        r"h_j = \mathrm{cell}(h_{j-1}, E_s x_j)",
        r"\mathrm{no\ attention:}\ s_0 = h_S, \quad s_i = \mathrm{cell}(s_{i-1}, E y_{i-1}), \quad t_i = s_i",
        r"\mathrm{additive:}\ e_{ij} = v^\top \tanh(W s_{i-1} + U h_j), \quad \alpha_{ij} = \mathrm{softmax}_j(e_{ij})",
        r"c_i = \sum_j \alpha_{ij} h_j, \quad s_i = \mathrm{cell}(s_{i-1}, [E y_{i-1}; c_i])",
        r"t_i = \mathrm{maxout}(W_t [s_i; E y_{i-1}; c_i])",
        r"\mathrm{dot:}\ e_{ij} = s_i^\top h_j, \quad \mathrm{general:}\ e_{ij} = s_i^\top U h_j",
        r"t_i = \tanh(W_c [c_i; s_i])",
        r"p(y_i \mid y_1 \dots y_{i-1}, x) = \mathrm{softmax}(V t_i + b)",
    ),
    symbols={
        "x_j": "token j of the source",
        "h_j": "the state of the encoder at token j; of both directions, if it reads both ways",
        "h_S": "its last state",
        "E_s": "the embedding of the source",
        "E": "the embedding of the target",
        "s_i": "the state of the decoder",
        "y_{i-1}": "the last token written",
        "e_{ij}": "the score of token j for what is written next",
        r"\alpha_{ij}": "the weight with which it is read",
        "c_i": "what is read of the source",
        "t_i": "what the head reads",
        "W": "the matrix that the state of the decoder is compared by",
        "U": "the matrix that the states of the source are compared by",
        "v": "the vector that makes a score of their sum",
        "W_t": "the matrix of the maxout layer, two rows for each of its units",
        "W_c": "the matrix that joins state and context",
        "V": "the output head",
        "b": "the bias of the head",
        "p": "the probability of the next token",
    },
    symbol_parts={
        "x_j": "source_embedding",
        "E_s": "source_embedding",
        "h_j": "encoder",
        "h_S": "encoder",
        "E": "embedding",
        "y_{i-1}": "embedding",
        "s_i": "layers.0",
        "e_{ij}": "attention",
        r"\alpha_{ij}": "attention",
        "c_i": "attention",
        "W": "attention.query",
        "U": "attention",
        "v": "attention.energy",
        "t_i": "combine",
        "W_t": "combine",
        "W_c": "combine",
        "V": "output",
        "b": "output",
        "p": "output",
    },
    symbol_settings={"e_{ij}": "attention"},
    references=(
        "Sutskever, Vinyals & Le 2014, Sequence to Sequence Learning with Neural Networks",
        "Cho et al. 2014, Learning Phrase Representations using RNN Encoder-Decoder",
        "Bahdanau, Cho & Bengio 2015, Neural Machine Translation by Jointly Learning to Align and Translate",
        "Luong, Pham & Manning 2015, Effective Approaches to Attention-based Neural Machine Translation",
    ),
)
"""The card."""
