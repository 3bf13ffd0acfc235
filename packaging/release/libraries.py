"""The shared libraries of what is shipped: where they look for each other, what they need, and what they can lose."""

import os
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from release import LAYOUTS, CannotBuildError, call

LAYOUT = LAYOUTS["linux"]

STRIPPED = (
    "contourpy", "cryptography", "fontTools", "kiwisolver", "llguidance", "lxml", "matplotlib", "pyarrow",
    "pydantic_core", "safetensors", "tokenizers", "torch", "yaml",
)  # fmt: skip
"""Packages whose libraries lose their symbols; `strip` may break what patchelf changed, as in numpy and PIL."""
UNUSED = ("libbrotlienc.so.", "libexpatw.so.")
"""Libraries that come in a package with others and that nothing needs."""
MAGIC = b"\x7fELF"
OF_THE_SYSTEM = frozenset([
    "ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0",
    "libresolv.so.2", "librt.so.1", "libstdc++.so.6", "libEGL.so.1", "libGL.so.1", "libGLX.so.0", "libOpenGL.so.0",
    "libX11-xcb.so.1", "libX11.so.6", "libdbus-1.so.3", "libdrm.so.2", "libfontconfig.so.1", "libfreetype.so.6",
    "libglib-2.0.so.0", "libgobject-2.0.so.0", "libgio-2.0.so.0", "libgthread-2.0.so.0", "libgssapi_krb5.so.2",
    "libwayland-client.so.0", "libwayland-cursor.so.0", "libwayland-egl.so.1", "libxcb-glx.so.0", "libxcb-randr.so.0",
    "libxcb-render.so.0", "libxcb-shape.so.0", "libxcb-shm.so.0", "libxcb-sync.so.1", "libxcb-xfixes.so.0",
    "libxcb-xkb.so.1", "libxcb.so.1", "libgtk-3.so.0", "libgdk-3.so.0", "libgdk_pixbuf-2.0.so.0", "libpango-1.0.so.0",
    "libatk-1.0.so.0", "libcairo.so.2", "libcairo-gobject.so.2", "libharfbuzz.so.0", "libpangocairo-1.0.so.0",
    "libz.so.1",
])  # fmt: skip
"""What a system with a desktop has, by soname; GTK is loaded only where it is."""


def place_libraries(unpacked: Path, folder: Path) -> None:
    """Put Debian's libraries into a folder, under the names by which others need them, to find each other there.

    Args:
        unpacked: The folder with what Debian's packages hold.
        folder: The folder that gets them.
    """
    paths = sorted(unpacked.rglob("*-linux-gnu/lib*.so.*"))
    found = [path for path in paths if is_library(path) and not path.name.startswith(UNUSED)]
    targets = {path.resolve() for path in found if path.is_symlink()}
    for path in found:
        if path.is_symlink() or path not in targets:
            shutil.copy2(path.resolve(), folder / path.name)
            call("patchelf", "--set-rpath", "$ORIGIN", folder / path.name)


def point_interpreter(prefix: Path) -> None:
    """Tell the interpreter and its modules where their libraries are, wherever the prefix is."""
    call("patchelf", "--set-rpath", "$ORIGIN/../lib", (prefix / LAYOUT.program).resolve())
    for module in sorted((prefix / LAYOUT.library / "lib-dynload").glob("*.so")):
        call("patchelf", "--set-rpath", "$ORIGIN/../..", module)


def is_library(path: Path) -> bool:
    """Return True if a file is a program or library."""
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return opened.read(len(MAGIC)) == MAGIC


def libraries_below(folder: Path) -> Iterator[Path]:
    """Yield the programs and libraries below a folder."""
    for path in sorted(folder.rglob("*")):
        if not path.is_symlink() and (".so" in path.name or os.access(path, os.X_OK)) and is_library(path):
            yield path


def strip(prefix: Path) -> int:
    """Remove the tables of symbols that only a debugger reads, and return the bytes that this frees.

    Raises:
        CannotBuildError: A library does not load any more.
    """
    libraries = [path for name in STRIPPED for path in libraries_below(prefix / LAYOUT.site / name)]
    before = sum(path.stat().st_size for path in libraries)
    for path in libraries:
        call("strip", "--strip-unneeded", path)
    # It leaves without tidying up, for which the libraries would have to be imported as the modules that they are.
    load = "import ctypes, os, sys, torch; [ctypes.CDLL(path) for path in sys.argv[1:]]; os._exit(0)"
    call(prefix / LAYOUT.program, "-B", "-I", "-c", load, *(path for path in libraries if ".so" in path.name))
    return before - sum(path.stat().st_size for path in libraries)


def check_needs(prefix: Path) -> None:
    """Check that each library finds the others that it needs, here or on every system with a desktop.

    Raises:
        CannotBuildError: A library was cut that another one needs.
    """
    present = {path.name for path in prefix.rglob("*.so*")}
    missing = missing_needs(((path, needs_of(path)) for path in libraries_below(prefix)), present)
    if missing:
        raise CannotBuildError("Libraries need what is not shipped:\n" + "\n".join(missing))


def needs_of(library: Path) -> list[str]:
    """Return the sonames that a library needs."""
    return call("patchelf", "--print-needed", library).split()


def missing_needs(needs: Iterable[tuple[Path, list[str]]], present: set[str]) -> list[str]:
    """Return a line for each library that neither the folder nor the system has."""
    return [
        f"{path.name} needs {name}"
        for path, names in needs
        for name in names
        if name not in present and name not in OF_THE_SYSTEM
    ]
