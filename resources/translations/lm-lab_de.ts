<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
    <context>
        <name>lab</name>
        <message>
            <source> or </source>
            <translation> oder </translation>
        </message>
        <message>
            <source> · {time} left</source>
            <translation> · noch {time}</translation>
        </message>
        <message>
            <source>Add or remove the star</source>
            <translation>Stern setzen oder entfernen</translation>
        </message>
        <message>
            <source>All settings</source>
            <translation>Alle Einstellungen</translation>
        </message>
        <message>
            <source>All shortcuts</source>
            <translation>Alle Tastenkürzel</translation>
        </message>
        <message>
            <source>Branch from a checkpoint…</source>
            <translation>Von einem Checkpoint abzweigen …</translation>
        </message>
        <message>
            <source>Browse corpora…</source>
            <translation>Korpora durchsehen…</translation>
        </message>
        <message>
            <source>Choosing a prompt</source>
            <translation>Der Anfang wird gewählt</translation>
        </message>
        <message>
            <source>Clear the queue</source>
            <translation>Warteschlange leeren</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>Schließen</translation>
        </message>
        <message>
            <source>Commands</source>
            <translation>Befehle</translation>
        </message>
        <message>
            <source>Commands found</source>
            <translation>Gefundene Befehle</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>Daten</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <source>Edit</source>
            <translation>Bearbeiten</translation>
        </message>
        <message>
            <source>Export as bundle, table, page or script…</source>
            <translation>Als Bündel, Tabelle, Seite oder Skript exportieren …</translation>
        </message>
        <message>
            <source>Export chart or map…</source>
            <translation>Diagramm oder Karte exportieren …</translation>
        </message>
        <message>
            <source>Export model for Hugging Face transformers…</source>
            <translation>Modell für Hugging Face transformers exportieren…</translation>
        </message>
        <message>
            <source>File</source>
            <translation>Datei</translation>
        </message>
        <message>
            <source>Find a command, a run or a setting</source>
            <translation>Befehl, Lauf oder Einstellung suchen</translation>
        </message>
        <message>
            <source>Find a command, run or setting (Ctrl+K)</source>
            <translation>Einen Befehl, einen Lauf oder eine Einstellung suchen (Strg+K)</translation>
        </message>
        <message>
            <source>Find a command, run or setting…</source>
            <translation>Befehl, Lauf oder Einstellung suchen …</translation>
        </message>
        <message>
            <source>Find a run</source>
            <translation>Lauf suchen</translation>
        </message>
        <message>
            <source>Find anything   Ctrl+K</source>
            <translation>Alles suchen   Strg+K</translation>
        </message>
        <message>
            <source>First steps</source>
            <translation>Erste Schritte</translation>
        </message>
        <message>
            <source>Generate</source>
            <translation>Erzeugen</translation>
        </message>
        <message>
            <source>Generate (Ctrl+Enter)</source>
            <translation>Erzeugen (Strg+Eingabe)</translation>
        </message>
        <message>
            <source>Generate text</source>
            <translation>Text erzeugen</translation>
        </message>
        <message>
            <source>Generated text appears here, coloured by surprisal.</source>
            <translation>Hier erscheint der erzeugte Text, gefärbt nach Überraschung.</translation>
        </message>
        <message>
            <source>Generating</source>
            <translation>Erzeugen</translation>
        </message>
        <message>
            <source>Help</source>
            <translation>Hilfe</translation>
        </message>
        <message>
            <source>Help contents and search</source>
            <translation>Inhalt und Suche der Hilfe</translation>
        </message>
        <message>
            <source>Home</source>
            <translation>Startseite</translation>
        </message>
        <message>
            <source>Inspect</source>
            <translation>Untersuchen</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
        <message>
            <source>LM Lab</source>
            <translation>LM Lab</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>Sprache</translation>
        </message>
        <message>
            <source>Language of the system</source>
            <translation>Sprache des Systems</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>Protokoll</translation>
        </message>
        <message>
            <source>Main</source>
            <translation>Hauptleiste</translation>
        </message>
        <message>
            <source>Menu</source>
            <translation>Menü</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>Modell</translation>
        </message>
        <message>
            <source>Model drawing</source>
            <translation>Zeichnung des Modells</translation>
        </message>
        <message>
            <source>Move earlier in the queue</source>
            <translation>In der Warteschlange nach vorn</translation>
        </message>
        <message>
            <source>Move later in the queue</source>
            <translation>In der Warteschlange nach hinten</translation>
        </message>
        <message>
            <source>Next token</source>
            <translation>Nächstes Token</translation>
        </message>
        <message>
            <source>Note…</source>
            <translation>Notiz …</translation>
        </message>
        <message>
            <source>Nothing matches.</source>
            <translation>Nichts passt dazu.</translation>
        </message>
        <message>
            <source>Open a folder as corpus…</source>
            <translation>Ordner als Korpus öffnen …</translation>
        </message>
        <message>
            <source>Open a pretrained model…</source>
            <translation>Vortrainiertes Modell öffnen …</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>Ordner öffnen</translation>
        </message>
        <message>
            <source>Open link…</source>
            <translation>Link öffnen …</translation>
        </message>
        <message>
            <source>Open text, recipe or bundle…</source>
            <translation>Text, Rezept oder Bündel öffnen …</translation>
        </message>
        <message>
            <source>Pause</source>
            <translation>Anhalten</translation>
        </message>
        <message>
            <source>Pause after this step (Space)</source>
            <translation>Nach diesem Schritt anhalten (Leertaste)</translation>
        </message>
        <message>
            <source>Period</source>
            <translation>Punkt</translation>
        </message>
        <message>
            <source>Play</source>
            <translation>Ausprobieren</translation>
        </message>
        <message>
            <source>Please wait</source>
            <translation>Bitte warten</translation>
        </message>
        <message>
            <source>Predicting the next token</source>
            <translation>Das nächste Token wird vorhergesagt</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>Fortschritt</translation>
        </message>
        <message>
            <source>Prompt</source>
            <translation>Anfang</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>Beenden</translation>
        </message>
        <message>
            <source>Ready. Start trains the configuration of the next run.</source>
            <translation>Bereit. Start trainiert die Konfiguration des nächsten Laufs.</translation>
        </message>
        <message>
            <source>Recipes</source>
            <translation>Rezepte</translation>
        </message>
        <message>
            <source>Redo</source>
            <translation>Wiederholen</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>Entfernen</translation>
        </message>
        <message>
            <source>Remove from queue</source>
            <translation>Aus der Warteschlange entfernen</translation>
        </message>
        <message>
            <source>Remove the selected run from the queue</source>
            <translation>Den ausgewählten Lauf aus der Warteschlange entfernen</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>Umbenennen</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>Fortsetzen</translation>
        </message>
        <message>
            <source>Resume (Space)</source>
            <translation>Fortsetzen (Leertaste)</translation>
        </message>
        <message>
            <source>Resume from its last checkpoint</source>
            <translation>Von seinem letzten Checkpoint fortsetzen</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>Läufe</translation>
        </message>
        <message>
            <source>Sampler</source>
            <translation>Verfahren</translation>
        </message>
        <message>
            <source>Sampling</source>
            <translation>Ziehen</translation>
        </message>
        <message>
            <source>Save checkpoint</source>
            <translation>Checkpoint speichern</translation>
        </message>
        <message>
            <source>Save recipe…</source>
            <translation>Rezept speichern …</translation>
        </message>
        <message>
            <source>Selected run</source>
            <translation>Ausgewählter Lauf</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>Share as link…</source>
            <translation>Als Link teilen …</translation>
        </message>
        <message>
            <source>Share configuration as link…</source>
            <translation>Konfiguration als Link teilen …</translation>
        </message>
        <message>
            <source>Shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
        <message>
            <source>Show all notices</source>
            <translation>Alle Meldungen zeigen</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>Start</translation>
        </message>
        <message>
            <source>Start a run of the configuration (Space)</source>
            <translation>Einen Lauf der Konfiguration starten (Leertaste)</translation>
        </message>
        <message>
            <source>Start in a separate process</source>
            <translation>In eigenem Prozess starten</translation>
        </message>
        <message>
            <source>Start new run</source>
            <translation>Neuen Lauf starten</translation>
        </message>
        <message>
            <source>Start the queue</source>
            <translation>Warteschlange starten</translation>
        </message>
        <message>
            <source>Start, pause or resume</source>
            <translation>Starten, anhalten oder fortsetzen</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>Startet</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>Schritt</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>Stopp</translation>
        </message>
        <message>
            <source>Stop and save</source>
            <translation>Beenden und speichern</translation>
        </message>
        <message>
            <source>Stop generating</source>
            <translation>Erzeugen beenden</translation>
        </message>
        <message>
            <source>Stop generating; the text stays (Esc)</source>
            <translation>Erzeugen beenden; der Text bleibt (Esc)</translation>
        </message>
        <message>
            <source>Stop the selected run and save it</source>
            <translation>Den gewählten Lauf beenden und speichern</translation>
        </message>
        <message>
            <source>Table of runs</source>
            <translation>Tabelle der Läufe</translation>
        </message>
        <message>
            <source>Tags…</source>
            <translation>Schlagwörter …</translation>
        </message>
        <message>
            <source>Take the tour</source>
            <translation>Rundgang machen</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>Text</translation>
        </message>
        <message>
            <source>The most probable next tokens after the prompt, or at a token that you click.</source>
            <translation>Die wahrscheinlichsten nächsten Tokens nach dem Anfang, oder an einem Token, das Sie anklicken.</translation>
        </message>
        <message>
            <source>The run starts as soon as the lab is ready</source>
            <translation>Der Lauf startet, sobald das Labor bereit ist</translation>
        </message>
        <message>
            <source>The start of the text</source>
            <translation>Der Anfang des Textes</translation>
        </message>
        <message>
            <source>Train</source>
            <translation>Trainieren</translation>
        </message>
        <message>
            <source>Train further…</source>
            <translation>Weiter trainieren …</translation>
        </message>
        <message>
            <source>Train one step</source>
            <translation>Einen Schritt trainieren</translation>
        </message>
        <message>
            <source>Train one step (.)</source>
            <translation>Einen Schritt trainieren (.)</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>Training</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>Rückgängig</translation>
        </message>
        <message>
            <source>Use recipe as configuration</source>
            <translation>Rezept als Konfiguration verwenden</translation>
        </message>
        <message>
            <source>Use recipe with live edits as a schedule</source>
            <translation>Rezept mit den Änderungen als Zeitplan verwenden</translation>
        </message>
        <message>
            <source>Use the clipboard as corpus</source>
            <translation>Zwischenablage als Korpus verwenden</translation>
        </message>
        <message>
            <source>Verify reproducibility</source>
            <translation>Reproduzierbarkeit prüfen</translation>
        </message>
        <message>
            <source>View</source>
            <translation>Ansicht</translation>
        </message>
        <message>
            <source>What do you want to do?</source>
            <translation>Was möchten Sie tun?</translation>
        </message>
        <message>
            <source>Working on the lab</source>
            <translation>Am Labor arbeiten</translation>
        </message>
        <message>
            <source>Writing plugins</source>
            <translation>Plugins schreiben</translation>
        </message>
        <message>
            <source>after the prompt</source>
            <translation>nach dem Anfang</translation>
        </message>
        <message>
            <source>as it is now</source>
            <translation>wie es jetzt ist</translation>
        </message>
        <message>
            <source>at token {n}</source>
            <translation>an Token {n}</translation>
        </message>
        <message>
            <source>device auto</source>
            <translation>Gerät automatisch</translation>
        </message>
        <message>
            <source>device of the next run</source>
            <translation>Gerät des nächsten Laufs</translation>
        </message>
        <message>
            <source>device {name}</source>
            <translation>Gerät {name}</translation>
        </message>
        <message numerus="yes">
            <source>finished after {n} steps</source>
            <translation>
                <numerusform>nach {n} Schritt fertig</numerusform>
                <numerusform>nach {n} Schritten fertig</numerusform>
            </translation>
        </message>
        <message>
            <source>model</source>
            <translation>Modell</translation>
        </message>
        <message>
            <source>step {step} of {all}{rest}</source>
            <translation>Schritt {step} von {all}{rest}</translation>
        </message>
        <message>
            <source>untrained</source>
            <translation>untrainiert</translation>
        </message>
        <message numerus="yes">
            <source>{n} jobs</source>
            <translation>
                <numerusform>{n} Aufgabe</numerusform>
                <numerusform>{n} Aufgaben</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs were queued when the lab was closed. Start the queue, or clear it</source>
            <translation>
                <numerusform>{n} Lauf wartete, als das Labor geschlossen wurde. Starten Sie die Warteschlange, oder leeren Sie sie</numerusform>
                <numerusform>{n} Läufe warteten, als das Labor geschlossen wurde. Starten Sie die Warteschlange, oder leeren Sie sie</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} tokens · {rate} tokens/s</source>
            <translation>
                <numerusform>{n} Token · {rate} Tokens/s</numerusform>
                <numerusform>{n} Tokens · {rate} Tokens/s</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} tokens/s</source>
            <translation>{n} Tokens/s</translation>
        </message>
        <message>
            <source>{run} is now at position {n} in the queue</source>
            <translation>{run} ist jetzt an Stelle {n} der Warteschlange</translation>
        </message>
        <message>
            <source>{run} · {state}</source>
            <translation>{run} · {state}</translation>
        </message>
        <message>
            <source>{run}: {problem}</source>
            <translation>{run}: {problem}</translation>
        </message>
        <message>
            <source>{token} was drawn: {share}</source>
            <translation>{token} wurde gezogen: {share}</translation>
        </message>
    </context>
</TS>
