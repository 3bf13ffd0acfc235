"""The objectives that read pairs, labels, vectors and images: their batches, losses and metrics."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from lab.api import LabError
from lab.layers import EXACT_MATCH
from lab.training.builtins import RegressionConfig, SequenceToSequenceConfig, SmoothedConfig
from lab.training.evaluation import evaluate
from lab.training.objectives import (
    F1,
    Binary,
    Captions,
    Classification,
    Masked,
    Regression,
    SequenceToSequence,
    class_counts,
    macro_f1,
)
from lab_transformer import TransformerConfig
from lab_transformer.model import build


class Rows:
    """Rows that are given whole."""

    vocabulary_size, context_length = 5, 4

    def __init__(self, **columns):
        self.attributes = {name: columns.pop(name) for name in ("classes", "outputs", "by_token") if name in columns}
        self.columns = {name: np.asarray(column) for name, column in columns.items()}
        self.examples = len(next(iter(self.columns.values())))
        for name, value in self.attributes.items():
            setattr(self, name, value)

    def rows(self, examples, seed):
        return {name: column[examples] for name, column in self.columns.items()}

    def ordered(self):
        return self


class Given(nn.Module):
    """A model whose outputs are given, whatever it reads."""

    learns, causal = "gradient", False

    def __init__(self, outputs):
        super().__init__()
        self.outputs = nn.Parameter(torch.as_tensor(outputs, dtype=torch.float32))

    def forward(self, tokens, **given):
        return self.outputs[: len(tokens)]


def batch_of(objective, source):
    return objective.batch(source, np.arange(source.examples), 0)


# ---- pairs


def test_a_decoder_reads_begin_and_the_target_and_predicts_the_target_and_end():
    source = Rows(source=[[1, 2, 3], [4, -1, -1]], target=[[0, 1], [2, -1]])
    batch = batch_of(SequenceToSequence(), source)
    begin, end = 5, 6
    assert batch.inputs["tokens"].tolist() == [[begin, 0, 1], [begin, 2, end]]
    assert batch.targets.tolist() == [[0, 1, end], [2, end, -1]]
    assert batch.weight == 5
    assert batch.inputs["source_mask"].tolist() == [[True, True, True], [True, False, False]]
    assert batch.inputs["source"].min() == 0
    assert SequenceToSequence().task(source).vocabulary_size == 7


def test_an_empty_source_has_one_position_to_read():
    batch = batch_of(SequenceToSequence(), Rows(source=[[-1, -1]], target=[[1, 2]]))
    assert batch.inputs["source_mask"].tolist() == [[True, False]]


def test_a_caption_is_written_from_an_image():
    pixels = np.zeros((2, 3, 3, 1), np.float32)
    batch = batch_of(Captions(), Rows(inputs=pixels, target=[[1, 2], [3, -1]]))
    assert batch.inputs["source"].shape == (2, 3, 3, 1)
    assert batch.targets.tolist() == [[1, 2, 6], [3, 6, -1]]


def test_exact_match_counts_the_rows_without_an_error():
    source = Rows(source=[[1], [1]], target=[[0, 1], [2, -1]])
    logits = torch.zeros(2, 3, 7)
    for row, t, symbol in ((0, 0, 0), (0, 1, 1), (0, 2, 6), (1, 0, 3), (1, 1, 6)):
        logits[row, t, symbol] = 5
    loss = SequenceToSequence().loss(Given(logits), batch_of(SequenceToSequence(), source))
    assert [int(part) for part in loss.metrics[EXACT_MATCH]] == [1, 2]
    assert [int(part) for part in loss.metrics["accuracy"]] == [4, 5]


# ---- hidden tokens


def test_a_model_that_fills_in_hidden_tokens_does_not_read_the_padding_of_a_short_row():
    longer = batch_of(Masked(), Rows(tokens=[[1, 2, 3, 0], [4, 1, -1, -1]]))
    assert longer.inputs["mask"].tolist() == [[True, True, True], [True, True, False]]
    model = build(TransformerConfig(layers=1, width=8, heads=2), Masked().task(Rows(tokens=[[1]])))
    alone = model(longer.inputs["tokens"][1:, :2])
    torch.testing.assert_close(model(**longer.inputs)[1:, :2], alone)


def test_rows_without_padding_need_no_mask():
    assert list(batch_of(Masked(), Rows(tokens=[[1, 2, 3, 0]])).inputs) == ["tokens"]


def test_labelled_texts_are_hidden_like_others_and_their_labels_are_not_read():
    texts = [[1, 2, 3, 0], [4, 1, -1, -1]]
    found = batch_of(Masked(), Rows(inputs=texts, label=[2, 0]))
    plain = batch_of(Masked(), Rows(tokens=[[*row, 0] for row in texts]))
    assert (found.inputs["tokens"] == plain.inputs["tokens"]).all()
    assert (found.targets == plain.targets).all()
    assert found.inputs["mask"].sum(dim=1).tolist() == [4, 2]


# ---- labels


def test_tokens_behind_the_end_of_a_text_are_masked():
    batch = batch_of(Classification(), Rows(inputs=[[1, 2], [3, -1]], label=[0, 1], classes=2))
    assert batch.inputs["mask"].tolist() == [[True, True], [True, False]]
    assert batch.inputs["tokens"].tolist() == [[1, 2], [3, 0]]
    assert batch.weight == 2


def test_every_token_may_have_a_class():
    source = Rows(inputs=[[1, 2], [3, -1]], label=[[0, 2], [1, -1]], classes=3, by_token=True)
    batch = batch_of(Classification(), source)
    task = Classification().task(source)
    assert (task.classes, task.by_token, batch.weight) == (3, True, 3)
    loss = Classification().loss(Given(torch.zeros(2, 2, 3)), batch)
    assert loss.nats.sum().item() == pytest.approx(3 * math.log(3))
    assert loss.nats[1, 1] == 0


def test_outputs_of_another_shape_than_the_labels_are_refused():
    batch = batch_of(Classification(), Rows(inputs=[[1, 2], [3, -1]], label=[0, 1], classes=2))
    with pytest.raises(ValueError, match=r"\(2, 2, 2\) for targets \(2,\)"):
        Classification().loss(Given(torch.zeros(2, 2, 2)), batch)


def test_smoothing_raises_the_loss_of_training_and_not_that_of_an_evaluation():
    source = Rows(inputs=[[1], [2]], label=[0, 1], classes=2)
    plain, smoothed = Classification(), Classification(SmoothedConfig(label_smoothing=0.2))
    model, batch = Given([[4.0, 0.0], [0.0, 4.0]]), batch_of(plain, source)
    of_training = [objective.loss(model.train(), batch).nats.sum() for objective in (plain, smoothed)]
    of_evaluation = [objective.loss(model.eval(), batch).nats.sum() for objective in (plain, smoothed)]
    assert of_training[1] > of_training[0]
    assert of_evaluation[1] == of_evaluation[0] == of_training[0]


def test_f1_is_the_mean_of_the_classes_that_occur():
    found, wanted = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 1, 1])
    first, second = 2 * 1 / (2 + 1), 2 * 2 / (2 + 3)
    assert macro_f1(class_counts(found, wanted, 3)).item() == pytest.approx((first + second) / 2)


def test_f1_of_an_evaluation_in_pieces_is_that_of_all_examples(monkeypatch):
    draws = np.random.default_rng(0)
    labels, outputs = draws.integers(0, 3, 50), draws.normal(size=(50, 3)).astype(np.float32)
    source = Rows(inputs=outputs, label=labels, classes=3)

    class Same(nn.Module):
        learns, causal = "gradient", False

        def forward(self, tokens):
            return tokens

    monkeypatch.setattr("lab.training.evaluation._rows_at_once", lambda *_: 7)
    found = evaluate(Same(), Classification(), source, protocol="windows", device=torch.device("cpu"))
    whole = class_counts(torch.from_numpy(outputs.argmax(1)), torch.from_numpy(labels), 3)
    assert found.metrics[F1] == pytest.approx(macro_f1(whole).item(), abs=1e-12)
    assert found.metrics["accuracy"] == pytest.approx((outputs.argmax(1) == labels).mean())
    assert (found.perplexity, found.bits_per_byte, found.unit) == (None, None, "nats per label")


# ---- numbers

NUMBERS = np.array([[0.0, 3.0], [1.0, np.nan]], np.float32)


def test_squared_errors_are_of_the_numbers_that_are_known():
    source = Rows(inputs=np.zeros((2, 3), np.float32), numbers=NUMBERS, outputs=2)
    batch = batch_of(Regression(), source)
    loss = Regression().loss(Given([[1.0, 1.0], [1.0, 7.0]]), batch)
    assert (batch.weight, loss.nats.tolist()) == (3, [[1.0, 4.0], [0.0, 0.0]])
    assert Regression().task(source).outputs == 2
    found = evaluate(
        Given([[1.0, 1.0], [1.0, 7.0]]), Regression(), source, protocol="windows", device=torch.device("cpu")
    )
    assert (found.loss, found.targets, found.unit) == (pytest.approx(5 / 3), 3, "mean squared error")


def test_the_huber_loss_is_linear_from_delta_on_and_names_its_unit():
    objective = Regression(RegressionConfig(loss="huber", delta=0.5))
    batch = batch_of(objective, Rows(inputs=np.zeros((2, 3), np.float32), numbers=NUMBERS, outputs=2))
    loss = objective.loss(Given([[0.1, 1.0], [1.0, 7.0]]), batch)
    torch.testing.assert_close(loss.nats, torch.tensor([[0.005, 0.5 * (2 - 0.25)], [0.0, 0.0]]))
    assert objective.unit == "mean Huber loss"
    assert loss.metrics["MSE"][0].item() == pytest.approx(4.01)


def test_a_probability_is_scored_by_binary_cross_entropy():
    numbers = np.array([[1.0, 0.0, 0.25]], np.float32)
    batch = batch_of(Binary(), Rows(inputs=np.zeros((1, 2), np.float32), numbers=numbers, outputs=3))
    loss = Binary().loss(Given([[0.0, -2.0, 1.0]]), batch)
    p = 1 / (1 + math.exp(-1))
    expected = [math.log(2), math.log(1 + math.exp(-2)), -0.25 * math.log(p) - 0.75 * math.log(1 - p)]
    torch.testing.assert_close(loss.nats, torch.tensor([expected]))
    assert [int(part) for part in loss.metrics["accuracy"]] == [1, 3]


def test_a_number_that_is_no_probability_is_refused():
    source = Rows(inputs=np.zeros((1, 2), np.float32), numbers=np.array([[2.0]], np.float32), outputs=1)
    with pytest.raises(LabError, match="no probability") as raised:
        batch_of(Binary(), source)
    assert raised.value.problem.field == "objective.name"


# ---- teacher forcing


class Echo:
    """A model whose likeliest token is always the same one; it stores what it was given to read."""

    def __init__(self, training=True):
        self.training, self.read = training, []

    def start(self, batch, **given):
        return batch

    def extend(self, tokens, state):
        self.read.append(tokens)
        logits = torch.zeros(*tokens.shape, 7)
        logits[..., 4] = 1
        return logits, state

    def __call__(self, tokens, **given):
        return self.extend(tokens, 0)[0]


class Endless(Rows):
    """Rows that are read again and again."""

    def rows(self, examples, seed):
        return super().rows(examples % self.examples, seed)


PAIRS = Endless(source=[[1, 2]] * 40, target=[[0, 1, 2, 3]] * 40)


def test_without_teacher_forcing_the_decoder_reads_its_own_tokens_in_training_alone():
    objective = SequenceToSequence(SequenceToSequenceConfig(teacher_forcing=0))
    batch, model = batch_of(objective, PAIRS), Echo()
    loss = objective.loss(model, batch)
    assert torch.cat(model.read, dim=1)[0].tolist() == [5, 4, 4, 4, 4]  # begin, then its own
    assert loss.nats.shape == (40, 5)
    evaluated = Echo(training=False)
    objective.loss(evaluated, batch)
    assert evaluated.read[0][0].tolist() == [5, 0, 1, 2, 3]


def test_forced_tokens_are_the_right_ones_and_their_share_falls_with_the_examples():
    config = SequenceToSequenceConfig(teacher_forcing=0.2, forcing_examples=1000)
    objective = SequenceToSequence(config)
    shares = []
    for first in (0, 500, 1000, 5000):
        batch = objective.batch(PAIRS, np.arange(first, first + 40), 0)
        shares.append(float(batch.inputs["forced"].float().mean()))
    assert shares[0] > 0.9
    assert shares[1] == pytest.approx(0.6, abs=0.1)
    assert shares[2] == pytest.approx(0.2, abs=0.1)
    assert shares[3] == pytest.approx(0.2, abs=0.1)
    model = Echo()
    objective.loss(model, batch)
    read, forced = torch.cat(model.read, dim=1)[:, 1:], batch.inputs["forced"][:, 1:]
    assert read[forced].tolist() == batch.inputs["tokens"][:, 1:][forced].tolist()
    assert (read[~forced] == 4).all()


def test_teacher_forcing_by_itself_changes_no_batch():
    assert "forced" not in batch_of(SequenceToSequence(), PAIRS).inputs
