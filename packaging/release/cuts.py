"""What is left out of the packages that are shipped, and why."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from release import PYTHON, SITE, CannotBuildError

LIBRARY = f"lib/python{PYTHON}"


class Cut(NamedTuple):
    """Files that are left out.

    Attributes:
        reason: Why nothing misses them.
        patterns: Their paths below the prefix of the Python inside; `*` stands for any characters but a slash, `**` for
            any, and a pattern that matches a folder takes what is inside it.
    """

    reason: str
    patterns: tuple[str, ...]


def _in_site(*patterns: str) -> tuple[str, ...]:
    return tuple(f"{SITE}/{pattern}" for pattern in patterns)


CUTS = (
    Cut(
        "scripts hold the path of the folder they were installed in; `lm-lab-python -m` runs the same modules",
        ("local/bin",),
    ),
    Cut(
        "links into /etc, and a mark that forbids pip, both of the system's Python",
        (f"{LIBRARY}/sitecustomize.py", f"{LIBRARY}/EXTERNALLY-MANAGED"),
    ),
    Cut(
        "modules for formats that nobody stores any more, which need a library that is not everywhere",
        (f"{LIBRARY}/lib-dynload/{{_crypt,_dbm,nis}}.*", f"{LIBRARY}/dbm", f"{LIBRARY}/crypt.py"),
    ),
    Cut(
        "editing of lines and drawing in a terminal, for which Python needs a library under the GPL and another one",
        (f"{LIBRARY}/curses", f"{LIBRARY}/lib-dynload/{{readline,_curses,_curses_panel}}.*"),
    ),
    Cut(
        "demonstrations and tests of Python",
        (f"{LIBRARY}/{{test,turtle.py,antigravity.py}}", f"{LIBRARY}/lib-dynload/{{_test*,xx*}}"),
    ),
    Cut(
        "tests of packages, which those who make the packages run",
        _in_site(
            "torch/test", "torch/bin/{*Test,test_*,*.pt,*.ptl,upgrader_models}",
            "torch/lib/{libjitbackend_test,libtorchbind_test,libbackend_with_compiler,libaoti_custom_ops}.so",
            "torch/testing/_internal/{distributed,opinfo,generated,optests,data,test_module,codegen}",
            "{numpy,numpy/*}/tests", "sympy/**/tests", "mpmath/tests", "networkx/**/tests", "matplotlib/tests",
            "mpl_toolkits/*/tests", "pyarrow/tests", "fontTools/**/testTools.py", "pyarrow/_pyarrow_cpp_tests.*",
            "sympy/**/benchmarks",
        ),
    ),
    Cut(
        "headers and programs for those who compile against a package; the lab compiles nothing",
        _in_site(
            "torch/include", "torch/share", "torch/bin/protoc*", "numpy/_core/{include,lib}", "numpy/random/lib",
            "pyarrow/include", "pyarrow/**/*.{pyx,pxd,pxi,cc,h}", "pyarrow/src",
            "PySide6/{include,glue,typesystems,doc}", "lxml/includes", "lxml/**/*.{pyx,pxd,pxi,h}",
            "numpy/**/*.{pxd,pyx,h,c}", "fontTools/**/*.c", "torchgen/packaged", "numpy/{distutils,f2py}",
        ),
    ),
    Cut(
        "types for checkers and editors, which have them from the packages themselves",
        _in_site("**/*.pyi"),
    ),
    Cut(
        "Qt's tools: the lab draws with widgets, and its forms and translations are made elsewhere",
        _in_site(
            "PySide6/{assistant,designer,linguist,lrelease,lupdate,qmlformat,qmllint,qmlls,svgtoqml}",
            "PySide6/scripts", "PySide6/Qt/{libexec,metatypes,qml}",
        ),
    ),
    Cut(
        "Qt's modules for QML, databases, designing and printing, which neither the lab nor its charts import",
        _in_site(
            "PySide6/Qt{Concurrent,Designer,Help,PrintSupport,Qml,Quick,QuickControls2,QuickTest}.abi3.so",
            "PySide6/Qt{QuickWidgets,Sql,UiTools,Xml}.abi3.so", "PySide6/libpyside6qml*",
            "PySide6/Qt/lib/libQt6{Concurrent,Designer*,Egl*,Help,Labs*,PrintSupport,Qml*,Quick*,Sql}.so.6",
            "PySide6/Qt/lib/libQt6{UiTools,WaylandCompositor,WaylandEglCompositor*,Xml}.so.6",
        ),
    ),
    Cut(
        "plugins of Qt for screens without a desktop, remote screens, QML, databases and printers",
        _in_site(
            "PySide6/Qt/plugins/{designer,egldeviceintegrations,generic,networkinformation,printsupport,qmllint,qmltooling}",
            "PySide6/Qt/plugins/{sqldrivers,wayland-graphics-integration-server}",
            "PySide6/Qt/plugins/platforms/libq{eglfs,linuxfb,minimalegl,vkkhrdisplay,vnc}.so",
            "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so",
            "PySide6/Qt/plugins/imageformats/libq{icns,pdf,tga,tiff,wbmp,webp}.so",
        ),
    ),
    Cut(
        "Qt's own translations into languages that the lab does not speak, and those of its tools",
        _in_site("PySide6/Qt/translations/{*_[!d]*,assistant*,designer*,linguist*,qt_help*}.qm"),
    ),
    Cut(
        "parts of Arrow for servers and clouds, and libraries under a second name; the lab reads and writes files",
        _in_site(
            "pyarrow/libarrow_{flight,python_flight,s3}.*", "pyarrow/_{azurefs,flight,gcsfs,s3fs,substrait}.*",
            "pyarrow/libarrow_python*.so.*.*.*", "pyarrow/*_python*.so",
        ),
    ),
    Cut(
        "examples and sample data",
        _in_site("pyqtgraph/examples", "matplotlib/mpl-data/sample_data"),
    ),
    Cut(
        "training on several machines, which the lab does not do",
        _in_site("torch/distributed/{elastic,launcher,pipelining,run.py}"),
    ),
    Cut(
        "a faster way to download from a hub, which the launcher switches off; the other way remains",
        _in_site("hf_xet/*.so"),
    ),
    Cut(
        "physics for mathematicians; torch computes shapes with the rest",
        _in_site("sympy/physics"),
    ),
    Cut(
        "launchers for Windows",
        _in_site("pip/_vendor/distlib/*.exe", "setuptools/*.exe"),
    ),
    Cut(
        "reading XML as Python objects, which nothing in the lab does",
        _in_site("lxml/objectify.*"),
    ),
    Cut(
        "a format of pictures that nothing in the lab reads or writes",
        _in_site("PIL/_avif.*", "pillow.libs/libavif-*"),
    ),
)  # fmt: skip


def expanded(pattern: str) -> list[str]:
    """Return a pattern once for each choice in its braces."""
    found = re.search(r"\{([^{}]*)\}", pattern)
    if found is None:
        return [pattern]
    start, end = pattern[: found.start()], pattern[found.end() :]
    return [each for choice in found[1].split(",") for each in expanded(f"{start}{choice}{end}")]


def expression(pattern: str) -> re.Pattern[str]:
    """Return a pattern without braces as a regular expression for a path below the prefix."""
    signs = {"**/": "(?:.*/)?", "*": "[^/]*"}
    parts = re.split(r"(\*\*/|\*|\[[^\]]*\])", pattern)
    return re.compile(
        "".join(signs.get(part) or (part.replace("[!", "[^") if part[:1] == "[" else re.escape(part)) for part in parts)
    )


def apply_cuts(prefix: Path, cuts: Sequence[Cut] = CUTS) -> list[tuple[str, int]]:
    """Remove what is cut and return the bytes of each reason.

    Args:
        prefix: The prefix of the Python inside.
        cuts: The cuts.

    Raises:
        CannotBuildError: A pattern matches nothing: what it was for is gone or has another name.
    """
    paths = {path.relative_to(prefix).as_posix(): path for path in sorted(prefix.rglob("*"))}  # folders come first
    removed, missed = [], []
    for cut in cuts:
        count = 0
        for pattern in (each for written in cut.patterns for each in expanded(written)):
            matches = expression(pattern).fullmatch
            found = [path for name, path in paths.items() if matches(name)]
            missed += [] if found else [f"{pattern} ({cut.reason})"]
            count += sum(remove(path) for path in found if path.exists() or path.is_symlink())
        removed.append((cut.reason, count))
    if missed:
        raise CannotBuildError("Nothing matches these cuts; mend packaging/release/cuts.py:\n" + "\n".join(missed))
    return removed


def remove(path: Path) -> int:
    """Remove a file or folder and return its bytes."""
    if path.is_dir() and not path.is_symlink():
        count = sum(each.lstat().st_size for each in path.rglob("*") if not each.is_dir())
        shutil.rmtree(path)
    else:
        count = path.lstat().st_size
        path.unlink()
    return count


def trim_records(site: Path) -> None:
    """Take what is not there out of the lists of files by which pip removes a package."""
    for record in site.glob("*.dist-info/RECORD"):
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        record.write_text(
            "".join(line for line in sorted(lines) if (site / line.rsplit(",", 2)[0].strip('"')).exists()),
            encoding="utf-8",
        )
