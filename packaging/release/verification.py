"""What was built, used as its users do, in a clean Debian that has no network."""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
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
PATH = "/usr/bin:/bin"
UNPACKED = "/srv/mit Leerzeichen/Übung"
PRELUDE = """
set -eu
screen() {
    rm -f /tmp/.X97-lock /tmp/.X11-unix/X97 # of a step before
    Xvfb :97 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 & export DISPLAY=:97; sleep 2
}
shown() { xwininfo -root -tree | grep -qE '"lm-lab"[^)]*\\)  [0-9]{3,}x[0-9]{3,}'; }
picture() {
    for _ in $(seq 900); do if shown; then break; fi; sleep 0.1; done
    shown || { echo "no window after 90 seconds"; exit 1; }
    sleep 8; xwd -root -silent -out /pictures/$1.xwd
}
small="--set architecture.layers=1 --set architecture.width=32 --set training.context_length=32"
runs() { "$lab" runs list --json | tail -n 1; }
refused() { # what it must say, and a command that must fail
    expected=$1; shift
    if said=$("$@" 2>&1); then echo "it did not fail: $said"; exit 1; fi
    echo "$said" | grep -q -- "$expected" || { echo "it did not say '$expected': $said"; exit 1; }
}
shown_after() { # prints the seconds from the start of the lab to its window
    since=$(date +%s.%N); "$lab" & for _ in $(seq 3000); do if shown; then break; fi; sleep 0.02; done
    shown || { echo "no window after a minute"; exit 1; }
    echo "seconds to the window: $(echo "$(date +%s.%N) $since" | awk '{ printf "%.2f", $1 - $2 }')"
}
"""
"""Shell functions of the steps: `picture` waits for the window and takes a picture of it."""
POLICY = """
threads = 1
network = false
hidden_places = ["inspect"]
language = "de"
theme = "light"
"""
PLUGIN = re.compile(r"^# plugins/average\.py$(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """One thing that a user does.

    Attributes:
        name: What it is, for the report.
        user: Who does it.
        script: Commands of the shell; a failing one fails the step.
        shared: A folder of the system that the step sees, and cannot write to.
        is_cold: Whether all files are dropped from memory before it.
    """

    name: str
    user: str
    script: str
    shared: str = ""
    is_cold: bool = False


PREVIOUS_STEPS = (
    Step("install the previous version", "root", "dpkg --install /previous/lm-lab_*_amd64.deb"),
    Step("train with the previous version", "student", "lm-lab train quick-start --steps 10 --out ~/before $small"),
)
PACKAGE_STEPS = (
    Step(
        "install the package on a disk that is too small",
        "root",
        """
        mkdir -p /usr/lib/lm-lab; mount -t tmpfs -o size=200m tmpfs /usr/lib/lm-lab
        refused "No space left" dpkg --install /products/lm-lab_*_amd64.deb
        test -z "$(ls /usr/lib/lm-lab)" || { ls /usr/lib/lm-lab; exit 1; }
        """,
    ),
    Step("install the package", "root", "dpkg --install /products/lm-lab_*_amd64.deb"),
    Step("start the window, cold", "student", "screen; shown_after", is_cold=True),
    Step("start the window, warm", "student", "screen; shown_after; picture package"),
    Step("measure its start", "student", "screen; lm-lab bench start --json"),
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
    Step("write a policy", "root", "mkdir -p /etc/lm-lab; cp /opt/policy.toml /etc/lm-lab/policy.toml"),
    Step(
        "be refused by the policy, and see it in the window",
        "student",
        """
        refused "policy.toml (threads)" lm-lab train quick-start --steps 2 --set training.threads=2
        refused "policy.toml (network)" lm-lab download alice
        screen; lm-lab & picture policy
        """,
    ),
    Step("break the policy", "root", "echo 'threads = \"many\" [' >/etc/lm-lab/policy.toml"),
    Step(
        "train with a broken policy",
        "student",
        """
        lm-lab train quick-start --steps 2 $small >said 2>&1 || { cat said; exit 1; }
        grep -q policy.toml said
        """,
    ),
    Step(
        "take the rights of folders away",
        "root",
        """
        rm /etc/lm-lab/policy.toml; mkdir -p -m 700 /usr/local/share/lm-lab/corpora
        chown -R root /home/student/.local/share/lm-lab
        """,
    ),
    Step(
        "be told what cannot be read and written",
        "student",
        """
        refused "ermission" lm-lab train quick-start --steps 2 $small
        lm-lab train quick-start --steps 2 --out ~/elsewhere $small
        """,
    ),
    Step("give them back", "root", "chown -R student /home/student/.local/share/lm-lab; rm -r /usr/local/share/lm-lab"),
    Step(
        "train at a clock of 1970",
        "student",
        """
        export DONT_FAKE_MONOTONIC=1
        faketime '1970-01-02 00:00:00' lm-lab train quick-start --steps 2 --out ~/old $small
        lm-lab runs show ~/old
        """,
    ),
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
    Step(
        "install from half of an archive, and on a disk that is too small",
        "root",
        f"""
        mkdir -p /half /small; mount -t tmpfs -o size=300m tmpfs /small
        file=$(ls /products/lm-lab-*-linux-x86_64.tar.zst)
        head -c $(($(stat -c %s $file) / 2)) $file | tar --zstd -x --strip-components 1 -C /half 2>/tmp/said || true
        refused "missing or damaged\\|not complete" /half/install.sh --prefix /usr/local
        refused "." "{UNPACKED}/install.sh" --prefix /small
        test ! -e /usr/local/lib/lm-lab; test -z "$(find /small -type f)"
        rm -r /half
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


BARE_STEPS = (
    Step("unpack the archive", "nobody", 'tar --zstd -xf /products/*.tar.zst --strip-components 1 -C "$HOME"'),
    Step("start its window", "nobody", "screen; shown_after"),
    Step("train with it", "nobody", '"$lab" train quick-start --steps 40 $small'),
)
"""What a user does on this machine itself, in a namespace of one user, without a network."""


def verify(products: Path, previous: Path | None = None) -> None:
    """Use the products in a clean Debian, and in a namespace of this machine, step by step.

    Args:
        products: The folder with what was built.
        previous: A folder with the package of an older version, which is installed first and upgraded.

    Raises:
        CannotBuildError: A step failed; with what it said.
    """
    call("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=products)
    system = make_system()
    pictures = FOLDER / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir(mode=0o777)
    pictures.chmod(0o777)
    shown = {"products": products, "pictures": pictures} | ({} if previous is None else {"previous": previous})
    package = PACKAGE_STEPS if previous is None else (*PREVIOUS_STEPS, *PACKAGE_STEPS)
    for kind, lab, steps in (("package", "lm-lab", package), ("archive", f"{UNPACKED}/lm-lab", ARCHIVE_STEPS)):
        with tempfile.TemporaryDirectory(dir=FOLDER) as made:
            changes = Path(made)
            for name in ("upper", "work", "root"):
                (changes / name).mkdir()
            for step in steps:
                timed(kind, step, in_system(step, lab, system, changes, shown))
    with tempfile.TemporaryDirectory(dir=FOLDER) as made:
        home = Path(made)
        home.chmod(0o777)
        for step in BARE_STEPS:
            timed("namespace", step, in_namespace(step, home, shown))


def timed(kind: str, step: Step, command: Sequence[str | Path]) -> None:
    """Take a step, and report its seconds and the last line that it printed.

    Raises:
        CannotBuildError: It failed; with what it said.
    """
    if step.is_cold:
        subprocess.run(["sync"], check=True)
        Path("/proc/sys/vm/drop_caches").write_text("3")
    since = time.monotonic()
    ended = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    lines = (ended.stdout + ended.stderr).strip().splitlines()
    if ended.returncode != 0:
        printed = "\n".join(lines[-25:])
        raise CannotBuildError(f"The step failed: {step.name}\n{printed}")
    report(f"{time.monotonic() - since:6.1f} s  {kind}: {step.name}")
    for line in lines:
        if line.startswith(("seconds to the window", '{"seconds"')):
            report(f"          {line}")


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
        (system / "opt/policy.toml").write_text(POLICY, encoding="utf-8")
        (system / "products").mkdir()
    return system


def in_system(step: Step, lab: str, system: Path, changes: Path, shown: Mapping[str, Path]) -> Sequence[str]:
    """Return the command that takes a step in the system, on what earlier steps changed, with no network.

    Args:
        step: The step.
        lab: The command that starts the lab.
        system: The clean system, which stays as it is.
        changes: A folder with `upper`, which gets the changes, `work`, and `root`, where the whole is seen.
        shown: Folders of this machine that the step sees, by their name below the root.
    """
    root = changes / "root"
    (changes / "upper" / "step.sh").write_text(script_of(step, lab), encoding="utf-8")
    mounts = "\n".join(f"mkdir -p '{root}/{name}'; mount --bind '{of}' '{root}/{name}'" for name, of in shown.items())
    if step.shared:
        mounts += f'\nmount --bind "{root}{step.shared}" "{root}{step.shared}"'
        mounts += f'\nmount -o remount,bind,ro "{root}{step.shared}"'
    outside = f"""
        set -e
        mount -t overlay overlay -o 'lowerdir={system},upperdir={changes}/upper,workdir={changes}/work' '{root}'
        mount -t proc proc '{root}/proc'
        mount --rbind /dev '{root}/dev'
        {mounts}
        exec chroot '{root}' su - {step.user} -s /bin/sh -c 'LANG=C.UTF-8 exec sh /step.sh'
    """
    return ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", outside)


def in_namespace(step: Step, home: Path, shown: Mapping[str, Path]) -> Sequence[str | Path]:
    """Return the command that takes a step on this machine, as a user without rights and without a network."""
    script = script_of(step, "$HOME/lm-lab")
    for name, folder in shown.items():
        script = script.replace(f"/{name}/", f"{folder}/")
    (home / "step.sh").write_text(script, encoding="utf-8")
    user = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--inh-caps=-all")
    own = ("--user", "--map-current-user", "--mount", "--mount-proc", "--net", "--pid")
    alone = ("unshare", *own, "--fork", "--kill-child")
    return ("env", "-i", f"HOME={home}", f"PATH={PATH}", "LANG=C.UTF-8", *user, *alone, "sh", home / "step.sh")


def script_of(step: Step, lab: str) -> str:
    """Return the commands of a step, with the functions it may use."""
    return f'{PRELUDE}\nlab="{lab}"\ncd ~\n{step.script}'
