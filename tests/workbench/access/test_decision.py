"""What a class rests on: a bag of words of which every token's part is known."""

import pytest
import torch

from lab.workbench.access.answers.decision import gradients, without_each

CPU = torch.device("cpu")
EVIDENCE = torch.tensor([0.0, 2.0, -1.0, 0.5])


class Bag(torch.nn.Module):
    """The logit of class 1 is the sum of what its tokens say."""

    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(4, 1)
        self.embedding.weight.data = EVIDENCE[:, None].clone()

    def forward(self, tokens, mask):
        said = (self.embedding(tokens)[..., 0] * mask).sum(dim=1)
        return torch.stack([torch.zeros_like(said), said], dim=1)


def test_without_a_token_the_class_loses_what_the_token_says():
    tokens = [1, 0, 2, 3]
    found = without_each(Bag(), tokens, 1, CPU)
    whole = torch.tensor(float(EVIDENCE[tokens].sum()))
    expected = [
        float(torch.nn.functional.logsigmoid(whole) - torch.nn.functional.logsigmoid(whole - EVIDENCE[token]))
        for token in tokens
    ]
    assert found == pytest.approx(expected, abs=1e-6)
    assert found[0] > 0 > found[2]


def test_the_gradient_times_the_embedding_is_exact_for_a_sum():
    tokens = [1, 0, 2, 3]
    found = gradients(Bag(), tokens, 1, CPU)
    other = 1 - float(torch.sigmoid(EVIDENCE[tokens].sum()))
    assert found == pytest.approx([other * float(EVIDENCE[token]) for token in tokens], abs=1e-6)


def test_a_single_token_cannot_be_left_out_and_a_model_without_embedding_has_no_gradient():
    assert without_each(Bag(), [1], 1, CPU) is None
    model = Bag()
    model.table = model.embedding
    del model.embedding
    assert gradients(model, [1, 2], 1, CPU) is None
