"""The steps of the verification: what users and administrators do with what was built, as commands of the shell."""

from typing import NamedTuple

UNPACKED = "/srv/mit Leerzeichen/Übung"
PRELUDE = """
set -eu
screen() {
    rm -f /tmp/.X97-lock /tmp/.X11-unix/X97 # of a step before
    Xvfb :97 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 & export DISPLAY=:97
    for _ in $(seq 300); do if xwininfo -root >/dev/null 2>&1; then return; fi; sleep 0.2; done
    echo "no screen after a minute"; exit 1
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
passed() { echo "$(date +%s.%N) $1" | awk '{ printf "%.2f", $1 - $2 }'; }
# Prints the seconds from the start of the lab to its painted window, and to a curve that moves; the quick start is
# started as soon as it can be. The lab itself says when, as looking for a window costs more time than it shows.
started_after() {
    since=$(date +%s.%N)
    "$lab"-python -P /opt/start.py | {
        read -r _; idle=$(passed $since); read -r found
        after=$(echo "$found" | sed 's/.*"curve_after": //; s/[,}].*//')
        curve=$(echo "$idle $after" | awk '{ printf "%.2f", $1 + $2 }')
        echo "seconds to the window: $idle, to a moving curve: $curve"
    }
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

TORCH = """
import os, torch
from torch.distributed import destroy_process_group, fsdp, init_device_mesh, init_process_group

model, x = torch.nn.Linear(4, 2), torch.randn(3, 4)
for backend in ("eager", "aot_eager"):
    assert torch.allclose(torch.compile(model, backend=backend)(x), model(x)), backend
assert torch.allclose(torch.export.export(model, (x,)).module()(x), model(x))
assert torch.allclose(torch.jit.trace(model, x)(x), model(x))
assert len(list(torch.utils.data.DataLoader(range(10), num_workers=2))) == 10
os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "29511"}
init_process_group("gloo", rank=0, world_size=1)
fsdp.fully_shard(model, mesh=init_device_mesh("cpu", (1,)))
model(x).sum().backward()
destroy_process_group()
"""
"""A use of torch that the lab has none of, and plugins may have."""

UNCOMPILED = """
import os, sys
from lab.base.system.compiler import hold_back_compiler
hold_back_compiler()  # as `lm-lab` does
from lab.cli.main import main

assert main(sys.argv[1:]) == 0
found = [module.__spec__ for module in sys.modules.values() if getattr(module, "__spec__", None)]
missing = [each.name for each in found if each.cached and each.has_location and not os.path.exists(each.cached)]
assert not missing, f"imported and not compiled, see IMPORTED in packaging/release/tree.py: {missing}"
"""
"""A command of the lab that then looks for modules which have to be compiled at each start."""


class Step(NamedTuple):
    """One thing that a user does.

    Attributes:
        name: What it is, for the report.
        user: Who does it.
        script: Commands of the shell; a failing one fails the step.
        shared: A folder of the system that the step sees, and cannot write to.
        is_cold: Whether all files are dropped from memory before it.
        is_small: Whether it has one core and 4 GB of memory.
    """

    name: str
    user: str
    script: str
    shared: str = ""
    is_cold: bool = False
    is_small: bool = False


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
    Step("start the window", "student", "screen; lm-lab & picture package"),
    Step("start it and the quick start, cold", "student", "screen; started_after", is_cold=True),
    Step("start it and the quick start, warm", "student", "screen; for _ in 1 2 3; do started_after; done"),
    Step("train the quick start", "student", "lm-lab train quick-start --steps 40"),
    Step(
        "import only what is compiled while it trains",
        "student",
        "lm-lab-python -P /opt/uncompiled.py train quick-start --steps 5 --out ~/compiled $small",
    ),
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
        "let the policy contradict itself",
        "root",
        "printf 'allowed_plugins = []\\nenabled_plugins = [\"average\"]\\nthreads = 1\\n' >/etc/lm-lab/policy.toml",
    ),
    Step(
        "train with it, and hold to what can be read",
        "student",
        """
        lm-lab train quick-start --steps 2 $small >said 2>&1 || { cat said; exit 1; }
        grep -q "policy.toml.*enabled_plugins\\|enabled_plugins.*policy.toml" said || { cat said; exit 1; }
        refused "policy.toml (threads)" lm-lab train quick-start --steps 2 --set training.threads=2
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
        "use the light profile on one core and 4 GB of memory",
        "student",
        """
        lm-lab doctor >~/said || true
        grep -q "light profile" ~/said || { cat ~/said; exit 1; }
        lm-lab train quick-start --steps 40 --out ~/small
        screen; lm-lab & picture small
        """,
        is_small=True,
    ),
    Step("measure the window there", "student", "screen; lm-lab bench window --json", is_small=True),
    Step("use of torch what a plugin may", "student", "lm-lab-python -P -W ignore /opt/torch_of_plugins.py"),
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


PIP_STEPS = (
    Step("unpack the wheelhouse", "nobody", 'tar -xf /products/*-wheelhouse-*.tar --strip-components 1 -C "$HOME"'),
    Step(
        "install it with pip",
        "nobody",
        """
        (cd ~ && sha256sum --check --quiet SHA256SUMS)
        "$python" -m venv ~/environment
        ~/environment/bin/python -m pip --isolated install --quiet --no-index --find-links ~ "lm-lab[window]"
        """,
    ),
    Step("train with it", "nobody", "~/environment/bin/lm-lab train quick-start --steps 5 $small"),
    Step("let it check the machine", "nobody", "QT_QPA_PLATFORM=offscreen ~/environment/bin/lm-lab doctor"),
)
"""What whoever has a Python does with the wheelhouse on this machine, without a network."""
BARE_STEPS = (
    Step("unpack the archive", "nobody", 'tar --zstd -xf /products/*.tar.zst --strip-components 1 -C "$HOME"'),
    Step("start it and the quick start", "nobody", "screen; started_after"),
    Step("train with it", "nobody", '"$lab" train quick-start --steps 40 $small'),
)
"""What a user does on this machine itself, in a namespace of one user, without a network."""
