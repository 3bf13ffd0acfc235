"""Pictures of a folder are read with their classes or captions; nothing outside the folder is opened."""

import io

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
from PIL import Image

from lab.text.row_files.images import ImagesFolderConfig, read_images


def read(path, **settings):
    return read_images(ImagesFolderConfig(path=str(path), **settings))


@pytest.fixture
def refused(problem):
    return lambda path, **settings: problem(read_images, ImagesFolderConfig(path=str(path), **settings))


@pytest.fixture
def folder(tmp_path):
    """A folder with three small pictures, two red and one grey."""
    made = tmp_path / "pets"
    made.mkdir()
    for name, size, colour in (
        ("a.png", (4, 3), (255, 0, 0)),
        ("b.jpg", (4, 3), (0, 0, 255)),
        ("c.bmp", (4, 3), (9, 9, 9)),
    ):
        Image.new("RGB", size, colour).save(made / name)
    return made


def table(folder, *lines, name="labels.csv"):
    (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder


LABELS = ["file_name,label", "a.png,cat", "b.jpg,dog", "c.bmp,cat"]


def test_a_table_names_pictures_and_classes(folder):
    data = read(table(folder, *LABELS))
    assert data.pixels.shape == (3, 3, 4, 3)
    assert data.pixels.dtype == np.uint8
    assert data.pixels[0, 0, 0].tolist() == [255, 0, 0]
    assert (data.labels.tolist(), data.classes, data.name) == ([0, 1, 0], ("cat", "dog"), "pets")


def test_a_table_names_captions(folder):
    data = read(table(folder, "file_name,caption", "a.png,a red wall", "b.jpg,the sea"), target="caption")
    assert list(data.captions) == ["a red wall", "the sea"]
    assert data.labels is None


def test_without_a_table_the_folders_name_the_classes(tmp_path):
    for name, colour in (("night", 0), ("day", 255)):
        (tmp_path / "sky" / name).mkdir(parents=True)
        for number in range(2):
            Image.new("L", (5, 5), colour).save(tmp_path / "sky" / name / f"{number}.png")
    data = read(tmp_path / "sky")
    assert (data.classes, data.labels.tolist()) == (("day", "night"), [0, 0, 1, 1])
    assert data.pixels.shape == (4, 5, 5, 1)
    assert data.pixels[:, 0, 0, 0].tolist() == [255, 255, 0, 0]


def test_sizes_and_channels_can_be_set(folder):
    Image.new("RGB", (40, 60), "white").save(folder / "c.bmp")
    data = read(table(folder, *LABELS), size=8, colour="grey")
    assert data.pixels.shape == (3, 8, 8, 1)
    assert data.pixels[2].min() == 255
    assert 70 < data.pixels[0].max() < 80  # red as grey


def test_pictures_of_unequal_size_are_named(folder, refused):
    Image.new("RGB", (40, 60), "white").save(folder / "c.bmp")
    found = refused(table(folder, *LABELS))
    assert found.what == "labels.csv, line 4: c.bmp has 40 × 60 pixels, a.png has 4 × 3"
    assert "corpus.size" in found.remedy


def test_transparent_palette_and_deep_pictures_are_read(folder):
    Image.new("RGBA", (4, 3), (255, 0, 0, 0)).save(folder / "a.png")
    Image.new("RGB", (4, 3), (0, 255, 0)).quantize(4).save(folder / "b.png")
    Image.fromarray(np.full((3, 4), 40_000, np.uint16)).save(folder / "c.png")
    data = read(table(folder, "file,label", "a.png,x", "b.png,y", "c.png,x"))
    assert data.pixels[:, 0, 0].tolist() == [[255, 255, 255], [0, 255, 0], [156, 156, 156]]


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "link.png"])
def test_nothing_outside_the_folder_is_opened(folder, refused, name):
    Image.new("RGB", (4, 3), "white").save(folder.parent / "secret.png")
    (folder / "link.png").symlink_to(folder.parent / "secret.png")
    found = refused(table(folder, "file_name,label", "a.png,cat", f"{name},dog", "b.jpg,cat"))
    assert found.what == f"labels.csv, line 3: {name} lies outside the folder"


def test_what_is_not_there_or_no_picture_is_named(folder, refused):
    (folder / "d.png").write_bytes(b"no picture")
    (folder / "e.png").write_bytes((folder / "a.png").read_bytes()[:45])
    (folder / "f.eps").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")
    for name, what in (
        ("z.png", "there is no picture"),
        ("d.png", "no picture that can be read"),
        ("e.png", "no picture"),
        ("f.eps", "no picture that"),
    ):
        found = refused(table(folder, "file_name,label", "a.png,cat", f"{name},dog")).what
        assert found.startswith("labels.csv, line 3: ")
        assert what in found
    assert len(read(table(folder, *LABELS, "d.png,dog"), bad_rows="skip")) == 3


def test_too_many_pixels_are_refused(folder, refused, monkeypatch):
    monkeypatch.setattr("lab.text.row_files.images.MOST_OF_ONE", 11)
    assert "million pixels" in refused(table(folder, *LABELS)).what
    monkeypatch.undo()
    monkeypatch.setattr("lab.text.row_files.images.MOST_PIXELS", 80)
    assert refused(table(folder, *LABELS), bad_rows="skip").field == "corpus.size"


def test_one_of_several_tables_must_be_named(folder, refused):
    table(folder, *LABELS, name="one.csv")
    table(folder, "file_name,label", "a.png,x", "b.jpg,y", name="two.csv")
    assert refused(folder).allowed == "one.csv, two.csv"
    assert read(folder, table="two.csv").classes == ("x", "y")
    assert refused(folder, table="../one.csv").field == "corpus.table"


def test_columns_that_are_not_there_are_named(folder, refused):
    found = refused(table(folder, "file_name,kind,x", "a.png,cat,1", "b.jpg,dog,2"))
    assert (found.field, found.allowed) == ("corpus.column", "file_name, kind, x")
    assert read(folder, column="kind").classes == ("cat", "dog")


def test_a_folder_without_a_table_and_a_file_are_refused(folder, refused):
    assert "file_name" in refused(folder).remedy
    assert "neither a folder nor a Parquet file" in refused(folder / "a.png").what
    assert "no such file" in refused(folder / "none").what


def png(colour, size=(4, 3)):
    made = io.BytesIO()
    Image.new("RGB", size, colour).save(made, "PNG")
    return made.getvalue()


def pictures(datasets):
    """Three pictures as Hugging Face stores them, two of a class with a name."""
    names = datasets.ClassLabel(names=["cat", "dog"])
    features = datasets.Features(image=datasets.Image(), label=names)
    colours = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    rows = {"image": [{"bytes": png(one), "path": None} for one in colours], "label": [0, 1, 0]}
    return datasets.Dataset.from_dict(rows, features=features)


def test_parquet_and_data_sets_hold_pictures(datasets, tmp_path):
    pictures(datasets).to_parquet(tmp_path / "my.parquet")
    pictures(datasets).save_to_disk(tmp_path / "saved")
    (tmp_path / "shards" / "data").mkdir(parents=True)
    for number in range(2):
        name = f"train-{number:05}-of-00002.parquet"
        pictures(datasets).shard(2, number, contiguous=True).to_parquet(tmp_path / "shards" / "data" / name)
    for name in ("my.parquet", "saved", "shards"):
        data = read(tmp_path / name)
        assert data.pixels[:, 0, 0].tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 255]], name
        assert (data.labels.tolist(), data.classes, data.name) == ([0, 1, 0], ("cat", "dog"), name)


def test_bytes_and_names_of_files_in_parquet_are_pictures_too(folder):
    rows = [{"bytes": png("red"), "path": "x.png"}, {"bytes": None, "path": "b.jpg"}]
    written = pyarrow.table({"img": rows, "caption": ["red", "blue"]})
    pyarrow.parquet.write_table(written, folder / "my.parquet")
    assert read(folder, target="caption").pixels[:, 0, 0, 0].tolist()[0] == 255
    alone = pyarrow.table({"image": [png("red"), png("blue")], "caption": ["red", "blue"]})
    pyarrow.parquet.write_table(alone, folder.parent / "alone.parquet")
    assert list(read(folder.parent / "alone.parquet", target="caption").captions) == ["red", "blue"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ({"bytes": b"no picture", "path": "x.png"}, "my.parquet, row no. 2: x.png is no picture that can be read"),
        ({"bytes": None, "path": None}, "my.parquet, row no. 2: the column 'image' is empty"),
        ({"bytes": None, "path": "/etc/passwd"}, "my.parquet, row no. 2: /etc/passwd lies outside the folder"),
        ({"bytes": png("red", (5, 5)), "path": None}, "row no. 2: the picture no. 2 has 5 × 5 pixels"),
        (None, "my.parquet, row no. 2: the column 'image' is empty"),
    ],
)
def test_a_bad_picture_in_parquet_is_named_by_file_and_row(tmp_path, refused, value, what):
    good = {"bytes": png("red"), "path": "a.png"}
    written = pyarrow.table({"image": [good, value, good], "label": ["a", "b", "b"]})
    pyarrow.parquet.write_table(written, tmp_path / "my.parquet")
    assert what in refused(tmp_path / "my.parquet").what
    assert len(read(tmp_path / "my.parquet", bad_rows="skip")) == 2


def test_a_data_set_that_names_files_is_refused(datasets, tmp_path, refused):
    (tmp_path / "secret.png").write_bytes(png("red"))
    path = str(tmp_path / "secret.png")
    rows = {"image": [{"bytes": None, "path": path}], "label": ["a"]}
    datasets.Dataset.from_dict(rows).save_to_disk(tmp_path / "saved")
    assert "holds no picture" in refused(tmp_path / "saved").what
