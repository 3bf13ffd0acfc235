"""A lesson on paper: with lines to write on, or with its answers; nothing in it is run."""

import re

import pytest

from lab.lessons.handout import handout
from lab.lessons.html import html_of
from lab.lessons.reading import read_lesson
from lab.lessons.results import Outcome

OUTCOME = Outcome({"loss": {"1": 3.1, "2": 2.5, "3": 2.75}})


def formula(latex, is_alone):
    return f"[{'alone ' if is_alone else ''}{latex}]"


def picture(name, text):
    return f"[{name}: {text}]"


def page(folder, **options):
    return handout(read_lesson(folder), formula, picture, **options)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("Two\nlines of *it*.\n\nA **bold** `a*b`.",
         "<p>Two lines of <i>it</i>.</p> <p>A <b>bold</b> <code>a*b</code>.</p>"),
        ("# One\n\n- a\n  and more\n- b\n\n1. c\n2. d",
         "<h3>One</h3> <ul><li>a and more</li><li>b</li></ul> <ol><li>c</li><li>d</li></ol>"),
        ("| a | b |\n|---|---|\n| 1 | $x$ |",
         "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>[x]</td></tr></table>"),
        ("$$y = 1$$", "<p class=formula>[alone y = 1]</p>"),
        ("> said\n> twice", "<blockquote><p>said twice</p></blockquote>"),
        ("```\na < b\n$x$\n```", "<pre>a &lt; b $x$</pre>"),
        ("A [term](term:perplexity), [page](https://a.b/c?d=1&e=2).",
         'A term, <a href="https://a.b/c?d=1&amp;e=2">page</a>.'),
        ("![Clock](explorable:sinusoids) ![p](p.png)", "[explorable:sinusoids: Clock] [p.png: p]"),
        ("***\n", "<hr>"),
        ("1. a\n\n2. b\n\nAfter.", "<ol><li>a</li><li>b</li></ol> <p>After.</p>"),
        ("- a\n\n1. b", "<ul><li>a</li></ul> <ol><li>b</li></ol>"),
        ("Text\n## Two\nmore\n```\ncode\n```", "<p>Text</p> <h4>Two</h4> <p>more</p> <pre>code</pre>"),
        ("- a\n```\ncode\n```", "<ul><li>a</li></ul> <pre>code</pre>"),
        ("| a | b |\n|---|---|\n| `x|y` | c\\|d |",
         "<tr><td><code>x|y</code></td><td>c|d</td></tr>"),
        ("| a | b |\n|---|---|\n|  | `|` |", "<tr><td></td><td><code>|</code></td></tr>"),
        ("![a < b & c](p.png)", "[p.png: a < b & c]"),
    ],
)  # fmt: skip
def test_markdown_becomes_html(text, html):
    made = " ".join(html_of(text, formula, picture).split())
    assert html in made


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "`<script>`", "[a](javascript:alert)", "# <b>x</b>",
     "| <i>a</i> |\n|---|\n| <script> |", "![<script>](https://x/y.png)", "```\n<script>\n```"],
)  # fmt: skip
def test_html_and_scripts_of_a_text_are_shown_as_text(text):
    made = html_of(text, formula, lambda name, text: "")
    assert not re.search(r"<(script|img|b>x|i>a)|javascript", made)


def test_a_page_for_learners_has_lines_and_no_answer(folder):
    made = page(folder, outcome=None)
    assert made.count("class=lines") == 3
    assert "Counts run out." not in made
    assert "Rare contexts." not in made
    assert "3.1" not in made
    assert "Fill in what was measured." in made
    assert "[\\alpha]" in made
    assert "[alone \\frac{1}{n}]" in made
    assert made.count("<td width=64>") == 30  # the axes: ten rows of three positions


def test_a_page_for_the_teacher_has_the_result_the_answers_and_the_note(folder):
    (folder / "teacher.md").write_text("Ask for the reason.")
    made = page(folder, outcome=OUTCOME, answers=True)
    for text in (
        "Counts run out.",
        "Rare contexts.",
        "Ask for the reason.",
        "More context cannot hurt.",
        "<td>3.1</td>",
    ):
        assert text in made
    assert "✓ argmin(loss) = 2" in made
    assert "class=lines" not in made


@pytest.mark.parametrize(
    ("prediction", "text"),
    [
        ('kind = "pick"\ntext = "Which?"\nanswer = "argmin(loss)"\noptions = [{ key = "1", label = "<One>" }, '
         '{ key = "2", label = "Two" }]', "☐ &lt;One&gt;"),
        ('kind = "number"\ntext = "How low?"\nanswer = "min(loss)"\nhigh = 4.0\nunit = "nats"', "nats (0 to 4)"),
    ],
)  # fmt: skip
def test_options_are_boxes_and_a_number_has_a_line(folder, prediction, text):
    file = folder / "lesson.toml"
    written = re.sub(r'(?s)kind = "curve".*?high = 4.0', lambda _: prediction, file.read_text())
    file.write_text(written.replace("argmin(prediction) = argmin(loss)", "prediction = argmin(loss)"))
    assert text in page(folder)


def test_headings_are_translated_and_german_numbers_have_a_comma(folder):
    german = folder / "de"
    german.mkdir()
    (german / "lesson.toml").write_text('title = "Mehr Kontext"')
    lesson = read_lesson(folder, "de")
    made = handout(lesson, formula, picture, outcome=OUTCOME, answers=True, translate=str.upper)
    assert "<h1>Mehr Kontext</h1>" in made
    assert "<h2>PREDICT</h2>" in made
    assert "<td>3,1</td>" in made
