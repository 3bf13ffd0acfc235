"""Explanations of the readings of models of vectors and images."""

from __future__ import annotations

from lab.api import Explanation

PREDICTIONS = {
    "prediction": Explanation(
        shows="What the model predicts for the example, beside its target",
        how="Choose logits or probabilities above; the target is 1 at the right class. Of numbers, the residual is the "
        "target minus the prediction.",
        example="Two probabilities near one half: the example lies near the border of two classes.",
        formula=r"p_k = \frac{e^{y_k}}{\sum_j e^{y_j}}",
        symbols={"y_k": "the logit of class k", "p_k": "its probability"},
        parts={"y_k": "output"},
        question="prediction",
    ),
    "confusion": Explanation(
        shows="How often each class was taken for each",
        how="Rows are the true classes, columns those that are predicted, over the rows of the validation split. What "
        "stands off the diagonal is wrong.",
        example="A large number in row 4, column 9: fours are read as nines.",
        formula=r"n_{jk} = \sum_i [\, t_i = j \,]\, [\, \hat{t}_i = k \,]",
        symbols={
            "n_{jk}": "the rows of class j that were taken for class k",
            "t_i": "the class of row i",
            r"\hat{t}_i": "the class that is predicted of it",
        },
        question="prediction",
    ),
    "ROC": Explanation(
        shows="How many of a class are found, against how many others are taken for it",
        how="Each point of a curve is a threshold on the probability of the class. The dashed diagonal is guessing; a "
        "curve in the upper left corner tells the class from all others.",
        example="A true positive rate of 0.9 at 0.1: of ten of the class nine are found, of ten others one is wrong.",
        formula=r"\mathrm{TPR} = \frac{TP}{TP + FN}, \quad \mathrm{FPR} = \frac{FP}{FP + TN}",
        symbols={
            "TP": "those of the class that are found",
            "FN": "those that are missed",
            "FP": "others that are taken for the class",
            "TN": "others that are not",
        },
        question="prediction",
    ),
    "area under ROC": Explanation(
        shows="The probability that a row of the class gets a higher score than another row",
        how="1 tells the class perfectly from the others, one half is guessing.",
        example="0.8: of five pairs of a row of the class and another row, four are in the right order.",
        formula=r"P(s_+ > s_-)",
        symbols={
            "P": "a probability over pairs of rows",
            "s_+": "the score of a row of the class",
            "s_-": "that of another row",
        },
        question="prediction",
    ),
    "calibration": Explanation(
        shows="How often predictions of a confidence are right",
        how="Rows are sorted into ten bins by the largest probability. On the dashed diagonal the model is right as "
        "often as it says; below it, it is too sure. The third line is the share of the rows in each bin.",
        example="Of the predictions with 0.95 only 0.8 are right: a network that was trained for too long.",
        formula=r"\mathrm{acc}_b = \frac{1}{n_b} \sum_{i \in b} [\, \hat{t}_i = t_i \,]",
        symbols={
            r"\mathrm{acc}_b": "the share of bin b that is right",
            "n_b": "the rows of bin b",
            r"\hat{t}_i": "the class that is predicted of row i",
            "t_i": "its class",
        },
        question="prediction",
    ),
    "calibration error": Explanation(
        shows="The mean distance between confidence and accuracy over the bins (expected calibration error)",
        how="0 is a model that is right as often as it says.",
        example="0.1: a prediction of 90 % is right in about 80 % of all cases.",
        formula=r"\mathrm{ECE} = \sum_b \frac{n_b}{N}\, |\mathrm{acc}_b - \mathrm{conf}_b|",
        symbols={
            "n_b": "the rows of bin b",
            "N": "the number of all rows",
            r"\mathrm{acc}_b": "the share of them that is right",
            r"\mathrm{conf}_b": "their mean confidence",
        },
        question="prediction",
    ),
    "fit": Explanation(
        shows="The numbers that the model predicts, and what they miss the measured ones by",
        how="Points are rows of the validation split, the line is the model, and each short line between them a "
        "residual. With several inputs the horizontal axis is the target itself.",
        example="Residuals of one sign in a row: the model is too stiff there.",
        formula=r"r_i = y_i - f(x_i)",
        symbols={"r_i": "the residual of row i", "y_i": "its target", "f(x_i)": "its prediction"},
        parts={"f(x_i)": "output"},
        question="prediction",
    ),
}
PLANE = {
    "decision surface": Explanation(
        shows="What the model predicts at each point of the plane",
        how="The colour is that of the likeliest class, the paler the less sure; of numbers it is their size. Points "
        "are rows of the validation split.",
        example="A straight border that no training bends is a network without a hidden layer.",
        formula=r"\hat{t}(x) = \mathrm{argmax}_k\, y_k(x)",
        symbols={
            r"\hat{t}": "the class whose colour a point has",
            "x": "a point of the plane",
            "y_k": "what the model gives for class k there",
        },
        question="prediction",
    ),
    "unit surfaces": Explanation(
        shows="What each hidden unit hands on, at each point of the plane",
        how="Each picture is one unit over the same plane. Units of the first layer have straight borders; those of "
        "later layers bend.",
        example="Two equal pictures: these units do the same.",
        formula=r"a_j(x) = f(z_j(x))",
        symbols={
            "a_j": "what unit j hands on",
            "x": "a point of the plane",
            "f": "the activation",
            "z_j": "the weighted sum of unit j",
        },
        question="work",
    ),
    "points": Explanation(
        shows="The rows of the validation split in the plane, with their targets",
        how="They are drawn over the decision surface, each in the colour of its class.",
        example="A point in the colour of another class than the surface around it is wrong.",
        formula=r"(x_i, t_i)",
        symbols={"x_i": "the two numbers of row i", "t_i": "its target"},
        question="prediction",
    ),
    "linear regions": Explanation(
        shows="The pieces of the plane in which a network of ReLUs is a linear function",
        how="In one region no hidden unit switches on or off. Neighbouring regions differ in one unit.",
        example="Many small regions along the border of two classes: there the network bends.",
        formula=r"[\, z_1(x) > 0 \,], \ldots, [\, z_m(x) > 0 \,]",
        symbols={
            "z_1": "the weighted sum of the first hidden unit",
            "x": "a point of the plane",
            "z_m": "that of the last",
        },
        question="work",
    ),
    "number of linear regions": Explanation(
        shows="How many linear regions were met on a grid of 100 × 100 points",
        how="Regions smaller than a cell of the grid may be missed, so it is a lower bound. Layers multiply regions, "
        "units of one layer add them.",
        example="n lines in general position cut a plane into 1 + n + n (n − 1) / 2 regions: 7 for three units.",
        formula=r"1 + n + \frac{n (n - 1)}{2}",
        symbols={"n": "the units of a single hidden layer"},
        question="work",
    ),
}
