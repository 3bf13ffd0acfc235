"""Translations: complete, without texts that are gone, with every placeholder and every form for numbers."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = ["de"]
PLACEHOLDER = re.compile(r"\{\w+\}")
DEFINES_TR = re.compile(r"^def tr\(", re.MULTILINE)
CODE = """
tr("A run")
tr("yes" if ready else "no")
tr_n("1 run", "{n} runs", count, of="all")
tr(title)
"""


ENGINE = """
def refuse(what):
    raise BadInput(what)

def read(path, locked):
    if locked:
        refuse("is locked" if locked > 1 else "is damaged")
    problem = f"the file {path.name} is gone"
    raise LabError(problem)

def damaged(path, why):
    return Problem(f"{path.name} cannot be read: {why}")

def check(path):
    raise LabError(damaged(path, "it is empty"))
"""


@pytest.fixture(scope="module")
def tool():
    """Return the module of the tool, which is no part of the lab."""
    spec = importlib.util.spec_from_file_location("translations", ROOT / "packaging" / "translations.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def texts(tool):
    return tool.texts()


def test_texts_are_found_in_calls_in_both_ends_of_a_choice_and_in_tables(tool):
    found = sorted((text.source, text.numbered) for text in tool.texts_in(ast.parse(CODE), "here.py"))
    assert found == [("A run", False), ("no", False), ("yes", False), ("{n} runs", True)]
    table = 'PLACES = (("train", "Train"), ("play", "Play"))'
    assert [text.source for text in tool.texts_in(ast.parse(table), "lab/shell/window/main_window.py")] == [
        "Train",
        "Play",
    ]


def test_the_texts_of_cards_settings_explanations_and_recipes_are_found(texts):
    found = {text.source for text in texts}
    expected = {"Byte pair encoding", "Learning rate", "Regularisation", "Influence by lag", "{n} heads", "Quick start"}
    assert expected <= found


def test_a_text_has_one_form_or_forms_for_numbers_but_not_both(texts):
    both = {text.source for text in texts if text.numbered} & {text.source for text in texts if not text.numbered}
    assert not both


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_a_translation(tool, texts, language):
    known = tool.translations(language)
    untranslated = {f"{text.file}: {text.source}" for text in texts if text.source not in known}
    assert not untranslated, "run packaging/translations.py update, and translate them in resources/translations"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_translation_is_of_a_text_that_is_gone(tool, texts, language):
    gone = tool.translations(language).keys() - {text.source for text in texts}
    assert not gone, "run packaging/translations.py update and compile"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_placeholders_of_the_text_and_every_form_for_numbers(tool, texts, language):
    numbered = {text.source for text in texts if text.numbered}
    for source, forms in tool.translations(language).items():
        assert len(forms) == (tool.FORMS[language] if source in numbered else 1), source
        for form in forms:
            assert form.strip(), source
            assert set(PLACEHOLDER.findall(form)) == set(PLACEHOLDER.findall(source)), source


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_translations_are_those_of_the_source(tool, language, tmp_path):
    compiler, fresh = Path(sys.executable).with_name("pyside6-lrelease"), tmp_path / "fresh.qm"
    source = tool.file_of(language)
    subprocess.run([compiler, "-silent", "-nounfinished", source, "-qm", fresh], check=True)
    assert source.with_suffix(".qm").read_bytes() == fresh.read_bytes(), "run packaging/translations.py compile"


def test_an_update_keeps_translations_adds_new_texts_and_drops_old_ones(tool, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    monkeypatch.setattr(tool, "texts", lambda: [tool.Text("a.py", "Old"), tool.Text("a.py", "{n} runs", True)])
    assert tool.update("de") == 2
    file = tmp_path / "lm-lab_de.ts"
    file.write_text(re.sub(r'(?s)<source>\{n\}.*?</translation>', '<source>{n} runs</source><translation>'
                    "<numerusform>{n} Lauf</numerusform><numerusform>{n} Läufe</numerusform></translation>",
                    file.read_text(encoding="utf-8")), encoding="utf-8")  # fmt: skip
    monkeypatch.setattr(tool, "texts", lambda: [tool.Text("a.py", "New"), tool.Text("a.py", "{n} runs", True)])
    assert tool.update("de") == 1
    assert tool.translations("de") == {"{n} runs": ["{n} Lauf", "{n} Läufe"]}
    assert "Old" not in file.read_text(encoding="utf-8")


NOT_FOLLOWED = {
    "lab/api/config.py": "the text of a ValueError of a validator, which is found where it is raised",
    "lab/base/problems.py": "the name of the class of a foreign error",
    "lab/diagnostics/probes.py": "the text of a ValueError of a model's report",
    "lab/workbench/classroom/hand_in.py": "what the lab of a teacher answers",
    "lab/workbench/exchange/pretrained.py": "a problem that was made elsewhere",
}
"""The parts of messages that cannot be found in the source, by file, with the reason."""


@pytest.fixture(scope="module")
def messages(tool):
    return tool.find_messages(ROOT)


def test_every_message_of_the_engine_is_in_the_file_that_the_window_reads(tool, messages):
    stored = (tool.FOLDER / tool.MESSAGES).read_text(encoding="utf-8").splitlines()
    assert stored == sorted(messages.messages), "run packaging/translations.py update, translate, and compile"


def test_what_a_message_is_made_of_is_found_in_the_source_or_there_is_a_reason(messages):
    assert {each.file for each in messages.unknown} == set(NOT_FOLLOWED)


def test_messages_are_followed_through_variables_arguments_and_functions(tool, tmp_path):
    (tmp_path / "lab").mkdir()
    (tmp_path / "plugins").mkdir()
    (tmp_path / "lab" / "a.py").write_text(ENGINE, encoding="utf-8")
    assert sorted(tool.find_messages(tmp_path).messages) == [
        "is damaged", "is locked", "it is empty", "the file {name} is gone", "{name} cannot be read: {why}",
    ]  # fmt: skip


def test_every_text_that_is_translated_by_name_is_in_a_table(tool):
    unknown = set()
    for folder in tool.SOURCES:
        for path in (ROOT / folder).rglob("*.py"):
            name, code = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
            if re.search(r"\btr\([a-z_]+\)", code) and name not in tool.TABLES and not DEFINES_TR.search(code):
                unknown.add(name)
    assert unknown == {"lab/shell/recipe/sections.py"}  # whose titles stand in outline.py


def test_the_names_units_and_titles_of_readings_are_found(texts):
    found = {text.source for text in texts}
    assert {"mean size", "previous token", "KL to the end", "share", "Step size", "High contrast"} <= found


def test_a_text_with_two_meanings_has_two_translations(tool):
    german = tool.translations("de")
    assert (german["unit"], german["unit of loss"]) == (["Neuron"], ["Einheit"])
    assert (german["lines"], german["lines of text"]) == (["Linien"], ["Zeilen"])
    assert (german["Play"], german["Play merges"]) == (["Ausprobieren"], ["Abspielen"])
    assert (german["Sample"], german["Sample of the corpus"]) == (["Textprobe"], ["Stichprobe des Korpus"])
    assert (german["windows"], german["by windows"]) == (["Fenster"], ["in Fenstern"])
    assert len({german[state][0] for state in ("finished", "stopped", "paused")}) == 3


def test_a_run_that_waits_for_another_is_called_queued_everywhere(tool, texts):
    assert [text.source for text in texts if re.search(r"\bwaits (until|for|behind)\b", text.source)] == []
    queued = {source: forms for source, forms in tool.translations("de").items() if re.search(r"\bqueued\b", source)}
    assert len(queued) >= 5
    assert [source for source, forms in queued.items() if not all("eingereiht" in form for form in forms)] == []


@pytest.mark.parametrize(
    ("phrase", "instead"),
    [
        (r"^Look at", "Browse corpora…, Inspect text: what the command does"),
        (r"^Waits\b|^Waiting$", "Queued"),
        (r"\bwhat (trains|waits)\b", "Running runs are saved, queued runs stay queued."),
        (r"\bsteps each\b", "every 100 steps"),
        (r"\bon the colour of\b", "coloured by"),
        (r"^[Ff]loors( ▾)?$", "reference lines"),
        (r"\b1 (layers|blocks|heads|steps|runs|tokens)\b", "the singular"),
        (r"[—–] ", "a comma, a colon or a full stop"),
    ],
)
def test_texts_use_standard_words(texts, phrase, instead):
    found = [f"{text.file}: {text.source}" for text in texts if re.search(phrase, text.source)]
    assert found == [], f"say: {instead}"
