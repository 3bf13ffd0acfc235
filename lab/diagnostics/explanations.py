"""Explanations of the readings of the lab's own probes and layers."""

from __future__ import annotations

from lab.api import Explanation

REPORTS = {
    "attention": Explanation(
        shows="How much of each earlier token every position takes in, head by head",
        how="Rows are the tokens that read, columns those that are read; each row adds up to 1. It shows where "
        "information may come from, not whether it was used.",
        example="A bright line just below the diagonal is a head that reads the previous token.",
        formula=r"A = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{D}}\right)",
        symbols={
            "A": "the share of its input that each position takes from each token",
            "Q": "what each position asks for: its input times the query matrix",
            "K": "what each token offers: its input times the key matrix",
            "D": "the width of a head",
            r"\mathrm{softmax}": "makes each row positive with the sum 1",
        },
        parts={"A": "attention", "Q": "query", "K": "key"},
        question="attention",
    ),
    "mixing": Explanation(
        shows="The weights with which a layer adds up its inputs, for any architecture",
        how="Rows are positions of the output, columns the tokens that enter them. Weights may be negative.",
        example="A fan that fades to the left of the diagonal is a layer that forgets at a steady rate.",
        formula=r"y_t = \sum_{s \leq t} M_{ts}\, x_s",
        symbols={
            "y_t": "the output of the layer at position t",
            "M_{ts}": "the weight of token s at position t",
            "x_s": "the input of the layer at token s",
        },
        parts={"M_{ts}": "tokens"},
        question="attention",
    ),
    "cross attention": Explanation(
        shows="How much of each position of the source every position of the target takes in, head by head",
        how="Rows are positions of the target, columns those of the source; each row adds up to 1.",
        example="A bright diagonal is a target that follows its source position by position; a reversed one runs "
        "from the upper right to the lower left.",
        formula=r"A = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{D}}\right)",
        symbols={
            "A": "the share of its input that each position takes from the source",
            "Q": "what each position of the target asks for",
            "K": "what each position of the source offers",
            "D": "the width of a head",
            r"\mathrm{softmax}": "makes each row positive with the sum 1",
        },
        parts={"Q": "query", "K": "key"},
        question="attention",
    ),
    "residual": Explanation(
        shows="The residual stream after each block: what is passed on from block to block",
        how="A row is a channel, a column a token. Blocks add to this stream, so its size usually grows with depth.",
        example="A few channels much larger than all others occur in most trained transformers.",
        formula=r"x_{l+1} = x_l + f_l(\mathrm{norm}(x_l))",
        symbols={
            "x_l": "the residual stream before block l",
            "f_l": "what block l adds",
            r"\mathrm{norm}": "brings the numbers of a position to one size",
        },
        parts={"f_l": "block", r"\mathrm{norm}": "blocks.0.token_norm"},
        question="memory",
    ),
    "embedding": Explanation(
        shows="The vectors with which the tokens enter the model",
        how="A row is a channel, a column a token. Equal tokens have equal columns, unless positions are added.",
        example="Letters that occur in similar contexts get similar columns during the training.",
        formula=r"x_t = E_{w_t}",
        symbols={
            "x_t": "the vector of position t",
            "E": "the table of embeddings, one row for each symbol",
            "w_t": "the symbol at position t",
        },
        parts={"E": "embedding"},
        question="memory",
    ),
    "activation": Explanation(
        shows="The hidden units of the feed-forward layer, token by token",
        how="A row is a unit, a column a token. A unit that is near zero adds nothing at this token.",
        example="A unit that lights up only after a line break has learned to notice line breaks.",
        formula=r"h = f(W_1\, \mathrm{norm}(x))",
        symbols={
            "h": "the hidden units",
            "f": "the activation function",
            "W_1": "the first matrix of the feed-forward layer",
            r"\mathrm{norm}": "brings the numbers of a position to one size",
            "x": "the residual stream",
        },
        parts={"h": "channels", "W_1": "up", r"\mathrm{norm}": "blocks.0.channel_norm"},
        question="work",
    ),
}
REPORTS |= {f"encoder {name}": REPORTS[name] for name in ("mixing", "residual", "embedding", "activation")}
"""Of the readings that the lab's layers report."""

SURPRISE = {
    "surprise": Explanation(
        shows="How unexpected each token of the text was to the model, in nats",
        how="0 is a token predicted with certainty; ln V is what guessing among V symbols would cost.",
        example="Inside a word the bars are low, at the start of a new word they are high.",
        formula=r"-\ln p(w_t \mid w_1, \ldots, w_{t-1})",
        symbols={
            "p": "the probability that the model gave",
            "w_t": "the token at position t",
            r"w_1, \ldots, w_{t-1}": "the tokens before it",
        },
        question="prediction",
    )
}
LOGIT_LENS = {
    "logit lens": Explanation(
        shows="What the model would predict if it ended after each block",
        how="Rows are the blocks, columns the tokens; each cell has the most likely next token. The colour is the "
        "distance to the final prediction. Early rows may say nothing although the block knows more, since the output "
        "layer was trained for the last block alone.",
        example="Where the colour fades, the prediction was settled: common words early, rare ones late.",
        formula=r"\mathrm{KL}\left(p_L \,\|\, \mathrm{softmax}(W_U\, \mathrm{norm}(x_l))\right)",
        symbols={
            r"\mathrm{KL}": "the distance of two predictions (Kullback and Leibler)",
            "p_L": "the prediction after the last block",
            "W_U": "the output layer",
            "x_l": "the residual stream after block l",
            r"\mathrm{norm}": "the norm before the output layer",
            r"\mathrm{softmax}": "turns scores into probabilities",
        },
        parts={"W_U": "unembedding", "x_l": "block", r"\mathrm{norm}": "norm"},
        question="prediction",
    )
}
HEAD_SCORES = {
    "head scores": Explanation(
        shows="How widely and how far back each attention head reads, and its kind",
        how="Choose a measure above: entropy says how widely a head reads, mean distance how far it looks back. The "
        "shares are measured on the text, those of induction on random tokens written twice, so that they do not "
        "depend on your text.",
        example="A share near 1 on the previous token is a previous-token head; a high induction share often appears "
        "suddenly during the training, with a drop of the loss.",
        formula=r"H = -\sum_s A_{ts} \log_2 A_{ts}, \quad d = \sum_s A_{ts}\, |t - s|",
        symbols={
            "H": "the entropy in bits, as a mean over positions",
            "d": "the mean distance in tokens, likewise",
            "A_{ts}": "the share that position t takes from token s",
        },
        parts={"A_{ts}": "attention"},
        question="attention",
    )
}
ROLLOUT = {
    "rollout": Explanation(
        shows="How much of each token is left at each position after all layers",
        how="Rows are positions, columns the tokens they come from. It assumes that every layer passes on half of its "
        "input and mixes the other half by the mean of its heads.",
        example="A bright first column is usual: much attention falls on the first token.",
        formula=r"R = \prod_l \frac{1}{2}(I + \bar{A}_l)",
        symbols={
            "R": "what is left of each token at each position",
            r"\bar{A}_l": "the map of block l, as the mean of its heads",
            "I": "the identity: what the residual stream passes on",
        },
        parts={r"\bar{A}_l": "tokens"},
        question="attention",
    )
}
INFLUENCE = {
    "influence": Explanation(
        shows="How strongly each token affects the prediction at each position, for any architecture",
        how="Rows are predictions, columns tokens. Compare models by the shares of each row, since sizes depend on "
        "how large embeddings have grown.",
        example="For a recurrent network the rows fade to the left: what was long ago hardly counts.",
        formula=r"\left\| \frac{\partial \ell_{w_{t+1}}}{\partial e_s} \right\|",
        symbols={
            r"\ell_{w_{t+1}}": "the logarithm of the probability of the token that came next",
            "e_s": "the embedding of token s",
            r"\partial": "how much one changes with the other",
        },
        parts={"e_s": "embedding"},
        question="gradient",
    )
}
STATE = {
    "state norm": Explanation(
        shows="The size of each layer's state after each token",
        how="Where it keeps rising, nothing is forgotten; where it is level, as much goes as comes.",
        example="A state that only adds up grows with the text; one that fades levels off.",
        formula=r"\sqrt{\sum_i |S_{t,i}|^2}",
        symbols={
            "S_{t,i}": "number i of the state after token t",
        },
        parts={"S_{t,i}": "tokens"},
        question="memory",
    ),
    "effective rank": Explanation(
        shows="How many directions of the state are in use after each token",
        how="It is at most the smaller side of the state. One that stays low is not used; a full one has to overwrite.",
        example="A state with four equal singular values, and zeros otherwise, has rank 4.",
        formula=r"\exp\left(-\sum_i p_i \ln p_i\right), \quad p_i = \frac{\sigma_i}{\sum_j \sigma_j}",
        symbols={
            r"\sigma_i": "the singular values of the state",
            "p_i": "the share of direction i",
        },
        parts={r"\sigma_i": "tokens"},
        question="memory",
    ),
}
EIGENVALUES = {
    "eigenvalues": Explanation(
        shows="What one token multiplies the state by, as points in the complex plane",
        how="On the unit circle a state lasts, inside it fades; an angle turns it.",
        example="A value near -1 flips with each token, which is what counting odd and even needs.",
        formula=r"\lambda: \ \frac{\partial S_t}{\partial S_{t-1}} v = \lambda v",
        symbols={
            "S_t": "the state after token t",
            r"\lambda": "an eigenvalue: what a direction is multiplied by",
            "v": "a direction of the state",
            r"\partial": "how much one changes with the other",
        },
        parts={"S_t": "tokens"},
        question="memory",
    )
}
MEMORY = {
    "influence by lag": Explanation(
        shows="How far a token some way back still moves the state, against the last token",
        how="The axis counts tokens back. A line that falls straight on a logarithmic axis forgets at a steady rate.",
        example="0.1 at lag 20: a token twenty steps back moves the state a tenth as far as the last one.",
        formula=r"\frac{\| \partial S_T / \partial e_{T-k} \|}{\| \partial S_T / \partial e_T \|}",
        symbols={
            "S_T": "the state after the last token",
            "e_{T-k}": "the embedding of the token k steps back",
            r"\partial": "how much one changes with the other",
        },
        parts={"S_T": "tokens", "e_{T-k}": "embedding"},
        question="memory",
    ),
    "recall by lag": Explanation(
        shows="How often a linear probe reads a token some way back from the state",
        how="1 is always right; the line of chance is a state that a linear reader knows nothing from.",
        example="A recall of 0.9 at lag 8 means that the token eight steps back is still written in the state.",
        formula=r"\frac{1}{N} \sum_t [\, \hat{w}_{t-k} = w_{t-k} \,]",
        symbols={
            "N": "how many tokens are read",
            "w_{t-k}": "the token k steps back",
            r"\hat{w}_{t-k}": "what the linear probe of lag k reads from the state after token t",
        },
        question="memory",
    ),
}
