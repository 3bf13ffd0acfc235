"""An animation shows a reading at every recorded step in the same colours, and is written completely or not at all."""

import itertools
import json
from functools import partial

import numpy as np
import pytest
from PIL import Image

from lab.api import Reading
from lab.base.problems import BadInput, LabError
from lab.interop.animation import Subject, _recorded, subjects_of, write_animation
from lab.runs.histograms import HISTOGRAMS
from lab.runs.readings import write_readings

STEPS = (0, 10, 200)
VIOLET, YELLOW, WHITE = (0x44, 0x01, 0x54), (0xFD, 0xE7, 0x25), (255, 255, 255)


def attention(step, block, heads=2):
    """Heads that read the first token ever more, and later ones not at all."""
    values = np.tril(np.full((1, heads, 6, 6), 0.01, np.float32))
    values[..., 0] = step / 200
    return Reading("mixing", ("batch", "head", "query", "key"), values, layer=block)


@pytest.fixture
def run(recorded):
    made = recorded()
    for step in STEPS:
        scores = Reading("scores", ("head",), np.array([-1.0, 0.5, step / 100], np.float32))
        write_readings(made.path, step, [attention(step, 0), attention(step, 1), scores])
    write_readings(made.path, 300, [attention(300, 0)])
    lines = [{"step": step, "weights": {"embedding": {"bound": 1.0, "counts": [1, step + 1, 1]}}} for step in STEPS]
    (made.path / HISTOGRAMS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    return made


def pictures(path):
    """Return the pictures of a GIF as arrays (H, W, 3)."""
    with Image.open(path) as images:
        found = []
        for number in range(images.n_frames):
            images.seek(number)
            found.append(np.asarray(images.convert("RGB")))
        return found


def colours(picture):
    return set(map(tuple, picture.reshape(-1, 3).tolist()))


def test_everything_that_was_recorded_at_two_steps_can_be_shown(run):
    assert subjects_of(run) == [
        Subject("mixing", 0, (*STEPS, 300)),
        Subject("mixing", 1, STEPS),
        Subject("scores", None, STEPS),
        Subject("histograms of weights", None, STEPS),
    ]


def test_a_gif_has_a_picture_of_each_step_in_the_same_colours(run, tmp_path):
    assert write_animation(run, tmp_path / "animation.gif", "mixing", 1) == 3
    first, _, last = pictures(tmp_path / "animation.gif")
    assert first.shape == last.shape
    assert YELLOW in colours(last)
    assert YELLOW not in colours(first)
    assert WHITE in colours(first)  # what no query reads
    with Image.open(tmp_path / "animation.gif") as images:
        assert images.info["loop"] == 0
        assert images.info["duration"] == 200


def test_a_line_below_has_the_length_of_the_steps_made(run, tmp_path):
    write_animation(run, tmp_path / "animation.gif", "mixing", 1)
    lengths = [int((picture[-1] == VIOLET).all(-1).sum()) for picture in pictures(tmp_path / "animation.gif")]
    width = pictures(tmp_path / "animation.gif")[0].shape[1]
    assert lengths == [1, round(width / 20), width]


def test_rows_of_numbers_are_bars_on_both_sides_of_zero(run, tmp_path):
    write_animation(run, tmp_path / "bars.gif", "scores")
    last = pictures(tmp_path / "bars.gif")[-1][22:-12]  # between the step and the line
    drawn = (last != 255).any(-1)
    rows = [np.flatnonzero(drawn[:, 6 + 60 * bar + 30]) for bar in range(3)]
    zero = rows[0].min()
    assert len(rows[0]) == pytest.approx(1 + 59 * 1 / 4, abs=1)
    assert rows[1].max() == rows[2].max() == zero
    assert len(rows[2]) - 1 == pytest.approx(4 * (len(rows[1]) - 1), abs=3)


def test_a_folder_has_a_picture_of_each_step_without_any_library(run, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "PIL.Image", None)
    assert write_animation(run, tmp_path / "frames", "histograms of weights") == 3
    assert sorted(path.name for path in (tmp_path / "frames").iterdir()) == [f"step-{step:08}.png" for step in STEPS]
    with pytest.raises(BadInput, match="A GIF needs PIL"):
        write_animation(run, tmp_path / "animation.gif", "mixing")


def test_a_cancelled_animation_leaves_nothing(run, tmp_path):
    for suffix, after in itertools.product((".gif", ""), (1, 5, 8)):
        answers = itertools.chain(itertools.repeat(False, after), itertools.repeat(True))
        with pytest.raises(LabError, match="was cancelled"):
            write_animation(run, tmp_path / f"film{suffix}", "mixing", cancelled=partial(next, answers))
    assert [path.name for path in tmp_path.iterdir()] == ["runs"]


@pytest.mark.parametrize(("name", "layer"), [("nothing", None), ("scores", 3), ("histograms of loss", None)])
def test_what_was_not_recorded_is_refused_with_what_was(run, tmp_path, name, layer):
    with pytest.raises(BadInput) as refused:
        write_animation(run, tmp_path / "animation.gif", name, layer)
    problem = refused.value.problem
    assert (problem.field, problem.value) == ("reading", name)
    assert problem.allowed == "histograms of weights, mixing, scores"


def test_an_existing_animation_is_replaced_only_if_asked(run, tmp_path):
    write_animation(run, tmp_path / "animation.gif", "mixing", 0)
    with pytest.raises(BadInput, match=r"exists"):
        write_animation(run, tmp_path / "animation.gif", "mixing", 1)
    assert write_animation(run, tmp_path / "animation.gif", "mixing", 1, overwrite=True) == 3


@pytest.mark.parametrize("name", ["thesis", "thesis.gif"])
def test_a_folder_with_other_files_is_never_replaced(run, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "step-00000000.png").touch()
    (folder / "chapter.tex").touch()
    with pytest.raises(BadInput, match="is a folder with other files"):
        write_animation(run, folder, "mixing", overwrite=True)
    assert sorted(path.name for path in folder.iterdir()) == ["chapter.tex", "step-00000000.png"]


def test_a_folder_of_pictures_is_replaced_if_asked(run, tmp_path):
    write_animation(run, tmp_path / "frames", "mixing", 0)
    assert write_animation(run, tmp_path / "frames", "mixing", 1, overwrite=True) == 3
    assert len(list((tmp_path / "frames").iterdir())) == 3


def test_no_other_format_is_written(run, tmp_path):
    with pytest.raises(BadInput, match=r"NAME\.gif, or NAME for a folder"):
        write_animation(run, tmp_path / "animation.mp4", "mixing")
    assert write_animation(run, tmp_path / "lr=0.5 mixing", "mixing", 1) == 3


def record(run, *steps):
    """Let a run have these histograms of gradients: by step, (bound, counts) of each layer."""
    lines = [
        {"step": step, "gradients": {layer: {"bound": b, "counts": counts} for layer, (b, counts) in layers.items()}}
        for step, layers in steps
    ]
    (run.path / HISTOGRAMS).write_text("".join(json.dumps(line) + "\n" for line in lines))


def frames(run, path):
    write_animation(run, path, "histograms of gradients")
    return pictures(path)


def columns(picture, top):
    """Return which columns of the bars at a height are drawn."""
    return (picture[top : top + 60, 6:-6] != 255).any(-1).sum(axis=0) > 1


def test_histograms_of_all_steps_have_the_axis_of_the_widest(run, tmp_path):
    record(run, (0, {"a": (1.0, [2, 2, 2, 2])}), (5, {"a": (2.0, [2, 2, 2, 2])}), (9, {"a": (0.0, [0, 0, 8, 0])}))
    first, second, third = (columns(picture, 22) for picture in frames(run, tmp_path / "bars.gif"))
    assert first.reshape(4, 45).all(axis=1).tolist() == [False, True, True, False]
    assert second.all()
    assert third.reshape(4, 45).all(axis=1).tolist() == [False, False, True, False]


def test_a_layer_without_a_histogram_at_a_step_leaves_its_place_empty(run, tmp_path):
    row = (1.0, [1, 2, 1])
    record(run, (0, {"a": row, "b": row}), (5, {"b": row}))
    first, second = frames(run, tmp_path / "bars.gif")
    assert first.shape == second.shape
    assert columns(first, 22).any()
    assert (second[22:82] == 255).all()  # the place of a
    assert (second[88:148] == first[88:148]).all()  # that of b


def test_of_many_layers_the_first_are_shown(run, tmp_path):
    shapes = []
    for layers in (16, 40):
        row = dict.fromkeys(map(str, range(layers)), (1.0, [1, 2, 1]))
        record(run, (0, row), (5, row))
        shapes.append(frames(run, tmp_path / f"{layers}.gif")[0].shape)
    assert shapes[0] == shapes[1]


def test_of_a_large_map_only_what_is_drawn_stays_in_memory(run):
    write_readings(run.path, 0, [Reading("large", ("query", "key"), np.ones((700, 500), np.float32))])
    write_readings(run.path, 10, [Reading("row", ("unit",), np.ones(5000, np.float32))])
    ((_, [tile]),) = _recorded(run, "large", None, lambda _: None)
    assert (tile.shape, tile.base) == ((180, 180), None)
    ((_, [row]),) = _recorded(run, "row", None, lambda _: None)
    assert (row.shape, row.base) == ((180,), None)
