"""A hand-out: one file with recipe, text, plugins and instructions, of which nothing runs when it is opened."""

import hashlib
import zipfile

import pytest

from lab.base.folders import plugins_folder
from lab.base.problems import BadInput
from lab.host import Plugins, PluginState
from lab.recipes import Recipe
from lab.runs.bundle import import_bundle
from lab.workbench.classroom.hand_out import (
    add_plugin,
    contents_of,
    is_hand_out,
    plugin_here,
    read_hand_out,
    unpack_hand_out,
    write_hand_out,
)
from lab.workbench.launch.known_corpora import load_recipe

PLUGIN = '''"""A filter that marks the folder in which it runs."""
from pathlib import Path
from lab.api import Filter, NoSettings, hookimpl
LAB_API_VERSION = 2
Path("it ran").touch()

@hookimpl
def lab_register_filters(register):
    register(Filter("marks", "Marks", lambda config: lambda logits, histories: logits, NoSettings, "Marks."))
'''


@pytest.fixture(scope="module")
def plugins():
    return Plugins().load()


@pytest.fixture
def recipe(text):
    return Recipe(title="Animals").with_values({"corpus": {"name": "file", "path": str(text)}})


@pytest.fixture
def file(tmp_path):
    return tmp_path / "lesson.lmlab"


def test_recipe_text_and_instructions_come_out_as_they_went_in(recipe, plugins, file, text, tmp_path):
    write_hand_out(file, recipe, plugins, instructions="# Train it\nThen look.\n")
    opened = read_hand_out(file)
    assert (opened.title, opened.instructions) == ("Animals", "# Train it\nThen look.\n")
    path = unpack_hand_out(opened, tmp_path / "opened")
    taken = load_recipe(path)
    assert taken.corpus.settings["path"] == str(tmp_path / "opened" / "corpus" / "animals.txt")
    assert (path.parent / "corpus" / "animals.txt").read_bytes() == text.read_bytes()
    assert taken.with_values({"corpus": {"path": "x"}}) == recipe.with_values({"corpus": {"path": "x"}})


def test_what_it_will_hold_is_known_before_it_is_written(recipe, plugins, file, text, tmp_path):
    source = tmp_path / "marks.py"
    source.write_text(PLUGIN)
    held = contents_of(recipe, plugins, [source])
    assert [held.corpus, held.plugins] == [((text, text.stat().st_size),), ((source, len(PLUGIN)),)]
    assert held.recipe.corpus.settings["path"] == "corpus/animals.txt"
    written = write_hand_out(file, recipe, plugins, with_plugins=[source])
    packed = [*written.corpus, *written.plugins]
    assert [entry.size for entry in packed] == [one.size for one in (*held.corpus, *held.plugins)]


def test_what_no_hand_out_holds_is_refused_before_it_is_written(plugins, tmp_path):
    folder = Recipe().with_values({"corpus": {"name": "file", "path": str(tmp_path)}})
    with pytest.raises(BadInput, match="is a folder, which no hand-out holds"):
        contents_of(folder, plugins)


def test_no_path_of_the_teacher_is_in_it(recipe, plugins, file):
    write_hand_out(file, recipe, plugins)
    with zipfile.ZipFile(file) as archive:
        assert b"jane" not in b"".join(archive.read(name) for name in archive.namelist())


def test_the_same_hand_out_is_unpacked_once(recipe, plugins, file, lab_home):
    write_hand_out(file, recipe, plugins)
    first, again = (unpack_hand_out(read_hand_out(file)) for _ in range(2))
    assert first == again
    assert first.is_relative_to(lab_home / "hand-outs")


def test_a_plugin_is_shown_with_its_hash_and_runs_only_when_it_is_enabled(
    recipe, plugins, file, tmp_path, lab_home, file_plugins_forgotten
):
    source = tmp_path / "marks.py"
    source.write_text(PLUGIN)
    write_hand_out(file, recipe, plugins, with_plugins=[source])
    opened = read_hand_out(file)
    (entry,) = opened.plugins
    assert entry.sha256 == hashlib.sha256(source.read_bytes()).hexdigest()
    unpack_hand_out(opened)
    here = Plugins(built_ins=())
    assert plugin_here(entry, here.load()) is None
    assert not plugins_folder().exists()
    name = add_plugin(opened, entry.name, here)
    assert (name, plugin_here(entry, here)) == ("marks", "marks")
    assert [info.state for info in here.listed()] == [PluginState.OFF]
    assert add_plugin(opened, entry.name, here) == "marks"
    assert not (tmp_path / "it ran").exists()
    here.enable(name, load=True)
    assert (tmp_path / "it ran").exists()


def test_another_file_under_the_name_of_a_plugin_stays(recipe, plugins, file, tmp_path):
    (tmp_path / "marks.py").write_text(PLUGIN)
    write_hand_out(file, recipe, plugins, with_plugins=[tmp_path / "marks.py"])
    plugins_folder().mkdir(parents=True)
    (plugins_folder() / "marks.py").write_text("mine")
    with pytest.raises(BadInput, match="has a file of this name"):
        add_plugin(read_hand_out(file), "plugins/marks.py", Plugins(built_ins=()))
    assert (plugins_folder() / "marks.py").read_text() == "mine"


def test_the_plugin_of_a_card_that_the_recipe_names_is_packed(recipe, file, file_plugins_forgotten):
    path = plugins_folder() / "marks.py"
    path.parent.mkdir(parents=True)
    path.write_text(PLUGIN)
    plugins = Plugins(["marks"]).load()
    with_filter = recipe.with_values({"decoding": {"filters": [{"name": "marks"}]}})
    assert [one.name for one in write_hand_out(file, with_filter, plugins).plugins] == ["plugins/marks.py"]


def test_a_folder_as_corpus_is_refused(recipe, plugins, file, text):
    folder = recipe.with_values({"corpus": {"path": str(text.parent)}})
    with pytest.raises(BadInput, match="which no hand-out holds"):
        write_hand_out(file, folder, plugins)
    assert not file.exists()


def test_a_run_is_no_hand_out_and_a_hand_out_no_run(recipe, plugins, file, bundle):
    write_hand_out(file, recipe, plugins)
    run = bundle("Ada")
    assert (is_hand_out(file), is_hand_out(run), is_hand_out(file.parent)) == (True, False, False)
    with pytest.raises(BadInput, match="does not belong in it"):
        import_bundle(file)
    with pytest.raises(BadInput, match="does not belong in it"):
        read_hand_out(run)


RECIPE = b'title = "A recipe"\n'
OTHER = '[corpus]\nname = "file"\npath = "/etc/passwd"\n'


@pytest.mark.parametrize(
    ("contents", "why"),
    [
        ({"recipe.toml": RECIPE + OTHER.encode()}, "which is not in it"),
        ({"recipe.toml": RECIPE, "corpus/../../x": b""}, "does not belong"),
        ({"recipe.toml": RECIPE, "corpus/con": b""}, "does not belong"),
        ({"recipe.toml": RECIPE, "corpus/.hidden": b""}, "does not belong"),
        ({"recipe.toml": RECIPE, "plugins/_x.py": b""}, "does not belong"),
        ({"recipe.toml": RECIPE, "plugins/x.pth": b""}, "does not belong"),
        ({"recipe.toml": RECIPE, "instructions.md": bytes(2**18 + 1)}, "is larger than"),
        ({"instructions.md": b"x"}, "recipe.toml is missing"),
        ({"recipe.toml": b"[[["}, "TOML"),
    ],
)
def test_a_hostile_hand_out_is_refused(forged, contents, why, tmp_path, lab_home):
    file = forged("evil.lmlab", contents, hand_out={"title": "A lesson", "packages": []})
    with pytest.raises(BadInput, match=why):
        unpack_hand_out(read_hand_out(file), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_title_is_one_line_of_printable_text(forged):
    file = forged("odd.lmlab", {"recipe.toml": RECIPE}, hand_out={"title": "A\x1b[2J\nlesson" + "x" * 500})
    title = read_hand_out(file).title
    assert title.startswith("A [2J lesson")
    assert len(title) <= 100


def test_a_file_that_was_exchanged_after_it_was_shown_is_refused(recipe, plugins, file, tmp_path):
    write_hand_out(file, recipe, plugins, instructions="Train it.")
    shown = read_hand_out(file)
    write_hand_out(file, recipe, plugins, instructions="Train another one.")
    with pytest.raises(BadInput, match="another one than was shown"):
        unpack_hand_out(shown, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_plugin_that_was_changed_after_it_was_unpacked_is_refused(recipe, plugins, file, tmp_path):
    (tmp_path / "marks.py").write_text(PLUGIN)
    write_hand_out(file, recipe, plugins, with_plugins=[tmp_path / "marks.py"])
    shown = read_hand_out(file)
    (unpack_hand_out(shown).parent / "plugins" / "marks.py").write_text("other")
    with pytest.raises(BadInput, match="was changed"):
        add_plugin(shown, "plugins/marks.py", Plugins(built_ins=()))
    assert not plugins_folder().exists()
