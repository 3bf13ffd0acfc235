"""The page about a run: what it shows, that it needs nothing, and that nothing in a run becomes code."""

import base64
import io
import itertools
import json
import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from lab.api import Reading
from lab.base.charts.averages import smoothed
from lab.base.folders import resources
from lab.host import Plugins
from lab.interop.report import page as report
from lab.interop.report.charts import LEFT
from lab.interop.report.markup import VOID
from lab.interop.report.page import write_report
from lab.interop.report.words import ENGLISH, Words
from lab.recipes import Recipe
from lab.runs import RunFolder, write_readings
from lab.runs.floor_list import write_floors
from lab.runs.library.labels import change_label

STYLE = (resources() / "pages" / "report.css").read_text(encoding="utf-8")
STEPS = range(1, 1001)
SERIES = {
    "train loss": ("nats", STEPS, [4 / math.sqrt(step) for step in STEPS]),
    "validation loss": ("nats", [500, 1000], [0.3, 0.2]),
    "tokens": ("tokens", STEPS, [64.0 * step for step in STEPS]),
    "seconds": ("s", STEPS, [0.1 * step for step in STEPS]),
    "learning rate": ("", STEPS, [1e-3] * 1000),
    "gradient norm": ("", STEPS, [1.0] * 1000),
    "gradient norm head": ("", STEPS, [0.5] * 1000),
}
FACTS = {"floors": {"uniform": 4.17, "unigram": 3.35}, "corpus": {"name": "bard.txt"}, "versions": {"lm-lab": "0.1.0"}}
HOSTILE = "</pre></title></style>\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;<svg onload=alert(1)>"


class Page(HTMLParser):
    """A page as a browser takes it apart: elements, their attributes, and the text inside them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts = [], [], {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append((tag, len(self.texts.setdefault(tag, []))))
            self.texts[tag].append("")

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        for tag, place in self.open:
            self.texts[tag][place] += text

    def section(self, title):
        """The text of the section with this title; None where there is none."""
        return next((text for text in self.texts["section"] if text.startswith(title)), None)

    def attributes(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def page(tmp_path):
    def page(run, cards=None, language=ENGLISH):
        write_report(run, tmp_path / "page.html", lambda share: None, cards, language)
        return Page((tmp_path / "page.html").read_text(encoding="utf-8"))

    return page


@pytest.fixture
def whole_run(recorded):
    """A run that has something of everything."""
    run = recorded(SERIES, FACTS)
    run.append_sample({"step": 500, "text": "It was\n  the best"})
    run.append_event({"event": "set", "step": 400, "path": "training.clip", "before": 1.0, "value": 0.5})
    for step in (0, 10, 30, 100, 1000):
        maps = np.tril(np.full((2, 4, 4), step + 1.0))
        write_readings(run.path, step, [Reading("mixing", ("head", "query", "key"), maps, 0, "blocks.0", "share")])
    summary = {"validation_loss": 0.2, "protocol": "windows", "part": "all", "perplexity": 1.22, "tokens": 64_000}
    run.update(state="finished", step=1000, summary=summary)
    return run


MARKED = Words(
    "xx",
    text=lambda text: f"§{text}",
    counted=lambda one, many, n: f"§{many}".replace("{n}", str(n)),
    number=lambda text: text.translate({ord(","): ".", ord("."): ","}),
    message=lambda text: f"§{text}",
)
"""A language in which every text starts with a mark, and numbers have a decimal comma."""


def test_every_text_of_the_page_is_in_the_language_of_the_caller(page, whole_run):
    made = page(whole_run, Plugins(safe_mode=True).load(), MARKED)
    assert made.attributes("html") == [{"lang": "xx"}]
    for tag in ("h2", "h3", "dt", "figcaption", "summary", "footer"):
        assert made.texts[tag], tag
        assert [text for text in made.texts[tag] if not text.startswith("§")] == [], tag
    assert {"§setting", "§value of the setting", "§default", "§event", "§time (UTC)"} <= set(made.texts["th"])
    figures = dict(zip(made.texts["dt"], made.texts["dd"], strict=True))
    assert figures["§state of the run"] == "§§finished at step 1.000"
    assert {"0,2000", "1,22"} <= set(figures.values())
    assert {"§steps", "§loss, §nats per token", "1.000"} <= set(made.texts["text"])


def test_the_titles_of_settings_are_in_the_language_of_the_caller(page, recorded):
    names = page(recorded(), Plugins(safe_mode=True).load(), MARKED).texts["th"]
    assert "§Steps" in names
    assert "training · steps" in page(recorded(name="another"), Plugins(safe_mode=True).load()).texts["th"]


# What it needs and what it can do


def test_it_needs_no_other_files_and_runs_no_script(page, whole_run):
    made = page(whole_run)
    names = {name for name, _ in made.elements}
    assert not names & {"script", "link", "iframe", "object", "embed", "base", "form"}
    for name, attributes in made.elements:
        assert not any(attribute.startswith("on") for attribute in attributes)
        for attribute in ("src", "href", "xlink:href", "data", "action"):
            assert attributes.get(attribute, "data:").startswith("data:"), (name, attributes)
    assert "@import" not in STYLE
    assert "url(" not in STYLE


def test_its_policy_lets_a_browser_run_nothing_and_fetch_nothing(page, whole_run):
    policies = [meta["content"] for meta in page(whole_run).attributes("meta") if "http-equiv" in meta]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]


def test_foreign_content_anywhere_in_a_run_stays_text(page, recorded):
    facts = {HOSTILE: HOSTILE, "floors": {HOSTILE: 2.0}, "corpus": {"name": HOSTILE}, "plugins": {HOSTILE: HOSTILE}}
    parent = {"id": HOSTILE, "name": HOSTILE, "step": 3, "changes": [f"{HOSTILE}={HOSTILE}"]}
    recipe = f"title = {json.dumps(HOSTILE)}\n[architecture]\nname = {json.dumps(HOSTILE)}\n"
    run = recorded({**SERIES, HOSTILE: (HOSTILE, [1, 2], [1.0, math.nan])}, {**facts, "parent": parent}, recipe)
    run.append_sample({"step": 1, "text": HOSTILE})
    run.append_event({"event": "set", "step": 3, "path": HOSTILE, "before": HOSTILE, "value": HOSTILE})
    run.append_event({"event": HOSTILE, "step": 3, HOSTILE: HOSTILE})
    write_readings(
        run.path, 1, [Reading(HOSTILE, ("head", "query", "key"), np.ones((2, 2, 2)), None, HOSTILE, HOSTILE)]
    )
    run.update(state="failed", summary={"validation_loss": 2.0, "protocol": HOSTILE})
    change_label(run.path, note=HOSTILE, name=HOSTILE, tags=("<b>",))
    made = page(run)
    assert {name for name, _ in made.elements}.isdisjoint({"script", "b"})
    assert all(not name.startswith("on") for _, attributes in made.elements for name in attributes)
    assert all(image["src"].startswith("data:image/png;base64,") for image in made.attributes("img"))
    assert made.texts["h1"] == [HOSTILE]
    assert made.texts["pre"] == [f"\n{HOSTILE}"]


def test_a_sample_is_included_letter_for_letter(page, recorded):
    run = recorded(SERIES)
    text = "\n\n  two  spaces\tand a tab\n日本語 🙂\n"
    run.append_sample({"step": 1, "text": text})
    assert page(run).texts["pre"] == [f"\n{text}"]  # a browser drops the first line break in it, and shows the rest


def test_controls_and_halves_of_letters_are_shown_as_signs(page, recorded):
    run = recorded(SERIES)
    run.append_sample({"step": 1, "text": "\x00\x1b[31m\x7f \ud800"})
    assert page(run).texts["pre"] == ["\n␀␛[31m␡ \\ud800"]


# What it shows


def test_the_title_is_the_name_given_to_the_run_with_its_note_and_tags(page, whole_run):
    change_label(
        whole_run.path, name="Slow & wide", note="Why so slow?\nLook at the clip.", tags=("lesson-3",), star=True
    )
    made = page(whole_run)
    assert made.texts["title"][0] == "Slow & wide"
    assert made.texts["h1"] == ["Slow & wide"]
    (header,) = made.texts["header"]
    assert "run a run · " in header
    assert "starred" in header
    assert "Why so slow?\nLook at the clip." in header
    assert "lesson-3" in made.texts["li"]


def test_without_a_name_the_title_is_the_recipes_and_without_that_architecture_and_corpus(page, recorded):
    titled = 'title = "A small one"\n[architecture]\nname = "gru"\n'
    assert page(recorded(SERIES, FACTS, titled, "one")).texts["h1"] == ["A small one"]
    assert page(recorded(SERIES, FACTS, name="two")).texts["h1"] == ["transformer on bard.txt"]
    assert page(recorded(SERIES, recipe="", name="three")).texts["h1"] == ["three"]


def test_the_figures_have_unit_protocol_and_distance_to_the_best_floor(page, whole_run):
    made = page(whole_run)
    reported = dict(zip(made.texts["dt"], made.texts["dd"], strict=True))
    assert reported["validation loss, nats per token (windows, all) · 3.150 below unigram"] == "0.2000"
    assert reported["perplexity"] == "1.22"
    assert reported["state of the run"] == "finished at step 1,000"


def test_a_run_in_training_is_marked_as_such(page, recorded):
    run = recorded(SERIES)
    run.update(step=1000)
    assert "step 1,000, still training" in page(run).texts["dd"]


def test_a_failed_run_has_its_reason(page, recorded):
    run = recorded(SERIES)
    status = json.loads((run.path / "status.json").read_text())
    status |= {"state": "failed", "problem": {"what": "The loss is NaN"}}
    (run.path / "status.json").write_text(json.dumps(status))
    assert any("The loss is NaN" in text for text in page(run).texts["section"])


def test_the_loss_chart_has_axes_with_units_floors_and_flags(page, whole_run):
    made = page(whole_run)
    loss = made.texts["svg"][0]
    for words in (
        "steps",
        "loss, nats per token",
        "uniform",
        "4.17",
        "unigram",
        "train",
        "validation",
        "clip 1.0 → 0.5",
    ):
        assert words in loss


def test_floors_that_were_found_later_are_in_the_chart_too(page, whole_run):
    write_floors(whole_run.path, {"kneser-ney 5": 2.0381}, "stream")
    assert "kneser-ney 5" in page(whole_run).texts["svg"][0]


def test_every_other_series_has_a_chart_and_parts_of_another_are_folded_away(page, whole_run):
    made = page(whole_run)
    assert made.texts["h3"][:3] == ["learning rate", "gradient norm", "gradient norm head"]
    assert "1 more curve" in made.texts["summary"]
    assert "gradient norm head" in made.texts["details"][0]
    assert "tokens" not in made.texts["h3"]


def test_the_highest_point_of_a_long_curve_is_drawn(page, recorded):
    values = np.full(100_000, 1.0)
    values[77_777] = 9.0
    run = recorded({"train loss": ("nats", range(100_000), values)})
    faint = next(path["d"] for path in page(run).attributes("path") if path.get("class") == "faint")
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", faint)]
    assert max(heights) - min(heights) > 200  # pixels
    assert heights.count(min(heights)) == 1
    assert len(heights) < 4 * 700


def test_the_training_loss_is_smoothed_as_in_the_window(page, recorded):
    values = [1.0, 3.0, 1.0, 3.0, 1.0]
    made = page(recorded({"train loss": ("nats", range(5), values), "learning rate": ("", range(5), values)}))
    styles = [path["class"] for path in made.attributes("path") if path.get("class") in ("faint", "thin", "strong")]
    assert styles == ["faint", "thin", "strong"]
    (written,) = re.findall(r"train(\d\.\d+)", made.texts["svg"][0])
    assert float(written) == pytest.approx(smoothed(np.array(values), 0.9)[-1], abs=1e-3)


def test_a_last_loss_of_all_of_the_text_is_not_joined_to_those_of_a_part(page, recorded):
    series = {"validation loss": ("nats", [100, 200, 300], [3.0, 2.5, 2.0])}
    run = recorded(series, recipe=Recipe().to_toml())
    run.update(state="finished", step=300, summary={"part": "all", "targets": 10**6})
    made = page(run)
    assert [path["d"].count("L") for path in made.attributes("path") if path.get("class") == "strong"] == [1, 0]
    assert "The last validation loss is of all of the validation text" in made.section("Curves")


def test_nan_values_leave_a_gap_and_are_reported(page, recorded):
    values = [1.0, 2.0, math.nan, math.inf, 3.0, 1e305]
    made = page(recorded({"train loss": ("nats", range(6), values), "nothing": ("", [3], [math.nan])}))
    curve = next(path["d"] for path in made.attributes("path") if path.get("class") == "faint")
    assert curve.count("M") == 2
    assert "train: 3 values are not finite, the first is nan at step 2" in made.texts["figcaption"]
    assert "1 value is not finite, the first is nan at step 3" in made.texts["figcaption"]


def test_no_number_of_a_picture_is_none(page, recorded):
    odd = {
        "one": ("", [5], [1e-320]),
        "zero": ("", range(3), [0.0] * 3),
        "large": ("", range(3), [1e299, -1e299, 0]),
        "close": ("", range(3), [1e16, 1e16 + 2, 1e16]),
        "far": ("", [0, 2**62], [1.0, 2.0]),
    }
    made = page(recorded(odd))
    for path in made.attributes("path"):
        assert "nan" not in path["d"]
        assert "inf" not in path["d"]
    assert len(made.attributes("svg")) == len(odd)


def test_the_samples_are_the_first_the_last_and_ever_fewer_between(page, recorded, monkeypatch):
    monkeypatch.setattr(report, "SAMPLES", 4)
    run = recorded(SERIES)
    for step in range(100):
        run.append_sample({"step": step, "text": f"text {step}"})
    made = page(run)
    assert made.texts["pre"] == ["\ntext 0", "\ntext 4", "\ntext 21", "\ntext 99"]
    assert "4 of 100 samples" in made.section("Samples")


def test_settings_that_differ_from_the_defaults_are_first_with_both_values(page, recorded):
    recipe = Recipe.read(
        {"architecture": {"name": "transformer", "layers": 7, "width": 128}, "training": {"steps": 300}}
    )
    made = page(recorded(SERIES, recipe=recipe.to_toml()), Plugins())
    first, rest = made.section("Recipe").split("settings at their defaults")
    assert "architecture · layers7 blocks4" in first
    assert "training · steps300 steps1,000" in first
    assert "width" not in first
    assert "architecture · width128 channels128" in rest


def test_without_cards_the_settings_of_the_architecture_have_no_defaults(page, recorded):
    made = page(recorded(SERIES))
    assert "architecture · layers3training · steps600 steps1,000" in made.section("Recipe")


def test_a_recipe_that_this_lab_does_not_know_is_shown_all_the_same(page, recorded):
    made = page(
        recorded(SERIES, recipe='[architecture]\nname = "of tomorrow"\nwarp = 9\n[training]\nsteps = -5\n'), Plugins()
    )
    assert "warp9" in made.section("Recipe")
    assert "steps-5" in made.section("Recipe")


def test_events_lineage_and_provenance_are_included(page, recorded):
    parent = {"id": "f" * 32, "name": "first", "step": 1200, "changes": ["training.clip=0.5"]}
    run = recorded(SERIES, {**FACTS, "parent": parent, "placement": {"device": "cpu", "threads": 2}})
    run.append_event({"event": "problem", "step": 12, "what": "The disk is full.", "remedy": "Free some space"})
    run.append_event({"event": "pause", "step": 13})
    made = page(run)
    assert "12The disk is full. Free some space" in made.section("Events")
    assert "13pause" in made.section("Events")
    assert "Branched off the run first at step 1,200" in made.section("Lineage")
    assert "training · clip0.5" in made.section("Lineage")
    for words in (run.id, "versions · lm-lab0.1.0", "placement · threads2", "corpusbard.txt"):
        assert words in made.section("Provenance")


# Readings


def opened(image):
    data = base64.b64decode(image["src"].removeprefix("data:image/png;base64,"))
    with Image.open(io.BytesIO(data)) as picture:
        return np.asarray(picture.convert("RGBA"))


def test_readings_are_shown_at_the_first_the_middle_and_the_last_moment_at_one_scale(page, whole_run):
    made = page(whole_run)
    reported = made.section("Readings")
    assert re.findall(r"step ([\d,]+)", reported) == ["0", "30", "1,000"]
    assert "token mixing, block 1head · query · key01e+03 share" in reported
    maps = [opened(image) for image in made.attributes("img")]
    assert len(maps) == 6  # two heads at three moments
    assert maps[0].shape == (4, 4, 4)
    dark, bright = maps[0][3, 0], maps[4][3, 0]
    assert dark.tolist() == [68, 1, 84, 255]  # 1 of 1001: the low end of viridis
    assert bright.tolist() == [253, 231, 37, 255]
    assert maps[0][0, 3, 3] == 0  # what no query reads shows the page


def test_signed_maps_part_at_zero_and_fade_into_the_page(page, recorded):
    run = recorded(SERIES)
    values = np.array([[-2.0, 0.0, 2.0, math.nan]])
    write_readings(run.path, 1, [Reading("residual", ("token", "channel"), values, 0, "blocks.0")])
    ((below, zero, above, masked),) = opened(page(run).attributes("img")[0])
    assert below.tolist() == [0x2F, 0x7F, 0xD6, 255]
    assert above.tolist() == [0xD9, 0x82, 0x2B, 255]
    assert (zero[3], masked[3]) == (0, 0)


def test_of_a_large_map_the_largest_cells_are_kept(page, recorded):
    run = recorded(SERIES)
    values = np.zeros((3, 5000))
    values[1, 1234], values[2, 4321] = 5.0, -5.0
    write_readings(run.path, 1, [Reading("logits", ("token", "vocabulary"), values)])
    picture = opened(page(run).attributes("img")[0])
    assert picture.shape[1] < 200
    assert sorted(picture[..., 3].ravel())[-3:] == [0, 255, 255]


def test_a_row_of_numbers_is_bars_and_one_number_is_written(page, recorded):
    run = recorded(SERIES)
    readings = [
        Reading("surprise", ("token",), np.array([1.0, 3.0, 2.0]), units="nats"),
        Reading("norm", (), np.array(7.5)),
    ]
    write_readings(run.path, 1, readings)
    made = page(run)
    assert "surprisetoken0 to 3 nats" in made.texts["h3"]
    assert "7.5" in made.texts["p"]
    bars = next(path["d"] for path in made.attributes("path") if path.get("class") == "bars")
    assert [float(top) for top in re.findall(r"V([\d.]+)", bars)] == pytest.approx([46.7, 0, 23.3], abs=0.1)


@pytest.mark.parametrize(
    "values",
    [
        np.zeros((0, 3)),
        np.full((2, 2), np.nan),
        np.array([[True, False]]),
        np.array([[1e308, -1e308]]),
        np.zeros((2, 2, 0, 1)),
    ],
)
def test_odd_readings_do_no_harm(page, recorded, values):
    run = recorded(SERIES)
    axes = ("head", "state", "token", "channel")[-values.ndim :]
    write_readings(run.path, 1, [Reading("odd", axes, values)])
    assert "odd" in page(run).section("Readings")


def test_readings_beyond_the_size_of_a_page_are_named(page, recorded, monkeypatch):
    monkeypatch.setattr(report, "PICTURES", 100)
    run = recorded(SERIES)
    write_readings(run.path, 1, [Reading("state", ("token", "state"), np.eye(3), layer) for layer in range(3)])
    assert "Recorded and not shown: state, block 2, state, block 3." in page(run).section("Readings")


# What is missing


def test_a_run_that_has_only_begun_makes_a_page(page, recorded):
    made = page(recorded(recipe=""))
    assert made.section("Provenance")
    assert made.section("Curves") is None
    assert made.section("Missing") is None


@pytest.mark.parametrize(
    ("file", "message", "shown"),
    [
        ("metrics.sqlite", "metrics.sqlite cannot be read", "Samples"),
        ("samples.jsonl", "samples.jsonl cannot be read", "Curves"),
        ("events.jsonl", "events.jsonl cannot be read", "Curves"),
        ("status.json", "status.json cannot be read", "Readings"),
        ("readings/0.safetensors", "0.safetensors cannot be read", "Readings"),
    ],
)
def test_what_is_damaged_is_named_and_the_rest_is_shown(page, whole_run, file, message, shown):
    (whole_run.path / file).write_bytes(b"damaged\n")
    made = page(whole_run)
    assert message in made.section("Missing from this page")
    assert made.section(shown)


def test_without_metrics_the_rest_is_shown_and_the_missing_file_is_named(page, whole_run):
    whole_run.metrics_file.unlink()
    made = page(whole_run)
    assert "metrics.sqlite cannot be read: it is missing." in made.section("Missing from this page")
    assert made.section("Samples")
    assert made.section("Curves") is None


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**320), 10**320)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("floors", "cost", "corpus", "versions", "plugins", "parent", "created", "probe_text", "git", "else")
"""Fields that are shown; one that the lab needs, such as the id, is refused when the run is opened."""
OF_EVENTS = ("event", "step", "time", "path", "before", "value", "what", "text", "remedy")


@given(
    facts=st.dictionaries(st.sampled_from(KEYS), ANY, max_size=6),
    lines=st.lists(st.dictionaries(st.sampled_from(OF_EVENTS), ANY | st.sampled_from(["set", "problem"])), max_size=4),
    summary=st.dictionaries(st.sampled_from(["validation_loss", "perplexity", "tokens", "seconds", "protocol"]), ANY),
)
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
def test_any_content_of_what_a_run_shows_gives_a_page(tmp_path_factory, page, facts, lines, summary):
    path = tmp_path_factory.mktemp("run") / "run"
    RunFolder.create(path, "", {})
    record = {**facts, "format": 1}
    status = {"state": "finished", "step": 3, "summary": summary, "problem": None}
    (path / "run.json").write_text(json.dumps(record))
    (path / "status.json").write_text(json.dumps(status))
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    for name in ("events.jsonl", "samples.jsonl"):
        (path / name).write_text(text)
    assert page(RunFolder.open(path)).section("Provenance") or page(RunFolder.open(path)).section("Missing")


# How it looks


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_words_can_be_read_in_light_and_dark():
    for ground, ink, theme in itertools.product(
        ["ground", "panel", "inset", "mark"], ["text", "dim", "warn", "run"], [0, 1]
    ):
        colours = [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root \{[^}]+\}", STYLE)]
        assert "prefers-color-scheme: dark" in STYLE, (ground, ink, theme)
        lighter, darker = sorted((luminance(colours[theme][name]) for name in (ink, ground)), reverse=True)
        if ground != "mark" or ink == "text":  # on a tag stands nothing else
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (ground, ink, theme)


def test_the_plot_has_room_for_its_numbers():
    assert LEFT >= 60
