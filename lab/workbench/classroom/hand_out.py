"""What a teacher hands out: one file with a recipe, its text, the plugins it needs, and a page of instructions.

    manifest.json     {"format": 1, "hand_out": {"title", "packages"}, "files": [{"name", "bytes", "sha256"}, …]}
    recipe.toml       the recipe; its corpus names files of this package, and no other
    instructions.md   what to do, as Markdown, which is text
    corpus/NAME       the files of its corpus
    plugins/NAME.py   plugins of one file

Nothing in it runs when it is opened. Plugins are unpacked beside the recipe, where the lab does not search for any.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from lab.base import BadInput
from lab.base.files.temporary import temporary_path
from lab.base.files.writing import folder_for, place, sync_tree, write_atomically, write_errors_as_problems
from lab.base.folders import home
from lab.base.units import short
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs.bundle import plain_name, read_errors_as_problems, write_package
from lab.runs.bundle_file import BundledFile, Package, manifest_keys
from lab.workbench.exchange.link import check_no_paths
from lab.workbench.launch.known_corpora import paths_of, with_paths

KIND = "hand_out"
"""The key of the manifest that tells a hand-out from the bundle of a run."""
RECIPE, INSTRUCTIONS = "recipe.toml", "instructions.md"
LONGEST_PAGE = 2**18
"""Most bytes of the instructions, and of the recipe."""
LARGEST = 2 * 2**30
"""Most bytes that a hand-out may unpack to."""
MOST_FILES = 100

_NAME = r"[^\x00-\x1f\x7f<>:\"/\\|?*]{1,100}"
_FILE = re.compile(rf"recipe\.toml|instructions\.md|corpus/{_NAME}|plugins/[A-Za-z][A-Za-z0-9_-]{{0,60}}\.py")


class HandOutFile(Package):
    """An opened hand-out.

    Attributes:
        title: Its title.
        packages: Name and version of the installed packages whose cards the recipe needs.
    """

    @staticmethod
    def allows(name: str) -> bool:
        """Return True for recipe, instructions, corpus files and one-file plugins."""
        folder, _, last = name.rpartition("/")
        return _FILE.fullmatch(name) is not None and (not folder or plain_name(last) == last)

    def _read_manifest(self) -> None:
        about = self.manifest.get(KIND)
        title, packages = (about.get("title"), about.get("packages")) if isinstance(about, dict) else (None, None)
        if not isinstance(title, str):
            raise self.refusal("this is not a hand-out: it has no title")
        self.title = _line(title)
        self.packages = [_line(one) for one in packages if isinstance(one, str)] if isinstance(packages, list) else []


@dataclass(frozen=True)
class HandOut:
    """The content of a hand-out, all of it checked.

    Args:
        file: The file.
        title: Its title.
        recipe: The recipe; its corpus names files in the package.
        instructions: The page of instructions as Markdown; "" for none.
        corpus: The files of its corpus.
        plugins: Its plugins.
        packages: Name and version of the installed packages whose cards the recipe needs.
        key: A digest of the content.
    """

    file: Path
    title: str
    recipe: Recipe
    instructions: str
    corpus: tuple[BundledFile, ...]
    plugins: tuple[BundledFile, ...]
    packages: tuple[str, ...]
    key: str


class Packed(NamedTuple):
    """A file that a hand-out holds, and its bytes."""

    path: Path
    size: int


@dataclass(frozen=True)
class Contents:
    """The contents of a recipe's hand-out, without the instructions, before it is written.

    Args:
        recipe: The recipe; its corpus names files of the package.
        corpus: The files of its corpus.
        plugins: The plugins of one file.
        packages: Name and version of the installed packages whose cards the recipe needs.
    """

    recipe: Recipe
    corpus: tuple[Packed, ...]
    plugins: tuple[Packed, ...]
    packages: tuple[str, ...]


def is_hand_out(file: Path) -> bool:
    """Return True if a file is a hand-out, intact or not; False for the bundle of a run and anything else."""
    return KIND in manifest_keys(file)


def contents_of(recipe: Recipe, plugins: Plugins, with_plugins: Iterable[Path] = ()) -> Contents:
    """Return what the hand-out of a recipe holds.

    Args:
        recipe: The recipe.
        plugins: The plugins, of which those are packed whose cards the recipe names.
        with_plugins: Further plugins of one file, such as those of a mixer in a hybrid.

    Raises:
        BadInput: The recipe needs something that no hand-out can hold; the problem names it.
        LabError: A file could not be read.
    """
    _check_no_other_paths(recipe, plugins)
    needed, packages = _plugins_of(recipe, plugins)
    corpus = _corpus_of(recipe)
    packed = with_paths(recipe, {keys: Path(f"corpus/{path.name}") for keys, path in corpus.items()})
    texts, files = (tuple(map(_packed, paths)) for paths in (corpus.values(), (*needed, *with_plugins)))
    return Contents(packed, texts, files, tuple(packages))


def _packed(path: Path) -> Packed:
    with read_errors_as_problems(path):
        return Packed(path, path.stat().st_size)


def write_hand_out(
    file: Path,
    recipe: Recipe,
    plugins: Plugins,
    *,
    title: str = "",
    instructions: str = "",
    with_plugins: Iterable[Path] = (),
) -> HandOut:
    """Write a hand-out.

    Args:
        file: Its path; an existing file is replaced.
        recipe: The recipe; the files of its corpus are packed.
        plugins: The plugins, of which those are packed whose cards the recipe names.
        title: Its title; "" for that of the recipe, or else the file's name.
        instructions: The page of instructions as Markdown.
        with_plugins: Further plugins of one file, such as those of a mixer in a hybrid.

    Returns:
        Its content.

    Raises:
        BadInput: The recipe needs something that no hand-out can hold; the problem names it.
        LabError: A file could not be read or written; an existing `file` is unchanged.
    """
    held = contents_of(recipe, plugins, with_plugins)
    contents: dict[str, Path | bytes] = {RECIPE: held.recipe.to_toml().encode()}
    if instructions:
        contents[INSTRUCTIONS] = instructions.encode(errors="replace")
    contents |= {f"corpus/{path.name}": path for path, _ in held.corpus}
    for path, _ in held.plugins:
        with read_errors_as_problems(path):
            contents[f"plugins/{path.name}"] = path.read_bytes()
    for name, content in contents.items():
        _check_packable(name, content)
    about = {KIND: {"title": _line(title or recipe.title or file.stem), "packages": [*held.packages]}}
    write_atomically(file, lambda new: write_package(new, about, contents), recorded=True)
    return read_hand_out(file, plugins)


def read_hand_out(file: Path, plugins: Plugins | None = None) -> HandOut:
    """Read a hand-out and check all of it; nothing in it runs.

    Args:
        file: The file.
        plugins: The plugins whose settings are known to be paths; without them only what looks like one is refused.

    Raises:
        BadInput: It is refused; the problem gives the reason.
    """
    with HandOutFile.open(file) as package:
        _check_sizes(package)
        entries = {entry.name: entry for entry in package.files}
        if RECIPE not in entries:
            raise package.refusal(f"{RECIPE} is missing in it")
        pages = {name: b"".join(package.pieces(entries[name])) for name in (RECIPE, INSTRUCTIONS) if name in entries}
        for name in entries.keys() - pages.keys():
            for _ in package.pieces(entries[name]):  # raises if it is not what the manifest states
                pass
        recipe = Recipe.from_toml(pages[RECIPE].decode(errors="replace"), name=RECIPE)
        _check_no_other_paths(recipe, plugins)
        missing = next((path for path in paths_of(recipe).values() if path not in entries), None)
        if missing is not None:
            raise package.refusal(f"its recipe reads {missing[:80]!a}, which is not in it")
        return HandOut(
            file,
            package.title or file.stem,
            recipe,
            pages.get(INSTRUCTIONS, b"").decode(errors="replace"),
            tuple(entry for entry in package.files if entry.name.startswith("corpus/")),
            tuple(entry for entry in package.files if entry.name.startswith("plugins/")),
            tuple(package.packages),
            _key(package),
        )


def unpack_hand_out(hand_out: HandOut, folder: Path | None = None) -> Path:
    """Unpack a hand-out and return the path of its recipe, whose corpus is found beside it.

    Args:
        hand_out: The hand-out.
        folder: The folder to make; None for one of the lab's own, which is used again for the same content.

    Raises:
        BadInput: The folder exists, or the file is not what it was.
        LabError: It could not be written; nothing is left behind.
    """
    own = home() / "hand-outs" / f"{plain_name(hand_out.title)[:60].strip('. ')}-{hand_out.key[:12]}"
    path = folder or own
    if folder is None and (own / RECIPE).is_file():
        return own / RECIPE
    if path.exists():
        raise BadInput("already exists", field="--out", value=str(path), remedy="Choose another folder")
    with (
        HandOutFile.open(hand_out.file) as package,
        folder_for(path.absolute().parent),
        write_errors_as_problems(path),
        temporary_path(path.absolute(), recorded=True) as temporary,
    ):
        _check_sizes(package)
        if _key(package) != hand_out.key:
            raise package.refusal("it is another one than was shown", remedy="Open it again")
        free, total = shutil.disk_usage(path.absolute().parent).free, sum(entry.size for entry in package.files)
        if total > free:
            what = f"it unpacks to {short(total)}B, and the disk has {short(free)}B free"
            raise package.refusal(what, remedy="Free some disk space")
        temporary.mkdir()
        for entry in package.files:
            target = temporary / entry.name
            target.parent.mkdir(exist_ok=True)
            with target.open("xb") as out:
                for piece in package.pieces(entry):
                    out.write(piece)
        sync_tree(temporary)
        return place(temporary, path.absolute()) / RECIPE


def add_plugin(hand_out: HandOut, name: str, plugins: Plugins) -> str:
    """Copy a plugin of a hand-out to the plugins folder, and return its name; it is not enabled.

    Args:
        hand_out: The hand-out.
        name: The name of the file in it.
        plugins: The plugins.

    Raises:
        BadInput: The plugins folder has another file of this name, or the hand-out is not what it was.
        LabError: It could not be written.
    """
    entry = next(one for one in hand_out.plugins if one.name == name)
    known = plugin_here(entry, plugins)
    if known is not None:
        return known
    path = unpack_hand_out(hand_out).parent / entry.name
    with read_errors_as_problems(path):
        if sha256(path.read_bytes()).hexdigest() != entry.sha256:
            remedy = f"Delete the folder {path.parent.parent.name} in hand-outs of the lab's folder, and open it again"
            raise BadInput("was changed since it was unpacked", field="file", value=str(path), remedy=remedy)
    return plugins.add_file(path)


def plugin_here(entry: BundledFile, plugins: Plugins) -> str | None:
    """Return the name of the plugin in the plugins folder that is the same file; None if there is none."""
    for info in plugins.listed():
        path = Path(info.location)
        if info.origin == "file" and path.name == Path(entry.name).name and path.is_file():
            with read_errors_as_problems(path):
                if sha256(path.read_bytes()).hexdigest() == entry.sha256:
                    return info.name
    return None


def _corpus_of(recipe: Recipe) -> dict[tuple[str, ...], Path]:
    """Return the files of a recipe's corpus by their settings."""
    found: dict[tuple[str, ...], Path] = {}
    for keys, text in paths_of(recipe).items():
        path, field = Path(text).expanduser().absolute(), ".".join(("corpus", *keys))
        if path.is_dir():
            remedy = "Join its files to one, and use that as the corpus"
            raise BadInput("is a folder, which no hand-out holds", field=field, value=text, remedy=remedy)
        if not path.is_file():
            raise BadInput("was not found", field=field, value=text, remedy="Give the text with --corpus FILE")
        if any(path.name == other.name and path != other for other in found.values()):
            raise BadInput("has the name of another file of it", field=field, value=text, remedy="Rename the file")
        found[keys] = path
    return found


def _plugins_of(recipe: Recipe, plugins: Plugins) -> tuple[list[Path], list[str]]:
    """Return the one-file plugins whose cards a recipe names, and name and version of such packages."""
    listed = {info.name: info for info in plugins.listed()}
    owners = dict.fromkeys(plugins.owner(kind, choice.name) for kind, choice in recipe.choices().values())
    files, packages = [], []
    for info in (listed[owner] for owner in owners):
        if info.origin == "package":
            packages.append(info.location)
        elif info.origin == "file" and Path(info.location).is_dir():
            remedy = "Join its modules to one file, or install it on the machines as a package"
            raise BadInput("is a folder, which no hand-out holds", field="plugin", value=info.name, remedy=remedy)
        elif info.origin == "file":
            files.append(Path(info.location))
    return files, packages


def _check_no_other_paths(recipe: Recipe, plugins: Plugins | None) -> None:
    """Refuse a recipe with paths beside those of the files of its corpus."""
    check_no_paths(recipe.with_values({"corpus": None}) if paths_of(recipe) else recipe, plugins)


def _key(package: HandOutFile) -> str:
    """Return a digest of what a hand-out states of its files, which reading them checks."""
    return sha256("\n".join(sorted(f"{one.name} {one.sha256}" for one in package.files)).encode()).hexdigest()


def _check_packable(name: str, content: Path | bytes) -> None:
    """Refuse to pack what no hand-out can hold."""
    if not HandOutFile.allows(name):
        allowed = "plugins of one .py file; files with a short name and without special characters"
        raise BadInput("cannot be handed out", field="file", value=name, allowed=allowed, remedy="Rename the file")
    if isinstance(content, bytes) and len(content) > LONGEST_PAGE:
        allowed = f"at most {short(LONGEST_PAGE)}B"
        raise BadInput("is too large", field="file", value=name, allowed=allowed, remedy="Shorten it")


def _check_sizes(package: HandOutFile) -> None:
    """Refuse a package that unpacks to more than is allowed."""
    total = sum(entry.size for entry in package.files)
    if total > LARGEST or len(package.files) > MOST_FILES:
        raise package.refusal(f"it unpacks to more than {short(LARGEST)}B or {MOST_FILES} files")
    for entry in package.files:
        if not entry.name.startswith("corpus/") and entry.size > LONGEST_PAGE:
            raise package.refusal(f"{entry.name} in it is larger than {short(LONGEST_PAGE)}B")


def _line(text: Any) -> str:
    """Return a title as one line of printable text."""
    plain = "".join(letter if letter.isprintable() else " " for letter in str(text)[:400])
    return " ".join(plain.split())[:100]
