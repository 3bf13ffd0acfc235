"""PySide does not read the source of modules that surely do not use it, and still finds those that do."""

import subprocess
import sys

FLAGS = """
from lab.shell.runtime.feature_check import skip_known_modules
skip_known_modules()
import inspect
read, getsource = [], inspect.getsource
inspect.getsource = lambda module: read.append(module.__name__) or getsource(module)
import PySide6.QtCore, colorsys, lab.widgets.core.i18n, stranger_with_qt, stranger_without
from shibokensupport.feature import pyside_feature_dict as flags
print([flags[name] for name in ("colorsys", "lab", "stranger_with_qt", "stranger_without")])
print([name for name in read if name in ("colorsys", "lab", "json", "inspect")])
"""


def test_only_unknown_modules_are_read_and_the_answers_stay_the_same(tmp_path):
    (tmp_path / "stranger_with_qt.py").write_text("from PySide6.QtCore import QObject\n")
    (tmp_path / "stranger_without.py").write_text("import json\n")
    done = subprocess.run([sys.executable, "-c", FLAGS], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.splitlines() == ["[-1, 0, 0, -1]", "[]"]
