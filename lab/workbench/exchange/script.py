"""Export of a run as a script, with its data as arrays next to it, or its text unless that is one plain file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lab.api import Examples, Rows, Text
from lab.base import BadInput, LabError
from lab.base.files.reading import read_bytes
from lab.base.files.writing import check_output
from lab.host import Plugins
from lab.runs import RunFolder
from lab.workbench.launch import known_corpora

if TYPE_CHECKING:
    from lab.training.material import Material


def export_script_and_text(run: RunFolder, plugins: Plugins, file: Path, *, overwrite: bool = False) -> Path:
    """Write a script that repeats a run, and the text it reads. See `lab.interop.script.export.export_script`.

    A text that was generated, joined from several files, or read from a table or document is written next to the script
    as "NAME.txt". A plain file is not copied: the script reads the original. Rows, documents and the parts of a mixture
    are written as numbers, "NAME.npz".

    Args:
        run: The run.
        plugins: The plugins that provide the cards of its recipe.
        file: The script, "NAME.py"; an existing file is replaced.
        overwrite: True to replace an existing "NAME.txt" with another text, or "NAME.npz" with other data; never the
            corpus itself.

    Returns:
        The script.

    Raises:
        BadInput: No script can be made of this run, its text or rows are not found, or "NAME.txt" exists with another
            text, or "NAME.npz" with other data.
        LabError: The run is damaged, or a file cannot be written.
    """
    from lab.interop.script.export import (
        arrays_file,
        check_text,
        export_script,
        needs_arrays,
        script_of,
        write_script,
    )

    if needs_arrays(run):
        material = _material_of(run, plugins)
        _check_data_file(file.with_suffix(".npz"), arrays_file(material), run, overwrite=overwrite)
        return export_script(run, plugins, file, material=material)
    if _is_plain_file(run):
        return export_script(run, plugins, file)
    source = script_of(run, plugins, name=file.stem)  # refuses before the text is read, which may take long
    text = _text_of(run, plugins)
    check_text(run, text)
    _check_data_file(file.with_suffix(".txt"), text.text.encode(), run, overwrite=overwrite)
    return write_script(source, file, text)


def _check_data_file(file: Path, content: bytes, run: RunFolder, *, overwrite: bool) -> None:
    """Check that the data of a run may be written next to its script: what is there holds the same, or may be replaced.

    Raises:
        BadInput: It may not, is no regular file, or is the corpus of the run.
    """
    try:
        same = read_bytes(file, len(content)) == content
    except (OSError, ValueError):
        same = False
    sources = [Path(path) for path in known_corpora.paths_of(known_corpora.localised(run.read_recipe(), run)).values()]
    check_output(file, overwrite=overwrite or same, read=[*sources, *(each / file.name for each in sources)])


def _is_plain_file(run: RunFolder) -> bool:
    """Return True if the text of the run is exactly the content of one file."""
    corpus = run.facts.get("corpus")
    facts = corpus.get("facts") if isinstance(corpus, dict) else None
    if run.read_recipe().corpus.name not in ("file", "download"):
        return False
    if not isinstance(facts, dict) or "reader" not in facts:  # a run of a version that only read plain files
        return True
    return facts["reader"] == "text" and "files" not in facts and not facts.get("normalised")


def _material_of(run: RunFolder, plugins: Plugins) -> Material:
    """Return the data of a run, split into tokens by its own tokenizer.

    Raises:
        BadInput: They are not found, or are others than those of the run.
    """
    from lab.training.material import read_material
    from lab.training.resolution import resolve_all

    recipe = run.read_recipe()
    vocabulary, corpus = run.facts.get("vocabulary"), run.facts["corpus"]
    try:
        here = known_corpora.localised(recipe, run)
        share, fitted = 1 - recipe.training.validation_share, known_corpora.fitted_in(run)
        return read_material(resolve_all(here, plugins), share, vocabulary, corpus.get("sha256"), fitted=fitted)
    except LabError as error:
        raise BadInput(
            f"the data that the script needs cannot be read: {error.problem.what}",
            field=error.problem.field or "corpus",
            value=error.problem.value,
            remedy="Put the corpus next to the folder of the run, or export a bundle (.lmlab)",
        ) from None


def _text_of(run: RunFolder, plugins: Plugins) -> Text:
    """Return the text of a run.

    Raises:
        BadInput: The text is not found, or too long for the memory.
    """
    from lab.training.material import read_corpus
    from lab.training.resolution import resolve

    recipe = run.read_recipe()
    try:
        here = known_corpora.localised(recipe, run)
        given = read_corpus(resolve(plugins, "corpora", here.corpus, "corpus"))
    except LabError as error:
        raise BadInput(
            f"the text that the script needs cannot be read: {error.problem.what}",
            field=error.problem.field or "corpus",
            value=error.problem.value,
            remedy="Put the corpus next to the folder of the run, or export a bundle (.lmlab)",
        ) from None
    if isinstance(given, Text):
        return given
    assert not isinstance(given, Examples | Rows)  # such a run was refused above
    raise BadInput(
        "is too long to be written next to the script",
        field="corpus",
        value=given.name,
        remedy="Convert it to one plain UTF-8 file and train on that",
    )
