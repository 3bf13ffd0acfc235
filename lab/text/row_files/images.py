"""Pictures with a class or a caption each: files of a folder, or the bytes in a Parquet file or a data set."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Images, setting
from lab.base.extras import need
from lab.text.corpora.datasets import SAVED
from lab.text.corpora.files import errors_as_bad_input
from lab.text.readers.base import Given
from lab.text.readers.table import TABLES, suffix_of
from lab.text.row_files.cells import classes_of, label_in, text_in
from lab.text.row_files.tables import RowsConfig, RowTable, open_data_set, open_file

MOST_PIXELS = 1 << 30
"""Largest number of bytes of all pictures together."""

MOST_OF_ONE = 50_000_000
"""Largest number of pixels of a file before it is resized."""

FOLDERS = "folders"
"""The fact "reader" of pictures whose folders name their classes."""

_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "WEBP", "PPM", "TIFF")
_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".pgm", ".ppm", ".tif", ".tiff")
_FILES = ("file_name", "file", "filename", "image", "img", "path", "picture", "name")
_LABELS = ("label", "class", "category", "tag")
_CAPTIONS = ("caption", "text", "description", "title")


class ImagesFolderConfig(RowsConfig):
    """Pictures, the table about them, and how they are brought to one size."""

    path: str = setting(
        path=True,
        min_length=1,
        help="A folder with pictures (PNG, JPEG, BMP, GIF, WebP, TIFF) and a table that names them, or with a folder "
        "of pictures for each class; a Parquet file that holds the pictures; or a data set of Hugging Face, a local "
        "folder or a name on the hub.",
    )
    subset: str = setting("", help="The subset of a data set. Empty: the only one.")
    split: str = setting("", help="The split of a data set. Empty: train, or the only one.")
    table: str = setting(
        "", help="The table in the folder. Empty: its only CSV, TSV, JSON lines or Parquet file, if it has one."
    )
    file: str = setting(
        "",
        help="The column with each picture or its file. Empty: the one called file_name, image or the like.",
    )
    target: Literal["class", "caption"] = setting("class", help="What belongs to a picture: a class, or a caption.")
    column: str = setting(
        "", help="The column with the class or the caption. Empty: the one called label, or caption, or the like."
    )
    size: int = setting(
        0,
        ge=0,
        le=1024,
        unit="pixels",
        zero="as they are",
        help="Height and width to which pictures are resized; 0 leaves them as they are, and all must have one size.",
    )
    colour: Literal["auto", "grey", "rgb"] = setting(
        "auto",
        names={"auto": "found out", "rgb": "RGB"},
        help="Channels of the pictures. Found out: grey if the first one is.",
    )

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings of folders and data sets where the path is that of a file."""
        is_file = suffix_of(str(values.get("path", ""))) in TABLES
        return frozenset({"table", "header", "subset", "split"}) if is_file else frozenset()


def read_images(config: ImagesFolderConfig) -> Images:
    """Return the pictures of a folder, a Parquet file or a data set, all of one size.

    Raises:
        BadInput: The path, its table or a column is not there, a picture cannot be read or lies elsewhere, sizes
            differ, or there is but one class; or Pillow is missing.
    """
    with errors_as_bad_input("corpus.path", config.path):
        path = Path(config.path).expanduser()
        given = Given(path, "corpus.path", config.path)
        if path.is_file() and suffix_of(path.name) != ".parquet":
            what = "is neither a folder nor a Parquet file"
            raise given.problem(what, "Choose the folder with the pictures and their table")
        need("PIL.Image", "images", "A folder of pictures")
        folder: Path | None = path if path.is_dir() else path.parent if path.is_file() else None
        file = None
        if folder is None or _is_data_set(config, folder):
            table, folder = open_data_set(given, config.subset, config.split), None
        elif path.is_file() or (file := _table_of(config, given)) is not None:
            table = open_file(replace(given, path=file or path), config, _names(config))
        else:
            table = _by_folders(given, config)
        columns = _columns(config, table)
        pictures = _Pictures(config, table, folder)

        def read(number: int, values: list[Any]) -> tuple[NDArray[np.uint8], str]:
            about = text_in if config.target == "caption" else label_in
            found = about(table, number, values[1], columns[1])
            return pictures.read(number, values[0], columns[0]), found

        rows, facts = table.collect(config, columns, read)
        pixels = np.stack([picture for picture, _ in rows])
        found = [about for _, about in rows]
        name = (path.name or path.resolve().name) if path.exists() else config.path
        if config.target == "caption":
            return Images(name, pixels, captions=found, facts=facts)
        classes = classes_of(table, found, "column", columns[1])
        index = {each: number for number, each in enumerate(classes)}
        return Images(name, pixels, np.array([index[label] for label in found], np.int64), classes, facts=facts)


def _table_of(config: ImagesFolderConfig, given: Given) -> Path | None:
    """Return the table of the folder; None if it has none and its subfolders name the classes."""
    files = sorted(file.name for file in given.path.iterdir() if file.is_file())
    tables = [name for name in files if suffix_of(name) in TABLES]
    if config.table:
        if config.table not in files:
            what, remedy = "there is no such table in the folder", "Name one of these"
            raise BadInput(
                what, field="corpus.table", value=config.table, allowed=", ".join(tables) or None, remedy=remedy
            )
        return given.path / config.table
    if len(tables) > 1:
        what, remedy = "the folder has several tables, and none is named", "Name one of these"
        raise BadInput(what, field="corpus.table", allowed=", ".join(tables), remedy=remedy)
    return given.path / tables[0] if tables else None


def _is_data_set(config: ImagesFolderConfig, folder: Path) -> bool:
    """Return True if a folder is a data set: saved by its library, or of Parquet files of which none is the table."""
    if any((folder / name).exists() for name in SAVED):
        return True
    files = [] if config.table else list(folder.rglob("*.parquet"))
    return len(files) > 1 or any(file.parent != folder for file in files)


def _names(config: ImagesFolderConfig) -> tuple[str, ...]:
    """Return the names that columns may have."""
    return (config.file, config.column, *_FILES, *_LABELS, *_CAPTIONS)


def _columns(config: ImagesFolderConfig, table: RowTable) -> list[str]:
    """Return the column of the pictures, and that of their classes or captions."""
    if table.facts["reader"] == FOLDERS:
        return list(table.columns)
    usual = _CAPTIONS if config.target == "caption" else _LABELS
    return [table.column("file", config.file, _FILES, 0), table.column("column", config.column, usual, 1)]


def _by_folders(given: Given, config: ImagesFolderConfig) -> RowTable:
    """Return the pictures of subfolders as a table, with the name of its folder as label of each."""
    folders = sorted(each for each in given.path.iterdir() if each.is_dir() and not each.name.startswith("."))
    found = [
        (f"{folder.name}/{file.name}", folder.name)
        for folder in folders
        for file in sorted(folder.iterdir())
        if suffix_of(file.name) in _SUFFIXES and not file.name.startswith(".")
    ]
    if not found or config.target == "caption":
        what = "holds no table that names its pictures" if not found else "holds no table with captions"
        remedy = "Add a table with the columns file_name and label, or file_name and caption"
        raise given.problem(what, remedy)

    def rows(_: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
        yield from enumerate(map(list, found), 1)

    return RowTable(given, ("folder/file", "folder"), rows, facts={"reader": FOLDERS})


class _Pictures:
    """The pictures of a table, brought to the size and channels of the first one.

    Args:
        config: How they are brought to one size.
        table: The table that names or holds them, for problems.
        folder: The folder of files, which no file may leave; None if there are none.
    """

    def __init__(self, config: ImagesFolderConfig, table: RowTable, folder: Path | None) -> None:
        self._config, self._table = config, table
        self._folder = None if folder is None else folder.resolve()
        self._shape: tuple[int, ...] | None = None
        self._first = ""
        self._bytes = 0

    def read(self, number: int, value: Any, column: str) -> NDArray[np.uint8]:
        """Return the pixels of a cell, (H, W, C).

        Args:
            number: The number of the row.
            value: The name of a file; its bytes; or {"bytes", "path"}, as Hugging Face writes it.
            column: The column.

        Raises:
            BadRow: It is not there, lies outside the folder, cannot be read, or has another size than the first one.
            BadInput: The pictures so far need too much memory.
        """
        name, file = self._found(number, value, column)
        picture = self._pixels(number, name, file)
        if self._shape is None:
            self._shape, self._first = picture.shape, name
        if picture.shape != self._shape:
            here, there = _size_of(picture.shape), _size_of(self._shape)
            what = f"{name} has {here} pixels, {self._first} has {there}"
            raise self._table.row_problem(number, what, "Set corpus.size to bring all to one size")
        self._bytes += picture.size
        if self._bytes > MOST_PIXELS:
            what = f"the pictures need more than {MOST_PIXELS >> 20} MB of memory"
            raise BadInput(what, field="corpus.size", remedy="Use fewer pictures, or set corpus.size to a smaller one")
        return picture

    def _found(self, number: int, value: Any, column: str) -> tuple[str, Path | io.BytesIO]:
        """Return the name of a picture, and its file or its bytes."""
        name = f"the picture no. {number}"
        if isinstance(value, Mapping):
            path, value = value.get("path"), value.get("bytes")
            name = Path(path).name if isinstance(path, str) and path else name
            if value is None and isinstance(path, str):
                value = path
        if isinstance(value, bytes):
            return name, io.BytesIO(value)
        name = text_in(self._table, number, value, column)
        if self._folder is None:
            remedy = "Write the data set with its pictures embedded"
            raise self._table.row_problem(number, f"the column {column!r} holds no picture", remedy)
        path = self._folder / name
        if Path(name).is_absolute() or not path.resolve().is_relative_to(self._folder):
            raise self._table.row_problem(number, f"{name} lies outside the folder", "Move it into the folder")
        if not path.is_file():
            raise self._table.row_problem(number, f"there is no picture {name}", "Correct its name")
        return name, path

    def _pixels(self, number: int, name: str, file: Path | io.BytesIO) -> NDArray[np.uint8]:
        channels = {"auto": None if self._shape is None else self._shape[2], "grey": 1, "rgb": 3}[self._config.colour]
        size = (self._config.size, self._config.size) if self._config.size else None
        return _decoded(file, name, channels, size, partial(self._table.row_problem, number))


def read_picture(path: Path, shape: tuple[int, ...], field: str) -> NDArray[np.uint8]:
    """Return the picture of a file in a shape (H, W, C), resized to it; what is transparent becomes white.

    Args:
        path: The file.
        shape: Height, width, and 1 channel for grey or 3 for red, green, blue.
        field: The name of the file's option or field, for problems.

    Raises:
        BadInput: It is no picture that can be read, or too large; or Pillow is missing.
    """
    need("PIL.Image", "images", "A picture")

    def problem(what: str, remedy: str = "Choose a PNG or JPEG file") -> BadInput:
        return BadInput(what, field=field, value=path.name, remedy=remedy)

    if not path.is_file():
        raise problem("there is no such file")
    return _decoded(path, path.name, shape[2], (shape[1], shape[0]), problem)


def _decoded(
    file: Path | io.BytesIO,
    name: str,
    channels: int | None,
    size: tuple[int, int] | None,
    problem: Callable[..., BadInput],
) -> NDArray[np.uint8]:
    """Return the pixels of a picture, (H, W, C).

    Args:
        file: The file, or its content.
        name: Its name for display.
        channels: 1 or 3; None for those that it has.
        size: Width and height to which it is resized; None for those that it has.
        problem: Makes the error of what is wrong and, perhaps, a remedy.
    """
    from PIL import Image, ImageOps

    try:
        with Image.open(file, formats=_FORMATS) as picture:
            pixels = picture.width * picture.height
            if pixels <= MOST_OF_ONE:
                return _array(ImageOps.exif_transpose(picture), channels, size)
    except Exception as error:  # noqa: BLE001 - the library raises many kinds for damaged files
        why = str(error).partition("\n")[0].replace(str(file), name)
        raise problem(f"{name} is no picture that can be read: {why}") from None
    what = f"{name} has {pixels / 1e6:.0f} million pixels"
    raise problem(what, f"Make it smaller: at most {MOST_OF_ONE / 1e6:.0f} million")


def _array(picture: Any, channels: int | None, size: tuple[int, int] | None) -> NDArray[np.uint8]:
    """Return a picture as pixels; what is transparent becomes white."""
    from PIL import Image

    if picture.mode.startswith("I"):  # 16 bits of grey
        picture = Image.fromarray((np.clip(np.asarray(picture), 0, 65535) >> 8).astype(np.uint8))
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
        mode = "RGB"
    else:
        mode = "L" if picture.mode in ("1", "L", "F") else "RGB"
    mode = mode if channels is None else {1: "L", 3: "RGB"}[channels]
    picture = picture.convert("RGB").convert(mode) if picture.mode != mode else picture
    picture = picture if size is None else picture.resize(size, Image.Resampling.BILINEAR)
    found: NDArray[np.uint8] = np.asarray(picture, np.uint8)
    return found.reshape(*found.shape[:2], -1)


def _size_of(shape: tuple[int, ...]) -> str:
    return f"{shape[1]} × {shape[0]}"
