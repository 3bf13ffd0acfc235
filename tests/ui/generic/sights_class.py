"""What a class sees: what is handed out and in, the page on the network, and the table."""

from pathlib import Path

from resting import settle

from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.bundle_file import BundledFile
from lab.workbench.classroom.collecting import Collection
from lab.workbench.classroom.hand_out import HandOut
from lab.workbench.classroom.table import HandedIn, ranked

LESSON = HandOut(
    Path("lesson.lmlab"),
    "Attention and memory, a title of some length for a lesson",
    Recipe(),
    "# Train it\n\nPress **the space bar**.\n\n1. Look.\n2. Hand it in.\n\n" + "Write down what you see. " * 20,
    (BundledFile("corpus/a text with quite a long name.txt", 123_456, "0" * 64),),
    (BundledFile("plugins/router.py", 1234, "9f" * 32),),
    ("lm-lab-other 1.2",),
    "0" * 64,
)
"""A hand-out, which is not in any file."""
CURVE = {"curve_steps": (0, 50, 100), "comparable": ("a", "b", "c", "d", "e")}


def handed_in():
    """Return the rows of a class: several that compare, one that does not, and a damaged file."""
    entries = [
        HandedIn(f"{name}.lmlab", name, "two layers, 32 wide", architecture="transformer", steps=100, parameters=12_345,
                 loss=loss, curve=(3.0, 2.5, loss), sample="To be, or not to be, that is the question. " * 9, **CURVE)
        for name, loss in (("Ada Lovelace", 1.5), ("Bartholomew the Third of Somewhere", 1.75), ("Cyd", 2.0))
    ]  # fmt: skip
    other = HandedIn("Dot.lmlab", "Dot", "other", architecture="gru", steps=100, loss=0.5, comparable=("x", *"bcde"))
    damaged = HandedIn("cut.lmlab", problem="it cannot be read: File is not a zip file", remedy="Get the file again")
    return ranked([*entries, other, damaged])


def of_class(scene):
    """Show all that a class sees."""
    window, room = scene.window, scene.window.classroom
    room.hand_out.ask(Recipe(title="A title"))
    room.hand_out._show("corpus.path = a folder: is a folder, which no hand-out holds")
    settle()
    yield "a configuration to hand out that cannot be", window
    room.hand_out.shut()
    room.hand_in.ask("A run", RunFolder(Path("run"), "", {}))
    room.hand_in._show("the teacher's lab does not answer: Connection refused")
    settle()
    yield "a run to hand in that nobody took", window
    room.hand_in.shut()
    room.opened.open(LESSON)
    settle()
    yield "what was handed out", window
    room.opened.shut()
    room.table._folder = Path("class")
    room.table.show_over(room.table.table)
    room.table._take(handed_in())
    room.table.table.selectRow(1)
    settle()
    yield "the table of a class", window
    room.table._take([])
    settle()
    yield "the table of a class without a run", window
    room.collecting.open(Path("class"))
    settle()
    yield "the page on the network, which is off", window
    room.collecting._started(Collection(Path("class").absolute()))
    settle()
    yield "the page on the network, which is on", window
    room.collecting._toggle()
    room.collecting.shut()
    room.table.shut()
    settle()
