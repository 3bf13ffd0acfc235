import json, os, shutil, sys, math, subprocess, time, sqlite3, threading
import numpy as np, pytest, torch
from pathlib import Path
from lab.base import BadInput, LabError
from lab.base.notices import listen
from lab.runs import RunFolder
from lab.training.checkpoints import load_model_tables
RATE = "training.optimizer.learning_rate"
FREE = {"seconds", "tokens per second"}
CONST = ("training.schedule.name=constant", "training.checkpoint_seconds=0")
def told(run, first=0):
    m = run.folder.metrics()
    s = {n: m.read(n, first=first) for n in m.series() if n not in FREE}
    return {n: list(zip(*map(list, b), strict=True)) for n, b in s.items() if len(b[0])}
def weights(run, step=None):
    return load_model_tables(run.folder.checkpoint_folder(step or run.folder.checkpoint_steps()[-1]))
def die(folder, step):
    for later in folder.checkpoint_steps():
        if later > step: shutil.rmtree(folder.checkpoint_folder(later))
    st = json.loads((folder.path/"status.json").read_text())
    st.update(state="running", writer={"pid": 2**22+7, "started": 1.0})
    (folder.path/"status.json").write_text(json.dumps(st))
def note(*a):
    with open("/tmp/eyes/three.txt", "a") as f: print(*a, file=f)
@pytest.fixture
def notes():
    got = []; stop = listen(got.append); yield got; stop()

KINDS = {
 "ngram": ("architecture.name=n-gram",),
 "carried": ("objective.name=carried", "architecture.name=gru", "training.accumulation=2"),
 "masked": ("objective.name=masked",),
 "epochs": ("training.order=epochs",),
 "average": ("training.average=7",),
 "accumulation": ("training.accumulation=64",),
}
@pytest.mark.parametrize("kind", KINDS)
def test_kinds(bench, recipe, kind, until, notes):
    base = list(KINDS[kind])
    try:
        r = recipe(12, *CONST, "training.checkpoint_every=1", "training.keep_last=99", *base)
    except BadInput:
        from lab.recipes import Recipe
        raise
    run = bench.start(r)
    try: run.wait_out()
    except LabError as e: note(kind, "START", e); return
    want = told(run), weights(run); last = run.step
    for at in sorted({0, 1, last//2, last-1, last}):
        copy = run.path.with_name(f"copy-{kind}-{at}"); shutil.copytree(run.path, copy)
        f = RunFolder.open(copy); die(f, at)
        x = bench.resume(copy)
        try: x.wait_out()
        except LabError as e: note(kind, at, e); continue
        v = bench.verify(copy)
        note(kind, at, last, x.state, told(x) == want[0], all(torch.equal(weights(x)[n], want[1][n]) for n in want[1]), v)

def test_carried_branch(bench, recipe, until):
    run = bench.start(recipe(30, *CONST, "objective.name=carried", "architecture.name=gru", "training.accumulation=2"))
    run.control.pause(); until(lambda: run.state == "paused")
    run.control.single_step(5); until(lambda: run.step == 5 and run.state == "paused")
    run.control.set("training.accumulation", 4)
    run.control.single_step(5); until(lambda: run.step == 10 and run.state == "paused")
    run.control.checkpoint(); run.control.resume(); run.wait_out()
    for acc in (2, 4):
        b = bench.branch(run.folder.name, 10, [f"training.accumulation={acc}"])
        try: b.wait_out(); note("carried branch", acc, b.state)
        except LabError as e: note("carried branch", acc, e)
    b = bench.branch(run.folder.name, 10); b.wait_out()
    note("carried branch same", told(b)["train loss"] == told(run, 11)["train loss"])

def test_disk(bench, recipe, notes, until):
    m = Path("/tmp/eyes/small"); m.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(m)], check=True)
    try:
        run = bench.start(recipe(10**6, *CONST, "training.checkpoint_every=50", "training.keep_last=2"), out=m/"run")
        until(lambda: len(run.folder.checkpoints()) >= 2 if run.folder else False)
        (m/"fill").write_bytes(b"")
        with open(m/"fill", "wb") as f:
            try:
                while True: f.write(b"x"*4096); f.flush()
            except OSError: pass
        s = run.step; until(lambda: run.step > s + 300)
        time.sleep(1)
        note("full", run.state, run.step, [(n.level, n.problem.line()) for n in notes], [c.step for c in run.folder.checkpoints()])
        del notes[:]
        (m/"fill").unlink(); s = run.step
        until(lambda: run.folder.checkpoints()[-1].step > s)
        run.control.stop(); run.wait(30)
        st, v = run.folder.metrics().read("train loss")
        note("after", run.state, run.problem, len(st) == run.step, [n.problem.line() for n in notes], [(c.step, c.reason) for c in run.folder.checkpoints()], sorted(p.name for p in (m/"run").rglob(".*")))
        del notes[:]
        subprocess.run(["mount", "-o", "remount,ro", str(m)], check=True)
        for what in (lambda: bench.resume(m/"run").wait_out(), lambda: bench.verify(m/"run"), lambda: bench.branch(m/"run", run.folder.checkpoint_steps()[-1], ["training.steps=1000001"])):
            try: note("ro", what())
            except LabError as e: note("ro", type(e).__name__, e)
        note([n.problem.line() for n in notes])
    finally:
        bench.close(); subprocess.run(["umount", "-l", str(m)], check=False)

def test_deleted(bench, recipe, notes, until):
    run = bench.start(recipe(10**6, *CONST, "training.checkpoint_every=50"))
    until(lambda: run.step > 60); shutil.rmtree(run.path, ignore_errors=True)
    time.sleep(1); shutil.rmtree(run.path, ignore_errors=True)
    s = run.step; time.sleep(1.5); note("deleted goes on", run.step > s)
    run.control.stop(); note("ended", run.wait(30), run.state, run.problem and run.problem.line(), [n.problem.line() for n in notes], run.path.exists())

CODE = """
import sys
from pathlib import Path
from lab.workbench import Workbench
try:
    Workbench().resume(Path(sys.argv[1])).wait_out(); print("done")
except Exception as e: print("REFUSED", e)
"""
def test_two(bench, recipe, notes, tmp_path):
    run = bench.start(recipe(600, *CONST, "training.checkpoint_every=50", "training.keep_last=99")); run.wait_out()
    die(run.folder, 50)
    ps = [subprocess.Popen([sys.executable, "-c", CODE, str(run.path)], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    note("two", [p.pid for p in ps], [p.communicate()[0] for p in ps], run.folder.status().state, sorted(p.name for p in run.path.iterdir()))
def test_ordering(bench, recipe, notes):
    pass
