"""The folder that is shipped: a Python, the packages in it, the launchers, and the files for the desktop."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from release import EXTRAS, LAYOUTS, LINUX, PYTHON, System, call, megabytes, report
from release.cuts import apply_cuts, trim_records
from release.inputs import PACKAGES, sums
from release.libraries import check_needs, place_libraries, point_interpreter, strip
from release.licences import Component, of_package, write
from release.products import give_rights
from release.texts import fill

LAUNCHERS = ("lm-lab", "lm-lab-python", "install.sh", "uninstall.sh")
DATA = "${XDG_DATA_HOME:-$HOME/.local/share}/lm-lab"
"""The folder of a user's runs on Linux, for the shell; what the user adds to Python goes there, too."""
SHARED = ("integration.py", "lm-lab.desktop", "lm-lab.metainfo.xml", "lm-lab.svg", "lm-lab.xml")
IMPORTED = (
    "PIL.Image", "cryptography.fernet", "docx", "filelock", "llguidance", "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg", "numpy.ctypeslib", "numpy.random",
    "pyarrow.parquet", "pypdf", "pyqtgraph.exporters", "segno", "sqlite3", "ssl", "tokenizers",
    "torch.fx.experimental.symbolic_shapes", "torch.profiler._cupti_monitor",
)  # fmt: skip
"""What the lab imports only when it is needed, and torch for it. The verification looks for what is missing here."""
FOR_OTHERS = (
    "huggingface_hub", "matplotlib.pyplot", "setuptools", "torch._inductor.compile_fx", "torch.ao.quantization",
    "torch.distributed.checkpoint", "torch.distributed.fsdp", "torch.distributed.optim", "torch.distributed.pipelining",
    "torch.distributed.run", "torch.export", "torch.nn.attention.flex_attention", "torch.onnx", "torch.profiler",
    "torch.utils.benchmark", "torch.utils.cpp_extension", "torch.utils.data",
)  # fmt: skip
"""What the lab does not import, and a plugin may: each must import after the cuts, and none is compiled for it."""
IMPORT = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    module = importlib.import_module(name)
    for found in pkgutil.walk_packages(module.__path__, name + ".") if name.startswith("lab") else ():
        if found.name != "lab.testing.pytest_plugin":  # pytest is not shipped
            importlib.import_module(found.name)
files = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
print(*sorted(file for file in files if file.startswith(sys.prefix) and file.endswith(".py")), sep="\\n")
"""
"""Imports what it is given, of the lab with all that is below, and prints the files of all modules it has then."""
SEED = {
    "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1", "PYTHONPATH": "", "PYTHONUTF8": "1",
}  # fmt: skip
"""The environment of the Python inside while it makes files, which are then the same each time."""


def make_tree(tree: Path, work: Path, inputs: Path, wheel: Path, values: dict[str, str]) -> None:
    """Make the folder that is shipped.

    Args:
        tree: The folder to make; it must not exist.
        work: A folder for what is needed on the way.
        inputs: The inputs that `fetch` left.
        wheel: The wheel of the lab.
        values: What the templates name.

    Raises:
        CannotBuildError: A step failed, a cut is out of date, or a library misses another one.
    """
    prefix = tree / "python"
    packages = [one for kind in PACKAGES for one in unpack(inputs / kind, work / kind, PACKAGES[kind])]
    place_interpreter(work / "python", prefix)
    install(prefix, "linux", inputs / PYTHON, wheel)
    place_libraries(work / "python", prefix / "lib")
    place_libraries(work / "qt", prefix / LAYOUTS["linux"].site / "PySide6/Qt/lib")
    point_interpreter(prefix)
    report(f"  {megabytes(strip(prefix)):>9}  tables of symbols, which only a debugger reads")
    check_needs(prefix)
    complete(prefix, "linux", work, packages)
    place_launchers(tree, values | {"data": DATA}, *LAUNCHERS)
    (tree / "share").mkdir()
    for name in SHARED:
        (tree / "share" / name).write_text(fill(LINUX / name, values), encoding="utf-8")
    (tree / "README.txt").write_text(fill(LINUX / "README.txt", values), encoding="utf-8")
    seal(tree)


def unpack(packages: Path, target: Path, licences: Mapping[str, str]) -> list[Component]:
    """Unpack packages of Debian into one folder, and return them with their licences."""
    found = sorted(packages.glob("*.deb"))
    for package in found:
        call("dpkg-deb", "--extract", package, target)
    names = (call("dpkg-deb", "--show", "--showformat", "${Package} ${Version}", package).split() for package in found)
    return [of_package(target, name, version, licences[name]) for name, version in names]


def place_interpreter(unpacked: Path, prefix: Path) -> None:
    """Put the interpreter and its library where it looks for them: below a prefix of any path."""
    (prefix / "bin").mkdir(parents=True)
    shutil.copy2(unpacked / f"usr/bin/python{PYTHON}", prefix / "bin")
    for name in ("python", "python3"):
        (prefix / "bin" / name).symlink_to(f"python{PYTHON}")
    library = LAYOUTS["linux"].library
    shutil.copytree(unpacked / f"usr/{library}", prefix / library, symlinks=True)


def install(prefix: Path, system: System, wheels: Path, own: Path) -> None:
    """Install the lab and what it needs with the pip that is shipped and nothing from anywhere else; apply the cuts.

    Args:
        prefix: The prefix of the Python inside.
        system: The system that it is for, which is this one.
        wheels: The folder of wheels.
        own: The wheel of the lab.

    Raises:
        CannotBuildError: A wheel is missing, or a cut is out of date.
    """
    python, pip = prefix / LAYOUTS[system].program, next(wheels.glob("pip-*.whl"))
    where = ("--no-index", "--find-links", wheels, "--find-links", own.parent, "--no-compile", "--quiet")
    options = (*where, "--no-warn-script-location", "--root-user-action=ignore", "--no-cache-dir", "--isolated")
    lab = f"lm-lab[{','.join(EXTRAS)}]"
    call(python, "-P", f"{pip}/pip", "install", *options, "--break-system-packages", lab, "pip", environment=SEED)
    for reason, count in apply_cuts(prefix, system):
        report(f"  {megabytes(count):>9}  {reason}")


def complete(prefix: Path, system: System, work: Path, components: Iterable[Component]) -> None:
    """Prove that the lab imports, collect the licences, and compile.

    Args:
        prefix: The prefix of the Python inside.
        system: The system that it is for, which is this one.
        work: A folder for what is needed on the way.
        components: What is inside and is no package of Python.

    Raises:
        CannotBuildError: A module cannot be imported.
    """
    imported, site = import_all(prefix, system), prefix / LAYOUTS[system].site
    report(f"Licences of {write(prefix, site, components)} components")
    trim_records(site)
    compile_modules(prefix, system, work, imported)


def place_launchers(folder: Path, values: Mapping[str, str], *names: str) -> None:
    """Put launchers for a shell into a folder, from the templates of Linux, which macOS shares.

    Args:
        folder: The folder.
        values: What the templates name: with `data` the folder of a user's runs, as the shell writes it.
        names: The launchers.
    """
    for name in names:
        (folder / name).write_text(fill(LINUX / name, values), encoding="utf-8")
        (folder / name).chmod(0o755)


def seal(tree: Path) -> None:
    """Give all files of a folder their rights, and write their sums."""
    give_rights(tree)
    (tree / "SHA256SUMS").write_text(sums(tree), encoding="utf-8", newline="\n")


def import_all(prefix: Path, system: System) -> list[str]:
    """Import every module of the lab and its plugins, and what they import when it is needed; return the files of all.

    What plugins by others may import is tried, too, in another process.

    Raises:
        CannotBuildError: One cannot be imported; with Python's words.
    """
    site = prefix / LAYOUTS[system].site
    own = sorted(path.name for path in site.glob("lab*") if (path / "__init__.py").is_file())
    with tempfile.TemporaryDirectory() as home:
        environment = SEED | {"LAB_HOME": home, "QT_QPA_PLATFORM": "offscreen", "MPLCONFIGDIR": home}
        program = prefix / LAYOUTS[system].program
        call(program, "-P", "-W", "ignore", "-c", IMPORT, *FOR_OTHERS, environment=environment)
        printed = call(program, "-P", "-c", IMPORT, *own, *IMPORTED, environment=environment)
    return printed.splitlines()


def compile_modules(prefix: Path, system: System, work: Path, imported: Iterable[str]) -> None:
    """Compile Python's library and what the lab imports to bytecode that no clock makes different.

    It is never compared with its source. What only others may import, half of all, is left to be compiled then.

    Args:
        prefix: The prefix of the Python inside.
        system: The system that it is for, which is this one.
        work: A folder for the list of files.
        imported: The files of modules that the lab imports.
    """
    layout = LAYOUTS[system]
    own = (str(path) for path in sorted((prefix / layout.library).iterdir()) if path != prefix / layout.site)
    files = work / "compiled.txt"
    files.write_text("\n".join((*own, *imported)), encoding="utf-8")
    mode = ("--invalidation-mode", "unchecked-hash", "-s", prefix.parent, "-q", "-i", files)
    call(prefix / layout.program, "-P", "-m", "compileall", *mode, environment=SEED)
