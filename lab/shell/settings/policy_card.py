"""The card about the policy of the machine: what an administrator fixed, and what is wrong in the file."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout

from lab.base.system.policy import Policy
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import LANGUAGES, number_text, tr, tr_n
from lab.widgets.core.messages import capitalized, problem_line


def policy_rows(found: Policy) -> QGridLayout:
    """Return a paragraph for each problem and each rule of a policy."""
    rows = QGridLayout()
    lines = [(capitalized(problem_line(problem)), "warn") for problem in found.problems]
    lines += [(sentence, "") for sentence in policy_sentences(found)]
    for row, (text, role) in enumerate(lines):
        paragraph = label(text, role)
        paragraph.setWordWrap(True)
        rows.addWidget(paragraph, row, 0, 1, 2)
    return rows


def policy_sentences(found: Policy) -> list[str]:
    """Return what a policy fixes, each rule as a sentence."""
    sentences = []
    if found.devices is not None:
        names = ", ".join(dict.fromkeys(("cpu", *found.devices)))
        sentences.append(tr("Models may use these devices: {names}.", names=names))
    if found.threads is not None:
        sentences.append(
            tr_n("A training uses at most 1 thread.", "A training uses at most {n} threads.", found.threads)
        )
    if found.memory_gb is not None:
        size = number_text(found.memory_gb)
        sentences.append(tr("A training may need at most {size} GB of memory.", size=size))
    if found.disk_gb is not None:
        sentences.append(tr("Your runs and other files may take {size} GB.", size=number_text(found.disk_gb)))
    if not found.network:
        sentences.append(tr("Nothing is downloaded, and nothing is handed in over the network."))
    if found.allowed_plugins is not None:
        names = ", ".join(found.allowed_plugins)
        sentences.append(
            tr("Of the plugins by others only these may run: {names}.", names=names)
            if names
            else tr("No plugin by others may run.")
        )
    if found.enabled_plugins:
        sentences.append(tr("These plugins run for everybody: {names}.", names=", ".join(found.enabled_plugins)))
    if found.hidden_places:
        titles = {"data": tr("Data"), "inspect": tr("Inspect"), "play": tr("Play"), "compare": tr("Compare")}
        titles |= {"learn": tr("Learn"), "plugins": tr("Plugins")}
        names = ", ".join(titles[key] for key in found.hidden_places)
        sentences.append(tr("These places are not shown: {names}.", names=names))
    if found.lessons is not None:
        names = ", ".join(found.lessons)
        sentences.append(tr("Only these lessons are shown: {names}.", names=names) if names
                         else tr("No lesson is shown."))  # fmt: skip
    if found.language is not None:
        sentences.append(tr("The language is {language}.", language=LANGUAGES[found.language]))
    if found.theme is not None:
        sentences.append(tr("The theme cannot be changed."))
    return sentences
