#!/usr/bin/env python3
"""Verify what was built, in a clean Debian without a network.

    python3 packaging/verify.py linux [--products FOLDER]

As root, on Debian with debootstrap: installs the package and the archive of dist/ in a fresh system, starts windows on
a virtual screen, trains, adds a plugin, opens a bundle by its type, updates, and removes all again with the runs kept.
It prints the seconds of each step, and leaves pictures of the windows in build/verify/pictures.
"""

import argparse
import sys
from pathlib import Path

from release import ROOT, CannotBuildError
from release.verification import verify


def main() -> int:
    """Verify what the command line names and return the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=formatter)
    parser.add_argument("system", choices=["linux"], help="the system to verify it for")
    parser.add_argument("--products", type=Path, default=ROOT / "dist", metavar="FOLDER", help="what was built (dist)")
    try:
        verify(parser.parse_args().products.absolute())
    except CannotBuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
