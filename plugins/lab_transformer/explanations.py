"""Explanations of the readings of the probes of attention."""

from __future__ import annotations

from lab.api import Explanation

SCORES = {
    "score histogram": Explanation(
        shows="How large the scores of queries and keys are, divided by √D and not",
        how="The wider a head, the larger its scores. Divided by √D they stay near 0, and the softmax stays soft.",
        example="In heads of 64 channels the divided scores are an eighth of the others.",
        formula=r"\frac{q \cdot k}{\sqrt{D}}",
        symbols={
            "q": "the query of a position",
            "k": "the key of a token",
            "D": "the width of a head",
        },
        parts={"q": "query", "k": "key"},
        question="attention",
    ),
    "largest weight": Explanation(
        shows="How large the largest weight of a row is on average, with and without the division by √D",
        how="Near 1 the softmax picks a single token, and its gradient vanishes.",
        example="0.1 where ten tokens are read: all of them count alike.",
        formula=r"\max_s\, \mathrm{softmax}\left(\frac{q k^\top}{\sqrt{D}}\right)_s",
        symbols={
            "q": "the query of a position",
            "k": "the keys of the tokens",
            "D": "the width of a head",
            "s": "a token that is read",
            r"\mathrm{softmax}": "makes the row positive with the sum 1",
        },
        parts={"q": "query", "k": "key"},
        question="attention",
    ),
}
CIRCUITS = {
    "composition": Explanation(
        shows="How much each head reads of what heads in earlier blocks have written",
        how="A row is a head that reads, a column an earlier head that writes; queries, keys and values are separate.",
        example="An induction head reads, through its keys, what a previous-token head has written.",
        formula=r"\frac{\|W_{QK} W_{OV}\|_F}{\|W_{QK}\|_F\, \|W_{OV}\|_F}",
        symbols={
            "W_{QK}": "what the later head reads: the product of its query and key matrices",
            "W_{OV}": "what the earlier head writes: the product of its output and value matrices",
            r"\|\cdot\|_F": "the size of a matrix (Frobenius norm)",
        },
        parts={"W_{QK}": "query", "W_{OV}": "value"},
        question="work",
    ),
    "copying": Explanation(
        shows="Whether each head raises the probability of the tokens that it reads",
        how="Near 1 it copies what it attends to into the output, near -1 it lowers it.",
        example="Heads that write again what came before stand near 1.",
        formula=r"\frac{\sum_i \lambda_i}{\sum_i |\lambda_i|}, \quad W_U W_{OV} W_E\, v_i = \lambda_i v_i",
        symbols={
            r"\lambda_i": "the eigenvalues of the map from the symbol read to the logits",
            "v_i": "the eigenvectors: mixtures of symbols",
            "W_U": "the output layer",
            "W_{OV}": "what the head writes of what it reads",
            "W_E": "the embedding",
        },
        parts={"W_U": "unembedding", "W_{OV}": "value", "W_E": "embedding"},
        question="work",
    ),
}
PERMUTATION = {
    "permutation": Explanation(
        shows="How far the predictions change when the text is read in another order",
        how="Without positions and mask the change is 0: attention alone does not know the order of its inputs.",
        example="0.5 at a token: its logits change by half of their size when the text is read in another order.",
        formula=r"\frac{\| f(P X) - P f(X) \|}{\| P f(X) \|}",
        symbols={
            "f": "the logits of the model",
            "P": "another order of the tokens",
            "X": "the tokens of the text",
        },
        question="attention",
    )
}
POSITIONS = {
    "position scores": Explanation(
        shows="What positions alone add to a score, by the distance of two tokens",
        how="ALiBi falls in a line, rotary positions oscillate. Rotary scores at untrained distances are untrained; "
        "learned positions end at the trained length.",
        example="With ALiBi and eight heads the first one loses 0.5 for each token of distance, the last one 0.004.",
        formula=r"\mathrm{rotary:}\ \frac{2}{D} \sum_i \cos(k \theta_i), \quad \mathrm{ALiBi:}\ -m_h\, k",
        symbols={
            "k": "the distance of the two tokens",
            "D": "the width of a head",
            r"\theta_i": "the angle by which a position turns pair i of the channels",
            "m_h": "the slope of head h",
        },
        question="attention",
    ),
    "positions": Explanation(
        shows="The encodings of the positions themselves",
        how="A row is a channel, a column a position. Sines and cosines show as waves of growing length.",
        example="The first pair of channels repeats after 6.3 positions, the last of 128 channels only after 54,000.",
        formula=r"\sin\left(t / 10000^{2i/C}\right), \quad \cos\left(t / 10000^{2i/C}\right)",
        symbols={
            "t": "the position",
            "i": "the number of the pair of channels",
            "C": "the number of channels",
        },
        question="attention",
    ),
}
