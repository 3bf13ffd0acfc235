"""What was built, used as its users do, in a clean Debian that has no network."""

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from release import LINUX, ROOT, CannotBuildError, call, report
from release.inputs import WHEELHOUSE_PYTHONS
from release.steps import (
    ARCHIVE_STEPS,
    BARE_STEPS,
    PACKAGE_STEPS,
    PIP_STEPS,
    POLICY,
    PRELUDE,
    PREVIOUS_STEPS,
    TORCH,
    UNCOMPILED,
    UNPACKED,
    Step,
)

FOLDER = ROOT / "build" / "verify"
SUITE = "bookworm"
TOOLS = (
    "xvfb", "x11-utils", "x11-apps", "desktop-file-utils", "shared-mime-info", "libglib2.0-bin", "zstd", "faketime",
)  # fmt: skip
"""What the steps need beside what the package depends on: a screen, a desktop's commands, zstd to unpack, a clock."""
USERS = ("student", "pupil")
PATH = "/usr/bin:/bin"
PATIENCE = 1200.0
"""Seconds after which a step is given up."""
GROUPS = Path("/sys/fs/cgroup")
SMALL = "lm-lab-small"
"""The name of the control group that stands for a small machine."""
SMALL_MEMORY = 4 * 2**30
PLUGIN = re.compile(r"^# plugins/average\.py$(.*?)^```$", re.MULTILINE | re.DOTALL)
"""The plugin of the documentation."""
START = re.compile(r'^CHILD = """$(.*?)^"""$', re.MULTILINE | re.DOTALL)
START_FILE = "lab/bench/window/start.py"
"""The program of `lm-lab bench start` that opens the window, starts the quick start and tells when a curve is there."""


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
    package: tuple[Step, ...] = PACKAGE_STEPS if previous is None else (*PREVIOUS_STEPS, *PACKAGE_STEPS)
    for kind, lab, steps in (("package", "lm-lab", package), ("archive", f"{UNPACKED}/lm-lab", ARCHIVE_STEPS)):
        with tempfile.TemporaryDirectory(dir=FOLDER) as made:
            changes = Path(made)
            for name in ("upper", "work", "root"):
                (changes / name).mkdir()
            for step in steps:
                timed(kind, step, in_system(step, lab, system, changes, shown))
    bare: list[tuple[str, str, tuple[Step, ...]]] = [("namespace", "", BARE_STEPS)]
    bare += [(f"wheelhouse, Python {each}", path, PIP_STEPS) for each, path in pythons_of(products).items()]
    for kind, python, of_user in bare:
        with tempfile.TemporaryDirectory(dir=FOLDER) as made:
            home = Path(made)
            home.chmod(0o777)
            for step in of_user:
                timed(kind, step, in_namespace(step, home, shown | {"opt": system / "opt"}, python))


def pythons_of(products: Path) -> dict[str, str]:
    """Return the Pythons of this machine for which the wheelhouse has a torch, with their paths, by version."""
    (house,) = products.glob("*-wheelhouse-*.tar")
    names = call("tar", "--list", "--file", house)
    found = {}
    for version in WHEELHOUSE_PYTHONS:
        has_torch = f"-cp{version.replace('.', '')}-" in "".join(re.findall(r"/torch-.*", names))
        if not has_torch:
            report(f"The wheelhouse has no torch for Python {version}, so it is not tried there")
            continue
        path = shutil.which(f"python{version}", path=f"{PATH}:/usr/local/bin")
        if path is None:
            report(f"There is no Python {version} on this machine to try the wheelhouse with")
            continue
        found[version] = path
    return found


def timed(kind: str, step: Step, command: Sequence[str | Path]) -> None:
    """Take a step, and report its seconds and the last line that it printed.

    Raises:
        CannotBuildError: It failed; with what it said.
    """
    if step.is_cold:
        subprocess.run(["sync"], check=True)
        Path("/proc/sys/vm/drop_caches").write_text("3")
    since = time.monotonic()
    try:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace", check=False,
            timeout=PATIENCE,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"")[-2000:].decode(errors="replace")
        raise CannotBuildError(f"The step did not end: {step.name}\n{printed}") from None
    lines = (ended.stdout + ended.stderr).strip().splitlines()
    if ended.returncode != 0:
        printed = "\n".join(lines[-25:])
        raise CannotBuildError(f"The step failed: {step.name}\n{printed}")
    report(f"{time.monotonic() - since:6.1f} s  {kind}: {step.name}")
    for line in lines:
        if line.startswith(("seconds to the window", '{"throughput_ratio"')):
            report(f"          {line}")


def make_system() -> Path:
    """Return the folder of a small Debian with what the package depends on, and the users; made once."""
    system = FOLDER / "system"
    if not (system / "products").is_dir():
        shutil.rmtree(system, ignore_errors=True)
        depends = re.search(r"^Depends: (.*)$", (LINUX / "control").read_text(encoding="utf-8"), re.MULTILINE)
        assert depends is not None
        needed = [re.match(r"[\w.+-]+", each.strip()) for each in depends[1].split(",")]
        names = [each[0] for each in needed if each]
        system.parent.mkdir(parents=True, exist_ok=True)
        call("debootstrap", "--variant=minbase", f"--include={','.join((*names, *TOOLS))}", SUITE, system)
        for user in USERS:
            call("chroot", system, "useradd", "--create-home", "--shell", "/bin/sh", user)
        (system / "pictures").mkdir()
        (system / "products").mkdir()
    programs = {"average": (PLUGIN, "resources/docs/plugins/first-plugin.md"), "start": (START, START_FILE)}
    for name, (pattern, file) in programs.items():
        found = pattern.search((ROOT / file).read_text(encoding="utf-8"))
        assert found is not None
        (system / f"opt/{name}.py").write_text(found[1], encoding="utf-8")
    (system / "opt/uncompiled.py").write_text(UNCOMPILED, encoding="utf-8")
    (system / "opt/torch_of_plugins.py").write_text(TORCH, encoding="utf-8")
    (system / "opt/policy.toml").write_text(POLICY, encoding="utf-8")
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
        ip link set lo up # a machine without a network has that still
        {enter_small_machine() if step.is_small else ""}
        mount -t overlay overlay -o 'lowerdir={system},upperdir={changes}/upper,workdir={changes}/work' '{root}'
        mount -t proc proc '{root}/proc'
        mount --rbind /dev '{root}/dev'
        {mounts}
        exec chroot '{root}' su - {step.user} -s /bin/sh -c 'LANG=C.UTF-8 exec sh /step.sh'
    """
    return ("unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", outside)


def enter_small_machine() -> str:
    """Return the commands by which a shell enters a control group with one core and the memory of a small machine."""
    if (GROUPS / "cgroup.controllers").exists():
        limits = {"": {"memory.max": str(SMALL_MEMORY), "cpuset.cpus": "0"}}
    else:
        limits = {
            "memory": {"memory.limit_in_bytes": str(SMALL_MEMORY)}, "cpuset": {"cpuset.cpus": "0", "cpuset.mems": "0"},
        }  # fmt: skip
    lines = []
    for kind, values in limits.items():
        group = GROUPS / kind / SMALL
        lines += [f"mkdir -p {group}", *(f"echo {value} >{group}/{name}" for name, value in values.items())]
        lines += [f"echo $$ >{group}/cgroup.procs"]
    return "\n".join(lines)


def in_namespace(step: Step, home: Path, shown: Mapping[str, Path], python: str) -> Sequence[str | Path]:
    """Return the command that takes a step on this machine, as a user without rights and without a network."""
    script = f"python={python}\n{script_of(step, '$HOME/lm-lab')}"
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
