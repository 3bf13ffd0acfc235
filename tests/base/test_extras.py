"""Libraries that come with extras."""

import sys
import tomllib
from pathlib import Path

import pytest

from lab.base.extras import need
from lab.base.problems import BadInput

PYPROJECT = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def test_a_library_that_is_there_is_imported():
    assert need("json.decoder", "exports", "This").JSONDecoder


def test_a_missing_library_is_reported_with_what_needs_it_and_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(BadInput) as refused:
        need("pyarrow", "exports", "A Parquet file")
    assert refused.value.problem.what == "A Parquet file needs pyarrow, which is not installed"
    assert refused.value.problem.remedy == 'Install it: pip install "lm-lab[exports]"'


def test_a_library_that_fails_to_load_is_reported_with_the_reason(monkeypatch, tmp_path):
    (tmp_path / "broken_library.py").write_text("import nothing_of_that_name")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadInput, match="cannot be loaded: No module named 'nothing_of_that_name'"):
        need("broken_library", "figures", "A figure")


@pytest.mark.parametrize(("extra", "library"), [("exports", "pyarrow"), ("figures", "matplotlib")])
def test_the_extras_bring_the_libraries_and_the_tests_have_them(extra, library):
    extras = PYPROJECT["project"]["optional-dependencies"]
    assert any(one.startswith(library) for one in extras[extra])
    assert any(one.startswith("lm-lab[") and extra in one for one in extras["test"])
