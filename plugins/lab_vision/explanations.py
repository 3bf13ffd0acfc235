"""Explanations of the readings of the vision transformer."""

from __future__ import annotations

from lab.api import Explanation

FILTERS = {
    "patch filters": Explanation(
        shows="How each channel of a token reads the pixels of a square",
        how="A picture for each channel: it is large where the square looks like it. Smooth ones are learned, noise is "
        "what is left of the start.",
        example="A channel that is bright on the left and dark on the right finds vertical edges.",
        formula=r"E x",
        symbols={"E": "the embedding of squares", "x": "the pixels of a square"},
        parts={"E": "inputs"},
        question="work",
    ),
}
BY_HEAD = {
    "attention over the picture": Explanation(
        shows="Which squares the output's token reads, head by head",
        how="A picture of the squares for each head; each sums to 1, less what goes to the class token itself.",
        example="In a trained model, heads of the last block often lie along the strokes of a digit.",
        formula=r"\mathrm{softmax}\left(\frac{q K^\top}{\sqrt{D}}\right)",
        symbols={
            "q": "the query of the class token, or those of all squares",
            "K": "the keys of the squares",
            "D": "the width of a head",
        },
        parts={"q": "query", "K": "key"},
        question="attention",
    ),
}
THROUGH = {
    "attention rollout": Explanation(
        shows="Which squares of the picture reach the output through all blocks together",
        how="Half of each token is its own, half what it reads; multiplied block by block. It knows nothing of what "
        "values carry, so it shows the way, not the reason.",
        example="The digit stands out against the background, though no single head shows all of it.",
        formula=r"\prod_l \frac{1}{2} (A_l + I)",
        symbols={
            "A_l": "the weights of block l, the mean of its heads",
            "I": "the residual, which leaves each token its own",
        },
        parts={"A_l": "attention"},
        question="attention",
    ),
}
SIMILARITY = {
    "similarity": Explanation(
        shows="How close each image is to each caption",
        how="A row for each image, a column for each caption, in the same order: what belongs together stands on the "
        "diagonal. The cosine of two vectors is 1 where they point the same way.",
        example="Off the diagonal, captions that share a colour or a shape with the image are closer than the others.",
        formula=r"\cos(u_i, v_j)",
        symbols={"u_i": "the vector of an image", "v_j": "the vector of a caption"},
        parts={"u_i": "images", "v_j": "texts"},
        question="prediction",
    ),
    "caption of the image": Explanation(
        shows="The probability of each caption for each image, among these",
        how="The cosines of a row, times the learned factor, through a softmax. The sum of a row is 1.",
        example="A model that binds colours to the wrong shape shares its probability between two captions.",
        formula=r"\mathrm{softmax}_j(s \cos(u_i, v_j))",
        symbols={
            "s": "the learned factor, 1 / temperature",
            "u_i": "the vector of an image",
            "v_j": "the vector of a caption",
        },
        parts={"u_i": "images", "v_j": "texts"},
        question="prediction",
    ),
}
