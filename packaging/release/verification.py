"""What was built, used as its users do, in a clean Debian that has no network."""

import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from release import LINUX, ROOT, CannotBuildError, call, report

FOLDER = ROOT / "build" / "verify"
SUITE = "bookworm"
TOOLS = (
    "xvfb", "x11-utils", "x11-apps", "desktop-file-utils", "shared-mime-info", "libglib2.0-bin", "zstd", "faketime",
)  # fmt: skip
"""What the steps need beside what the package depends on: a screen, a desktop's commands, zstd to unpack, a clock."""
USERS = ("student", "pupil")
UNPACKED = "/srv/mit Leerzeichen/Übung"
PRELUDE = """
set -eu
screen() { Xvfb :9 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 & export DISPLAY=:9; sleep 2; }
shown() { xwininfo -root -tree | grep -qE '"lm-lab"[^)]*\\)  [0-9]{3,}x[0-9]{3,}'; }
picture() {
    for _ in $(seq 900); do if shown; then break; fi; sleep 0.1; done
    shown || { echo "no window after 90 seconds"; exit 1; }
    sleep 8; xwd -root -silent -out /pictures/$1.xwd
}
small="--set architecture.layers=1 --set architecture.width=32 --set training.context_length=32"
runs() { "$lab" runs list --json | tail -n 1; }
refused() { # what a command must say, the command: it fails and says that
    if said=$("${@:2}" 2>&1); then echo "it did not fail: $said"; exit 1; fi
    echo "$said" | grep -q "$1" || { echo "it did not say $1: $said"; exit 1; }
}
"""
"""Shell functions of the steps: `picture` waits for the window and takes a picture of it."""
PLUGIN = re.compile(r"^# plugins/average\.py$(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """One thing that a user does.

    Attributes:
        name: What it is, for the report.
        user: Who does it.
        script: Commands of the shell; a failing one fails the step.
        shared: A folder of the system that the step sees, and cannot write to.
    """

    name: str
    user: str
    script: str
    shared: str = ""


PACKAGE_STEPS = (
    Step("install the package", "root", "dpkg --install /products/lm-lab_*_amd64.deb"),
    Step("start the window", "student", "screen; lm-lab & picture package"),
    Step("train the quick start", "student", "lm-lab train quick-start --steps 40"),
    Step(
        "add a plugin of one file and train it",
        "student",
        """
        mkdir -p ~/.local/share/lm-lab/plugins; cp /opt/average.py ~/.local/share/lm-lab/plugins
        lm-lab plugins enable average
        lm-lab train --architecture average --steps 20 --set training.context_length=32
        """,
    ),
    Step(
        "open a bundle by its type",
        "student",
        """
        lm-lab runs export last ~/run.lmlab; mv ~/.local/share/lm-lab/runs ~/before
        gio info -a standard::content-type ~/run.lmlab | grep -q application/x-lm-lab-bundle
        screen; gio open ~/run.lmlab & picture bundle
        ls ~/.local/share/lm-lab/runs | grep -q . || { echo "the run of the bundle is not there"; exit 1; }
        """,
    ),
    Step("install it again over itself", "root", "dpkg --install /products/lm-lab_*_amd64.deb"),
    Step("find the runs as before", "student", "runs | grep -q average"),
    Step(
        "remove the package and keep the runs",
        "root",
        "dpkg --purge lm-lab; test ! -e /usr/lib/lm-lab; ls /home/student/.local/share/lm-lab/runs | grep -q .",
    ),
)  # fmt: skip
ARCHIVE_STEPS = (
    Step(
        "unpack the archive at a path with blanks and umlauts",
        "root",
        f"""
        mkdir -p "{UNPACKED}"; chown student "{UNPACKED}"
        su student -c 'tar --zstd -xf /products/lm-lab-*-linux-x86_64.tar.zst --strip-components 1 -C "{UNPACKED}"'
        """,
    ),
    Step("start its window", "student", 'screen; "$lab" & picture archive'),
    Step("train with it", "student", 'cd /tmp; "$lab" train quick-start --steps 40 $small'),
    Step(
        "install it for one user",
        "student",
        f"""
        "{UNPACKED}/install.sh"; ~/.local/bin/lm-lab plugins | grep -q lab_transformer
        gio mime application/x-lm-lab-bundle | grep -q lm-lab.desktop
        """,
    ),
    Step(
        "remove it and keep the runs",
        "student",
        """
        ~/.local/lib/lm-lab/uninstall.sh; test ! -e ~/.local/lib/lm-lab; test ! -e ~/.local/bin/lm-lab
        ls ~/.local/share/lm-lab/runs | grep -q .
        """,
    ),
    Step(
        "train two at once from a folder that nobody can write to",
        "root",
        """
        for who in student pupil; do
            su - $who -c "cd /tmp; '$lab' train quick-start --steps 20 $small" >/tmp/$who.log 2>&1 & eval "$who=$!"
        done
        wait $student || { cat /tmp/student.log; exit 1; }
        wait $pupil || { cat /tmp/pupil.log; exit 1; }
        """,
        shared=UNPACKED,
    ),
)  # fmt: skip


def verify(products: Path) -> None:
    """Use the products in a clean Debian, step by step.

    Args:
        products: The folder with what was built.

    Raises:
        CannotBuildError: A step failed; with what it said.
    """
    call("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=products)
    system = make_system()
    pictures = FOLDER / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(mode=0o777)
    pictures.chmod(0o777)
    for kind, steps in (("package", PACKAGE_STEPS), ("archive", ARCHIVE_STEPS)):
        with tempfile.TemporaryDirectory(dir=FOLDER) as made:
            changes = Path(made)
            for name in ("upper", "work", "root"):
                (changes / name).mkdir()
            lab = "lm-lab" if kind == "package" else f"{UNPACKED}/lm-lab"
            for step in steps:
                since = time.monotonic()
                take(step, lab, system, changes, products, pictures)
                report(f"{time.monotonic() - since:6.1f} s  {kind}: {step.name}")


def make_system() -> Path:
    """Return the folder of a small Debian with what the package depends on, and the users; made once."""
    system = FOLDER / "system"
    if not (system / "products").is_dir():
        shutil.rmtree(system, ignore_errors=True)
        depends = re.search(r"^Depends: (.*)$", (LINUX / "control").read_text(encoding="utf-8"), re.MULTILINE)
        assert depends is not None
        needed = [re.match(r"[\w.+-]+", each.strip()) for each in depends[1].split(",")]
        names = [found[0] for found in needed if found]
        system.parent.mkdir(parents=True, exist_ok=True)
        call("debootstrap", "--variant=minbase", f"--include={','.join((*names, *TOOLS))}", SUITE, system)
        for user in USERS:
            call("chroot", system, "useradd", "--create-home", "--shell", "/bin/sh", user)
        plugin = PLUGIN.search((ROOT / "resources/docs/plugins/first-plugin.md").read_text(encoding="utf-8"))
        assert plugin is not None
        (system / "pictures").mkdir()
        (system / "opt/average.py").write_text(plugin[1], encoding="utf-8")
        (system / "products").mkdir()
    return system


def take(step: Step, lab: str, system: Path, changes: Path, products: Path, pictures: Path) -> None:
    """Take a step in the system, on top of what the steps before it changed, with no network and no other processes.

    Args:
        step: The step.
        lab: The command that starts the lab.
        system: The clean system, which stays as it is.
        changes: A folder with `upper`, which gets the changes, `work`, and `root`, where the whole is seen.
        products: The folder with what was built.
        pictures: The folder that gets pictures.

    Raises:
        CannotBuildError: It failed.
    """
    root = changes / "root"
    inside = f"{PRELUDE}\nlab='{lab}'\n{step.script}"
    (changes / "upper" / "step.sh").write_text(inside, encoding="utf-8")
    read_only = f'mount --bind "{root}{step.shared}" "{root}{step.shared}"\n'
    read_only += f'mount -o remount,bind,ro "{root}{step.shared}"\n'
    outside = f"""
        set -e
        mount -t overlay overlay -o 'lowerdir={system},upperdir={changes}/upper,workdir={changes}/work' '{root}'
        mount -t proc proc '{root}/proc'
        mount --rbind /dev '{root}/dev'
        mount --bind '{products}' '{root}/products'
        mount --bind '{pictures}' '{root}/pictures'
        {read_only if step.shared else ""}
        exec chroot '{root}' su - {step.user} -s /bin/sh -c 'LANG=C.UTF-8 exec sh /step.sh'
    """
    alone = ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", outside)
    ended = subprocess.run(alone, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace")
    if ended.returncode != 0:
        printed = "\n".join((ended.stdout + ended.stderr).strip().splitlines()[-25:])
        raise CannotBuildError(f"The step failed: {step.name}\n{printed}")
