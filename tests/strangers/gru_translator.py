"""Two GRUs and additive attention: the translator of Bahdanau et al. 2015, RNNsearch.

Equations are numbered as in the paper; those named A.… are of its appendix A.
"""

import torch
from torch import Tensor, nn

from lab.api import Architecture, Explanation, ModelConfig, Register, State, Task, hookimpl, setting
from lab.layers import LanguageModel

LAB_API_VERSION = 2


class TranslatorConfig(ModelConfig):
    width: int = setting(64, ge=1, le=4096, unit="channels", help="Channels of embeddings and of each GRU's state.")


class GRUTranslator(LanguageModel):
    def __init__(self, config: TranslatorConfig, task: Task) -> None:
        super().__init__(config, task)
        assert task.source_vocabulary_size is not None  # it reads a source
        C = config.width
        self.source_embedding = nn.Embedding(task.source_vocabulary_size, C)
        self.target_embedding = nn.Embedding(task.vocabulary_size, C)
        self.ahead = nn.GRU(C, C, batch_first=True)
        self.back = nn.GRU(C, C, batch_first=True)
        self.first = nn.Linear(C, C)  # W_s
        self.query = nn.Linear(C, C, bias=False)  # W_a
        self.key = nn.Linear(2 * C, C)  # U_a
        self.energy = nn.Linear(C, 1, bias=False)  # v_a
        self.decoder = nn.GRUCell(3 * C, C)
        self.output = nn.Linear(4 * C, 2 * C)  # U_o, V_o, C_o
        self.head = nn.Linear(C, task.vocabulary_size)  # W_o

    def start(self, batch: int, **given: Tensor) -> State:
        source = given["source"]  # (B, S)
        mask = given.get("source_mask", source >= 0)  # all True: a text that is being written has no padded source
        x = self.source_embedding(source)
        rows, place = torch.arange(batch, device=x.device)[:, None], torch.arange(x.shape[1], device=x.device)
        turned = (mask.sum(dim=1, keepdim=True) - 1 - place) % x.shape[1]  # back from the end; then padding
        back = self.back(x[rows, turned])[0][rows, turned]
        h = torch.cat([self.ahead(x)[0], back], dim=-1).to(x.dtype)  # (7), (B, S, 2C)
        s = self.first(back[:, 0]).tanh().to(x.dtype)  # A.2.2, (B, C)
        return s, h, self.key(h), mask

    def step(self, tokens: Tensor, state: State) -> tuple[Tensor, State]:
        s, h, keys, mask = state
        e = self.energy((self.query(s)[:, None] + keys).tanh())[..., 0]  # A.1.2, (B, S)
        a = e.masked_fill(~mask, -torch.inf).softmax(dim=-1)  # (6)
        self.report("alignment", a, axes=("batch", "source"))
        c = (a[..., None] * h).sum(dim=1)  # (5), (B, 2C)
        y = self.target_embedding(tokens)
        s = self.decoder(torch.cat([y, c], dim=-1), s).to(s.dtype)  # A.2.2
        t = self.output(torch.cat([s, y, c], dim=-1)).unflatten(-1, (-1, 2)).amax(dim=-1)  # maxout; s_i as in (4)
        return self.head(t), (s, h, keys, mask)


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="gru-translator",
            title="GRU translator",
            family="recurrent",
            summary="One GRU reads the source both ways, another writes and looks where to read.",
            config=TranslatorConfig,
            build=GRUTranslator,
            tasks=frozenset({"sequence-to-sequence"}),
            equations=(
                r"e_{ij} = v^\top \tanh(W s_{i-1} + U h_j)",
                r"c_i = \sum_j \mathrm{softmax}_j(e_{ij})\, h_j",
                r"s_i = \mathrm{GRU}(s_{i-1}, [y_{i-1}; c_i])",
            ),
            symbols={
                "e_{ij}": "how well token j of the source fits what is written next",
                "h_j": "what both directions of the encoder say of token j",
                "c_i": "what is read of the source",
                "s_i": "the state of the decoder",
                "y_{i-1}": "the embedding of the last token written",
                "v, W, U": "weights",
            },
            explanations={
                "alignment": Explanation(
                    shows="Which tokens of the source are read for each token of the target",
                    how="Each row adds up to 1; a bright cell is a token that is read.",
                    example="Where a string is reversed, the bright cells fall from right to left.",
                    question="attention",
                )
            },
            references=("Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate",),
        )
    )
