"""The tests of the tree, run with the Python and the packages that are shipped: none of them misses what was cut."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from release import LAYOUTS, ROOT, CannotBuildError, call, report
from release.inputs import CONSTRAINTS

FOLDER = ROOT / "build" / "verify" / "tests"
NOT_INSIDE = ("tests/packaging", "tests/strangers")
"""Tests of the tree itself, its style and types, which are not shipped."""
ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "PYTHONNOUSERSITE": "1", "PYTHONSAFEPATH": "1",
    "QT_QPA_PLATFORM": "offscreen",
}  # fmt: skip
OPTIONS = ("-m", "not long", "-n", "0", "-q", "-p", "no:cacheprovider")
WITHOUT_QT = ("-p", "no:pytest-qt", *(f"--ignore={each}" for each in ("tests/ui", *NOT_INSIDE)))


def run_tests(products: Path, paths: Sequence[str] = ()) -> None:
    """Run the tests of the lab without its window, and those of the window, in what the archive holds.

    What tests need besides, pytest above all, is fetched into a folder of its own, which is searched after the packages
    that are shipped.

    Args:
        products: The folder with what was built.
        paths: Files and folders of tests to run instead of all.

    Raises:
        CannotBuildError: A test failed, something cannot be fetched, or a file that is shipped has changed.
    """
    (archive,) = products.glob("*-linux-x86_64.tar.zst")
    product, tools = FOLDER / "product", FOLDER / "tools"
    shutil.rmtree(product, ignore_errors=True)
    product.mkdir(parents=True)
    call("tar", "--zstd", "-xf", archive, "--strip-components", "1", "-C", product)
    prefix, layout = product / "python", LAYOUTS["linux"]
    fetch_tools(prefix / layout.program, tools)
    (prefix / layout.site / "tools_of_tests.pth").write_text(f"{tools}\n", encoding="utf-8")
    of_window = [path for path in paths if path.startswith("tests/ui")]
    of_engine = [path for path in paths if path not in of_window]
    failed = []
    for name, selected, options, more in (
        ("tests without Qt", of_engine if paths else ["tests"], WITHOUT_QT, {"LAB_TESTS_WITHOUT_QT": "1"}),
        ("tests of the window", of_window if paths else ["tests/ui"], (), {}),
    ):
        if selected:
            report(f"== {name}")
            command = [str(prefix / layout.program), "-m", "pytest", *OPTIONS, *options, *selected]
            environment = os.environ | ENVIRONMENT | more
            ended = subprocess.run(command, cwd=ROOT, env=environment, check=False, stdout=sys.stderr)
            failed += [name] if ended.returncode else []
    call("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=product)
    if failed:
        raise CannotBuildError(f"Failed with what is shipped: {', '.join(failed)}")


def fetch_tools(python: Path, folder: Path) -> None:
    """Fetch what the tests need and the product has not, at the pins."""
    stamp = folder / "stamp"
    if stamp.is_file():
        return
    pip = (python, "-P", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--constraint", CONSTRAINTS)
    found = call(*pip, "--break-system-packages", "--dry-run", "--report", "-", "lm-lab[test]")
    wanted = [each["metadata"] for each in json.loads(found)["install"]]
    names = [f"{each['name']}=={each['version']}" for each in wanted]
    call(*pip, "--no-deps", "--target", folder, *names)
    stamp.write_text("\n".join(names), encoding="ascii")
