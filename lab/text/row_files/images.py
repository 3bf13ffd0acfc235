"""Pictures of a folder with a class or a caption each, from a table in it or from the names of its subfolders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Images, setting
from lab.base.extras import need
from lab.text.corpora.files import errors_as_bad_input
from lab.text.readers.base import Given
from lab.text.readers.table import TABLES, suffix_of
from lab.text.row_files.cells import classes_of, label_in, text_in
from lab.text.row_files.tables import RowsConfig, RowTable, open_file

MOST_PIXELS = 1 << 30
"""Largest number of bytes of all pictures together."""

MOST_OF_ONE = 50_000_000
"""Largest number of pixels of a file before it is resized."""

_FORMATS = ("PNG", "JPEG", "BMP", "GIF", "WEBP", "PPM", "TIFF")
_SUFFIXES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".pgm", ".ppm", ".tif", ".tiff")
_FILES = ("file_name", "file", "filename", "image", "path", "picture", "name")
_LABELS = ("label", "class", "category", "tag")
_CAPTIONS = ("caption", "text", "description", "title")


class ImagesFolderConfig(RowsConfig):
    """A folder of pictures, the table about them, and how they are brought to one size."""

    path: str = setting(
        path=True,
        min_length=1,
        help="A folder with pictures (PNG, JPEG, BMP, GIF, WebP, TIFF) and a table that names them; or with a folder "
        "of pictures for each class.",
    )
    table: str = setting(
        "", help="The table in the folder. Empty: its only CSV, TSV, JSON lines or Parquet file, if it has one."
    )
    file: str = setting(
        "", help="The column with the file of each picture. Empty: the one called file_name or the like."
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


def read_images(config: ImagesFolderConfig) -> Images:
    """Return the pictures of a folder, all of one size.

    Raises:
        BadInput: The folder, its table or a column is not there, a picture cannot be read or lies elsewhere, sizes
            differ, or there is but one class; or Pillow is missing.
    """
    with errors_as_bad_input("corpus.path", config.path):
        folder = Path(config.path).expanduser()
        given = Given(folder, "corpus.path", config.path)
        if folder.exists() and not folder.is_dir():
            raise given.problem("is not a folder", "Choose the folder with the pictures and their table")
        need("PIL.Image", "images", "A folder of pictures")
        file = _table_of(config, given)
        table, columns = _by_folders(given, config) if file is None else _by_table(config, replace(given, path=file))
        pictures = _Pictures(config, table, folder)

        def read(number: int, values: list[Any]) -> tuple[NDArray[np.uint8], str]:
            about = text_in if config.target == "caption" else label_in
            found = about(table, number, values[1], columns[1])
            return pictures.read(number, text_in(table, number, values[0], columns[0])), found

        rows, facts = table.collect(config, columns, read)
        pixels = np.stack([picture for picture, _ in rows])
        found = [about for _, about in rows]
        name = folder.name or folder.resolve().name
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


def _by_table(config: ImagesFolderConfig, given: Given) -> tuple[RowTable, list[str]]:
    table = open_file(given, config, (config.file, config.column, *_FILES, *_LABELS, *_CAPTIONS))
    usual = _CAPTIONS if config.target == "caption" else _LABELS
    return table, [table.column("file", config.file, _FILES, 0), table.column("column", config.column, usual, 1)]


def _by_folders(given: Given, config: ImagesFolderConfig) -> tuple[RowTable, list[str]]:
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
    columns = ["folder/file", "folder"]

    def rows(_: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
        yield from enumerate(map(list, found), 1)

    return RowTable(given, tuple(columns), rows, facts={"reader": "folders"}), columns


class _Pictures:
    """The pictures of a folder, brought to the size and channels of the first one.

    Args:
        config: How they are brought to one size.
        table: The table that names them, for problems.
        folder: The folder, which no file may leave.
    """

    def __init__(self, config: ImagesFolderConfig, table: RowTable, folder: Path) -> None:
        self._config, self._table, self._folder = config, table, folder.resolve()
        self._shape: tuple[int, ...] | None = None
        self._first = ""
        self._bytes = 0

    def read(self, number: int, name: str) -> NDArray[np.uint8]:
        """Return the pixels of a file, (H, W, C).

        Raises:
            BadRow: It is not there, lies outside the folder, cannot be read, or has another size than the first one.
            BadInput: The pictures so far need too much memory.
        """
        picture = self._pixels(number, name)
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

    def _pixels(self, number: int, name: str) -> NDArray[np.uint8]:
        from PIL import Image, ImageOps

        path = self._folder / name
        if Path(name).is_absolute() or not path.resolve().is_relative_to(self._folder):
            raise self._table.row_problem(number, f"{name} lies outside the folder", "Move it into the folder")
        if not path.is_file():
            raise self._table.row_problem(number, f"there is no picture {name}", "Correct its name")
        try:
            with Image.open(path, formats=_FORMATS) as picture:
                pixels = picture.width * picture.height
                if pixels <= MOST_OF_ONE:
                    return self._array(ImageOps.exif_transpose(picture))
        except Exception as error:  # noqa: BLE001 - the library raises many kinds for damaged files
            why = str(error).partition("\n")[0].replace(str(path), name)
            raise self._table.row_problem(number, f"{name} is no picture that can be read: {why}") from None
        what = f"{name} has {pixels / 1e6:.0f} million pixels"
        raise self._table.row_problem(number, what, f"Make it smaller: at most {MOST_OF_ONE / 1e6:.0f} million")

    def _array(self, picture: Any) -> NDArray[np.uint8]:
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
        if self._config.colour != "auto":
            mode = {"grey": "L", "rgb": "RGB"}[self._config.colour]
        elif self._shape is not None:
            mode = "L" if self._shape[2] == 1 else "RGB"
        picture = picture.convert("RGB").convert(mode) if picture.mode != mode else picture
        if self._config.size:
            picture = picture.resize((self._config.size, self._config.size), Image.Resampling.BILINEAR)
        found: NDArray[np.uint8] = np.asarray(picture, np.uint8)
        return found.reshape(*found.shape[:2], -1)


def _size_of(shape: tuple[int, ...]) -> str:
    return f"{shape[1]} × {shape[0]}"
