#!/usr/bin/env python3
"""Build what is shipped.

    python3 packaging/build.py linux [--out FOLDER]

On Debian 12, x86_64, with apt, binutils, git, patchelf and zstd: makes an archive to unpack anywhere, a .deb, a
wheelhouse, and SHA256SUMS beside them, in dist/. What it fetches once stays in build/inputs, and later builds take it
from there without a network.
"""

import argparse
import sys
from pathlib import Path

from release import ROOT, CannotBuildError
from release.linux import build


def main() -> int:
    """Build what the command line names and return the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=formatter)
    parser.add_argument("system", choices=["linux"], help="the system to build for")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="where the files go (dist)")
    out = parser.parse_args().out.absolute()
    try:
        build(out)
    except CannotBuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
