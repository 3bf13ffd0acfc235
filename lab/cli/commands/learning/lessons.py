"""`lm-lab lessons`: list and check lessons, run one, and read a folder of answers."""

from __future__ import annotations

import argparse
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lab.base import BadInput, LabError
from lab.base.extras import need
from lab.base.files.writing import check_output, named_by_user, write_file
from lab.base.units import duration
from lab.cli.options import add_common
from lab.cli.output import Progress, print_json, print_problem, print_text
from lab.cli.table import print_table
from lab.host import Plugins
from lab.lessons.collection import Found, find_lesson, find_lessons, lessons_in, read_found
from lab.lessons.handout import ENDINGS
from lab.lessons.lesson import Lesson
from lab.lessons.markdown import formulas
from lab.lessons.predictions import answer_of, shown
from lab.lessons.results import RECORDED, Outcome, decide_checks, passes, read_cached, read_recorded, store
from lab.lessons.table import entries, read_folder, table_csv
from lab.workbench import Workbench
from lab.workbench.lessons import planning, training

SEEDS = "1,2,3"
"""The seeds with which the checks of lessons are decided."""
SIGNS = {True: "holds", False: "fails", None: "open"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab lessons`."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", title="actions; without one, list")

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
        add_common(action, again=True)
        return action

    add("list", "the lessons by track")
    check = add("check", "check a lesson, or every lesson in a folder; without one, all that are found")
    check.add_argument("path", nargs="?", metavar="PATH", help="the folder of a lesson, or of lessons")
    run_one = add("run", "train the runs of a lesson, measure, and decide its checks")
    run_one.add_argument("name", nargs="?", metavar="NAME", help="the name of a lesson, or its folder")
    run_one.add_argument("--all", action="store_true", help="run every lesson, instead of one")
    run_one.add_argument("--seeds", metavar="N,N…", default=SEEDS, help=f"the seeds ({SEEDS})")
    run_one.add_argument("--out", metavar="FOLDER", help="a folder for the runs; without one they are not stored")
    run_one.add_argument("--record", action="store_true", help="write the results into the folder of the lesson")
    answers = add("answers", "the answers that a class handed in to a folder, as a table")
    answers.add_argument("folder", metavar="FOLDER", help="the folder into which answers were handed in")
    answers.add_argument("--lesson", metavar="NAME", required=True, help="the lesson")
    answers.add_argument("--csv", metavar="FILE", help="write the table to a file, with the answers in words")

    plan = add("plan", "a plan of a term: lessons in sessions, and what each needs of this machine")
    plan.add_argument("names", nargs="*", metavar="NAME", help="the lessons; without any, all that are found")
    plan.add_argument("--minutes", type=int, default=planning.SESSION, metavar="N", help="minutes of a session (90)")
    plan.add_argument("--by-section", action="store_true", help="in the order of the lectures' sections, not of tracks")
    plan.add_argument("--csv", metavar="FILE", help="write the plan to a file")
    paper = add("handout", "a lesson as a page to print, with lines to write on or with answers")
    paper.add_argument("name", metavar="NAME", help="the name of a lesson, or its folder")
    paper.add_argument("--out", metavar="FILE", required=True, help="the file: NAME.html or NAME.pdf")
    paper.add_argument("--answers", action="store_true", help="with result, answers and the note for the teacher")
    paper.add_argument("--language", choices=("en", "de"), default="en", help="the language of the texts, where they "
                       "have it (en)")  # fmt: skip


def run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    """List, check or run lessons.

    Returns:
        0, or 1 if a lesson cannot be used, or a check does not hold.

    Raises:
        BadInput: There is no such lesson, or an option cannot be used.
        LabError: A training failed.
    """
    match arguments.action:
        case "check":
            return _check(arguments, plugins)
        case "run":
            return _run(arguments, plugins, progress)
        case "answers":
            return _answers(arguments, plugins)
        case "plan":
            return _plan(arguments, plugins, progress)
        case "handout":
            return _handout(arguments, plugins)
    return _list(arguments, plugins)


def _list(arguments: argparse.Namespace, plugins: Plugins) -> int:
    found = find_lessons(plugins.cards("lessons"))
    if arguments.json:
        print_json({"lessons": [_listed(one) for one in found]})
        return 0
    rows = [
        [one.name, one.lesson.track, str(one.lesson.minutes), str(one.lesson.training_count), one.lesson.title]
        for one in found
        if one.lesson is not None
    ]
    print_table(["lesson", "track", "minutes", "runs", "title"], rows, right=[False, False, True, True, False])
    for one in found:
        if one.problem is not None:
            print_problem(one.problem)
    return int(any(one.problem is not None for one in found))


def _listed(found: Found) -> dict[str, Any]:
    about: dict[str, Any] = {"name": found.name, "folder": str(found.folder), "origin": found.origin}
    if found.lesson is not None:
        fields = {"title", "summary", "track", "position", "minutes", "lectures", "examples"}
        about |= found.lesson.model_dump(mode="json", include=fields)
        about["runs"] = found.lesson.training_count
    return about | ({} if found.problem is None else {"problem": found.problem.as_dict()})


def _check(arguments: argparse.Namespace, plugins: Plugins) -> int:
    if arguments.path is None:
        found = find_lessons(plugins.cards("lessons"))
    else:
        folder = Path(arguments.path).expanduser().absolute()
        found = [read_found(one, "path") for one in lessons_in(folder) or [folder]]
    bench = Workbench(plugins)
    problems = []
    for one in found:
        problem = one.problem
        if one.lesson is not None:
            try:
                _check_formulas(one.lesson)
                training.LessonTraining(one.lesson, bench).check()
            except LabError as error:
                problem = error.problem
        problems.append(problem)
    if arguments.json:
        each = [{**_listed(one), "problem": None if problem is None else problem.as_dict()}
                for one, problem in zip(found, problems, strict=True)]  # fmt: skip
        print_json({"lessons": each})
    for one, problem in zip(found, problems, strict=True):
        if problem is not None:
            print_problem(problem)
        elif not arguments.json:
            print_text(f"{one.name}: nothing is wrong")
    return int(any(problem is not None for problem in problems))


def _check_formulas(lesson: Lesson) -> None:
    """Check that the formulas of a lesson can be typeset, where matplotlib is installed.

    Raises:
        BadInput: One cannot.
    """
    from lab.widgets.formulas.typesetting import typeset

    for name, text in lesson.texts.items():
        for latex in formulas(text):
            try:
                typeset(latex, "#000000")
            except ImportError:
                return
            except ValueError as error:
                what = f"the formula {latex} cannot be typeset: {' '.join(str(error).split()[-12:])}"
                remedy = "Use the LaTeX that matplotlib's mathtext reads"
                raise BadInput(what, field=f"{lesson.name}/{name}.md", remedy=remedy) from None


def _run(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    seeds = _seeds(arguments.seeds)
    if bool(arguments.name) == arguments.all:
        raise BadInput("name one lesson, or --all", field="NAME", remedy="lm-lab lessons list shows their names")
    cards = plugins.load().cards("lessons")
    if arguments.all:
        lessons = [one.lesson for one in find_lessons(cards) if one.lesson is not None]
    else:
        lessons = [find_lesson(arguments.name, cards)]
    results = []
    for lesson in lessons:
        outcomes = {}
        for seed in seeds:
            outcomes[seed] = _trained(lesson, plugins, seed, arguments.out, progress)
            if not arguments.json:
                _print_outcome(lesson, seed, outcomes[seed])
        if arguments.record:
            store(lesson, outcomes, lesson.folder / RECORDED)
        results.append(_as_dict(lesson, outcomes))
    failed = [one["lesson"] for one in results if not one["holds"]]
    if arguments.json:
        print_json({"lessons": results})
    elif arguments.all:
        print_text(f"{len(results) - len(failed)} of {len(results)} lessons hold with all seeds")
    return int(bool(failed))


def _trained(lesson: Lesson, plugins: Plugins, seed: int, out: str | None, progress: Progress) -> Outcome:
    """Train the runs of a lesson with one seed, and measure."""

    def show(at: training.Progress) -> None:
        left = "" if at.seconds_left is None else f" · {duration(at.seconds_left)} left"
        progress.show(f"{lesson.name}, seed {seed}: {at.done + 1} of {at.total} · {at.title} · {at.share:.0%}{left}")

    bench = Workbench(plugins)
    with tempfile.TemporaryDirectory(prefix="lm-lab-lesson-") as temporary:
        folder = Path(temporary) if out is None else Path(out).expanduser() / lesson.name
        work = training.LessonTraining(lesson, bench, seed, folder)
        try:
            return work.run(show)
        finally:
            work.stop()
            bench.close()
            progress.clear()


def _print_outcome(lesson: Lesson, seed: int, outcome: Outcome) -> None:
    print_text(f"{lesson.name}: {lesson.title}, seed {seed}, {duration(outcome.seconds)}")
    for measure in lesson.measures:
        value = outcome.values.get(measure.name)
        if isinstance(value, Mapping):
            text = ", ".join(f"{key}: {number:.4g}" for key, number in value.items())
        else:
            text = str(value) if isinstance(value, str | None) else f"{value:.4g}"
        print_text(f"  {measure.title}: {text} {measure.unit}".rstrip())
    print_text(f"  measured for the prediction: {shown(lesson, answer_of(lesson, outcome.values))}")
    for check, decided in zip(lesson.checks, decide_checks(lesson, outcome.values), strict=True):
        for one in decided:
            print_text(f"  {SIGNS[one.holds]}: {one.text}{f' ({one.why})' if one.why else ''}  [{check.claim}]")


def _as_dict(lesson: Lesson, outcomes: Mapping[int, Outcome]) -> dict[str, Any]:
    each = {}
    for seed, outcome in outcomes.items():
        decided = [one for check in decide_checks(lesson, outcome.values) for one in check]
        each[str(seed)] = {
            "seconds": round(outcome.seconds, 1),
            "values": {name: _plain(value) for name, value in outcome.values.items()},
            "checks": [{"comparison": one.text, "holds": one.holds} for one in decided],
        }
    holds = all(passes(lesson, outcome.values) for outcome in outcomes.values())
    return {"lesson": lesson.name, "title": lesson.title, "holds": holds, "seeds": each}


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    return "infinite" if isinstance(value, float) and not math.isfinite(value) else value


def _answers(arguments: argparse.Namespace, plugins: Plugins) -> int:
    lesson = find_lesson(arguments.lesson, plugins.cards("lessons"))
    rows = read_folder(Path(arguments.folder).expanduser())
    known = read_cached(lesson).first or read_recorded(lesson).first
    values = None if known is None else known.values
    found = entries(rows, lesson, values)
    if arguments.csv is not None:
        file = Path(arguments.csv).expanduser()
        check_output(file, overwrite=False, field="--csv")
        with named_by_user():
            write_file(file, table_csv(rows, lesson, values), recorded=True)
    damaged = [row for row in rows if row.problem is not None]
    if arguments.json:
        given = [{"student": one.student, "prediction": one.predicted, "right": one.score.right if one.score else None,
                  "answers": dict(one.given.answers)} for one in found]  # fmt: skip
        print_json({"lesson": lesson.name, "entries": given, "damaged": [row.file for row in damaged]})
    else:
        texts = [[one.student, shown(lesson, one.predicted), _right(one.score.right if one.score else None),
                  str(len(one.given.answers))] for one in found]  # fmt: skip
        print_table(["student", "prediction", "right", "answers"], texts, right=[False, False, False, True])
    for row in damaged:
        if row.problem is not None:
            print_problem(row.problem)
    return int(bool(damaged))


def _plan(arguments: argparse.Namespace, plugins: Plugins, progress: Progress) -> int:
    if not 1 <= arguments.minutes <= 1000:
        raise BadInput("is not allowed", field="--minutes", value=arguments.minutes, allowed="1 to 1,000")
    cards = plugins.load().cards("lessons")
    if arguments.names:
        lessons = [find_lesson(name, cards) for name in dict.fromkeys(arguments.names)]
    else:
        lessons = [one.lesson for one in find_lessons(cards) if one.lesson is not None]
    if arguments.by_section:
        lessons = planning.by_section(lessons)
    bench = Workbench(plugins)
    progress.show("finding what the lessons need")
    needs = planning.all_needs(lessons, bench)
    progress.clear()
    bench.close()
    plan = planning.planned(lessons, needs, arguments.minutes)
    if arguments.csv is not None:
        file = Path(arguments.csv).expanduser()
        check_output(file, overwrite=False, field="--csv")
        with named_by_user():
            write_file(file, planning.plan_csv(plan))
    if arguments.json:
        print_json({"plan": [_planned(one) for one in plan]})
        return 0
    texts = [[str(one.session), one.lesson.name, ", ".join(one.lesson.lectures), str(one.lesson.minutes),
              str(one.need.trainings), "" if one.need.seconds is None else duration(one.need.seconds),
              "" if one.need.memory_bytes is None else f"{one.need.memory_bytes / 2**20:,.0f} MiB",
              "yes" if one.need.has_result else "no"] for one in plan]  # fmt: skip
    heads = ["session", "lesson", "lectures", "minutes", "runs", "training", "memory", "result is there"]
    print_table(heads, texts, right=[True, False, False, True, True, True, True, False])
    for one in plan:
        if one.need.problem is not None:
            print_problem(one.need.problem)
    return 0


def _planned(one: planning.Planned) -> dict[str, Any]:
    need = one.need
    return {
        "session": one.session, "lesson": one.lesson.name, "title": one.lesson.title,
        "lectures": list(one.lesson.lectures), "minutes": one.lesson.minutes, "trainings": need.trainings,
        "seconds": need.seconds, "memory_bytes": need.memory_bytes, "has_result": need.has_result,
        "problem": None if need.problem is None else need.problem.as_dict(),
    }  # fmt: skip


def _handout(arguments: argparse.Namespace, plugins: Plugins) -> int:
    file = Path(arguments.out).expanduser()
    if file.suffix.lower() not in ENDINGS:
        raise BadInput("has another ending", field="--out", value=arguments.out, allowed=", ".join(ENDINGS))
    check_output(file, overwrite=False, field="--out")
    need("PySide6", "window", "A handout")
    lesson = find_lesson(arguments.name, plugins.load().cards("lessons"), arguments.language)
    from lab.shell.learn.handouts import without_window, write_handout

    with named_by_user(), without_window(arguments.language):
        write_handout(lesson, file, answers=arguments.answers)
    print_text(f"written to {file}")
    return 0


def _right(right: bool | None) -> str:
    return "" if right is None else "yes" if right else "no"


def _seeds(text: str) -> Sequence[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isascii() and part.isdecimal() and int(part) < 2**31 for part in parts):
        raise BadInput("is no list of seeds", field="--seeds", value=text, allowed="whole numbers, such as 1,2,3")
    return [int(part) for part in parts]
