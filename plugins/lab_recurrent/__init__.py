"""Recurrent networks: Elman's, gated recurrent units, long short-term memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from lab.api import Architecture, Mixer, ModelConfig, Probe, Task, counted, hookimpl, setting, tie_setting
from lab_recurrent import explanations
from lab_recurrent.presets import GRU_PRESETS, LSTM_PRESETS, RNN_PRESETS

LAB_API_VERSION = 2
RECORDED = ("influence", "gradient-by-lag", "recurrent-matrices", "state", "eigenvalues")
"""Probes that all runs record; their readings at one step take some tenths of a second, mostly for influence."""


def _recurrent_setting() -> Any:
    """Declare the field of the initial recurrent matrices."""
    return setting(
        "orthogonal",
        label="Recurrent init",
        group="Initialisation",
        names={"xavier": "Xavier"},
        help="Initialisation of the recurrent matrix of each gate: a rotation, Xavier's uniform numbers, the identity "
        "(meant for ReLU), or uniform numbers within 1 / √width, as in torch.",
        cite="Saxe et al. 2014; Glorot & Bengio 2010; Le et al. 2015",
    )


class RecurrentConfig(ModelConfig):
    """The settings that all recurrent networks share."""

    layers: int = setting(
        1, ge=1, le=64, unit="layers", counted="layers", group="Size",
        help="Stacked recurrent layers. Typical: 1 to 3.",
    )  # fmt: skip
    width: int = setting(
        128, ge=1, le=8192, log=True, unit="units", group="Size",
        help="Units of each layer, and channels of the embedding. Typical: 128 to 1,024.",
    )  # fmt: skip
    dropout: float = setting(
        0.0, ge=0, lt=1, live=True,
        group="Regularisation",
        help="Share of values set to zero before each layer and before the head in training; never between tokens "
        "within a layer. Typical: 0 to 0.5.",
        cite="Zaremba et al. 2014, section 3.2",
    )  # fmt: skip
    tie: bool = tie_setting()
    initialisation: Literal["orthogonal", "xavier", "identity", "uniform"] = _recurrent_setting()
    embedding_std: float = setting(
        0.5, gt=0, le=10, log=True,
        label="Embedding std", group="Initialisation",
        help="Initial standard deviation of embedding and head. With large ones gates can separate symbols from the "
        "first step on; small ones generalise better after long training. Typical: 0.02 to 1.",
    )  # fmt: skip


class LSTMCellConfig(ModelConfig):
    """The settings of cells of long short-term memory."""

    forget_bias: float = setting(
        1.0, ge=-10, le=10, label="Forget-gate bias", group="Initialisation",
        help="Initial bias of the forget gate; 1 retains 73 % of a cell per token, 0 half. Typical: 1.",
        cite="Gers et al. 2000; Jozefowicz et al. 2015, section 3.3",
    )  # fmt: skip
    peephole: bool = setting(
        False, label="Peepholes", group="Cell",
        help="Let the gates of each unit see its cell state too; the cells are then computed one token at a "
        "time, which takes longer.",
        cite="Gers & Schmidhuber 2000; Graves 2013, eqs. 7-11",
    )  # fmt: skip
    layer_norm: bool = setting(
        False, label="LayerNorm", group="Cell",
        help="Normalise the terms of input, state and cell over the units; this takes longer too.",
        cite="Ba et al. 2016, eqs. 20-22",
    )  # fmt: skip


class RNNConfig(RecurrentConfig):
    """The settings of Elman's network."""

    nonlinearity: Literal["tanh", "relu"] = setting(
        "tanh", group="Cell", names={"relu": "ReLU"},
        help="Nonlinearity of the new state: tanh keeps it between −1 and 1, ReLU lets it grow.",
        cite="Elman 1990; Le et al. 2015",
    )  # fmt: skip


class GRUConfig(RecurrentConfig):
    """The settings of the gated recurrent unit."""


class LSTMConfig(LSTMCellConfig, RecurrentConfig):
    """The settings of long short-term memory."""


class RecurrentMixerConfig(ModelConfig):
    """The settings of a recurrent layer in the blocks of a pattern."""

    initialisation: Literal["orthogonal", "xavier", "identity", "uniform"] = _recurrent_setting()


class LSTMMixerConfig(LSTMCellConfig, RecurrentMixerConfig):
    """The settings of a layer of long short-term memory in the blocks of a pattern."""


def _state(kinds: int) -> Callable[[RecurrentConfig, Task], tuple[str, int]]:
    """Return the formula of a state with `kinds` vectors per layer."""

    def state_formula(config: RecurrentConfig, task: Task) -> tuple[str, int]:
        del task
        formula = f"{counted(config.layers, 'layers')} × {config.width} units × 4 bytes"
        return f"{kinds} × {formula}" if kinds > 1 else formula, kinds * config.layers * config.width * 4

    return state_formula


def _cell(unit: str) -> dict[str, str]:
    """Return the symbols of a cell whose first matrices lead to `unit`."""
    return {
        "x_t": "the input at token t",
        "h_t": "the hidden state after token t",
        f"W_{{i{unit}}}": "matrices from the input, one for each gate",
        f"W_{{h{unit}}}": "matrices from the state before, one for each gate",
        f"b_{{i{unit}}}": "the biases of input and state",
    }


def _cell_parts(unit: str, first: str) -> dict[str, str]:
    """Return the parts that the symbols of a cell are linked to, the matrices to the part `first`."""
    matrices = (f"W_{{i{unit}}}", f"W_{{h{unit}}}", f"b_{{i{unit}}}")
    return {"x_t": "embedding", "h_t": "tokens", **dict.fromkeys(matrices, first)}


_GRU_EQUATIONS = (
    r"r_t = \sigma(W_{ir} x_t + b_{ir} + W_{hr} h_{t-1} + b_{hr})",
    r"z_t = \sigma(W_{iz} x_t + b_{iz} + W_{hz} h_{t-1} + b_{hz})",
    r"n_t = \tanh(W_{in} x_t + b_{in} + r_t \odot (W_{hn} h_{t-1} + b_{hn}))",
    r"h_t = (1 - z_t) \odot n_t + z_t \odot h_{t-1}",
)
_GRU_SYMBOLS = {
    **_cell("r"),
    r"\sigma": "the logistic function",
    "r_t": "the reset gate: how much of the state the candidate sees",
    "z_t": "the update gate: how much of the state is retained",
    "n_t": "the candidate for the new state",
}
_GRU_SYMBOL_PARTS = {
    **_cell_parts("r", "reset gate"),
    "r_t": "reset gate",
    "z_t": "update gate",
    "n_t": "candidate",
}
_LSTM_EQUATIONS = (
    r"i_t = \sigma(W_{ii} x_t + b_{ii} + W_{hi} h_{t-1} + b_{hi})",
    r"f_t = \sigma(W_{if} x_t + b_{if} + W_{hf} h_{t-1} + b_{hf})",
    r"g_t = \tanh(W_{ig} x_t + b_{ig} + W_{hg} h_{t-1} + b_{hg})",
    r"o_t = \sigma(W_{io} x_t + b_{io} + W_{ho} h_{t-1} + b_{ho})",
    r"c_t = f_t \odot c_{t-1} + i_t \odot g_t, \qquad h_t = o_t \odot \tanh(c_t)",
)
_LSTM_SYMBOLS = {
    **_cell("i"),
    r"\sigma": "the logistic function",
    "i_t": "the input gate: how much is written",
    "f_t": "the forget gate: how much of the cell is retained",
    "g_t": "the candidate that is written",
    "o_t": "the output gate: how much of the cell is read",
    "c_t": "the cell after token t",
}
_LSTM_SYMBOL_PARTS = {
    **_cell_parts("i", "input gate"),
    "c_t": "tokens",
    "i_t": "input gate",
    "f_t": "forget gate",
    "g_t": "cell candidate",
    "o_t": "output gate",
}
_MIXERS: tuple[tuple[str, str, type[ModelConfig], tuple[str, ...], dict[str, str], dict[str, str]], ...] = (
    ("gru", "GRU", RecurrentMixerConfig, _GRU_EQUATIONS, _GRU_SYMBOLS, _GRU_SYMBOL_PARTS),
    ("lstm", "LSTM", LSTMMixerConfig, _LSTM_EQUATIONS, _LSTM_SYMBOLS, _LSTM_SYMBOL_PARTS),
)


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register a card for each kind of cell."""
    register(
        Architecture(
            name="rnn",
            title="Recurrent network",
            family="recurrent",
            summary="Elman's network: one hidden state, mixed with each token and passed through tanh or ReLU. The "
            "memory of a token, or its gradient, fades or explodes within some tens of tokens.",
            config=RNNConfig,
            build="lab_recurrent.model:build_rnn",
            presets=RNN_PRESETS,
            equations=(
                r"h_t = f(W_{ih} x_t + b_{ih} + W_{hh} h_{t-1} + b_{hh}), \qquad f = \tanh\ \mathrm{or}\ \mathrm{ReLU}",
            ),
            symbols={**_cell("h"), "f": "the nonlinearity"},
            symbol_parts=_cell_parts("h", "hidden state"),
            symbol_settings={"f": "nonlinearity"},
            references=(
                "Elman 1990, Finding Structure in Time",
                "Bengio, Simard & Frasconi 1994, Learning Long-Term Dependencies with Gradient Descent Is Difficult",
                "Mikolov et al. 2010, Recurrent Neural Network Based Language Model",
                "Pascanu, Mikolov & Bengio 2013, On the Difficulty of Training Recurrent Neural Networks",
                "Le, Jaitly & Hinton 2015, A Simple Way to Initialize Recurrent Networks of Rectified Linear Units",
            ),
            records=RECORDED,
            state_formula=_state(1),
        )
    )
    register(
        Architecture(
            name="gru",
            title="GRU",
            family="recurrent",
            summary="Gated recurrent units: one gate controls how much of the state is retained, another how much of "
            "it the new candidate sees.",
            config=GRUConfig,
            build="lab_recurrent.model:build_gru",
            presets=GRU_PRESETS,
            equations=_GRU_EQUATIONS,
            symbols=_GRU_SYMBOLS,
            symbol_parts=_GRU_SYMBOL_PARTS,
            references=(
                "Cho et al. 2014, Learning Phrase Representations using RNN Encoder-Decoder",
                "Chung et al. 2014, Empirical Evaluation of Gated Recurrent Neural Networks on Sequence Modeling",
            ),
            records=(*RECORDED, "gates"),
            state_formula=_state(1),
        )
    )
    register(
        Architecture(
            name="lstm",
            title="LSTM",
            family="recurrent",
            summary="Long short-term memory: besides the hidden state there is a cell that gates write, retain and "
            "read, so that gradients reach over many tokens.",
            config=LSTMConfig,
            build="lab_recurrent.model:build_lstm",
            presets=LSTM_PRESETS,
            equations=_LSTM_EQUATIONS,
            symbols=_LSTM_SYMBOLS,
            symbol_parts=_LSTM_SYMBOL_PARTS,
            references=(
                "Hochreiter & Schmidhuber 1997, Long Short-Term Memory",
                "Gers, Schmidhuber & Cummins 2000, Learning to Forget: Continual Prediction with LSTM",
                "Gers & Schmidhuber 2000, Recurrent Nets that Time and Count (peepholes)",
                "Graves 2013, Generating Sequences With Recurrent Neural Networks",
                "Zaremba, Sutskever & Vinyals 2014, Recurrent Neural Network Regularization",
                "Jozefowicz, Zaremba & Sutskever 2015, An Empirical Exploration of Recurrent Network Architectures",
                "Ba, Kiros & Hinton 2016, Layer Normalization",
            ),
            records=(*RECORDED, "gates"),
            state_formula=_state(2),
        )
    )


@hookimpl
def lab_register_mixers(register: Callable[[Mixer], None]) -> None:
    """Register gated cells as mixers of a pattern; a stack of them is offered as an architecture already."""
    for name, title, config, equations, symbols, parts in _MIXERS:
        own = {symbol: "blocks.0.token" if part in ("tokens", "embedding") else part for symbol, part in parts.items()}
        register(
            Mixer(
                name=name,
                title=title,
                kind="token",
                config=config,
                build=f"lab_recurrent.mixers:{name}",
                summary=f"A recurrent layer of {title} cells, whose hidden states are its output.",
                equations=equations,
                symbols=symbols,
                symbol_parts=own,
                alone=False,
            )
        )


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probes: gradients through time, recurrent matrices, gates, components of the states."""
    register(
        Probe(
            name="gradient-by-lag",
            title="Gradient by lag",
            build="lab_recurrent.probes:gradient_by_lag",
            summary="Norm of the gradient of a loss with respect to the hidden state some tokens before, relative to "
            "that at the token itself; with the bound for an RNN (Pascanu et al. 2013, equations 5 to 7).",
            explanations=explanations.GRADIENT,
        )
    )
    register(
        Probe(
            name="recurrent-matrices",
            title="Recurrent matrices",
            build="lab_recurrent.probes:matrices",
            summary="Singular values and spectral radius of the matrices that multiply the state at each token.",
            explanations=explanations.MATRICES,
        )
    )
    register(
        Probe(
            name="gates",
            title="Gates",
            build="lab_recurrent.probes:gates",
            summary="The share of tokens at which the gates of each unit are nearly shut or open (Karpathy et al. "
            "2015), and the number of tokens after which the unit has forgotten half.",
            explanations=explanations.GATES,
        )
    )
    register(
        Probe(
            name="state-components",
            title="State components",
            build="lab_recurrent.probes:components",
            summary="The hidden states of the text along their principal directions.",
            explanations=explanations.COMPONENTS,
        )
    )
