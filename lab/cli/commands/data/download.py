"""`lm-lab download`: list the texts that can be fetched, or fetch one."""

from __future__ import annotations

import argparse

from lab.base.units import short
from lab.cli.output import Progress, print_json, print_text
from lab.cli.table import print_table
from lab.text.corpora import downloads

NO_PROXY = "none"
"""The value of --proxy that removes the stored proxy."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `lm-lab download`."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="name of the text to fetch; without one, list all")
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        help=f"the proxy for downloads, from now on; {NO_PROXY}: use that of the environment, if any",
    )


def run(arguments: argparse.Namespace, progress: Progress) -> int:
    """List the texts that can be fetched, or fetch one.

    Raises:
        BadInput: There is no such text, or the proxy cannot be used.
        LabError: It could not be fetched.
    """
    if arguments.proxy is not None:
        downloads.set_proxy(None if arguments.proxy == NO_PROXY else arguments.proxy)
    if arguments.name is None:
        _list(as_json=arguments.json)
        return 0
    download = downloads.listed(arguments.name)
    path = downloads.fetch(
        download,
        progress=lambda done, total: progress.show(f"{download.name}: {short(done)}B of {short(total)}B"),
    )
    progress.clear()
    if arguments.json:
        print_json({"name": download.name, "path": str(path), "bytes": download.bytes, "sha256": download.sha256})
    else:
        print_text(f"{download.title}: {path}")
        print_text(f"To train on it: lm-lab train --corpus {download.name}")
    return 0


def _list(*, as_json: bool) -> None:
    every = downloads.catalogue()
    if as_json:
        print_json({"downloads": [{**vars(one), "here": one.here, "path": str(one.path)} for one in every]})
        return
    rows = [[one.name, one.title, f"{short(one.bytes)}B", one.licence, "here" if one.here else ""] for one in every]
    print_table(["name", "title", "size", "licence", ""], rows, right=[False, False, True, False, False])
