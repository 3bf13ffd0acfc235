"""The page that the window writes about a run is in the language of the window."""

from types import SimpleNamespace

from lab.runs import RunFolder
from lab.shell.session.runs.transfers import _export

RECIPE = 'format = 1\n\n[architecture]\nname = "transformer"\n\n[training]\nsteps = 1200\n'


def test_a_page_is_exported_in_the_language_of_the_window(german, tmp_path):
    run = RunFolder.create(tmp_path / "a run", RECIPE, {"floors": {"uniform": 4.5}})
    run.append_sample({"step": 600, "text": "It was"})
    run.update(state="finished", step=1200, summary={"validation_loss": 1.5, "protocol": "windows"})
    workbench, job = SimpleNamespace(plugins=None), SimpleNamespace(cancelled=False)
    text = _export(workbench, run, tmp_path / "a.html", job).read_text("utf-8")
    assert '<html lang="de">' in text
    assert "<h2>Textproben</h2>" in text
    assert "Validierungsverlust, Nats pro Token (Fenster) · 3,000 unter gleichverteilt" in text
    assert ">1,5000<" in text
    assert "fertig bei Schritt 1.200" in text
