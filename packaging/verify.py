#!/usr/bin/env python3
"""Verify what was built, in a clean Debian without a network.

    python3 packaging/verify.py linux [--products FOLDER] [--previous FOLDER]
    python3 packaging/verify.py linux --tests [PATH ...] [--products FOLDER]

As root, on Debian with debootstrap and Xvfb: installs the package and the archive of dist/ in a fresh system, starts
windows on a virtual screen, trains, adds a plugin, opens a bundle by its type, updates, and removes all again with the
runs kept. Disks that are full, half an archive, a broken policy, folders without rights and a wrong clock are among
the steps. The archive is also used on this machine, by a user in a namespace of their own.
So is the wheelhouse, with each Python that is here. It prints the seconds of each step, and leaves pictures of the
windows in build/verify/pictures.

With --tests it runs the tests of the tree instead, all or those of some paths, with the Python and packages of the
archive; pytest and what else they need is fetched once. It takes half an hour.
"""

import argparse
import sys
from pathlib import Path

from release import ROOT, CannotBuildError
from release.tests_inside import run_tests
from release.verification import verify


def main() -> int:
    """Verify what the command line names and return the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=formatter)
    parser.add_argument("system", choices=["linux"], help="the system to verify it for")
    parser.add_argument("--products", type=Path, default=ROOT / "dist", metavar="FOLDER", help="what was built (dist)")
    parser.add_argument("--previous", type=Path, metavar="FOLDER", help="the package of an older version, to upgrade")
    parser.add_argument("--tests", nargs="*", metavar="PATH", help="run the tests with what was built")
    given = parser.parse_args()
    try:
        if given.tests is not None:
            run_tests(given.products.absolute(), given.tests)
            return 0
        verify(given.products.absolute(), given.previous and given.previous.absolute())
    except CannotBuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
