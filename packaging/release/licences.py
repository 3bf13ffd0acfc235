"""The licences of all that is shipped, as a table that the lab shows and as a file with every text."""

import re
import shutil
from collections.abc import Iterable
from email import message_from_string
from pathlib import Path
from typing import NamedTuple

from release import ROOT, CannotBuildError

COMMON = Path("/usr/share/common-licenses")
"""Where Debian has the texts to which its packages refer."""
TABLE = Path("share/lm-lab/licences.md")
"""The table, below the prefix of the Python inside; the page About shows it."""
TEXTS = Path("share/lm-lab/licences.txt")
"""The texts, below the prefix."""
INSIDE_PYTHON = (
    "bzip2 (bzip2-1.0.6), Expat (MIT), libffi (MIT), liblzma and SQLite (public domain), mpdecimal (BSD-2-Clause), "
    "OpenSSL (Apache-2.0), zlib (Zlib)"
)
"""The libraries in a Python that is built to run from any folder, with their licences."""
FILES = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|AUTHORS)", re.IGNORECASE)
CLASSIFIER = "License :: OSI Approved :: "
WITHOUT_TEXT = frozenset(["pyside6-essentials", "shiboken6"])
"""Packages that name their licences, the LGPL among them, and hold no text of it."""
LGPL = tuple(ROOT / "packaging" / "licences" / name for name in ("LGPL-3.txt", "GPL-3.txt"))
"""The texts of the LGPL, which adds to the GPL."""


class Component(NamedTuple):
    """A package that is shipped.

    Attributes:
        name: Its name.
        version: Its version.
        licence: The name of its licence, or the expression that combines several.
        text: The texts of its licences and notices.
    """

    name: str
    version: str
    licence: str
    text: str


def of_wheel(info: Path) -> Component:
    """Return what an installed package says of its licence.

    Args:
        info: Its folder with the suffix .dist-info.
    """
    metadata = message_from_string((info / "METADATA").read_text(encoding="utf-8"))
    files = (path for path in sorted(info.rglob("*")) if path.is_file() and FILES.match(path.name))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    lacking = LGPL if re.sub(r"[-_.]+", "-", metadata["Name"]).lower() in WITHOUT_TEXT else ()
    texts += [path.read_text(encoding="utf-8") for path in lacking]
    classifiers = metadata.get_all("Classifier", [])
    names = [line.removeprefix(CLASSIFIER) for line in classifiers if line.startswith(CLASSIFIER)]
    written = (metadata["License"] or "").strip()
    short = written if written and "\n" not in written and len(written) <= 100 else ""
    licence = metadata["License-Expression"] or short or ", ".join(names) or "see its text"
    return Component(metadata["Name"], metadata["Version"], licence, "\n\n".join(texts))


def of_package(unpacked: Path, name: str, version: str, licence: str) -> Component:
    """Return a package of Debian with what it says of its licences.

    Args:
        unpacked: The folder with what the packages hold.
        name: Its name.
        version: Its version.
        licence: The licence of what is taken of it.
    """
    text = (unpacked / "usr/share/doc" / name / "copyright").read_text(encoding="utf-8", errors="replace")
    return Component(f"{name} (Debian)", version, licence, text)


def of_python(prefix: Path, library: Path, version: str) -> Component:
    """Return a Python that is built to run from any folder, with the licences of the libraries that it holds.

    Args:
        prefix: Its prefix.
        library: The folder of its own modules.
        version: Its version.

    Raises:
        CannotBuildError: It has no licence where others have it.
    """
    found = [file for file in (prefix / "LICENSE.txt", library / "LICENSE.txt") if file.is_file()]
    if not found:
        raise CannotBuildError(f"The Python in {prefix} has no LICENSE.txt; mend packaging/release/licences.py")
    text = found[0].read_text(encoding="utf-8", errors="replace")
    return Component("Python", version, f"PSF-2.0, with {INSIDE_PYTHON}", text)


def referred(components: Iterable[Component]) -> list[Component]:
    """Return the texts in Debian's folder of licences to which the texts of components refer."""
    names = {name for one in components for name in re.findall(rf"{COMMON}/([A-Za-z0-9.-]*[A-Za-z0-9])", one.text)}
    found = sorted((COMMON / name for name in names if (COMMON / name).is_file()), key=lambda path: path.name)
    return [Component(path.name, "", "", path.read_text(encoding="utf-8")) for path in found]


def table(components: Iterable[Component]) -> str:
    """Return a table in Markdown of components with their licences."""
    rows = [f"| {one.name} | {one.version} | {one.licence.replace('|', '/')} |" for one in components]
    return "\n".join(("| | version | licence |", "|---|---|---|", *rows)) + "\n"


def texts(components: Iterable[Component]) -> str:
    """Return the texts of components, each under its name."""
    line = "=" * 78
    return "\n".join(f"{line}\n{one.name} {one.version}\n{line}\n\n{one.text.strip()}\n" for one in components)


def write(prefix: Path, site: Path, packages: Iterable[Component]) -> int:
    """Write the table and the texts of all that is shipped, and return the number of components.

    The texts in the folders of the packages go, as they are in the file.

    Args:
        prefix: The prefix of the Python inside.
        site: Its folder of packages.
        packages: The packages of Debian.
    """
    components = [*(of_wheel(info) for info in site.glob("*.dist-info")), *packages]
    components.sort(key=lambda one: one.name.lower())
    (prefix / TABLE).parent.mkdir(parents=True, exist_ok=True)
    (prefix / TABLE).write_text(table(components), encoding="utf-8")
    (prefix / TEXTS).write_text(texts([*components, *referred(components)]), encoding="utf-8")
    for folder in site.glob("*.dist-info/licenses"):
        shutil.rmtree(folder)
    return len(components)
