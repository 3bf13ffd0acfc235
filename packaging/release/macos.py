"""The build for macOS: an application bundle in an image to copy it from, and in a package that installs silently."""

import os
import plistlib
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from release import LAYOUTS, ROOT, call, report, source_date
from release.icons import write_icon
from release.inputs import build_wheel, project
from release.products import write_sums
from release.relocatable import check_host, make_prefix
from release.texts import fill
from release.tree import place_launchers, seal

MACOS = ROOT / "packaging" / "macos"
"""The files and templates of the products."""
DATA = "$HOME/Library/Application Support/lm-lab"
"""The folder of a user's runs, for the shell."""
LAUNCHERS = ("lm-lab", "lm-lab-python")
MACH_O = (b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""The first bytes of programs and libraries, for one processor and for several."""


def build(out: Path) -> None:
    """Build the bundle, the image and the package, and sign them where the environment names who signs.

    Args:
        out: The folder that gets image and package; what it holds of an older build of the same version is replaced.

    Raises:
        CannotBuildError: This is no macOS, an input cannot be had, or a step failed.
    """
    check_host("macos")
    epoch, version = source_date(), str(project()["version"])
    work, inputs = ROOT / "build" / "macos", ROOT / "build" / "inputs-macos"
    shutil.rmtree(work, ignore_errors=True)
    bundle = work / "image" / "LM Lab.app"
    tree = bundle / "Contents" / "Resources"
    make_prefix(tree / "python", "macos", inputs, work, build_wheel(work / "wheel", epoch))
    minimum = minimum_system(path.name for path in (inputs / "wheels").glob("*.whl"))
    make_bundle(bundle, {"version": version, "minimum": minimum, "data": DATA})
    sign_bundle(bundle)
    out.mkdir(parents=True, exist_ok=True)
    image, package = (out / f"lm-lab-{version}-macos-arm64.{suffix}" for suffix in ("dmg", "pkg"))
    write_image(bundle, image)
    write_package(bundle, version, work, package)
    for product in (image, package):
        notarize(product)
    write_sums([image, package])


def minimum_system(wheels: Iterable[str]) -> str:
    """Return the oldest macOS that all wheels run on, by the tags in their names, as 14.0."""
    tags = (re.findall(r"macosx_(\d+)_(\d+)_(?:arm64|universal2)", name) for name in wheels)
    oldest = [min((int(major), int(minor)) for major, minor in found) for found in tags if found]
    major, minor = max(oldest)
    return f"{major}.{minor}"


def make_bundle(bundle: Path, values: dict[str, str]) -> None:
    """Make an application bundle around the Python inside: its launchers, icon and properties.

    Args:
        bundle: The folder that ends in .app, which holds `Contents/Resources/python`.
        values: What the templates name.
    """
    contents = bundle / "Contents"
    tree, programs = contents / "Resources", contents / "MacOS"
    place_launchers(tree, values, *LAUNCHERS)
    programs.mkdir()
    shutil.copy(MACOS / "lm-lab", programs / "lm-lab")
    (programs / "lm-lab").chmod(0o755)
    write_icon(tree / "python" / LAYOUTS["macos"].program, tree / "lm-lab.icns")
    (tree / "README.txt").write_text(fill(MACOS / "README.txt", values), encoding="utf-8")
    (contents / "Info.plist").write_text(fill(MACOS / "Info.plist", values), encoding="utf-8")
    seal(tree)


def sign_bundle(bundle: Path) -> None:
    """Sign the bundle from the inside out, if LM_LAB_IDENTITY names a certificate "Developer ID Application".

    A signature changes files: the list of their sums goes, and the signature takes its place.
    """
    identity = os.environ.get("LM_LAB_IDENTITY")
    if not identity:
        report("The bundle is not signed: LM_LAB_IDENTITY names no certificate")
        return
    (bundle / "Contents/Resources/SHA256SUMS").unlink()
    options = ("--force", "--timestamp", "--options", "runtime", "--entitlements", MACOS / "entitlements.plist")
    for path in (*programs_below(bundle), bundle):
        call("codesign", *options, "--sign", identity, path)
    call("codesign", "--verify", "--strict", bundle)


def programs_below(folder: Path) -> list[Path]:
    """Return the programs and libraries below a folder, the deepest first."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sorted(filter(is_program, files), key=lambda path: (-len(path.parts), path))


def is_program(path: Path) -> bool:
    """Return True if a file is a program or library of macOS."""
    with path.open("rb") as opened:
        return opened.read(4) in MACH_O


def write_image(bundle: Path, target: Path) -> None:
    """Write a disk image that shows the bundle beside the folder it is to be moved to."""
    (bundle.parent / "Applications").symlink_to("/Applications")
    options = ("-volname", "LM Lab", "-fs", "HFS+", "-format", "ULFO", "-ov", "-quiet")
    call("hdiutil", "create", *options, "-srcfolder", bundle.parent, target)


def write_package(bundle: Path, version: str, work: Path, target: Path) -> None:
    """Write a package that installs the bundle for all, always in the same place, over an older or a newer one."""
    root = work / "root"
    root.mkdir()
    bundle.rename(root / bundle.name)
    (work / "components.plist").write_bytes(plistlib.dumps(components(bundle.name)))
    options = ("--root", root, "--component-plist", work / "components.plist", "--install-location", "/Applications")
    call("pkgbuild", *options, "--identifier", "lab.lm-lab", "--version", version, work / "lm-lab.pkg")
    identity = os.environ.get("LM_LAB_INSTALLER_IDENTITY")
    signed = ("--sign", identity) if identity else ()
    call("productbuild", *signed, "--package", work / "lm-lab.pkg", target)


def components(name: str) -> list[dict[str, object]]:
    """Return how pkgbuild is to install a bundle: not where another copy lies, and without a look at its version."""
    return [
        {
            "RootRelativeBundlePath": name,
            "BundleIsRelocatable": False,
            "BundleIsVersionChecked": False,
            "BundleHasStrictIdentifier": True,
            "BundleOverwriteAction": "upgrade",
        }
    ]


def notarize(product: Path) -> None:
    """Let Apple check a product and attach the answer, if LM_LAB_NOTARY names a profile of notarytool."""
    profile = os.environ.get("LM_LAB_NOTARY")
    if profile:
        call("xcrun", "notarytool", "submit", product, "--keychain-profile", profile, "--wait")
        call("xcrun", "stapler", "staple", product)
