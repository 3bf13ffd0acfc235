"""What is left out of the packages that are shipped, and why."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from release import LAYOUTS, CannotBuildError, System


class Cut(NamedTuple):
    """Files that are left out.

    Paths are below the prefix of the Python inside, and start with LIBRARY/ for the folder of its own modules or with
    SITE/ for that of packages. `*` stands for any characters but a slash, `**` for any, and a pattern that matches a
    folder takes what is inside it.

    Attributes:
        reason: Why nothing misses them.
        patterns: Their paths on every system.
        linux: More of them, on Linux alone.
        windows: More of them, on Windows alone.
        macos: More of them, on macOS alone.
    """

    reason: str
    patterns: tuple[str, ...] = ()
    linux: tuple[str, ...] = ()
    windows: tuple[str, ...] = ()
    macos: tuple[str, ...] = ()

    def on(self, system: System) -> list[str]:
        """Return the patterns for a system, with its folders and without braces."""
        own = {"linux": self.linux, "windows": self.windows, "macos": self.macos}[system]
        layout = LAYOUTS[system]
        folders = {"LIBRARY": layout.library, "SITE": layout.site}
        found = [each for written in (*self.patterns, *own) for each in expanded(written)]
        return [re.sub(r"^(LIBRARY|SITE)(?=/)", lambda name: folders[name[0]], each) for each in found]


def _in_site(*patterns: str) -> tuple[str, ...]:
    return tuple(f"SITE/{pattern}" for pattern in patterns)


def _in_library(*patterns: str) -> tuple[str, ...]:
    return tuple(f"LIBRARY/{pattern}" for pattern in patterns)


QT_MODULES = "{Concurrent,Designer,Help,PrintSupport,Qml,Quick,QuickControls2,QuickTest,QuickWidgets,Sql,UiTools,Xml}"
QT_LIBRARIES = "{Concurrent,Designer*,Help,Labs*,PrintSupport,Qml*,Quick*,Sql,UiTools,Xml}"
FOR_DEVELOPERS = "{ensurepip,idlelib,lib2to3,tkinter}"
QT_TOOLS = "{lrelease,lupdate,qmlformat,qmllint,qmlls,svgtoqml}"

CUTS = (
    Cut(
        "scripts hold the path of the folder they were installed in; `lm-lab-python -m` runs the same modules",
        linux=("local/bin",),
        windows=("Scripts",),
        macos=("bin/{2to3*,idle3*,pydoc3*,python3*-config}",),
    ),
    Cut(
        "a mark that forbids pip, of the system's Python or of the tool that fetched it",
        _in_library("EXTERNALLY-MANAGED"),
    ),
    Cut(
        "links into /etc, of the system's Python",
        linux=_in_library("sitecustomize.py"),
    ),
    Cut(
        "modules for formats that nobody stores any more, which need a library that is not everywhere",
        linux=_in_library("lib-dynload/{_crypt,_dbm,nis}.*", "dbm", "crypt.py"),
    ),
    Cut(
        "editing of lines and drawing in a terminal, for which Python needs a library under the GPL and another one",
        linux=_in_library("curses", "lib-dynload/{readline,_curses,_curses_panel}.*"),
    ),
    Cut(
        "demonstrations and tests of Python",
        _in_library("{turtle.py,antigravity.py}"),
        linux=_in_library("test", "lib-dynload/{_test*,xx*}"),
        windows=_in_library("turtledemo"),
        macos=_in_library("turtledemo"),
    ),
    Cut(
        "what Python has for windows of its own, for development and to compile against; Debian's comes without it",
        windows=(*_in_library(FOR_DEVELOPERS), "DLLs/_tkinter.pyd", "{include,libs,tcl}"),
        macos=(*_in_library(FOR_DEVELOPERS, "config-*"), "{include,lib/pkgconfig,lib/tcl*,lib/tk*}"),
    ),
    Cut(
        "tests of packages, which those who make the packages run",
        _in_site(
            "torch/testing/_internal/{opinfo,generated,optests,data,test_module,codegen}",
            "torch/testing/_internal/distributed/{_shard,_tensor,nn,rpc}",
            "torch/testing/_internal/distributed/{*_state_dict,*_test,*_utils,multi_threaded_pg}.py",
            "torch/testing/_internal/common_{device_type,distributed,fsdp,methods_invocations,modules,nn}.py",
            "torch/testing/_internal/common_{optimizers,quantization}.py",
            "{numpy,numpy/*}/tests", "sympy/**/tests", "mpmath/tests", "networkx/**/tests", "matplotlib/tests",
            "mpl_toolkits/*/tests", "pyarrow/tests", "fontTools/**/testTools.py", "pyarrow/_pyarrow_cpp_tests.*",
            "sympy/**/benchmarks",
        ),
        linux=_in_site(
            "torch/test", "torch/bin/{*Test,test_*,*.pt,*.ptl,upgrader_models}",
            "torch/lib/{libjitbackend_test,libtorchbind_test,libbackend_with_compiler,libaoti_custom_ops}.so",
        ),
    ),
    Cut(
        "headers and programs for those who compile against a package; the lab compiles nothing",
        _in_site(
            "torch/include", "torch/share", "torch/bin/protoc*", "numpy/_core/{include,lib}", "numpy/random/lib",
            "pyarrow/include", "pyarrow/**/*.{pyx,pxd,pxi,cc,h}", "pyarrow/src",
            "PySide6/{include,glue,typesystems,doc}", "lxml/includes", "lxml/**/*.{pyx,pxd,pxi,h}",
            "numpy/**/*.{pxd,pyx,h,c}", "torchgen/packaged", "numpy/{distutils,f2py}",
            "torch/utils/benchmark/utils/valgrind_wrapper/*.h",
        ),
        linux=_in_site("fontTools/**/*.c"),
        windows=_in_site("torch/lib/*.lib", "pyarrow/*.lib", "PySide6/*.lib"),
        macos=_in_site("fontTools/**/*.c"),
    ),
    Cut(
        "types for checkers and editors, which have them from the packages themselves",
        _in_site("**/*.pyi"),
    ),
    Cut(
        "Qt's tools: the lab draws with widgets, and its forms and translations are made elsewhere",
        _in_site("PySide6/scripts", "PySide6/**/metatypes", "PySide6/**/qml"),
        linux=_in_site(f"PySide6/{QT_TOOLS}", "PySide6/{assistant,designer,linguist}", "PySide6/Qt/libexec"),
        windows=_in_site("PySide6/*.exe"),
        macos=_in_site(f"PySide6/{QT_TOOLS}", "PySide6/{Assistant,Designer,Linguist}.app", "PySide6/Qt/libexec"),
    ),
    Cut(
        "Qt's modules for QML, databases, designing and printing, which neither the lab nor its charts import",
        _in_site("PySide6/*pyside6qml*"),
        linux=_in_site(
            f"PySide6/Qt{QT_MODULES}.abi3.so", f"PySide6/Qt/lib/libQt6{QT_LIBRARIES}.so.6",
            "PySide6/Qt/lib/libQt6{Egl*,WaylandCompositor,WaylandEglCompositor*}.so.6",
        ),
        windows=_in_site(f"PySide6/Qt{QT_MODULES}.pyd", f"PySide6/Qt6{QT_LIBRARIES}.dll"),
        macos=_in_site(f"PySide6/Qt{QT_MODULES}.abi3.so", f"PySide6/Qt/lib/Qt{QT_LIBRARIES}.framework"),
    ),
    Cut(
        "plugins of Qt for screens without a desktop, remote screens, QML, databases and printers",
        _in_site(
            "PySide6/**/plugins/{designer,generic,networkinformation,qmllint,qmltooling,sqldrivers}",
            "PySide6/**/plugins/platforminputcontexts/*qtvirtualkeyboardplugin.*",
            "PySide6/**/plugins/imageformats/*q{icns,pdf,tga,tiff,wbmp,webp}.*",
        ),
        linux=_in_site(
            "PySide6/Qt/plugins/{egldeviceintegrations,printsupport,wayland-graphics-integration-server}",
            "PySide6/Qt/plugins/platforms/libq{eglfs,linuxfb,minimalegl,vkkhrdisplay,vnc}.so",
        ),
        windows=_in_site("PySide6/plugins/platforms/qdirect2d.dll"),
    ),
    Cut(
        "OpenGL in software, for which the lab has no use: it paints without OpenGL",
        windows=_in_site("PySide6/opengl32sw.dll"),
    ),
    Cut(
        "Qt's own translations into languages that the lab does not speak, and those of its tools",
        _in_site("PySide6/**/translations/{*_[!d]*,*_da,assistant*,designer*,linguist*,qt_help*}.qm"),
    ),
    Cut(
        "parts of Arrow for servers and clouds, and libraries under a second name; the lab reads and writes files",
        _in_site("pyarrow/*arrow_{flight,python_flight,s3}.*", "pyarrow/_{azurefs,flight,gcsfs,s3fs,substrait}.*"),
        linux=_in_site("pyarrow/libarrow_python*.so.*.*.*", "pyarrow/*_python*.so"),
        macos=_in_site("pyarrow/libarrow_python*.*.*.*.dylib", "pyarrow/libarrow_{python,python_*[!0-9]}.dylib"),
    ),
    Cut(
        "examples and sample data",
        _in_site("pyqtgraph/examples", "matplotlib/mpl-data/sample_data", "docx/templates/default-docx-template"),
    ),
    Cut(
        "a faster way to download from a hub, which the launcher switches off; the other way remains",
        linux=_in_site("hf_xet/*.so"),
        windows=_in_site("hf_xet/*.pyd"),
        macos=_in_site("hf_xet/*.so"),
    ),
    Cut(
        "fields of mathematics and languages that torch, which computes shapes with the rest, does not use",
        _in_site(
            "sympy/{physics,categories,diffgeom,holonomic,liealgebras,sandbox}",
            "sympy/parsing/{autolev,c,fortran,latex}", "sympy/stats",
        ),
    ),
    Cut(
        "metrics of the fonts that are in every printer; figures carry the fonts that they use",
        _in_site("matplotlib/mpl-data/fonts/{afm,pdfcorefonts}"),
    ),
    Cut(
        "bold and slanted letters with serifs and of one width; figures are set without serifs",
        _in_site("matplotlib/mpl-data/fonts/ttf/DejaVu{Serif,SansMono}-*.ttf"),
    ),
    Cut(
        "time zones, which the system has, too",
        linux=_in_site("tzdata"),
        macos=_in_site("tzdata"),
    ),
    Cut(
        "launchers for Windows",
        linux=_in_site("pip/_vendor/distlib/*.exe", "setuptools/*.exe"),
        macos=_in_site("pip/_vendor/distlib/*.exe", "setuptools/*.exe"),
    ),
    Cut(
        "reading XML as Python objects, HTML and schemas, which nothing in the lab does",
        _in_site("lxml/objectify.*", "lxml/{html,isoschematron}"),
    ),
    Cut(
        "diagrams of flows, docks and drawing in space, which the lab's charts do without",
        _in_site("pyqtgraph/{dockarea,flowchart,opengl}"),
    ),
    Cut(
        "reading sources of fonts; figures embed fonts as they are",
        _in_site("fontTools/{mtiLib,ufoLib,voltLib}"),
    ),
    Cut(
        "a format of pictures that nothing in the lab reads or writes",
        _in_site("PIL/_avif.*"),
        linux=_in_site("pillow.libs/libavif-*"),
        macos=_in_site("PIL/.dylibs/libavif.*"),
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


def apply_cuts(prefix: Path, system: System, cuts: Sequence[Cut] = CUTS) -> list[tuple[str, int]]:
    """Remove what is cut and return the bytes of each reason.

    Args:
        prefix: The prefix of the Python inside.
        system: The system that it is for.
        cuts: The cuts.

    Raises:
        CannotBuildError: A pattern matches nothing: what it was for is gone or has another name.
    """
    paths = {path.relative_to(prefix).as_posix(): path for path in sorted(prefix.rglob("*"))}  # folders come first
    removed, missed = [], []
    for cut in cuts:
        count, patterns = 0, cut.on(system)
        for pattern in patterns:
            matches = expression(pattern).fullmatch
            found = [path for name, path in paths.items() if matches(name)]
            missed += [] if found else [f"{pattern} ({cut.reason})"]
            count += sum(remove(path) for path in found if path.exists() or path.is_symlink())
        removed += [(cut.reason, count)] if patterns else []
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
