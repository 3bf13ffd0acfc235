"""The class of a picture and what it rests on: a sum of pixels of which every part is known, and real runs."""

import numpy as np
import pytest
import torch

from lab.api import BadInput
from lab.host import Plugins
from lab.recipes import Recipe
from lab.workbench.access.answers.pictures import (
    by_texts,
    check_picture,
    check_prompts,
    commonest,
    gradient_of,
    occlusion_of,
    shares_of,
)
from lab.workbench.access.untrained import Untrained

CPU = torch.device("cpu")
SIZE = 8
EVIDENCE = torch.linspace(-1, 1, SIZE * SIZE).view(SIZE, SIZE)
DIGITS = {
    "corpus": {"name": "digits", "rows": 40}, "objective": {"name": "classification"}, "tokenizer": {"name": "none"},
    "architecture": {"name": "vit", "layers": 1, "width": 16, "heads": 2, "patch": 4},
    "training": {"steps": 2, "batch_size": 4, "threads": 1, "device": "cpu", "evaluate_every": 0},
}  # fmt: skip
SHAPES = {
    **DIGITS, "corpus": {"name": "shapes", "rows": 40, "size": 8, "target": "caption"},
    "objective": {"name": "contrastive"}, "tokenizer": {"name": "character"},
    "architecture": {"name": "clip", "layers": 1, "width": 16, "heads": 2, "patch": 4},
    "training": {**DIGITS["training"], "context_length": 64},
}  # fmt: skip


def score(pictures):
    """The logit of class 1 is the sum of what its bright pixels say."""
    said = (pictures[..., 0] * EVIDENCE).sum(dim=(1, 2))
    return torch.stack([torch.zeros_like(said), said], dim=1)


def picture():
    """Bright pixels on a dark ground."""
    found = np.zeros((SIZE, SIZE, 1), np.float32)
    found[1:4, 2] = 1
    found[6, 5:7] = 1
    return found


def log_share(said):
    return float(torch.nn.functional.logsigmoid(torch.as_tensor(said)))


def test_the_gradient_times_the_picture_is_exact_for_a_sum():
    given = picture()
    said = float((given[..., 0] * EVIDENCE.numpy()).sum())
    expected = given[..., 0] * EVIDENCE.numpy() * (1 - float(torch.sigmoid(torch.tensor(said))))
    np.testing.assert_allclose(gradient_of(score, given, 1, CPU), expected, atol=1e-6)


def test_where_a_square_covers_nothing_bright_nothing_is_lost_and_elsewhere_what_it_says():
    given = picture()
    found = occlusion_of(score, given, 1, CPU)  # squares of one pixel at this size
    said = given[..., 0] * EVIDENCE.numpy()
    expected = np.array([[log_share(said.sum()) - log_share(said.sum() - one) for one in row] for row in said])
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert (found[said == 0] == 0).all()
    assert found[1, 2] < 0 < found[6, 6]


def test_larger_pictures_are_covered_by_squares_that_overlap_and_reach_every_pixel():
    given = np.random.default_rng(0).random((23, 30, 3)).astype(np.float32)

    def bright(pictures):
        return torch.stack([torch.zeros(len(pictures)), pictures.sum(dim=(1, 2, 3)) / 100], dim=1)

    found = occlusion_of(bright, given, 1, CPU)
    assert found.shape == (23, 30)
    assert (np.abs(found) > 0).all()


def test_what_covers_is_the_commonest_colour():
    white = np.ones((4, 4, 3), np.float32)
    white[0, 0] = 0
    assert commonest(white).tolist() == [1, 1, 1]


def test_texts_of_different_lengths_are_padded_with_their_end_and_masked():
    seen = {}

    def model(tokens, mask, source):
        seen.update(tokens=tokens.tolist(), mask=mask.tolist())
        return torch.zeros(len(source), len(tokens))

    shares = shares_of(by_texts(model, [[8, 1, 9], [8, 1, 2, 9]], CPU), picture(), CPU)
    assert seen["tokens"] == [[8, 1, 9, 9], [8, 1, 2, 9]]
    assert seen["mask"] == [[True, True, True, False], [True] * 4]
    assert shares == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize(
    ("pixels", "what"),
    [
        (np.zeros((4, 4, 1)), "another size"),
        (np.zeros((8, 8, 3), np.uint8), "other channels"),
        (np.full((8, 8, 1), 2.0), "no brightness"),
        (np.full((8, 8, 1), np.nan), "no brightness"),
    ],
)
def test_a_picture_that_does_not_fit_is_refused(pixels, what):
    with pytest.raises(BadInput, match=what):
        check_picture(pixels, (8, 8, 1))


@pytest.mark.parametrize(
    ("prompts", "what"),
    [([], "at least two"), (["a"], "at least two"), (["a", " "], "is blank"), (["a", "b", "a "], "are equal")],
)
def test_texts_that_cannot_be_compared_are_refused(prompts, what):
    with pytest.raises(BadInput, match=what):
        check_prompts(prompts)


@pytest.fixture
def untrained(lab_home):
    return lambda recipe: Untrained(Recipe().with_values(recipe), Plugins(safe_mode=True))


def test_a_run_with_classes_gives_their_shares_and_maps_of_the_size_of_the_picture(untrained):
    access = untrained(DIGITS)
    pixels = np.random.default_rng(0).integers(0, 255, (16, 16, 1), np.uint8)
    found = access.classify_picture(pixels)
    assert found.names == tuple("0123456789")
    assert sum(found.shares[0]) == pytest.approx(1)
    decision = access.picture_decision(pixels)
    assert (decision.name, decision.probability) == found.ranked()[0]
    assert decision.occlusion.shape == decision.gradient.shape == (16, 16)
    with pytest.raises(BadInput, match="learned classes, and cannot compare a picture with texts"):
        access.classify_picture(pixels, ["a circle", "a square"])


def test_a_run_on_captions_gives_the_shares_of_texts_as_its_model_does(untrained):
    access = untrained(SHAPES)
    pixels = np.random.default_rng(0).integers(0, 255, (8, 8, 3), np.uint8)
    texts = ("a small red circle", "a large blue ring")
    found = access.classify_picture(pixels, texts)
    assert found.names == texts
    with access.borrow() as borrowed, torch.no_grad():
        size = access.tokenizer.vocabulary_size
        images = torch.from_numpy(pixels.astype(np.float32) / 255)[None]
        alone = [
            float(borrowed.model(torch.tensor([[size, *access.tokenizer.encode(text), size + 1]]), source=images))
            for text in texts
        ]
    assert found.shares[0] == pytest.approx(torch.tensor(alone).softmax(0).tolist(), abs=1e-5)
    assert access.picture_decision(pixels, texts).name == found.ranked()[0][0]
    with pytest.raises(BadInput, match="at least two texts"):
        access.classify_picture(pixels)
    with pytest.raises(BadInput, match="does not occur in this model's text"):
        access.classify_picture(pixels, ["a circle", "Ж"])


def test_a_run_on_texts_reads_no_picture(untrained):
    access = untrained({
        "corpus": {"name": "polarity", "rows": 40}, "objective": {"name": "classification"},
        "tokenizer": {"name": "byte"}, "architecture": {"name": "transformer", "layers": 1, "width": 16, "heads": 2},
        "training": {"context_length": 96},
    })  # fmt: skip
    with pytest.raises(BadInput, match="predicts no classes or texts of pictures"):
        access.classify_picture(np.zeros((8, 8, 1)))


def test_pictures_of_any_size_and_kind_become_what_the_run_reads(untrained, tmp_path):
    Image = pytest.importorskip("PIL.Image")
    access = untrained(DIGITS)
    wide = np.zeros((40, 60), np.uint8)
    wide[10:30, 20:40] = 255
    Image.fromarray(wide).save(tmp_path / "grey.png")
    Image.fromarray(np.dstack([wide] * 3)).save(tmp_path / "colour.jpg", quality=100)
    Image.fromarray(np.dstack([np.zeros_like(wide)] * 3 + [255 - wide])).save(tmp_path / "transparent.png")
    found = access.read_picture(tmp_path / "grey.png")
    assert (found.shape, found.dtype) == ((16, 16, 1), np.uint8)
    assert abs(found.astype(int) - access.read_picture(tmp_path / "colour.jpg")).max() <= 4
    assert (access.read_picture(tmp_path / "transparent.png") == found).mean() > 0.9  # what is transparent is white
    assert (access.read_picture(tmp_path / "grey.png", invert=True) == 255 - found).all()
    (tmp_path / "text.png").write_text("no picture")
    for name, what in (("text.png", "is no picture"), ("none.png", "there is no such file")):
        with pytest.raises(BadInput, match=what):
            access.read_picture(tmp_path / name)
