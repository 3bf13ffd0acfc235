#!/usr/bin/env python3
"""Build what is shipped.

    python3 packaging/build.py linux|windows|macos [--out FOLDER]

linux, on Debian 12, x86_64, with apt, binutils, git, patchelf and zstd: an archive to unpack anywhere, a .deb, and a
wheelhouse. windows, on Windows, x86_64, with git and NSIS: an archive and an installer. macos, on macOS on Apple
silicon, with git and the command line tools of Xcode: an image and a package. They go into dist/, with SHA256SUMS
beside them. What a build fetches once stays in build/, and later builds take it from there without a network.
"""

import argparse
import sys
from pathlib import Path

from release import ROOT, CannotBuildError, linux, macos, windows

BUILDS = {"linux": linux.build, "windows": windows.build, "macos": macos.build}


def main() -> int:
    """Build what the command line names and return the exit code."""
    summary, _, rest = (__doc__ or "").partition("\n")
    formatter = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=summary, epilog=rest, formatter_class=formatter)
    parser.add_argument("system", choices=list(BUILDS), help="the system to build for")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="FOLDER", help="where the files go (dist)")
    given = parser.parse_args()
    try:
        BUILDS[given.system](given.out.absolute())
    except CannotBuildError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
