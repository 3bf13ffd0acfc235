<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
    <context>
        <name>lab</name>
        <message>
            <source> (too few counts)</source>
            <translation> (zu selten gezählt)</translation>
        </message>
        <message>
            <source> and </source>
            <translation> und </translation>
        </message>
        <message>
            <source> or </source>
            <translation> oder </translation>
        </message>
        <message>
            <source> · about {time} left</source>
            <translation> · noch etwa {time}</translation>
        </message>
        <message>
            <source> · evaluating…</source>
            <translation> · Auswertung…</translation>
        </message>
        <message>
            <source> · its own text</source>
            <translation> · eigener Text</translation>
        </message>
        <message>
            <source> · its own tokenizer</source>
            <translation> · eigener Tokenizer</translation>
        </message>
        <message>
            <source>"vocab" and "merges"</source>
            <translation>"vocab" und "merges"</translation>
        </message>
        <message>
            <source>"{space}" for a space, and nothing else</source>
            <translation>"{space}" für ein Leerzeichen, sonst nichts</translation>
        </message>
        <message>
            <source>%</source>
            <translation>%</translation>
        </message>
        <message>
            <source>(N, F) float32</source>
            <translation>(N, F) float32</translation>
        </message>
        <message>
            <source>(N, H, W, 1) for grey, (N, H, W, 3) for red, green, blue</source>
            <translation>(N, H, W, 1) für Grau, (N, H, W, 3) für Rot, Grün, Blau</translation>
        </message>
        <message>
            <source>(N, H, W, C) uint8</source>
            <translation>(N, H, W, C) uint8</translation>
        </message>
        <message>
            <source>(N, K) float32 numbers; classes are (N,) int64 and need their names in Vectors.classes</source>
            <translation>Zahlen als (N, K) float32; Klassen sind (N,) int64 und brauchen ihre Namen in Vectors.classes</translation>
        </message>
        <message>
            <source>(N,) int64 classes</source>
            <translation>Klassen als (N,) int64</translation>
        </message>
        <message>
            <source>(perplexity)</source>
            <translation>(Perplexität)</translation>
        </message>
        <message>
            <source>+0.30 nats for a head: without it every token costs 0.30 nats more.</source>
            <translation>+0,30 Nats für einen Kopf: Ohne ihn kostet jedes Token 0,30 Nats mehr.</translation>
        </message>
        <message>
            <source>+{n} more</source>
            <translation>+{n} weitere</translation>
        </message>
        <message>
            <source>, {b} of the full text</source>
            <translation>, {b} des ganzen Textes</translation>
        </message>
        <message>
            <source>. Those of several characters end in a space</source>
            <translation>. Symbole aus mehreren Zeichen enden mit einem Leerzeichen</translation>
        </message>
        <message>
            <source>0 is a token predicted with certainty; ln V is what guessing among V symbols would cost.</source>
            <translation>0 ist ein mit Sicherheit vorhergesagtes Token; ln V ist, was Raten unter V Symbolen kosten würde.</translation>
        </message>
        <message>
            <source>0 to {classes}, the index of a class</source>
            <translation>0 bis {classes}, die Nummer einer Klasse</translation>
        </message>
        <message>
            <source>0.1 at lag 20: a token twenty steps back moves the state a tenth as far as the last one.</source>
            <translation>0,1 bei Abstand 20: Ein Token vor zwanzig Schritten bewegt den Zustand ein Zehntel so weit wie das letzte.</translation>
        </message>
        <message>
            <source>0.1 where ten tokens are read: all of them count alike.</source>
            <translation>0,1, wo zehn Tokens gelesen werden: Alle zählen gleich viel.</translation>
        </message>
        <message>
            <source>0.5 as the largest value: after ten tokens at most a thousandth is left.</source>
            <translation>0,5 als größter Wert: Nach zehn Tokens ist höchstens ein Tausendstel übrig.</translation>
        </message>
        <message>
            <source>0.5 at a token: its logits change by half of their size when the text is read in another order.</source>
            <translation>0,5 bei einem Token: Seine Logits ändern sich um die Hälfte ihrer Größe, wenn der Text in anderer Reihenfolge gelesen wird.</translation>
        </message>
        <message>
            <source>0.6 at length 5: at 40 % of the positions the model must use a shorter context.</source>
            <translation>0,6 bei Länge 5: An 40 % der Positionen muss das Modell einen kürzeren Kontext nehmen.</translation>
        </message>
        <message>
            <source>0.9 in one cell: nine of ten tokens of this class go to this expert.</source>
            <translation>0,9 in einem Feld: Neun von zehn Tokens dieser Klasse gehen an diesen Experten.</translation>
        </message>
        <message>
            <source>1 core</source>
            <translation>1 Kern</translation>
        </message>
        <message>
            <source>1 expert per token</source>
            <translation>1 Experte pro Token</translation>
        </message>
        <message>
            <source>1 is always right; the line of chance is a state that a linear reader knows nothing from.</source>
            <translation>1 ist immer richtig; die Zufallslinie ist ein Zustand, aus dem ein linearer Leser nichts erfährt.</translation>
        </message>
        <message>
            <source>1 means that every context was seen. Where it falls, the model must back off to shorter ones. A short text has no long contexts.</source>
            <translation>1 bedeutet, dass jeder Kontext vorkam. Wo er fällt, muss das Modell auf kürzere zurückgreifen. Ein kurzer Text hat keine langen Kontexte.</translation>
        </message>
        <message>
            <source>1 of {all} losses does not compare: {why}</source>
            <translation>1 von {all} Verlusten ist nicht vergleichbar: {why}</translation>
        </message>
        <message>
            <source>1 parameter</source>
            <translation>1 Parameter</translation>
        </message>
        <message>
            <source>1 setting differs from the configuration</source>
            <translation>1 Einstellung weicht von der Konfiguration ab</translation>
        </message>
        <message>
            <source>2 or more</source>
            <translation>2 oder mehr</translation>
        </message>
        <message>
            <source>256 symbols, the bytes of UTF-8: reads every text, as it is fitted to none.</source>
            <translation>256 Symbole, die Bytes von UTF-8: liest jeden Text, da er an keinen angepasst wird.</translation>
        </message>
        <message>
            <source>3 at a position: its last three tokens stand together in the training text, the last four do not.</source>
            <translation>3 an einer Position: Die letzten drei Tokens stehen im Trainingstext beieinander, die letzten vier nicht.</translation>
        </message>
        <message>
            <source>6 to 64 letters, digits, - and _</source>
            <translation>6 bis 64 Buchstaben, Ziffern, - und _</translation>
        </message>
        <message>
            <source>6 × N alone</source>
            <translation>6 × N allein</translation>
        </message>
        <message>
            <source>65 characters allow 17.9 million n-grams of order 4.</source>
            <translation>65 Zeichen erlauben 17,9 Millionen n-Gramme der Ordnung 4.</translation>
        </message>
        <message>
            <source>A Markov chain</source>
            <translation>Eine Markow-Kette</translation>
        </message>
        <message>
            <source>A Parquet file</source>
            <translation>Eine Parquet-Datei</translation>
        </message>
        <message>
            <source>A UTF-8 text file, read as a circle: its start follows its end.</source>
            <translation>Eine UTF-8-Textdatei, als Kreis gelesen: Auf das Ende folgt der Anfang.</translation>
        </message>
        <message>
            <source>A Word file</source>
            <translation>Eine Word-Datei</translation>
        </message>
        <message>
            <source>A bright diagonal is a target that follows its source position by position; a reversed one runs from the upper right to the lower left.</source>
            <translation>Eine helle Diagonale ist ein Ziel, das seiner Quelle Position für Position folgt; ein umgekehrtes läuft von rechts oben nach links unten.</translation>
        </message>
        <message>
            <source>A bright first column is usual: much attention falls on the first token.</source>
            <translation>Eine helle erste Spalte ist üblich: Viel Attention fällt auf das erste Token.</translation>
        </message>
        <message>
            <source>A bright line just below the diagonal is a head that reads the previous token.</source>
            <translation>Eine helle Linie direkt unter der Diagonale ist ein Kopf, der das vorige Token liest.</translation>
        </message>
        <message>
            <source>A change takes effect at once. Runs that train are not changed by it.</source>
            <translation>Eine Änderung wirkt sofort. Läufe, die trainieren, bleiben davon unberührt.</translation>
        </message>
        <message>
            <source>A change takes effect at the next start.</source>
            <translation>Eine Änderung wirkt beim nächsten Start.</translation>
        </message>
        <message>
            <source>A data set</source>
            <translation>Ein Datensatz</translation>
        </message>
        <message>
            <source>A download</source>
            <translation>Ein Download</translation>
        </message>
        <message>
            <source>A drive or network may not answer; disconnect it</source>
            <translation>Ein Laufwerk oder Netz antwortet vielleicht nicht; es trennen</translation>
        </message>
        <message>
            <source>A fan that fades to the left of the diagonal is a layer that forgets at a steady rate.</source>
            <translation>Ein Fächer, der links von der Diagonale verblasst, ist eine Schicht, die gleichmäßig vergisst.</translation>
        </message>
        <message>
            <source>A feed-forward layer with squared ReLU and a gate, whose inputs mix each token with the one before it.</source>
            <translation>Eine Feedforward-Schicht mit quadrierter ReLU und einem Gate, deren Eingaben jedes Token mit dem davor mischen.</translation>
        </message>
        <message>
            <source>A few channels much larger than all others occur in most trained transformers.</source>
            <translation>Einige Kanäle, viel größer als alle anderen, kommen in den meisten trainierten Transformern vor.</translation>
        </message>
        <message>
            <source>A few data tokens at random positions among noise, then these tokens in order.</source>
            <translation>Einige Datentokens an zufälligen Positionen im Rauschen, dann diese Tokens der Reihe nach.</translation>
        </message>
        <message>
            <source>A few tokens: the unit is a short window. Hundreds: it carries what the text is about.</source>
            <translation>Wenige Tokens: Das Neuron ist ein kurzes Fenster. Hunderte: Es trägt, wovon der Text handelt.</translation>
        </message>
        <message>
            <source>A file of CSV, TSV, JSON lines or Parquet; or a data set of Hugging Face: a local folder, or a name on the hub such as owner/name, which is downloaded when it is first read.</source>
            <translation>Eine Datei im Format CSV, TSV, JSON Lines oder Parquet; oder ein Datensatz von Hugging Face: ein lokaler Ordner oder ein Name auf dem Hub wie owner/name, der beim ersten Lesen heruntergeladen wird.</translation>
        </message>
        <message>
            <source>A file of text, code, CSV, JSON lines, Parquet, HTML, PDF or Word, or a folder whose files of these kinds are joined. UTF-8 is read unchanged, other encodings are detected and named.</source>
            <translation>Eine Datei mit Text, Code, CSV, JSON-Zeilen, Parquet, HTML, PDF oder Word, oder ein Ordner, dessen Dateien dieser Arten aneinandergehängt werden. UTF-8 wird unverändert gelesen, andere Kodierungen werden erkannt und genannt.</translation>
        </message>
        <message>
            <source>A file or folder</source>
            <translation>Eine Datei oder ein Ordner</translation>
        </message>
        <message>
            <source>A file, or a folder of texts. Empty: the corpus that is named.</source>
            <translation>Eine Datei oder ein Ordner mit Texten. Leer: der genannte Korpus.</translation>
        </message>
        <message>
            <source>A floor given by the corpus: no model has a lower loss on average.</source>
            <translation>Eine durch den Korpus gegebene Schranke: Kein Modell hat im Mittel einen kleineren Verlust.</translation>
        </message>
        <message>
            <source>A folder of pictures</source>
            <translation>Ein Ordner mit Bildern</translation>
        </message>
        <message>
            <source>A folder with pictures (PNG, JPEG, BMP, GIF, WebP, TIFF) and a table that names them, or with a folder of pictures for each class; a Parquet file that holds the pictures; or a data set of Hugging Face, a local folder or a name on the hub.</source>
            <translation>Ein Ordner mit Bildern (PNG, JPEG, BMP, GIF, WebP, TIFF) und einer Tabelle, die sie nennt, oder mit einem Ordner voll Bildern für jede Klasse; eine Parquet-Datei, die die Bilder enthält; oder ein Datensatz von Hugging Face, ein lokaler Ordner oder ein Name auf dem Hub.</translation>
        </message>
        <message>
            <source>A folder, or the address that is shown</source>
            <translation>Ein Ordner, oder die gezeigte Adresse</translation>
        </message>
        <message>
            <source>A half-life of hundreds of tokens carries what the text is about; one of two is a window.</source>
            <translation>Eine Halbwertszeit von Hunderten von Tokens trägt, wovon der Text handelt; eine von zwei ist ein Fenster.</translation>
        </message>
        <message>
            <source>A hidden Markov model</source>
            <translation>Ein Hidden-Markov-Modell</translation>
        </message>
        <message>
            <source>A large vocabulary of subwords, pruned of those that help least; reads every text.</source>
            <translation>Ein großes Vokabular von Teilwörtern, aus dem die am wenigsten nützlichen entfernt werden; liest jeden Text.</translation>
        </message>
        <message>
            <source>A linear model separates only the clouds. One hidden layer bends around moons, circles and XOR; spirals need width or depth. With noise no model gets below the stated loss.</source>
            <translation>Ein lineares Modell trennt nur die Wolken. Eine verborgene Schicht biegt sich um Monde, Kreise und XOR; Spiralen brauchen Breite oder Tiefe. Mit Rauschen kommt kein Modell unter den angegebenen Verlust.</translation>
        </message>
        <message>
            <source>A linear state space for each channel, which HiPPO initialises to remember long inputs: trained as one long convolution, decoded token by token with a state of constant size. What it remembers does not depend on the tokens.</source>
            <translation>Ein linearer Zustandsraum für jeden Kanal, den HiPPO so initialisiert, dass er sich lange Eingaben merkt: trainiert als eine lange Faltung, dekodiert Token für Token mit einem Zustand fester Größe. Was er sich merkt, hängt nicht von den Tokens ab.</translation>
        </message>
        <message>
            <source>A local folder or file (CSV, JSON, Parquet, Arrow, or saved by the library datasets), or a name on the Hugging Face hub such as roneneldan/TinyStories, which is downloaded when it is first read.</source>
            <translation>Ein lokaler Ordner oder eine Datei (CSV, JSON, Parquet, Arrow oder von der Bibliothek datasets gespeichert), oder ein Name auf dem Hugging-Face-Hub wie roneneldan/TinyStories, der beim ersten Lesen heruntergeladen wird.</translation>
        </message>
        <message>
            <source>A long random sequence with two or three X and Y far apart, then the class of their order.</source>
            <translation>Eine lange zufällige Folge mit zwei oder drei weit entfernten X und Y, dann die Klasse ihrer Reihenfolge.</translation>
        </message>
        <message>
            <source>A megabyte of English about Python, collected from the installed Python; needs no network.</source>
            <translation>Ein Megabyte Englisch über Python, aus dem installierten Python gesammelt; braucht kein Netz.</translation>
        </message>
        <message>
            <source>A mixture</source>
            <translation>Eine Mischung</translation>
        </message>
        <message>
            <source>A model may memorise these passages. At most half of each is part of a longer one.</source>
            <translation>Ein Modell kann diese Stellen auswendig lernen. Höchstens die Hälfte von jeder ist Teil einer längeren.</translation>
        </message>
        <message>
            <source>A model reads token numbers and never sees letters: to count letters, it must have learned how each token is spelled.</source>
            <translation>Ein Modell liest Token-Nummern und sieht nie Buchstaben: Um Buchstaben zu zählen, muss es gelernt haben, wie jedes Token geschrieben wird.</translation>
        </message>
        <message>
            <source>A noisy sine wave</source>
            <translation>Eine verrauschte Sinuswelle</translation>
        </message>
        <message>
            <source>A passage of the corpus</source>
            <translation>Eine Stelle aus dem Korpus</translation>
        </message>
        <message>
            <source>A passage, tokenized with the merges made so far</source>
            <translation>Eine Textstelle, zerlegt mit den bisherigen Verschmelzungen</translation>
        </message>
        <message>
            <source>A plugin is a program that can do all that you can. Enable it only if your teacher tells you the same digits.</source>
            <translation>Ein Plugin ist ein Programm und kann alles, was sein Benutzer kann. Nur aktivieren, wenn die Lehrkraft dieselben Ziffern nennt.</translation>
        </message>
        <message>
            <source>A plugin that does not run may provide it, see: lm-lab plugins</source>
            <translation>Ein Plugin, das nicht läuft, stellt ihn vielleicht bereit, siehe: lm-lab plugins</translation>
        </message>
        <message>
            <source>A probe</source>
            <translation>Eine Sonde</translation>
        </message>
        <message>
            <source>A question about a run</source>
            <translation>Eine Frage zu einem Lauf</translation>
        </message>
        <message>
            <source>A radius of 0.9 leaves about a third of the state after ten tokens; 1.1 makes it 2.6 times as large.</source>
            <translation>Ein Radius von 0,9 lässt nach zehn Tokens etwa ein Drittel des Zustands übrig; 1,1 macht ihn 2,6-mal so groß.</translation>
        </message>
        <message>
            <source>A random string, then its reverse: cab|bac.</source>
            <translation>Eine zufällige Zeichenkette, dann ihre Umkehrung: cab|bac.</translation>
        </message>
        <message>
            <source>A random string, then its symbols in alphabetical order: cab|abc.</source>
            <translation>Eine zufällige Zeichenkette, dann ihre Symbole in alphabetischer Reihenfolge: cab|abc.</translation>
        </message>
        <message>
            <source>A random string, then the same again: cab|cab.</source>
            <translation>Eine zufällige Zeichenkette, dann noch einmal dieselbe: cab|cab.</translation>
        </message>
        <message>
            <source>A recall of 0.9 at lag 8 means that the token eight steps back is still written in the state.</source>
            <translation>Eine Wiedergabe von 0,9 beim Abstand 8 bedeutet, dass das Token acht Schritte zuvor noch im Zustand steht.</translation>
        </message>
        <message>
            <source>A recurrent network built as linear attention: decays per channel that depend on the data, a bonus for the current token, and inputs that mix each token with the one before it.</source>
            <translation>Ein rekurrentes Netz, gebaut als lineare Attention: von den Daten abhängiges Abklingen pro Kanal, ein Bonus für das aktuelle Token, und Eingaben, die jedes Token mit dem davor mischen.</translation>
        </message>
        <message>
            <source>A router sends each token to a few of many feed-forward networks, the experts: all of them add parameters, but only the few cost computation.</source>
            <translation>Ein Router schickt jedes Token zu wenigen von vielen Feedforward-Netzen, den Experten: Alle bringen Parameter, aber nur die wenigen kosten Rechenaufwand.</translation>
        </message>
        <message>
            <source>A row is a channel, a column a position. Sines and cosines show as waves of growing length.</source>
            <translation>Eine Zeile ist ein Kanal, eine Spalte eine Position. Sinus und Kosinus zeigen sich als Wellen wachsender Länge.</translation>
        </message>
        <message>
            <source>A row is a channel, a column a token. Blocks add to this stream, so its size usually grows with depth.</source>
            <translation>Eine Zeile ist ein Kanal, eine Spalte ein Token. Blöcke addieren zu diesem Strom, daher wächst seine Größe meist mit der Tiefe.</translation>
        </message>
        <message>
            <source>A row is a channel, a column a token. Equal tokens have equal columns, unless positions are added.</source>
            <translation>Eine Zeile ist ein Kanal, eine Spalte ein Token. Gleiche Tokens haben gleiche Spalten, sofern keine Positionen addiert werden.</translation>
        </message>
        <message>
            <source>A row is a head that reads, a column an earlier head that writes; queries, keys and values are separate.</source>
            <translation>Eine Zeile ist ein lesender Kopf, eine Spalte ein früherer, schreibender Kopf; Queries, Keys und Values sind getrennt.</translation>
        </message>
        <message>
            <source>A row is a unit, a column a token. A unit that is near zero adds nothing at this token.</source>
            <translation>Eine Zeile ist ein Neuron, eine Spalte ein Token. Ein Neuron nahe null trägt bei diesem Token nichts bei.</translation>
        </message>
        <message>
            <source>A row is an expert, a column a token; empty cells are experts that were not selected.</source>
            <translation>Eine Zeile ist ein Experte, eine Spalte ein Token; leere Felder sind Experten, die nicht ausgewählt wurden.</translation>
        </message>
        <message>
            <source>A row is an order (the number of tokens that are looked at), a column a position; columns add up to 1.</source>
            <translation>Eine Zeile ist eine Ordnung (die Zahl der betrachteten Tokens), eine Spalte eine Position; die Summe jeder Spalte ist 1.</translation>
        </message>
        <message>
            <source>A share near 1 on the previous token is a previous-token head; a high induction share often appears suddenly during the training, with a drop of the loss.</source>
            <translation>Ein Anteil nahe 1 auf dem vorigen Token ist ein Kopf des vorigen Tokens; ein hoher Induktionsanteil tritt im Training oft plötzlich auf, mit einem Abfall des Verlusts.</translation>
        </message>
        <message>
            <source>A small transformer learns English from Python's manual: letters first, then words.</source>
            <translation>Ein kleiner Transformer lernt Englisch aus dem Python-Handbuch: erst Buchstaben, dann Wörter.</translation>
        </message>
        <message>
            <source>A small transformer learns to spell: letters first, then words, from Python's manual.</source>
            <translation>Ein kleiner Transformer lernt buchstabieren: erst Buchstaben, dann Wörter, aus dem Python-Handbuch.</translation>
        </message>
        <message>
            <source>A smaller model, a shorter context, smaller batches or fewer steps need less.</source>
            <translation>Ein kleineres Modell, ein kürzerer Kontext, kleinere Batches oder weniger Schritte brauchen weniger.</translation>
        </message>
        <message>
            <source>A snapshot has readings but no weights, so no part can be left out.</source>
            <translation>Eine Momentaufnahme hat Messwerte, aber keine Gewichte; deshalb kann kein Teil weggelassen werden.</translation>
        </message>
        <message>
            <source>A state for each channel, whose step size, input and output depend on the current token: it selects what to remember and what to forget. No attention and no feed-forward layers.</source>
            <translation>Ein Zustand für jeden Kanal, dessen Schrittweite, Eingang und Ausgang vom aktuellen Token abhängen: Es wählt aus, was behalten und was vergessen wird. Keine Attention und keine Feedforward-Schichten.</translation>
        </message>
        <message>
            <source>A state that only adds up grows with the text; one that fades levels off.</source>
            <translation>Ein Zustand, der nur aufsummiert, wächst mit dem Text; einer, der abklingt, flacht ab.</translation>
        </message>
        <message>
            <source>A state with four equal singular values, and zeros otherwise, has rank 4.</source>
            <translation>Ein Zustand mit vier gleichen Singulärwerten und sonst Nullen hat den Rang 4.</translation>
        </message>
        <message>
            <source>A string of 0 and 1, then whether an odd number of neighbours differ: 0110=0</source>
            <translation>Eine Folge aus 0 und 1, dann, ob eine ungerade Zahl von Nachbarn verschieden ist: 0110=0</translation>
        </message>
        <message>
            <source>A string of 0 and 1, then whether it has an odd number of 1: 0110=0</source>
            <translation>Eine Folge aus 0 und 1, dann, ob sie eine ungerade Zahl von Einsen hat: 0110=0</translation>
        </message>
        <message>
            <source>A symbol for each frequent word with the space before it; others are spelled, so nothing is lost.</source>
            <translation>Ein Symbol für jedes häufige Wort mit dem Leerzeichen davor; andere werden buchstabiert, damit nichts verloren geht.</translation>
        </message>
        <message>
            <source>A table of conversations</source>
            <translation>Eine Tabelle von Gesprächen</translation>
        </message>
        <message>
            <source>A table of labelled texts</source>
            <translation>Eine Tabelle mit Texten und Labels</translation>
        </message>
        <message>
            <source>A table of numbers</source>
            <translation>Eine Tabelle mit Zahlen</translation>
        </message>
        <message>
            <source>A table of pairs</source>
            <translation>Eine Tabelle mit Paaren</translation>
        </message>
        <message>
            <source>A task that looks like counting, but only needs the first and the last symbol.</source>
            <translation>Eine Aufgabe, die nach Zählen aussieht, aber nur das erste und das letzte Symbol braucht.</translation>
        </message>
        <message>
            <source>A text that the model of the quick start wrote; the darker a letter, the less it was expected</source>
            <translation>Ein Text, den das Modell des Schnellstarts schrieb; je dunkler ein Buchstabe, desto weniger war er erwartet</translation>
        </message>
        <message>
            <source>A text that the model wrote at this step</source>
            <translation>Ein Text, den das Modell bei diesem Schritt schrieb</translation>
        </message>
        <message>
            <source>A text, an equals sign and a number, such as e=-2: the number is added to the logit of the last token of the text after the tokens before it. −inf forbids it; the part behind the last equals sign is the number.</source>
            <translation>Ein Text, ein Gleichheitszeichen und eine Zahl, etwa e=-2: Die Zahl wird zum Logit des letzten Tokens des Textes addiert, wenn die Tokens davor da sind. −inf verbietet es; die Zahl steht hinter dem letzten Gleichheitszeichen.</translation>
        </message>
        <message>
            <source>A tiny transformer learns to spell within half a minute on an old laptop.</source>
            <translation>Ein winziger Transformer lernt auf einem alten Laptop in einer halben Minute buchstabieren.</translation>
        </message>
        <message>
            <source>A token multiplies the state along its key by 1 − β: “positive” with β = σ(·) from 0 to 1, “signed” with β = 2 σ(·), so that a state can change its sign at each token, which counting modulo two needs.</source>
            <translation>Ein Token multipliziert den Zustand entlang seines Keys mit 1 − β: „positive“ mit β = σ(·) von 0 bis 1, „signed“ mit β = 2 σ(·), sodass ein Zustand bei jedem Token sein Vorzeichen wechseln kann; das braucht das Zählen modulo zwei.</translation>
        </message>
        <message>
            <source>A token overwrites what its key held before instead of adding to it: the state moves by a share β towards the new value. With signed eigenvalues it can count modulo two.</source>
            <translation>Ein Token überschreibt, was sein Key vorher enthielt, statt etwas hinzuzufügen: Der Zustand bewegt sich um einen Anteil β auf den neuen Wert zu. Mit vorzeichenbehafteten Eigenwerten kann es modulo zwei zählen.</translation>
        </message>
        <message>
            <source>A token selects its experts; the same with noise in training; or an expert selects its tokens from the whole text, so that the model sees the future and cannot generate text.</source>
            <translation>Ein Token wählt seine Experten; dasselbe mit Rauschen im Training; oder ein Experte wählt seine Tokens aus dem ganzen Text, sodass das Modell die Zukunft sieht und keinen Text erzeugen kann.</translation>
        </message>
        <message>
            <source>A tokenizer.json of Hugging Face, or its folder. The run stores its content.</source>
            <translation>Eine tokenizer.json von Hugging Face oder ihr Ordner. Der Lauf speichert ihren Inhalt.</translation>
        </message>
        <message>
            <source>A training may need at most {size} GB of memory.</source>
            <translation>Ein Training darf höchstens {size} GB Speicher brauchen.</translation>
        </message>
        <message numerus="yes">
            <source>A training uses at most {n} threads.</source>
            <translation>
                <numerusform>Ein Training benutzt höchstens {n} Thread.</numerusform>
                <numerusform>Ein Training benutzt höchstens {n} Threads.</numerusform>
            </translation>
        </message>
        <message>
            <source>A transformer against Mamba</source>
            <translation>Transformer gegen Mamba</translation>
        </message>
        <message>
            <source>A transformer and Mamba of the same size, one after the other; all but the architecture is equal.</source>
            <translation>Ein Transformer und Mamba gleicher Größe, nacheinander; bis auf die Architektur ist alles gleich.</translation>
        </message>
        <message>
            <source>A transformer reads word by word; the loss falls to the entropy of the grammar.</source>
            <translation>Ein Transformer liest Wort für Wort; der Verlust fällt auf die Entropie der Grammatik.</translation>
        </message>
        <message>
            <source>A transformer with 0.45 M parameters; all but the architecture is as in the recipe of Mamba.</source>
            <translation>Ein Transformer mit 0,45 Mio. Parametern; bis auf die Architektur ist alles wie im Rezept von Mamba.</translation>
        </message>
        <message>
            <source>A unit that lights up only after a line break has learned to notice line breaks.</source>
            <translation>Ein Neuron, das nur nach einem Zeilenumbruch aufleuchtet, hat gelernt, Zeilenumbrüche zu erkennen.</translation>
        </message>
        <message>
            <source>A value near -1 flips with each token, which is what counting odd and even needs.</source>
            <translation>Ein Wert nahe -1 wechselt mit jedem Token das Vorzeichen; das braucht das Zählen von gerade und ungerade.</translation>
        </message>
        <message>
            <source>ALiBi</source>
            <translation>ALiBi</translation>
        </message>
        <message>
            <source>ALiBi falls in a line, rotary positions oscillate. Rotary scores at untrained distances are untrained; learned positions end at the trained length.</source>
            <translation>ALiBi fällt geradlinig, rotierende Positionen schwingen. Bei nicht trainierten Abständen sind auch ihre Werte nicht trainiert; gelernte Positionen enden an der trainierten Länge.</translation>
        </message>
        <message>
            <source>Ablation</source>
            <translation>Ablation</translation>
        </message>
        <message>
            <source>About 20 tokens per parameter make the best use of compute (Hoffmann et al. 2022).</source>
            <translation>Etwa 20 Tokens pro Parameter nutzen die Rechenleistung am besten (Hoffmann et al. 2022).</translation>
        </message>
        <message>
            <source>About LM Lab</source>
            <translation>Über LM Lab</translation>
        </message>
        <message>
            <source>About the setting</source>
            <translation>Über die Einstellung</translation>
        </message>
        <message>
            <source>Accumulation</source>
            <translation>Akkumulation</translation>
        </message>
        <message>
            <source>Activation</source>
            <translation>Aktivierung</translation>
        </message>
        <message>
            <source>Activations</source>
            <translation>Aktivierungen</translation>
        </message>
        <message>
            <source>Active experts</source>
            <translation>Aktive Experten</translation>
        </message>
        <message>
            <source>AdamW</source>
            <translation>AdamW</translation>
        </message>
        <message>
            <source>AdamW rate</source>
            <translation>AdamW-Rate</translation>
        </message>
        <message>
            <source>Add</source>
            <translation>Hinzufügen</translation>
        </message>
        <message>
            <source>Add a bias to projections and LayerNorm, as in GPT-2.</source>
            <translation>Projektionen und LayerNorm einen Bias hinzufügen, wie in GPT-2.</translation>
        </message>
        <message>
            <source>Add a bias to projections.</source>
            <translation>Den Projektionen Bias hinzufügen.</translation>
        </message>
        <message>
            <source>Add a bias to the convolution.</source>
            <translation>Der Faltung einen Bias hinzufügen.</translation>
        </message>
        <message>
            <source>Add a bias to the projections.</source>
            <translation>Den Projektionen einen Bias hinzufügen.</translation>
        </message>
        <message>
            <source>Add a column</source>
            <translation>Spalte hinzufügen</translation>
        </message>
        <message>
            <source>Add a column (four at most)</source>
            <translation>Eine Spalte hinzufügen (höchstens vier)</translation>
        </message>
        <message>
            <source>Add a filter</source>
            <translation>Filter hinzufügen</translation>
        </message>
        <message>
            <source>Add a note</source>
            <translation>Notiz hinzufügen</translation>
        </message>
        <message>
            <source>Add a plugin file…</source>
            <translation>Datei hinzufügen …</translation>
        </message>
        <message>
            <source>Add a table with the columns file_name and label, or file_name and caption</source>
            <translation>Eine Tabelle mit den Spalten file_name und label oder file_name und caption hinzufügen</translation>
        </message>
        <message>
            <source>Add a tokenizer</source>
            <translation>Tokenizer hinzufügen</translation>
        </message>
        <message>
            <source>Add biases to the input and output projections of the mixer.</source>
            <translation>Den Eingabe- und Ausgabeprojektionen des Mischers Bias hinzufügen.</translation>
        </message>
        <message>
            <source>Add it there, or remove it here. {until}</source>
            <translation>Dort hinzufügen oder hier entfernen. {until}</translation>
        </message>
        <message>
            <source>Add or remove the star</source>
            <translation>Stern setzen oder entfernen</translation>
        </message>
        <message>
            <source>Add tags</source>
            <translation>Schlagwörter hinzufügen</translation>
        </message>
        <message>
            <source>Add tags to the selected runs, or remove some</source>
            <translation>Den ausgewählten Läufen Schlagwörter geben oder nehmen</translation>
        </message>
        <message>
            <source>Add the filter first, or leave this setting out</source>
            <translation>Zuerst den Filter hinzufügen oder diese Einstellung weglassen</translation>
        </message>
        <message>
            <source>Add-k: number of sightings added for every token after every context. Typical: 0.001 to 1.</source>
            <translation>Add-k: Zahl der Sichtungen, die jedem Token nach jedem Kontext hinzugefügt werden. Üblich: 0,001 bis 1.</translation>
        </message>
        <message>
            <source>Added count k</source>
            <translation>Zusätzliche Zählung k</translation>
        </message>
        <message>
            <source>Added to the root of the mean squared gradient. Typical: 1e-8.</source>
            <translation>Summand zur Wurzel des mittleren quadrierten Gradienten. Üblich: 1e-8.</translation>
        </message>
        <message>
            <source>Added under the root of a normalisation, against division by zero. Typical: 1e-6 to 1e-5.</source>
            <translation>Summand unter der Wurzel einer Normierung, gegen Division durch null. Üblich: 1e-6 bis 1e-5.</translation>
        </message>
        <message>
            <source>Adding {name}</source>
            <translation>{name} wird hinzugefügt</translation>
        </message>
        <message>
            <source>Addition</source>
            <translation>Addition</translation>
        </message>
        <message>
            <source>Addition modulo a prime: known by heart first, understood much later.</source>
            <translation>Addition modulo einer Primzahl: erst auswendig gekannt, viel später verstanden.</translation>
        </message>
        <message>
            <source>Addition: two numbers of up to two digits, the sum from its last digit on</source>
            <translation>Addition: zwei Zahlen mit bis zu zwei Ziffern, die Summe von der letzten Ziffer an</translation>
        </message>
        <message>
            <source>Additional experts that every token passes, for what all texts need. Typical: 0 to 2.</source>
            <translation>Zusätzliche Experten, die jedes Token durchläuft, für das, was alle Texte brauchen. Üblich: 0 bis 2.</translation>
        </message>
        <message>
            <source>Adds numbers to the logits of chosen tokens.</source>
            <translation>Addiert Zahlen zu den Logits ausgewählter Tokens.</translation>
        </message>
        <message>
            <source>After how many tokens each unit has forgotten half</source>
            <translation>Nach wie vielen Tokens jedes Neuron die Hälfte vergessen hat</translation>
        </message>
        <message numerus="yes">
            <source>After {n} merges</source>
            <translation>
                <numerusform>Nach {n} Verschmelzung</numerusform>
                <numerusform>Nach {n} Verschmelzungen</numerusform>
            </translation>
        </message>
        <message>
            <source>After “th” in English the longest bar is that of “e”.</source>
            <translation>Nach „th“ hat im Englischen „e“ den längsten Balken.</translation>
        </message>
        <message>
            <source>Again</source>
            <translation>Erneut</translation>
        </message>
        <message>
            <source>All</source>
            <translation>Alle</translation>
        </message>
        <message>
            <source>All cards of this model</source>
            <translation>Alle Karten dieses Modells</translation>
        </message>
        <message>
            <source>All figures</source>
            <translation>Alle Zahlen</translation>
        </message>
        <message>
            <source>All files (*)</source>
            <translation>Alle Dateien (*)</translation>
        </message>
        <message>
            <source>All measured</source>
            <translation>Alle gemessen</translation>
        </message>
        <message>
            <source>All notices</source>
            <translation>Alle Meldungen</translation>
        </message>
        <message>
            <source>All of these parts are measured: {parts}</source>
            <translation>Alle diese Teile sind gemessen: {parts}</translation>
        </message>
        <message>
            <source>All on</source>
            <translation>Alle an</translation>
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
            <source>All snapshots share one colour scale.</source>
            <translation>Alle Momentaufnahmen haben dieselbe Farbskala.</translation>
        </message>
        <message>
            <source>All supported files ({ends})</source>
            <translation>Alle unterstützten Dateien ({ends})</translation>
        </message>
        <message>
            <source>All texts are in {file}.</source>
            <translation>Alle Texte sind in {file}.</translation>
        </message>
        <message numerus="yes">
            <source>All {n} runs</source>
            <translation>
                <numerusform>{n} Lauf</numerusform>
                <numerusform>Alle {n} Läufe</numerusform>
            </translation>
        </message>
        <message>
            <source>Allowed</source>
            <translation>Erlaubt</translation>
        </message>
        <message>
            <source>Alphabet</source>
            <translation>Alphabet</translation>
        </message>
        <message>
            <source>An SVG or a PDF</source>
            <translation>Ein SVG oder PDF</translation>
        </message>
        <message>
            <source>An encoder reads the source both ways; a decoder writes and reads it through cross-attention.</source>
            <translation>Ein Encoder liest die Quelle in beiden Richtungen; ein Decoder schreibt und liest sie durch Cross-Attention.</translation>
        </message>
        <message>
            <source>An induction head reads, through its keys, what a previous-token head has written.</source>
            <translation>Ein Induktionskopf liest über seine Keys, was ein Kopf des vorigen Tokens geschrieben hat.</translation>
        </message>
        <message>
            <source>An n-gram of order k + 1 represents a chain of order k and reaches its rate first, from the fewest letters. Every network whose context holds k letters comes as close with more of them: a transformer needs a head for each position, a recurrent or state-space layer holds them in its state. If a larger model has a higher loss than the n-gram, it overfits.</source>
            <translation>Ein n-Gramm der Ordnung k + 1 stellt eine Kette der Ordnung k dar und erreicht ihre Rate zuerst, mit den wenigsten Buchstaben. Jedes Netz, dessen Kontext k Buchstaben fasst, kommt mit mehr davon ebenso nahe: Ein Transformer braucht einen Kopf für jede Position, eine rekurrente oder Zustandsraumschicht hält sie in ihrem Zustand. Hat ein größeres Modell einen höheren Verlust als das n-Gramm, ist es überangepasst.</translation>
        </message>
        <message>
            <source>An n-gram reaches the entropy rate as soon as it is one longer than the order of the chain.</source>
            <translation>Ein n-Gramm erreicht die Entropierate, sobald es um eins länger ist als die Ordnung der Kette.</translation>
        </message>
        <message>
            <source>An older checkpoint is used if there is one</source>
            <translation>Ein älterer Checkpoint wird verwendet, wenn es einen gibt</translation>
        </message>
        <message>
            <source>Another folder…</source>
            <translation>Anderer Ordner …</translation>
        </message>
        <message>
            <source>Another language is used at once; runs continue.</source>
            <translation>Eine andere Sprache gilt sofort, und Läufe gehen weiter.</translation>
        </message>
        <message>
            <source>Another run on the same text, at the same step where it recorded snapshots</source>
            <translation>Ein anderer Lauf auf demselben Text, beim selben Schritt, sofern er Momentaufnahmen aufgezeichnet hat</translation>
        </message>
        <message>
            <source>Another version of it was enabled. Nothing of this one has run.</source>
            <translation>Eine andere Version davon war aktiviert. Von dieser ist noch nichts gelaufen.</translation>
        </message>
        <message>
            <source>Another…</source>
            <translation>Weitere …</translation>
        </message>
        <message>
            <source>Answer order</source>
            <translation>Ordnung der Antwort</translation>
        </message>
        <message>
            <source>Appearance</source>
            <translation>Darstellung</translation>
        </message>
        <message>
            <source>Architecture</source>
            <translation>Architektur</translation>
        </message>
        <message>
            <source>Architectures</source>
            <translation>Architekturen</translation>
        </message>
        <message>
            <source>Are the losses comparable?</source>
            <translation>Sind die Verluste vergleichbar?</translation>
        </message>
        <message>
            <source>Arithmetic and sorting</source>
            <translation>Rechnen und Sortieren</translation>
        </message>
        <message>
            <source>As unsure as between this many equally probable tokens: 1 is perfect, {blind} is guessing blindly.</source>
            <translation>So unsicher wie zwischen so vielen gleich wahrscheinlichen Tokens: 1 ist perfekt, {blind} ist blindes Raten.</translation>
        </message>
        <message>
            <source>Ascending</source>
            <translation>Aufsteigend</translation>
        </message>
        <message>
            <source>Ask for fewer or smaller pictures</source>
            <translation>Weniger oder kleinere Bilder verlangen</translation>
        </message>
        <message>
            <source>Ask for fewer rows, or change the settings so that more are possible</source>
            <translation>Weniger Zeilen verlangen oder die Einstellungen so ändern, dass mehr möglich sind</translation>
        </message>
        <message>
            <source>Ask for the recipe as a file</source>
            <translation>Um das Rezept als Datei bitten</translation>
        </message>
        <message>
            <source>Ask lm-lab evaluate how well it predicts</source>
            <translation>Wie gut er vorhersagt, zeigt lm-lab evaluate</translation>
        </message>
        <message>
            <source>Ask the administrator of this machine</source>
            <translation>Die Verwaltung dieses Rechners fragen</translation>
        </message>
        <message>
            <source>Associative recall</source>
            <translation>Assoziativer Abruf</translation>
        </message>
        <message>
            <source>Associative recall (MQAR)</source>
            <translation>Assoziativer Abruf (MQAR)</translation>
        </message>
        <message>
            <source>Associative recall: which value belongs to a key</source>
            <translation>Assoziativer Abruf: welcher Wert zu einem Schlüssel gehört</translation>
        </message>
        <message>
            <source>At least once it gave {target} no chance at all, which makes the loss infinite</source>
            <translation>Mindestens einmal hielt es {target} für unmöglich; der Verlust ist daher unendlich</translation>
        </message>
        <message>
            <source>At step {step} of {all}, the learning rate of {names} is still at {share} % of its peak: the schedule has not ended, and the loss may still fall as the rate does.</source>
            <translation>Bei Schritt {step} von {all} beträgt die Lernrate von {names} noch {share} % ihres Höchstwerts: Der Verlauf ist nicht zu Ende, und mit der Lernrate kann der Verlust noch sinken.</translation>
        </message>
        <message>
            <source>At step {step}, the last one at which all were evaluated, the losses are equal ({values}).</source>
            <translation>Bei Schritt {step}, dem letzten, bei dem alle ausgewertet wurden, sind die Verluste gleich ({values}).</translation>
        </message>
        <message>
            <source>At step {step}, the last one at which all were evaluated, {run} is {behind} ({values}).</source>
            <translation>Bei Schritt {step}, dem letzten, bei dem alle ausgewertet wurden, liegt {run} {behind} ({values}).</translation>
        </message>
        <message>
            <source>Attention</source>
            <translation>Attention</translation>
        </message>
        <message>
            <source>Attention and recurrent networks solve it. What only counts words stays at chance on texts with a contrast.</source>
            <translation>Attention und rekurrente Netze lösen sie. Was nur Wörter zählt, rät bei Texten mit einem Gegensatz.</translation>
        </message>
        <message>
            <source>Attention and selective or gated recurrences (Mamba, LSTM) solve it. Convolutions and linear recurrences whose weights do not depend on the input (S4) cannot.</source>
            <translation>Attention und selektive oder mit Gates versehene Rekurrenzen (Mamba, LSTM) lösen es. Faltungen und lineare Rekurrenzen, deren Gewichte nicht von der Eingabe abhängen (S4), können es nicht.</translation>
        </message>
        <message>
            <source>Attention counts the symbols of a string and writes them in order.</source>
            <translation>Attention zählt die Symbole einer Zeichenkette und schreibt sie der Reihe nach.</translation>
        </message>
        <message>
            <source>Attention heads of each layer. Typical: 2 to 12.</source>
            <translation>Attention-Köpfe jeder Schicht. Üblich: 2 bis 12.</translation>
        </message>
        <message>
            <source>Attention learns to look back at the symbol whose turn it is; the loss falls to zero.</source>
            <translation>Attention lernt, auf das Symbol zurückzusehen, das an der Reihe ist; der Verlust fällt auf null.</translation>
        </message>
        <message>
            <source>Attention looks up each token and learns this fast. A recurrent state must hold the string, so its size limits the length. Strings longer than in training need positions that extend that far.</source>
            <translation>Attention schlägt jedes Token nach und lernt das schnell. Ein rekurrenter Zustand muss die Zeichenkette fassen, seine Größe begrenzt also die Länge. Längere Zeichenketten als im Training brauchen Positionen, die so weit reichen.</translation>
        </message>
        <message>
            <source>Attention may pick any column of a row; a recurrent layer fades to the left.</source>
            <translation>Attention kann jede Spalte einer Zeile herausgreifen; eine rekurrente Schicht verblasst nach links.</translation>
        </message>
        <message>
            <source>Attention recalls all pairs at any width. Models with a state of fixed size need one that grows with the pairs: delta rules and wide linear attention do better than Mamba, and Mamba better than gated convolutions.</source>
            <translation>Attention ruft alle Paare bei jeder Breite ab. Modelle mit einem Zustand fester Größe brauchen einen, der mit den Paaren wächst: Deltaregeln und breite lineare Attention sind besser als Mamba, und Mamba besser als Faltungen mit Gates.</translation>
        </message>
        <message>
            <source>Attention rollout</source>
            <translation>Attention-Rollout</translation>
        </message>
        <message>
            <source>Attention sink</source>
            <translation>Attention-Senke</translation>
        </message>
        <message>
            <source>Attention sink: a trained logit in each head that takes weight and adds nothing to the output.</source>
            <translation>Attention-Senke: ein trainiertes Logit in jedem Kopf, das Gewicht aufnimmt und zur Ausgabe nichts beiträgt.</translation>
        </message>
        <message>
            <source>Attention softcap</source>
            <translation>Softcap der Attention</translation>
        </message>
        <message>
            <source>Attention to the source solves it and shows a falling diagonal. A recurrent encoder without it must hold the string in one state, so its size limits the length.</source>
            <translation>Attention auf die Quelle löst sie und zeigt eine fallende Diagonale. Ein rekurrenter Encoder ohne sie muss die Zeichenkette in einem Zustand halten, dessen Größe die Länge begrenzt.</translation>
        </message>
        <message>
            <source>Attention whose weights are products of features instead of a softmax, so that everything read so far fits into one matrix per head. The feature map can be selected.</source>
            <translation>Attention, deren Gewichte Produkte von Merkmalen statt eines Softmax sind, sodass alles bisher Gelesene in eine Matrix pro Kopf passt. Die Merkmalsabbildung ist wählbar.</translation>
        </message>
        <message>
            <source>Attention with two layers finds four values by their keys.</source>
            <translation>Attention mit zwei Schichten findet vier Werte über ihre Schlüssel.</translation>
        </message>
        <message>
            <source>Attention, or what takes its place: where each position takes its input from</source>
            <translation>Attention, oder was an ihre Stelle tritt: woher jede Position ihre Eingabe nimmt</translation>
        </message>
        <message>
            <source>Automatic profile</source>
            <translation>Automatisches Profil</translation>
        </message>
        <message>
            <source>B</source>
            <translation>B</translation>
        </message>
        <message>
            <source>BPE as of GPT-2 or LLaMA</source>
            <translation>BPE wie bei GPT-2 oder LLaMA</translation>
        </message>
        <message>
            <source>BPE, byte pair encoding</source>
            <translation>BPE, Byte Pair Encoding</translation>
        </message>
        <message>
            <source>Back</source>
            <translation>Zurück</translation>
        </message>
        <message>
            <source>Back (Alt+Left)</source>
            <translation>Zurück (Alt+Links)</translation>
        </message>
        <message>
            <source>Back to the original model</source>
            <translation>Zurück zum Ausgangsmodell</translation>
        </message>
        <message>
            <source>Back to {value}</source>
            <translation>Zurück zu {value}</translation>
        </message>
        <message>
            <source>Back-off factor</source>
            <translation>Backoff-Faktor</translation>
        </message>
        <message>
            <source>Bad rows</source>
            <translation>Fehlerhafte Zeilen</translation>
        </message>
        <message>
            <source>Balance coefficient</source>
            <translation>Koeffizient der Balance</translation>
        </message>
        <message>
            <source>Balance loss</source>
            <translation>Balance-Verlust</translation>
        </message>
        <message>
            <source>Ban list</source>
            <translation>Sperrliste</translation>
        </message>
        <message>
            <source>Banned texts</source>
            <translation>Gesperrte Texte</translation>
        </message>
        <message>
            <source>Bars are counts. Longer contexts have fewer counts, but predict more sharply.</source>
            <translation>Balken sind Zählungen. Längere Kontexte haben weniger Zählungen, sagen aber schärfer vorher.</translation>
        </message>
        <message>
            <source>Bars: one for each {name}</source>
            <translation>Balken: je einer pro {name}</translation>
        </message>
        <message>
            <source>Base of the angles by which queries and keys are rotated. Typical: 10,000.</source>
            <translation>Basis der Winkel, um die Queries und Keys gedreht werden. Üblich: 10.000.</translation>
        </message>
        <message>
            <source>Base of the rotary frequencies; a larger one makes the slow ones slower. Typical: 10,000 to 500,000.</source>
            <translation>Basis der Frequenzen rotierender Positionen; eine größere macht die langsamen langsamer. Üblich: 10.000 bis 500.000.</translation>
        </message>
        <message>
            <source>Base of the wavelengths of rotary positions. Typical: 10,000 to 500,000.</source>
            <translation>Basis der Wellenlängen rotierender Positionen. Üblich: 10.000 bis 500.000.</translation>
        </message>
        <message>
            <source>Base width</source>
            <translation>Grundbreite</translation>
        </message>
        <message>
            <source>Baselines to compare with</source>
            <translation>Modelle zum Vergleichen</translation>
        </message>
        <message>
            <source>Batch size</source>
            <translation>Batchgröße</translation>
        </message>
        <message>
            <source>Batches</source>
            <translation>Batches</translation>
        </message>
        <message>
            <source>Beam search</source>
            <translation>Strahlsuche</translation>
        </message>
        <message>
            <source>Before any merge</source>
            <translation>Vor der ersten Verschmelzung</translation>
        </message>
        <message>
            <source>Beside the load</source>
            <translation>Neben der Last</translation>
        </message>
        <message>
            <source>Best possible loss</source>
            <translation>Kleinstmöglicher Verlust</translation>
        </message>
        <message>
            <source>Bias rate</source>
            <translation>Bias-Rate</translation>
        </message>
        <message>
            <source>Biases</source>
            <translation>Bias</translation>
        </message>
        <message>
            <source>Binary labels</source>
            <translation>Binäre Labels</translation>
        </message>
        <message>
            <source>Bind it at the top of that module</source>
            <translation>Es oben in diesem Modul definieren</translation>
        </message>
        <message>
            <source>Bits per byte of compressors and of counts</source>
            <translation>Bits pro Byte von Kompressoren und Zählungen</translation>
        </message>
        <message>
            <source>Bits per byte of the validation text after the training text, and of the full text. Orders: the held-out entropies.</source>
            <translation>Bits pro Byte des Validierungstextes nach dem Trainingstext und des ganzen Textes. Ordnungen: die zurückgehaltenen Entropien.</translation>
        </message>
        <message>
            <source>Bits per byte on the same text</source>
            <translation>Bits pro Byte auf demselben Text</translation>
        </message>
        <message>
            <source>Bits per token on the same text</source>
            <translation>Bits pro Token auf demselben Text</translation>
        </message>
        <message>
            <source>Block</source>
            <translation>Block</translation>
        </message>
        <message>
            <source>Blocks of different mixers on one residual stream, named by a pattern: Mamba and attention as in Jamba, Zamba or Samba, or any others.</source>
            <translation>Blöcke verschiedener Mischer auf einem Residualstrom, durch ein Muster benannt: Mamba und Attention wie in Jamba, Zamba oder Samba, oder beliebige andere.</translation>
        </message>
        <message>
            <source>Blocks of the encoder; 0 means as many as the decoder has. Typical: 2 to 12.</source>
            <translation>Blöcke des Encoders; 0 heißt so viele, wie der Decoder hat. Üblich: 2 bis 12.</translation>
        </message>
        <message>
            <source>Blocks on top of each other. Typical: 2 to 12.</source>
            <translation>Übereinanderliegende Blöcke. Üblich: 2 bis 12.</translation>
        </message>
        <message>
            <source>Border between above and below</source>
            <translation>Rand zwischen oben und unten</translation>
        </message>
        <message>
            <source>Border between left and right</source>
            <translation>Rand zwischen links und rechts</translation>
        </message>
        <message>
            <source>Brackets (Dyck-k)</source>
            <translation>Klammern (Dyck-k)</translation>
        </message>
        <message>
            <source>Brackets in brackets</source>
            <translation>Klammern in Klammern</translation>
        </message>
        <message>
            <source>Brackets nested twice: what a dozen of them tell of the stack</source>
            <translation>Zweifach geschachtelte Klammern: was ein Dutzend von ihnen über den Stapel verrät</translation>
        </message>
        <message>
            <source>Branch from a checkpoint…</source>
            <translation>Von einem Checkpoint abzweigen …</translation>
        </message>
        <message>
            <source>Branch from {run}</source>
            <translation>Von {run} abzweigen</translation>
        </message>
        <message>
            <source>Branch from {run} at step {step}</source>
            <translation>Abzweig von {run} bei Schritt {step}</translation>
        </message>
        <message>
            <source>Branched off the run {run} at step {step}.</source>
            <translation>Abgezweigt vom Lauf {run} bei Schritt {step}.</translation>
        </message>
        <message>
            <source>Bring the pictures to one form</source>
            <translation>Bringe die Bilder in eine Form</translation>
        </message>
        <message>
            <source>Browse corpora…</source>
            <translation>Korpora durchsehen …</translation>
        </message>
        <message>
            <source>Browse…</source>
            <translation>Wählen …</translation>
        </message>
        <message>
            <source>Buckets of distances with a trained bias each, for positions “t5”. Typical: 32.</source>
            <translation>Klassen von Abständen mit je einem trainierten Bias, für Positionen „t5“. Üblich: 32.</translation>
        </message>
        <message>
            <source>Build the card with a class or function of the plugin</source>
            <translation>Die Karte mit einer Klasse oder Funktion des Plugins bauen</translation>
        </message>
        <message>
            <source>Build the card with a function or class of the module</source>
            <translation>Die Karte mit einer Funktion oder Klasse des Moduls bauen</translation>
        </message>
        <message>
            <source>Building {title}</source>
            <translation>Bauen von {title}</translation>
        </message>
        <message>
            <source>Bundle, to open in LM Lab</source>
            <translation>Bündel, zum Öffnen in LM Lab</translation>
        </message>
        <message>
            <source>By how much the recurrent matrix can stretch the state in one step</source>
            <translation>Um wie viel die rekurrente Matrix den Zustand in einem Schritt strecken kann</translation>
        </message>
        <message>
            <source>By part</source>
            <translation>Nach Teilen</translation>
        </message>
        <message>
            <source>Byte pair encoding</source>
            <translation>Byte Pair Encoding</translation>
        </message>
        <message>
            <source>Bytes</source>
            <translation>Bytes</translation>
        </message>
        <message>
            <source>C</source>
            <translation>C</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>Abbrechen</translation>
        </message>
        <message>
            <source>Cancelled before the loss {how} was measured. Click it again to measure it.</source>
            <translation>Abgebrochen, bevor der Verlust {how} gemessen war. Noch einmal anklicken, um ihn zu messen.</translation>
        </message>
        <message>
            <source>Cancelled.</source>
            <translation>Abgebrochen.</translation>
        </message>
        <message>
            <source>Cancelled. The next download continues from there</source>
            <translation>Abgebrochen. Das nächste Herunterladen setzt dort fort</translation>
        </message>
        <message>
            <source>Cancelled: without {experts} nothing was evaluated.</source>
            <translation>Abgebrochen: Ohne {experts} wurde nichts ausgewertet.</translation>
        </message>
        <message>
            <source>Cannot allocate memory</source>
            <translation>Kein Speicher verfügbar</translation>
        </message>
        <message>
            <source>Capacity factor</source>
            <translation>Kapazitätsfaktor</translation>
        </message>
        <message>
            <source>Captions</source>
            <translation>Bildunterschriften</translation>
        </message>
        <message>
            <source>Cards below the loss</source>
            <translation>Karten unter dem Verlust</translation>
        </message>
        <message>
            <source>Cards that are not assigned to a question</source>
            <translation>Die Karten, die keiner Frage zugeordnet sind</translation>
        </message>
        <message>
            <source>Cell</source>
            <translation>Zelle</translation>
        </message>
        <message>
            <source>Chain</source>
            <translation>Kette</translation>
        </message>
        <message>
            <source>Change its permissions, or copy it to a folder of your own</source>
            <translation>Die Rechte ändern oder in einen eigenen Ordner kopieren</translation>
        </message>
        <message>
            <source>Change only settings that keep the shapes of the weights, or start a new run</source>
            <translation>Nur Einstellungen ändern, bei denen die Formen der Gewichte gleich bleiben, oder einen neuen Lauf starten</translation>
        </message>
        <message>
            <source>Change these first</source>
            <translation>Zuerst diese ändern</translation>
        </message>
        <message>
            <source>Changes take effect at the next step, and leave a flag on the curve.</source>
            <translation>Änderungen wirken beim nächsten Schritt und hinterlassen eine Markierung auf der Kurve.</translation>
        </message>
        <message>
            <source>Changing the plugin {name}</source>
            <translation>Das Plugin {name} wird umgestellt</translation>
        </message>
        <message>
            <source>Channel</source>
            <translation>Kanal</translation>
        </message>
        <message>
            <source>Channels inside the mixer, as a multiple of the width. Typical: 2.</source>
            <translation>Kanäle im Mischer, als Vielfaches der Breite. Üblich: 2.</translation>
        </message>
        <message>
            <source>Channels of a key and of a query in each head, the rows of its state; 0 means the width in the paper. Typical: 32 to 256.</source>
            <translation>Kanäle eines Keys und einer Query in jedem Kopf, die Zeilen seines Zustands; 0 bedeutet die Breite der Arbeit. Üblich: 32 bis 256.</translation>
        </message>
        <message>
            <source>Channels of a value in each head, the columns of its state; 0 means the width in the paper. Typical: 32 to 512.</source>
            <translation>Kanäle eines Values in jedem Kopf, die Spalten seines Zustands; 0 bedeutet die Breite der Arbeit. Üblich: 32 bis 512.</translation>
        </message>
        <message>
            <source>Channels of each head; 0 shares the width among the heads. Typical: 32 to 128.</source>
            <translation>Kanäle jedes Kopfes; 0 teilt die Breite unter den Köpfen auf. Üblich: 32 bis 128.</translation>
        </message>
        <message>
            <source>Channels of each head; they share one decay. Typical: 64 to 128.</source>
            <translation>Kanäle jedes Kopfes; sie haben ein gemeinsames Abklingen. Üblich: 64 bis 128.</translation>
        </message>
        <message>
            <source>Channels of the bottleneck in the projection of the decays. Typical: 16 to 128.</source>
            <translation>Kanäle des Engpasses in der Projektion der Abklingfaktoren. Üblich: 16 bis 128.</translation>
        </message>
        <message>
            <source>Channels of the bottleneck that computes how much of the previous token each of the five inputs sees. Typical: 32 to 64.</source>
            <translation>Kanäle des Engpasses, der berechnet, wie viel vom vorigen Token jede der fünf Eingaben sieht. Üblich: 32 bis 64.</translation>
        </message>
        <message>
            <source>Channels of the pictures. Found out: grey if the first one is.</source>
            <translation>Kanäle der Bilder. Wird erkannt: grau, wenn das erste Bild grau ist.</translation>
        </message>
        <message>
            <source>Channels of the residual stream. Typical: 64 to 768.</source>
            <translation>Kanäle des Residualstroms. Üblich: 64 bis 768.</translation>
        </message>
        <message>
            <source>Channels rotated together: one of each half, as in LLaMA's weights here, or neighbours.</source>
            <translation>Kanäle, die gemeinsam gedreht werden: einer aus jeder Hälfte, wie hier in den Gewichten von LLaMA, oder benachbarte.</translation>
        </message>
        <message>
            <source>Characters</source>
            <translation>Zeichen</translation>
        </message>
        <message>
            <source>Characters of the text; a longer one starts the same.</source>
            <translation>Zeichen des Textes; ein längerer beginnt gleich.</translation>
        </message>
        <message>
            <source>Chart</source>
            <translation>Diagramm</translation>
        </message>
        <message>
            <source>Chart: {y} over {x}</source>
            <translation>Diagramm: {y} über {x}</translation>
        </message>
        <message>
            <source>Charts are drawn less often, and smaller models are suggested. Settings can change that.</source>
            <translation>Diagramme werden seltener gezeichnet und kleinere Modelle vorgeschlagen. Die Einstellungen können das ändern.</translation>
        </message>
        <message>
            <source>Charts are drawn ten times a second, and memory is used as it is needed</source>
            <translation>Diagramme werden zehnmal pro Sekunde gezeichnet, und Speicher wird nach Bedarf genutzt</translation>
        </message>
        <message>
            <source>Check again</source>
            <translation>Noch einmal prüfen</translation>
        </message>
        <message>
            <source>Check its files</source>
            <translation>Die Dateien prüfen</translation>
        </message>
        <message>
            <source>Check of this machine</source>
            <translation>Prüfung dieses Rechners</translation>
        </message>
        <message>
            <source>Check that disk and folder, or choose another with --out or LAB_HOME</source>
            <translation>Datenträger und Ordner prüfen, oder mit --out oder LAB_HOME einen anderen wählen</translation>
        </message>
        <message>
            <source>Check that disk, or move the lab's folder to another with LAB_HOME</source>
            <translation>Den Datenträger prüfen, oder den Ordner des Labors mit LAB_HOME auf einen anderen verlegen</translation>
        </message>
        <message>
            <source>Check that file and its disk</source>
            <translation>Datei und Datenträger prüfen</translation>
        </message>
        <message>
            <source>Check that line: an end of line or a quotation mark may be missing</source>
            <translation>Diese Zeile prüfen: vielleicht fehlt ein Zeilenende oder ein Anführungszeichen</translation>
        </message>
        <message>
            <source>Check the address, or hand in to a folder</source>
            <translation>Die Adresse prüfen, oder in einen Ordner abgeben</translation>
        </message>
        <message>
            <source>Check the file and its rights</source>
            <translation>Die Datei und ihre Rechte prüfen</translation>
        </message>
        <message>
            <source>Check the network and the name, or give a local folder or file</source>
            <translation>Netz und Namen prüfen, oder einen lokalen Ordner oder eine Datei angeben</translation>
        </message>
        <message>
            <source>Check the rights of the file</source>
            <translation>Die Zugriffsrechte der Datei prüfen</translation>
        </message>
        <message>
            <source>Check this machine…</source>
            <translation>Diesen Rechner prüfen …</translation>
        </message>
        <message>
            <source>Checking that no later token is read</source>
            <translation>Die Prüfung, ob spätere Token gelesen werden,</translation>
        </message>
        <message>
            <source>Checking this machine</source>
            <translation>Dieser Rechner wird geprüft</translation>
        </message>
        <message>
            <source>Checking what a hand-out will contain</source>
            <translation>Prüfen, was ausgeteilt wird</translation>
        </message>
        <message>
            <source>Checking what the file will contain …</source>
            <translation>Es wird geprüft, was die Datei enthalten wird …</translation>
        </message>
        <message>
            <source>Checkpoint every</source>
            <translation>Checkpoint alle</translation>
        </message>
        <message>
            <source>Checkpoint formats</source>
            <translation>Checkpoint-Formate</translation>
        </message>
        <message>
            <source>Checkpoint interval</source>
            <translation>Checkpoint-Intervall</translation>
        </message>
        <message>
            <source>Checkpoints</source>
            <translation>Checkpoints</translation>
        </message>
        <message>
            <source>Choose a column of text, or take that line out</source>
            <translation>Eine Textspalte wählen, oder diese Zeile entfernen</translation>
        </message>
        <message>
            <source>Choose a corpus of text</source>
            <translation>Einen Textkorpus wählen</translation>
        </message>
        <message>
            <source>Choose a file</source>
            <translation>Eine Datei wählen</translation>
        </message>
        <message>
            <source>Choose a file of text</source>
            <translation>Eine Textdatei wählen</translation>
        </message>
        <message>
            <source>Choose a file or folder</source>
            <translation>Eine Datei oder einen Ordner wählen</translation>
        </message>
        <message>
            <source>Choose a file with some text</source>
            <translation>Eine Datei mit Text wählen</translation>
        </message>
        <message>
            <source>Choose a folder with texts, or one file of any name</source>
            <translation>Einen Ordner mit Texten wählen, oder eine einzelne Datei mit beliebigem Namen</translation>
        </message>
        <message>
            <source>Choose a longer text</source>
            <translation>Einen längeren Text wählen</translation>
        </message>
        <message>
            <source>Choose a measure above: entropy says how widely a head reads, mean distance how far it looks back. The shares are measured on the text, those of induction on random tokens written twice, so that they do not depend on your text.</source>
            <translation>Oben lässt sich ein Maß wählen: Die Entropie sagt, wie breit ein Kopf liest, der mittlere Abstand, wie weit er zurückblickt. Die Anteile werden am Text gemessen, die der Induktion an zufälligen, doppelt geschriebenen Tokens, damit sie nicht vom Text abhängen.</translation>
        </message>
        <message>
            <source>Choose a quantity above. Step size and write strength say how much a token is written, decay and half-life how soon it fades, the eigenvalues whether a state lasts or turns.</source>
            <translation>Oben eine Größe wählen. Schrittweite und Schreibstärke sagen, wie stark ein Token geschrieben wird, Abklingen und Halbwertszeit, wie bald es verblasst, die Eigenwerte, ob ein Zustand bleibt oder sich dreht.</translation>
        </message>
        <message>
            <source>Choose a recipe file, as the lab writes it</source>
            <translation>Wählen Sie eine Rezeptdatei, wie das Labor sie schreibt</translation>
        </message>
        <message>
            <source>Choose a run that reads text</source>
            <translation>Wähle einen Lauf, der Text liest</translation>
        </message>
        <message>
            <source>Choose a run that reads text, examples, labels or conversations</source>
            <translation>Wähle einen Lauf, der Text, Beispiele, Texte mit Klassen oder Gespräche liest</translation>
        </message>
        <message>
            <source>Choose a run with the objective classification</source>
            <translation>Wähle einen Lauf mit der Zielfunktion classification</translation>
        </message>
        <message>
            <source>Choose a text file</source>
            <translation>Eine Textdatei wählen</translation>
        </message>
        <message>
            <source>Choose an architecture with a width</source>
            <translation>Eine Architektur mit einer Breite wählen</translation>
        </message>
        <message>
            <source>Choose an objective for this kind of corpus; text is for causal, carried and masked</source>
            <translation>Ein Ziel für diese Art von Korpus wählen; Text ist für causal, carried und masked</translation>
        </message>
        <message>
            <source>Choose another file</source>
            <translation>Eine andere Datei wählen</translation>
        </message>
        <message>
            <source>Choose another folder</source>
            <translation>Einen anderen Ordner wählen</translation>
        </message>
        <message>
            <source>Choose another folder with LAB_HOME</source>
            <translation>Mit LAB_HOME einen anderen Ordner wählen</translation>
        </message>
        <message>
            <source>Choose another folder, or leave this option out</source>
            <translation>Einen anderen Ordner wählen, oder diese Option weglassen</translation>
        </message>
        <message>
            <source>Choose another name</source>
            <translation>Einen anderen Namen wählen</translation>
        </message>
        <message>
            <source>Choose another name, or add --overwrite</source>
            <translation>Wähle einen anderen Namen, oder füge --overwrite hinzu</translation>
        </message>
        <message>
            <source>Choose another port, or none</source>
            <translation>Einen anderen Port wählen, oder keinen</translation>
        </message>
        <message>
            <source>Choose another probe</source>
            <translation>Eine andere Sonde wählen</translation>
        </message>
        <message>
            <source>Choose another probe: recurrent-matrices has the spectral radius</source>
            <translation>Eine andere Sonde wählen: recurrent-matrices hat den Spektralradius</translation>
        </message>
        <message>
            <source>Choose another schedule, or repair this one</source>
            <translation>Einen anderen Plan wählen oder diesen reparieren</translation>
        </message>
        <message>
            <source>Choose another table</source>
            <translation>Eine andere Tabelle wählen</translation>
        </message>
        <message>
            <source>Choose auto</source>
            <translation>auto wählen</translation>
        </message>
        <message>
            <source>Choose auto, or install a torch build for that device</source>
            <translation>auto wählen oder torch für dieses Gerät installieren</translation>
        </message>
        <message>
            <source>Choose one of these, or switch training.separate_documents off</source>
            <translation>Eine davon wählen oder training.separate_documents ausschalten</translation>
        </message>
        <message>
            <source>Choose one: --objective NAME</source>
            <translation>Eines wählen: --objective NAME</translation>
        </message>
        <message>
            <source>Choose text…</source>
            <translation>Text wählen …</translation>
        </message>
        <message>
            <source>Choose the column with the class of each row</source>
            <translation>Die Spalte mit der Klasse jeder Zeile wählen</translation>
        </message>
        <message>
            <source>Choose the columns that are read</source>
            <translation>Wähle die Spalten, die gelesen werden</translation>
        </message>
        <message>
            <source>Choose the corpus file, with a text of your own</source>
            <translation>Den Korpus file mit einem eigenen Text wählen</translation>
        </message>
        <message>
            <source>Choose the file tokenizer.json of a model</source>
            <translation>Die Datei tokenizer.json eines Modells wählen</translation>
        </message>
        <message>
            <source>Choose the folder into which runs are handed in</source>
            <translation>Den Ordner wählen, in den Läufe abgegeben werden</translation>
        </message>
        <message>
            <source>Choose the folder of a model</source>
            <translation>Den Ordner eines Modells wählen</translation>
        </message>
        <message>
            <source>Choose the folder of a version, below snapshots</source>
            <translation>Den Ordner einer Version wählen, unterhalb von snapshots</translation>
        </message>
        <message>
            <source>Choose the folder that contains it</source>
            <translation>Den Ordner wählen, der sie enthält</translation>
        </message>
        <message>
            <source>Choose the folder with the pictures and their table</source>
            <translation>Den Ordner mit den Bildern und ihrer Tabelle wählen</translation>
        </message>
        <message>
            <source>Choose the objective regression, or give labels 0 and 1</source>
            <translation>Das Ziel regression wählen oder Labels 0 und 1 angeben</translation>
        </message>
        <message>
            <source>Choose the tokenizer character</source>
            <translation>Den Tokenizer character wählen</translation>
        </message>
        <message>
            <source>Chooses the tokens.</source>
            <translation>Wählt die Tokens.</translation>
        </message>
        <message>
            <source>Choosing a prompt</source>
            <translation>Ein Prompt wird gewählt</translation>
        </message>
        <message>
            <source>Circuits of heads</source>
            <translation>Schaltkreise der Köpfe</translation>
        </message>
        <message>
            <source>Class</source>
            <translation>Klasse</translation>
        </message>
        <message>
            <source>Classes</source>
            <translation>Klassen</translation>
        </message>
        <message>
            <source>Classification</source>
            <translation>Klassifikation</translation>
        </message>
        <message>
            <source>Classifying</source>
            <translation>Klassifizieren</translation>
        </message>
        <message>
            <source>Class…</source>
            <translation>Klasse …</translation>
        </message>
        <message>
            <source>Clear</source>
            <translation>Leeren</translation>
        </message>
        <message>
            <source>Clear the queue</source>
            <translation>Warteschlange leeren</translation>
        </message>
        <message>
            <source>Click a cell to measure it. Near zero: the model does as well without this part, perhaps because another one does the same.</source>
            <translation>Ein Feld anklicken, um es zu messen. Nahe null: Das Modell kommt ohne diesen Teil ebenso gut aus, vielleicht weil ein anderer dasselbe tut.</translation>
        </message>
        <message>
            <source>Click a part to measure the loss without it on {count}.</source>
            <translation>Einen Teil anklicken, um den Verlust ohne ihn auf {count} zu messen.</translation>
        </message>
        <message>
            <source>Click for details, and to measure these runs on the same text.</source>
            <translation>Anklicken für Einzelheiten und um diese Läufe auf demselben Text zu messen.</translation>
        </message>
        <message>
            <source>Click the bar of an expert to compute the validation loss without it.</source>
            <translation>Den Balken eines Experten anklicken, um den Validierungsverlust ohne ihn zu berechnen.</translation>
        </message>
        <message>
            <source>Clock</source>
            <translation>Uhr</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>Schließen</translation>
        </message>
        <message>
            <source>Close (Esc)</source>
            <translation>Schließen (Esc)</translation>
        </message>
        <message>
            <source>Close and keep training</source>
            <translation>Weiter trainieren</translation>
        </message>
        <message>
            <source>Close other programs and check again; if that does not help, send a report</source>
            <translation>Andere Programme schließen und noch einmal prüfen; hilft das nicht, einen Bericht senden</translation>
        </message>
        <message>
            <source>Close other programs, or choose a smaller model and batch</source>
            <translation>Andere Programme schließen, oder ein kleineres Modell und einen kleineren Batch wählen</translation>
        </message>
        <message>
            <source>Close other programs, or choose a smaller one</source>
            <translation>Andere Programme schließen, oder ein kleineres wählen</translation>
        </message>
        <message>
            <source>Close the lab?</source>
            <translation>Labor schließen?</translation>
        </message>
        <message>
            <source>Close the other program that has this run open for writing</source>
            <translation>Das andere Programm schließen, das diesen Lauf zum Schreiben geöffnet hat</translation>
        </message>
        <message>
            <source>Close this column</source>
            <translation>Diese Spalte schließen</translation>
        </message>
        <message>
            <source>Close without saving</source>
            <translation>Schließen, ohne zu speichern</translation>
        </message>
        <message>
            <source>Close; the page stays until it is ended</source>
            <translation>Schließen; die Seite bleibt, bis sie beendet wird</translation>
        </message>
        <message>
            <source>Code ({ends})</source>
            <translation>Code ({ends})</translation>
        </message>
        <message>
            <source>Collect over the network</source>
            <translation>Über das Netz einsammeln</translation>
        </message>
        <message>
            <source>Collect over the network…</source>
            <translation>Über das Netz einsammeln …</translation>
        </message>
        <message>
            <source>Colour</source>
            <translation>Farbe</translation>
        </message>
        <message>
            <source>Coloured shapes</source>
            <translation>Farbige Formen</translation>
        </message>
        <message>
            <source>Colours</source>
            <translation>Farben</translation>
        </message>
        <message>
            <source>Colours follow the square root, to show small values</source>
            <translation>Farben folgen der Quadratwurzel, damit kleine Werte sichtbar sind</translation>
        </message>
        <message>
            <source>Colours follow the square root, to show small weights</source>
            <translation>Farben folgen der Quadratwurzel, damit kleine Gewichte sichtbar sind</translation>
        </message>
        <message>
            <source>Colours of {name} 1 to {count}</source>
            <translation>Farben von {name} 1 bis {count}</translation>
        </message>
        <message>
            <source>Column</source>
            <translation>Spalte</translation>
        </message>
        <message>
            <source>Column {name}</source>
            <translation>Spalte {name}</translation>
        </message>
        <message>
            <source>Columns</source>
            <translation>Spalten</translation>
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
            <source>Comparable</source>
            <translation>Vergleichbar</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>Vergleichen</translation>
        </message>
        <message>
            <source>Compare the losses of the selected runs, or of those that are shown in the charts</source>
            <translation>Die Verluste der ausgewählten Läufe vergleichen, oder derer, die in den Diagrammen gezeigt werden</translation>
        </message>
        <message>
            <source>Compare this step with the steps selected next</source>
            <translation>Diesen Schritt mit den danach ausgewählten vergleichen</translation>
        </message>
        <message>
            <source>Compare two architectures</source>
            <translation>Zwei Architekturen vergleichen</translation>
        </message>
        <message>
            <source>Compare with the possible ones: from order 4 or 5 on almost all have never been seen.</source>
            <translation>Mit den möglichen vergleichen: Ab Ordnung 4 oder 5 sind fast alle nie vorgekommen.</translation>
        </message>
        <message>
            <source>Compare with…</source>
            <translation>Vergleichen mit …</translation>
        </message>
        <message>
            <source>Compared with {name}: {what}.</source>
            <translation>Verglichen mit {name}: {what}.</translation>
        </message>
        <message>
            <source>Compared with {run}:</source>
            <translation>Verglichen mit {run}:</translation>
        </message>
        <message>
            <source>Compare…</source>
            <translation>Vergleichen …</translation>
        </message>
        <message>
            <source>Comparing models</source>
            <translation>Vergleichen der Modelle</translation>
        </message>
        <message>
            <source>Comparing runs with recipes</source>
            <translation>Läufe werden mit Rezepten verglichen</translation>
        </message>
        <message>
            <source>Comparing validation with training</source>
            <translation>Validierung und Training werden verglichen</translation>
        </message>
        <message>
            <source>Composition</source>
            <translation>Komposition</translation>
        </message>
        <message>
            <source>Compressing the text</source>
            <translation>Der Text wird komprimiert</translation>
        </message>
        <message>
            <source>Compressors</source>
            <translation>Kompressoren</translation>
        </message>
        <message>
            <source>Compute attention and feed-forward layer in parallel, after one common norm or one norm each.</source>
            <translation>Attention und Feedforward-Schicht parallel berechnen, nach einer gemeinsamen Norm oder je einer eigenen.</translation>
        </message>
        <message>
            <source>Computing its cost…</source>
            <translation>Kosten werden berechnet …</translation>
        </message>
        <message>
            <source>Computing the cost of a run</source>
            <translation>Die Kosten eines Laufs werden berechnet</translation>
        </message>
        <message>
            <source>Computing the size of the model</source>
            <translation>Die Größe des Modells wird berechnet</translation>
        </message>
        <message>
            <source>Concentration</source>
            <translation>Konzentration</translation>
        </message>
        <message>
            <source>Concentration of the Dirichlet distribution of the rows: small values favour one letter per row, large values make all letters equally likely. A probability below 0.0001 becomes 0.</source>
            <translation>Konzentration der Dirichlet-Verteilung der Zeilen: Kleine Werte bevorzugen einen Buchstaben pro Zeile, große machen alle Buchstaben gleich wahrscheinlich. Eine Wahrscheinlichkeit unter 0,0001 wird 0.</translation>
        </message>
        <message>
            <source>Concentration of the Dirichlet distribution of transitions and emissions: small values give each state one main letter and one main next state. A probability below 0.0001 becomes 0.</source>
            <translation>Konzentration der Dirichlet-Verteilung der Übergänge und Ausgaben: Kleine Werte geben jedem Zustand einen Hauptbuchstaben und einen Hauptnachfolger. Eine Wahrscheinlichkeit unter 0,0001 wird 0.</translation>
        </message>
        <message>
            <source>Configuration of the next run; runs that exist keep theirs</source>
            <translation>Konfiguration des nächsten Laufs; vorhandene Läufe behalten ihre</translation>
        </message>
        <message>
            <source>Connect to a network, or name its proxy with `lm-lab download --proxy` or HTTPS_PROXY.</source>
            <translation>Mit einem Netz verbinden, oder dessen Proxy mit `lm-lab download --proxy` oder HTTPS_PROXY angeben.</translation>
        </message>
        <message>
            <source>Constant</source>
            <translation>Konstant</translation>
        </message>
        <message>
            <source>Contents</source>
            <translation>Inhalt</translation>
        </message>
        <message>
            <source>Context length</source>
            <translation>Kontextlänge</translation>
        </message>
        <message>
            <source>Context length before stretching, for “llama3”. Typical: 2,048 to 8,192.</source>
            <translation>Kontextlänge vor der Dehnung, für „llama3“. Üblich: 2.048 bis 8.192.</translation>
        </message>
        <message>
            <source>Contexts covered</source>
            <translation>Bekannte Kontexte</translation>
        </message>
        <message>
            <source>Continuations</source>
            <translation>Fortsetzungen</translation>
        </message>
        <message>
            <source>Continue with {run}</source>
            <translation>Mit {run} weitermachen</translation>
        </message>
        <message>
            <source>Continues several texts at once, and takes the likeliest one in the end.</source>
            <translation>Setzt mehrere Texte zugleich fort und nimmt am Ende den wahrscheinlichsten.</translation>
        </message>
        <message>
            <source>Contrast</source>
            <translation>Gegensatz</translation>
        </message>
        <message>
            <source>Conversations as lists of messages with roles, of which the model learns to write one.</source>
            <translation>Gespräche als Listen von Nachrichten mit Rollen; das Modell lernt, eine davon zu schreiben.</translation>
        </message>
        <message>
            <source>Convert it to one plain UTF-8 file and train on that</source>
            <translation>In eine reine UTF-8-Textdatei umwandeln und darauf trainieren</translation>
        </message>
        <message>
            <source>Convolution bias</source>
            <translation>Bias der Faltung</translation>
        </message>
        <message>
            <source>Convolutions and attention over patches get nearly all of them right; a linear model confuses digits that share strokes. The lowest possible loss is not known; it is close to 0.</source>
            <translation>Faltungen und Attention über Bildausschnitte erkennen fast alle; ein lineares Modell verwechselt Ziffern mit gemeinsamen Strichen. Der kleinstmögliche Verlust ist nicht bekannt; er liegt nahe 0.</translation>
        </message>
        <message>
            <source>Copied {n} of {all} rows</source>
            <translation>{n} von {all} Zeilen kopiert</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>Kopieren</translation>
        </message>
        <message>
            <source>Copy a Python file into the plugins folder</source>
            <translation>Eine Python-Datei in den Plugin-Ordner kopieren</translation>
        </message>
        <message>
            <source>Copy a report without names and paths</source>
            <translation>Einen Bericht ohne Namen und Pfade kopieren</translation>
        </message>
        <message>
            <source>Copy a string</source>
            <translation>Zeichenkette kopieren</translation>
        </message>
        <message>
            <source>Copy all figures of this page as text</source>
            <translation>Alle Zahlen dieser Seite als Text kopieren</translation>
        </message>
        <message>
            <source>Copy figures</source>
            <translation>Zahlen kopieren</translation>
        </message>
        <message>
            <source>Copy four symbols among noise</source>
            <translation>Vier Symbole im Rauschen</translation>
        </message>
        <message>
            <source>Copy its settings into the form</source>
            <translation>Seine Einstellungen ins Formular übernehmen</translation>
        </message>
        <message>
            <source>Copy link</source>
            <translation>Link kopieren</translation>
        </message>
        <message>
            <source>Copy picture</source>
            <translation>Bild kopieren</translation>
        </message>
        <message>
            <source>Copy report</source>
            <translation>Bericht kopieren</translation>
        </message>
        <message>
            <source>Copy the address that the teacher's lab shows, with its last part</source>
            <translation>Die Adresse, die das Labor der Lehrkraft zeigt, mit ihrem letzten Teil kopieren</translation>
        </message>
        <message>
            <source>Copy the link again, from its first to its last character</source>
            <translation>Den Link noch einmal kopieren, vom ersten bis zum letzten Zeichen</translation>
        </message>
        <message>
            <source>Copy the run to your disk</source>
            <translation>Den Lauf auf die eigene Festplatte kopieren</translation>
        </message>
        <message>
            <source>Copy the run, and use the copy</source>
            <translation>Den Lauf kopieren, und die Kopie verwenden</translation>
        </message>
        <message>
            <source>Copy the selected notices, or all of them, with their traces</source>
            <translation>Die ausgewählten Meldungen oder alle kopieren, mit ihren Tracebacks</translation>
        </message>
        <message>
            <source>Copy the selected rows, or all of them</source>
            <translation>Die ausgewählten Zeilen oder alle kopieren</translation>
        </message>
        <message>
            <source>Copy {url} from another machine, and give the path of the copy as the corpus</source>
            <translation>{url} von einem anderen Rechner kopieren und den Pfad der Kopie als Korpus angeben</translation>
        </message>
        <message>
            <source>Copy: attention gives a string back</source>
            <translation>Kopieren: Attention gibt eine Zeichenkette wieder</translation>
        </message>
        <message>
            <source>Copying</source>
            <translation>Kopieren</translation>
        </message>
        <message>
            <source>Copying the model</source>
            <translation>Kopieren des Modells</translation>
        </message>
        <message>
            <source>Corpora</source>
            <translation>Korpora</translation>
        </message>
        <message>
            <source>Corpora and tokenizers: those that come with the lab.</source>
            <translation>Korpora und Tokenizer: die mitgelieferten.</translation>
        </message>
        <message>
            <source>Corpus</source>
            <translation>Korpus</translation>
        </message>
        <message>
            <source>Correct it</source>
            <translation>Das berichtigen</translation>
        </message>
        <message>
            <source>Correct it, or take another file</source>
            <translation>Berichtigen Sie es, oder nehmen Sie eine andere Datei</translation>
        </message>
        <message>
            <source>Correct its name</source>
            <translation>Ihren Namen berichtigen</translation>
        </message>
        <message>
            <source>Correct that line, or save the table again as CSV</source>
            <translation>Diese Zeile berichtigen, oder die Tabelle erneut als CSV speichern</translation>
        </message>
        <message>
            <source>Correct that line, or take it out</source>
            <translation>Diese Zeile berichtigen oder streichen</translation>
        </message>
        <message>
            <source>Count the rest</source>
            <translation>Rest zählen</translation>
        </message>
        <message>
            <source>Count the rows</source>
            <translation>Zeilen zählen</translation>
        </message>
        <message>
            <source>Count the statistics that are still missing</source>
            <translation>Die noch fehlende Statistik zählen</translation>
        </message>
        <message>
            <source>Counting and a stack: the depth determines whether a bracket may open or close, the last open bracket determines the kind of the closing one.</source>
            <translation>Zählen und ein Stapel: Die Tiefe bestimmt, ob eine Klammer öffnen oder schließen darf, die letzte offene Klammer bestimmt die Art der schließenden.</translation>
        </message>
        <message>
            <source>Counting n-grams of characters</source>
            <translation>n-Gramme aus Zeichen werden gezählt</translation>
        </message>
        <message>
            <source>Counting n-grams of words</source>
            <translation>n-Gramme aus Wörtern werden gezählt</translation>
        </message>
        <message>
            <source>Counting the corpus</source>
            <translation>Der Korpus wird gezählt</translation>
        </message>
        <message>
            <source>Counting the rows</source>
            <translation>Zählen der Zeilen</translation>
        </message>
        <message>
            <source>Counting the rows.</source>
            <translation>Die Zeilen werden gezählt.</translation>
        </message>
        <message>
            <source>Counting words is all there is to do, so a linear classifier is as good as any network, and no model gets below the stated loss.</source>
            <translation>Wörter zu zählen genügt; ein linearer Klassifikator ist so gut wie jedes Netz, und kein Modell kommt unter den angegebenen Verlust.</translation>
        </message>
        <message>
            <source>Counts by rank</source>
            <translation>Häufigkeiten nach Rang</translation>
        </message>
        <message>
            <source>Counts of n-grams</source>
            <translation>Zählungen der n-Gramme</translation>
        </message>
        <message>
            <source>Counts what followed every short context in the training text; no training by gradient.</source>
            <translation>Zählt, was im Trainingstext auf jeden kurzen Kontext folgte; kein Training mit Gradienten.</translation>
        </message>
        <message>
            <source>Cross attention</source>
            <translation>Cross-Attention</translation>
        </message>
        <message>
            <source>Curves</source>
            <translation>Kurven</translation>
        </message>
        <message>
            <source>Cycle</source>
            <translation>Kreis</translation>
        </message>
        <message>
            <source>Cycle navigation</source>
            <translation>Weg im Kreis</translation>
        </message>
        <message>
            <source>Cycle navigation: where a walk of six steps ends</source>
            <translation>Navigation im Kreis: wo ein Weg von sechs Schritten endet</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>Dunkel</translation>
        </message>
        <message>
            <source>Dashed lines distinguish runs</source>
            <translation>Läufe durch gestrichelte Linien unterscheiden</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>Daten</translation>
        </message>
        <message>
            <source>Data as a table</source>
            <translation>Daten als Tabelle</translation>
        </message>
        <message>
            <source>Data of {title}</source>
            <translation>Daten: {title}</translation>
        </message>
        <message>
            <source>Dates as people write them, each with its form in ISO 8601: 4 March 2025 and 2025-03-04.</source>
            <translation>Kalenderdaten, wie man sie auf Englisch schreibt, jedes mit seiner Form nach ISO 8601: 4 March 2025 und 2025-03-04.</translation>
        </message>
        <message>
            <source>Dates in one format</source>
            <translation>Kalenderdaten in einem Format</translation>
        </message>
        <message>
            <source>Dead experts come back</source>
            <translation>Tote Experten kommen zurück</translation>
        </message>
        <message>
            <source>Dead experts come back to life: the same, with the loss on their balance from step 500 on</source>
            <translation>Tote Experten leben wieder auf: dasselbe, mit dem Balance-Verlust ab Schritt 500</translation>
        </message>
        <message>
            <source>Debug</source>
            <translation>Diagnose</translation>
        </message>
        <message>
            <source>Decay</source>
            <translation>Abklingfaktor</translation>
        </message>
        <message>
            <source>Decay exponent</source>
            <translation>Abklingexponent</translation>
        </message>
        <message>
            <source>Decay of matrices towards zero, added to the gradient. Typical: 0, or 1e-4 to 5e-4.</source>
            <translation>Abfall der Matrizen gegen null, zum Gradienten addiert. Üblich: 0 oder 1e-4 bis 5e-4.</translation>
        </message>
        <message>
            <source>Decay of matrices towards zero, times the learning rate. Typical: 0.01 to 0.1.</source>
            <translation>Abfall der Matrizen gegen null, mal die Lernrate. Üblich: 0,01 bis 0,1.</translation>
        </message>
        <message>
            <source>Decay of the mean gradient of matrices per step, taken one step ahead (Nesterov). Typical: 0.9 to 0.95.</source>
            <translation>Abklingen des mittleren Gradienten der Matrizen pro Schritt, einen Schritt vorausgenommen (Nesterov). Üblich: 0,9 bis 0,95.</translation>
        </message>
        <message>
            <source>Decay of the mean gradient per step. Typical: 0.9.</source>
            <translation>Abklingen des mittleren Gradienten pro Schritt. Üblich: 0,9.</translation>
        </message>
        <message>
            <source>Decay of the mean squared gradient per step. Typical: 0.95 to 0.999.</source>
            <translation>Abklingen des mittleren quadrierten Gradienten pro Schritt. Üblich: 0,95 bis 0,999.</translation>
        </message>
        <message>
            <source>Decay rank</source>
            <translation>Rang des Abklingens</translation>
        </message>
        <message>
            <source>Decay steps</source>
            <translation>Schritte des Abfalls</translation>
        </message>
        <message>
            <source>Decoding</source>
            <translation>Dekodieren</translation>
        </message>
        <message>
            <source>Decoding state</source>
            <translation>Zustand beim Dekodieren</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>Löschen</translation>
        </message>
        <message>
            <source>Delete its folder yourself</source>
            <translation>Den Ordner selbst löschen</translation>
        </message>
        <message>
            <source>Delete permanently</source>
            <translation>Endgültig löschen</translation>
        </message>
        <message>
            <source>Delete runs and downloads that you do not need</source>
            <translation>Läufe und Downloads löschen, die nicht gebraucht werden</translation>
        </message>
        <message>
            <source>Delete runs that are no longer needed, then empty the bin</source>
            <translation>Nicht mehr benötigte Läufe löschen, dann den Papierkorb leeren</translation>
        </message>
        <message>
            <source>Delete runs you do not need and empty the bin, or move the lab's folder with LAB_HOME</source>
            <translation>Läufe löschen, die nicht gebraucht werden, und den Papierkorb leeren, oder den Ordner des Labors mit LAB_HOME verlegen</translation>
        </message>
        <message>
            <source>Delete settings.json.damaged if you miss nothing</source>
            <translation>settings.json.damaged löschen, wenn nichts fehlt</translation>
        </message>
        <message>
            <source>Delete the folder {name} in hand-outs of the lab's folder, and open it again</source>
            <translation>Den Ordner {name} in hand-outs im Ordner des Labors löschen, und erneut öffnen</translation>
        </message>
        <message>
            <source>Deleted runs</source>
            <translation>Gelöschte Läufe</translation>
        </message>
        <message>
            <source>Deleting runs</source>
            <translation>Läufe werden gelöscht</translation>
        </message>
        <message>
            <source>Delta rule</source>
            <translation>Deltaregel</translation>
        </message>
        <message>
            <source>DeltaNet</source>
            <translation>DeltaNet</translation>
        </message>
        <message>
            <source>Dense FFN width</source>
            <translation>Breite der dichten FFN</translation>
        </message>
        <message>
            <source>Descending</source>
            <translation>Absteigend</translation>
        </message>
        <message>
            <source>Details</source>
            <translation>Details</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>Gerät</translation>
        </message>
        <message>
            <source>Device of the computation: auto, cpu, cuda, cuda:1, mps.</source>
            <translation>Gerät, auf dem gerechnet wird: auto, cpu, cuda, cuda:1, mps.</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>Geräte</translation>
        </message>
        <message>
            <source>Did you mean {mixers}?</source>
            <translation>Gemeint ist vielleicht {mixers}</translation>
        </message>
        <message>
            <source>Did you mean {near}? {hint}</source>
            <translation>Gemeint ist vielleicht {near}. {hint}</translation>
        </message>
        <message>
            <source>Differences from the configuration</source>
            <translation>Unterschiede zur Konfiguration</translation>
        </message>
        <message>
            <source>Different data tokens, each equally likely.</source>
            <translation>Verschiedene Datentokens, alle gleich wahrscheinlich.</translation>
        </message>
        <message>
            <source>Different letters, from a on.</source>
            <translation>Verschiedene Buchstaben, ab a.</translation>
        </message>
        <message>
            <source>Different random tokens, then the last of them again; how many differs from example to example.</source>
            <translation>Verschiedene zufällige Tokens, dann die letzten davon noch einmal; wie viele, ist in jedem Beispiel anders.</translation>
        </message>
        <message>
            <source>Different symbols, each equally likely.</source>
            <translation>Verschiedene Symbole, alle gleich wahrscheinlich.</translation>
        </message>
        <message>
            <source>Differs from {value}; click to use that</source>
            <translation>Weicht von {value} ab; ein Klick übernimmt das</translation>
        </message>
        <message>
            <source>Disable</source>
            <translation>Deaktivieren</translation>
        </message>
        <message>
            <source>Discretisation</source>
            <translation>Diskretisierung</translation>
        </message>
        <message>
            <source>Discretisation of the continuous system: the bilinear rule, or a constant input in between (zero-order hold), for S4D alone.</source>
            <translation>Diskretisierung des kontinuierlichen Systems: die bilineare Regel, oder dazwischen konstante Eingabe (Halteglied nullter Ordnung), nur für S4D.</translation>
        </message>
        <message>
            <source>Disk quota exceeded</source>
            <translation>Das Speicherkontingent ist erschöpft</translation>
        </message>
        <message>
            <source>Display and fonts</source>
            <translation>Bildschirm und Schriften</translation>
        </message>
        <message>
            <source>Distance</source>
            <translation>Abstand</translation>
        </message>
        <message>
            <source>Distance from which all share a bucket, for positions “t5”. Typical: 128.</source>
            <translation>Abstand, ab dem alle in eine Klasse fallen, für Positionen „t5“. Üblich: 128.</translation>
        </message>
        <message>
            <source>Distance of a token from its repetition: drawn separately for each example, from 2 to the length, among different tokens; or always the length, which a single layer of attention learns by position alone.</source>
            <translation>Abstand eines Tokens von seiner Wiederholung: in jedem Beispiel neu gezogen, von 2 bis zur Länge, bei verschiedenen Tokens; oder immer die Länge, was eine einzelne Schicht Attention allein nach der Position lernt.</translation>
        </message>
        <message>
            <source>Distance of questions from the pairs: position i has the weight i^(power − 1); 1 makes all positions equally likely.</source>
            <translation>Abstand der Fragen von den Paaren: Position i hat das Gewicht i^(Potenz − 1); mit 1 sind alle Positionen gleich wahrscheinlich.</translation>
        </message>
        <message>
            <source>Divide initial weights that write into the residual stream by √(2 × layers).</source>
            <translation>Anfangsgewichte, die in den Residualstrom schreiben, durch √(2 × Schichten) teilen.</translation>
        </message>
        <message>
            <source>Divides positive and multiplies negative logits of tokens in the text so far; 1 changes nothing. Typical: 1 to 1.3.</source>
            <translation>Teilt positive und vervielfacht negative Logits von Tokens des bisherigen Textes; 1 ändert nichts. Üblich: 1 bis 1,3.</translation>
        </message>
        <message>
            <source>Divides the logits: below 1 sharper, above 1 flatter; 0 takes the best. Typical: 0.7 to 1.</source>
            <translation>Teilt die Logits: unter 1 schärfer, über 1 flacher; 0 nimmt das beste Token. Üblich: 0,7 bis 1.</translation>
        </message>
        <message>
            <source>Do not trust this folder</source>
            <translation>Diesem Ordner nicht vertrauen</translation>
        </message>
        <message>
            <source>Do not use this run, unless you know who made it</source>
            <translation>Diesen Lauf nur verwenden, wenn bekannt ist, wer ihn gemacht hat</translation>
        </message>
        <message>
            <source>Documents</source>
            <translation>Dokumente</translation>
        </message>
        <message>
            <source>Does not read {kind}, which the corpus gives</source>
            <translation>Liest Folgendes nicht, was der Korpus enthält: {kind}</translation>
        </message>
        <message>
            <source>Done</source>
            <translation>Fertig</translation>
        </message>
        <message>
            <source>Download</source>
            <translation>Herunterladen</translation>
        </message>
        <message>
            <source>Download and show a sample</source>
            <translation>Herunterladen und Stichprobe zeigen</translation>
        </message>
        <message>
            <source>Download the complete folder again</source>
            <translation>Den ganzen Ordner erneut herunterladen</translation>
        </message>
        <message>
            <source>Download this text to see a sample.</source>
            <translation>Diesen Text herunterladen, um eine Stichprobe zu sehen.</translation>
        </message>
        <message>
            <source>Download {file} too, or write it with AutoTokenizer.from_pretrained(…).save_pretrained(…) of transformers. A script can load the model without it: lab.interop.load_pretrained</source>
            <translation>Auch {file} herunterladen, oder mit AutoTokenizer.from_pretrained(…).save_pretrained(…) von transformers schreiben. Ein Skript kann das Modell auch ohne diese Datei laden: lab.interop.load_pretrained</translation>
        </message>
        <message>
            <source>Downloaded texts</source>
            <translation>Heruntergeladene Texte</translation>
        </message>
        <message>
            <source>Downloaded.</source>
            <translation>Heruntergeladen.</translation>
        </message>
        <message>
            <source>Downloading {title}</source>
            <translation>{title} wird heruntergeladen</translation>
        </message>
        <message>
            <source>Downloads</source>
            <translation>Zum Herunterladen</translation>
        </message>
        <message>
            <source>Downloads are not allowed by {source}.</source>
            <translation>Downloads sind nicht erlaubt, laut {source}.</translation>
        </message>
        <message>
            <source>Drag it, or press Alt+Up and Alt+Down, to change the order; Delete removes it</source>
            <translation>Ziehen oder Alt+Aufwärts und Alt+Abwärts drücken ändert die Reihenfolge; Entf entfernt ihn</translation>
        </message>
        <message>
            <source>Draw another finished run of this corpus too, and compare their losses</source>
            <translation>Einen weiteren fertigen Lauf dieses Korpus mitzeichnen und die Losse vergleichen</translation>
        </message>
        <message>
            <source>Draw by</source>
            <translation>Ziehen durch</translation>
        </message>
        <message>
            <source>Draw the selected runs in the charts (E)</source>
            <translation>Die ausgewählten Läufe in den Diagrammen zeichnen (E)</translation>
        </message>
        <message>
            <source>Drawing of the model</source>
            <translation>Zeichnung des Modells</translation>
        </message>
        <message>
            <source>Drawing of the model (Ctrl+M)</source>
            <translation>Zeichnung des Modells (Strg+M)</translation>
        </message>
        <message>
            <source>Drawing the model</source>
            <translation>Das Modell wird gezeichnet</translation>
        </message>
        <message>
            <source>Drawn digits</source>
            <translation>Gezeichnete Ziffern</translation>
        </message>
        <message>
            <source>Drawn through minima and maxima; number of points: {lines}</source>
            <translation>Aus Minima und Maxima gezeichnet; Zahl der Punkte: {lines}</translation>
        </message>
        <message>
            <source>Draws each token from the distribution that the filters leave.</source>
            <translation>Zieht jedes Token aus der Verteilung, die die Filter übrig lassen.</translation>
        </message>
        <message>
            <source>Draws tokens below a surprisal that is corrected at each token, so that the mean comes out.</source>
            <translation>Zieht Tokens unterhalb einer Überraschung, die bei jedem Token berichtigt wird, sodass sich der Mittelwert ergibt.</translation>
        </message>
        <message>
            <source>Drop a text, a document or a folder here. The lab suggests a model of suitable size.</source>
            <translation>Einen Text, ein Dokument oder einen Ordner hier ablegen. Das Labor schlägt ein Modell passender Größe vor.</translation>
        </message>
        <message>
            <source>Dropout</source>
            <translation>Dropout</translation>
        </message>
        <message>
            <source>Duplicates</source>
            <translation>Duplikate</translation>
        </message>
        <message>
            <source>ELU + 1</source>
            <translation>ELU + 1</translation>
        </message>
        <message>
            <source>Each context gets its own random probabilities.</source>
            <translation>Jeder Kontext bekommt eigene zufällige Wahrscheinlichkeiten.</translation>
        </message>
        <message>
            <source>Each letter depends on the few letters before it, with random probabilities or those of a file.</source>
            <translation>Jeder Buchstabe hängt von den wenigen Buchstaben davor ab, mit zufälligen Wahrscheinlichkeiten oder denen einer Datei.</translation>
        </message>
        <message>
            <source>Each machine of the class has to download the corpus {name} itself</source>
            <translation>Jeder Rechner der Klasse muss den Korpus {name} selbst herunterladen</translation>
        </message>
        <message>
            <source>Each point is the state after a token; near points are states that the network treats alike.</source>
            <translation>Jeder Punkt ist der Zustand nach einem Token; nahe Punkte sind Zustände, die das Netz gleich behandelt.</translation>
        </message>
        <message>
            <source>Earlier notices are in the log</source>
            <translation>Frühere Meldungen stehen im Protokoll</translation>
        </message>
        <message>
            <source>Easier</source>
            <translation>Leichtere</translation>
        </message>
        <message>
            <source>Edit</source>
            <translation>Bearbeiten</translation>
        </message>
        <message>
            <source>Edits</source>
            <translation>Änderungen</translation>
        </message>
        <message>
            <source>Effective rank</source>
            <translation>Effektiver Rang</translation>
        </message>
        <message>
            <source>Eigenvalues</source>
            <translation>Eigenwerte</translation>
        </message>
        <message>
            <source>Eigenvalues in the complex plane</source>
            <translation>Eigenwerte in der komplexen Ebene</translation>
        </message>
        <message>
            <source>Eighth corpus</source>
            <translation>Achter Korpus</translation>
        </message>
        <message>
            <source>Elman's network: one hidden state, mixed with each token and passed through tanh or ReLU. The memory of a token, or its gradient, fades or explodes within some tens of tokens.</source>
            <translation>Das Netz von Elman: ein verborgener Zustand, mit jedem Token gemischt und durch tanh oder ReLU geschickt. Die Erinnerung an ein Token oder sein Gradient verschwindet oder explodiert innerhalb einiger Dutzend Tokens.</translation>
        </message>
        <message>
            <source>Embedding</source>
            <translation>Embedding</translation>
        </message>
        <message>
            <source>Embedding rate</source>
            <translation>Embedding-Rate</translation>
        </message>
        <message>
            <source>Embedding std</source>
            <translation>Std. des Embeddings</translation>
        </message>
        <message>
            <source>Empty the bin?</source>
            <translation>Papierkorb leeren?</translation>
        </message>
        <message>
            <source>Empty the bin…</source>
            <translation>Papierkorb leeren …</translation>
        </message>
        <message>
            <source>Empty the log</source>
            <translation>Das Protokoll leeren</translation>
        </message>
        <message>
            <source>Empty: the first pair of the validation rows</source>
            <translation>Leer: das erste Paar der Validierungszeilen</translation>
        </message>
        <message>
            <source>Empty: the start of the validation text</source>
            <translation>Leer: der Anfang des Validierungstextes</translation>
        </message>
        <message>
            <source>Emptying the bin</source>
            <translation>Der Papierkorb wird geleert</translation>
        </message>
        <message>
            <source>Enable</source>
            <translation>Aktivieren</translation>
        </message>
        <message>
            <source>Enable them in Plugins, or start the lab without these options</source>
            <translation>Sie unter Plugins aktivieren, oder das Labor ohne diese Optionen starten</translation>
        </message>
        <message>
            <source>Enabling plugins</source>
            <translation>Plugins aktivieren</translation>
        </message>
        <message>
            <source>Encoder activation</source>
            <translation>Aktivierung des Encoders</translation>
        </message>
        <message>
            <source>Encoder and decoder with attention learn it nearly without mistakes, words first, agreement last.</source>
            <translation>Encoder und Decoder mit Attention lernen sie fast fehlerfrei, zuerst die Wörter, zuletzt die Kongruenz.</translation>
        </message>
        <message>
            <source>Encoder embedding</source>
            <translation>Embedding des Encoders</translation>
        </message>
        <message>
            <source>Encoder layers</source>
            <translation>Encoder-Schichten</translation>
        </message>
        <message>
            <source>Encoder mixing</source>
            <translation>Mischung im Encoder</translation>
        </message>
        <message>
            <source>Encoder residual</source>
            <translation>Residualstrom des Encoders</translation>
        </message>
        <message>
            <source>Encoder-decoder</source>
            <translation>Encoder-Decoder</translation>
        </message>
        <message>
            <source>Encoding</source>
            <translation>Kodierung</translation>
        </message>
        <message>
            <source>Encoding the text</source>
            <translation>Kodieren des Textes</translation>
        </message>
        <message>
            <source>End</source>
            <translation>Beenden</translation>
        </message>
        <message>
            <source>End at the symbol for the end of a text, a turn or a target, if the model has one.</source>
            <translation>Beim Symbol für das Ende eines Textes, eines Beitrags oder eines Ziels aufhören, falls das Modell eines hat.</translation>
        </message>
        <message>
            <source>End its process</source>
            <translation>Seinen Prozess beenden</translation>
        </message>
        <message>
            <source>End of text</source>
            <translation>Textende</translation>
        </message>
        <message>
            <source>End the check; what was found stays</source>
            <translation>Die Prüfung beenden; was gefunden wurde, bleibt</translation>
        </message>
        <message>
            <source>End the comparison with {step}</source>
            <translation>Den Vergleich mit {step} beenden</translation>
        </message>
        <message>
            <source>End the evaluation</source>
            <translation>Auswertung beenden</translation>
        </message>
        <message>
            <source>End the tour</source>
            <translation>Rundgang beenden</translation>
        </message>
        <message>
            <source>End the tour (Esc)</source>
            <translation>Rundgang beenden (Esc)</translation>
        </message>
        <message>
            <source>Ends the text at the symbol for the end of a text, a turn or a target, if there is one.</source>
            <translation>Beendet den Text am Symbol für das Ende eines Textes, eines Beitrags oder eines Ziels, wenn es eines gibt.</translation>
        </message>
        <message>
            <source>English about children and animals from an unambiguous probabilistic context-free grammar.</source>
            <translation>Englisch über Kinder und Tiere aus einer eindeutigen probabilistischen kontextfreien Grammatik.</translation>
        </message>
        <message>
            <source>English sentences, each with its translation into a language of eight rules without exceptions.</source>
            <translation>Englische Sätze, jeder mit seiner Übersetzung in eine Sprache aus acht Regeln ohne Ausnahmen.</translation>
        </message>
        <message>
            <source>Enlarge a card of Inspect</source>
            <translation>Eine Karte von „Untersuchen“ vergrößern</translation>
        </message>
        <message>
            <source>Enter a setting (training.batch_size) or a figure (best validation loss, mean 20 train loss).</source>
            <translation>Eine Einstellung (training.batch_size) oder eine Zahl (best validation loss, mean 20 train loss) eingeben.</translation>
        </message>
        <message>
            <source>Enter a whole number</source>
            <translation>Eine ganze Zahl eingeben</translation>
        </message>
        <message>
            <source>Enter more than {step}</source>
            <translation>Mehr als {step} eingeben</translation>
        </message>
        <message>
            <source>Enter tags, separated by spaces. A minus before a tag removes it (-old).</source>
            <translation>Schlagwörter eingeben, durch Leerzeichen getrennt. Ein Minus vor einem Schlagwort entfernt es (-alt).</translation>
        </message>
        <message>
            <source>Enter the name of a setting or figure</source>
            <translation>Den Namen einer Einstellung oder Zahl eingeben</translation>
        </message>
        <message>
            <source>Enter the name under which the run is handed in</source>
            <translation>Den Namen eingeben, unter dem der Lauf abgegeben wird</translation>
        </message>
        <message>
            <source>Enter the {setting} to see a sample.</source>
            <translation>{setting} angeben, um eine Stichprobe zu sehen.</translation>
        </message>
        <message>
            <source>Enter this address in a browser, or in Hand in of the menu of a run. The last part is its password.</source>
            <translation>Diese Adresse in einem Browser eingeben, oder unter Abgeben im Menü eines Laufs. Der letzte Teil ist ihr Passwort.</translation>
        </message>
        <message>
            <source>Enter words of a name, note, tag, architecture or state, or conditions:</source>
            <translation>Wörter aus Name, Notiz, Schlagwort, Architektur oder Zustand eingeben, oder Bedingungen:</translation>
        </message>
        <message>
            <source>Entropy by order</source>
            <translation>Entropie nach Ordnung</translation>
        </message>
        <message>
            <source>Entropy rate</source>
            <translation>Entropierate</translation>
        </message>
        <message>
            <source>Epsilon</source>
            <translation>Epsilon</translation>
        </message>
        <message>
            <source>Epsilon cut-off</source>
            <translation>Epsilon-Schnitt</translation>
        </message>
        <message>
            <source>Equal distances on the axis are equal factors</source>
            <translation>Gleiche Abstände auf der Achse sind gleiche Faktoren</translation>
        </message>
        <message>
            <source>Equal shares of one class mean that the router does not look at the class.</source>
            <translation>Gleiche Anteile einer Klasse bedeuten, dass der Router die Klasse nicht beachtet.</translation>
        </message>
        <message>
            <source>Equations of the model</source>
            <translation>Gleichungen des Modells</translation>
        </message>
        <message>
            <source>Equations of {architecture}</source>
            <translation>Gleichungen von {architecture}</translation>
        </message>
        <message>
            <source>Error</source>
            <translation>Fehler</translation>
        </message>
        <message>
            <source>Error from which Huber's loss is linear, in the unit of the numbers. Typical: 1.</source>
            <translation>Fehler, ab dem Hubers Verlust linear ist, in der Einheit der Zahlen. Üblich: 1.</translation>
        </message>
        <message>
            <source>Estimating entropies</source>
            <translation>Entropien werden geschätzt</translation>
        </message>
        <message>
            <source>Eta cut-off</source>
            <translation>Eta-Schnitt</translation>
        </message>
        <message>
            <source>Eta epsilon</source>
            <translation>Epsilon von Eta</translation>
        </message>
        <message>
            <source>Evaluate every</source>
            <translation>Auswerten alle</translation>
        </message>
        <message>
            <source>Evaluate the model as it is now</source>
            <translation>Das Modell auswerten, wie es jetzt ist</translation>
        </message>
        <message>
            <source>Evaluate the shown runs in one protocol on the same text</source>
            <translation>Die gezeigten Läufe nach einem Verfahren auf demselben Text auswerten</translation>
        </message>
        <message>
            <source>Evaluate these runs in one protocol on the same text, the validation text of one of them</source>
            <translation>Diese Läufe nach einem Verfahren auf demselben Text auswerten, dem Validierungstext von einem von ihnen</translation>
        </message>
        <message>
            <source>Evaluate these runs on the text of a file</source>
            <translation>Diese Läufe auf dem Text einer Datei auswerten</translation>
        </message>
        <message>
            <source>Evaluated runs</source>
            <translation>Ausgewertete Läufe</translation>
        </message>
        <message>
            <source>Evaluating</source>
            <translation>Bewerten</translation>
        </message>
        <message>
            <source>Evaluating without {experts}</source>
            <translation>Auswertung ohne {experts}</translation>
        </message>
        <message>
            <source>Evaluating {run}</source>
            <translation>{run} wird ausgewertet</translation>
        </message>
        <message>
            <source>Evaluation</source>
            <translation>Auswertung</translation>
        </message>
        <message>
            <source>Evaluation tokens</source>
            <translation>Ausgewertete Tokens</translation>
        </message>
        <message>
            <source>Even pairs</source>
            <translation>Gerade Paare</translation>
        </message>
        <message>
            <source>Even pairs: the first symbol and the last</source>
            <translation>Gerade Paare: das erste Symbol und das letzte</translation>
        </message>
        <message>
            <source>Events</source>
            <translation>Ereignisse</translation>
        </message>
        <message>
            <source>Events: {events}</source>
            <translation>Ereignisse: {events}</translation>
        </message>
        <message>
            <source>Every byte is a token. The most frequent pair becomes the first new token.</source>
            <translation>Jedes Byte ist ein Token. Das häufigste Paar wird zum ersten neuen Token.</translation>
        </message>
        <message>
            <source>Every encoder with attention solves it, and its attention shows where each part is read. The century of a year in two digits follows from the range of years.</source>
            <translation>Jeder Encoder mit Attention löst sie, und die Attention zeigt, wo jeder Teil gelesen wird. Das Jahrhundert einer zweistelligen Jahreszahl folgt aus dem Bereich der Jahre.</translation>
        </message>
        <message>
            <source>Every n-th block has experts; the others have a dense layer. Typical: 1 or 2.</source>
            <translation>Jeder n-te Block hat Experten, die anderen eine dichte Schicht. Üblich: 1 oder 2.</translation>
        </message>
        <message>
            <source>Every run you start is listed here with its curve. It can be opened and continued at any time.</source>
            <translation>Jeder gestartete Lauf steht hier mit seiner Kurve. Er kann jederzeit geöffnet und fortgesetzt werden.</translation>
        </message>
        <message>
            <source>Every run you start is listed here, with its curves and its model.</source>
            <translation>Jeder gestartete Lauf steht hier, mit seinen Kurven und seinem Modell.</translation>
        </message>
        <message>
            <source>Every token has one expert at most, so no two are used together.</source>
            <translation>Jedes Token hat höchstens einen Experten; es werden also nie zwei zusammen genutzt.</translation>
        </message>
        <message>
            <source>Every token reads every earlier one through attention heads, then passes a feed-forward layer.</source>
            <translation>Jedes Token liest über Attention-Köpfe alle früheren und durchläuft dann eine Feedforward-Schicht.</translation>
        </message>
        <message>
            <source>Every token reads every earlier one, or those of a window, through attention heads.</source>
            <translation>Jedes Token liest über Attention-Köpfe alle früheren oder die eines Fensters.</translation>
        </message>
        <message>
            <source>Everything runs on this machine. Space starts and pauses.</source>
            <translation>Alles läuft auf diesem Rechner. Die Leertaste startet und hält an.</translation>
        </message>
        <message>
            <source>Everything the model itself reports in one forward pass over the probe text.</source>
            <translation>Alles, was das Modell selbst in einem Durchlauf über den Prüftext meldet.</translation>
        </message>
        <message>
            <source>Examples</source>
            <translation>Beispiele</translation>
        </message>
        <message>
            <source>Examples from uniformly random positions, or every window once per epoch in shuffled order.</source>
            <translation>Beispiele von gleichverteilt zufälligen Positionen, oder jedes Fenster einmal pro Epoche in gemischter Reihenfolge.</translation>
        </message>
        <message>
            <source>Examples per step. Typical: 8 to 64 on a CPU.</source>
            <translation>Beispiele pro Schritt. Üblich: 8 bis 64 auf einer CPU.</translation>
        </message>
        <message>
            <source>Examples; scored tokens are marked</source>
            <translation>Beispiele; gewertete Tokens sind markiert</translation>
        </message>
        <message>
            <source>Expansion</source>
            <translation>Erweiterung</translation>
        </message>
        <message>
            <source>Expected result</source>
            <translation>Erwartetes Ergebnis</translation>
        </message>
        <message>
            <source>Experiments</source>
            <translation>Experimente</translation>
        </message>
        <message>
            <source>Expert</source>
            <translation>Experte</translation>
        </message>
        <message>
            <source>Expert width</source>
            <translation>Expertenbreite</translation>
        </message>
        <message>
            <source>Experts</source>
            <translation>Experten</translation>
        </message>
        <message>
            <source>Experts by class</source>
            <translation>Experten nach Klasse</translation>
        </message>
        <message>
            <source>Experts by token</source>
            <translation>Experten nach Token</translation>
        </message>
        <message>
            <source>Experts die without a loss on their balance: watch Routing, then raise the balance loss to 0.1</source>
            <translation>Experten sterben ohne Balance-Verlust: Routing beobachten, dann den Balance-Verlust auf 0,1 erhöhen</translation>
        </message>
        <message>
            <source>Experts every</source>
            <translation>Experten alle</translation>
        </message>
        <message>
            <source>Experts that die</source>
            <translation>Experten, die sterben</translation>
        </message>
        <message>
            <source>Experts that each token passes; parameters grow with all experts, computation only with these. Typical: 1 to 8.</source>
            <translation>Experten, die jedes Token durchläuft; Parameter wachsen mit allen Experten, der Rechenaufwand nur mit diesen. Üblich: 1 bis 8.</translation>
        </message>
        <message>
            <source>Experts used together</source>
            <translation>Gemeinsam genutzte Experten</translation>
        </message>
        <message>
            <source>Exponent of the length by which the log-probability of an ended text is divided; 0 favours short texts. Typical: 0.6 to 1.</source>
            <translation>Exponent der Länge, durch welche die Log-Wahrscheinlichkeit eines beendeten Textes geteilt wird; 0 bevorzugt kurze Texte. Üblich: 0,6 bis 1.</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>Exportieren</translation>
        </message>
        <message>
            <source>Export and share</source>
            <translation>Exportieren und teilen</translation>
        </message>
        <message>
            <source>Export as bundle, table, page or script…</source>
            <translation>Als Bündel, Tabelle, Seite oder Skript exportieren …</translation>
        </message>
        <message>
            <source>Export as picture, table or script</source>
            <translation>Als Bild, Tabelle oder Skript exportieren</translation>
        </message>
        <message>
            <source>Export chart or map…</source>
            <translation>Diagramm oder Karte exportieren …</translation>
        </message>
        <message>
            <source>Export it as a bundle (.lmlab), which the lab can train again anywhere</source>
            <translation>Als Bündel (.lmlab) exportieren, das das Labor überall wieder trainieren kann</translation>
        </message>
        <message>
            <source>Export model for Hugging Face transformers…</source>
            <translation>Modell für Hugging Face transformers exportieren …</translation>
        </message>
        <message>
            <source>Export the model of {run} as a folder</source>
            <translation>Das Modell von {run} als Ordner exportieren</translation>
        </message>
        <message>
            <source>Export the run as a bundle (.lmlab) or as a script (.py): lm-lab runs export</source>
            <translation>Den Lauf als Bündel (.lmlab) oder als Skript (.py) exportieren: lm-lab runs export</translation>
        </message>
        <message>
            <source>Export the run it started from</source>
            <translation>Den Lauf exportieren, von dem er ausging</translation>
        </message>
        <message>
            <source>Export the table of the class</source>
            <translation>Die Tabelle der Klasse exportieren</translation>
        </message>
        <message>
            <source>Export {run}</source>
            <translation>{run} exportieren</translation>
        </message>
        <message>
            <source>Export {title}</source>
            <translation>{title} exportieren</translation>
        </message>
        <message>
            <source>Exported {file}</source>
            <translation>{file} exportiert</translation>
        </message>
        <message>
            <source>Exporting the model of {run}</source>
            <translation>Das Modell von {run} wird exportiert</translation>
        </message>
        <message>
            <source>Exporting {file}</source>
            <translation>{file} wird exportiert</translation>
        </message>
        <message>
            <source>Exporting {run}</source>
            <translation>{run} wird exportiert</translation>
        </message>
        <message>
            <source>Export…</source>
            <translation>Exportieren …</translation>
        </message>
        <message>
            <source>FFN activation</source>
            <translation>FFN-Aktivierung</translation>
        </message>
        <message>
            <source>FFN width</source>
            <translation>FFN-Breite</translation>
        </message>
        <message>
            <source>FLOP per token</source>
            <translation>FLOP pro Token</translation>
        </message>
        <message>
            <source>FLOPs</source>
            <translation>FLOPs</translation>
        </message>
        <message>
            <source>FLOPs of a training step per token</source>
            <translation>FLOPs eines Trainingsschritts pro Token</translation>
        </message>
        <message>
            <source>FLOPs per token</source>
            <translation>FLOPs pro Token</translation>
        </message>
        <message>
            <source>Factor</source>
            <translation>Faktor</translation>
        </message>
        <message>
            <source>Factor at the last step. Typical: 0 to 0.1.</source>
            <translation>Faktor beim letzten Schritt. Üblich: 0 bis 0,1.</translation>
        </message>
        <message>
            <source>Factor by which the context is stretched. Typical: 1 to 32.</source>
            <translation>Faktor, um den der Kontext gedehnt wird. Üblich: 1 bis 32.</translation>
        </message>
        <message>
            <source>Factor of a token on the state: 0 to 1, or −1 to 1, which lets the state count modulo two.</source>
            <translation>Faktor eines Tokens auf den Zustand: 0 bis 1, oder −1 bis 1, womit der Zustand modulo zwei zählen kann.</translation>
        </message>
        <message>
            <source>Factor of the learning rate from each layer to the one below it; the embedding is below all. Typical: 0.8 to 1, which trains all layers alike.</source>
            <translation>Faktor der Lernrate von jeder Schicht zu der darunter; das Embedding liegt unter allen. Üblich: 0,8 bis 1, womit alle Schichten gleich trainiert werden.</translation>
        </message>
        <message>
            <source>Factor of the learning rate of all that AdamW updates: embeddings, head, norms, vectors, recurrences. Typical: 1, or 0.01 to 0.1 with spectral scaling.</source>
            <translation>Faktor der Lernrate für alles, was AdamW ändert: Embeddings, Ausgabeschicht, Normen, Vektoren, Rekurrenzen. Üblich: 1, bei spektraler Skalierung 0,01 bis 0,1.</translation>
        </message>
        <message>
            <source>Factor of the learning rate of an untied head; a tied one is an embedding. Typical: 0.1 to 10.</source>
            <translation>Faktor der Lernrate einer eigenen Ausgabeschicht; eine mit dem Embedding geteilte zählt als Embedding. Üblich: 0,1 bis 10.</translation>
        </message>
        <message>
            <source>Factor of the learning rate of embeddings. Typical: 0.1 to 10.</source>
            <translation>Faktor der Lernrate der Embeddings. Üblich: 0,1 bis 10.</translation>
        </message>
        <message>
            <source>Factor of the learning rate of what sets how a state changes, such as A, B and the step size of S4. Typical: 0.1 to 1.</source>
            <translation>Faktor der Lernrate dessen, was bestimmt, wie sich ein Zustand ändert, etwa A, B und die Schrittweite von S4. Üblich: 0,1 bis 1.</translation>
        </message>
        <message>
            <source>Factor on the output of the selected experts. Typical: 1 to 2.5.</source>
            <translation>Faktor auf der Ausgabe der ausgewählten Experten. Üblich: 1 bis 2,5.</translation>
        </message>
        <message>
            <source>Faint: every step, with the least and largest values where they are dense.</source>
            <translation>Blass: jeder Schritt; wo die Werte dicht liegen, der kleinste und der größte.</translation>
        </message>
        <message>
            <source>Falcon</source>
            <translation>Falcon</translation>
        </message>
        <message>
            <source>Families of models</source>
            <translation>Modellfamilien</translation>
        </message>
        <message>
            <source>Feature map</source>
            <translation>Feature-Map</translation>
        </message>
        <message>
            <source>Feature map of queries and keys: elu(x) + 1; max(x, 0); eˣ; random features of the softmax kernel; its Taylor series of second order; or none, and then outputs are normalised per head instead of the weights.</source>
            <translation>Merkmalsabbildung von Queries und Keys: elu(x) + 1; max(x, 0); eˣ; zufällige Merkmale des Softmax-Kerns; seine Taylorreihe zweiter Ordnung; oder keine, dann werden statt der Gewichte die Ausgaben jedes Kopfes normiert.</translation>
        </message>
        <message>
            <source>Feature seed</source>
            <translation>Seed der Merkmale</translation>
        </message>
        <message>
            <source>Features</source>
            <translation>Merkmale</translation>
        </message>
        <message>
            <source>Feed-forward</source>
            <translation>Feedforward</translation>
        </message>
        <message>
            <source>Feed-forward layer</source>
            <translation>Feedforward-Schicht</translation>
        </message>
        <message>
            <source>Feed-forward layer after each S4 layer, plain or gated; without one, only the gated linear layer after S4 mixes channels.</source>
            <translation>Feedforward-Schicht nach jeder S4-Schicht, einfach oder mit Gate; ohne sie mischt nur die lineare Schicht mit Gate nach S4 die Kanäle.</translation>
        </message>
        <message>
            <source>Feed-forward layer of each block: none, with one nonlinearity, or with a SiLU or GELU gate.</source>
            <translation>Feedforward-Schicht jedes Blocks: keine, mit einer Nichtlinearität oder mit einem SiLU- oder GELU-Gate.</translation>
        </message>
        <message>
            <source>Feed-forward layer: one nonlinearity, or a SiLU gate.</source>
            <translation>Feedforward-Schicht: eine Nichtlinearität, oder ein SiLU-Gate.</translation>
        </message>
        <message>
            <source>Feed-forward layer: one nonlinearity, or a SiLU or GELU gate.</source>
            <translation>Feedforward-Schicht: eine Nichtlinearität, oder ein SiLU- oder GELU-Gate.</translation>
        </message>
        <message>
            <source>Feed-forward networks in a layer, of which each token passes only a few; 1 is an ordinary feed-forward layer without a router. Typical: 4 to 64.</source>
            <translation>Feedforward-Netze in einer Schicht, von denen jedes Token nur einige durchläuft; 1 ist eine gewöhnliche Feedforward-Schicht ohne Router. Üblich: 4 bis 64.</translation>
        </message>
        <message>
            <source>Fetch the model as safetensors, or convert it with the package safetensors</source>
            <translation>Das Modell als safetensors herunterladen, oder es mit dem Paket safetensors umwandeln</translation>
        </message>
        <message>
            <source>Fetch this file again</source>
            <translation>Diese Datei erneut herunterladen</translation>
        </message>
        <message>
            <source>Fifth corpus</source>
            <translation>Fünfter Korpus</translation>
        </message>
        <message>
            <source>Figures</source>
            <translation>Zahlen</translation>
        </message>
        <message>
            <source>File</source>
            <translation>Datei</translation>
        </message>
        <message>
            <source>File exists</source>
            <translation>Die Datei gibt es schon</translation>
        </message>
        <message>
            <source>File name too long</source>
            <translation>Der Dateiname ist zu lang</translation>
        </message>
        <message>
            <source>File…</source>
            <translation>Datei …</translation>
        </message>
        <message>
            <source>Fill gaps between questions with random symbols instead of the filler symbol.</source>
            <translation>Lücken zwischen Fragen mit zufälligen Symbolen statt mit dem Füllsymbol füllen.</translation>
        </message>
        <message>
            <source>Fill it in</source>
            <translation>Sie ausfüllen</translation>
        </message>
        <message>
            <source>Filter</source>
            <translation>Filtern</translation>
        </message>
        <message>
            <source>Filter by state, star or tag</source>
            <translation>Nach Zustand, Stern oder Schlagwort filtern</translation>
        </message>
        <message>
            <source>Filter the settings by name, path or description</source>
            <translation>Einstellungen nach Name, Pfad oder Beschreibung filtern</translation>
        </message>
        <message>
            <source>Filters</source>
            <translation>Filter</translation>
        </message>
        <message>
            <source>Filters and strategies: the cards of decoding, with their settings.</source>
            <translation>Filter und Strategien: womit aus den Vorhersagen ein Text wird.</translation>
        </message>
        <message>
            <source>Final factor</source>
            <translation>Endfaktor</translation>
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
            <source>Find out what is wrong with this machine, and what to do</source>
            <translation>Herausfinden, was an diesem Rechner nicht stimmt und was zu tun ist</translation>
        </message>
        <message>
            <source>Find runs</source>
            <translation>Läufe suchen</translation>
        </message>
        <message>
            <source>Finding checkpoints</source>
            <translation>Checkpoints werden gesucht</translation>
        </message>
        <message>
            <source>Finding columns</source>
            <translation>Spalten werden gesucht</translation>
        </message>
        <message>
            <source>Finding duplicates</source>
            <translation>Duplikate werden gesucht</translation>
        </message>
        <message>
            <source>Finding repeated passages</source>
            <translation>Wiederholte Textstellen werden gesucht</translation>
        </message>
        <message>
            <source>Finding snapshots</source>
            <translation>Momentaufnahmen werden gesucht</translation>
        </message>
        <message>
            <source>Finding the parts of the model</source>
            <translation>Suchen der Teile des Modells</translation>
        </message>
        <message>
            <source>Finding the settings of each part</source>
            <translation>Die Einstellungen jedes Teils werden gesucht</translation>
        </message>
        <message>
            <source>Finding the size of the text</source>
            <translation>Die Größe des Textes wird bestimmt</translation>
        </message>
        <message>
            <source>Finding the width for as many parameters</source>
            <translation>Breite für ebenso viele Parameter suchen</translation>
        </message>
        <message>
            <source>Findings</source>
            <translation>Befunde</translation>
        </message>
        <message>
            <source>First corpus</source>
            <translation>Erster Korpus</translation>
        </message>
        <message>
            <source>First dense blocks</source>
            <translation>Erste dichte Blöcke</translation>
        </message>
        <message>
            <source>First rows of training</source>
            <translation>Erste Zeilen des Trainings</translation>
        </message>
        <message>
            <source>First steps</source>
            <translation>Erste Schritte</translation>
        </message>
        <message>
            <source>First tokens that every token may read, whatever its window; in an encoder they also read all tokens. Typical: 0 to 4.</source>
            <translation>Erste Tokens, die jedes Token lesen darf, unabhängig vom Fenster; in einem Encoder lesen auch sie alle Tokens. Üblich: 0 bis 4.</translation>
        </message>
        <message>
            <source>First year</source>
            <translation>Erstes Jahr</translation>
        </message>
        <message>
            <source>First year of the dates.</source>
            <translation>Das erste Jahr der Kalenderdaten.</translation>
        </message>
        <message>
            <source>Fitted to</source>
            <translation>Angepasst an</translation>
        </message>
        <message>
            <source>Fitting {tokenizer} to the corpus…</source>
            <translation>{tokenizer} wird an den Korpus angepasst …</translation>
        </message>
        <message>
            <source>Fixed seed</source>
            <translation>Fester Seed</translation>
        </message>
        <message>
            <source>Floors of {name}</source>
            <translation>Schranken von {name}</translation>
        </message>
        <message>
            <source>Fold the panel</source>
            <translation>Seitenleiste einklappen</translation>
        </message>
        <message>
            <source>Folder or address</source>
            <translation>Ordner oder Adresse</translation>
        </message>
        <message>
            <source>Folders</source>
            <translation>Ordner</translation>
        </message>
        <message>
            <source>Folder…</source>
            <translation>Ordner …</translation>
        </message>
        <message>
            <source>Follow the newest values</source>
            <translation>Den neuesten Werten folgen</translation>
        </message>
        <message>
            <source>Followed by</source>
            <translation>Darauf folgte</translation>
        </message>
        <message>
            <source>For a recurrent network the rows fade to the left: what was long ago hardly counts.</source>
            <translation>Bei einem rekurrenten Netz verblassen die Zeilen nach links: Was lange zurückliegt, zählt kaum.</translation>
        </message>
        <message>
            <source>For vectors, and for pictures with classes, in which nothing is text; for no other corpus.</source>
            <translation>Für Vektoren und für Bilder mit Klassen, in denen nichts Text ist; für kein anderes Korpus.</translation>
        </message>
        <message>
            <source>Forget-gate bias</source>
            <translation>Forget-Gate-Bias</translation>
        </message>
        <message>
            <source>Format</source>
            <translation>Format</translation>
        </message>
        <message>
            <source>Formula: {latex}</source>
            <translation>Formel: {latex}</translation>
        </message>
        <message>
            <source>Forward (Alt+Right)</source>
            <translation>Vor (Alt+Rechts)</translation>
        </message>
        <message>
            <source>Fourth corpus</source>
            <translation>Vierter Korpus</translation>
        </message>
        <message>
            <source>Free memory of the device, or use a device with more memory: lm-lab evaluate --device cpu</source>
            <translation>Speicher des Geräts freigeben, oder ein Gerät mit mehr Speicher verwenden: lm-lab evaluate --device cpu</translation>
        </message>
        <message>
            <source>Free some disk space</source>
            <translation>Speicherplatz freigeben</translation>
        </message>
        <message>
            <source>Free: recorded while training</source>
            <translation>Gratis: beim Training aufgezeichnet</translation>
        </message>
        <message>
            <source>Frequency penalty</source>
            <translation>Häufigkeitsabzug</translation>
        </message>
        <message>
            <source>Frequent n-grams</source>
            <translation>Häufige n-Gramme</translation>
        </message>
        <message>
            <source>From</source>
            <translation>Herkunft</translation>
        </message>
        <message>
            <source>From order {n} on the counts are too few</source>
            <translation>Ab Ordnung {n} sind die Anzahlen zu klein</translation>
        </message>
        <message>
            <source>From order {n} on the counts are too few ({once} % of the contexts of order {last} occur only once)</source>
            <translation>Ab Ordnung {n} sind die Anzahlen zu klein ({once} % der Kontexte der Ordnung {last} kommen nur einmal vor)</translation>
        </message>
        <message>
            <source>From single bytes to the full vocabulary; arrows step, the space bar plays</source>
            <translation>Von einzelnen Bytes bis zum ganzen Vokabular; Pfeiltasten gehen schrittweise, die Leertaste spielt ab</translation>
        </message>
        <message>
            <source>From the untrained model over the recorded steps to the current model at the right end</source>
            <translation>Vom untrainierten Modell über die aufgezeichneten Schritte bis zum aktuellen Modell am rechten Ende</translation>
        </message>
        <message>
            <source>From {file}. A change there takes effect at the next start.</source>
            <translation>Aus {file}. Eine Änderung dort wirkt beim nächsten Start.</translation>
        </message>
        <message>
            <source>Frozen parts</source>
            <translation>Eingefrorenes</translation>
        </message>
        <message>
            <source>Full profile</source>
            <translation>Volles Profil</translation>
        </message>
        <message>
            <source>Full waves between −1 and 1.</source>
            <translation>Volle Wellen zwischen −1 und 1.</translation>
        </message>
        <message>
            <source>GEGLU</source>
            <translation>GEGLU</translation>
        </message>
        <message>
            <source>GELU</source>
            <translation>GELU</translation>
        </message>
        <message>
            <source>GELU (tanh)</source>
            <translation>GELU (tanh)</translation>
        </message>
        <message>
            <source>GLA</source>
            <translation>GLA</translation>
        </message>
        <message>
            <source>GPT-2</source>
            <translation>GPT-2</translation>
        </message>
        <message>
            <source>GPT-NeoX and Pythia</source>
            <translation>GPT-NeoX und Pythia</translation>
        </message>
        <message>
            <source>GRU</source>
            <translation>GRU</translation>
        </message>
        <message>
            <source>Gate divisor</source>
            <translation>Gate-Divisor</translation>
        </message>
        <message>
            <source>Gate rank</source>
            <translation>Rang der Gates</translation>
        </message>
        <message>
            <source>Gate weights of the experts</source>
            <translation>Gate-Gewichte der Experten</translation>
        </message>
        <message>
            <source>Gated DeltaNet</source>
            <translation>Gated DeltaNet</translation>
        </message>
        <message>
            <source>Gated delta rule</source>
            <translation>Deltaregel mit Gates</translation>
        </message>
        <message>
            <source>Gated linear attention</source>
            <translation>Lineare Attention mit Gates</translation>
        </message>
        <message>
            <source>Gated recurrent units: one gate controls how much of the state is retained, another how much of it the new candidate sees.</source>
            <translation>Gated Recurrent Units: Ein Gate steuert, wie viel vom Zustand bleibt, ein anderes, wie viel davon der neue Kandidat sieht.</translation>
        </message>
        <message>
            <source>Gates</source>
            <translation>Gates</translation>
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
            <source>Generate a target token by token from a source.</source>
            <translation>Aus einer Quelle Token für Token ein Ziel erzeugen.</translation>
        </message>
        <message>
            <source>Generate text</source>
            <translation>Text erzeugen</translation>
        </message>
        <message>
            <source>Generate the caption of an image token by token.</source>
            <translation>Die Unterschrift eines Bildes Token für Token erzeugen.</translation>
        </message>
        <message>
            <source>Generated examples: the cards of the sources whose positions are scored.</source>
            <translation>Erzeugte Beispiele: Quellen, bei denen einzelne Positionen bewertet werden.</translation>
        </message>
        <message>
            <source>Generated rows: the cards of their sources.</source>
            <translation>Erzeugte Tabellenzeilen: ihre Quellen.</translation>
        </message>
        <message>
            <source>Generated sample</source>
            <translation>Erzeugte Textprobe</translation>
        </message>
        <message>
            <source>Generated text</source>
            <translation>Erzeugter Text</translation>
        </message>
        <message>
            <source>Generated text appears here, coloured by surprisal.</source>
            <translation>Hier erscheint der erzeugte Text, gefärbt nach Überraschung.</translation>
        </message>
        <message>
            <source>Generated texts: the cards of their sources.</source>
            <translation>Erzeugte Texte: ihre Quellen.</translation>
        </message>
        <message>
            <source>Generating</source>
            <translation>Erzeugen</translation>
        </message>
        <message>
            <source>Generating examples</source>
            <translation>Beispiele werden erzeugt</translation>
        </message>
        <message>
            <source>Generating examples.</source>
            <translation>Beispiele werden erzeugt.</translation>
        </message>
        <message>
            <source>Get the file again, as the lab wrote it</source>
            <translation>Die Datei noch einmal besorgen, wie das Labor sie geschrieben hat</translation>
        </message>
        <message>
            <source>Get the file elsewhere and give its path</source>
            <translation>Die Datei anderswo beschaffen und ihren Pfad angeben</translation>
        </message>
        <message>
            <source>Give --text FILE</source>
            <translation>--text DATEI angeben</translation>
        </message>
        <message>
            <source>Give a file in {where}.path</source>
            <translation>Eine Datei in {where}.path angeben</translation>
        </message>
        <message>
            <source>Give a list of tokens in every row, or a text in every row</source>
            <translation>Gib in jeder Zeile eine Liste von Tokens oder in jeder Zeile einen Text an</translation>
        </message>
        <message>
            <source>Give a local folder or file</source>
            <translation>Einen Ordner oder eine Datei auf diesem Rechner angeben</translation>
        </message>
        <message>
            <source>Give a longer text</source>
            <translation>Einen längeren Text angeben</translation>
        </message>
        <message>
            <source>Give each token its label</source>
            <translation>Gib jedem Token seine Klasse</translation>
        </message>
        <message>
            <source>Give each word one label</source>
            <translation>Jedem Wort ein Label geben</translation>
        </message>
        <message>
            <source>Give it a text</source>
            <translation>Text eingeben</translation>
        </message>
        <message>
            <source>Give it a value</source>
            <translation>Einen Wert angeben</translation>
        </message>
        <message>
            <source>Give its name alone</source>
            <translation>Nur seinen Namen angeben</translation>
        </message>
        <message>
            <source>Give losses by name: floors=("entropy rate": 0.1)</source>
            <translation>Gib Verluste mit Namen an: floors=("entropy rate": 0.1)</translation>
        </message>
        <message>
            <source>Give more rows: one is read in training and one is held back, at least</source>
            <translation>Gib mehr Zeilen an: mindestens eine für das Training und eine für die Validierung</translation>
        </message>
        <message>
            <source>Give one, or a name on the hub: owner/name</source>
            <translation>Eine angeben, oder einen Namen auf dem Hub: Besitzer/Name</translation>
        </message>
        <message>
            <source>Give rows of different classes</source>
            <translation>Gib Zeilen verschiedener Klassen an</translation>
        </message>
        <message>
            <source>Give some text; a few thousand characters are a start</source>
            <translation>Text angeben; einige tausend Zeichen sind ein Anfang</translation>
        </message>
        <message>
            <source>Give that metric another name</source>
            <translation>Dieser Metrik einen anderen Namen geben</translation>
        </message>
        <message>
            <source>Give the name of each class: classes=("negative", "positive")</source>
            <translation>Gib den Namen jeder Klasse an: classes=("negative", "positive")</translation>
        </message>
        <message>
            <source>Give the path of that text: --corpus FILE</source>
            <translation>Den Pfad dieses Textes angeben: --corpus DATEI</translation>
        </message>
        <message>
            <source>Give the path of the tokenizer.json of a model</source>
            <translation>Den Pfad der tokenizer.json eines Modells angeben</translation>
        </message>
        <message>
            <source>Give the row a class, or leave it out</source>
            <translation>Der Zeile eine Klasse geben oder sie weglassen</translation>
        </message>
        <message>
            <source>Give the text or the image that it shall read</source>
            <translation>Den Text oder das Bild angeben, das es lesen soll</translation>
        </message>
        <message>
            <source>Give the text with --corpus FILE</source>
            <translation>Den Text mit --corpus DATEI angeben</translation>
        </message>
        <message>
            <source>Give the text with --text FILE</source>
            <translation>Den Text mit --text DATEI angeben</translation>
        </message>
        <message>
            <source>Give this card the whole place (F11)</source>
            <translation>Dieser Karte den ganzen Platz geben (F11)</translation>
        </message>
        <message>
            <source>Give this run more steps</source>
            <translation>Diesem Lauf mehr Schritte geben</translation>
        </message>
        <message>
            <source>Give {remedy}</source>
            <translation>Gib {remedy} an</translation>
        </message>
        <message>
            <source>Global tokens</source>
            <translation>Globale Tokens</translation>
        </message>
        <message>
            <source>Gradient by lag</source>
            <translation>Gradient nach Abstand</translation>
        </message>
        <message>
            <source>Gradient clip</source>
            <translation>Gradientengrenze</translation>
        </message>
        <message>
            <source>Greedy</source>
            <translation>Gierig</translation>
        </message>
        <message>
            <source>Grokking</source>
            <translation>Grokking</translation>
        </message>
        <message>
            <source>Groups</source>
            <translation>Gruppen</translation>
        </message>
        <message>
            <source>Groups of heads with common B and C and a norm of their own. Typical: 1 to 8.</source>
            <translation>Gruppen von Köpfen mit gemeinsamem B und C und eigener Norm. Üblich: 1 bis 8.</translation>
        </message>
        <message>
            <source>Half-life</source>
            <translation>Halbwertszeit</translation>
        </message>
        <message>
            <source>Hand in</source>
            <translation>Abgeben</translation>
        </message>
        <message>
            <source>Hand in a run</source>
            <translation>Einen Lauf abgeben</translation>
        </message>
        <message>
            <source>Hand in another run</source>
            <translation>Einen anderen Lauf abgeben</translation>
        </message>
        <message>
            <source>Hand in to</source>
            <translation>Abgeben an</translation>
        </message>
        <message>
            <source>Hand in to a folder on a shared drive, or on a stick</source>
            <translation>In einem Ordner auf einem gemeinsamen Laufwerk oder auf einem Stick abgeben</translation>
        </message>
        <message>
            <source>Hand in to a folder or a stick, or a run with fewer checkpoints</source>
            <translation>In einen Ordner oder auf einen Stick abgeben, oder einen Lauf mit weniger Checkpoints</translation>
        </message>
        <message>
            <source>Hand in {run}</source>
            <translation>{run} abgeben</translation>
        </message>
        <message>
            <source>Hand in…</source>
            <translation>Abgeben …</translation>
        </message>
        <message>
            <source>Hand out the configuration</source>
            <translation>Die Konfiguration austeilen</translation>
        </message>
        <message>
            <source>Hand out the configuration…</source>
            <translation>Konfiguration austeilen …</translation>
        </message>
        <message>
            <source>Hand-outs (*.lmlab)</source>
            <translation>Ausgeteiltes (*.lmlab)</translation>
        </message>
        <message>
            <source>Handed in</source>
            <translation>Abgegeben</translation>
        </message>
        <message>
            <source>Handed in as {file}</source>
            <translation>Abgegeben als {file}</translation>
        </message>
        <message>
            <source>Handed out</source>
            <translation>Ausgeteilt</translation>
        </message>
        <message>
            <source>Handing in the run</source>
            <translation>Lauf abgeben</translation>
        </message>
        <message>
            <source>Hardware</source>
            <translation>Hardware</translation>
        </message>
        <message>
            <source>Head</source>
            <translation>Kopf</translation>
        </message>
        <message>
            <source>Head h, from 0, retains 1 − 2^(−this − h) of its state per token. Typical: 5.</source>
            <translation>Kopf h, von 0 an, behält pro Token 1 − 2^(−dies − h) seines Zustands. Üblich: 5.</translation>
        </message>
        <message>
            <source>Head rate</source>
            <translation>Ausgabe-Rate</translation>
        </message>
        <message>
            <source>Head scores</source>
            <translation>Kopfwerte</translation>
        </message>
        <message>
            <source>Head width</source>
            <translation>Kopfbreite</translation>
        </message>
        <message>
            <source>Header</source>
            <translation>Kopfzeile</translation>
        </message>
        <message>
            <source>Heads</source>
            <translation>Köpfe</translation>
        </message>
        <message>
            <source>Heads of all blocks; head {head} of {row} is shown large</source>
            <translation>Köpfe aller Blöcke; Kopf {head} von {row} ist groß gezeigt</translation>
        </message>
        <message>
            <source>Heads of each attention; they divide the width. Typical: 2 to 12.</source>
            <translation>Köpfe jeder Attention; sie teilen die Breite. Typisch: 2 bis 12.</translation>
        </message>
        <message>
            <source>Heads of keys and values, shared by groups of query heads; 1 is multi-query, 0 means as many as heads. Typical: 1 to 8.</source>
            <translation>Köpfe für Keys und Values, von Gruppen von Query-Köpfen geteilt; 1 ist Multi-Query, 0 bedeutet so viele wie Köpfe. Üblich: 1 bis 8.</translation>
        </message>
        <message>
            <source>Heads of the layer; head {number} is shown large</source>
            <translation>Köpfe der Schicht; Kopf {number} ist groß gezeigt</translation>
        </message>
        <message>
            <source>Heads that write again what came before stand near 1.</source>
            <translation>Köpfe, die noch einmal schreiben, was schon da war, liegen nahe 1.</translation>
        </message>
        <message>
            <source>Heads, each with its own state. Typical: 2 to 16.</source>
            <translation>Köpfe, jeder mit eigenem Zustand. Üblich: 2 bis 16.</translation>
        </message>
        <message>
            <source>Heads, each with its own state; in the paper each has 64 channels. Typical: width / 64.</source>
            <translation>Köpfe, jeder mit eigenem Zustand; in der Arbeit hat jeder 64 Kanäle. Üblich: Breite / 64.</translation>
        </message>
        <message>
            <source>Height and width of a picture.</source>
            <translation>Höhe und Breite eines Bildes.</translation>
        </message>
        <message>
            <source>Height and width to which pictures are resized; 0 leaves them as they are, and all must have one size.</source>
            <translation>Höhe und Breite, auf die Bilder skaliert werden; 0 lässt sie, wie sie sind, und alle müssen gleich groß sein.</translation>
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
            <source>Help · {section}</source>
            <translation>Hilfe · {section}</translation>
        </message>
        <message>
            <source>Here you compare what your class has trained: a table of all runs that were handed in, their curves, and texts that the models wrote.</source>
            <translation>Hier ist zu vergleichen, was die Klasse trainiert hat: eine Tabelle aller abgegebenen Läufe, ihre Kurven und Texte, die die Modelle geschrieben haben.</translation>
        </message>
        <message>
            <source>HiPPO-LegS</source>
            <translation>HiPPO-LegS</translation>
        </message>
        <message>
            <source>Hidden Markov model</source>
            <translation>Hidden-Markov-Modell</translation>
        </message>
        <message>
            <source>Hidden Markov model: six letters tell nearly all that can be known</source>
            <translation>Hidden-Markov-Modell: sechs Buchstaben verraten fast alles, was man wissen kann</translation>
        </message>
        <message>
            <source>Hidden share</source>
            <translation>Verdeckter Anteil</translation>
        </message>
        <message>
            <source>Hidden states follow each other and each emits a letter; the next letter depends on all previous ones.</source>
            <translation>Verborgene Zustände folgen aufeinander, und jeder gibt einen Buchstaben aus; der nächste Buchstabe hängt von allen vorigen ab.</translation>
        </message>
        <message>
            <source>Hidden states.</source>
            <translation>Verborgene Zustände.</translation>
        </message>
        <message>
            <source>Hidden tokens</source>
            <translation>Verdeckte Tokens</translation>
        </message>
        <message>
            <source>Hide</source>
            <translation>Ausblenden</translation>
        </message>
        <message>
            <source>Hide from the charts (E)</source>
            <translation>In den Diagrammen verbergen (E)</translation>
        </message>
        <message>
            <source>Hide some tokens and predict them from both sides.</source>
            <translation>Einige Tokens verdecken und von beiden Seiten vorhersagen.</translation>
        </message>
        <message>
            <source>Hide this row for this run</source>
            <translation>Diese Zeile für diesen Lauf ausblenden</translation>
        </message>
        <message>
            <source>High contrast</source>
            <translation>Hoher Kontrast</translation>
        </message>
        <message>
            <source>Holds</source>
            <translation>Inhalt</translation>
        </message>
        <message>
            <source>Home</source>
            <translation>Startseite</translation>
        </message>
        <message>
            <source>How far a token some way back still moves the state, against the last token</source>
            <translation>Wie stark ein Token von weiter hinten den Zustand noch bewegt, gegenüber dem letzten Token</translation>
        </message>
        <message>
            <source>How far rotation, slant, scale, position, curvature and width of the strokes vary; 0 means that all digits of a form are alike.</source>
            <translation>Wie weit Drehung, Neigung, Größe, Lage, Krümmung und Breite der Striche schwanken; bei 0 sind alle Ziffern einer Form gleich.</translation>
        </message>
        <message>
            <source>How far the predictions change when the text is read in another order</source>
            <translation>Wie stark sich die Vorhersagen ändern, wenn der Text in anderer Reihenfolge gelesen wird</translation>
        </message>
        <message>
            <source>How large the largest weight of a row is on average, with and without the division by √D</source>
            <translation>Wie groß das größte Gewicht einer Zeile im Mittel ist, mit und ohne Division durch √D</translation>
        </message>
        <message>
            <source>How large the scores of queries and keys are, divided by √D and not</source>
            <translation>Wie groß die Scores von Queries und Keys sind, durch √D geteilt und nicht</translation>
        </message>
        <message>
            <source>How many different n-grams of each order occur in the training text</source>
            <translation>Wie viele verschiedene n-Gramme jeder Ordnung im Trainingstext vorkommen</translation>
        </message>
        <message>
            <source>How many directions of the state are in use after each token</source>
            <translation>Wie viele Richtungen des Zustands nach jedem Token genutzt werden</translation>
        </message>
        <message>
            <source>How many n-grams of each order occur only once</source>
            <translation>Wie viele n-Gramme jeder Ordnung nur einmal vorkommen</translation>
        </message>
        <message>
            <source>How many n-grams of each order the vocabulary allows</source>
            <translation>Wie viele n-Gramme jeder Ordnung das Vokabular zulässt</translation>
        </message>
        <message>
            <source>How many pairs a model can recall, with many questions in one sequence as in language.</source>
            <translation>Wie viele Paare ein Modell abrufen kann, mit vielen Fragen in einer Folge wie in der Sprache.</translation>
        </message>
        <message>
            <source>How many tokens a token may read, itself included; 0 means all. Typical: 0, or 1/8 to 1/2 of the context length.</source>
            <translation>Wie viele Tokens ein Token lesen darf, sich selbst eingeschlossen; 0 bedeutet alle. Üblich: 0 oder 1/8 bis 1/2 der Kontextlänge.</translation>
        </message>
        <message>
            <source>How many tokens before each position form a context that was seen in training</source>
            <translation>Wie viele Tokens vor jeder Position einen Kontext bilden, der im Training vorkam</translation>
        </message>
        <message>
            <source>How much each context length contributes to the prediction at every position</source>
            <translation>Wie viel jede Kontextlänge an jeder Position zur Vorhersage beiträgt</translation>
        </message>
        <message>
            <source>How much each head reads of what heads in earlier blocks have written</source>
            <translation>Wie viel jeder Kopf von dem liest, was Köpfe in früheren Blöcken geschrieben haben</translation>
        </message>
        <message>
            <source>How much of a loss reaches the hidden state some tokens before</source>
            <translation>Wie viel von einem Verlust den verborgenen Zustand einige Tokens zuvor erreicht</translation>
        </message>
        <message>
            <source>How much of each earlier token every position takes in, head by head</source>
            <translation>Wie viel von jedem früheren Token jede Position aufnimmt, Kopf für Kopf</translation>
        </message>
        <message>
            <source>How much of each position of the source every position of the target takes in, head by head</source>
            <translation>Wie viel jede Position des Ziels von jeder Position der Quelle aufnimmt, Kopf für Kopf</translation>
        </message>
        <message>
            <source>How much of each token is left at each position after all layers</source>
            <translation>Wie viel von jedem Token nach allen Schichten an jeder Position bleibt</translation>
        </message>
        <message>
            <source>How much of the difference is chance is known once the repetitions of {names} are finished.</source>
            <translation>Wie viel vom Unterschied Zufall ist, zeigt sich, sobald die Wiederholungen von {names} beendet sind.</translation>
        </message>
        <message>
            <source>How much of the difference is chance is not known: fewer than two finished runs of {names}. Repeat them with another seed to see.</source>
            <translation>Wie viel des Unterschieds Zufall ist, ist nicht bekannt: weniger als zwei beendete Läufe von {names}. Mit einem anderen Seed wiederholen.</translation>
        </message>
        <message>
            <source>How much queries, keys and values of each head read from the output of heads in earlier layers (NaN for other heads), and whether each head copies the symbols it reads. For small models.</source>
            <translation>Wie viel Queries, Keys und Values jedes Kopfes aus der Ausgabe von Köpfen früherer Schichten lesen (NaN für andere Köpfe), und ob jeder Kopf die gelesenen Symbole kopiert. Für kleine Modelle.</translation>
        </message>
        <message>
            <source>How much the state of each layer retains of earlier tokens, by lag: how much the token affects it, relative to the last token, and how often a linear probe recovers it, compared with chance; NaN where a state is not finite or the last token does not affect it.</source>
            <translation>Wie viel der Zustand jeder Schicht von früheren Tokens behält, nach Abstand: wie stark das Token ihn beeinflusst, relativ zum letzten Token, und wie oft eine lineare Sonde es wiederfindet, verglichen mit Zufall; NaN, wo ein Zustand nicht endlich ist oder das letzte Token ihn nicht beeinflusst.</translation>
        </message>
        <message>
            <source>How much worse the model predicts when one part is left out</source>
            <translation>Wie viel schlechter das Modell vorhersagt, wenn ein Teil weggelassen wird</translation>
        </message>
        <message>
            <source>How often a linear probe reads a token some way back from the state</source>
            <translation>Wie oft eine lineare Sonde ein Token von weiter hinten aus dem Zustand liest</translation>
        </message>
        <message>
            <source>How strongly each token affects the prediction at each position, for any architecture</source>
            <translation>Wie stark jedes Token die Vorhersage an jeder Position beeinflusst, für jede Architektur</translation>
        </message>
        <message>
            <source>How strongly each token affects the prediction at each position, for models of every kind: the norm of a logit's gradient, or the change of log p when the token is replaced. Compare models by rows.</source>
            <translation>Wie stark jedes Token die Vorhersage an jeder Position beeinflusst, für Modelle jeder Art: die Norm des Gradienten eines Logits, oder die Änderung von log p, wenn das Token ersetzt wird. Modelle zeilenweise vergleichen.</translation>
        </message>
        <message>
            <source>How texts of the model are decoded unless a command says otherwise; training does not depend on it.</source>
            <translation>Wie Texte des Modells decodiert werden, wenn nichts anderes verlangt wird; das Training betrifft es nicht.</translation>
        </message>
        <message>
            <source>How the model is trained, evaluated and recorded.</source>
            <translation>Wie das Modell trainiert, ausgewertet und aufgezeichnet wird.</translation>
        </message>
        <message>
            <source>How the tokens of each class (keywords, letters, digits …) are spread over the experts</source>
            <translation>Wie sich die Tokens jeder Klasse (Schlüsselwörter, Buchstaben, Ziffern …) auf die Experten verteilen</translation>
        </message>
        <message>
            <source>How to read this</source>
            <translation>So liest man es</translation>
        </message>
        <message>
            <source>How to read {title}</source>
            <translation>{title}: so liest man es</translation>
        </message>
        <message>
            <source>How unexpected each token of the text was to the model, in nats</source>
            <translation>Wie unerwartet jedes Token des Textes für das Modell war, in Nats</translation>
        </message>
        <message>
            <source>How well the model predicts; lower is better. A sentence beside the number says it in words, and below are the settings that may change during training.</source>
            <translation>Wie gut das Modell vorhersagt; kleiner ist besser. Ein Satz neben der Zahl sagt es in Worten, und die während des Trainings änderbaren Einstellungen stehen darunter.</translation>
        </message>
        <message>
            <source>How widely and how far back each attention head reads, and its kind</source>
            <translation>Wie breit und wie weit zurück jeder Attention-Kopf liest, und seine Art</translation>
        </message>
        <message>
            <source>Huber</source>
            <translation>Huber</translation>
        </message>
        <message>
            <source>Hybrid</source>
            <translation>Hybrid</translation>
        </message>
        <message>
            <source>If something fails, use Python 3.11 to 3.14</source>
            <translation>Wenn etwas fehlschlägt, Python 3.11 bis 3.14 verwenden</translation>
        </message>
        <message>
            <source>If the machine has a card by NVIDIA, install its driver</source>
            <translation>Wenn der Rechner eine Karte von NVIDIA hat, deren Treiber installieren</translation>
        </message>
        <message>
            <source>If the machine is fast enough, select the full profile in Settings</source>
            <translation>Wenn der Rechner schnell genug ist, in den Einstellungen das volle Profil wählen</translation>
        </message>
        <message>
            <source>If you trust the new version, enable it again in Plugins</source>
            <translation>Wer der neuen Version vertraut, aktiviert es unter Plugins wieder</translation>
        </message>
        <message>
            <source>If you trust the new version: lm-lab plugins enable {name}</source>
            <translation>Wenn die neue Version vertrauenswürdig ist: lm-lab plugins enable {name}</translation>
        </message>
        <message>
            <source>If you trust who made it, unpack it yourself: it is a zip</source>
            <translation>Wenn die Quelle vertrauenswürdig ist, von Hand entpacken: es ist eine Zip-Datei</translation>
        </message>
        <message>
            <source>If you want the window: pip install 'lm-lab[window]'</source>
            <translation>Wer das Fenster möchte: pip install 'lm-lab[window]'</translation>
        </message>
        <message>
            <source>Images has labels and captions</source>
            <translation>Images hat labels und captions</translation>
        </message>
        <message>
            <source>Images.pixels has the shape {shape}</source>
            <translation>Images.pixels hat die Form {shape}</translation>
        </message>
        <message>
            <source>Import the names it uses</source>
            <translation>Die verwendeten Namen importieren</translation>
        </message>
        <message>
            <source>In heads of 64 channels the divided scores are an eighth of the others.</source>
            <translation>In Köpfen mit 64 Kanälen sind die geteilten Scores ein Achtel der anderen.</translation>
        </message>
        <message>
            <source>In projector mode the type is as large as this window allows. A larger window allows more.</source>
            <translation>Im Projektormodus ist die Schrift so groß, wie es dieses Fenster erlaubt. Ein größeres Fenster erlaubt mehr.</translation>
        </message>
        <message>
            <source>In the plugins folder</source>
            <translation>Im Plugin-Ordner</translation>
        </message>
        <message>
            <source>In the queue</source>
            <translation>In der Warteschlange</translation>
        </message>
        <message>
            <source>Increase corpus.alphabet, or set corpus.distance to constant</source>
            <translation>corpus.alphabet vergrößern oder corpus.distance auf constant setzen</translation>
        </message>
        <message>
            <source>Index</source>
            <translation>Übersicht</translation>
        </message>
        <message>
            <source>Induction</source>
            <translation>Induktion</translation>
        </message>
        <message>
            <source>Induction heads</source>
            <translation>Induktionsköpfe</translation>
        </message>
        <message>
            <source>Induction: tokens that come again</source>
            <translation>Induktion: Tokens, die wiederkommen</translation>
        </message>
        <message>
            <source>Influence</source>
            <translation>Einfluss</translation>
        </message>
        <message>
            <source>Influence by lag</source>
            <translation>Einfluss nach Abstand</translation>
        </message>
        <message>
            <source>Initial bias of the forget gate; 1 retains 73 % of a cell per token, 0 half. Typical: 1.</source>
            <translation>Anfänglicher Bias des Forget-Gates; 1 behält 73 % einer Zelle pro Token, 0 die Hälfte. Üblich: 1.</translation>
        </message>
        <message>
            <source>Initial diagonal</source>
            <translation>Startdiagonale</translation>
        </message>
        <message>
            <source>Initial standard deviation of embedding and head. With large ones gates can separate symbols from the first step on; small ones generalise better after long training. Typical: 0.02 to 1.</source>
            <translation>Anfängliche Standardabweichung von Embedding und Ausgabe. Mit großen können Gates Symbole vom ersten Schritt an trennen; kleine generalisieren nach langem Training besser. Üblich: 0,02 bis 1.</translation>
        </message>
        <message>
            <source>Initial weights</source>
            <translation>Anfangsgewichte</translation>
        </message>
        <message>
            <source>Initial weights: normal(0, 0.02); normal with variance 2 / (5 × width); Xavier's; or muP's.</source>
            <translation>Anfangsgewichte: normal(0; 0,02); normal mit Varianz 2 / (5 × Breite); die von Xavier; oder die von muP.</translation>
        </message>
        <message>
            <source>Initialisation</source>
            <translation>Initialisierung</translation>
        </message>
        <message>
            <source>Initialisation of the diagonal: that of HiPPO-LegS, −1/2 + iπn, −1/2 + i N/π (N/(2n + 1) − 1), or without oscillation, −(n + 1). S4 always uses “legs”.</source>
            <translation>Initialisierung der Diagonale: die von HiPPO-LegS, −1/2 + iπn, −1/2 + i N/π (N/(2n + 1) − 1), oder ohne Schwingung, −(n + 1). S4 verwendet immer „legs“.</translation>
        </message>
        <message>
            <source>Initialisation of the recurrent matrix of each gate: a rotation, Xavier's uniform numbers, the identity (meant for ReLU), or uniform numbers within 1 / √width, as in torch.</source>
            <translation>Initialisierung der rekurrenten Matrix jedes Gates: eine Drehung, gleichverteilte Zahlen nach Xavier, die Einheitsmatrix (gedacht für ReLU) oder gleichverteilte Zahlen bis 1 / √Breite wie in torch.</translation>
        </message>
        <message>
            <source>Input</source>
            <translation>Eingabe</translation>
        </message>
        <message>
            <source>Input/output error</source>
            <translation>Ein-/Ausgabefehler</translation>
        </message>
        <message>
            <source>Inside a word the bars are low, at the start of a new word they are high.</source>
            <translation>Innerhalb eines Wortes sind die Balken niedrig, am Anfang eines neuen Wortes hoch.</translation>
        </message>
        <message>
            <source>Inspect</source>
            <translation>Untersuchen</translation>
        </message>
        <message>
            <source>Inspect a model on the probe text: attention, states and other readings.</source>
            <translation>Ein Modell auf dem Prüftext untersuchen: Attention, Zustände und andere Messwerte.</translation>
        </message>
        <message>
            <source>Inspect text</source>
            <translation>Text untersuchen</translation>
        </message>
        <message>
            <source>Inspect the model</source>
            <translation>Modell untersuchen</translation>
        </message>
        <message>
            <source>Inspect the model on this text</source>
            <translation>Das Modell auf diesem Text untersuchen</translation>
        </message>
        <message>
            <source>Inspecting</source>
            <translation>Untersuchen</translation>
        </message>
        <message>
            <source>Inspecting {name}</source>
            <translation>{name} wird untersucht</translation>
        </message>
        <message>
            <source>Install it: pip install "lm-lab[{extra}]"</source>
            <translation>Installieren mit: pip install "lm-lab[{extra}]"</translation>
        </message>
        <message>
            <source>Install it: pip install socksio</source>
            <translation>Installieren mit: pip install socksio</translation>
        </message>
        <message>
            <source>Install its driver, and a torch for it; until then choose the device cpu</source>
            <translation>Seinen Treiber und ein torch dafür installieren; bis dahin das Gerät cpu wählen</translation>
        </message>
        <message>
            <source>Install one, on Debian and Ubuntu: apt install fonts-dejavu-core</source>
            <translation>Eine installieren, unter Debian und Ubuntu: apt install fonts-dejavu-core</translation>
        </message>
        <message>
            <source>Install the driver of the graphics card again</source>
            <translation>Den Treiber der Grafikkarte neu installieren</translation>
        </message>
        <message>
            <source>Install the lab again, with its own versions: pip install --force-reinstall lm-lab</source>
            <translation>Das Labor neu installieren, mit seinen eigenen Versionen: pip install --force-reinstall lm-lab</translation>
        </message>
        <message>
            <source>Install the lab again: pip install lm-lab</source>
            <translation>Das Labor neu installieren: pip install lm-lab</translation>
        </message>
        <message>
            <source>Install the lab again; if that does not help, send a report</source>
            <translation>Das Labor neu installieren; hilft das nicht, einen Bericht senden</translation>
        </message>
        <message>
            <source>Install torch again: pip install --force-reinstall torch</source>
            <translation>torch neu installieren: pip install --force-reinstall torch</translation>
        </message>
        <message>
            <source>Install torch and pyqtgraph again, then open the lab again</source>
            <translation>torch und pyqtgraph neu installieren, dann das Labor erneut öffnen</translation>
        </message>
        <message>
            <source>Installed packages</source>
            <translation>Installierte Pakete</translation>
        </message>
        <message>
            <source>Instructions</source>
            <translation>Anleitung</translation>
        </message>
        <message>
            <source>Interpolation weight</source>
            <translation>Interpolationsgewicht</translation>
        </message>
        <message>
            <source>Interventions</source>
            <translation>Eingriffe</translation>
        </message>
        <message>
            <source>Is a directory</source>
            <translation>Ist ein Ordner</translation>
        </message>
        <message>
            <source>Is the difference real?</source>
            <translation>Ist der Unterschied echt?</translation>
        </message>
        <message>
            <source>It becomes a run at step 0: you can generate text with it, inspect it, and train it further.</source>
            <translation>Es wird zu einem Lauf bei Schritt 0: Damit lässt sich Text erzeugen, es lässt sich untersuchen und weiter trainieren.</translation>
        </message>
        <message>
            <source>It can read {target}, so its loss does not measure how well it guesses</source>
            <translation>Es kann {target} lesen; sein Verlust misst daher nicht, wie gut es rät</translation>
        </message>
        <message>
            <source>It failed, so nothing of it is used. Repair it and try again, or disable it.</source>
            <translation>Es ist fehlgeschlagen, deshalb wird nichts davon verwendet. Es kann repariert und erneut versucht oder deaktiviert werden.</translation>
        </message>
        <message>
            <source>It grows by a factor of V with each order.</source>
            <translation>Sie wächst mit jeder Ordnung um den Faktor V.</translation>
        </message>
        <message>
            <source>It guesses {target} as if choosing {among}</source>
            <translation>Es rät {target}, als wählte es {among}</translation>
        </message>
        <message>
            <source>It guesses {target} as if choosing {among}, worse than blindly, which would be {blind}</source>
            <translation>Es rät {target}, als wählte es {among}, schlechter als blind; das hieße {blind}</translation>
        </message>
        <message>
            <source>It guesses {target} as if choosing {among}; guessing blindly would be {blind}</source>
            <translation>Es rät {target}, als wählte es {among}; blindes Raten hieße {blind}</translation>
        </message>
        <message>
            <source>It has read all of its text; start a new run with a longer text</source>
            <translation>Er hat seinen ganzen Text gelesen; einen neuen Lauf mit längerem Text starten</translation>
        </message>
        <message>
            <source>It holds all settings and the last loss.</source>
            <translation>Er enthält alle Einstellungen und den letzten Verlust.</translation>
        </message>
        <message>
            <source>It holds all settings.</source>
            <translation>Er enthält alle Einstellungen.</translation>
        </message>
        <message>
            <source>It holds: {parts}.</source>
            <translation>Enthalten: {parts}.</translation>
        </message>
        <message>
            <source>It is a model of another kind than config.json names</source>
            <translation>Es ist ein Modell anderer Art, als config.json angibt</translation>
        </message>
        <message>
            <source>It is at most the smaller side of the state. One that stays low is not used; a full one has to overwrite.</source>
            <translation>Er ist höchstens die kleinere Seite des Zustands. Einer, der niedrig bleibt, wird nicht genutzt; ein voller muss überschreiben.</translation>
        </message>
        <message>
            <source>It is disabled, and nothing of it is used.</source>
            <translation>Es ist deaktiviert, und nichts davon wird verwendet.</translation>
        </message>
        <message>
            <source>It is ignored; a new name or tag replaces it</source>
            <translation>Es wird nicht beachtet; ein neuer Name oder Tag ersetzt es</translation>
        </message>
        <message>
            <source>It is loaded in the background.</source>
            <translation>Es wird im Hintergrund geladen.</translation>
        </message>
        <message>
            <source>It is nearly certain of {target}</source>
            <translation>Es kennt {target} fast sicher</translation>
        </message>
        <message>
            <source>It is nearly certain of {target}; guessing blindly would be {blind}</source>
            <translation>Es kennt {target} fast sicher; blindes Raten hieße {blind}</translation>
        </message>
        <message>
            <source>It is not enabled, and nothing of it has run.</source>
            <translation>Es ist nicht aktiviert, und noch nichts davon ist gelaufen.</translation>
        </message>
        <message>
            <source>It is queued behind {run}.</source>
            <translation>Der Lauf wird hinter {run} eingereiht.</translation>
        </message>
        <message>
            <source>It is right about {share} of the classes</source>
            <translation>Es sagt {share} der Klassen richtig voraus</translation>
        </message>
        <message>
            <source>It is right about {share} of the classes; guessing blindly would be {blind}</source>
            <translation>Es sagt {share} der Klassen richtig voraus; blindes Raten käme auf {blind}</translation>
        </message>
        <message>
            <source>It is the largest modulus of an eigenvalue: above 1 a state grows, below 1 it fades.</source>
            <translation>Es ist der größte Betrag eines Eigenwerts: Über 1 wächst ein Zustand, unter 1 verblasst er.</translation>
        </message>
        <message>
            <source>It is the next one in the queue. A run that is stopped is saved and can be resumed.</source>
            <translation>Er ist der nächste in der Warteschlange. Ein gestoppter Lauf wird gespeichert und kann fortgesetzt werden.</translation>
        </message>
        <message>
            <source>It is there as {file}.</source>
            <translation>Es ist dort als {file}.</translation>
        </message>
        <message>
            <source>It needs the package {name}, which is installed separately.</source>
            <translation>Es braucht das Paket {name}, das eigens installiert wird.</translation>
        </message>
        <message>
            <source>It needs {needed} of memory; this machine has {memory}.</source>
            <translation>Er braucht {needed} Speicher; dieser Rechner hat {memory}.</translation>
        </message>
        <message>
            <source>It needs {needed} of the {memory} of memory.</source>
            <translation>Er braucht {needed} der {memory} Speicher.</translation>
        </message>
        <message>
            <source>It runs for everybody on this machine, by {source}.</source>
            <translation>Es läuft für alle an diesem Rechner, laut {source}.</translation>
        </message>
        <message>
            <source>It runs on {versions}.</source>
            <translation>Es läuft mit {versions}.</translation>
        </message>
        <message>
            <source>It shapes the selected part of the model.</source>
            <translation>Bestimmt den ausgewählten Teil des Modells.</translation>
        </message>
        <message>
            <source>It starts as soon as that is known</source>
            <translation>Der Lauf startet, sobald sie bekannt sind</translation>
        </message>
        <message>
            <source>It starts when the runs before it have finished</source>
            <translation>Startet, wenn die Läufe davor fertig sind</translation>
        </message>
        <message>
            <source>It uses a network only for what you download or hand in, and sends nothing else anywhere.</source>
            <translation>Es benutzt ein Netz nur für das, was heruntergeladen oder abgegeben wird, und sendet sonst nichts.</translation>
        </message>
        <message>
            <source>It was written for another version of the lab, so nothing of it is used.</source>
            <translation>Es wurde für eine andere Version des Labors geschrieben, deshalb wird nichts davon verwendet.</translation>
        </message>
        <message>
            <source>It will contain {parts}</source>
            <translation>Sie wird enthalten: {parts}</translation>
        </message>
        <message>
            <source>It would take {time} on this machine.</source>
            <translation>Er würde auf diesem Rechner {time} dauern.</translation>
        </message>
        <message>
            <source>Iterations</source>
            <translation>Iterationen</translation>
        </message>
        <message>
            <source>Its identity: {id}.</source>
            <translation>Seine Kennung: {id}.</translation>
        </message>
        <message>
            <source>Its own loss</source>
            <translation>Eigener Verlust</translation>
        </message>
        <message>
            <source>Its split. Empty: train, or the only one.</source>
            <translation>Aufteilung (Split). Leer: train oder die einzige.</translation>
        </message>
        <message>
            <source>Its subset, which is also called configuration. Empty: the only one.</source>
            <translation>Teilmenge, auch Konfiguration genannt. Leer: die einzige.</translation>
        </message>
        <message>
            <source>JSON (*.json)</source>
            <translation>JSON (*.json)</translation>
        </message>
        <message>
            <source>Jelinek-Mercer</source>
            <translation>Jelinek-Mercer</translation>
        </message>
        <message>
            <source>Jelinek-Mercer: share of a context that was seen before; the rest goes to the context one token shorter. Without a number, weights are fitted on held-out text, by how often the context was seen. Typical: 0.5 to 0.9.</source>
            <translation>Jelinek-Mercer: Anteil eines Kontexts, der schon vorkam; der Rest geht an den um ein Token kürzeren Kontext. Ohne Zahl werden die Gewichte auf zurückgehaltenem Text angepasst, danach, wie oft der Kontext vorkam. Üblich: 0,5 bis 0,9.</translation>
        </message>
        <message>
            <source>Join its files to one, and use that as the corpus</source>
            <translation>Seine Dateien zu einer verbinden, und diese als Korpus verwenden</translation>
        </message>
        <message>
            <source>Join its modules to one file, or install it on the machines as a package</source>
            <translation>Seine Module zu einer Datei verbinden, oder es auf den Rechnern als Paket installieren</translation>
        </message>
        <message>
            <source>KL to the end</source>
            <translation>KL zum Ende</translation>
        </message>
        <message>
            <source>KL(P‖Q) (nats per token)</source>
            <translation>KL(P‖Q) (Nats pro Token)</translation>
        </message>
        <message>
            <source>Katz</source>
            <translation>Katz</translation>
        </message>
        <message>
            <source>Katz's discount, by the number of sightings</source>
            <translation>der Abzug nach Katz, je nach Anzahl der Vorkommen</translation>
        </message>
        <message>
            <source>Keep best</source>
            <translation>Besten behalten</translation>
        </message>
        <message>
            <source>Keep latest</source>
            <translation>Letzte behalten</translation>
        </message>
        <message>
            <source>Keep the checkpoint with the lowest validation loss.</source>
            <translation>Den Checkpoint mit dem kleinsten Validierungsverlust behalten.</translation>
        </message>
        <message>
            <source>Keep the seed, so that the same text is written again; off draws another one for each text.</source>
            <translation>Behält den Seed, sodass derselbe Text wieder geschrieben wird; ausgeschaltet wird für jeden Text ein anderer gezogen.</translation>
        </message>
        <message>
            <source>Keep working</source>
            <translation>Weiterarbeiten</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>Kern</translation>
        </message>
        <message>
            <source>Key width</source>
            <translation>Breite der Keys</translation>
        </message>
        <message>
            <source>Key/value heads</source>
            <translation>Key/Value-Köpfe</translation>
        </message>
        <message>
            <source>Keyboard shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
        <message>
            <source>Keys with their values at the start; each key is queried once.</source>
            <translation>Schlüssel mit ihren Werten am Anfang; jeder Schlüssel wird einmal abgefragt.</translation>
        </message>
        <message>
            <source>Keys with their values, then each key again: the model gives its value.</source>
            <translation>Schlüssel mit ihren Werten, dann noch einmal jeder Schlüssel: Das Modell nennt seinen Wert.</translation>
        </message>
        <message>
            <source>Keywords</source>
            <translation>Schlüsselwörter</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>Art</translation>
        </message>
        <message>
            <source>Kinds</source>
            <translation>Arten</translation>
        </message>
        <message>
            <source>Kinds of brackets, all equally frequent: ( ) [ ] { } &lt; &gt;, then a letter and its capital.</source>
            <translation>Arten von Klammern, alle gleich häufig: ( ) [ ] { } &lt; &gt;, dann ein Buchstabe und sein Großbuchstabe.</translation>
        </message>
        <message>
            <source>Kneser and Ney's count: sightings, or in shorter contexts different tokens before</source>
            <translation>die Zählung von Kneser und Ney: Vorkommen, oder in kürzeren Kontexten verschiedene Tokens davor</translation>
        </message>
        <message>
            <source>Kneser-Ney</source>
            <translation>Kneser-Ney</translation>
        </message>
        <message>
            <source>Kneser-Ney (counting)</source>
            <translation>Kneser-Ney (Zählen)</translation>
        </message>
        <message>
            <source>Kneser-Ney, order {n}</source>
            <translation>Kneser-Ney, Ordnung {n}</translation>
        </message>
        <message>
            <source>Kneser-Ney, order {n} so far</source>
            <translation>Kneser-Ney, bisher Ordnung {n}</translation>
        </message>
        <message>
            <source>Known probabilities</source>
            <translation>Bekannte Wahrscheinlichkeiten</translation>
        </message>
        <message>
            <source>LLaMA</source>
            <translation>LLaMA</translation>
        </message>
        <message>
            <source>LM Lab</source>
            <translation>LM Lab</translation>
        </message>
        <message>
            <source>LM Lab {lab}, Python {value}, {value2} {value3}</source>
            <translation>LM Lab {lab}, Python {value}, {value2} {value3}</translation>
        </message>
        <message>
            <source>LSTM</source>
            <translation>LSTM</translation>
        </message>
        <message>
            <source>LSTMs and other gated recurrences solve it, plain RNNs do not, since their gradients vanish. Attention finds X and Y by content.</source>
            <translation>LSTMs und andere Rekurrenzen mit Gates lösen es, einfache RNNs nicht, da ihre Gradienten verschwinden. Attention findet X und Y nach Inhalt.</translation>
        </message>
        <message>
            <source>LSTMs count and generalise to longer strings; attention does nearly as well.</source>
            <translation>LSTMs zählen und generalisieren auf längere Zeichenketten; Attention ist fast ebenso gut.</translation>
        </message>
        <message>
            <source>Label</source>
            <translation>Label</translation>
        </message>
        <message>
            <source>Label smoothing</source>
            <translation>Label-Smoothing</translation>
        </message>
        <message>
            <source>Labelled</source>
            <translation>Mit Label</translation>
        </message>
        <message>
            <source>LabelledTexts.texts is a {name} in row {number}</source>
            <translation>LabelledTexts.texts ist in Zeile {number} ein {name}</translation>
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
            <source>Laplace</source>
            <translation>Laplace</translation>
        </message>
        <message>
            <source>Large map</source>
            <translation>Große Karte</translation>
        </message>
        <message>
            <source>Larger text</source>
            <translation>Größerer Text</translation>
        </message>
        <message>
            <source>Largest</source>
            <translation>Größter Wert</translation>
        </message>
        <message>
            <source>Largest change of a pixel by chance, as a share of the range from black to white.</source>
            <translation>Größte zufällige Änderung eines Pixels, als Anteil der Spanne von Schwarz bis Weiß.</translation>
        </message>
        <message>
            <source>Largest initial step size. Typical: 0.1.</source>
            <translation>Größte anfängliche Schrittweite. Üblich: 0,1.</translation>
        </message>
        <message>
            <source>Largest length of a string; each length from 1 on is equally likely.</source>
            <translation>Größte Länge einer Zeichenkette; jede Länge ab 1 ist gleich wahrscheinlich.</translation>
        </message>
        <message>
            <source>Largest norm of the gradients; longer ones are shortened to it. 0 means no limit. Typical: 0.5 to 1.</source>
            <translation>Größte Norm der Gradienten; längere werden darauf gekürzt. 0 bedeutet keine Grenze. Üblich: 0,5 bis 1.</translation>
        </message>
        <message>
            <source>Largest number of open brackets; 0 means no maximum.</source>
            <translation>Größte Zahl offener Klammern; 0 bedeutet keine Grenze.</translation>
        </message>
        <message>
            <source>Largest step Δ</source>
            <translation>Größter Schritt Δ</translation>
        </message>
        <message>
            <source>Largest weight</source>
            <translation>Größtes Gewicht</translation>
        </message>
        <message>
            <source>Last steps whose weights are averaged into the trained model; 0 uses those of the last step. Typical: 0, or a tenth of the steps.</source>
            <translation>Letzte Schritte, deren Gewichte zum trainierten Modell gemittelt werden; 0 nimmt die des letzten Schritts. Üblich: 0 oder ein Zehntel der Schritte.</translation>
        </message>
        <message>
            <source>Layer decay</source>
            <translation>Abfall je Schicht</translation>
        </message>
        <message>
            <source>LayerNorm</source>
            <translation>LayerNorm</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>Schichten</translation>
        </message>
        <message>
            <source>Learn merges</source>
            <translation>Verschmelzungen lernen</translation>
        </message>
        <message>
            <source>Learned</source>
            <translation>Gelernt</translation>
        </message>
        <message>
            <source>Learning merges</source>
            <translation>Verschmelzungen lernen</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>Lernrate</translation>
        </message>
        <message>
            <source>Learning rate over {steps}: {ends}, {most} at most</source>
            <translation>Lernrate über {steps}: {ends}, höchstens {most}</translation>
        </message>
        <message>
            <source>Learning {n} merges from the corpus.</source>
            <translation>{n} Verschmelzungen werden aus dem Korpus gelernt.</translation>
        </message>
        <message>
            <source>Leave it empty</source>
            <translation>Leer lassen</translation>
        </message>
        <message>
            <source>Leave it out</source>
            <translation>Weglassen</translation>
        </message>
        <message>
            <source>Leave labels=None for pictures with captions</source>
            <translation>Lass labels=None für Bilder mit Beschreibungen</translation>
        </message>
        <message>
            <source>Leave lengths out</source>
            <translation>Lass die Längen weg</translation>
        </message>
        <message>
            <source>Leave out a pattern</source>
            <translation>Ein Muster weglassen</translation>
        </message>
        <message>
            <source>Leave the row out</source>
            <translation>Lass die Zeile weg</translation>
        </message>
        <message>
            <source>Leave the row out, or fill in a number</source>
            <translation>Lass die Zeile weg oder trage eine Zahl ein</translation>
        </message>
        <message>
            <source>Leave the row out, or fill it</source>
            <translation>Lass die Zeile weg oder fülle sie</translation>
        </message>
        <message>
            <source>Leave the text out</source>
            <translation>Den Text weglassen</translation>
        </message>
        <message>
            <source>Leaves the k likeliest tokens.</source>
            <translation>Lässt die k wahrscheinlichsten Tokens übrig.</translation>
        </message>
        <message>
            <source>Leaves the nucleus: the fewest likeliest tokens that together reach a probability.</source>
            <translation>Lässt den Kern übrig: die wenigsten wahrscheinlichsten Tokens, die zusammen eine Wahrscheinlichkeit erreichen.</translation>
        </message>
        <message>
            <source>Leaves the tokens above a probability that is lower where the model is uncertain.</source>
            <translation>Lässt die Tokens oberhalb einer Wahrscheinlichkeit übrig, die niedriger ist, wo das Modell unsicher ist.</translation>
        </message>
        <message>
            <source>Leaves the tokens above a probability.</source>
            <translation>Lässt die Tokens oberhalb einer Wahrscheinlichkeit übrig.</translation>
        </message>
        <message>
            <source>Leaves the tokens above a share of the square of the largest probability.</source>
            <translation>Lässt die Tokens oberhalb eines Anteils am Quadrat der größten Wahrscheinlichkeit übrig.</translation>
        </message>
        <message>
            <source>Leaves the tokens that are about as surprising as is to be expected.</source>
            <translation>Lässt die Tokens übrig, die etwa so überraschend sind, wie zu erwarten ist.</translation>
        </message>
        <message>
            <source>Leaves the tokens that are not much less likely than the likeliest one.</source>
            <translation>Lässt die Tokens übrig, die nicht viel unwahrscheinlicher sind als das wahrscheinlichste.</translation>
        </message>
        <message>
            <source>Leaves the tokens that consist of given characters.</source>
            <translation>Lässt die Tokens übrig, die aus gegebenen Zeichen bestehen.</translation>
        </message>
        <message>
            <source>Left and Right move the border</source>
            <translation>Links und Rechts verschieben den Rand</translation>
        </message>
        <message>
            <source>Left and Right select a column, + and - change its width, Return sorts by it where it can be sorted</source>
            <translation>Links und Rechts wählen eine Spalte, + und - ändern ihre Breite, die Eingabetaste sortiert nach ihr, wo das möglich ist</translation>
        </message>
        <message>
            <source>Length</source>
            <translation>Länge</translation>
        </message>
        <message>
            <source>Length and vocabulary</source>
            <translation>Länge und Vokabular</translation>
        </message>
        <message>
            <source>Length as</source>
            <translation>Länge als</translation>
        </message>
        <message>
            <source>Length generalisation</source>
            <translation>Längengeneralisierung</translation>
        </message>
        <message>
            <source>Length of the context</source>
            <translation>Länge des Kontexts</translation>
        </message>
        <message>
            <source>Length of the sample at each evaluation. Typical: 50 to 200.</source>
            <translation>Länge der Textprobe bei jeder Auswertung. Üblich: 50 bis 200.</translation>
        </message>
        <message>
            <source>Length penalty</source>
            <translation>Längenabzug</translation>
        </message>
        <message>
            <source>Length: {part}</source>
            <translation>Länge: {part}</translation>
        </message>
        <message>
            <source>Let all lines be alike, or take it out</source>
            <translation>Alle Zeilen gleich aufbauen, oder sie entfernen</translation>
        </message>
        <message>
            <source>Let it write</source>
            <translation>Schreiben lassen</translation>
        </message>
        <message>
            <source>Let position t read positions up to t, or set causal = False in the model. {plugin}</source>
            <translation>Position t nur Positionen bis t lesen lassen oder im Modell causal = False setzen. {plugin}</translation>
        </message>
        <message>
            <source>Let the class hand in to a folder on a shared drive, or on a stick</source>
            <translation>Die Klasse in einem Ordner auf einem gemeinsamen Laufwerk oder auf einem Stick abgeben lassen</translation>
        </message>
        <message>
            <source>Let the class hand in with a browser</source>
            <translation>Die Klasse mit einem Browser abgeben lassen</translation>
        </message>
        <message>
            <source>Let the gates of each unit see its cell state too; the cells are then computed one token at a time, which takes longer.</source>
            <translation>Die Gates jedes Neurons sehen auch dessen Zellzustand; die Zellen werden dann Token für Token berechnet, was länger dauert.</translation>
        </message>
        <message>
            <source>Let the lab use another folder: set the variable LAB_HOME to a folder of your own</source>
            <translation>Dem Labor einen anderen Ordner geben: die Variable LAB_HOME auf einen eigenen Ordner setzen</translation>
        </message>
        <message>
            <source>Let the model's source import only torch, the standard library, lab.api and lab.layers</source>
            <translation>Der Quelltext des Modells darf nur torch, die Standardbibliothek, lab.api und lab.layers importieren</translation>
        </message>
        <message>
            <source>Lets the model write, and shows how probable each token was and what it could have written instead.</source>
            <translation>Lässt das Modell schreiben und zeigt, wie wahrscheinlich jedes Token war und was es sonst hätte schreiben können.</translation>
        </message>
        <message>
            <source>Letters</source>
            <translation>Buchstaben</translation>
        </message>
        <message>
            <source>Letters that a state may emit.</source>
            <translation>Buchstaben, die ein Zustand ausgeben kann.</translation>
        </message>
        <message>
            <source>Letters that occur in similar contexts get similar columns during the training.</source>
            <translation>Buchstaben, die an ähnlichen Stellen vorkommen, bekommen im Training ähnliche Spalten.</translation>
        </message>
        <message>
            <source>Level</source>
            <translation>Stufe</translation>
        </message>
        <message>
            <source>Licences of what is shipped with it</source>
            <translation>Lizenzen der mitgelieferten Teile</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>Hell</translation>
        </message>
        <message>
            <source>Light on a machine with less than 6 GB of memory, one core or slow cores; full on others</source>
            <translation>Leicht auf einem Rechner mit weniger als 6 GB Speicher, einem Kern oder langsamen Kernen; voll auf anderen</translation>
        </message>
        <message>
            <source>Light profile</source>
            <translation>Leichtes Profil</translation>
        </message>
        <message>
            <source>Lineage</source>
            <translation>Abstammung</translation>
        </message>
        <message>
            <source>Linear attention</source>
            <translation>Lineare Attention</translation>
        </message>
        <message>
            <source>Linear attention in which each token decides, for each channel of the key, how much of the state to retain.</source>
            <translation>Lineare Attention, bei der jedes Token für jeden Kanal des Keys entscheidet, wie viel vom Zustand bleibt.</translation>
        </message>
        <message>
            <source>Linear attention that forgets: each head retains a fixed share of its state per token, and queries and keys are rotated by their positions.</source>
            <translation>Lineare Attention, die vergisst: Jeder Kopf behält pro Token einen festen Anteil seines Zustands, und Queries und Keys werden nach ihren Positionen gedreht.</translation>
        </message>
        <message>
            <source>Linear attention: feature maps, decay, gates, the delta rule, RWKV.</source>
            <translation>Lineare Attention: Merkmalsabbildungen, Abklingen, Gates, die Delta-Regel, RWKV.</translation>
        </message>
        <message>
            <source>Link</source>
            <translation>Link</translation>
        </message>
        <message>
            <source>Link of {name}</source>
            <translation>Link zu {name}</translation>
        </message>
        <message>
            <source>Listing the parts of the model…</source>
            <translation>Die Teile des Modells werden aufgelistet …</translation>
        </message>
        <message>
            <source>Listing the parts of {name}</source>
            <translation>Die Teile von {name} werden aufgelistet</translation>
        </message>
        <message>
            <source>Live edits after the last checkpoint are not repeated</source>
            <translation>Live-Änderungen nach dem letzten Checkpoint werden nicht wiederholt</translation>
        </message>
        <message>
            <source>Live settings</source>
            <translation>Live-Einstellungen</translation>
        </message>
        <message>
            <source>Llama 3</source>
            <translation>Llama 3</translation>
        </message>
        <message>
            <source>Load of each expert</source>
            <translation>Last jedes Experten</translation>
        </message>
        <message>
            <source>Load over the training</source>
            <translation>Last über das Training</translation>
        </message>
        <message>
            <source>Loading plugins</source>
            <translation>Plugins werden geladen</translation>
        </message>
        <message>
            <source>Loading the charts</source>
            <translation>Die Diagramme werden geladen</translation>
        </message>
        <message>
            <source>Loading the checkpoint</source>
            <translation>Laden des Checkpoints</translation>
        </message>
        <message>
            <source>Loading the tokenizer {title}</source>
            <translation>Laden des Tokenizers {title}</translation>
        </message>
        <message>
            <source>Loading the training code</source>
            <translation>Der Trainingscode wird geladen</translation>
        </message>
        <message>
            <source>Loading torch</source>
            <translation>torch wird geladen</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>Protokoll</translation>
        </message>
        <message>
            <source>Log-spaced steps at which readings are recorded. Typical: 8 to 30.</source>
            <translation>Logarithmisch verteilte Schritte, bei denen Messwerte aufgezeichnet werden. Üblich: 8 bis 30.</translation>
        </message>
        <message>
            <source>Logarithmic x axis</source>
            <translation>Logarithmische x-Achse</translation>
        </message>
        <message>
            <source>Logarithmic y axis</source>
            <translation>Logarithmische y-Achse</translation>
        </message>
        <message>
            <source>Logit bias</source>
            <translation>Logit-Zuschlag</translation>
        </message>
        <message>
            <source>Logit lens</source>
            <translation>Logit-Linse</translation>
        </message>
        <message>
            <source>Logit softcap</source>
            <translation>Softcap der Logits</translation>
        </message>
        <message>
            <source>Long short-term memory: besides the hidden state there is a cell that gates write, retain and read, so that gradients reach over many tokens.</source>
            <translation>Long Short-Term Memory: Neben dem verborgenen Zustand gibt es eine Zelle, deren Schreiben, Behalten und Lesen Gates steuern, sodass Gradienten über viele Tokens reichen.</translation>
        </message>
        <message>
            <source>Longest passage that training and validation share</source>
            <translation>Längste Stelle, die Training und Validierung gemeinsam haben</translation>
        </message>
        <message>
            <source>Longest repeated passages</source>
            <translation>Längste wiederholte Stellen</translation>
        </message>
        <message>
            <source>Longest string; lengths from 1 on are drawn equally often.</source>
            <translation>Längste Zeichenkette; Längen ab 1 werden gleich oft gezogen.</translation>
        </message>
        <message>
            <source>Look inside</source>
            <translation>Hineinsehen</translation>
        </message>
        <message>
            <source>Looking for plugins</source>
            <translation>Plugins werden gesucht</translation>
        </message>
        <message>
            <source>Loosen it, or move it behind the filters that leave it too little</source>
            <translation>Ihn lockern oder hinter die Filter verschieben, die ihm zu wenig übrig lassen</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>Verlust</translation>
        </message>
        <message>
            <source>Loss and other charts (Ctrl+M)</source>
            <translation>Verlust und andere Diagramme (Strg+M)</translation>
        </message>
        <message>
            <source>Loss per scored symbol of the last checkpoint on validation examples of one length each.</source>
            <translation>Verlust pro gewertetem Symbol des letzten Checkpoints auf Validierungsbeispielen je einer Länge.</translation>
        </message>
        <message>
            <source>Loss per token of the last checkpoint on the validation text, read in windows of this length. Longer windows give more context, but at positions that were never trained.</source>
            <translation>Verlust pro Token des letzten Checkpoints auf dem Validierungstext, in Fenstern dieser Länge gelesen. Längere Fenster geben mehr Kontext, aber an Positionen, die nie trainiert wurden.</translation>
        </message>
        <message>
            <source>Losses compare if the runs read the same text in the same way. Measured on the same text, all runs read the validation text of {run}, the selected one, up to {n} characters.</source>
            <translation>Verluste sind vergleichbar, wenn die Läufe denselben Text auf dieselbe Weise lesen. Bei der Messung auf demselben Text lesen alle Läufe den Validierungstext von {run}, dem ausgewählten, bis zu {n} Zeichen.</translation>
        </message>
        <message>
            <source>Losses in {unit}, measured on different texts: {parts}.</source>
            <translation>Verluste in {unit}, gemessen auf verschiedenen Texten: {parts}.</translation>
        </message>
        <message>
            <source>Losses in {unit}, measured on {part}.</source>
            <translation>Verluste in {unit}, gemessen auf {part}.</translation>
        </message>
        <message>
            <source>Losses of the shown runs</source>
            <translation>Verluste der gezeigten Läufe</translation>
        </message>
        <message>
            <source>Lower it or training.context_length, or raise training.accumulation</source>
            <translation>Den Wert oder training.context_length verringern oder training.accumulation erhöhen</translation>
        </message>
        <message>
            <source>Lower it, lower training.context_length, or choose a longer text</source>
            <translation>Den Wert oder training.context_length verringern oder einen längeren Text wählen</translation>
        </message>
        <message>
            <source>Lower it, or choose a longer text</source>
            <translation>Den Wert verringern oder einen längeren Text wählen</translation>
        </message>
        <message>
            <source>Lower limit of step sizes, also in training. Typical: 0.</source>
            <translation>Untergrenze der Schrittweiten, auch im Training. Üblich: 0.</translation>
        </message>
        <message>
            <source>Lower relative_clauses or reported_clauses</source>
            <translation>relative_clauses oder reported_clauses verringern</translation>
        </message>
        <message>
            <source>Lower the order, or use fewer letters</source>
            <translation>Die Ordnung verringern, oder weniger Buchstaben verwenden</translation>
        </message>
        <message>
            <source>Mac Roman</source>
            <translation>Mac Roman</translation>
        </message>
        <message>
            <source>Main</source>
            <translation>Hauptleiste</translation>
        </message>
        <message>
            <source>Make a new branch of {value}</source>
            <translation>Einen neuen Zweig von {value} anlegen</translation>
        </message>
        <message>
            <source>Make each sentence a document of its own, which ends with an end symbol. Off: one continuous text.</source>
            <translation>Jeden Satz zu einem eigenen Dokument machen, das mit einem Endsymbol endet. Aus: ein fortlaufender Text.</translation>
        </message>
        <message>
            <source>Make each turn a Turn("user", "…")</source>
            <translation>Mache aus jedem Beitrag ein Turn("user", "…")</translation>
        </message>
        <message>
            <source>Make it a daemon, or end it. {plugin}</source>
            <translation>Als Daemon starten oder beenden. {plugin}</translation>
        </message>
        <message>
            <source>Make it a readable folder</source>
            <translation>Einen lesbaren Ordner daraus machen</translation>
        </message>
        <message>
            <source>Make it a stop string</source>
            <translation>Es als Stoppfolge angeben</translation>
        </message>
        <message>
            <source>Make it smaller</source>
            <translation>Es verkleinern</translation>
        </message>
        <message>
            <source>Make it smaller (fewer layers or experts, a shorter context)</source>
            <translation>Es verkleinern (weniger Schichten oder Experten, ein kürzerer Kontext)</translation>
        </message>
        <message>
            <source>Make it smaller (fewer layers, less width), or close other programs</source>
            <translation>Das Modell verkleinern (weniger Schichten, weniger Breite) oder andere Programme schließen</translation>
        </message>
        <message>
            <source>Make it smaller: at most {most_of_one} million</source>
            <translation>Es verkleinern: höchstens {most_of_one} Millionen</translation>
        </message>
        <message>
            <source>Make one merge after another</source>
            <translation>Eine Verschmelzung nach der anderen ausführen</translation>
        </message>
        <message>
            <source>Make room there or choose another folder, and export again</source>
            <translation>Dort Platz schaffen oder einen anderen Ordner wählen, dann erneut exportieren</translation>
        </message>
        <message>
            <source>Make the examples longer, or corpus.data smaller</source>
            <translation>Die Beispiele verlängern, oder corpus.data verringern</translation>
        </message>
        <message>
            <source>Make the model smaller, lower training.batch_size or training.context_length, or raise training.accumulation</source>
            <translation>Das Modell verkleinern, training.batch_size oder training.context_length senken oder training.accumulation erhöhen</translation>
        </message>
        <message>
            <source>Make the next merge</source>
            <translation>Die nächste Verschmelzung ausführen</translation>
        </message>
        <message>
            <source>Make the weights of the selected experts sum to 1. With one selected expert the router then has nothing to learn from, so Switch does without.</source>
            <translation>Die Gewichte der ausgewählten Experten auf Summe 1 bringen. Bei nur einem Experten hat der Router dann nichts zu lernen; Switch verzichtet daher darauf.</translation>
        </message>
        <message>
            <source>Makes the distribution sharper or flatter.</source>
            <translation>Macht die Verteilung spitzer oder flacher.</translation>
        </message>
        <message>
            <source>Makes tokens less likely the more often they came.</source>
            <translation>Macht Tokens umso unwahrscheinlicher, je öfter sie schon vorkamen.</translation>
        </message>
        <message>
            <source>Makes tokens of the text so far less likely, by a factor of their logits.</source>
            <translation>Macht Tokens des bisherigen Textes durch einen Faktor ihrer Logits unwahrscheinlicher.</translation>
        </message>
        <message>
            <source>Makes tokens of the text so far less likely, however often they came.</source>
            <translation>Macht Tokens des bisherigen Textes unwahrscheinlicher, gleich wie oft sie vorkamen.</translation>
        </message>
        <message>
            <source>Making a checkpoint</source>
            <translation>Anlegen eines Checkpoints</translation>
        </message>
        <message>
            <source>Making a link</source>
            <translation>Ein Link wird erstellt</translation>
        </message>
        <message>
            <source>Making a sample</source>
            <translation>Eine Stichprobe wird gezogen</translation>
        </message>
        <message>
            <source>Making a sample…</source>
            <translation>Stichprobe wird gezogen …</translation>
        </message>
        <message>
            <source>Making the baseline {name}</source>
            <translation>Baseline {name} wird erstellt</translation>
        </message>
        <message>
            <source>Making the link…</source>
            <translation>Der Link wird erstellt …</translation>
        </message>
        <message>
            <source>Making the sound of {name}</source>
            <translation>Der Ton von {name} wird erzeugt</translation>
        </message>
        <message>
            <source>Mamba</source>
            <translation>Mamba</translation>
        </message>
        <message>
            <source>Mamba against a transformer</source>
            <translation>Mamba gegen Transformer</translation>
        </message>
        <message>
            <source>Mamba with 0.45 M parameters: a fixed state instead of attention; all but the architecture is equal.</source>
            <translation>Mamba mit 0,45 Mio. Parametern: ein fester Zustand statt Attention; bis auf die Architektur ist alles gleich.</translation>
        </message>
        <message>
            <source>Mamba with eigenvalues from 0 to 1 stays at chance.</source>
            <translation>Mamba mit Eigenwerten von 0 bis 1 bleibt beim Zufall.</translation>
        </message>
        <message>
            <source>Mamba-2</source>
            <translation>Mamba-2</translation>
        </message>
        <message>
            <source>Mamba: against a transformer with equally many parameters, and all but the architecture is equal</source>
            <translation>Mamba: gegen einen Transformer mit gleich vielen Parametern, und bis auf die Architektur ist alles gleich</translation>
        </message>
        <message>
            <source>Map</source>
            <translation>Karte</translation>
        </message>
        <message>
            <source>Map of {what}</source>
            <translation>Karte: {what}</translation>
        </message>
        <message>
            <source>Map: {rows} from top to bottom, {columns} from left to right</source>
            <translation>Karte: {rows} von oben nach unten, {columns} von links nach rechts</translation>
        </message>
        <message>
            <source>Maps show where information may come from, not why.</source>
            <translation>Karten zeigen, woher Information kommen kann, nicht warum.</translation>
        </message>
        <message>
            <source>Mark the turns that the model is to write: Turn(role, text, learned=True), or leave the row out</source>
            <translation>Kennzeichne die Beiträge, die das Modell schreiben soll: Turn(role, text, learned=True), oder lass die Zeile weg</translation>
        </message>
        <message>
            <source>Marked: the scored tokens, each predicted from all tokens before it.</source>
            <translation>Markiert: die gewerteten Tokens, jedes aus allen Tokens davor vorhergesagt.</translation>
        </message>
        <message>
            <source>Markov chain</source>
            <translation>Markow-Kette</translation>
        </message>
        <message>
            <source>Markov chain: an n-gram one longer than its order reaches its entropy rate</source>
            <translation>Markow-Kette: ein N-Gramm, um eins länger als ihre Ordnung, erreicht ihre Entropierate</translation>
        </message>
        <message>
            <source>Matched</source>
            <translation>Gefundener Kontext</translation>
        </message>
        <message>
            <source>Maximum depth</source>
            <translation>Größte Tiefe</translation>
        </message>
        <message>
            <source>Mean over a text</source>
            <translation>Mittel über einen Text</translation>
        </message>
        <message>
            <source>Measure all on the same text</source>
            <translation>Alle auf demselben Text messen</translation>
        </message>
        <message>
            <source>Measure all on the same text to see the spread of each kind.</source>
            <translation>Alle auf demselben Text messen, um die Streuung jeder Art zu sehen.</translation>
        </message>
        <message>
            <source>Measure on a text of mine…</source>
            <translation>Auf eigenem Text messen …</translation>
        </message>
        <message>
            <source>Measure the loss without each of these {count} parts: {parts}</source>
            <translation>Den Verlust ohne jeden dieser {count} Teile messen: {parts}</translation>
        </message>
        <message>
            <source>Measure {count}</source>
            <translation>{count} messen</translation>
        </message>
        <message>
            <source>Measured at four times the trained length, in nats: ALiBi −0.02, no positions +0.04, T5 +0.09, sinusoidal +0.18, rotary +0.23.</source>
            <translation>Gemessen bei der vierfachen trainierten Länge, in Nats: ALiBi −0,02, keine Positionen +0,04, T5 +0,09, Sinus +0,18, rotierende +0,23.</translation>
        </message>
        <message>
            <source>Measured in {name}: {values}.</source>
            <translation>Gemessen in {name}: {values}.</translation>
        </message>
        <message>
            <source>Measured on the same text: {done} of {total} runs</source>
            <translation>Auf demselben Text gemessen: {done} von {total} Läufen</translation>
        </message>
        <message>
            <source>Measured: {progress}</source>
            <translation>Gemessen: {progress}</translation>
        </message>
        <message>
            <source>Measurements of your own with a class or a number to predict: the columns of a table.</source>
            <translation>Eigene Messwerte mit einer Klasse oder einer Zahl, die vorherzusagen ist: die Spalten einer Tabelle.</translation>
        </message>
        <message>
            <source>Measuring the cost of the model</source>
            <translation>Messen des Aufwands des Modells</translation>
        </message>
        <message>
            <source>Measuring the loss {how} …</source>
            <translation>Der Verlust {how} wird gemessen …</translation>
        </message>
        <message>
            <source>Measuring the text</source>
            <translation>Der Text wird vermessen</translation>
        </message>
        <message>
            <source>Measuring this machine</source>
            <translation>Dieser Rechner wird vermessen</translation>
        </message>
        <message>
            <source>Measuring {name} without parts</source>
            <translation>{name} wird ohne Teile gemessen</translation>
        </message>
        <message>
            <source>Measuring {run} at other lengths</source>
            <translation>{run} wird bei anderen Längen gemessen</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>Speicher</translation>
        </message>
        <message>
            <source>Memory by lag</source>
            <translation>Gedächtnis nach Abstand</translation>
        </message>
        <message>
            <source>Mend the file, or remove it. {until}, and models train on one thread of the processor</source>
            <translation>Die Datei berichtigen oder entfernen. {until}, und Modelle trainieren mit einem Thread des Prozessors</translation>
        </message>
        <message>
            <source>Menu</source>
            <translation>Menü</translation>
        </message>
        <message>
            <source>Merges</source>
            <translation>Verschmelzungen</translation>
        </message>
        <message>
            <source>Merges made</source>
            <translation>Bisherige Verschmelzungen</translation>
        </message>
        <message>
            <source>Message</source>
            <translation>Meldung</translation>
        </message>
        <message>
            <source>Messages</source>
            <translation>Nachrichten</translation>
        </message>
        <message>
            <source>Method of stretching rotary positions beyond the trained context length.</source>
            <translation>Verfahren, das rotierende Positionen über die trainierte Kontextlänge hinaus dehnt.</translation>
        </message>
        <message>
            <source>Metrics are recorded all the same; reading them may wait briefly</source>
            <translation>Metriken werden trotzdem aufgezeichnet; das Lesen kann kurz warten</translation>
        </message>
        <message>
            <source>Min p</source>
            <translation>Min-p</translation>
        </message>
        <message>
            <source>Min-p</source>
            <translation>Min-p</translation>
        </message>
        <message>
            <source>Minimum count</source>
            <translation>Mindestanzahl</translation>
        </message>
        <message>
            <source>Mirostat 2</source>
            <translation>Mirostat 2</translation>
        </message>
        <message>
            <source>Missing from this page</source>
            <translation>Auf dieser Seite fehlt</translation>
        </message>
        <message>
            <source>Mistral</source>
            <translation>Mistral</translation>
        </message>
        <message>
            <source>Mix corpora of one kind</source>
            <translation>Korpora einer Art mischen</translation>
        </message>
        <message>
            <source>Mix labelled texts with the same classes</source>
            <translation>Texte mit denselben Klassen mischen</translation>
        </message>
        <message>
            <source>Mix rows with the same classes</source>
            <translation>Zeilen mit denselben Klassen mischen</translation>
        </message>
        <message>
            <source>Mix vectors with the same columns, or pictures of the same size</source>
            <translation>Vektoren mit denselben Spalten oder Bilder derselben Größe mischen</translation>
        </message>
        <message>
            <source>Mixer</source>
            <translation>Mischer</translation>
        </message>
        <message>
            <source>Mixers</source>
            <translation>Mischer</translation>
        </message>
        <message>
            <source>Mixes the channels of each token on its own, with a nonlinearity or a gate.</source>
            <translation>Mischt die Kanäle jedes Tokens für sich, mit einer Nichtlinearität oder einem Gate.</translation>
        </message>
        <message>
            <source>Mixing</source>
            <translation>Mischung</translation>
        </message>
        <message>
            <source>Mixtral</source>
            <translation>Mixtral</translation>
        </message>
        <message>
            <source>Mixture of experts</source>
            <translation>Mixture of Experts</translation>
        </message>
        <message>
            <source>Mixtures of experts: a router sends each token to a few of many feed-forward networks.</source>
            <translation>Expertenmischungen: Ein Router schickt jedes Token zu einigen von vielen Feed-forward-Netzen.</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>Modell</translation>
        </message>
        <message>
            <source>Model and its settings.</source>
            <translation>Modell und seine Einstellungen.</translation>
        </message>
        <message>
            <source>Model drawing</source>
            <translation>Zeichnung des Modells</translation>
        </message>
        <message>
            <source>Model of the configuration</source>
            <translation>Modell der Konfiguration</translation>
        </message>
        <message>
            <source>Model of {run}</source>
            <translation>Modell von {run}</translation>
        </message>
        <message>
            <source>Models may use these devices: {names}.</source>
            <translation>Modelle dürfen diese Geräte benutzen: {names}.</translation>
        </message>
        <message>
            <source>Models of patches learn colours first, then forms and sizes, and relations last. The lowest possible loss is not known; it is close to 0.</source>
            <translation>Modelle von Bildausschnitten lernen zuerst Farben, dann Formen und Größen und zuletzt Beziehungen. Der kleinstmögliche Verlust ist nicht bekannt; er liegt nahe 0.</translation>
        </message>
        <message>
            <source>Models that read in both directions solve it. One that reads from left to right cannot know what follows, and one that sees each word alone loses what the facts of the run state.</source>
            <translation>Modelle, die in beide Richtungen lesen, lösen sie. Eines, das von links nach rechts liest, kann nicht wissen, was folgt, und eines, das jedes Wort allein sieht, verliert, was die Fakten des Laufs angeben.</translation>
        </message>
        <message>
            <source>Modular addition</source>
            <translation>Modulare Addition</translation>
        </message>
        <message>
            <source>Modular addition: known by heart first, understood later (grokking)</source>
            <translation>Modulare Addition: erst auswendig gelernt, später verstanden (Grokking)</translation>
        </message>
        <message>
            <source>Modulus</source>
            <translation>Modul</translation>
        </message>
        <message>
            <source>Modulus of the sums.</source>
            <translation>Modul der Summen.</translation>
        </message>
        <message>
            <source>Momentum</source>
            <translation>Momentum</translation>
        </message>
        <message>
            <source>More</source>
            <translation>Weitere</translation>
        </message>
        <message>
            <source>Most bytes of all readings; fewer snapshots are recorded if necessary. Typical: 16 to 256 MiB.</source>
            <translation>Bytes aller Messwerte, höchstens; nötigenfalls werden weniger Momentaufnahmen aufgezeichnet. Üblich: 16 bis 256 MiB.</translation>
        </message>
        <message>
            <source>Most digits of a number; each number of digits is equally likely, for each number separately.</source>
            <translation>Höchstzahl der Ziffern einer Zahl; jede Ziffernzahl ist gleich wahrscheinlich, für jede Zahl getrennt.</translation>
        </message>
        <message>
            <source>Most frequent n-grams</source>
            <translation>Häufigste n-Gramme</translation>
        </message>
        <message>
            <source>Most tokens of a text that one expert takes in training, relative to its equal share; it passes later ones through unchanged. 0 is no limit. Typical: 0, or 1 to 2.</source>
            <translation>Höchstzahl der Tokens eines Textes, die ein Experte im Training übernimmt, relativ zu seinem gleichmäßigen Anteil; spätere reicht er unverändert durch. 0 bedeutet keine Grenze. Üblich: 0 oder 1 bis 2.</translation>
        </message>
        <message>
            <source>Most tokens to write. Typical: 100 to 1,000.</source>
            <translation>Höchstzahl der Tokens, die geschrieben werden. Üblich: 100 bis 1.000.</translation>
        </message>
        <message>
            <source>Move earlier in the queue</source>
            <translation>In der Warteschlange nach vorn</translation>
        </message>
        <message>
            <source>Move it into the folder</source>
            <translation>In den Ordner verschieben</translation>
        </message>
        <message>
            <source>Move it to the front of the queue; a run that trains can be stopped for it</source>
            <translation>Ihn an den Anfang der Warteschlange setzen; ein trainierender Lauf kann dafür gestoppt werden</translation>
        </message>
        <message>
            <source>Move later in the queue</source>
            <translation>In der Warteschlange nach hinten</translation>
        </message>
        <message>
            <source>Move the run to a folder with a shorter path</source>
            <translation>Den Lauf in einen Ordner mit kürzerem Pfad verschieben</translation>
        </message>
        <message>
            <source>Move the selected runs to the bin (Delete)</source>
            <translation>Die ausgewählten Läufe in den Papierkorb legen (Entf)</translation>
        </message>
        <message>
            <source>Move the slider: first letters, then words, then sentences become right.</source>
            <translation>Den Regler bewegen: Erst stimmen Buchstaben, dann Wörter, dann Sätze.</translation>
        </message>
        <message>
            <source>Moved to the bin: {names}</source>
            <translation>In den Papierkorb gelegt: {names}</translation>
        </message>
        <message>
            <source>Muon</source>
            <translation>Muon</translation>
        </message>
        <message>
            <source>My selection</source>
            <translation>Eigene Auswahl</translation>
        </message>
        <message>
            <source>N-gram</source>
            <translation>n-Gramm</translation>
        </message>
        <message>
            <source>N-gram length</source>
            <translation>Länge der N-Gramme</translation>
        </message>
        <message>
            <source>N-gram models: counts of what followed the last few tokens, smoothed for what was never seen.</source>
            <translation>N-Gramm-Modelle: gezählt, was auf die letzten Tokens folgte, und geglättet für nie Gesehenes.</translation>
        </message>
        <message>
            <source>N-grams possible</source>
            <translation>Mögliche n-Gramme</translation>
        </message>
        <message>
            <source>N-grams seen</source>
            <translation>Gesehene n-Gramme</translation>
        </message>
        <message>
            <source>N-grams seen once</source>
            <translation>Einmal gesehene n-Gramme</translation>
        </message>
        <message>
            <source>NTK-aware</source>
            <translation>NTK-aware</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>Name</translation>
        </message>
        <message>
            <source>Name a corpus or a path in corpus.first and in corpus.second</source>
            <translation>In corpus.first und in corpus.second einen Korpus oder einen Pfad angeben</translation>
        </message>
        <message>
            <source>Name each column once</source>
            <translation>Benenne jede Spalte einmal</translation>
        </message>
        <message>
            <source>Name its parts as parts of this one</source>
            <translation>Ihre Teile als Teile dieser nennen</translation>
        </message>
        <message>
            <source>Name of a corpus, such as python-manual. Generated examples and texts beyond memory are not mixed.</source>
            <translation>Name eines Korpus, etwa python-manual. Erzeugte Beispiele und Texte, die nicht in den Speicher passen, werden nicht gemischt.</translation>
        </message>
        <message>
            <source>Name of the card.</source>
            <translation>Name der Karte.</translation>
        </message>
        <message>
            <source>Name of the run</source>
            <translation>Name des Laufs</translation>
        </message>
        <message>
            <source>Name one column, or set corpus.predicts to number</source>
            <translation>Eine Spalte nennen oder corpus.predicts auf number setzen</translation>
        </message>
        <message>
            <source>Name one of these</source>
            <translation>Eines davon angeben</translation>
        </message>
        <message>
            <source>Name one of these columns</source>
            <translation>Eine dieser Spalten nennen</translation>
        </message>
        <message>
            <source>Name some of them</source>
            <translation>Einige davon nennen</translation>
        </message>
        <message>
            <source>Name the column of the text</source>
            <translation>Die Spalte mit dem Text angeben</translation>
        </message>
        <message>
            <source>Name the data</source>
            <translation>Benenne die Daten</translation>
        </message>
        <message>
            <source>Naming runs</source>
            <translation>Läufe werden benannt</translation>
        </message>
        <message>
            <source>Naming the tokens</source>
            <translation>Benennen der Tokens</translation>
        </message>
        <message>
            <source>Nats per token compare where the tokens are the same, bits per byte always.</source>
            <translation>Nats pro Token sind bei gleichen Tokens vergleichbar, Bits pro Byte immer.</translation>
        </message>
        <message>
            <source>Nats per token on the same text</source>
            <translation>Nats pro Token auf demselben Text</translation>
        </message>
        <message>
            <source>Near 1 it copies what it attends to into the output, near -1 it lowers it.</source>
            <translation>Nahe 1 kopiert er, was er beachtet, in die Ausgabe, nahe -1 senkt er es.</translation>
        </message>
        <message>
            <source>Near 1 the softmax picks a single token, and its gradient vanishes.</source>
            <translation>Nahe 1 wählt der Softmax ein einziges Token, und sein Gradient verschwindet.</translation>
        </message>
        <message>
            <source>Nearly all solve it: RNNs and LSTMs at any length, transformers well beyond the trained ones.</source>
            <translation>Fast alle lösen es: RNNs und LSTMs bei jeder Länge, Transformer weit über die trainierten hinaus.</translation>
        </message>
        <message>
            <source>Needs the model</source>
            <translation>Braucht das Modell</translation>
        </message>
        <message>
            <source>Negation</source>
            <translation>Verneinung</translation>
        </message>
        <message>
            <source>Nested brackets of k kinds: a stack determines which bracket may close, and whether one may.</source>
            <translation>Verschachtelte Klammern von k Arten: Ein Stapel bestimmt, welche Klammer schließen darf und ob eine darf.</translation>
        </message>
        <message>
            <source>Nesterov momentum</source>
            <translation>Nesterov-Momentum</translation>
        </message>
        <message>
            <source>Networks learn slow waves sooner than fast ones. A linear model stays near the variance of the wave.</source>
            <translation>Netze lernen langsame Wellen früher als schnelle. Ein lineares Modell bleibt nahe der Varianz der Welle.</translation>
        </message>
        <message>
            <source>Newton–Schulz iterations, which bring the singular values of an update near 1. Typical: 5.</source>
            <translation>Newton-Schulz-Iterationen, welche die Singulärwerte einer Änderung nahe an 1 bringen. Üblich: 5.</translation>
        </message>
        <message>
            <source>Next</source>
            <translation>Weiter</translation>
        </message>
        <message>
            <source>Next run</source>
            <translation>Nächster Lauf</translation>
        </message>
        <message>
            <source>Next token</source>
            <translation>Nächstes Token</translation>
        </message>
        <message>
            <source>Next token, state carried</source>
            <translation>Nächstes Token, Zustand übernommen</translation>
        </message>
        <message>
            <source>Next tokens</source>
            <translation>Nächste Tokens</translation>
        </message>
        <message>
            <source>No expert takes any token of this text.</source>
            <translation>Kein Experte übernimmt ein Token dieses Textes.</translation>
        </message>
        <message>
            <source>No layer of this model has an exact map: choose influence, which every model has.</source>
            <translation>Keine Schicht dieses Modells hat eine exakte Karte: „Einfluss“ wählen, den jedes Modell hat.</translation>
        </message>
        <message>
            <source>No long passage is repeated in this text.</source>
            <translation>In diesem Text wiederholt sich keine lange Stelle.</translation>
        </message>
        <message>
            <source>No loss {how}: {why}</source>
            <translation>Kein Verlust {how}: {why}</translation>
        </message>
        <message>
            <source>No merges were learned.</source>
            <translation>Es wurden keine Verschmelzungen gelernt.</translation>
        </message>
        <message>
            <source>No model has a lower loss on average: the entropy of the source. Loss − entropy is KL(P‖Q).</source>
            <translation>Kein Modell hat im Mittel einen kleineren Verlust: die Entropie der Quelle. Verlust − Entropie ist KL(P‖Q).</translation>
        </message>
        <message>
            <source>No page has all of these words.</source>
            <translation>Keine Seite enthält alle diese Wörter.</translation>
        </message>
        <message>
            <source>No plugin by others may run.</source>
            <translation>Kein fremdes Plugin darf laufen.</translation>
        </message>
        <message>
            <source>No reading of this model answers this question.</source>
            <translation>Kein Messwert dieses Modells beantwortet diese Frage.</translation>
        </message>
        <message>
            <source>No reading or probe contains “{text}”.</source>
            <translation>Kein Messwert und keine Sonde enthält „{text}“.</translation>
        </message>
        <message>
            <source>No readings are switched on.</source>
            <translation>Es sind keine Messwerte eingeschaltet.</translation>
        </message>
        <message>
            <source>No repeated n-grams</source>
            <translation>Keine wiederholten N-Gramme</translation>
        </message>
        <message>
            <source>No run matches.</source>
            <translation>Kein Lauf passt dazu.</translation>
        </message>
        <message>
            <source>No sample yet at this step: the first one was written at step {step}.</source>
            <translation>Bei diesem Schritt noch keine Textprobe: Die erste wurde bei Schritt {step} geschrieben.</translation>
        </message>
        <message>
            <source>No sample yet: the model writes one at every evaluation.</source>
            <translation>Noch keine Textprobe: Das Modell schreibt bei jeder Auswertung eine.</translation>
        </message>
        <message>
            <source>No sequence of this many tokens comes twice. Typical: 2 to 4.</source>
            <translation>Keine Folge von so vielen Tokens kommt zweimal vor. Üblich: 2 bis 4.</translation>
        </message>
        <message>
            <source>No setting changes its shape</source>
            <translation>Keine Einstellung ändert seine Form</translation>
        </message>
        <message>
            <source>No setting matches.</source>
            <translation>Keine Einstellung passt dazu.</translation>
        </message>
        <message>
            <source>No space left on device</source>
            <translation>Kein Speicherplatz mehr auf dem Datenträger</translation>
        </message>
        <message>
            <source>No such file or directory</source>
            <translation>Datei oder Ordner nicht gefunden</translation>
        </message>
        <message>
            <source>No symbol occurs after a context of this length.</source>
            <translation>Nach einem Kontext dieser Länge kommt kein Symbol vor.</translation>
        </message>
        <message>
            <source>No tokenizer</source>
            <translation>Kein Tokenizer</translation>
        </message>
        <message>
            <source>No value of “{name}” is a finite number at this step.</source>
            <translation>Kein Wert von „{name}“ ist bei diesem Schritt eine endliche Zahl.</translation>
        </message>
        <message>
            <source>No values</source>
            <translation>Keine Werte</translation>
        </message>
        <message>
            <source>Noise</source>
            <translation>Rauschen</translation>
        </message>
        <message>
            <source>None.</source>
            <translation>Keine.</translation>
        </message>
        <message>
            <source>Nonlinearity</source>
            <translation>Nichtlinearität</translation>
        </message>
        <message>
            <source>Nonlinearity of the new state: tanh keeps it between −1 and 1, ReLU lets it grow.</source>
            <translation>Nichtlinearität des neuen Zustands: tanh hält ihn zwischen −1 und 1, ReLU lässt ihn wachsen.</translation>
        </message>
        <message>
            <source>Nonlinearity within an expert, or a SiLU or GELU gate.</source>
            <translation>Nichtlinearität in einem Experten, oder ein SiLU- oder GELU-Gate.</translation>
        </message>
        <message>
            <source>Norm before each branch, or after the sum as in 2017.</source>
            <translation>Norm vor jedem Zweig, oder nach der Summe wie 2017.</translation>
        </message>
        <message>
            <source>Norm epsilon</source>
            <translation>Epsilon der Norm</translation>
        </message>
        <message>
            <source>Norm of the gradient of a loss with respect to the hidden state some tokens before, relative to that at the token itself; with the bound for an RNN (Pascanu et al. 2013, equations 5 to 7).</source>
            <translation>Norm des Gradienten eines Verlusts nach dem verborgenen Zustand einige Tokens zuvor, relativ zu der beim Token selbst; mit der Schranke für ein RNN (Pascanu et al. 2013, Gleichungen 5 bis 7).</translation>
        </message>
        <message>
            <source>Norm placement</source>
            <translation>Lage der Norm</translation>
        </message>
        <message>
            <source>Normal text size</source>
            <translation>Normale Textgröße</translation>
        </message>
        <message>
            <source>Normalisation</source>
            <translation>Normierung</translation>
        </message>
        <message>
            <source>Normalisation: with the mean subtracted, by the root mean square alone, or none.</source>
            <translation>Normierung: mit abgezogenem Mittel, allein nach dem quadratischen Mittel, oder keine.</translation>
        </message>
        <message>
            <source>Normalise queries and keys by their root mean square, with a trained gain.</source>
            <translation>Queries und Keys nach ihrem quadratischen Mittel normieren, mit trainierter Verstärkung.</translation>
        </message>
        <message>
            <source>Normalise the terms of input, state and cell over the units; this takes longer too.</source>
            <translation>Die Terme von Eingabe, Zustand und Zelle über die Neuronen normieren; auch das dauert länger.</translation>
        </message>
        <message>
            <source>Not a directory</source>
            <translation>Ist kein Ordner</translation>
        </message>
        <message>
            <source>Not counted yet.</source>
            <translation>Noch nicht gezählt.</translation>
        </message>
        <message>
            <source>Not counted: counting was cancelled.</source>
            <translation>Nicht gezählt: Die Zählung wurde abgebrochen.</translation>
        </message>
        <message>
            <source>Not described.</source>
            <translation>Nicht beschrieben.</translation>
        </message>
        <message>
            <source>Not downloaded yet. Downloads are verified by their SHA-256.</source>
            <translation>Noch nicht heruntergeladen. Heruntergeladene Dateien werden mit ihrem SHA-256 geprüft.</translation>
        </message>
        <message>
            <source>Not evaluated yet</source>
            <translation>Noch nicht ausgewertet</translation>
        </message>
        <message>
            <source>Not handed in</source>
            <translation>Nicht abgegeben</translation>
        </message>
        <message>
            <source>Note</source>
            <translation>Notiz</translation>
        </message>
        <message>
            <source>Note…</source>
            <translation>Notiz …</translation>
        </message>
        <message>
            <source>Nothing has been read of a model yet.</source>
            <translation>Von einem Modell wurde noch nichts gelesen.</translation>
        </message>
        <message>
            <source>Nothing is broken; small models train all the same</source>
            <translation>Nichts ist kaputt; kleine Modelle lassen sich trotzdem trainieren</translation>
        </message>
        <message>
            <source>Nothing is downloaded, and nothing is handed in over the network.</source>
            <translation>Nichts wird heruntergeladen, und nichts wird über das Netz abgegeben.</translation>
        </message>
        <message>
            <source>Nothing is recorded because readings.{name} is 0. Raise it in the next run.</source>
            <translation>Es wird nichts aufgezeichnet, weil readings.{name} 0 ist. Im nächsten Lauf erhöhen.</translation>
        </message>
        <message>
            <source>Nothing is started. The recipe replaces the configuration when you agree.</source>
            <translation>Es wird nichts gestartet. Das Rezept ersetzt die Konfiguration erst nach Zustimmung.</translation>
        </message>
        <message>
            <source>Nothing matches.</source>
            <translation>Nichts passt dazu.</translation>
        </message>
        <message>
            <source>Nothing that answers this question was recorded at this step. Press “now” to read the model.</source>
            <translation>Bei diesem Schritt wurde nichts aufgezeichnet, was diese Frage beantwortet. „jetzt“ liest das Modell.</translation>
        </message>
        <message>
            <source>Nothing was deleted. Type {word} to confirm</source>
            <translation>Es wurde nichts gelöscht. Zur Bestätigung {word} eingeben</translation>
        </message>
        <message>
            <source>Nothing was handed in</source>
            <translation>Nichts wurde abgegeben</translation>
        </message>
        <message>
            <source>Nothing was handed in to this folder yet.</source>
            <translation>In diesen Ordner wurde noch nichts abgegeben.</translation>
        </message>
        <message>
            <source>Nothing was reported yet.</source>
            <translation>Bisher wurde nichts gemeldet.</translation>
        </message>
        <message>
            <source>Nothing was written</source>
            <translation>Es wurde nichts geschrieben</translation>
        </message>
        <message>
            <source>Notices</source>
            <translation>Meldungen</translation>
        </message>
        <message>
            <source>Number format of matrix products; auto means bfloat16 on CUDA, float16 with a scaled loss on older cards without it, and float32 elsewhere. Recurrent layers (RNN, GRU, LSTM) always compute in float32.</source>
            <translation>Zahlenformat der Matrixprodukte; auto heißt bfloat16 auf CUDA, float16 mit skaliertem Verlust auf älteren Karten ohne bfloat16 und sonst float32. Rekurrente Schichten (RNN, GRU, LSTM) rechnen immer in float32.</translation>
        </message>
        <message>
            <source>Number of X and Y in a sequence: 2 in problem 6a, 3 in 6b.</source>
            <translation>Zahl der X und Y in einer Folge: 2 in Aufgabe 6a, 3 in 6b.</translation>
        </message>
        <message>
            <source>Number of classes.</source>
            <translation>Anzahl der Klassen.</translation>
        </message>
        <message>
            <source>Number of data tokens, which the model repeats in order.</source>
            <translation>Zahl der Datentokens, die das Modell der Reihe nach wiederholt.</translation>
        </message>
        <message>
            <source>Number of first blocks that always have a dense feed-forward layer. Typical: 0 to 3.</source>
            <translation>Zahl der ersten Blöcke, die immer eine dichte Feedforward-Schicht haben. Üblich: 0 bis 3.</translation>
        </message>
        <message>
            <source>Number of hypotheses that go on together. Typical: 2 to 10.</source>
            <translation>Anzahl der Hypothesen, die gemeinsam fortgesetzt werden. Üblich: 2 bis 10.</translation>
        </message>
        <message>
            <source>Number of latest checkpoints to keep, besides requested ones. Typical: 1 to 5.</source>
            <translation>Zahl der letzten Checkpoints, die behalten werden, neben den angeforderten. Üblich: 1 bis 5.</translation>
        </message>
        <message>
            <source>Number of likeliest tokens; 0 means all. Typical: 0, or 10 to 50.</source>
            <translation>Zahl der wahrscheinlichsten Tokens; 0 bedeutet alle. Üblich: 0 oder 10 bis 50.</translation>
        </message>
        <message>
            <source>Number of previous letters that determine the probabilities of the next one; 0 makes all letters independent.</source>
            <translation>Zahl der vorigen Buchstaben, die die Wahrscheinlichkeiten des nächsten bestimmen; 0 macht alle Buchstaben unabhängig.</translation>
        </message>
        <message>
            <source>Number of times a word must occur to get a symbol; others are spelled, so that no text becomes &lt;unk&gt;. Typical: 2 to 5.</source>
            <translation>Wie oft ein Wort vorkommen muss, um ein Symbol zu bekommen; andere werden buchstabiert, sodass kein Text zu &lt;unk&gt; wird. Üblich: 2 bis 5.</translation>
        </message>
        <message>
            <source>Numbers N in the state of each channel: N/2 complex ones with their conjugates. Typical: 64.</source>
            <translation>Zahlen N im Zustand jedes Kanals: N/2 komplexe mit ihren Konjugierten. Üblich: 64.</translation>
        </message>
        <message>
            <source>Numbers of two digits, the sum from its last digit on, so that the carry is known.</source>
            <translation>Zweistellige Zahlen, die Summe von der letzten Ziffer an, sodass der Übertrag bekannt ist.</translation>
        </message>
        <message>
            <source>Objective</source>
            <translation>Zielfunktion</translation>
        </message>
        <message>
            <source>Objective of the training.</source>
            <translation>Zielfunktion des Trainings.</translation>
        </message>
        <message>
            <source>Objectives</source>
            <translation>Zielfunktionen</translation>
        </message>
        <message>
            <source>Objectives, optimizers, schedules: those that come with the lab.</source>
            <translation>Zielfunktionen, Optimierer, Zeitpläne: die mitgelieferten.</translation>
        </message>
        <message>
            <source>Observers</source>
            <translation>Beobachter</translation>
        </message>
        <message>
            <source>Observers with changed settings; all others run with their defaults.</source>
            <translation>Beobachter mit geänderten Einstellungen; alle anderen laufen mit ihren Standardwerten.</translation>
        </message>
        <message>
            <source>Of ten tokens two occur once: the next one is new with a probability of about 2 in 10.</source>
            <translation>Von zehn Tokens kommen zwei nur einmal vor: Das nächste ist mit einer Wahrscheinlichkeit von etwa 20 % neu.</translation>
        </message>
        <message>
            <source>Of the configuration</source>
            <translation>Aus der Konfiguration</translation>
        </message>
        <message>
            <source>Of the plugins by others only these may run: {names}.</source>
            <translation>Von den fremden Plugins dürfen nur diese laufen: {names}.</translation>
        </message>
        <message>
            <source>On Tiny Shakespeare it ends at 1.8993 nats: below 1.90 by 0.0007, and only through the mean of its last hundred steps, so another seed or machine may end above.</source>
            <translation>Auf Tiny Shakespeare endet sie bei 1,8993 Nats: 0,0007 unter 1,90, und nur durch das Mittel der letzten hundert Schritte; ein anderer Seed oder Rechner kann darüber enden.</translation>
        </message>
        <message>
            <source>On Tiny Shakespeare the seeds 1, 2, 3 end at 1.4976, 1.5011 and 1.5085 nats, below the 1.517 of the best Kneser-Ney order.</source>
            <translation>Auf Tiny Shakespeare enden die Seeds 1, 2, 3 bei 1,4976, 1,5011 und 1,5085 Nats, unter den 1,517 der besten Kneser-Ney-Ordnung.</translation>
        </message>
        <message>
            <source>On Tiny Shakespeare the seeds 1, 2, 3 end at 1.7059, 1.7027 and 1.7083 nats on all of the validation text, after the same steps and tokens as nanogpt-cpu.</source>
            <translation>Auf Tiny Shakespeare enden die Seeds 1, 2, 3 bei 1,7059, 1,7027 und 1,7083 Nats auf dem ganzen Validierungstext, nach denselben Schritten und Tokens wie nanogpt-cpu.</translation>
        </message>
        <message>
            <source>On the same text: {n} characters of {text}, {by}.</source>
            <translation>Auf demselben Text: {n} Zeichen aus {text}, {by}.</translation>
        </message>
        <message>
            <source>On the unit circle a state lasts, inside it fades; an angle turns it.</source>
            <translation>Auf dem Einheitskreis bleibt ein Zustand, innerhalb verblasst er; ein Winkel dreht ihn.</translation>
        </message>
        <message>
            <source>On this machine</source>
            <translation>Auf diesem Rechner</translation>
        </message>
        <message>
            <source>On this page</source>
            <translation>Auf dieser Seite</translation>
        </message>
        <message>
            <source>Once width texts have ended: first stops at once, likely when the best live one scores less than all of them now, never only when it must score less at any length.</source>
            <translation>Sobald so viele Texte beendet sind, wie die Breite angibt: „sofort“ hört gleich auf, „wahrscheinlich“, wenn der beste lebende schon jetzt hinter ihnen allen liegt, „nie“ erst, wenn er bei jeder Länge hinter ihnen liegen muss.</translation>
        </message>
        <message>
            <source>One bit of state: a transformer learns it for short strings only.</source>
            <translation>Ein Bit Zustand: Ein Transformer lernt es nur für kurze Folgen.</translation>
        </message>
        <message>
            <source>One decay for each head makes the recurrence a product of matrices, so that states can be large: linear attention with decay between a short convolution and a gated norm.</source>
            <translation>Ein Abklingen pro Kopf macht aus der Rekurrenz ein Produkt von Matrizen, sodass Zustände groß sein können: lineare Attention mit Abklingen zwischen einer kurzen Faltung und einer Norm mit Gate.</translation>
        </message>
        <message>
            <source>One expert of each block stays on, as the tokens need one.</source>
            <translation>Ein Experte jedes Blocks bleibt an, da die Tokens einen brauchen.</translation>
        </message>
        <message>
            <source>One forward pass of the model</source>
            <translation>Ein Durchlauf des Modells</translation>
        </message>
        <message>
            <source>One nonlinearity, or a SiLU or GELU gate.</source>
            <translation>Eine Nichtlinearität, oder ein SiLU- oder GELU-Gate.</translation>
        </message>
        <message>
            <source>One row far above the even share is a collapse: one expert takes all. In early blocks experts often take letters, spaces or digits rather than subjects.</source>
            <translation>Eine Zeile weit über dem gleichmäßigen Anteil ist ein Kollaps: Ein Experte übernimmt alles. In frühen Blöcken übernehmen Experten oft eher Buchstaben, Leerzeichen oder Ziffern als Themen.</translation>
        </message>
        <message>
            <source>One run each: how much of the difference is chance is not known. Repeat both with another seed to see.</source>
            <translation>Je ein Lauf: Wie viel vom Unterschied Zufall ist, ist nicht bekannt. Beide mit einem anderen Seed zu wiederholen zeigt es.</translation>
        </message>
        <message>
            <source>One run each: how much of the differences is chance is not known. Repeat them with another seed to see.</source>
            <translation>Je ein Lauf: Wie viel von den Unterschieden Zufall ist, ist nicht bekannt. Sie mit einem anderen Seed zu wiederholen zeigt es.</translation>
        </message>
        <message>
            <source>One snapshot takes {size} MB, more than the budget of {budget} MB, so nothing was recorded. Raise readings.budget in the next run.</source>
            <translation>Eine Momentaufnahme braucht {size} MB, mehr als das Budget von {budget} MB; daher wurde nichts aufgezeichnet. Im nächsten Lauf readings.budget erhöhen.</translation>
        </message>
        <message>
            <source>One symbol for each different character of the corpus, its validation part included.</source>
            <translation>Ein Symbol für jedes verschiedene Zeichen des Korpus, den Validierungsteil eingeschlossen.</translation>
        </message>
        <message>
            <source>Only experts of blocks can be switched off.</source>
            <translation>Nur Experten von Blöcken lassen sich ausschalten.</translation>
        </message>
        <message>
            <source>Only runs whose losses compare. The best {n} are drawn stronger.</source>
            <translation>Nur Läufe, deren Verluste vergleichbar sind. Die besten {n} sind stärker gezeichnet.</translation>
        </message>
        <message>
            <source>Only the first and the last symbol count; see whether attention finds both.</source>
            <translation>Nur das erste und das letzte Symbol zählen; ob Attention beide findet?</translation>
        </message>
        <message>
            <source>Only the likeliest tokens that together reach this probability, including the one that crosses it. Typical: 0.9 to 1.</source>
            <translation>Nur die wahrscheinlichsten Tokens, die zusammen diese Wahrscheinlichkeit erreichen, einschließlich dessen, das sie überschreitet. Üblich: 0,9 bis 1.</translation>
        </message>
        <message>
            <source>Only the tokens whose surprisal is nearest to the entropy, until they reach this probability. Typical: 0.9 to 0.95.</source>
            <translation>Nur die Tokens, deren Überraschung der Entropie am nächsten ist, bis sie diese Wahrscheinlichkeit erreichen. Üblich: 0,9 bis 0,95.</translation>
        </message>
        <message>
            <source>Only tokens that have at least this share of the likeliest one's probability. Typical: 0.02 to 0.1.</source>
            <translation>Nur Tokens, die mindestens diesen Anteil an der Wahrscheinlichkeit des wahrscheinlichsten haben. Üblich: 0,02 bis 0,1.</translation>
        </message>
        <message>
            <source>Only tokens that have at least this share of the square of the likeliest one's probability: a certain model keeps few, an uncertain one many. Typical: 0.1 to 0.5.</source>
            <translation>Nur Tokens, die mindestens diesen Anteil am Quadrat der Wahrscheinlichkeit des wahrscheinlichsten haben: Ein sicheres Modell behält wenige, ein unsicheres viele. Üblich: 0,1 bis 0,5.</translation>
        </message>
        <message>
            <source>Only tokens whose text consists of these characters; empty allows all.</source>
            <translation>Nur Tokens, deren Text aus diesen Zeichen besteht; leer erlaubt alle.</translation>
        </message>
        <message>
            <source>Only tokens with at least this probability, and always the likeliest. Typical: 0.0003 to 0.001.</source>
            <translation>Nur Tokens mit mindestens dieser Wahrscheinlichkeit, und stets das wahrscheinlichste. Üblich: 0,0003 bis 0,001.</translation>
        </message>
        <message>
            <source>Only tokens with at least this probability, or with √epsilon · exp(−entropy) where that is less, and always the likeliest. Typical: 0.0003 to 0.004.</source>
            <translation>Nur Tokens mit mindestens dieser Wahrscheinlichkeit, oder mit √epsilon · exp(−Entropie), wo das weniger ist, und stets das wahrscheinlichste. Üblich: 0,0003 bis 0,004.</translation>
        </message>
        <message>
            <source>Open Inspect: attention, states and weights of this model</source>
            <translation>„Untersuchen“ öffnen: Attention, Zustände und Gewichte dieses Modells</translation>
        </message>
        <message>
            <source>Open Play, where this model continues a prompt</source>
            <translation>Ausprobieren öffnen, wo dieses Modell einen Anfang fortsetzt</translation>
        </message>
        <message>
            <source>Open Play, where this model predicts the class of a text</source>
            <translation>Ausprobieren öffnen, wo dieses Modell die Klasse eines Textes vorhersagt</translation>
        </message>
        <message>
            <source>Open a file…</source>
            <translation>Datei öffnen …</translation>
        </message>
        <message>
            <source>Open a folder as corpus…</source>
            <translation>Ordner als Korpus öffnen …</translation>
        </message>
        <message>
            <source>Open a folder of texts as corpus</source>
            <translation>Einen Ordner mit Texten als Korpus öffnen</translation>
        </message>
        <message>
            <source>Open a folder with all of them to train on them together</source>
            <translation>Einen Ordner mit allen öffnen, um gemeinsam auf ihnen zu trainieren</translation>
        </message>
        <message>
            <source>Open a link</source>
            <translation>Link öffnen</translation>
        </message>
        <message>
            <source>Open a model in the format of Hugging Face</source>
            <translation>Ein Modell im Format von Hugging Face öffnen</translation>
        </message>
        <message>
            <source>Open a pretrained model</source>
            <translation>Vortrainiertes Modell öffnen</translation>
        </message>
        <message>
            <source>Open a pretrained model…</source>
            <translation>Vortrainiertes Modell öffnen …</translation>
        </message>
        <message>
            <source>Open a run or a folder…</source>
            <translation>Lauf oder Ordner öffnen …</translation>
        </message>
        <message>
            <source>Open a run…</source>
            <translation>Lauf öffnen …</translation>
        </message>
        <message>
            <source>Open a text, a recipe or a bundle of a run (Ctrl+O)</source>
            <translation>Text, Rezept oder Bündel eines Laufs öffnen (Strg+O)</translation>
        </message>
        <message>
            <source>Open a text, a table, a document, a recipe or a bundle of a run</source>
            <translation>Text, Tabelle, Dokument, Rezept oder Bündel eines Laufs öffnen</translation>
        </message>
        <message>
            <source>Open as a run</source>
            <translation>Als Lauf öffnen</translation>
        </message>
        <message>
            <source>Open file: text, code, a table, a page or a document</source>
            <translation>Datei öffnen: Text, Code, eine Tabelle, eine Seite oder ein Dokument</translation>
        </message>
        <message>
            <source>Open file…</source>
            <translation>Datei …</translation>
        </message>
        <message>
            <source>Open folder</source>
            <translation>Ordner öffnen</translation>
        </message>
        <message>
            <source>Open folder: all its texts, joined</source>
            <translation>Ordner öffnen: alle Texte darin, aneinandergehängt</translation>
        </message>
        <message>
            <source>Open folder: {name}</source>
            <translation>Ordner öffnen: {name}</translation>
        </message>
        <message>
            <source>Open folder…</source>
            <translation>Ordner …</translation>
        </message>
        <message>
            <source>Open it again</source>
            <translation>Erneut öffnen</translation>
        </message>
        <message>
            <source>Open it in its own program and save it again</source>
            <translation>Im eigenen Programm öffnen und erneut speichern</translation>
        </message>
        <message>
            <source>Open it with a newer version of the lab</source>
            <translation>Mit einer neueren Version des Labors öffnen</translation>
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
            <source>Open that run, or delete it first to import this one</source>
            <translation>Jenen Lauf öffnen, oder ihn erst löschen, um diesen zu importieren</translation>
        </message>
        <message>
            <source>Open the folder</source>
            <translation>Ordner öffnen</translation>
        </message>
        <message>
            <source>Open the folder of a run or of texts</source>
            <translation>Den Ordner eines Laufs oder von Texten öffnen</translation>
        </message>
        <message>
            <source>Open the folder of this file</source>
            <translation>Den Ordner dieser Datei öffnen</translation>
        </message>
        <message>
            <source>Open the plugins folder</source>
            <translation>Den Plugin-Ordner öffnen</translation>
        </message>
        <message>
            <source>Open the run with a newer version of the lab</source>
            <translation>Den Lauf mit einer neueren Version des Labors öffnen</translation>
        </message>
        <message>
            <source>Open {file}</source>
            <translation>{file} öffnen</translation>
        </message>
        <message>
            <source>Opening</source>
            <translation>Wird geöffnet</translation>
        </message>
        <message>
            <source>Opening torch</source>
            <translation>torch wird geöffnet</translation>
        </message>
        <message>
            <source>Opening {file}</source>
            <translation>{file} wird geöffnet</translation>
        </message>
        <message>
            <source>Opening {name}</source>
            <translation>{name} wird geöffnet</translation>
        </message>
        <message>
            <source>Opinions that are positive or negative: "the soup was not good" is negative.</source>
            <translation>Meinungen, die positiv oder negativ sind: „the soup was not good“ ist negativ.</translation>
        </message>
        <message>
            <source>Opinions with negation</source>
            <translation>Meinungen mit Verneinung</translation>
        </message>
        <message>
            <source>Optimizer</source>
            <translation>Optimierer</translation>
        </message>
        <message>
            <source>Optimizer that updates the weights.</source>
            <translation>Optimierer, der die Gewichte aktualisiert.</translation>
        </message>
        <message>
            <source>Optimizer updates; for a model that counts, slices of the text, each twice as long as the last. Typical: 500 to 50,000 updates.</source>
            <translation>Aktualisierungen durch den Optimierer; bei einem Modell, das zählt, Abschnitte des Textes, jeder doppelt so lang wie der vorige. Üblich: 500 bis 50.000 Aktualisierungen.</translation>
        </message>
        <message>
            <source>Optimizers</source>
            <translation>Optimierer</translation>
        </message>
        <message>
            <source>Order</source>
            <translation>Reihenfolge</translation>
        </message>
        <message>
            <source>Order of the n-grams used for answers, if lower than the order that is counted. Typical: 1 to 5.</source>
            <translation>Ordnung der n-Gramme, mit denen geantwortet wird, falls kleiner als die gezählte Ordnung. Üblich: 1 bis 5.</translation>
        </message>
        <message>
            <source>Orders</source>
            <translation>Ordnungen</translation>
        </message>
        <message>
            <source>Orders by token</source>
            <translation>Ordnungen nach Token</translation>
        </message>
        <message>
            <source>Orders from N up</source>
            <translation>Ordnungen ab N</translation>
        </message>
        <message>
            <source>Original context</source>
            <translation>Ursprünglicher Kontext</translation>
        </message>
        <message>
            <source>Orthogonalises updates of matrices, so that all directions learn; AdamW for the rest (Jordan et al. 2024).</source>
            <translation>Orthogonalisiert die Änderungen der Matrizen, sodass alle Richtungen lernen; AdamW für den Rest (Jordan et al. 2024).</translation>
        </message>
        <message>
            <source>Other</source>
            <translation>Anderes</translation>
        </message>
        <message>
            <source>Output</source>
            <translation>Ausgabe</translation>
        </message>
        <message>
            <source>Output scale</source>
            <translation>Ausgabefaktor</translation>
        </message>
        <message>
            <source>Overlap of validation and training</source>
            <translation>Überschneidung von Validierung und Training</translation>
        </message>
        <message>
            <source>PATH=VALUE, with a path of at most {deepest} parts</source>
            <translation>PFAD=WERT, mit einem Pfad aus höchstens {deepest} Teilen</translation>
        </message>
        <message>
            <source>Pad both numbers with leading zeros to equal length, and the sum to one digit more.</source>
            <translation>Beide Zahlen mit führenden Nullen auf gleiche Länge auffüllen, die Summe auf eine Ziffer mehr.</translation>
        </message>
        <message>
            <source>Padded</source>
            <translation>Aufgefüllt</translation>
        </message>
        <message>
            <source>Page</source>
            <translation>Seite</translation>
        </message>
        <message>
            <source>Page for the projector (*.html)</source>
            <translation>Seite für den Beamer (*.html)</translation>
        </message>
        <message>
            <source>Page of curves, samples and readings</source>
            <translation>Seite mit Kurven, Textproben und Messwerten</translation>
        </message>
        <message>
            <source>Pages and documents ({ends})</source>
            <translation>Seiten und Dokumente ({ends})</translation>
        </message>
        <message>
            <source>Pages found</source>
            <translation>Gefundene Seiten</translation>
        </message>
        <message>
            <source>Pairs</source>
            <translation>Paare</translation>
        </message>
        <message>
            <source>Panel at the right</source>
            <translation>Seitenleiste rechts</translation>
        </message>
        <message>
            <source>Papers</source>
            <translation>Arbeiten</translation>
        </message>
        <message>
            <source>Parallel branches</source>
            <translation>Parallele Zweige</translation>
        </message>
        <message>
            <source>Parameters</source>
            <translation>Parameter</translation>
        </message>
        <message>
            <source>Parameters by part, operations, activations, decoding state</source>
            <translation>Parameter nach Teilen, Operationen, Aktivierungen, Zustand beim Dekodieren</translation>
        </message>
        <message>
            <source>Parameters that are not trained: names separated by commas, * for any characters. Empty trains all. Example: embedding.weight, blocks.0.*</source>
            <translation>Parameter, die nicht trainiert werden: Namen, durch Kommas getrennt, * für beliebige Zeichen. Leer werden alle trainiert. Beispiel: embedding.weight, blocks.0.*</translation>
        </message>
        <message>
            <source>Parity</source>
            <translation>Parität</translation>
        </message>
        <message>
            <source>Parity of six bits</source>
            <translation>Parität von sechs Bits</translation>
        </message>
        <message>
            <source>Parity of strings: DeltaNet with eigenvalues from 0 to 1, which cannot solve it</source>
            <translation>Parität von Zeichenketten: DeltaNet mit Eigenwerten von 0 bis 1, das sie nicht lösen kann</translation>
        </message>
        <message>
            <source>Parity of strings: DeltaNet with eigenvalues from −1 to 1, which solves it</source>
            <translation>Parität von Zeichenketten: DeltaNet mit Eigenwerten von −1 bis 1, das sie löst</translation>
        </message>
        <message>
            <source>Parity of strings: Mamba with eigenvalues from 0 to 1, which cannot solve it</source>
            <translation>Parität von Zeichenketten: Mamba mit Eigenwerten von 0 bis 1, das sie nicht lösen kann</translation>
        </message>
        <message>
            <source>Parity of strings: Mamba with eigenvalues from −1 to 1, which solves it</source>
            <translation>Parität von Zeichenketten: Mamba mit Eigenwerten von −1 bis 1, das sie löst</translation>
        </message>
        <message>
            <source>Parity: DeltaNet from 0 to 1</source>
            <translation>Parität: DeltaNet von 0 bis 1</translation>
        </message>
        <message>
            <source>Parity: DeltaNet from −1 to 1</source>
            <translation>Parität: DeltaNet von −1 bis 1</translation>
        </message>
        <message>
            <source>Parity: Mamba from 0 to 1</source>
            <translation>Parität: Mamba von 0 bis 1</translation>
        </message>
        <message>
            <source>Parity: Mamba from −1 to 1</source>
            <translation>Parität: Mamba von −1 bis 1</translation>
        </message>
        <message>
            <source>Parity: one bit of state, from strings of up to six symbols</source>
            <translation>Parität: ein Bit Zustand, aus Zeichenketten von bis zu sechs Symbolen</translation>
        </message>
        <message>
            <source>Parts</source>
            <translation>Teile</translation>
        </message>
        <message>
            <source>Parts of speech</source>
            <translation>Wortarten</translation>
        </message>
        <message>
            <source>Parts of the lab</source>
            <translation>Teile des Labors</translation>
        </message>
        <message>
            <source>Paste</source>
            <translation>Einfügen</translation>
        </message>
        <message>
            <source>Paste a link that starts with lmlab:</source>
            <translation>Einen Link einfügen, der mit lmlab: beginnt</translation>
        </message>
        <message>
            <source>Pasted text</source>
            <translation>Eingefügter Text</translation>
        </message>
        <message>
            <source>Patch</source>
            <translation>Bildausschnitt</translation>
        </message>
        <message>
            <source>Path</source>
            <translation>Pfad</translation>
        </message>
        <message>
            <source>Pattern</source>
            <translation>Muster</translation>
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
            <source>Pause the run, or try again</source>
            <translation>Den Lauf anhalten, oder es erneut versuchen</translation>
        </message>
        <message>
            <source>Pause the timeline</source>
            <translation>Zeitleiste anhalten</translation>
        </message>
        <message>
            <source>Peepholes</source>
            <translation>Peepholes</translation>
        </message>
        <message>
            <source>Penalty</source>
            <translation>Abzug</translation>
        </message>
        <message>
            <source>Penalty each time</source>
            <translation>Abzug pro Vorkommen</translation>
        </message>
        <message>
            <source>People overlook a space before a colon, but a model reads different tokens and continues differently.</source>
            <translation>Menschen übersehen ein Leerzeichen vor einem Doppelpunkt, ein Modell aber liest andere Tokens und setzt anders fort.</translation>
        </message>
        <message>
            <source>Period</source>
            <translation>Punkt</translation>
        </message>
        <message>
            <source>Permission denied</source>
            <translation>Keine Berechtigung</translation>
        </message>
        <message>
            <source>Permutation</source>
            <translation>Permutation</translation>
        </message>
        <message>
            <source>Permuted tokens</source>
            <translation>Permutierte Tokens</translation>
        </message>
        <message>
            <source>Perplexity on the same text</source>
            <translation>Perplexität auf demselben Text</translation>
        </message>
        <message>
            <source>Phrase book of a made language</source>
            <translation>Sprachführer einer erfundenen Sprache</translation>
        </message>
        <message>
            <source>Pick a file</source>
            <translation>Eine Datei wählen</translation>
        </message>
        <message>
            <source>Pick a file or a folder</source>
            <translation>Eine Datei oder einen Ordner wählen</translation>
        </message>
        <message>
            <source>Pick a folder</source>
            <translation>Einen Ordner wählen</translation>
        </message>
        <message>
            <source>Picture (*.png)</source>
            <translation>Bild (*.png)</translation>
        </message>
        <message>
            <source>Picture for slides (PNG)</source>
            <translation>Bild für Folien (PNG)</translation>
        </message>
        <message>
            <source>Pictures</source>
            <translation>Bilder</translation>
        </message>
        <message>
            <source>Pictures of circles, squares and other shapes, with the shape as class or a caption of what is seen.</source>
            <translation>Bilder von Kreisen, Quadraten und anderen Formen, mit der Form als Klasse oder einer Bildunterschrift dessen, was zu sehen ist.</translation>
        </message>
        <message>
            <source>Pictures of training and validation together; more of them start with the same ones.</source>
            <translation>Bilder von Training und Validierung zusammen; mehr Bilder beginnen mit denselben.</translation>
        </message>
        <message>
            <source>Pieces into which a step is split to save memory. The result is the same but for draws (dropout, noise) and the balance of experts, which are by piece. Typical: 1 to 8.</source>
            <translation>Teile eines Schritts, um Speicher zu sparen. Das Ergebnis ist dasselbe bis auf Ziehungen (Dropout, Rauschen) und die Balance der Experten, die je Teil gelten. Üblich: 1 bis 8.</translation>
        </message>
        <message>
            <source>Pin</source>
            <translation>Anheften</translation>
        </message>
        <message>
            <source>Places</source>
            <translation>Bereiche</translation>
        </message>
        <message>
            <source>Plain PyTorch script</source>
            <translation>Reines PyTorch-Skript</translation>
        </message>
        <message>
            <source>Plain gradient steps, with momentum (Robbins &amp; Monro 1951; Polyak 1964; Nesterov 1983).</source>
            <translation>Einfache Gradientenschritte mit Momentum (Robbins &amp; Monro 1951; Polyak 1964; Nesterov 1983).</translation>
        </message>
        <message>
            <source>Play</source>
            <translation>Ausprobieren</translation>
        </message>
        <message>
            <source>Play merges</source>
            <translation>Abspielen</translation>
        </message>
        <message>
            <source>Play the curve as sound</source>
            <translation>Kurve als Ton abspielen</translation>
        </message>
        <message>
            <source>Play the timeline</source>
            <translation>Zeitleiste abspielen</translation>
        </message>
        <message>
            <source>Play {line} as sound</source>
            <translation>{line} als Ton abspielen</translation>
        </message>
        <message>
            <source>Playing {name}: the pitch follows its value</source>
            <translation>{name} wird abgespielt: Die Tonhöhe folgt dem Wert</translation>
        </message>
        <message>
            <source>Please wait</source>
            <translation>Bitte warten</translation>
        </message>
        <message>
            <source>Plugin</source>
            <translation>Plugin</translation>
        </message>
        <message>
            <source>Plugins</source>
            <translation>Plugins</translation>
        </message>
        <message>
            <source>Plugins by others</source>
            <translation>Fremde Plugins</translation>
        </message>
        <message>
            <source>Plugins by others are not allowed by {source}.</source>
            <translation>Fremde Plugins sind nicht erlaubt, laut {source}.</translation>
        </message>
        <message>
            <source>Points</source>
            <translation>Punkte</translation>
        </message>
        <message>
            <source>Points after spaces often lie together, since a new word begins there.</source>
            <translation>Punkte nach Leerzeichen liegen oft beisammen, da dort ein neues Wort beginnt.</translation>
        </message>
        <message>
            <source>Points in the plane</source>
            <translation>Punkte in der Ebene</translation>
        </message>
        <message>
            <source>Points of each class: {classes}</source>
            <translation>Punkte je Klasse: {classes}</translation>
        </message>
        <message>
            <source>Points of two or more classes that form moons, circles, spirals, squares or clouds.</source>
            <translation>Punkte zweier oder mehrerer Klassen, die Monde, Kreise, Spiralen, Quadrate oder Wolken bilden.</translation>
        </message>
        <message>
            <source>Points: {y} over {x}</source>
            <translation>Punkte: {y} über {x}</translation>
        </message>
        <message>
            <source>Position encoding that is added to the embedding; the patches of an image have learned ones.</source>
            <translation>Positionskodierung, die zum Embedding addiert wird; die Ausschnitte eines Bildes haben gelernte.</translation>
        </message>
        <message>
            <source>Position encoding: added to the embedding, a rotation of queries and keys, or a bias of scores.</source>
            <translation>Positionskodierung: zum Embedding addiert, eine Drehung von Queries und Keys, oder ein Bias der Scores.</translation>
        </message>
        <message>
            <source>Position scores</source>
            <translation>Scores nach Position</translation>
        </message>
        <message>
            <source>Positions</source>
            <translation>Positionen</translation>
        </message>
        <message>
            <source>Positions of tokens: learned or sinusoidal vectors added to the embedding, or none.</source>
            <translation>Positionen der Tokens: gelernte oder sinusförmige Vektoren, zum Embedding addiert, oder keine.</translation>
        </message>
        <message>
            <source>Positions on the cycle.</source>
            <translation>Positionen auf dem Kreis.</translation>
        </message>
        <message>
            <source>Positions, each with the height of a sine wave there and some noise, which is to be predicted.</source>
            <translation>Stellen, jede mit der Höhe einer Sinuswelle dort und etwas Rauschen; die Höhe ist vorherzusagen.</translation>
        </message>
        <message>
            <source>Power</source>
            <translation>Potenz</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>Genauigkeit</translation>
        </message>
        <message>
            <source>Predict every token from those before it, within a window.</source>
            <translation>Jedes Token aus denen davor vorhersagen, innerhalb eines Fensters.</translation>
        </message>
        <message>
            <source>Predict numbers for each input.</source>
            <translation>Zahlen für jede Eingabe vorhersagen.</translation>
        </message>
        <message>
            <source>Predict one of several classes for each input, or for each of its tokens.</source>
            <translation>Eine von mehreren Klassen für jede Eingabe oder für jedes ihrer Token vorhersagen.</translation>
        </message>
        <message>
            <source>Predict the probability of each of several labels that do not exclude each other, or of one.</source>
            <translation>Die Wahrscheinlichkeit mehrerer Labels vorhersagen, die einander nicht ausschließen, oder die eines einzigen.</translation>
        </message>
        <message>
            <source>Predicting the next token</source>
            <translation>Das nächste Token wird vorhergesagt</translation>
        </message>
        <message>
            <source>Predicts</source>
            <translation>Vorhersage</translation>
        </message>
        <message>
            <source>Preparing the Python manual</source>
            <translation>Das Python-Handbuch wird vorbereitet</translation>
        </message>
        <message>
            <source>Preparing the first start</source>
            <translation>Der erste Start wird vorbereitet</translation>
        </message>
        <message>
            <source>Preparing the help</source>
            <translation>Die Hilfe wird vorbereitet</translation>
        </message>
        <message>
            <source>Presence penalty</source>
            <translation>Vorkommensabzug</translation>
        </message>
        <message>
            <source>Preset</source>
            <translation>Vorgabe</translation>
        </message>
        <message>
            <source>Preset: {name}</source>
            <translation>Vorgabe: {name}</translation>
        </message>
        <message>
            <source>Presets of {title}</source>
            <translation>Vorgaben von {title}</translation>
        </message>
        <message>
            <source>Presets of {title}, their sizes, and baselines</source>
            <translation>Vorgaben von {title}, ihre Größen und Vergleichsmodelle</translation>
        </message>
        <message>
            <source>Pretrained models shared on this machine</source>
            <translation>Auf diesem Rechner freigegebene vortrainierte Modelle</translation>
        </message>
        <message>
            <source>Pretrained tokenizer</source>
            <translation>Vortrainierter Tokenizer</translation>
        </message>
        <message>
            <source>Probability that a clause is negated: "the soup was not good" is negative.</source>
            <translation>Wahrscheinlichkeit, dass ein Teilsatz verneint ist: „the soup was not good“ ist negativ.</translation>
        </message>
        <message>
            <source>Probability that a noun has a relative clause ("the dog that sees the cat").</source>
            <translation>Wahrscheinlichkeit, dass ein Nomen einen Relativsatz hat („the dog that sees the cat“).</translation>
        </message>
        <message>
            <source>Probability that a text has two clauses of opposite polarity, of which the main one counts: "although the soup was good, the room was dull" is negative.</source>
            <translation>Wahrscheinlichkeit, dass ein Text zwei Teilsätze entgegengesetzter Polarität hat, von denen der Hauptsatz zählt: „although the soup was good, the room was dull“ ist negativ.</translation>
        </message>
        <message>
            <source>Probability that a verb reports a clause ("says that the dog sleeps").</source>
            <translation>Wahrscheinlichkeit, dass ein Verb einen Satz berichtet („says that the dog sleeps“).</translation>
        </message>
        <message>
            <source>Probability that a word is drawn from any topic instead of the topic of the text.</source>
            <translation>Wahrscheinlichkeit, dass ein Wort aus irgendeinem Thema statt aus dem Thema des Textes gezogen wird.</translation>
        </message>
        <message>
            <source>Probability that the next bracket opens where it could also close; at most 0.49 without a maximum depth.</source>
            <translation>Wahrscheinlichkeit, dass die nächste Klammer öffnet, wo sie auch schließen könnte; ohne größte Tiefe höchstens 0,49.</translation>
        </message>
        <message>
            <source>Probe</source>
            <translation>Sonde</translation>
        </message>
        <message>
            <source>Probe text</source>
            <translation>Prüftext</translation>
        </message>
        <message>
            <source>Probe text; empty means the start of the validation text.</source>
            <translation>Prüftext; leer bedeutet der Anfang des Validierungstextes.</translation>
        </message>
        <message>
            <source>Probe tokens</source>
            <translation>Tokens des Prüftextes</translation>
        </message>
        <message>
            <source>Probes</source>
            <translation>Sonden</translation>
        </message>
        <message>
            <source>Probes and interventions: those that come with the lab.</source>
            <translation>Sonden und Eingriffe: die mitgelieferten.</translation>
        </message>
        <message>
            <source>Probing the model</source>
            <translation>Anwenden der Sonden</translation>
        </message>
        <message>
            <source>Processor</source>
            <translation>Prozessor</translation>
        </message>
        <message>
            <source>Processor threads; 0 means one per core. Typical: 0, or 1 to the number of cores.</source>
            <translation>Threads des Prozessors; 0 bedeutet einer pro Kern. Üblich: 0 oder 1 bis zur Zahl der Kerne.</translation>
        </message>
        <message>
            <source>Profile</source>
            <translation>Profil</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>Fortschritt</translation>
        </message>
        <message>
            <source>Progress of counting</source>
            <translation>Fortschritt der Zählung</translation>
        </message>
        <message>
            <source>Progress of learning merges</source>
            <translation>Fortschritt beim Lernen der Verschmelzungen</translation>
        </message>
        <message>
            <source>Progress of the download</source>
            <translation>Fortschritt des Herunterladens</translation>
        </message>
        <message>
            <source>Progress of the import</source>
            <translation>Fortschritt des Imports</translation>
        </message>
        <message>
            <source>Progress of {run}</source>
            <translation>Fortschritt von {run}</translation>
        </message>
        <message>
            <source>Progress that is not saved yet is lost</source>
            <translation>Noch nicht gespeicherter Fortschritt geht verloren</translation>
        </message>
        <message>
            <source>Projector mode</source>
            <translation>Projektormodus</translation>
        </message>
        <message>
            <source>Prompt</source>
            <translation>Prompt</translation>
        </message>
        <message>
            <source>Protocol</source>
            <translation>Verfahren</translation>
        </message>
        <message>
            <source>Provenance</source>
            <translation>Herkunft</translation>
        </message>
        <message>
            <source>Put it in quotes: "{first}"</source>
            <translation>In Anführungszeichen setzen: "{first}"</translation>
        </message>
        <message>
            <source>Put it into {value}, or take it out of the policy</source>
            <translation>Es in {value} ablegen oder aus der Richtlinie entfernen</translation>
        </message>
        <message>
            <source>Put text that starts with brackets in quotes</source>
            <translation>Text, der mit Klammern beginnt, in Anführungszeichen setzen</translation>
        </message>
        <message>
            <source>Put that text next to the folder of the run, or resume the run with --corpus FILE</source>
            <translation>Diesen Text neben den Ordner des Laufs legen, oder den Lauf mit --corpus DATEI fortsetzen</translation>
        </message>
        <message>
            <source>Put the corpus next to the folder of the run, or export a bundle (.lmlab)</source>
            <translation>Den Korpus neben den Ordner des Laufs legen, oder ein Bündel (.lmlab) exportieren</translation>
        </message>
        <message>
            <source>Put the text beside the run's folder</source>
            <translation>Den Text neben den Ordner des Laufs legen</translation>
        </message>
        <message>
            <source>Python files (*.py)</source>
            <translation>Python-Dateien (*.py)</translation>
        </message>
        <message>
            <source>Python manual</source>
            <translation>Python-Handbuch</translation>
        </message>
        <message>
            <source>Python script with its data</source>
            <translation>Python-Skript mit Daten</translation>
        </message>
        <message>
            <source>Python {value} is newer than what the lab was tried with</source>
            <translation>Python {value} ist neuer als die Versionen, mit denen das Labor erprobt ist</translation>
        </message>
        <message>
            <source>Python's</source>
            <translation>die von Python</translation>
        </message>
        <message>
            <source>QK norm</source>
            <translation>QK-Norm</translation>
        </message>
        <message>
            <source>QR code of the address</source>
            <translation>QR-Code der Adresse</translation>
        </message>
        <message>
            <source>QR code of the link</source>
            <translation>QR-Code des Links</translation>
        </message>
        <message>
            <source>Qt could open no window here ({value})</source>
            <translation>Qt konnte hier kein Fenster öffnen ({value})</translation>
        </message>
        <message>
            <source>Quantity</source>
            <translation>Größe</translation>
        </message>
        <message>
            <source>Question</source>
            <translation>Frage</translation>
        </message>
        <message>
            <source>Questions</source>
            <translation>Fragen</translation>
        </message>
        <message>
            <source>Queue the missing runs with other seeds and the same settings: {runs}</source>
            <translation>Die fehlenden Läufe mit anderen Seeds und denselben Einstellungen einreihen: {runs}</translation>
        </message>
        <message>
            <source>Queue this run, or select the full profile in Settings if the memory suffices</source>
            <translation>Diesen Lauf in die Warteschlange stellen, oder in den Einstellungen das volle Profil wählen, wenn der Speicher reicht</translation>
        </message>
        <message>
            <source>Quick start</source>
            <translation>Schnellstart</translation>
        </message>
        <message>
            <source>Quick start for slow machines</source>
            <translation>Schnellstart für langsame Rechner</translation>
        </message>
        <message>
            <source>Quick start for slow machines: a tiny transformer learns to spell from the Python manual</source>
            <translation>Schnellstart für langsame Rechner: Ein winziger Transformer lernt buchstabieren, aus dem Python-Handbuch</translation>
        </message>
        <message>
            <source>Quick start: a small transformer learns to spell from the Python manual</source>
            <translation>Schnellstart: ein kleiner Transformer lernt buchstabieren aus dem Python-Handbuch</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>Beenden</translation>
        </message>
        <message>
            <source>RGB</source>
            <translation>RGB</translation>
        </message>
        <message>
            <source>RMSNorm</source>
            <translation>RMSNorm</translation>
        </message>
        <message>
            <source>RNNs and LSTMs solve it at any length. Transformers and linear recurrences with positive eigenvalues do not generalise beyond the trained lengths.</source>
            <translation>RNNs und LSTMs lösen es bei jeder Länge. Transformer und lineare Rekurrenzen mit positiven Eigenwerten generalisieren nicht über die trainierten Längen hinaus.</translation>
        </message>
        <message>
            <source>RNNs and LSTMs solve it at any length. Transformers stay near chance beyond trained lengths. Linear recurrences need negative eigenvalues: Mamba and linear attention fail without them.</source>
            <translation>RNNs und LSTMs lösen es bei jeder Länge. Transformer bleiben jenseits trainierter Längen nahe am Zufall. Lineare Rekurrenzen brauchen negative Eigenwerte: Mamba und lineare Attention versagen ohne sie.</translation>
        </message>
        <message>
            <source>RWKV-6</source>
            <translation>RWKV-6</translation>
        </message>
        <message>
            <source>RWKV-6 channel mixing</source>
            <translation>RWKV-6-Kanalmischung</translation>
        </message>
        <message>
            <source>RWKV-6 time mixing</source>
            <translation>RWKV-6-Zeitmischung</translation>
        </message>
        <message>
            <source>Raise the concentration, or use another seed</source>
            <translation>Die Konzentration erhöhen, oder einen anderen Seed verwenden</translation>
        </message>
        <message>
            <source>Raise the limit of its container or group if models do not fit</source>
            <translation>Die Grenze seines Containers oder seiner Gruppe erhöhen, wenn Modelle nicht hineinpassen</translation>
        </message>
        <message>
            <source>Raise the weight of another part first</source>
            <translation>Zuerst das Gewicht eines anderen Teils erhöhen</translation>
        </message>
        <message>
            <source>Random features</source>
            <translation>Zufällige Merkmale</translation>
        </message>
        <message>
            <source>Random features of each head for “performer”; 0 means twice the channels of a key. Typical: 1 to 4 times the channels of a key.</source>
            <translation>Zufällige Merkmale jedes Kopfes für „performer“; 0 bedeutet doppelt so viele wie die Kanäle eines Keys. Üblich: 1 bis 4 mal die Kanäle eines Keys.</translation>
        </message>
        <message>
            <source>Random filler</source>
            <translation>Zufällige Füllung</translation>
        </message>
        <message>
            <source>Random strings, each with the same letters from the last to the first: cab and bac.</source>
            <translation>Zufällige Zeichenketten, jede mit denselben Buchstaben vom letzten bis zum ersten: cab und bac.</translation>
        </message>
        <message>
            <source>Random tokens before the repetition.</source>
            <translation>Zufällige Tokens vor der Wiederholung.</translation>
        </message>
        <message>
            <source>Rank of the projection to the step sizes; 0 means width / 16. Typical: width / 16.</source>
            <translation>Rang der Projektion auf die Schrittweiten; 0 bedeutet Breite / 16. Üblich: Breite / 16.</translation>
        </message>
        <message>
            <source>Rank of Δ</source>
            <translation>Rang von Δ</translation>
        </message>
        <message>
            <source>Ranking tokens</source>
            <translation>Tokens werden nach Rang geordnet</translation>
        </message>
        <message>
            <source>Ranking words</source>
            <translation>Wörter werden nach Rang geordnet</translation>
        </message>
        <message>
            <source>Rate of correction</source>
            <translation>Rate der Berichtigung</translation>
        </message>
        <message>
            <source>ReLU</source>
            <translation>ReLU</translation>
        </message>
        <message>
            <source>ReLU²</source>
            <translation>ReLU²</translation>
        </message>
        <message>
            <source>Read again</source>
            <translation>Neu lesen</translation>
        </message>
        <message>
            <source>Read fewer tokens</source>
            <translation>Weniger Tokens lesen</translation>
        </message>
        <message>
            <source>Read nothing across the border of two documents: attention is masked, positions and states start again. Needs a corpus of documents; not for n-grams and experts that choose tokens.</source>
            <translation>Nichts über die Grenze zweier Dokumente hinweg lesen: Attention wird maskiert, Positionen und Zustände beginnen neu. Braucht einen Korpus aus Dokumenten; nicht für N-Gramme und Experten, die Tokens wählen.</translation>
        </message>
        <message>
            <source>Read the files that are new or changed</source>
            <translation>Die neuen oder geänderten Dateien lesen</translation>
        </message>
        <message>
            <source>Read the text as one stream; the state is carried between windows, gradients are not.</source>
            <translation>Den Text als einen Strom lesen; der Zustand wird zwischen Fenstern übernommen, Gradienten nicht.</translation>
        </message>
        <message>
            <source>Read-only file system</source>
            <translation>Das Dateisystem ist schreibgeschützt</translation>
        </message>
        <message>
            <source>Reading</source>
            <translation>Messwert</translation>
        </message>
        <message>
            <source>Reading a checkpoint of {title}</source>
            <translation>Lesen eines Checkpoints von {title}</translation>
        </message>
        <message>
            <source>Reading columns</source>
            <translation>Spalten werden gelesen</translation>
        </message>
        <message>
            <source>Reading its files…</source>
            <translation>Die Dateien werden gelesen …</translation>
        </message>
        <message>
            <source>Reading snapshots</source>
            <translation>Momentaufnahmen werden gelesen</translation>
        </message>
        <message>
            <source>Reading the bin</source>
            <translation>Der Papierkorb wird gelesen</translation>
        </message>
        <message>
            <source>Reading the checkpoint of step {step}</source>
            <translation>Der Checkpoint von Schritt {step} wird gelesen</translation>
        </message>
        <message>
            <source>Reading the corpus</source>
            <translation>Der Korpus wird gelesen</translation>
        </message>
        <message>
            <source>Reading the corpus for a prompt…</source>
            <translation>Im Korpus wird ein Prompt gesucht …</translation>
        </message>
        <message>
            <source>Reading the corpus was cancelled</source>
            <translation>Das Lesen des Korpus wurde abgebrochen</translation>
        </message>
        <message>
            <source>Reading the curves of recent runs</source>
            <translation>Die Kurven der letzten Läufe werden gelesen</translation>
        </message>
        <message>
            <source>Reading the list of runs</source>
            <translation>Die Liste der Läufe wird gelesen</translation>
        </message>
        <message>
            <source>Reading the prompt</source>
            <translation>Lesen des Prompts</translation>
        </message>
        <message>
            <source>Reading the snapshot of step {step}</source>
            <translation>Lesen der Momentaufnahme von Schritt {step}</translation>
        </message>
        <message>
            <source>Reading the validation text of {run}</source>
            <translation>Der Validierungstext von {run} wird gelesen</translation>
        </message>
        <message>
            <source>Reading the validation text of {run} …</source>
            <translation>Der Validierungstext von {run} wird gelesen …</translation>
        </message>
        <message>
            <source>Reading what answers this question…</source>
            <translation>Was diese Frage beantwortet, wird gelesen …</translation>
        </message>
        <message>
            <source>Reading what was handed in</source>
            <translation>Abgegebenes lesen</translation>
        </message>
        <message>
            <source>Reading {name}</source>
            <translation>{name} wird gelesen</translation>
        </message>
        <message>
            <source>Reading {name} …</source>
            <translation>{name} wird gelesen …</translation>
        </message>
        <message>
            <source>Reading {run}</source>
            <translation>{run} wird gelesen</translation>
        </message>
        <message>
            <source>Readings</source>
            <translation>Messwerte</translation>
        </message>
        <message>
            <source>Readings and probes</source>
            <translation>Messwerte und Sonden</translation>
        </message>
        <message>
            <source>Readings of the model on the probe text during training; one scale for each reading.</source>
            <translation>Messwerte des Modells auf dem Prüftext während des Trainings; jeder Messwert hat eine gemeinsame Skala.</translation>
        </message>
        <message>
            <source>Reading…</source>
            <translation>Wird gelesen …</translation>
        </message>
        <message>
            <source>Reads</source>
            <translation>Liest</translation>
        </message>
        <message>
            <source>Ready. Start trains the configuration of the next run.</source>
            <translation>Bereit. Start trainiert die Konfiguration des nächsten Laufs.</translation>
        </message>
        <message>
            <source>Recall among 64 tokens</source>
            <translation>Abruf unter 64 Tokens</translation>
        </message>
        <message>
            <source>Recall and copying</source>
            <translation>Abrufen und Kopieren</translation>
        </message>
        <message>
            <source>Recall by lag</source>
            <translation>Wiedergabe nach Abstand</translation>
        </message>
        <message>
            <source>Recall of four pairs in 64 tokens by attention</source>
            <translation>Abruf von vier Paaren in 64 Token durch Attention</translation>
        </message>
        <message>
            <source>Recent runs</source>
            <translation>Letzte Läufe</translation>
        </message>
        <message>
            <source>Recipe</source>
            <translation>Rezept</translation>
        </message>
        <message>
            <source>Recipes</source>
            <translation>Rezepte</translation>
        </message>
        <message>
            <source>Recipes (*.toml)</source>
            <translation>Rezepte (*.toml)</translation>
        </message>
        <message>
            <source>Recipes and bundles of runs ({ends})</source>
            <translation>Rezepte und Bündel von Läufen ({ends})</translation>
        </message>
        <message>
            <source>Recorded and not shown: {names}.</source>
            <translation>Aufgezeichnet, aber nicht gezeigt: {names}.</translation>
        </message>
        <message>
            <source>Recording</source>
            <translation>Aufzeichnung</translation>
        </message>
        <message>
            <source>Recurrence rate</source>
            <translation>Rate der Rekurrenz</translation>
        </message>
        <message>
            <source>Recurrent and state-space models, whose state can follow the forward algorithm step by step. Transformers get as close with enough layers and context, with the belief in their residual stream. N-grams lack the information in letters before their context.</source>
            <translation>Rekurrente Modelle und Zustandsraummodelle, deren Zustand dem Vorwärtsalgorithmus Schritt für Schritt folgen kann. Transformer kommen mit genug Schichten und Kontext ebenso nahe, mit der Überzeugung in ihrem Residualstrom. n-Grammen fehlt die Information in Buchstaben vor ihrem Kontext.</translation>
        </message>
        <message>
            <source>Recurrent init</source>
            <translation>Rekurrenter Start</translation>
        </message>
        <message>
            <source>Recurrent matrices</source>
            <translation>Rekurrente Matrizen</translation>
        </message>
        <message>
            <source>Recurrent network</source>
            <translation>Rekurrentes Netz</translation>
        </message>
        <message>
            <source>Recurrent networks with a stack generalise to longer strings. Attention learns the trained lengths and fails beyond them; plain recurrent networks lose the earliest symbols.</source>
            <translation>Rekurrente Netze mit einem Stapel generalisieren auf längere Zeichenketten. Attention lernt die trainierten Längen und versagt jenseits davon; einfache rekurrente Netze verlieren die frühesten Symbole.</translation>
        </message>
        <message>
            <source>Recurrent networks: Elman's, gated recurrent units, long short-term memory.</source>
            <translation>Rekurrente Netze: nach Elman, mit Gates (GRU), mit langem Kurzzeitgedächtnis (LSTM).</translation>
        </message>
        <message>
            <source>Recurrent singular values</source>
            <translation>Rekurrente Singulärwerte</translation>
        </message>
        <message>
            <source>Redo</source>
            <translation>Wiederholen</translation>
        </message>
        <message>
            <source>Reduced motion</source>
            <translation>Weniger Bewegung</translation>
        </message>
        <message>
            <source>Reference lines</source>
            <translation>Vergleichslinien</translation>
        </message>
        <message>
            <source>Reference lines: floors, the losses that simpler models reach</source>
            <translation>Vergleichslinien: Schranken, also Verluste, die einfachere Modelle erreichen</translation>
        </message>
        <message>
            <source>Reference lines: {floors}</source>
            <translation>Vergleichslinien: {floors}</translation>
        </message>
        <message>
            <source>References</source>
            <translation>Literatur</translation>
        </message>
        <message>
            <source>Register a Filter in lab_register_filters: build(config) returns (logits, histories) -&gt; logits</source>
            <translation>In lab_register_filters einen Filter registrieren: build(config) gibt (logits, histories) -&gt; logits zurück</translation>
        </message>
        <message>
            <source>Regression</source>
            <translation>Regression</translation>
        </message>
        <message>
            <source>Regularisation</source>
            <translation>Regularisierung</translation>
        </message>
        <message>
            <source>Relative clauses</source>
            <translation>Relativsätze</translation>
        </message>
        <message>
            <source>Relative paths start from {value}</source>
            <translation>Relative Pfade beginnen bei {value}</translation>
        </message>
        <message>
            <source>Relevant</source>
            <translation>Relevante</translation>
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
            <source>Remove it, or train a model with the tokenizer byte, which reads every character</source>
            <translation>Es entfernen, oder ein Modell mit dem Tokenizer byte trainieren, der jedes Zeichen liest</translation>
        </message>
        <message>
            <source>Remove it. {until}</source>
            <translation>Es entfernen. {until}</translation>
        </message>
        <message>
            <source>Remove that character</source>
            <translation>Dieses Zeichen entfernen</translation>
        </message>
        <message>
            <source>Remove the filter {name}</source>
            <translation>Den Filter {name} entfernen</translation>
        </message>
        <message>
            <source>Remove the repetitions that have not started from the queue</source>
            <translation>Die Wiederholungen, die noch nicht begonnen haben, aus der Warteschlange entfernen</translation>
        </message>
        <message>
            <source>Remove the selected run from the queue</source>
            <translation>Den ausgewählten Lauf aus der Warteschlange entfernen</translation>
        </message>
        <message>
            <source>Remove the selected runs from the charts</source>
            <translation>Die ausgewählten Läufe aus den Diagrammen entfernen</translation>
        </message>
        <message>
            <source>Remove the star</source>
            <translation>Stern entfernen</translation>
        </message>
        <message>
            <source>Remove {path}, then: lm-lab download {name}</source>
            <translation>{path} entfernen, dann: lm-lab download {name}</translation>
        </message>
        <message>
            <source>Removes tokens that would complete a banned text.</source>
            <translation>Entfernt Tokens, die einen gesperrten Text vervollständigen würden.</translation>
        </message>
        <message>
            <source>Removes tokens that would repeat a sequence of tokens.</source>
            <translation>Entfernt Tokens, die eine Folge von Tokens wiederholen würden.</translation>
        </message>
        <message>
            <source>Rename</source>
            <translation>Umbenennen</translation>
        </message>
        <message>
            <source>Rename it, or remove @hookimpl</source>
            <translation>Umbenennen, oder @hookimpl entfernen</translation>
        </message>
        <message>
            <source>Rename it, or turn the plugin off: lm-lab plugins disable {plugin}</source>
            <translation>Umbenennen, oder das Plugin ausschalten: lm-lab plugins disable {plugin}</translation>
        </message>
        <message>
            <source>Rename one of them</source>
            <translation>Eines davon umbenennen</translation>
        </message>
        <message>
            <source>Rename one of them, or set corpus.header to no if the first line is a row</source>
            <translation>Eine davon umbenennen oder corpus.header auf no setzen, wenn die erste Zeile keine Kopfzeile ist</translation>
        </message>
        <message>
            <source>Rename one of them, or turn one plugin off: lm-lab plugins disable {owner}</source>
            <translation>Eines davon umbenennen, oder ein Plugin ausschalten: lm-lab plugins disable {owner}</translation>
        </message>
        <message>
            <source>Rename the file</source>
            <translation>Die Datei umbenennen</translation>
        </message>
        <message>
            <source>Rename the file settings.json; the lab makes a new one</source>
            <translation>Die Datei settings.json umbenennen; das Labor legt eine neue an</translation>
        </message>
        <message>
            <source>Rename the file, or remove the one in the plugins folder</source>
            <translation>Die Datei umbenennen, oder die im Plugin-Ordner entfernen</translation>
        </message>
        <message>
            <source>Renormalise weights</source>
            <translation>Gewichte renormieren</translation>
        </message>
        <message>
            <source>Repair it, or turn it off in Plugins, or with lm-lab plugins disable NAME</source>
            <translation>Es reparieren, oder es unter Plugins oder mit lm-lab plugins disable NAME deaktivieren</translation>
        </message>
        <message>
            <source>Repair it, or turn it off: lm-lab plugins disable {plugin}</source>
            <translation>Es reparieren oder ausschalten: lm-lab plugins disable {plugin}</translation>
        </message>
        <message>
            <source>Repeat all with {n} seeds</source>
            <translation>Alle mit {n} Seeds wiederholen</translation>
        </message>
        <message>
            <source>Repeat both with {n} seeds</source>
            <translation>Beide mit {n} Seeds wiederholen</translation>
        </message>
        <message>
            <source>Repeated lines, paragraphs and documents. A model that memorises them looks better than it is.</source>
            <translation>Wiederholte Zeilen, Absätze und Dokumente. Ein Modell, das sie auswendig lernt, wirkt besser, als es ist.</translation>
        </message>
        <message>
            <source>Repetition penalty</source>
            <translation>Wiederholungsabzug</translation>
        </message>
        <message>
            <source>Replace it by U+FFFD</source>
            <translation>Ersetze es durch U+FFFD</translation>
        </message>
        <message>
            <source>Replace the link by what it names, if you made it yourself; otherwise do not use this run</source>
            <translation>Die Verknüpfung durch das ersetzen, was sie nennt, falls sie selbst angelegt wurde; sonst diesen Lauf nicht verwenden</translation>
        </message>
        <message>
            <source>Reported clauses</source>
            <translation>Berichtete Sätze</translation>
        </message>
        <message>
            <source>Reports</source>
            <translation>Meldungen</translation>
        </message>
        <message>
            <source>Residual</source>
            <translation>Residualstrom</translation>
        </message>
        <message>
            <source>Residual connection</source>
            <translation>Residualverbindung</translation>
        </message>
        <message>
            <source>Residual scaling</source>
            <translation>Residualskalierung</translation>
        </message>
        <message>
            <source>Restore it from a copy</source>
            <translation>Aus einer Kopie wiederherstellen</translation>
        </message>
        <message>
            <source>Restore one from a copy, branch from one that has the weights, or start a new run with this recipe</source>
            <translation>Einen aus einer Kopie wiederherstellen, von einem abzweigen, der die Gewichte hat, oder einen neuen Lauf mit diesem Rezept starten</translation>
        </message>
        <message>
            <source>Restore this file from a copy</source>
            <translation>Stellen Sie diese Datei aus einer Kopie wieder her</translation>
        </message>
        <message>
            <source>Restore this file from a copy; the rest of the run does not need it</source>
            <translation>Diese Datei aus einer Kopie wiederherstellen; der übrige Lauf braucht sie nicht</translation>
        </message>
        <message>
            <source>Restore {run}</source>
            <translation>{run} wiederherstellen</translation>
        </message>
        <message>
            <source>Restoring runs</source>
            <translation>Läufe werden wiederhergestellt</translation>
        </message>
        <message>
            <source>Result</source>
            <translation>Ergebnis</translation>
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
            <source>Resume from the last checkpoint, or from the start if there is none</source>
            <translation>Vom letzten Checkpoint fortsetzen, oder vom Anfang, wenn es keinen gibt</translation>
        </message>
        <message>
            <source>Resume it</source>
            <translation>Den Lauf fortsetzen</translation>
        </message>
        <message>
            <source>Resume it from its last checkpoint</source>
            <translation>Den Lauf von seinem letzten Checkpoint fortsetzen</translation>
        </message>
        <message>
            <source>Resume it from its last checkpoint; a system that is short of memory kills processes with this signal</source>
            <translation>Den Lauf von seinem letzten Checkpoint fortsetzen; ein System mit zu wenig Speicher beendet Prozesse mit diesem Signal</translation>
        </message>
        <message>
            <source>Resume {run}</source>
            <translation>{run} fortsetzen</translation>
        </message>
        <message>
            <source>RetNet</source>
            <translation>RetNet</translation>
        </message>
        <message>
            <source>Retention</source>
            <translation>Retention</translation>
        </message>
        <message>
            <source>Return a continuation of at least one hypothesis</source>
            <translation>Eine Fortsetzung mindestens einer Hypothese zurückgeben</translation>
        </message>
        <message>
            <source>Return at most `width` continuations that live on</source>
            <translation>Höchstens `width` Fortsetzungen zurückgeben, die weiterleben</translation>
        </message>
        <message>
            <source>Return one of these classes of lab.api</source>
            <translation>Gib eine dieser Klassen aus lab.api zurück</translation>
        </message>
        <message>
            <source>Return opens a run, E shows or hides the selected runs in the charts, F2 renames, Delete deletes</source>
            <translation>Eingabe öffnet einen Lauf, E zeigt die ausgewählten Läufe in den Diagrammen oder blendet sie aus, F2 benennt um, Entf löscht</translation>
        </message>
        <message>
            <source>Reverse</source>
            <translation>Umgekehrt</translation>
        </message>
        <message>
            <source>Reverse a string</source>
            <translation>Zeichenkette umkehren</translation>
        </message>
        <message>
            <source>Reverse: a string is read from its end</source>
            <translation>Umkehren: eine Zeichenkette wird vom Ende her gelesen</translation>
        </message>
        <message>
            <source>Reversed letters</source>
            <translation>Umgekehrte Buchstaben</translation>
        </message>
        <message>
            <source>Rises linearly over the warm-up, then stays constant.</source>
            <translation>Steigt über die Aufwärmphase linear, bleibt dann konstant.</translation>
        </message>
        <message>
            <source>Rises linearly, then falls along half a cosine to a floor (Loshchilov &amp; Hutter 2017).</source>
            <translation>Steigt linear, fällt dann entlang eines halben Kosinus auf einen Endwert (Loshchilov &amp; Hutter 2017).</translation>
        </message>
        <message>
            <source>RoPE</source>
            <translation>RoPE</translation>
        </message>
        <message>
            <source>RoPE base</source>
            <translation>RoPE-Basis</translation>
        </message>
        <message>
            <source>RoPE pairs</source>
            <translation>RoPE-Paare</translation>
        </message>
        <message>
            <source>RoPE scaling</source>
            <translation>RoPE-Skalierung</translation>
        </message>
        <message>
            <source>RoPE scaling factor</source>
            <translation>RoPE-Skalierungsfaktor</translation>
        </message>
        <message>
            <source>RoPE share</source>
            <translation>RoPE-Anteil</translation>
        </message>
        <message>
            <source>Rollout</source>
            <translation>Rollout</translation>
        </message>
        <message>
            <source>Rotate queries and keys by their positions; not needed if other mixers in the stack keep the order of the text.</source>
            <translation>Queries und Keys nach ihren Positionen drehen; unnötig, wenn andere Mischer die Reihenfolge des Textes erhalten.</translation>
        </message>
        <message>
            <source>Router probabilities</source>
            <translation>Wahrscheinlichkeiten des Routers</translation>
        </message>
        <message>
            <source>Router scores</source>
            <translation>Router-Werte</translation>
        </message>
        <message>
            <source>Router z-loss</source>
            <translation>z-Verlust des Routers</translation>
        </message>
        <message>
            <source>Routing</source>
            <translation>Routing</translation>
        </message>
        <message>
            <source>Row</source>
            <translation>Zeile</translation>
        </message>
        <message>
            <source>Row {first} is the first without both</source>
            <translation>Zeile {first} ist die erste, der eines davon fehlt</translation>
        </message>
        <message>
            <source>Rows</source>
            <translation>Zeilen</translation>
        </message>
        <message>
            <source>Rows are positions of the output, columns the tokens that enter them. Weights may be negative.</source>
            <translation>Zeilen sind Positionen der Ausgabe, Spalten die Tokens, die darin eingehen. Gewichte können negativ sein.</translation>
        </message>
        <message>
            <source>Rows are positions of the target, columns those of the source; each row adds up to 1.</source>
            <translation>Zeilen sind Positionen des Ziels, Spalten die der Quelle; jede Zeile ergibt zusammen 1.</translation>
        </message>
        <message>
            <source>Rows are positions that read, columns tokens that are read. The menu above offers the maps that were read: what a layer reads (its own weights), rollout (what is left after all layers), influence (on the prediction). The last two need their probe, in the list of cards at the right.</source>
            <translation>Zeilen sind Positionen, die lesen, Spalten Tokens, die gelesen werden. Das Menü oben bietet die gelesenen Karten an: was eine Schicht liest (ihre eigenen Gewichte), Rollout (was nach allen Schichten übrig ist), Einfluss (auf die Vorhersage). Die beiden letzten brauchen ihre Sonde, in der Liste der Karten rechts.</translation>
        </message>
        <message>
            <source>Rows are positions, columns the tokens they come from. It assumes that every layer passes on half of its input and mixes the other half by the mean of its heads.</source>
            <translation>Zeilen sind Positionen, Spalten die Tokens, von denen sie stammen. Angenommen wird, dass jede Schicht die Hälfte ihrer Eingabe weitergibt und die andere Hälfte nach dem Mittel ihrer Köpfe mischt.</translation>
        </message>
        <message>
            <source>Rows are predictions, columns tokens. Compare models by the shares of each row, since sizes depend on how large embeddings have grown.</source>
            <translation>Zeilen sind Vorhersagen, Spalten Tokens. Modelle nach den Anteilen jeder Zeile vergleichen, da die Größen davon abhängen, wie groß die Embeddings geworden sind.</translation>
        </message>
        <message>
            <source>Rows are the blocks, columns the tokens; each cell has the most likely next token. The colour is the distance to the final prediction. Early rows may say nothing although the block knows more, since the output layer was trained for the last block alone.</source>
            <translation>Zeilen sind die Blöcke, Spalten die Tokens; jedes Feld hat das wahrscheinlichste nächste Token. Die Farbe ist der Abstand zur endgültigen Vorhersage. Frühe Zeilen sagen vielleicht nichts, obwohl der Block mehr weiß, da die Ausgabeschicht nur für den letzten Block trainiert wurde.</translation>
        </message>
        <message>
            <source>Rows are the tokens that read, columns those that are read; each row adds up to 1. It shows where information may come from, not whether it was used.</source>
            <translation>Zeilen sind lesende Tokens, Spalten gelesene; die Summe jeder Zeile ist 1. Das zeigt, woher Information kommen kann, nicht, ob sie genutzt wurde.</translation>
        </message>
        <message>
            <source>Rows of training and validation together; more rows start with the same ones.</source>
            <translation>Zeilen von Training und Validierung zusammen; mehr Zeilen beginnen mit denselben.</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>Lauf</translation>
        </message>
        <message>
            <source>Run all checks again</source>
            <translation>Alle Prüfungen noch einmal ausführen</translation>
        </message>
        <message>
            <source>Run text recognition (OCR) over it first</source>
            <translation>Zuerst eine Texterkennung (OCR) durchführen</translation>
        </message>
        <message>
            <source>Running a test step</source>
            <translation>Ein Probeschritt läuft</translation>
        </message>
        <message>
            <source>Running runs are saved, queued runs stay queued.</source>
            <translation>Laufende Läufe werden gespeichert, eingereihte bleiben eingereiht.</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>Läufe</translation>
        </message>
        <message>
            <source>Runs in separate processes continue without the window</source>
            <translation>Läufe in eigenen Prozessen laufen ohne das Fenster weiter</translation>
        </message>
        <message>
            <source>S4</source>
            <translation>S4</translation>
        </message>
        <message>
            <source>S4 is discretised by the bilinear rule: set discretisation bilinear, or kernel s4d</source>
            <translation>S4 wird nach der bilinearen Regel diskretisiert: discretisation auf bilinear setzen, oder kernel auf s4d</translation>
        </message>
        <message>
            <source>S4 needs initialisation legs, not {initialisation}: set kernel s4d</source>
            <translation>S4 braucht die Initialisierung legs, nicht {initialisation}: kernel auf s4d setzen</translation>
        </message>
        <message>
            <source>S4D</source>
            <translation>S4D</translation>
        </message>
        <message>
            <source>S4D-Inv</source>
            <translation>S4D-Inv</translation>
        </message>
        <message>
            <source>S4D-Lin</source>
            <translation>S4D-Lin</translation>
        </message>
        <message>
            <source>SGD</source>
            <translation>SGD</translation>
        </message>
        <message>
            <source>Same number of parameters as</source>
            <translation>Ebenso viele Parameter wie</translation>
        </message>
        <message>
            <source>Sample</source>
            <translation>Textprobe</translation>
        </message>
        <message>
            <source>Sample length</source>
            <translation>Länge der Textprobe</translation>
        </message>
        <message>
            <source>Sample of the corpus</source>
            <translation>Stichprobe des Korpus</translation>
        </message>
        <message>
            <source>Sample of {name}</source>
            <translation>Textprobe von {name}</translation>
        </message>
        <message>
            <source>Samplers</source>
            <translation>Sampler</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>Textproben</translation>
        </message>
        <message>
            <source>Sampling</source>
            <translation>Ziehen</translation>
        </message>
        <message>
            <source>Save QR code as an SVG or PNG file</source>
            <translation>QR-Code als SVG- oder PNG-Datei speichern</translation>
        </message>
        <message>
            <source>Save QR code…</source>
            <translation>QR-Code speichern …</translation>
        </message>
        <message>
            <source>Save a report</source>
            <translation>Bericht speichern</translation>
        </message>
        <message>
            <source>Save a report without names and paths</source>
            <translation>Einen Bericht ohne Namen und Pfade speichern</translation>
        </message>
        <message>
            <source>Save a report…</source>
            <translation>Bericht speichern …</translation>
        </message>
        <message>
            <source>Save as CSV…</source>
            <translation>Als CSV speichern …</translation>
        </message>
        <message>
            <source>Save as WAV…</source>
            <translation>Als WAV speichern …</translation>
        </message>
        <message>
            <source>Save checkpoint</source>
            <translation>Checkpoint speichern</translation>
        </message>
        <message>
            <source>Save it again as UTF-8 plain text</source>
            <translation>Erneut als reinen UTF-8-Text speichern</translation>
        </message>
        <message>
            <source>Save it again as UTF-8 plain text (in most editors: Save as, encoding UTF-8)</source>
            <translation>Erneut als reinen UTF-8-Text speichern (in den meisten Editoren: Speichern unter, Kodierung UTF-8)</translation>
        </message>
        <message>
            <source>Save it as .docx without a password</source>
            <translation>Als .docx ohne Passwort speichern</translation>
        </message>
        <message>
            <source>Save it as a file and drop the file</source>
            <translation>Als Datei speichern und die Datei ablegen</translation>
        </message>
        <message>
            <source>Save it without one</source>
            <translation>Ohne Passwort speichern</translation>
        </message>
        <message>
            <source>Save its files again as UTF-8 text</source>
            <translation>Die Dateien erneut als UTF-8-Text speichern</translation>
        </message>
        <message>
            <source>Save recipe…</source>
            <translation>Rezept speichern …</translation>
        </message>
        <message>
            <source>Save the QR code</source>
            <translation>QR-Code speichern</translation>
        </message>
        <message>
            <source>Save the recipe</source>
            <translation>Rezept speichern</translation>
        </message>
        <message>
            <source>Save the recipe again, or take another file</source>
            <translation>Das Rezept erneut speichern, oder eine andere Datei nehmen</translation>
        </message>
        <message>
            <source>Save the sound</source>
            <translation>Ton speichern</translation>
        </message>
        <message>
            <source>Save the table as CSV, or all as one page for the projector</source>
            <translation>Die Tabelle als CSV speichern, oder alles als eine Seite für den Beamer</translation>
        </message>
        <message>
            <source>Save what is handed out</source>
            <translation>Speichern, was ausgeteilt wird</translation>
        </message>
        <message>
            <source>Saved {file}</source>
            <translation>{file} gespeichert</translation>
        </message>
        <message>
            <source>Saved {file} in {folder}</source>
            <translation>{file} in {folder} gespeichert</translation>
        </message>
        <message>
            <source>Save…</source>
            <translation>Speichern …</translation>
        </message>
        <message>
            <source>Saving a checkpoint of {run} at step {step}</source>
            <translation>Ein Checkpoint von {run} bei Schritt {step} wird gespeichert</translation>
        </message>
        <message>
            <source>Saving and closing</source>
            <translation>Wird gespeichert und geschlossen</translation>
        </message>
        <message>
            <source>Saving the columns</source>
            <translation>Die Spalten werden gespeichert</translation>
        </message>
        <message>
            <source>Saving the model</source>
            <translation>Speichern des Modells</translation>
        </message>
        <message>
            <source>Saving the state of the training</source>
            <translation>Speichern des Trainingszustands</translation>
        </message>
        <message>
            <source>Saving {file}</source>
            <translation>{file} wird gespeichert</translation>
        </message>
        <message>
            <source>Say who speaks: system, user, assistant</source>
            <translation>Gib an, wer spricht: system, user, assistant</translation>
        </message>
        <message>
            <source>Scales updates by each weight's gradient size; separate weight decay (Loshchilov &amp; Hutter 2019).</source>
            <translation>Skaliert Änderungen nach der Gradientengröße jedes Gewichts; getrennter Gewichtsabfall (Loshchilov &amp; Hutter 2019).</translation>
        </message>
        <message>
            <source>Scaling</source>
            <translation>Skalierung</translation>
        </message>
        <message>
            <source>Schedule</source>
            <translation>Zeitplan</translation>
        </message>
        <message>
            <source>Schedule of changes of live settings at given steps.</source>
            <translation>Zeitplan der Änderungen von Live-Einstellungen bei bestimmten Schritten.</translation>
        </message>
        <message>
            <source>Schedule of the learning rate.</source>
            <translation>Zeitplan der Lernrate.</translation>
        </message>
        <message>
            <source>Schedules</source>
            <translation>Zeitpläne</translation>
        </message>
        <message>
            <source>Score histogram</source>
            <translation>Histogramm der Scores</translation>
        </message>
        <message>
            <source>Scored</source>
            <translation>Gewertet</translation>
        </message>
        <message>
            <source>Scored: {tokens}</source>
            <translation>Gewertet: {tokens}</translation>
        </message>
        <message>
            <source>Scores from the router's logits: shares of all experts, or one score for each by itself.</source>
            <translation>Werte aus den Logits des Routers: Anteile aller Experten, oder ein Wert für jeden allein.</translation>
        </message>
        <message>
            <source>Scores of positions</source>
            <translation>Scores der Positionen</translation>
        </message>
        <message>
            <source>Scores with and without 1/√D</source>
            <translation>Scores mit und ohne 1/√D</translation>
        </message>
        <message>
            <source>Search readings and probes</source>
            <translation>Messwerte und Sonden durchsuchen</translation>
        </message>
        <message>
            <source>Search the help</source>
            <translation>Hilfe durchsuchen</translation>
        </message>
        <message>
            <source>Search the help (Ctrl+F)</source>
            <translation>Hilfe durchsuchen (Strg+F)</translation>
        </message>
        <message>
            <source>Search the help for “{text}”</source>
            <translation>Die Hilfe nach „{text}“ durchsuchen</translation>
        </message>
        <message>
            <source>Search, or tag=…</source>
            <translation>Suchen, oder tag=…</translation>
        </message>
        <message>
            <source>Search, or tag=… state=… layers&gt;=4</source>
            <translation>Suchen, oder tag=… state=… layers&gt;=4</translation>
        </message>
        <message>
            <source>Search: title, formula, kind</source>
            <translation>Suchen: Titel, Formel, Art</translation>
        </message>
        <message>
            <source>Searching runs</source>
            <translation>Läufe werden durchsucht</translation>
        </message>
        <message>
            <source>Second corpus</source>
            <translation>Zweiter Korpus</translation>
        </message>
        <message>
            <source>Seconds of training between checkpoints; 0 means none by time. Typical: 30 to 600.</source>
            <translation>Sekunden des Trainings zwischen Checkpoints; 0 bedeutet keine nach Zeit. Üblich: 30 bis 600.</translation>
        </message>
        <message>
            <source>See the last card of this page</source>
            <translation>Siehe die letzte Karte dieser Seite</translation>
        </message>
        <message>
            <source>See: lm-lab plugins</source>
            <translation>Siehe: lm-lab plugins</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>Seed</translation>
        </message>
        <message>
            <source>Seed of all random draws, for the source and for its text.</source>
            <translation>Seed aller Zufallszahlen, für die Quelle und ihren Text.</translation>
        </message>
        <message>
            <source>Seed of all random draws.</source>
            <translation>Seed aller Zufallszahlen.</translation>
        </message>
        <message>
            <source>Seed of initial weights, order of the data and dropout.</source>
            <translation>Seed der Anfangsgewichte, der Reihenfolge der Daten und des Dropouts.</translation>
        </message>
        <message>
            <source>Seed of the random features of all layers; another seed gives other features.</source>
            <translation>Seed der zufälligen Merkmale aller Schichten; ein anderer Seed ergibt andere Merkmale.</translation>
        </message>
        <message>
            <source>Seed of the sampling: the same seed and model write the same text.</source>
            <translation>Seed der Ziehung: derselbe Seed und dasselbe Modell schreiben denselben Text.</translation>
        </message>
        <message>
            <source>Seed that selects the held-out pairs.</source>
            <translation>Seed, der die zurückgehaltenen Paare auswählt.</translation>
        </message>
        <message>
            <source>Select a corpus on the left.</source>
            <translation>Links einen Korpus auswählen.</translation>
        </message>
        <message>
            <source>Select a folder…</source>
            <translation>Einen Ordner wählen …</translation>
        </message>
        <message>
            <source>Select a run on the left to see its loss, or start a new one.</source>
            <translation>Links einen Lauf auswählen, um seinen Verlust zu sehen, oder einen neuen starten.</translation>
        </message>
        <message>
            <source>Select a setting to see its description here.</source>
            <translation>Eine Einstellung auswählen, um hier ihre Beschreibung zu sehen.</translation>
        </message>
        <message>
            <source>Select a text on which the runs are measured</source>
            <translation>Text wählen, auf dem die Läufe gemessen werden</translation>
        </message>
        <message>
            <source>Select all</source>
            <translation>Alles auswählen</translation>
        </message>
        <message>
            <source>Select another folder of a pretrained model</source>
            <translation>Einen anderen Ordner mit einem vortrainierten Modell auswählen</translation>
        </message>
        <message>
            <source>Select corpus file…</source>
            <translation>Korpusdatei auswählen …</translation>
        </message>
        <message>
            <source>Select its text: the file that the link names</source>
            <translation>Den Text auswählen: die Datei, die der Link nennt</translation>
        </message>
        <message>
            <source>Select its text…</source>
            <translation>Text auswählen …</translation>
        </message>
        <message>
            <source>Select one text, or a folder with all of them</source>
            <translation>Einen Text auswählen oder einen Ordner mit allen</translation>
        </message>
        <message>
            <source>Select the Python file of the plugin</source>
            <translation>Die Python-Datei des Plugins auswählen</translation>
        </message>
        <message>
            <source>Select the columns of the table</source>
            <translation>Die Spalten der Tabelle auswählen</translation>
        </message>
        <message>
            <source>Select the file of a plugin</source>
            <translation>Die Datei eines Plugins auswählen</translation>
        </message>
        <message>
            <source>Select the file that is handed out</source>
            <translation>Die Datei wählen, die ausgeteilt wird</translation>
        </message>
        <message>
            <source>Select the file with the text of this run</source>
            <translation>Die Datei mit dem Text dieses Laufs auswählen</translation>
        </message>
        <message>
            <source>Select the folder into which a class hands in</source>
            <translation>Den Ordner wählen, in den eine Klasse abgibt</translation>
        </message>
        <message>
            <source>Select the folder into which the run is handed in</source>
            <translation>Den Ordner wählen, in den der Lauf abgegeben wird</translation>
        </message>
        <message>
            <source>Select the folder into which your class hands in: one on a shared drive or a stick, or one that you collect into over the network.</source>
            <translation>Den Ordner wählen, in den die Klasse abgibt: einen auf einem gemeinsamen Laufwerk oder einem Stick, oder einen, in den über das Netz eingesammelt wird.</translation>
        </message>
        <message>
            <source>Select the folder of a pretrained model</source>
            <translation>Den Ordner eines vortrainierten Modells auswählen</translation>
        </message>
        <message>
            <source>Select the folder or stick</source>
            <translation>Den Ordner oder Stick wählen</translation>
        </message>
        <message>
            <source>Select the run from which it was branched</source>
            <translation>Den Lauf auswählen, von dem abgezweigt wurde</translation>
        </message>
        <message>
            <source>Select the text of {run}</source>
            <translation>Den Text von {run} auswählen</translation>
        </message>
        <message>
            <source>Select the text {name}</source>
            <translation>Den Text {name} auswählen</translation>
        </message>
        <message>
            <source>Select {run}, which trains</source>
            <translation>{run} auswählen, den Lauf, der trainiert</translation>
        </message>
        <message>
            <source>Selected run</source>
            <translation>Ausgewählter Lauf</translation>
        </message>
        <message>
            <source>Selective copying</source>
            <translation>Selektives Kopieren</translation>
        </message>
        <message>
            <source>Selective copying by Mamba</source>
            <translation>Selektives Kopieren mit Mamba</translation>
        </message>
        <message>
            <source>Selective copying by S4</source>
            <translation>Selektives Kopieren mit S4</translation>
        </message>
        <message>
            <source>Selective copying of 4 among 256 tokens by Mamba, whose steps depend on the token</source>
            <translation>Selektives Kopieren von 4 aus 256 Token durch Mamba, dessen Schritte vom Token abhängen</translation>
        </message>
        <message>
            <source>Selective copying of 4 among 256 tokens by S4, whose steps know no token from another</source>
            <translation>Selektives Kopieren von 4 aus 256 Token durch S4, dessen Schritte kein Token vom anderen unterscheiden</translation>
        </message>
        <message>
            <source>Selective copying: four symbols among noise</source>
            <translation>Selektives Kopieren: vier Symbole im Rauschen</translation>
        </message>
        <message>
            <source>Send a report: lm-lab doctor --report FILE</source>
            <translation>Einen Bericht senden: lm-lab doctor --report FILE</translation>
        </message>
        <message>
            <source>Send it again</source>
            <translation>Noch einmal senden</translation>
        </message>
        <message>
            <source>Sentences</source>
            <translation>Sätze</translation>
        </message>
        <message>
            <source>Sentences in which each word is labelled as noun, verb, adjective and so on.</source>
            <translation>Sätze, in denen jedes Wort als Substantiv, Verb, Adjektiv und so weiter bezeichnet ist.</translation>
        </message>
        <message>
            <source>Sentences of a grammar</source>
            <translation>Sätze einer Grammatik</translation>
        </message>
        <message>
            <source>Sentences of a grammar: a transformer reads word by word</source>
            <translation>Sätze einer Grammatik: ein Transformer liest Wort für Wort</translation>
        </message>
        <message>
            <source>Sentences of a text, each with three words that point to its topic.</source>
            <translation>Sätze eines Textes, mit je drei Wörtern als Hinweis.</translation>
        </message>
        <message>
            <source>Separate documents</source>
            <translation>Getrennte Dokumente</translation>
        </message>
        <message>
            <source>Sequence to sequence</source>
            <translation>Sequenz zu Sequenz</translation>
        </message>
        <message>
            <source>Set a higher resolution or a smaller scale in the settings of the system</source>
            <translation>In den Einstellungen des Systems eine höhere Auflösung oder eine kleinere Skalierung wählen</translation>
        </message>
        <message>
            <source>Set a larger total number of steps: --set training.steps={value}</source>
            <translation>Eine größere Gesamtzahl von Schritten setzen: --set training.steps={value}</translation>
        </message>
        <message>
            <source>Set a larger total number of steps: --steps N</source>
            <translation>Eine größere Gesamtzahl von Schritten setzen: --steps N</translation>
        </message>
        <message>
            <source>Set by the administrator of this machine</source>
            <translation>Von der Verwaltung dieses Rechners festgelegt</translation>
        </message>
        <message>
            <source>Set by {source}</source>
            <translation>Festgelegt in {source}</translation>
        </message>
        <message>
            <source>Set corpus.learned to one of them</source>
            <translation>corpus.learned auf eine davon setzen</translation>
        </message>
        <message>
            <source>Set corpus.size to bring all to one size</source>
            <translation>corpus.size setzen, um alle auf eine Größe zu bringen</translation>
        </message>
        <message>
            <source>Set date and time: runs are ordered by them, and downloads check them</source>
            <translation>Datum und Uhrzeit stellen: Läufe werden danach geordnet, und Downloads prüfen sie</translation>
        </message>
        <message>
            <source>Set it only around the plugin's own work, and put it back behind it</source>
            <translation>Es nur um die eigene Arbeit des Plugins herum setzen und danach zurücksetzen</translation>
        </message>
        <message>
            <source>Set it to 0</source>
            <translation>Auf 0 setzen</translation>
        </message>
        <message>
            <source>Set training.accumulation={pieces}, which halves the size of a computation</source>
            <translation>training.accumulation={pieces} setzen; das halbiert die Größe einer Berechnung</translation>
        </message>
        <message>
            <source>Set training.context_length={needed}, or make its examples shorter</source>
            <translation>training.context_length={needed} setzen, oder die Beispiele verkürzen</translation>
        </message>
        <message>
            <source>Set training.context_length={needed}, or shorten that row</source>
            <translation>Setze training.context_length={needed} oder kürze diese Zeile</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>Einstellungen</translation>
        </message>
        <message>
            <source>Settings of its corpus, separated by commas, such as column=story, split=test. Text with a comma stands in quotes. Empty: the defaults.</source>
            <translation>Einstellungen seines Korpus, durch Kommas getrennt, etwa column=story, split=test. Text mit einem Komma steht in Anführungszeichen. Leer: die Voreinstellungen.</translation>
        </message>
        <message>
            <source>Settings of the architecture.</source>
            <translation>Einstellungen der Architektur.</translation>
        </message>
        <message>
            <source>Settings of the corpus and the tokenizer.</source>
            <translation>Einstellungen des Korpus und des Tokenizers.</translation>
        </message>
        <message>
            <source>Settings of the mixer Attention, wherever the pattern names attention.</source>
            <translation>Einstellungen des Mischers Attention, wo immer das Muster attention nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Delta rule, wherever the pattern names deltanet.</source>
            <translation>Einstellungen des Mischers Deltaregel, wo immer das Muster deltanet nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Experts, wherever the pattern names moe.</source>
            <translation>Einstellungen des Mischers Experten, wo immer das Muster moe nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Feed-forward layer, wherever the pattern names mlp.</source>
            <translation>Einstellungen des Mischers Feedforward-Schicht, wo immer das Muster mlp nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Gated delta rule, wherever the pattern names gated-deltanet.</source>
            <translation>Einstellungen des Mischers Deltaregel mit Gates, wo immer das Muster gated-deltanet nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Gated linear attention, wherever the pattern names gla.</source>
            <translation>Einstellungen des Mischers Lineare Attention mit Gates, wo immer das Muster gla nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Linear attention, wherever the pattern names linear-attention.</source>
            <translation>Einstellungen des Mischers Lineare Attention, wo immer das Muster linear-attention nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Mamba, wherever the pattern names mamba.</source>
            <translation>Einstellungen des Mischers Mamba, wo immer das Muster mamba nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Mamba-2, wherever the pattern names mamba2.</source>
            <translation>Einstellungen des Mischers Mamba-2, wo immer das Muster mamba2 nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer RWKV-6 channel mixing, wherever the pattern names rwkv6-channel.</source>
            <translation>Einstellungen des Mischers RWKV-6-Kanalmischung, wo immer das Muster rwkv6-channel nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer RWKV-6 time mixing, wherever the pattern names rwkv6.</source>
            <translation>Einstellungen des Mischers RWKV-6-Zeitmischung, wo immer das Muster rwkv6 nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer Retention, wherever the pattern names retnet.</source>
            <translation>Einstellungen des Mischers Retention, wo immer das Muster retnet nennt.</translation>
        </message>
        <message>
            <source>Settings of the mixer S4, wherever the pattern names s4.</source>
            <translation>Einstellungen des Mischers S4, wo immer das Muster s4 nennt.</translation>
        </message>
        <message>
            <source>Settings of the recorded readings.</source>
            <translation>Einstellungen der aufgezeichneten Messwerte.</translation>
        </message>
        <message>
            <source>Settings of the training.</source>
            <translation>Einstellungen des Trainings.</translation>
        </message>
        <message>
            <source>Settings that shape it</source>
            <translation>Einstellungen, die es formen</translation>
        </message>
        <message>
            <source>Settings that shape it: …</source>
            <translation>Einstellungen, die es formen: …</translation>
        </message>
        <message>
            <source>Settings that were changed while it trained are as the recipe has them</source>
            <translation>Einstellungen, die während des Trainings geändert wurden, sind wie im Rezept</translation>
        </message>
        <message>
            <source>Seventh corpus</source>
            <translation>Siebter Korpus</translation>
        </message>
        <message>
            <source>Shape</source>
            <translation>Form</translation>
        </message>
        <message>
            <source>Shape of the classes. XOR has two opposite squares each, blobs are round clouds.</source>
            <translation>Form der Klassen. Bei XOR sind es je zwei gegenüberliegende Quadrate, Wolken sind rund.</translation>
        </message>
        <message>
            <source>Shapes</source>
            <translation>Formen</translation>
        </message>
        <message>
            <source>Shapes in a picture with a caption.</source>
            <translation>Formen in einem Bild mit Bildunterschrift.</translation>
        </message>
        <message>
            <source>Share a run of this recipe as a bundle</source>
            <translation>Einen Lauf dieses Rezepts als Bündel weitergeben</translation>
        </message>
        <message>
            <source>Share a run of this recipe as a bundle, which holds the tokenizer</source>
            <translation>Einen Lauf dieses Rezepts als Bündel weitergeben, das den Tokenizer enthält</translation>
        </message>
        <message>
            <source>Share as link</source>
            <translation>Als Link teilen</translation>
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
            <source>Share of all pairs (a, b) used for training; validation uses only the others.</source>
            <translation>Anteil aller Paare (a, b), die zum Training dienen; die Validierung verwendet nur die anderen.</translation>
        </message>
        <message>
            <source>Share of each head's channels that is rotated. Typical: 0.25 to 1.</source>
            <translation>Anteil der Kanäle jedes Kopfes, der gedreht wird. Üblich: 0,25 bis 1.</translation>
        </message>
        <message>
            <source>Share of each target's probability that is spread evenly over all in training; the validation loss is without it. Typical: 0.1.</source>
            <translation>Anteil der Wahrscheinlichkeit jedes Ziels, der im Training gleichmäßig auf alle verteilt wird; der Validierungsverlust ist ohne ihn. Typisch: 0.1.</translation>
        </message>
        <message>
            <source>Share of each unit that is repeated</source>
            <translation>Wiederholter Anteil jeder Einheit</translation>
        </message>
        <message>
            <source>Share of scored symbols that are predicted correctly, on validation examples of one length each. A rule holds beyond the trained lengths; memorised examples do not.</source>
            <translation>Anteil der richtig vorhergesagten gewerteten Symbole auf Validierungsbeispielen je einer Länge. Eine Regel gilt über die trainierten Längen hinaus, auswendig gelernte Beispiele nicht.</translation>
        </message>
        <message>
            <source>Share of the attention weights set to zero, in training. Typical: 0 to 0.1.</source>
            <translation>Anteil der Attention-Gewichte, die im Training auf null gesetzt werden. Üblich: 0 bis 0,1.</translation>
        </message>
        <message>
            <source>Share of the corpus, at its end, that is reserved for validation. Typical: 0.05 to 0.1.</source>
            <translation>Anteil des Korpus an seinem Ende, der für die Validierung zurückgehalten wird. Üblich: 0,05 bis 0,1.</translation>
        </message>
        <message>
            <source>Share of the last update added to each update; 0 for none. Typical: 0.9.</source>
            <translation>Anteil der letzten Aktualisierung, der zu jeder addiert wird; 0 für keinen. Üblich: 0,9.</translation>
        </message>
        <message>
            <source>Share of the tokens that are hidden and must be predicted. Typical: 0.15 to 0.4.</source>
            <translation>Anteil der Tokens, die verdeckt sind und vorhergesagt werden müssen. Üblich: 0,15 bis 0,4.</translation>
        </message>
        <message>
            <source>Share of the training examples whose data are near the separator, at a random distance. They are learned first and help with the others; validation has none.</source>
            <translation>Anteil der Trainingsbeispiele, deren Daten nahe am Trennzeichen stehen, in zufälligem Abstand. Sie werden zuerst gelernt und helfen bei den anderen; die Validierung hat keine.</translation>
        </message>
        <message>
            <source>Share of validation examples of one length without an error. One wrong symbol spoils an example, so longer ones are harder.</source>
            <translation>Anteil der Validierungsbeispiele einer Länge ohne Fehler. Ein falsches Symbol verdirbt ein Beispiel, längere sind daher schwerer.</translation>
        </message>
        <message>
            <source>Share of values set to zero after the embedding and on every residual branch, in training. Typical: 0 to 0.2.</source>
            <translation>Anteil der Werte, die im Training nach dem Embedding und auf jedem Residualzweig auf null gesetzt werden. Üblich: 0 bis 0,2.</translation>
        </message>
        <message>
            <source>Share of values set to zero before each layer and before the head in training; never between tokens within a layer. Typical: 0 to 0.5.</source>
            <translation>Anteil der Werte, die im Training vor jeder Schicht und vor der Ausgabe auf null gesetzt werden; nie zwischen Tokens innerhalb einer Schicht. Üblich: 0 bis 0,5.</translation>
        </message>
        <message>
            <source>Share the recipe as a file, or the run as a bundle</source>
            <translation>Das Rezept als Datei weitergeben, oder den Lauf als Bündel</translation>
        </message>
        <message>
            <source>Shared experts</source>
            <translation>Geteilte Experten</translation>
        </message>
        <message>
            <source>Shared on this machine</source>
            <translation>Auf diesem Rechner freigegeben</translation>
        </message>
        <message>
            <source>Shared with a part before it</source>
            <translation>Mit einem früheren Teil gemeinsam</translation>
        </message>
        <message>
            <source>Shared with everybody on this machine: {path}</source>
            <translation>Für alle an diesem Rechner freigegeben: {path}</translation>
        </message>
        <message>
            <source>Shares of each row, to compare two models</source>
            <translation>Anteile jeder Zeile, um zwei Modelle zu vergleichen</translation>
        </message>
        <message>
            <source>Shares of the classes</source>
            <translation>Anteile der Klassen</translation>
        </message>
        <message>
            <source>Shift JIS</source>
            <translation>Shift JIS</translation>
        </message>
        <message>
            <source>Shift and scale each column of numbers to mean 0 and standard deviation 1; the facts of the run state both. Predicted columns of nothing but 0 and 1 stay as they are.</source>
            <translation>Jede Spalte mit Zahlen auf Mittelwert 0 und Standardabweichung 1 verschieben und skalieren; die Angaben des Laufs nennen beide. Vorhergesagte Spalten, die nur 0 und 1 enthalten, bleiben, wie sie sind.</translation>
        </message>
        <message>
            <source>Shift rank</source>
            <translation>Verschiebungsrang</translation>
        </message>
        <message>
            <source>Short convolution</source>
            <translation>Kurze Faltung</translation>
        </message>
        <message>
            <source>Short texts about sport, kitchen, weather and other topics, in which some words mislead.</source>
            <translation>Kurze Texte über Sport, Küche, Wetter und andere Themen, in denen einige Wörter in die Irre führen.</translation>
        </message>
        <message>
            <source>Shortcuts</source>
            <translation>Tastenkürzel</translation>
        </message>
        <message>
            <source>Shorten it</source>
            <translation>Kürze ihn</translation>
        </message>
        <message>
            <source>Shorten it, or train on a folder with all of the texts, each read in proportion to its length</source>
            <translation>Ihn kürzen oder auf einem Ordner mit allen Texten trainieren, von denen jeder im Verhältnis seiner Länge gelesen wird</translation>
        </message>
        <message>
            <source>Show</source>
            <translation>Zeigen</translation>
        </message>
        <message>
            <source>Show all</source>
            <translation>Alles zeigen</translation>
        </message>
        <message>
            <source>Show all notices</source>
            <translation>Alle Meldungen zeigen</translation>
        </message>
        <message>
            <source>Show all runs</source>
            <translation>Alle Läufe zeigen</translation>
        </message>
        <message>
            <source>Show all runs in Train</source>
            <translation>Alle Läufe unter Training zeigen</translation>
        </message>
        <message>
            <source>Show bits per byte</source>
            <translation>Bits pro Byte zeigen</translation>
        </message>
        <message>
            <source>Show field</source>
            <translation>Feld zeigen</translation>
        </message>
        <message>
            <source>Show how a space before a colon changes the tokens</source>
            <translation>Zeigen, wie ein Leerzeichen vor einem Doppelpunkt die Tokens ändert</translation>
        </message>
        <message>
            <source>Show in folder</source>
            <translation>Im Ordner zeigen</translation>
        </message>
        <message>
            <source>Show in the charts (E)</source>
            <translation>In den Diagrammen zeigen (E)</translation>
        </message>
        <message>
            <source>Show only what differs</source>
            <translation>Nur Abweichungen zeigen</translation>
        </message>
        <message>
            <source>Show the corpus, its statistics and tokens (Ctrl+Shift+T)</source>
            <translation>Korpus, seine Statistik und Tokens zeigen (Strg+Umschalt+T)</translation>
        </message>
        <message>
            <source>Show the current model</source>
            <translation>Das aktuelle Modell zeigen</translation>
        </message>
        <message>
            <source>Show the distribution after each filter, and the draw</source>
            <translation>Die Verteilung nach jedem Filter und die Ziehung zeigen</translation>
        </message>
        <message>
            <source>Show the equations of this part over the drawing of the model</source>
            <translation>Die Gleichungen dieses Teils über der Zeichnung des Modells zeigen</translation>
        </message>
        <message>
            <source>Show the list of runs</source>
            <translation>Liste der Läufe zeigen</translation>
        </message>
        <message>
            <source>Show the newest values again</source>
            <translation>Wieder die neuesten Werte zeigen</translation>
        </message>
        <message>
            <source>Show the next pointer</source>
            <translation>Den nächsten Hinweis zeigen</translation>
        </message>
        <message>
            <source>Show the number of each token below it</source>
            <translation>Unter jedem Token seine Nummer zeigen</translation>
        </message>
        <message>
            <source>Show the other cards again (Esc)</source>
            <translation>Die anderen Karten wieder zeigen (Esc)</translation>
        </message>
        <message>
            <source>Show the page of the help about a class</source>
            <translation>Die Seite der Hilfe über eine Klasse zeigen</translation>
        </message>
        <message>
            <source>Show the page of the help about a first plugin</source>
            <translation>Die Hilfeseite über das erste eigene Plugin zeigen</translation>
        </message>
        <message>
            <source>Show the page of the help about seeds and noise</source>
            <translation>Die Hilfeseite über Seeds und Rauschen zeigen</translation>
        </message>
        <message>
            <source>Show the page that lists all pages</source>
            <translation>Die Seite zeigen, die alle Seiten auflistet</translation>
        </message>
        <message>
            <source>Show the panel</source>
            <translation>Seitenleiste zeigen</translation>
        </message>
        <message>
            <source>Show the pointer before</source>
            <translation>Den vorigen Hinweis zeigen</translation>
        </message>
        <message>
            <source>Show the setting</source>
            <translation>Einstellung zeigen</translation>
        </message>
        <message>
            <source>Show the setting of {symbol} in the configuration</source>
            <translation>Die Einstellung zu {symbol} in der Konfiguration zeigen</translation>
        </message>
        <message>
            <source>Show the values above too (Home)</source>
            <translation>Auch die Werte darüber zeigen (Pos1)</translation>
        </message>
        <message>
            <source>Show them</source>
            <translation>Zeigen</translation>
        </message>
        <message>
            <source>Show these numbers over the steps of the training</source>
            <translation>Diese Zahlen über die Schritte des Trainings zeigen</translation>
        </message>
        <message>
            <source>Show this part in the drawing of the model</source>
            <translation>Diesen Teil in der Zeichnung des Modells zeigen</translation>
        </message>
        <message>
            <source>Show two runs at least; the selected one must train on text</source>
            <translation>Mindestens zwei Läufe zeigen; der ausgewählte muss auf Text trainieren</translation>
        </message>
        <message>
            <source>Show where in its code it failed</source>
            <translation>Zeigen, wo in seinem Code es fehlschlug</translation>
        </message>
        <message>
            <source>Show which tokens contain an r</source>
            <translation>Zeigen, welche Tokens ein r enthalten</translation>
        </message>
        <message numerus="yes">
            <source>Show {n} runs</source>
            <translation>
                <numerusform>{n} Lauf zeigen</numerusform>
                <numerusform>{n} Läufe zeigen</numerusform>
            </translation>
        </message>
        <message>
            <source>Show {setting} in the configuration</source>
            <translation>{setting} in der Konfiguration zeigen</translation>
        </message>
        <message>
            <source>Show {symbol} in the drawing of the model</source>
            <translation>{symbol} in der Zeichnung des Modells zeigen</translation>
        </message>
        <message>
            <source>Shown</source>
            <translation>Gezeigt</translation>
        </message>
        <message>
            <source>Shown once the corpus has been read.</source>
            <translation>Erscheint, sobald der Korpus gelesen ist.</translation>
        </message>
        <message>
            <source>Shows the inside of the model, also while it trains: attention, states, weights.</source>
            <translation>Zeigt das Innere des Modells, auch während des Trainings: Attention, Zustände, Gewichte.</translation>
        </message>
        <message>
            <source>SiLU</source>
            <translation>SiLU</translation>
        </message>
        <message>
            <source>Side of the squares into which an image is cut; it divides both sides. 0 gives at most 64 squares. Typical: 4 to 16.</source>
            <translation>Seite der Quadrate, in die ein Bild geschnitten wird; sie teilt beide Seiten. 0 ergibt höchstens 64 Quadrate. Üblich: 4 bis 16.</translation>
        </message>
        <message>
            <source>Single tokens, as text, that end the text.</source>
            <translation>Einzelne Tokens, als Text, die den Text beenden.</translation>
        </message>
        <message>
            <source>Singular values and spectral radius of the matrices that multiply the state at each token.</source>
            <translation>Singulärwerte und Spektralradius der Matrizen, die den Zustand bei jedem Token multiplizieren.</translation>
        </message>
        <message>
            <source>Six pointers at the parts of the window</source>
            <translation>Sechs Hinweise zu den Teilen des Fensters</translation>
        </message>
        <message>
            <source>Sixth corpus</source>
            <translation>Sechster Korpus</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>Größe</translation>
        </message>
        <message>
            <source>Size limit</source>
            <translation>Größengrenze</translation>
        </message>
        <message>
            <source>Size of an update, before the factor of the schedule. Typical: 0.01 to 0.5.</source>
            <translation>Größe einer Aktualisierung, vor dem Faktor des Zeitplans. Üblich: 0,01 bis 0,5.</translation>
        </message>
        <message>
            <source>Size of an update, before the factor of the schedule. Typical: 1e-4 to 3e-3.</source>
            <translation>Größe einer Aktualisierung, vor dem Faktor des Zeitplans. Üblich: 1e-4 bis 3e-3.</translation>
        </message>
        <message>
            <source>Size of the alphabet.</source>
            <translation>Größe des Alphabets.</translation>
        </message>
        <message>
            <source>Size of the update of a matrix: as large as AdamW's, 0.2 √max(outputs, inputs), so that AdamW's learning rates hold, or √max(1, outputs / inputs), for learning rates around 0.02.</source>
            <translation>Größe der Änderung einer Matrix: so groß wie bei AdamW, 0,2 √max(Ausgänge, Eingänge), sodass dessen Lernraten gelten, oder √max(1, Ausgänge / Eingänge) für Lernraten um 0,02.</translation>
        </message>
        <message>
            <source>Size: {size}</source>
            <translation>Größe: {size}</translation>
        </message>
        <message>
            <source>Sizes of {preset}</source>
            <translation>Größen von {preset}</translation>
        </message>
        <message>
            <source>Skip</source>
            <translation>Auslassen</translation>
        </message>
        <message>
            <source>Sliding window</source>
            <translation>Gleitendes Fenster</translation>
        </message>
        <message>
            <source>Small grey pictures of the digits 0 to 9, drawn with strokes that differ in form, slant and width.</source>
            <translation>Kleine graue Bilder der Ziffern 0 bis 9, gezeichnet mit Strichen, die sich in Form, Neigung und Breite unterscheiden.</translation>
        </message>
        <message>
            <source>Small maps</source>
            <translation>Kleine Karten</translation>
        </message>
        <message>
            <source>Smaller text</source>
            <translation>Kleinerer Text</translation>
        </message>
        <message>
            <source>Smallest initial step size Δ, about 1 / the longest time that a channel looks back, in tokens; Δ is drawn log-uniformly for each channel. Typical: 0.001.</source>
            <translation>Kleinste anfängliche Schrittweite Δ, etwa 1 / die längste Zeit, die ein Kanal zurückblickt, in Tokens; Δ wird für jeden Kanal log-gleichverteilt gezogen. Üblich: 0,001.</translation>
        </message>
        <message>
            <source>Smallest initial step size; small steps remember longer. Typical: 0.001.</source>
            <translation>Kleinste anfängliche Schrittweite; kleine Schritte erinnern sich länger. Üblich: 0,001.</translation>
        </message>
        <message>
            <source>Smallest step Δ</source>
            <translation>Kleinster Schritt Δ</translation>
        </message>
        <message>
            <source>Smoothing</source>
            <translation>Glättung</translation>
        </message>
        <message>
            <source>Snapshots</source>
            <translation>Momentaufnahmen</translation>
        </message>
        <message>
            <source>Snapshots are recorded on the run's own probe text.</source>
            <translation>Momentaufnahmen werden auf dem Prüftext des Laufs aufgezeichnet.</translation>
        </message>
        <message>
            <source>Snapshots are recorded while a run trains.</source>
            <translation>Momentaufnahmen werden aufgezeichnet, während ein Lauf trainiert.</translation>
        </message>
        <message>
            <source>Snapshots show how a model reads a text, and this run reads none.</source>
            <translation>Momentaufnahmen zeigen, wie ein Modell einen Text liest; dieser Lauf liest keinen.</translation>
        </message>
        <message>
            <source>Soft cap c of attention logits s: c · tanh(s / c); 0 for none. Typical: 0, or 30 to 50.</source>
            <translation>Weiche Grenze c der Attention-Logits s: c · tanh(s / c); 0 für keine. Üblich: 0 oder 30 bis 50.</translation>
        </message>
        <message>
            <source>Soft cap of next-token logits; 0 for none. Typical: 0, or 15 to 30.</source>
            <translation>Weiche Grenze der Logits des nächsten Tokens; 0 für keine. Üblich: 0 oder 15 bis 30.</translation>
        </message>
        <message>
            <source>Solid: a moving average, smoothed by {share}.</source>
            <translation>Kräftig: ein gleitendes Mittel, Glättung {share}.</translation>
        </message>
        <message>
            <source>Something</source>
            <translation>Etwas</translation>
        </message>
        <message>
            <source>Sort</source>
            <translation>Sortieren</translation>
        </message>
        <message>
            <source>Sort a string</source>
            <translation>Zeichenkette sortieren</translation>
        </message>
        <message>
            <source>Sort the runs by a column, ascending or descending</source>
            <translation>Läufe nach einer Spalte ordnen, aufsteigend oder absteigend</translation>
        </message>
        <message>
            <source>Sort: attention counts the symbols of a string</source>
            <translation>Sortieren: Attention zählt die Symbole einer Zeichenkette</translation>
        </message>
        <message>
            <source>Sound (*.wav)</source>
            <translation>Ton (*.wav)</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>Quelle</translation>
        </message>
        <message>
            <source>Source of the probabilities.</source>
            <translation>Quelle der Wahrscheinlichkeiten.</translation>
        </message>
        <message>
            <source>Source of the probability of unseen n-grams: a discount on seen ones, a share for shorter contexts, or extra sightings of every token. With maximum likelihood it is zero, and the loss is infinite where an unseen n-gram occurs.</source>
            <translation>Woher die Wahrscheinlichkeit ungesehener n-Gramme kommt: ein Abzug bei gesehenen, ein Anteil für kürzere Kontexte oder zusätzliche Sichtungen jedes Tokens. Mit Maximum-Likelihood ist sie null, und der Verlust ist unendlich, wo ein ungesehenes n-Gramm vorkommt.</translation>
        </message>
        <message>
            <source>Source: this model reads all of it, and then writes its target.</source>
            <translation>Quelle: Dieses Modell liest sie ganz und schreibt dann ihr Ziel.</translation>
        </message>
        <message>
            <source>Spectral radius</source>
            <translation>Spektralradius</translation>
        </message>
        <message>
            <source>Spelling, word order, and dependencies across clauses: a verb agrees with a noun across other clauses, and each open clause must end.</source>
            <translation>Rechtschreibung, Wortstellung und Abhängigkeiten über Teilsätze hinweg: Ein Verb stimmt über andere Teilsätze hinweg mit seinem Nomen überein, und jeder offene Teilsatz muss enden.</translation>
        </message>
        <message>
            <source>Split</source>
            <translation>Aufteilung</translation>
        </message>
        <message>
            <source>Squared error, or Huber's, which grows linearly from δ on, so that outliers count less.</source>
            <translation>Quadratischer Fehler, oder der von Huber, der ab δ linear wächst, sodass Ausreißer weniger zählen.</translation>
        </message>
        <message>
            <source>Stacked recurrent layers. Typical: 1 to 3.</source>
            <translation>Übereinanderliegende rekurrente Schichten. Üblich: 1 bis 3.</translation>
        </message>
        <message>
            <source>Stages</source>
            <translation>Stufen</translation>
        </message>
        <message>
            <source>Stages of the next token</source>
            <translation>Stufen des nächsten Tokens</translation>
        </message>
        <message>
            <source>Standard deviation of what is added to both coordinates; of blobs their radius.</source>
            <translation>Standardabweichung dessen, was zu beiden Koordinaten addiert wird; bei Wolken ihr Radius.</translation>
        </message>
        <message>
            <source>Standard deviation of what is added to the number to predict.</source>
            <translation>Standardabweichung dessen, was zu der vorherzusagenden Zahl addiert wird.</translation>
        </message>
        <message>
            <source>Standardise</source>
            <translation>Standardisieren</translation>
        </message>
        <message>
            <source>Star this run</source>
            <translation>Diesen Lauf mit einem Stern versehen</translation>
        </message>
        <message>
            <source>Start</source>
            <translation>Start</translation>
        </message>
        <message>
            <source>Start a new run of the configuration (Space)</source>
            <translation>Einen neuen Lauf der Konfiguration starten (Leertaste)</translation>
        </message>
        <message>
            <source>Start a new run with the changed value</source>
            <translation>Einen neuen Lauf mit dem geänderten Wert starten</translation>
        </message>
        <message>
            <source>Start a run of the configuration on this corpus, and show it in Train</source>
            <translation>Einen Lauf der Konfiguration auf diesem Korpus starten und unter Trainieren zeigen</translation>
        </message>
        <message>
            <source>Start again after the last step</source>
            <translation>Nach dem letzten Schritt von vorn beginnen</translation>
        </message>
        <message>
            <source>Start anyway</source>
            <translation>Trotzdem starten</translation>
        </message>
        <message>
            <source>Start both</source>
            <translation>Beide starten</translation>
        </message>
        <message>
            <source>Start branch</source>
            <translation>Abzweigen</translation>
        </message>
        <message>
            <source>Start in a separate process</source>
            <translation>In eigenem Prozess starten</translation>
        </message>
        <message>
            <source>Start it without taskset, or raise the limit of its container or group</source>
            <translation>Es ohne taskset starten, oder die Grenze seines Containers oder seiner Gruppe erhöhen</translation>
        </message>
        <message>
            <source>Start new run</source>
            <translation>Starten</translation>
        </message>
        <message>
            <source>Start now</source>
            <translation>Jetzt starten</translation>
        </message>
        <message>
            <source>Start the first run</source>
            <translation>Den ersten Lauf starten</translation>
        </message>
        <message>
            <source>Start the lab in a desktop session; on Linux, install libegl1, libxkbcommon0 and libxcb-cursor0. The command line works without a window</source>
            <translation>Das Labor in einer grafischen Sitzung starten; unter Linux libegl1, libxkbcommon0 und libxcb-cursor0 installieren. Die Kommandozeile kommt ohne Fenster aus</translation>
        </message>
        <message>
            <source>Start the queue</source>
            <translation>Warteschlange starten</translation>
        </message>
        <message>
            <source>Start the run again</source>
            <translation>Den Lauf erneut starten</translation>
        </message>
        <message>
            <source>Start the run again in a new process; with training.device=cpu the error is clearer</source>
            <translation>Den Lauf in einem neuen Prozess erneut starten; mit training.device=cpu ist der Fehler deutlicher</translation>
        </message>
        <message>
            <source>Start this run?</source>
            <translation>Diesen Lauf starten?</translation>
        </message>
        <message>
            <source>Start with new weights instead</source>
            <translation>Stattdessen mit neuen Gewichten starten</translation>
        </message>
        <message>
            <source>Start without these edits</source>
            <translation>Ohne diese Änderungen starten</translation>
        </message>
        <message>
            <source>Start {run} now</source>
            <translation>{run} jetzt starten</translation>
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
            <source>Starting the page of the class</source>
            <translation>Seite der Klasse starten</translation>
        </message>
        <message>
            <source>Starts a run of the configuration. The same button, or the space bar, pauses and resumes it.</source>
            <translation>Startet einen Lauf der Konfiguration. Derselbe Knopf oder die Leertaste hält ihn an und setzt ihn fort.</translation>
        </message>
        <message>
            <source>State</source>
            <translation>Zustand</translation>
        </message>
        <message>
            <source>State components</source>
            <translation>Zustandskomponenten</translation>
        </message>
        <message>
            <source>State matrix: HiPPO's full one, as a diagonal minus a product of rank one (S4), or only a diagonal (S4D), which is simpler, faster and about as good.</source>
            <translation>Zustandsmatrix: die volle von HiPPO, als Diagonale minus ein Produkt vom Rang eins (S4), oder nur eine Diagonale (S4D), die einfacher, schneller und etwa ebenso gut ist.</translation>
        </message>
        <message>
            <source>State norm</source>
            <translation>Norm des Zustands</translation>
        </message>
        <message>
            <source>State of each channel; computed in chunks, a large one is cheap. Typical: 64 to 128.</source>
            <translation>Zustand jedes Kanals; in Stücken berechnet, ein großer ist günstig. Üblich: 64 bis 128.</translation>
        </message>
        <message>
            <source>State of each channel; cost and memory grow with it. Typical: 16.</source>
            <translation>Zustand jedes Kanals; Aufwand und Speicher wachsen mit ihm. Üblich: 16.</translation>
        </message>
        <message>
            <source>State size</source>
            <translation>Zustandsgröße</translation>
        </message>
        <message>
            <source>State spaces: S4, Mamba, Mamba-2, and hybrids whose blocks are any mixers that a pattern names.</source>
            <translation>Zustandsräume: S4, Mamba, Mamba-2 und Hybride, deren Blöcke ein Muster aus beliebigen Mischern bildet.</translation>
        </message>
        <message>
            <source>State: {formula}</source>
            <translation>Zustand: {formula}</translation>
        </message>
        <message>
            <source>States</source>
            <translation>Zustände</translation>
        </message>
        <message>
            <source>Statistics</source>
            <translation>Statistik</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>Schritt</translation>
        </message>
        <message>
            <source>Step of a bias on the selection alone, which rises for experts with few tokens and falls for those with many: balance without a loss. Typical: 0, or 0.001.</source>
            <translation>Schrittweite eines Bias allein auf der Auswahl, der für Experten mit wenigen Tokens steigt und für die mit vielen fällt: Balance ohne Verlustterm. Üblich: 0 oder 0,001.</translation>
        </message>
        <message>
            <source>Step size</source>
            <translation>Schrittweite</translation>
        </message>
        <message>
            <source>Step within the window: 2 reads every second token, twice as far back. Typical: 1 to 4.</source>
            <translation>Schrittweite im Fenster: 2 liest jedes zweite Token, doppelt so weit zurück. Üblich: 1 bis 4.</translation>
        </message>
        <message>
            <source>Step {step}</source>
            <translation>Schritt {step}</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>Schritte</translation>
        </message>
        <message>
            <source>Steps back and forth on a cycle, then the position where the walk ends: &gt;.&gt;=2</source>
            <translation>Schritte vor und zurück auf einem Kreis, dann die Position, an der der Weg endet: &gt;.&gt;=2</translation>
        </message>
        <message>
            <source>Steps between checkpoints; 0 means none by steps. Typical: 0, or 100 to 10,000.</source>
            <translation>Schritte zwischen Checkpoints; 0 bedeutet keine nach Schritten. Üblich: 0 oder 100 bis 10.000.</translation>
        </message>
        <message>
            <source>Steps between evaluations; 0 means only at the end. Typical: 100 to 1,000.</source>
            <translation>Schritte zwischen Auswertungen; 0 bedeutet nur am Ende. Üblich: 100 bis 1.000.</translation>
        </message>
        <message>
            <source>Steps over which the learning rate rises from near zero. Typical: a hundredth to a tenth of the steps.</source>
            <translation>Schritte, über die die Lernrate von nahe null ansteigt. Üblich: ein Hundertstel bis ein Zehntel der Schritte.</translation>
        </message>
        <message>
            <source>Steps that depend on the token: Mamba's step size grows at letters and shrinks at noise.</source>
            <translation>Schritte, die vom Token abhängen: Mambas Schrittweite wächst bei Buchstaben, schrumpft bei Rauschen.</translation>
        </message>
        <message>
            <source>Steps until the floor is reached; 0 means all of the training. Typical: 0.</source>
            <translation>Schritte, bis der Endwert erreicht ist; 0 bedeutet das ganze Training. Üblich: 0.</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>Stopp</translation>
        </message>
        <message>
            <source>Stop and save</source>
            <translation>Stoppen und speichern</translation>
        </message>
        <message>
            <source>Stop at this merge</source>
            <translation>Bei dieser Verschmelzung anhalten</translation>
        </message>
        <message>
            <source>Stop counting</source>
            <translation>Zählung beenden</translation>
        </message>
        <message>
            <source>Stop early</source>
            <translation>Früher aufhören</translation>
        </message>
        <message>
            <source>Stop generating</source>
            <translation>Erzeugen beenden</translation>
        </message>
        <message>
            <source>Stop generating (Esc)</source>
            <translation>Erzeugen beenden (Esc)</translation>
        </message>
        <message>
            <source>Stop generating; the text stays (Esc)</source>
            <translation>Erzeugen beenden; der Text bleibt (Esc)</translation>
        </message>
        <message>
            <source>Stop it first</source>
            <translation>Zuerst stoppen</translation>
        </message>
        <message>
            <source>Stop it there first, or wait until it ends</source>
            <translation>Ihn erst dort stoppen, oder warten, bis er endet</translation>
        </message>
        <message>
            <source>Stop learning</source>
            <translation>Lernen beenden</translation>
        </message>
        <message>
            <source>Stop measuring; measured losses stay</source>
            <translation>Messung beenden; gemessene Verluste bleiben</translation>
        </message>
        <message>
            <source>Stop strings</source>
            <translation>Stoppfolgen</translation>
        </message>
        <message>
            <source>Stop symbols</source>
            <translation>Stoppsymbole</translation>
        </message>
        <message>
            <source>Stop the download; the next one continues from here</source>
            <translation>Herunterladen beenden; das nächste setzt hier fort</translation>
        </message>
        <message>
            <source>Stop the run to end it here</source>
            <translation>Den Lauf stoppen, um ihn hier zu beenden</translation>
        </message>
        <message>
            <source>Stop the selected run and save it</source>
            <translation>Den gewählten Lauf stoppen und speichern</translation>
        </message>
        <message>
            <source>Stop verifying; the steps trained so far are compared</source>
            <translation>Prüfung beenden; die bisher trainierten Schritte werden verglichen</translation>
        </message>
        <message>
            <source>Stop waiting for the corpus</source>
            <translation>Nicht länger auf den Korpus warten</translation>
        </message>
        <message>
            <source>Stop {runs} first</source>
            <translation>Zuerst {runs} stoppen</translation>
        </message>
        <message>
            <source>Stop, and start a new run with a shorter context or a smaller model: one example at a time does not fit</source>
            <translation>Stoppen und einen neuen Lauf mit kürzerem Kontext oder kleinerem Modell starten: ein einziges Beispiel passt nicht hinein</translation>
        </message>
        <message>
            <source>Stop, save and close</source>
            <translation>Stoppen, speichern</translation>
        </message>
        <message>
            <source>Stopping and saving</source>
            <translation>Wird gestoppt und gespeichert</translation>
        </message>
        <message>
            <source>Storing open groups</source>
            <translation>Geöffnete Gruppen werden gespeichert</translation>
        </message>
        <message>
            <source>Storing that the tour was taken</source>
            <translation>Es wird gespeichert, dass der Rundgang gemacht wurde</translation>
        </message>
        <message>
            <source>Strategies</source>
            <translation>Strategien</translation>
        </message>
        <message>
            <source>Strategy</source>
            <translation>Strategie</translation>
        </message>
        <message>
            <source>Stupid backoff: factor for each token removed from the context until the n-gram was seen. Typical: 0.4.</source>
            <translation>Stupid Backoff: Faktor für jedes Token, das vom Kontext entfernt wird, bis das n-Gramm vorkam. Üblich: 0,4.</translation>
        </message>
        <message>
            <source>Subset</source>
            <translation>Teilmenge</translation>
        </message>
        <message>
            <source>Subtracted from the logit of a token once for each time that the text so far contains it. Typical: 0.1 to 1.</source>
            <translation>Wird vom Logit eines Tokens so oft abgezogen, wie es im bisherigen Text vorkommt. Üblich: 0,1 bis 1.</translation>
        </message>
        <message>
            <source>Subtracted from the logit of each token that the text so far contains. Typical: 0.1 to 1.</source>
            <translation>Wird vom Logit jedes Tokens abgezogen, das im bisherigen Text vorkommt. Üblich: 0,1 bis 1.</translation>
        </message>
        <message>
            <source>Subwords built from bytes by joining the most frequent pair again and again; reads every text.</source>
            <translation>Teilwörter, aus Bytes gebaut, indem immer wieder das häufigste Paar verbunden wird; liest jeden Text.</translation>
        </message>
        <message>
            <source>Suggested: quick start with {layers} layers of width {width}, {steps} steps, for {size}B of text</source>
            <translation>Vorschlag: Schnellstart mit {layers} Schichten der Breite {width}, {steps} Schritte, für {size}B Text</translation>
        </message>
        <message>
            <source>Suggested: quick start, {steps} steps, for {size}B of text</source>
            <translation>Vorschlag: Schnellstart, {steps} Schritte, für {size}B Text</translation>
        </message>
        <message>
            <source>Sums modulo a number, one symbol for each number, some pairs held out: 3 + 4 = 2</source>
            <translation>Summen modulo einer Zahl, ein Symbol pro Zahl, einige Paare zurückgehalten: 3 + 4 = 2</translation>
        </message>
        <message>
            <source>Sums of two numbers digit by digit: 12+34=46.</source>
            <translation>Summen zweier Zahlen, Ziffer für Ziffer: 12+34=46.</translation>
        </message>
        <message>
            <source>Surprisal, 0 to {bits} bits</source>
            <translation>Überraschung, 0 bis {bits} Bit</translation>
        </message>
        <message>
            <source>Surprisal, −log₂ p: how unexpected a token was to the model</source>
            <translation>Überraschung, −log₂ p: wie unerwartet ein Token für das Modell war</translation>
        </message>
        <message>
            <source>Surprise</source>
            <translation>Überraschung</translation>
        </message>
        <message>
            <source>SwiGLU</source>
            <translation>SwiGLU</translation>
        </message>
        <message>
            <source>Switch all experts on again</source>
            <translation>Alle Experten wieder einschalten</translation>
        </message>
        <message>
            <source>Switch it off for one continuous text</source>
            <translation>Für einen fortlaufenden Text ausschalten</translation>
        </message>
        <message>
            <source>Switch it off, or choose another architecture</source>
            <translation>Ausschalten oder eine andere Architektur wählen</translation>
        </message>
        <message>
            <source>Switch it off, or set corpus.documents=true where the corpus has that setting</source>
            <translation>Ausschalten oder corpus.documents=true setzen, wo der Korpus diese Einstellung hat</translation>
        </message>
        <message>
            <source>Symbols</source>
            <translation>Symbole</translation>
        </message>
        <message>
            <source>Symbols of the source</source>
            <translation>Symbole der Quelle</translation>
        </message>
        <message>
            <source>Symbols, including the 256 bytes; learned from the training part of the corpus alone. Fewer if it has no more that occur twice. Typical: 1,000 to 50,000.</source>
            <translation>Symbole, die 256 Bytes eingeschlossen; nur am Trainingsteil des Korpus gelernt. Weniger, wenn in ihm keine weiteren zweimal vorkommen. Üblich: 1.000 bis 50.000.</translation>
        </message>
        <message>
            <source>Symbols, the largest value first</source>
            <translation>Symbole, der größte Wert zuerst</translation>
        </message>
        <message>
            <source>Symbols: the 256 bytes, every character of the training part of the corpus, and as many of its most frequent words as fit. Typical: 5,000 to 50,000.</source>
            <translation>Symbole: die 256 Bytes, jedes Zeichen des Trainingsteils des Korpus und so viele seiner häufigsten Wörter, wie hineinpassen. Üblich: 5.000 bis 50.000.</translation>
        </message>
        <message>
            <source>Symbols: the filler, then the keys in the lower half and the values in the upper one.</source>
            <translation>Symbole: die Füllung, dann die Schlüssel in der unteren Hälfte und die Werte in der oberen.</translation>
        </message>
        <message>
            <source>Synthetic sources</source>
            <translation>Synthetische Quellen</translation>
        </message>
        <message>
            <source>T5 bias</source>
            <translation>T5-Bias</translation>
        </message>
        <message>
            <source>T5 buckets</source>
            <translation>T5-Klassen</translation>
        </message>
        <message>
            <source>T5 distance</source>
            <translation>T5-Abstand</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>Tabelle</translation>
        </message>
        <message>
            <source>Table (*.csv)</source>
            <translation>Tabelle (*.csv)</translation>
        </message>
        <message>
            <source>Table (CSV)</source>
            <translation>Tabelle (CSV)</translation>
        </message>
        <message>
            <source>Table of runs</source>
            <translation>Tabelle der Läufe</translation>
        </message>
        <message>
            <source>Table of runs (Ctrl+T)</source>
            <translation>Tabelle der Läufe (Strg+T)</translation>
        </message>
        <message>
            <source>Table with units</source>
            <translation>Tabelle mit Einheiten</translation>
        </message>
        <message>
            <source>Tables ({ends})</source>
            <translation>Tabellen ({ends})</translation>
        </message>
        <message>
            <source>Tag</source>
            <translation>Schlagwort</translation>
        </message>
        <message numerus="yes">
            <source>Tags of {n} runs</source>
            <translation>
                <numerusform>Schlagwörter von {n} Lauf</numerusform>
                <numerusform>Schlagwörter von {n} Läufen</numerusform>
            </translation>
        </message>
        <message>
            <source>Tags, separated by spaces</source>
            <translation>Schlagwörter, durch Leerzeichen getrennt</translation>
        </message>
        <message>
            <source>Tags…</source>
            <translation>Schlagwörter …</translation>
        </message>
        <message>
            <source>Tag…</source>
            <translation>Schlagwort …</translation>
        </message>
        <message>
            <source>Take a part of it, or save it as plain text</source>
            <translation>Einen Teil davon nehmen, oder als reinen Text speichern</translation>
        </message>
        <message>
            <source>Take it away, or replace it</source>
            <translation>Entferne oder ersetze sie</translation>
        </message>
        <message>
            <source>Take it out of one of the two</source>
            <translation>Sie aus einer der beiden Angaben streichen</translation>
        </message>
        <message>
            <source>Take the gradient one momentum step ahead.</source>
            <translation>Den Gradienten einen Momentum-Schritt weiter vorn bilden.</translation>
        </message>
        <message>
            <source>Take the tour</source>
            <translation>Rundgang machen</translation>
        </message>
        <message>
            <source>Take the tour (1 minute)</source>
            <translation>Rundgang machen (1 Minute)</translation>
        </message>
        <message>
            <source>Take them out of its configs, or choose the files themselves</source>
            <translation>Sie aus den Konfigurationen entfernen, oder die Dateien selbst wählen</translation>
        </message>
        <message>
            <source>Takes the likeliest token that the filters leave.</source>
            <translation>Nimmt das wahrscheinlichste Token, das die Filter übrig lassen.</translation>
        </message>
        <message>
            <source>Target</source>
            <translation>Ziel</translation>
        </message>
        <message>
            <source>Target surprisal</source>
            <translation>Zielüberraschung</translation>
        </message>
        <message>
            <source>Tell your teacher</source>
            <translation>Der Lehrkraft Bescheid sagen</translation>
        </message>
        <message>
            <source>Temperature</source>
            <translation>Temperatur</translation>
        </message>
        <message>
            <source>Temporal order</source>
            <translation>Zeitliche Reihenfolge</translation>
        </message>
        <message>
            <source>Temporal order: which of two rare symbols came first</source>
            <translation>Zeitliche Reihenfolge: welches von zwei seltenen Symbolen zuerst kam</translation>
        </message>
        <message>
            <source>TensorBoard events</source>
            <translation>TensorBoard-Ereignisse</translation>
        </message>
        <message>
            <source>Test at another length</source>
            <translation>Bei einer anderen Länge prüfen</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>Text</translation>
        </message>
        <message>
            <source>Text (*.txt)</source>
            <translation>Text (*.txt)</translation>
        </message>
        <message>
            <source>Text coloured by expert</source>
            <translation>Text, gefärbt nach Experten</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>Textgröße</translation>
        </message>
        <message>
            <source>Text that the model generated during training.</source>
            <translation>Text, den das Modell während des Trainings erzeugte.</translation>
        </message>
        <message>
            <source>Text that the model generates at each evaluation appears here.</source>
            <translation>Hier erscheint Text, den das Modell bei jeder Auswertung erzeugt.</translation>
        </message>
        <message>
            <source>Text that was pasted or dropped; it is part of the recipe and needs no file.</source>
            <translation>Text, der eingefügt oder abgelegt wurde; er ist Teil des Rezepts und braucht keine Datei.</translation>
        </message>
        <message>
            <source>Text to classify</source>
            <translation>Zu klassifizierender Text</translation>
        </message>
        <message>
            <source>Text to tokenize</source>
            <translation>Zu zerlegender Text</translation>
        </message>
        <message>
            <source>Text to train on.</source>
            <translation>Text, auf dem trainiert wird.</translation>
        </message>
        <message>
            <source>Texts ({ends})</source>
            <translation>Texte ({ends})</translation>
        </message>
        <message>
            <source>Texts that end the text as soon as it contains one; it is cut before them.</source>
            <translation>Texte, die den Text beenden, sobald er einen davon enthält; er wird davor abgeschnitten.</translation>
        </message>
        <message>
            <source>Texts whose tokens never come one after another.</source>
            <translation>Texte, deren Tokens nie aufeinander folgen.</translation>
        </message>
        <message>
            <source>The FLOPs per token of {run} are unknown.</source>
            <translation>Die FLOPs pro Token von {run} sind unbekannt.</translation>
        </message>
        <message>
            <source>The administrator of this machine does not allow it, and nothing of it has run.</source>
            <translation>Die Verwaltung dieses Rechners erlaubt es nicht, und nichts davon ist gelaufen.</translation>
        </message>
        <message>
            <source>The axis counts tokens back. A line that falls straight on a logarithmic axis forgets at a steady rate.</source>
            <translation>Die Achse zählt Tokens rückwärts. Eine Linie, die auf logarithmischer Achse gerade fällt, vergisst gleichmäßig.</translation>
        </message>
        <message>
            <source>The axis is logarithmic: a straight fall is an exponential one. Below the bound the gradient must vanish.</source>
            <translation>Die Achse ist logarithmisch: Ein gerader Abfall ist exponentiell. Unter der Schranke muss der Gradient verschwinden.</translation>
        </message>
        <message>
            <source>The bits that the model would need for a byte of the text: 0 is perfect, 8 is the text as it is stored. Also compares models with different tokens.</source>
            <translation>Die Bits, die das Modell für ein Byte des Textes brauchte: 0 ist perfekt, 8 ist der Text, wie er gespeichert ist. Vergleicht auch Modelle mit verschiedenen Tokens.</translation>
        </message>
        <message>
            <source>The budget holds {stored} of {planned} snapshots, spread over the training. To record more, raise readings.budget in the next run.</source>
            <translation>In das Budget passen {stored} von {planned} Momentaufnahmen, über das Training verteilt. Für mehr im nächsten Lauf readings.budget erhöhen.</translation>
        </message>
        <message>
            <source>The bytes per token of {run} are unknown.</source>
            <translation>Die Bytes pro Token von {run} sind unbekannt.</translation>
        </message>
        <message>
            <source>The cards that answer this question; click again to show those you have hidden</source>
            <translation>Die Karten, die diese Frage beantworten; noch ein Klick zeigt die ausgeblendeten</translation>
        </message>
        <message>
            <source>The cards that you have switched on</source>
            <translation>Die selbst eingeschalteten Karten</translation>
        </message>
        <message>
            <source>The change of each token's logits when the text is read in another order: for the model as it is, and without positions and mask, where the outputs are only permuted.</source>
            <translation>Die Änderung der Logits jedes Tokens, wenn der Text in anderer Reihenfolge gelesen wird: für das Modell, wie es ist, und ohne Positionen und Maske, wo die Ausgaben nur permutiert werden.</translation>
        </message>
        <message>
            <source>The classes of the text, once the model can read it.</source>
            <translation>Die Klassen des Textes, sobald das Modell ihn lesen kann.</translation>
        </message>
        <message>
            <source>The classes that {model} predicts are being computed.</source>
            <translation>Die Klassen, die {model} vorhersagt, werden berechnet.</translation>
        </message>
        <message>
            <source>The coefficient can only be changed while the run trains.</source>
            <translation>Der Koeffizient lässt sich nur ändern, während der Lauf trainiert.</translation>
        </message>
        <message>
            <source>The column of a table with the text. Empty: the one called text, content or body, or the only one with text; for CSV otherwise all columns, joined by tabs.</source>
            <translation>Die Spalte einer Tabelle mit dem Text. Leer: die namens text, content oder body, oder die einzige mit Text; bei CSV sonst alle Spalten, durch Tabulatoren verbunden.</translation>
        </message>
        <message>
            <source>The column that is predicted; several columns of numbers are separated by commas. Empty: the one called target, label or the like, or the last one.</source>
            <translation>Die Spalte, die vorhergesagt wird; mehrere Spalten mit Zahlen werden durch Kommas getrennt. Leer: die Spalte, die target, label oder ähnlich heißt, oder die letzte.</translation>
        </message>
        <message>
            <source>The column with each picture or its file. Empty: the one called file_name, image or the like.</source>
            <translation>Die Spalte mit jedem Bild oder seiner Datei. Leer: die, die file_name, image oder ähnlich heißt.</translation>
        </message>
        <message>
            <source>The column with the class or the caption. Empty: the one called label, or caption, or the like.</source>
            <translation>Die Spalte mit der Klasse oder der Bildunterschrift. Leer: die Spalte, die label oder caption oder ähnlich heißt.</translation>
        </message>
        <message>
            <source>The column with the label or labels. Empty: the one called label or the like, or the second of two.</source>
            <translation>Die Spalte mit dem Label oder den Labels. Leer: die Spalte, die label oder ähnlich heißt, oder die zweite von zweien.</translation>
        </message>
        <message>
            <source>The column with the messages, each with role and content. Empty: the one called messages or the like.</source>
            <translation>Die Spalte mit den Nachrichten, jede mit role und content. Leer: die Spalte, die messages oder ähnlich heißt.</translation>
        </message>
        <message>
            <source>The column with the text or the words. Empty: the one called text or the like, or the first of two.</source>
            <translation>Die Spalte mit dem Text oder den Wörtern. Leer: die Spalte, die text oder ähnlich heißt, oder die erste von zweien.</translation>
        </message>
        <message>
            <source>The column with the text to read. Empty: the one called source or the like, or the first of two.</source>
            <translation>Die Spalte mit dem Text, der gelesen wird. Leer: die Spalte, die source oder ähnlich heißt, oder die erste von zweien.</translation>
        </message>
        <message>
            <source>The column with the text to write. Empty: the one called target or the like, or the second of two.</source>
            <translation>Die Spalte mit dem Text, der geschrieben wird. Leer: die Spalte, die target oder ähnlich heißt, oder die zweite von zweien.</translation>
        </message>
        <message>
            <source>The column with the text. Empty: the one called text, content or body, or the only one with text.</source>
            <translation>Die Spalte mit dem Text. Leer: die namens text, content oder body, oder die einzige mit Text.</translation>
        </message>
        <message>
            <source>The columns with the numbers that are read, separated by commas. Empty: all but the target.</source>
            <translation>Die Spalten mit den Zahlen, die gelesen werden, durch Kommas getrennt. Leer: alle außer dem Ziel.</translation>
        </message>
        <message numerus="yes">
            <source>The configuration is now that of {run}, with {n} edits as a schedule</source>
            <translation>
                <numerusform>Die Konfiguration ist jetzt die von {run}, mit {n} geplanten Änderung</numerusform>
                <numerusform>Die Konfiguration ist jetzt die von {run}, mit {n} geplanten Änderungen</numerusform>
            </translation>
        </message>
        <message>
            <source>The configuration is now {file}</source>
            <translation>Die Konfiguration ist jetzt {file}</translation>
        </message>
        <message>
            <source>The configuration is now {title}</source>
            <translation>Die Konfiguration ist jetzt {title}</translation>
        </message>
        <message>
            <source>The corpus is being read</source>
            <translation>Der Korpus wird gelesen</translation>
        </message>
        <message>
            <source>The corpus {name} needs no file</source>
            <translation>Der Korpus {name} braucht keine Datei</translation>
        </message>
        <message>
            <source>The counts of every order are enough for these figures.</source>
            <translation>Für diese Zahlen genügen die Anzahlen jeder Ordnung.</translation>
        </message>
        <message>
            <source>The current model, updated while it trains</source>
            <translation>Das aktuelle Modell, während des Trainings aktualisiert</translation>
        </message>
        <message>
            <source>The defaults are used</source>
            <translation>Es gelten die Standardwerte</translation>
        </message>
        <message>
            <source>The defaults are used; the damaged section was stored as {name}</source>
            <translation>Es gelten die Standardwerte; der beschädigte Abschnitt wurde als {name} gespeichert</translation>
        </message>
        <message>
            <source>The defaults are used; the old file was renamed to {name}</source>
            <translation>Die Vorgaben werden verwendet; die alte Datei heißt jetzt {name}</translation>
        </message>
        <message>
            <source>The delta rule with a decay of the whole state that each token sets for each head: it overwrites the value of one key and forgets the rest when it is no longer needed.</source>
            <translation>Die Deltaregel mit einem Abklingen des ganzen Zustands, das jedes Token für jeden Kopf festlegt: Es überschreibt den Wert eines Keys und vergisst den Rest, wenn er nicht mehr gebraucht wird.</translation>
        </message>
        <message>
            <source>The duplicates that take up most characters</source>
            <translation>Die Duplikate, die die meisten Zeichen belegen</translation>
        </message>
        <message>
            <source>The effect of dividing by √D: the scores q·k of all pairs of tokens that are read, divided and not, and the mean of the largest weight after softmax of each.</source>
            <translation>Die Wirkung der Division durch √D: die Scores q·k aller gelesenen Tokenpaare, geteilt und ungeteilt, und jeweils das Mittel des größten Gewichts nach dem Softmax.</translation>
        </message>
        <message>
            <source>The eigenvalues of the matrix by which one token multiplies the state of each recurrent layer, in the complex plane: inside the unit circle a state fades; NaN where a matrix is not finite.</source>
            <translation>Die Eigenwerte der Matrix, mit der ein Token den Zustand jeder rekurrenten Schicht multipliziert, in der komplexen Ebene: Innerhalb des Einheitskreises verblasst ein Zustand; NaN, wo eine Matrix nicht endlich ist.</translation>
        </message>
        <message>
            <source>The eighth corpus; nothing leaves it out.</source>
            <translation>Der achte Korpus; leer lässt ihn weg.</translation>
        </message>
        <message>
            <source>The encodings of the positions themselves</source>
            <translation>Die Kodierungen der Positionen selbst</translation>
        </message>
        <message>
            <source>The entropy of the source of {run} is unknown.</source>
            <translation>Die Entropie der Quelle von {run} ist unbekannt.</translation>
        </message>
        <message>
            <source>The environment variable LAB_HOME moves your own folders at the next start.</source>
            <translation>Die Umgebungsvariable LAB_HOME verlegt die eigenen Ordner beim nächsten Start.</translation>
        </message>
        <message>
            <source>The equations of the architecture, with the meaning of each symbol</source>
            <translation>Die Gleichungen der Architektur mit der Bedeutung jedes Symbols</translation>
        </message>
        <message>
            <source>The experts that take each token: load of each, balance (1 is even), entropy and confidence of the router, experts that take nothing, and experts picked together; NaN where there is nothing to count.</source>
            <translation>Die Experten, die jedes Token übernehmen: Last von jedem, Balance (1 ist gleichmäßig), Entropie und Konfidenz des Routers, Experten, die nichts übernehmen, und gemeinsam gewählte Experten; NaN, wo es nichts zu zählen gibt.</translation>
        </message>
        <message>
            <source>The fifth corpus; nothing leaves it out.</source>
            <translation>Der fünfte Korpus; leer lässt ihn weg.</translation>
        </message>
        <message>
            <source>The file and your name go to the machine of your teacher, and nowhere else.</source>
            <translation>Datei und Name gehen an den Rechner der Lehrkraft, und sonst nirgendwohin.</translation>
        </message>
        <message>
            <source>The file is now {name} in the lab's home</source>
            <translation>Die Datei ist jetzt {name} im Ordner des Labors</translation>
        </message>
        <message>
            <source>The filters of the distribution, in the order in which they are applied.</source>
            <translation>Die Filter der Verteilung in der Reihenfolge, in der sie angewendet werden.</translation>
        </message>
        <message>
            <source>The first corpus.</source>
            <translation>Der erste Korpus.</translation>
        </message>
        <message>
            <source>The first pair of channels repeats after 6.3 positions, the last of 128 channels only after 54,000.</source>
            <translation>Das erste Kanalpaar wiederholt sich nach 6,3 Positionen, das letzte von 128 Kanälen erst nach 54.000.</translation>
        </message>
        <message>
            <source>The first validation image: its right caption → what the model writes</source>
            <translation>Das erste Bild der Validierung: seine richtige Bildunterschrift → was das Modell schreibt</translation>
        </message>
        <message>
            <source>The first value is the largest. Below 1 (times the slope of the nonlinearity) gradients must vanish.</source>
            <translation>Der erste Wert ist der größte. Unter 1 (mal die Steigung der Nichtlinearität) müssen Gradienten verschwinden.</translation>
        </message>
        <message>
            <source>The fourth corpus; nothing leaves it out.</source>
            <translation>Der vierte Korpus; leer lässt ihn weg.</translation>
        </message>
        <message>
            <source>The full profile is used, as this machine has enough memory and cores.</source>
            <translation>Das volle Profil wird verwendet, da dieser Rechner genug Speicher und Kerne hat.</translation>
        </message>
        <message>
            <source>The hidden states of the text along their principal directions.</source>
            <translation>Die verborgenen Zustände des Textes entlang ihrer Hauptrichtungen.</translation>
        </message>
        <message>
            <source>The hidden units of the feed-forward layer, token by token</source>
            <translation>Die verborgenen Neuronen der Feedforward-Schicht, Token für Token</translation>
        </message>
        <message>
            <source>The keywords of Python again</source>
            <translation>Wieder die Schlüsselwörter von Python</translation>
        </message>
        <message>
            <source>The lab does not work without it, so it cannot be disabled here.</source>
            <translation>Ohne diesen Teil arbeitet das Labor nicht, deshalb lässt er sich hier nicht deaktivieren.</translation>
        </message>
        <message>
            <source>The lab starts without it. Let everybody read it, or remove it</source>
            <translation>Das Labor startet ohne das. Allen das Leserecht geben oder es entfernen</translation>
        </message>
        <message>
            <source>The labels of the tokens are not known here.</source>
            <translation>Die Beschriftungen der Tokens sind hier nicht bekannt.</translation>
        </message>
        <message>
            <source>The language is {language}.</source>
            <translation>Die Sprache ist {language}.</translation>
        </message>
        <message>
            <source>The last start crashed while it was loading, so this one left it out.</source>
            <translation>Der letzte Start ist beim Laden davon abgestürzt, deshalb hat dieser es ausgelassen.</translation>
        </message>
        <message>
            <source>The last validation loss is of all of the validation text, the others of {n} tokens.</source>
            <translation>Der letzte Validierungsverlust wurde auf dem ganzen Validierungstext gemessen, die anderen auf {n} Tokens.</translation>
        </message>
        <message>
            <source>The length of the text, and the numbers of different characters, words and tokens. With fewer tokens per byte, more text fits into the same context.</source>
            <translation>Die Länge des Textes und die Zahl verschiedener Zeichen, Wörter und Tokens. Mit weniger Tokens pro Byte passt mehr Text in denselben Kontext.</translation>
        </message>
        <message>
            <source>The light profile draws charts at most twice a second, leaves out effects, suggests smaller models, holds fewer readings in memory and fewer tokens on disk, and trains one run at a time in a separate process.</source>
            <translation>Das leichte Profil zeichnet Diagramme höchstens zweimal pro Sekunde, lässt Effekte weg, schlägt kleinere Modelle vor, hält weniger Messwerte im Speicher und weniger Tokens auf der Platte und trainiert höchstens einen Lauf in einem eigenen Prozess.</translation>
        </message>
        <message>
            <source>The light profile is used, as this machine has {what}.</source>
            <translation>Das leichte Profil wird verwendet, da dieser Rechner nur über Folgendes verfügt: {what}.</translation>
        </message>
        <message>
            <source>The line at the right of the trained length shows whether the model generalises to longer texts.</source>
            <translation>Die Linie rechts von der trainierten Länge zeigt, ob das Modell auf längere Texte generalisiert.</translation>
        </message>
        <message>
            <source>The link was copied</source>
            <translation>Der Link wurde kopiert</translation>
        </message>
        <message>
            <source>The link was not opened, since the lab could not finish loading</source>
            <translation>Der Link wurde nicht geöffnet, weil das Labor nicht fertig geladen werden konnte</translation>
        </message>
        <message>
            <source>The list of runs is being read.</source>
            <translation>Die Liste der Läufe wird gelesen.</translation>
        </message>
        <message>
            <source>The load of each expert stands next to the even share. The entropy of the router is log2 of the number of experts where it is undecided, and 0 where it always picks the same.</source>
            <translation>Die Last jedes Experten steht neben dem gleichmäßigen Anteil. Die Entropie des Routers ist log2 der Zahl der Experten, wo er unentschieden ist, und 0, wo er immer denselben wählt.</translation>
        </message>
        <message>
            <source>The load of each expert, the tokens it takes, and the loss of the model without it.</source>
            <translation>Die Last jedes Experten, die Tokens, die er übernimmt, und der Verlust des Modells ohne ihn.</translation>
        </message>
        <message>
            <source>The longest possible is the order of the model. 0 means that only single tokens are counted.</source>
            <translation>Der längstmögliche ist die Ordnung des Modells. 0 bedeutet, dass nur einzelne Tokens gezählt werden.</translation>
        </message>
        <message>
            <source>The loss</source>
            <translation>Der Verlust</translation>
        </message>
        <message>
            <source>The loss above the entropy of the source, below which no model comes on average: 0 is perfect.</source>
            <translation>Der Verlust über der Entropie der Quelle, unter die im Mittel kein Modell kommt: 0 ist perfekt.</translation>
        </message>
        <message>
            <source>The loss comes close to the best that can be known from six letters.</source>
            <translation>Der Verlust kommt dem Besten nahe, was sich aus sechs Buchstaben wissen lässt.</translation>
        </message>
        <message>
            <source>The loss if all V symbols are equally probable: ln V nats. An untrained model is close to it.</source>
            <translation>Der Verlust, wenn alle V Symbole gleich wahrscheinlich sind: ln V Nats. Ein untrainiertes Modell liegt nahe dabei.</translation>
        </message>
        <message>
            <source>The loss in nats of each token of the probe text, given the tokens before it.</source>
            <translation>Der Verlust in Nats jedes Tokens des Prüftextes, gegeben die Tokens davor.</translation>
        </message>
        <message>
            <source>The loss of a Kneser-Ney model of order 2, which sees only the previous symbol.</source>
            <translation>Der Verlust eines Kneser-Ney-Modells der Ordnung 2, das nur das vorige Symbol sieht.</translation>
        </message>
        <message>
            <source>The loss of a model at other lengths.</source>
            <translation>Der Verlust eines Modells bei anderen Längen.</translation>
        </message>
        <message>
            <source>The loss of a model that always predicts the mean of the training targets, and reads nothing.</source>
            <translation>Der Verlust eines Modells, das immer den Mittelwert der Trainingsziele vorhersagt und nichts liest.</translation>
        </message>
        <message>
            <source>The loss of a model that always predicts the number with the lowest loss in training.</source>
            <translation>Der Verlust eines Modells, das immer die Zahl mit dem kleinsten Verlust im Training vorhersagt.</translation>
        </message>
        <message>
            <source>The loss of a model that knows only how frequent each symbol is, without any context.</source>
            <translation>Der Verlust eines Modells, das nur weiß, wie häufig jedes Symbol ist, ohne Kontext.</translation>
        </message>
        <message>
            <source>The loss of a model that knows only the share of each class in training, and reads nothing.</source>
            <translation>Der Verlust eines Modells, das nur den Anteil jeder Klasse im Training kennt und nichts liest.</translation>
        </message>
        <message>
            <source>The loss of a run is drawn here, step by step. Start a run to see it.</source>
            <translation>Hier wird der Verlust eines Laufs Schritt für Schritt gezeichnet. Einen Lauf starten, um ihn zu sehen.</translation>
        </message>
        <message>
            <source>The loss of {run} is in another unit: {unit}.</source>
            <translation>Der Verlust von {run} hat eine andere Einheit: {unit}.</translation>
        </message>
        <message>
            <source>The loss on texts that are longer than those of the training</source>
            <translation>Der Verlust auf Texten, die länger sind als die des Trainings</translation>
        </message>
        <message>
            <source>The loss {how} is not measured yet. Click it, or press Return.</source>
            <translation>Der Verlust {how} ist noch nicht gemessen. Anklicken oder Eingabe drücken.</translation>
        </message>
        <message>
            <source>The machines of the class also need the package {name}</source>
            <translation>Die Rechner der Klasse brauchen außerdem das Paket {name}</translation>
        </message>
        <message>
            <source>The mean surprisal per token that the text is held to. Typical: 2 to 5, for letters 1 to 2.</source>
            <translation>Die mittlere Überraschung je Token, auf der der Text gehalten wird. Üblich: 2 bis 5, bei Buchstaben 1 bis 2.</translation>
        </message>
        <message>
            <source>The mean surprise about a token, −ln p: 0 is perfect, {blind} is guessing blindly.</source>
            <translation>Die mittlere Überraschung über ein Token, −ln p: 0 ist perfekt, {blind} ist blindes Raten.</translation>
        </message>
        <message>
            <source>The mean surprise about a token, −log₂ p, in yes-or-no questions: 0 is perfect, {blind} is guessing blindly.</source>
            <translation>Die mittlere Überraschung über ein Token, −log₂ p, in Ja-Nein-Fragen: 0 ist perfekt, {blind} ist blindes Raten.</translation>
        </message>
        <message>
            <source>The means of {first} and {second} differ by {gap}, but their losses overlap (widest spread {spread}): chance may explain the difference.</source>
            <translation>Die Mittel von {first} und {second} unterscheiden sich um {gap}, doch ihre Verluste überschneiden sich (größte Streuung {spread}): Der Unterschied kann Zufall sein.</translation>
        </message>
        <message>
            <source>The means of {first} and {second} differ by {gap}; their losses do not overlap (widest spread {spread}).</source>
            <translation>Die Mittel von {first} und {second} unterscheiden sich um {gap}; ihre Verluste überschneiden sich nicht (größte Streuung {spread}).</translation>
        </message>
        <message>
            <source>The mixers of the blocks from the first on, repeated until there are enough layers: mamba*3, attention+mlp is three blocks of Mamba and one of attention and feed-forward layer. (a, b)*2 repeats a group. [attention+mlp] has one set of weights for all its occurrences and reads the embedding besides the stream; its output is read only by the next block (Zamba).</source>
            <translation>Die Mischer der Blöcke vom ersten an, wiederholt, bis es genug Schichten sind: mamba*3, attention+mlp bedeutet drei Blöcke Mamba und einen aus Attention und Feedforward-Schicht. (a, b)*2 wiederholt eine Gruppe. [attention+mlp] hat einen Satz Gewichte für alle Vorkommen und liest neben dem Strom das Embedding; seine Ausgabe liest nur der nächste Block (Zamba).</translation>
        </message>
        <message>
            <source>The model ended the text with {what}.</source>
            <translation>Das Modell hat den Text mit {what} beendet.</translation>
        </message>
        <message>
            <source>The model is inspected as soon as torch is loaded.</source>
            <translation>Das Modell wird untersucht, sobald torch geladen ist.</translation>
        </message>
        <message>
            <source>The model learns which tokens to remember and which to skip.</source>
            <translation>Das Modell lernt, welche Tokens es sich merken und welche es übergehen muss.</translation>
        </message>
        <message>
            <source>The model's logits may be NaN</source>
            <translation>Die Logits des Modells können NaN sein</translation>
        </message>
        <message>
            <source>The most frequent sequences. A model cannot learn much from those that occur only once.</source>
            <translation>Die häufigsten Folgen. Aus denen, die nur einmal vorkommen, kann ein Modell wenig lernen.</translation>
        </message>
        <message>
            <source>The most probable next tokens after the prompt, or at a token that you click.</source>
            <translation>Die wahrscheinlichsten nächsten Tokens nach dem Anfang oder an einem angeklickten Token.</translation>
        </message>
        <message>
            <source>The most probable next tokens of {model} are being computed.</source>
            <translation>Die wahrscheinlichsten nächsten Tokens von {model} werden berechnet.</translation>
        </message>
        <message>
            <source>The most probable next tokens, once the model can read the prompt.</source>
            <translation>Die wahrscheinlichsten nächsten Tokens, sobald das Modell den Prompt lesen kann.</translation>
        </message>
        <message>
            <source>The next run trains on {name}: {what}</source>
            <translation>Der nächste Lauf trainiert auf {name}: {what}</translation>
        </message>
        <message>
            <source>The next run trains on “{name}”</source>
            <translation>Der nächste Lauf trainiert auf „{name}“</translation>
        </message>
        <message>
            <source>The next run: its text, its model, its training. Click a setting to read what it does.</source>
            <translation>Der nächste Lauf: Text, Modell, Training. Eine Einstellung anklicken, um zu lesen, was sie bewirkt.</translation>
        </message>
        <message>
            <source>The norm of each layer's state after each token, and the effective rank of a state that is a matrix, which is its number of directions in use; NaN where it is not finite.</source>
            <translation>Die Norm des Zustands jeder Schicht nach jedem Token und der effektive Rang eines Zustands, der eine Matrix ist, also die Zahl seiner genutzten Richtungen; NaN, wo er nicht endlich ist.</translation>
        </message>
        <message>
            <source>The number of n-grams of each order, seen and possible; the share of a text's contexts that were seen; and counts of what followed the end of the text, by the length of the context.</source>
            <translation>Die Zahl der n-Gramme jeder Ordnung, gesehen und möglich; der Anteil der Kontexte eines Textes, die gesehen wurden; und Zählungen dessen, was auf das Ende des Textes folgte, nach Länge des Kontexts.</translation>
        </message>
        <message>
            <source>The other lab needs the text {name}, too.</source>
            <translation>Das andere Labor braucht auch den Text {name}.</translation>
        </message>
        <message>
            <source>The other reports are recorded</source>
            <translation>Die anderen Meldungen werden aufgezeichnet</translation>
        </message>
        <message>
            <source>The page is on; show its address</source>
            <translation>Die Seite ist an; ihre Adresse zeigen</translation>
        </message>
        <message>
            <source>The part of a score that depends on positions alone, by the distance of the two tokens, and the encodings themselves if there are any.</source>
            <translation>Der Teil eines Scores, der allein von Positionen abhängt, nach dem Abstand der beiden Tokens, und die Kodierungen selbst, falls es welche gibt.</translation>
        </message>
        <message>
            <source>The part of each token's deviation from the target by which the bound changes. Typical: 0.1.</source>
            <translation>Der Teil der Abweichung jedes Tokens vom Ziel, um den sich die Grenze ändert. Üblich: 0,1.</translation>
        </message>
        <message>
            <source>The parts of the model of the configuration are drawn here, with their sizes.</source>
            <translation>Hier werden die Teile des konfigurierten Modells mit ihren Größen gezeichnet.</translation>
        </message>
        <message>
            <source>The prediction of the model if it ended after each block: its top token, the KL divergence to the final prediction in nats, and the rank of the true next token, NaN where there is none.</source>
            <translation>Die Vorhersage des Modells, wenn es nach jedem Block endete: sein bestes Token, die KL-Divergenz zur endgültigen Vorhersage in Nats und der Rang des wahren nächsten Tokens, NaN, wo es keines gibt.</translation>
        </message>
        <message>
            <source>The probabilities are frequencies counted in a text.</source>
            <translation>Die Wahrscheinlichkeiten sind in einem Text gezählte Häufigkeiten.</translation>
        </message>
        <message>
            <source>The probes that are recorded, by name.</source>
            <translation>Die Sonden, die aufgezeichnet werden, nach Namen.</translation>
        </message>
        <message>
            <source>The processor may be too old for this torch. Install torch again: pip install --force-reinstall torch</source>
            <translation>Der Prozessor ist vielleicht zu alt für dieses torch. torch neu installieren: pip install --force-reinstall torch</translation>
        </message>
        <message>
            <source>The race divides an exponential number by the probability of each token, and the smallest wins; the inverse draws one uniform number, and takes the token at which the sum of the probabilities exceeds it.</source>
            <translation>Das Rennen teilt für jedes Token eine exponentialverteilte Zahl durch seine Wahrscheinlichkeit, und die kleinste gewinnt; die Inverse zieht eine gleichverteilte Zahl und nimmt das Token, bei dem die Summe der Wahrscheinlichkeiten sie übersteigt.</translation>
        </message>
        <message>
            <source>The report was copied.</source>
            <translation>Der Bericht wurde kopiert.</translation>
        </message>
        <message>
            <source>The requested number of tokens was reached.</source>
            <translation>Die gewünschte Zahl von Tokens ist erreicht.</translation>
        </message>
        <message>
            <source>The residual stream after each block: what is passed on from block to block</source>
            <translation>Der Residualstrom nach jedem Block: was von Block zu Block weitergegeben wird</translation>
        </message>
        <message>
            <source>The rest of the run still opens; restore this file from a copy</source>
            <translation>Der übrige Lauf lässt sich trotzdem öffnen; diese Datei aus einer Kopie wiederherstellen</translation>
        </message>
        <message>
            <source>The role whose messages the model learns to write; the others it only reads. Several are separated by commas.</source>
            <translation>Die Rolle, deren Nachrichten das Modell zu schreiben lernt; die anderen liest es nur. Mehrere werden durch Kommas getrennt.</translation>
        </message>
        <message>
            <source>The rows</source>
            <translation>Die Zeilen</translation>
        </message>
        <message>
            <source>The rows over which columns have mean 0 and standard deviation 1: those for training, so that nothing of the validation rows enters the training, or all, as in runs of older versions.</source>
            <translation>Die Zeilen, über die Spalten Mittelwert 0 und Standardabweichung 1 haben: die zum Training, sodass nichts aus den Validierungszeilen ins Training gelangt, oder alle, wie in Läufen älterer Versionen.</translation>
        </message>
        <message>
            <source>The run continues without its cost</source>
            <translation>Der Lauf geht ohne seinen Aufwand weiter</translation>
        </message>
        <message>
            <source>The run has moved on since then. Measure again for its loss of now.</source>
            <translation>Der Lauf ist seitdem weiter. Noch einmal messen, um seinen jetzigen Verlust zu sehen.</translation>
        </message>
        <message>
            <source>The run starts as soon as the lab is ready</source>
            <translation>Der Lauf startet, sobald das Labor bereit ist</translation>
        </message>
        <message>
            <source>The run, exported as a bundle (.lmlab)</source>
            <translation>Der Lauf, als Bündel exportiert (.lmlab)</translation>
        </message>
        <message>
            <source>The same by S4, whose steps know no token from another; its state is larger.</source>
            <translation>Dasselbe mit S4, dessen Schritte kein Token vom anderen unterscheiden; sein Zustand ist größer.</translation>
        </message>
        <message>
            <source>The same run with the balance loss from step 500 on: dead experts return to work.</source>
            <translation>Derselbe Lauf mit dem Balance-Verlust ab Schritt 500: Tote Experten arbeiten wieder.</translation>
        </message>
        <message>
            <source>The second corpus.</source>
            <translation>Der zweite Korpus.</translation>
        </message>
        <message>
            <source>The selected corpus</source>
            <translation>Der ausgewählte Korpus</translation>
        </message>
        <message>
            <source>The selected plugin</source>
            <translation>Das ausgewählte Plugin</translation>
        </message>
        <message>
            <source>The seventh corpus; nothing leaves it out.</source>
            <translation>Der siebte Korpus; leer lässt ihn weg.</translation>
        </message>
        <message numerus="yes">
            <source>The share is 1 for every context of up to {n} tokens: no context of this text has to be shortened, so the longest decides.</source>
            <translation>
                <numerusform>Der Anteil ist 1 für jeden Kontext bis {n} Token: Kein Kontext dieses Textes muss gekürzt werden, also entscheidet der längste.</numerusform>
                <numerusform>Der Anteil ist 1 für jeden Kontext bis {n} Token: Kein Kontext dieses Textes muss gekürzt werden, also entscheidet der längste.</numerusform>
            </translation>
        </message>
        <message>
            <source>The share of each token at each position after all layers, if every layer passes on half of its input and mixes the other half by the mean of its heads.</source>
            <translation>Der Anteil jedes Tokens an jeder Position nach allen Schichten, wenn jede Schicht die Hälfte ihrer Eingabe weitergibt und die andere Hälfte nach dem Mittel ihrer Köpfe mischt.</translation>
        </message>
        <message>
            <source>The share of this text's contexts that the training text contains, by length</source>
            <translation>Der Anteil der Kontexte dieses Textes, die der Trainingstext enthält, nach Länge</translation>
        </message>
        <message>
            <source>The share of tokens at which the gates of each unit are nearly shut or open (Karpathy et al. 2015), and the number of tokens after which the unit has forgotten half.</source>
            <translation>Der Anteil der Tokens, bei denen die Gates jedes Neurons fast zu oder offen sind (Karpathy et al. 2015), und die Zahl der Tokens, nach denen das Neuron die Hälfte vergessen hat.</translation>
        </message>
        <message>
            <source>The sixth corpus; nothing leaves it out.</source>
            <translation>Der sechste Korpus; leer lässt ihn weg.</translation>
        </message>
        <message>
            <source>The size of each layer's state after each token</source>
            <translation>Die Größe des Zustands jeder Schicht nach jedem Token</translation>
        </message>
        <message>
            <source>The snapshot of step {step} cannot be shown. {why}</source>
            <translation>Die Momentaufnahme von Schritt {step} kann nicht gezeigt werden. {why}</translation>
        </message>
        <message>
            <source>The source</source>
            <translation>Die Quelle</translation>
        </message>
        <message>
            <source>The source's entropy: no model has a lower loss on average</source>
            <translation>Die Entropie der Quelle: Kein Modell hat im Mittel einen kleineren Verlust</translation>
        </message>
        <message>
            <source>The split of a data set. Empty: train, or the only one.</source>
            <translation>Der Split eines Datensatzes. Leer: train oder der einzige.</translation>
        </message>
        <message>
            <source>The start of the text</source>
            <translation>Der Anfang des Textes</translation>
        </message>
        <message>
            <source>The stored vocabulary is damaged, or another tokenizer's: take it from another copy of the run</source>
            <translation>Das gespeicherte Vokabular ist beschädigt oder gehört zu einem anderen Tokenizer: es aus einer anderen Kopie des Laufs nehmen</translation>
        </message>
        <message>
            <source>The strategy ended the text.</source>
            <translation>Die Strategie hat den Text beendet.</translation>
        </message>
        <message>
            <source>The strategy takes {token}.</source>
            <translation>Die Strategie nimmt {token}.</translation>
        </message>
        <message>
            <source>The string comes back from its end: the map of attention turns into an anti-diagonal.</source>
            <translation>Die Zeichenkette kommt von hinten zurück: Die Karte der Attention wird zur Gegendiagonale.</translation>
        </message>
        <message>
            <source>The subset of a data set. Empty: the only one.</source>
            <translation>Die Teilmenge eines Datensatzes. Leer: die einzige.</translation>
        </message>
        <message>
            <source>The subwords of a published model, such as GPT-2 or LLaMA, read from its tokenizer.json.</source>
            <translation>Die Teilwörter eines veröffentlichten Modells, etwa GPT-2 oder LLaMA, aus dessen tokenizer.json gelesen.</translation>
        </message>
        <message>
            <source>The symbols of a generated source; for no other corpus.</source>
            <translation>Die Symbole einer erzeugten Quelle; für keinen anderen Korpus.</translation>
        </message>
        <message>
            <source>The table in the folder. Empty: its only CSV, TSV, JSON lines or Parquet file, if it has one.</source>
            <translation>Die Tabelle im Ordner. Leer: seine einzige Datei im Format CSV, TSV, JSON Lines oder Parquet, falls er eine hat.</translation>
        </message>
        <message>
            <source>The text as a path along the directions in which the states differ most</source>
            <translation>Der Text als Pfad entlang der Richtungen, in denen sich die Zustände am stärksten unterscheiden</translation>
        </message>
        <message>
            <source>The text ended at the stop symbol {what}.</source>
            <translation>Der Text endet am Stoppsymbol {what}.</translation>
        </message>
        <message>
            <source>The text ended before the stop string {what}.</source>
            <translation>Der Text endet vor der Stoppfolge {what}.</translation>
        </message>
        <message>
            <source>The text ends at the first of these single tokens. Commas separate them.</source>
            <translation>Der Text endet beim ersten dieser einzelnen Tokens. Kommas trennen sie.</translation>
        </message>
        <message>
            <source>The text ends before the first of these. Commas separate them; "\n" in quotes is the end of a line.</source>
            <translation>Der Text endet vor der ersten davon. Kommas trennen sie; "\n" in Anführungszeichen ist ein Zeilenende.</translation>
        </message>
        <message>
            <source>The text is too short for these.</source>
            <translation>Der Text ist dafür zu kurz.</translation>
        </message>
        <message>
            <source>The text that the model reads before it writes</source>
            <translation>Der Text, den das Modell liest, bevor es schreibt</translation>
        </message>
        <message>
            <source>The text to learn from; it becomes part of the recipe.</source>
            <translation>Der Text, aus dem gelernt wird; er wird Teil des Rezepts.</translation>
        </message>
        <message>
            <source>The text whose class is predicted</source>
            <translation>Der Text, dessen Klasse vorhergesagt wird</translation>
        </message>
        <message>
            <source>The text {name} is not known on this machine. Select it to use the recipe.</source>
            <translation>Der Text {name} ist auf diesem Rechner nicht bekannt. Ihn auswählen, um das Rezept zu verwenden.</translation>
        </message>
        <message>
            <source>The text, coloured along its length</source>
            <translation>Der Text, gefärbt entlang seiner Länge</translation>
        </message>
        <message>
            <source>The text, coloured by expert</source>
            <translation>Der Text, gefärbt nach Experten</translation>
        </message>
        <message>
            <source>The text, coloured by the selected row</source>
            <translation>Der Text, gefärbt nach der ausgewählten Zeile</translation>
        </message>
        <message>
            <source>The text; it must have been fetched: lm-lab download NAME.</source>
            <translation>Der Text; er muss heruntergeladen sein: lm-lab download NAME.</translation>
        </message>
        <message>
            <source>The texts of a Hugging Face data set, from a local folder or file or from the hub.</source>
            <translation>Die Texte eines Hugging-Face-Datensatzes, aus einem lokalen Ordner, einer Datei oder vom Hub.</translation>
        </message>
        <message>
            <source>The theme cannot be changed.</source>
            <translation>Das Design ist nicht änderbar.</translation>
        </message>
        <message>
            <source>The third corpus; nothing leaves it out.</source>
            <translation>Der dritte Korpus; leer lässt ihn weg.</translation>
        </message>
        <message>
            <source>The training has diverged: train again with a lower learning rate, or choose an earlier checkpoint</source>
            <translation>Das Training ist divergiert: mit kleinerer Lernrate erneut trainieren, oder einen früheren Checkpoint wählen</translation>
        </message>
        <message>
            <source>The training text of this run was not found: {why}</source>
            <translation>Der Trainingstext dieses Laufs wurde nicht gefunden: {why}</translation>
        </message>
        <message>
            <source>The type has its largest size.</source>
            <translation>Die Schrift hat ihre größte Größe.</translation>
        </message>
        <message>
            <source>The uncertainty of a character after the n − 1 before it (Shannon 1951): as counted, and on held-out validation text.</source>
            <translation>Die Unsicherheit eines Zeichens nach den n − 1 davor (Shannon 1951): gezählt und auf zurückgehaltenem Validierungstext.</translation>
        </message>
        <message>
            <source>The unit is that of the loss chart.</source>
            <translation>Die Einheit ist die des Verlustdiagramms.</translation>
        </message>
        <message>
            <source>The validation loss of a model without each of its heads, blocks and other parts.</source>
            <translation>Der Validierungsverlust eines Modells ohne jeden seiner Köpfe, Blöcke und anderen Teile.</translation>
        </message>
        <message>
            <source>The vectors with which the tokens enter the model</source>
            <translation>Die Vektoren, mit denen die Tokens in das Modell eintreten</translation>
        </message>
        <message>
            <source>The weights of the experts for each token, and the load of each expert.</source>
            <translation>Die Gewichte der Experten für jedes Token und die Last jedes Experten.</translation>
        </message>
        <message>
            <source>The weights with which a layer adds up its inputs, for any architecture</source>
            <translation>Die Gewichte, mit denen eine Schicht ihre Eingaben addiert, für jede Architektur</translation>
        </message>
        <message>
            <source>The wider a head, the larger its scores. Divided by √D they stay near 0, and the softmax stays soft.</source>
            <translation>Je breiter ein Kopf, desto größer seine Scores. Durch √D geteilt bleiben sie nahe 0, und der Softmax bleibt weich.</translation>
        </message>
        <message>
            <source>The window closes when everything is saved.</source>
            <translation>Das Fenster schließt sich, sobald alles gespeichert ist.</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>Design</translation>
        </message>
        <message>
            <source>Theme of the system</source>
            <translation>Design des Systems</translation>
        </message>
        <message>
            <source>There are no notices yet.</source>
            <translation>Es gibt noch keine Meldungen.</translation>
        </message>
        <message>
            <source>There are no plugins by others yet. A plugin is a Python file that adds architectures, corpora, views or other parts. Add a file here; those of installed packages appear by themselves.</source>
            <translation>Es gibt noch keine fremden Plugins. Ein Plugin ist eine Python-Datei, die Architekturen, Korpora, Ansichten oder anderes hinzufügt. Hier lässt sich eine Datei hinzufügen; Plugins aus installierten Paketen erscheinen von selbst.</translation>
        </message>
        <message>
            <source>There is no corpus to count.</source>
            <translation>Es gibt keinen Korpus zu zählen.</translation>
        </message>
        <message>
            <source>There is no corpus to fit a tokenizer to.</source>
            <translation>Es gibt keinen Korpus, an den ein Tokenizer angepasst werden kann.</translation>
        </message>
        <message>
            <source>There is no corpus to learn merges from.</source>
            <translation>Es gibt keinen Korpus, aus dem Verschmelzungen gelernt werden können.</translation>
        </message>
        <message>
            <source>There is no curve to play here.</source>
            <translation>Hier gibt es keine Kurve abzuspielen.</translation>
        </message>
        <message>
            <source>There is no second run with a loss yet.</source>
            <translation>Es gibt noch keinen zweiten Lauf mit einem Verlust.</translation>
        </message>
        <message>
            <source>There is no text to use as the corpus</source>
            <translation>Es gibt keinen Text, der als Korpus dienen kann</translation>
        </message>
        <message>
            <source>There is nothing to export here yet.</source>
            <translation>Hier gibt es noch nichts zu exportieren.</translation>
        </message>
        <message>
            <source>There is nothing to predict after a text.</source>
            <translation>Nach einem Text gibt es nichts vorherzusagen.</translation>
        </message>
        <message>
            <source>These can be shown: {runs}. The eye in the list shows others.</source>
            <translation>Zeigen lassen sich: {runs}. Das Auge in der Liste zeigt andere.</translation>
        </message>
        <message>
            <source>These places are not shown: {names}.</source>
            <translation>Diese Bereiche werden nicht gezeigt: {names}.</translation>
        </message>
        <message>
            <source>These plugins run for everybody: {names}.</source>
            <translation>Diese Plugins laufen für alle: {names}.</translation>
        </message>
        <message>
            <source>They are applied in this order</source>
            <translation>Sie werden in dieser Reihenfolge angewandt</translation>
        </message>
        <message>
            <source>Third corpus</source>
            <translation>Dritter Korpus</translation>
        </message>
        <message>
            <source>This button, or the space bar, pauses and resumes the run. Without a run, it starts one.</source>
            <translation>Dieser Knopf oder die Leertaste hält den Lauf an und setzt ihn fort. Ohne Lauf startet er einen.</translation>
        </message>
        <message>
            <source>This corpus comes with its own symbols</source>
            <translation>Dieser Korpus bringt eigene Symbole mit</translation>
        </message>
        <message>
            <source>This corpus has numbers or images and no text, so there are no merges.</source>
            <translation>Dieser Korpus hat Zahlen oder Bilder und keinen Text, also gibt es keine Verschmelzungen.</translation>
        </message>
        <message>
            <source>This corpus has numbers or images and no text, so there are no tokens.</source>
            <translation>Dieser Korpus hat Zahlen oder Bilder und keinen Text, also gibt es keine Tokens.</translation>
        </message>
        <message>
            <source>This corpus is on the Hugging Face hub and must be downloaded once.</source>
            <translation>Dieser Korpus liegt auf dem Hugging-Face-Hub und muss einmal heruntergeladen werden.</translation>
        </message>
        <message>
            <source>This is a program by others. Enabled, it may do everything that you may do on this machine: read and delete files, use the network. The lab does not confine it; enable only what you trust.</source>
            <translation>Das ist ein fremdes Programm. Sobald es aktiviert ist, darf es auf diesem Rechner alles, was auch der angemeldete Benutzer darf: Dateien lesen und löschen, das Netz benutzen. Das Labor schränkt es nicht ein; nur Vertrauenswürdiges aktivieren.</translation>
        </message>
        <message>
            <source>This is an error of the lab: “Check this machine” in the menu Help saves a report to send</source>
            <translation>Das ist ein Fehler des Labors: „Diesen Rechner prüfen“ im Menü Hilfe speichert einen Bericht zum Einsenden</translation>
        </message>
        <message>
            <source>This is another text than that of the link, so losses cannot be compared.</source>
            <translation>Das ist ein anderer Text als der des Links; die Verluste sind daher nicht vergleichbar.</translation>
        </message>
        <message>
            <source>This machine</source>
            <translation>Dieser Rechner</translation>
        </message>
        <message>
            <source>This model cannot be drawn: {problem}</source>
            <translation>Dieses Modell kann nicht gezeichnet werden: {problem}</translation>
        </message>
        <message>
            <source>This model counts: its tables grow with the text, so they have no fixed size.</source>
            <translation>Dieses Modell zählt: Seine Tabellen wachsen mit dem Text und haben daher keine feste Größe.</translation>
        </message>
        <message>
            <source>This model has no parts that can be left out.</source>
            <translation>Dieses Modell hat keine Teile, die weggelassen werden können.</translation>
        </message>
        <message>
            <source>This model predicts hidden tokens from both sides, and writes nothing. Inspect shows how.</source>
            <translation>Dieses Modell sagt verdeckte Tokens von beiden Seiten voraus und schreibt nichts. Untersuchen zeigt, wie.</translation>
        </message>
        <message>
            <source>This model predicts no text, and writes nothing. Train shows how well it predicts.</source>
            <translation>Dieses Modell sagt keinen Text voraus und schreibt nichts. Trainieren zeigt, wie gut es vorhersagt.</translation>
        </message>
        <message>
            <source>This model reads images, and no text. Train shows how well it predicts.</source>
            <translation>Dieses Modell liest Bilder und keinen Text. Trainieren zeigt, wie gut es vorhersagt.</translation>
        </message>
        <message>
            <source>This model reads images. Readings show how a model reads the tokens of a text.</source>
            <translation>Dieses Modell liest Bilder. Messwerte zeigen, wie ein Modell die Tokens eines Textes liest.</translation>
        </message>
        <message>
            <source>This model reads numbers, and no text. Train shows how well it predicts.</source>
            <translation>Dieses Modell liest Zahlen und keinen Text. Trainieren zeigt, wie gut es vorhersagt.</translation>
        </message>
        <message>
            <source>This model reads numbers. Readings show how a model reads the tokens of a text.</source>
            <translation>Dieses Modell liest Zahlen. Messwerte zeigen, wie ein Modell die Tokens eines Textes liest.</translation>
        </message>
        <message>
            <source>This model writes captions of images, and reads no text. Train shows how well it predicts.</source>
            <translation>Dieses Modell schreibt Bildunterschriften und liest keinen Text. Trainieren zeigt, wie gut es vorhersagt.</translation>
        </message>
        <message>
            <source>This model writes captions of images. Readings need a text that a model reads.</source>
            <translation>Dieses Modell schreibt Bildunterschriften. Messwerte brauchen einen Text, den ein Modell liest.</translation>
        </message>
        <message>
            <source>This model writes nothing. It predicts the class of a text: write one, and see the bars.</source>
            <translation>Dieses Modell schreibt nichts. Es sagt die Klasse eines Textes voraus: Schreibe einen und sieh die Balken an.</translation>
        </message>
        <message>
            <source>This page is in English only.</source>
            <translation>Diese Seite gibt es nur auf Englisch.</translation>
        </message>
        <message>
            <source>This page needs no network and runs no script.</source>
            <translation>Diese Seite braucht kein Netz und führt kein Skript aus.</translation>
        </message>
        <message>
            <source>This place is not shown, by {source}</source>
            <translation>Dieser Bereich wird nicht gezeigt, laut {source}</translation>
        </message>
        <message>
            <source>This raises the context length from {now} to {n} tokens</source>
            <translation>Das erhöht die Kontextlänge von {now} auf {n} Tokens</translation>
        </message>
        <message>
            <source>This replaces the configuration with that of the checkpoint. Change it as you like, then start.</source>
            <translation>Das ersetzt die Konfiguration durch die des Checkpoints. Beliebig ändern, dann starten.</translation>
        </message>
        <message>
            <source>This run generates no text at its evaluations.</source>
            <translation>Dieser Lauf erzeugt bei seinen Auswertungen keinen Text.</translation>
        </message>
        <message>
            <source>This run generates no text at its evaluations: its sample length is 0.</source>
            <translation>Dieser Lauf erzeugt bei seinen Auswertungen keinen Text: Die Länge der Textprobe ist 0.</translation>
        </message>
        <message>
            <source>This run has made {step} of {all} steps. Enter the new total number of steps.</source>
            <translation>Dieser Lauf hat {step} von {all} Schritten gemacht. Die neue Gesamtzahl der Schritte eingeben.</translation>
        </message>
        <message>
            <source>This run has no snapshots. Train its recipe again to record some.</source>
            <translation>Dieser Lauf hat keine Momentaufnahmen. Sein Rezept erneut trainieren, um welche aufzuzeichnen.</translation>
        </message>
        <message>
            <source>This run has no {what}.</source>
            <translation>{what}: in diesem Lauf nicht vorhanden.</translation>
        </message>
        <message>
            <source>This run trained on a part of the text, as it kept less of the corpus for validation.</source>
            <translation>Dieser Lauf trainierte auf einem Teil des Textes, da er weniger vom Korpus für die Validierung zurückhielt.</translation>
        </message>
        <message>
            <source>This start skipped it: the lab runs in safe mode, or LAB_PLUGINS names others.</source>
            <translation>Dieser Start hat es übergangen: Das Labor läuft im abgesicherten Modus, oder LAB_PLUGINS nennt andere.</translation>
        </message>
        <message>
            <source>This takes as long as its code needs to load; the window stays usable.</source>
            <translation>Das dauert so lange, wie sein Code zum Laden braucht; das Fenster läuft weiter.</translation>
        </message>
        <message>
            <source>This view failed: {what}</source>
            <translation>Diese Ansicht ist fehlgeschlagen: {what}</translation>
        </message>
        <message>
            <source>This was not recorded at step {step}. “now” shows it if the model has it.</source>
            <translation>Das wurde bei Schritt {step} nicht aufgezeichnet. „jetzt“ zeigt es, falls das Modell es hat.</translation>
        </message>
        <message>
            <source>Those of the earlier version are kept in {name}</source>
            <translation>Die der früheren Version liegen in {name}</translation>
        </message>
        <message>
            <source>Those of this version are used, the others kept in {name}</source>
            <translation>Die dieser Version werden verwendet, die anderen liegen in {name}</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>Threads</translation>
        </message>
        <message>
            <source>Three ways to start</source>
            <translation>Drei Wege zu beginnen</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>Zeit</translation>
        </message>
        <message>
            <source>Time on this machine</source>
            <translation>Rechenzeit</translation>
        </message>
        <message>
            <source>Tiny Shakespeare or a book, downloaded only on request.</source>
            <translation>Tiny Shakespeare oder ein Buch, nur auf Wunsch heruntergeladen.</translation>
        </message>
        <message>
            <source>Title</source>
            <translation>Titel</translation>
        </message>
        <message>
            <source>Title of the recipe.</source>
            <translation>Titel des Rezepts.</translation>
        </message>
        <message>
            <source>To open it in another lab, paste it onto the window, or select Open link in its menu.</source>
            <translation>Zum Öffnen in einem anderen Labor ins Fenster einfügen oder dort im Menü „Link öffnen“ wählen.</translation>
        </message>
        <message>
            <source>To read it install: pip install "lm-lab[documents]"</source>
            <translation>Zum Lesen installieren: pip install "lm-lab[documents]"</translation>
        </message>
        <message>
            <source>To try it again: lm-lab plugins enable NAME</source>
            <translation>Um es noch einmal zu versuchen: lm-lab plugins enable NAME</translation>
        </message>
        <message>
            <source>To try it again: lm-lab plugins enable {name}</source>
            <translation>Um es erneut zu versuchen: lm-lab plugins enable {name}</translation>
        </message>
        <message>
            <source>Token mixing</source>
            <translation>Mischung der Tokens</translation>
        </message>
        <message>
            <source>Tokenize the start of the corpus</source>
            <translation>Den Anfang des Korpus in Tokens zerlegen</translation>
        </message>
        <message>
            <source>Tokenizer</source>
            <translation>Tokenizer</translation>
        </message>
        <message>
            <source>Tokenizer that splits the text.</source>
            <translation>Tokenizer, der den Text zerlegt.</translation>
        </message>
        <message>
            <source>Tokenizers</source>
            <translation>Tokenizer</translation>
        </message>
        <message>
            <source>Tokenizing text with {tokenizer}</source>
            <translation>Text wird mit {tokenizer} in Tokens zerlegt</translation>
        </message>
        <message>
            <source>Tokenizing the text</source>
            <translation>Der Text wird in Tokens zerlegt</translation>
        </message>
        <message>
            <source>Tokens</source>
            <translation>Tokens</translation>
        </message>
        <message>
            <source>Tokens by class</source>
            <translation>Tokens nach Klasse</translation>
        </message>
        <message>
            <source>Tokens come again at a changing distance; two layers learn to find what followed, one layer does not.</source>
            <translation>Tokens kommen in wechselndem Abstand wieder; zwei Schichten lernen zu finden, was folgte, eine nicht.</translation>
        </message>
        <message>
            <source>Tokens of a short convolution over time applied to queries, keys and values; 0 for none. Typical: 0, 3 or 4.</source>
            <translation>Tokens einer kurzen Faltung über die Zeit auf Queries, Keys und Values; 0 für keine. Üblich: 0, 3 oder 4.</translation>
        </message>
        <message>
            <source>Tokens of each example: pairs, questions and filler.</source>
            <translation>Tokens jedes Beispiels: Paare, Fragen und Füllung.</translation>
        </message>
        <message>
            <source>Tokens of the longest n-gram: the next token and its context; with 0 all tokens are equally likely. Typical: 3 to 6.</source>
            <translation>Tokens des längsten n-Gramms: das nächste Token und sein Kontext; mit 0 sind alle Tokens gleich wahrscheinlich. Üblich: 3 bis 6.</translation>
        </message>
        <message>
            <source>Tokens of the longest sequence; the shortest has ten elevenths of them. 110 in the paper.</source>
            <translation>Tokens der längsten Folge; die kürzeste hat zehn Elftel davon. 110 in der Arbeit.</translation>
        </message>
        <message>
            <source>Tokens of the probe text that are read; 0 records none. Typical: 32 to 128.</source>
            <translation>Tokens des Prüftextes, die gelesen werden; 0 zeichnet nichts auf. Üblich: 32 bis 128.</translation>
        </message>
        <message>
            <source>Tokens of the short convolution before the recurrence. Typical: 4.</source>
            <translation>Tokens der kurzen Faltung vor der Rekurrenz. Üblich: 4.</translation>
        </message>
        <message>
            <source>Tokens of these runs differ in length, so compare the losses in bits per byte</source>
            <translation>Die Tokens dieser Läufe sind verschieden lang; die Verluste deshalb in Bits pro Byte vergleichen</translation>
        </message>
        <message>
            <source>Tokens of {tokenizer}</source>
            <translation>Tokens von {tokenizer}</translation>
        </message>
        <message>
            <source>Tokens per example. Typical: 64 to 512 on a CPU.</source>
            <translation>Tokens pro Beispiel. Üblich: 64 bis 512 auf einer CPU.</translation>
        </message>
        <message>
            <source>Tokens per parameter</source>
            <translation>Tokens pro Parameter</translation>
        </message>
        <message>
            <source>Tokens that are read, data and noise, in each example.</source>
            <translation>Gelesene Tokens, Daten und Rauschen, in jedem Beispiel.</translation>
        </message>
        <message>
            <source>Tokens that are scored: only answers, or all but the first, including random ones.</source>
            <translation>Tokens, die gewertet werden: nur Antworten, oder alle außer dem ersten, auch zufällige.</translation>
        </message>
        <message>
            <source>Tokens that each expert takes most</source>
            <translation>Tokens, die jeder Experte am häufigsten übernimmt</translation>
        </message>
        <message>
            <source>Tokens, or rows, of this part in relation to the weights of the others, and its weight in the validation loss. 0 reads none of it while another weight is above 0.</source>
            <translation>Tokens oder Zeilen dieses Teils im Verhältnis zu den Gewichten der anderen, und sein Gewicht im Validierungsverlust. 0 liest nichts davon, solange ein anderes Gewicht über 0 ist.</translation>
        </message>
        <message>
            <source>Too many open files</source>
            <translation>Zu viele offene Dateien</translation>
        </message>
        <message>
            <source>Top a</source>
            <translation>Top a</translation>
        </message>
        <message>
            <source>Top k</source>
            <translation>Top-k</translation>
        </message>
        <message>
            <source>Top p</source>
            <translation>Top-p</translation>
        </message>
        <message>
            <source>Top-a</source>
            <translation>Top-a</translation>
        </message>
        <message>
            <source>Top-k</source>
            <translation>Top-k</translation>
        </message>
        <message>
            <source>Top-p</source>
            <translation>Top-p</translation>
        </message>
        <message>
            <source>Topic</source>
            <translation>Thema</translation>
        </message>
        <message>
            <source>Topics</source>
            <translation>Themen</translation>
        </message>
        <message>
            <source>Topics to tell apart.</source>
            <translation>Themen, die zu unterscheiden sind.</translation>
        </message>
        <message>
            <source>Torch</source>
            <translation>Torch</translation>
        </message>
        <message>
            <source>Tour</source>
            <translation>Rundgang</translation>
        </message>
        <message>
            <source>Tour, {position}</source>
            <translation>Rundgang, {position}</translation>
        </message>
        <message>
            <source>Tour, {position}. {title}. {text}</source>
            <translation>Rundgang, {position}. {title}. {text}</translation>
        </message>
        <message>
            <source>Trace</source>
            <translation>Traceback</translation>
        </message>
        <message>
            <source>Traceback</source>
            <translation>Traceback</translation>
        </message>
        <message>
            <source>Tracking a state</source>
            <translation>Einen Zustand verfolgen</translation>
        </message>
        <message>
            <source>Train</source>
            <translation>Trainieren</translation>
        </message>
        <message>
            <source>Train a small language model, look inside it, let it write.</source>
            <translation>Ein kleines Sprachmodell trainieren, hineinsehen, es schreiben lassen.</translation>
        </message>
        <message>
            <source>Train an architecture, or a form of it, that reads what stands before a token alone</source>
            <translation>Eine Architektur trainieren, oder eine Form davon, die nur liest, was vor einem Token steht</translation>
        </message>
        <message>
            <source>Train another run</source>
            <translation>Weiteren Lauf trainieren</translation>
        </message>
        <message>
            <source>Train further…</source>
            <translation>Weiter trainieren …</translation>
        </message>
        <message>
            <source>Train it for some steps first</source>
            <translation>Zuerst einige Schritte trainieren</translation>
        </message>
        <message>
            <source>Train on it alone, or mix corpora of text or of rows</source>
            <translation>Auf ihm allein trainieren oder Korpora aus Text oder aus Zeilen mischen</translation>
        </message>
        <message>
            <source>Train on {name}</source>
            <translation>Auf {name} trainieren</translation>
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
            <source>Train share</source>
            <translation>Trainingsanteil</translation>
        </message>
        <message>
            <source>Train with one of these</source>
            <translation>Mit einem davon trainieren</translation>
        </message>
        <message>
            <source>Train {run} further</source>
            <translation>{run} weiter trainieren</translation>
        </message>
        <message>
            <source>Trained with {version}.</source>
            <translation>Trainiert mit {version}.</translation>
        </message>
        <message>
            <source>Training</source>
            <translation>Training</translation>
        </message>
        <message>
            <source>Training and validation loss of the quick start, as the lab recorded it, with two floors</source>
            <translation>Trainings- und Validierungsverlust des Schnellstarts, vom Labor aufgezeichnet, mit zwei Schranken</translation>
        </message>
        <message>
            <source>Training loss of a transformer and of Mamba of the same size, as the lab recorded it</source>
            <translation>Trainingsverlust eines Transformers und eines gleich großen Mamba, vom Labor aufgezeichnet</translation>
        </message>
        <message>
            <source>Training or queued, one after the other: {runs}</source>
            <translation>Im Training oder eingereiht, einer nach dem anderen: {runs}</translation>
        </message>
        <message>
            <source>Training time</source>
            <translation>Trainingszeit</translation>
        </message>
        <message>
            <source>Training {value}</source>
            <translation>Training von {value}</translation>
        </message>
        <message>
            <source>Trains on {corpus}.</source>
            <translation>Trainiert auf {corpus}.</translation>
        </message>
        <message>
            <source>Transformer</source>
            <translation>Transformer</translation>
        </message>
        <message>
            <source>Transformer: against Mamba with equally many parameters, and all but the architecture is equal</source>
            <translation>Transformer: gegen Mamba mit gleich vielen Parametern, und bis auf die Architektur ist alles gleich</translation>
        </message>
        <message>
            <source>Transformers and LSTMs, which learn to agree over clauses in between; gated and state-space layers come close. N-grams learn the words but not agreement and nesting. A context-free language needs a stack, so every model of fixed size fails when clauses nest deeper than in training.</source>
            <translation>Transformer und LSTMs, die Übereinstimmung über dazwischenliegende Teilsätze lernen; Schichten mit Gates und Zustandsraumschichten kommen nahe heran. n-Gramme lernen die Wörter, aber nicht Übereinstimmung und Verschachtelung. Eine kontextfreie Sprache braucht einen Stapel; jedes Modell fester Größe versagt daher, wenn Teilsätze tiefer verschachtelt sind als im Training.</translation>
        </message>
        <message>
            <source>Transformers grok: the validation loss falls long after the training loss, sooner with weight decay and more trained pairs. A table of counts never learns a held-out pair.</source>
            <translation>Transformer „grokken“: Der Validierungsverlust fällt lange nach dem Trainingsverlust, früher mit Gewichtsabfall und mehr trainierten Paaren. Eine Tabelle von Zählungen lernt ein zurückgehaltenes Paar nie.</translation>
        </message>
        <message>
            <source>Transformers learn it, much faster if the sum is written from its last digit on, and hardly generalise to more digits than in training.</source>
            <translation>Transformer lernen es, viel schneller, wenn die Summe von der letzten Ziffer an geschrieben wird, und generalisieren kaum auf mehr Ziffern als im Training.</translation>
        </message>
        <message>
            <source>Transformers: one stack or an encoder and a decoder, learned or rotary positions, GELU or SwiGLU.</source>
            <translation>Transformer: ein Stapel oder Encoder und Decoder, gelernte oder rotierende Positionen, GELU oder SwiGLU.</translation>
        </message>
        <message>
            <source>Treat each row as a document of its own, which ends with an end symbol. Off: one continuous text.</source>
            <translation>Jede Zeile als eigenes Dokument behandeln, das mit einem Endsymbol endet. Aus: ein fortlaufender Text.</translation>
        </message>
        <message>
            <source>Treat each row of a table and each file of a folder as a document of its own, which ends with an end symbol. Off: one continuous text.</source>
            <translation>Jede Zeile einer Tabelle und jede Datei eines Ordners als eigenes Dokument behandeln, das mit einem Endsymbol endet. Aus: ein fortlaufender Text.</translation>
        </message>
        <message>
            <source>Treat its rows, files or sentences as documents, if its corpus has such a setting.</source>
            <translation>Seine Zeilen, Dateien oder Sätze als Dokumente behandeln, wenn sein Korpus eine solche Einstellung hat.</translation>
        </message>
        <message>
            <source>Trust and enable</source>
            <translation>Vertrauen und aktivieren</translation>
        </message>
        <message>
            <source>Trust and enable the plugins</source>
            <translation>Plugins vertrauen und aktivieren</translation>
        </message>
        <message>
            <source>Try a third of the learning rate, a longer warm-up (training.schedule.warmup), or clipping at 1</source>
            <translation>Ein Drittel der Lernrate versuchen, eine längere Aufwärmphase (training.schedule.warmup) oder Begrenzung der Gradienten auf 1</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>Noch einmal versuchen</translation>
        </message>
        <message>
            <source>Turns</source>
            <translation>Windungen</translation>
        </message>
        <message>
            <source>Turns of a spiral around the centre.</source>
            <translation>Windungen einer Spirale um die Mitte.</translation>
        </message>
        <message>
            <source>Two kinds of brackets, nested twice: the last dozen of them nearly always tell which one to close.</source>
            <translation>Zwei Arten von Klammern, zweifach verschachtelt: Das letzte Dutzend sagt fast immer, welche zu schließen ist.</translation>
        </message>
        <message>
            <source>Two layers of attention learn it suddenly, when induction heads form; one layer cannot, since the distance is drawn separately for each example. At a constant distance one layer learns it by position.</source>
            <translation>Zwei Schichten Attention lernen es plötzlich, wenn sich Induktionsköpfe bilden; eine Schicht kann es nicht, da der Abstand in jedem Beispiel neu gezogen wird. Bei festem Abstand lernt es eine Schicht nach der Position.</translation>
        </message>
        <message>
            <source>Two rare symbols in a long string: their order decides the answer.</source>
            <translation>Zwei seltene Symbole in einer langen Folge: Ihre Reihenfolge entscheidet die Antwort.</translation>
        </message>
        <message>
            <source>Type or paste a text</source>
            <translation>Einen Text eingeben oder einfügen</translation>
        </message>
        <message>
            <source>Type {word} to confirm.</source>
            <translation>Zur Bestätigung {word} eingeben.</translation>
        </message>
        <message>
            <source>Typesetting a formula</source>
            <translation>Eine Formel wird gesetzt</translation>
        </message>
        <message>
            <source>Typical</source>
            <translation>Typisch</translation>
        </message>
        <message>
            <source>Typical mass</source>
            <translation>Typische Masse</translation>
        </message>
        <message>
            <source>UTF-16 BE</source>
            <translation>UTF-16 BE</translation>
        </message>
        <message>
            <source>UTF-16 LE</source>
            <translation>UTF-16 LE</translation>
        </message>
        <message>
            <source>UTF-32 BE</source>
            <translation>UTF-32 BE</translation>
        </message>
        <message>
            <source>UTF-32 LE</source>
            <translation>UTF-32 LE</translation>
        </message>
        <message>
            <source>UTF-8 text, or text in another encoding that can be detected</source>
            <translation>UTF-8-Text, oder Text in einer anderen erkennbaren Kodierung</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>Rückgängig</translation>
        </message>
        <message>
            <source>Undo the last merge</source>
            <translation>Die letzte Verschmelzung zurücknehmen</translation>
        </message>
        <message>
            <source>Unigram</source>
            <translation>Unigramm</translation>
        </message>
        <message>
            <source>Unit</source>
            <translation>Neuron</translation>
        </message>
        <message>
            <source>Units of each expert; 0 means 4 × width, or 8/3 × width with a gate, rounded up to a multiple of 8. Many small experts can divide the work more finely than few large ones. Typical: 0.25 to 4 × width.</source>
            <translation>Neuronen jedes Experten; 0 bedeutet 4 × Breite, mit Gate 8/3 × Breite, aufgerundet auf ein Vielfaches von 8. Viele kleine Experten können die Arbeit feiner aufteilen als wenige große. Üblich: 0,25 bis 4 × Breite.</translation>
        </message>
        <message>
            <source>Units of each layer, and channels of the embedding. Typical: 128 to 1,024.</source>
            <translation>Neuronen jeder Schicht und Kanäle des Embeddings. Üblich: 128 bis 1.024.</translation>
        </message>
        <message>
            <source>Units of the dense feed-forward layers; 0 means as many as a token passes in a layer of experts. Typical: 8/3 to 4 × width.</source>
            <translation>Neuronen der dichten Feedforward-Schichten; 0 bedeutet so viele, wie ein Token in einer Expertenschicht durchläuft. Üblich: 8/3 bis 4 × Breite.</translation>
        </message>
        <message>
            <source>Units of the feed-forward layer; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.</source>
            <translation>Neuronen der Feedforward-Schicht; 0 bedeutet 4 × Breite, mit Gate 8/3. Üblich: 8/3 bis 4 × Breite.</translation>
        </message>
        <message>
            <source>Units of the layer; 0 is 3.5 × width. Typical: 3.5 × width.</source>
            <translation>Neuronen der Schicht; 0 bedeutet 3,5 × Breite. Üblich: 3,5 × Breite.</translation>
        </message>
        <message>
            <source>Units that retain 0.9 have forgotten half after 6.6 tokens, those that retain 0.99 after 69.</source>
            <translation>Einheiten, die 0,9 behalten, haben nach 6,6 Tokens die Hälfte vergessen, solche mit 0,99 nach 69.</translation>
        </message>
        <message>
            <source>Units; 0 means 4 × width, 8/3 with a gate. Typical: 8/3 to 4 × width.</source>
            <translation>Neuronen; 0 bedeutet 4 × Breite, mit Gate 8/3. Üblich: 8/3 bis 4 × Breite.</translation>
        </message>
        <message>
            <source>Unpacking {file}</source>
            <translation>{file} auspacken</translation>
        </message>
        <message>
            <source>Unpin</source>
            <translation>Lösen</translation>
        </message>
        <message>
            <source>Unset the variable OMP_NUM_THREADS if trainings shall use all cores</source>
            <translation>Die Variable OMP_NUM_THREADS löschen, wenn Trainings alle Kerne nutzen sollen</translation>
        </message>
        <message>
            <source>Unset the variable OMP_NUM_THREADS, or set it to the number of cores</source>
            <translation>Die Variable OMP_NUM_THREADS löschen, oder auf die Zahl der Kerne setzen</translation>
        </message>
        <message>
            <source>Untie the head from the embedding (architecture.tie=false), or set the base width to 0</source>
            <translation>Die Ausgabeschicht vom Embedding trennen (architecture.tie=false) oder die Grundbreite auf 0 setzen</translation>
        </message>
        <message>
            <source>Until the first evaluation of a run, its training loss is shown, marked “train”.</source>
            <translation>Bis zur ersten Auswertung eines Laufs wird sein Trainingsverlust gezeigt, mit „Training“ davor.</translation>
        </message>
        <message>
            <source>Until then the network is not used and no plugin of others runs</source>
            <translation>Bis dahin wird das Netz nicht benutzt, und kein fremdes Plugin läuft</translation>
        </message>
        <message>
            <source>Up and Down move the border</source>
            <translation>Auf und Ab verschieben den Rand</translation>
        </message>
        <message>
            <source>Up and down select a corpus, Return uses it for the next run</source>
            <translation>Auf und Ab wählen einen Korpus aus, Eingabe verwendet ihn für den nächsten Lauf</translation>
        </message>
        <message>
            <source>Up and down select a plugin</source>
            <translation>Auf und ab wählen ein Plugin aus</translation>
        </message>
        <message>
            <source>Up and down select a run, E shows or hides it in the charts, F2 renames, Delete deletes</source>
            <translation>Auf und Ab wählen einen Lauf aus, E zeigt ihn in den Diagrammen oder blendet ihn aus, F2 benennt um, Entf löscht</translation>
        </message>
        <message>
            <source>Up to eight corpora of one kind, texts or rows, with weights that may change while a run trains.</source>
            <translation>Bis zu acht Korpora einer Art, Texte oder Zeilen, mit Gewichten, die sich während eines Laufs ändern lassen.</translation>
        </message>
        <message>
            <source>Update the lab</source>
            <translation>Das Labor aktualisieren</translation>
        </message>
        <message>
            <source>Update the lab or the plugin it belongs to</source>
            <translation>Das Labor oder das zugehörige Plugin aktualisieren</translation>
        </message>
        <message>
            <source>Update the lab, or ask for the recipe as a file</source>
            <translation>Das Labor aktualisieren, oder um das Rezept als Datei bitten</translation>
        </message>
        <message>
            <source>Update the plugin</source>
            <translation>Das Plugin aktualisieren</translation>
        </message>
        <message>
            <source>Upper limit of step sizes; 0 is no limit. Typical: 0.</source>
            <translation>Obergrenze der Schrittweiten; 0 bedeutet keine Grenze. Üblich: 0.</translation>
        </message>
        <message>
            <source>Use * for any characters, as in blocks.0.*</source>
            <translation>* für beliebige Zeichen verwenden, wie in blocks.0.*</translation>
        </message>
        <message>
            <source>Use a part of it</source>
            <translation>Einen Teil davon verwenden</translation>
        </message>
        <message>
            <source>Use a part of it, or close other programs</source>
            <translation>Einen Teil davon verwenden oder andere Programme schließen</translation>
        </message>
        <message>
            <source>Use a part of it: a smaller file suffices for a chain</source>
            <translation>Einen Teil davon verwenden: für eine Kette genügt eine kleinere Datei</translation>
        </message>
        <message>
            <source>Use a torch.Generator of its own. {plugin}</source>
            <translation>Einen eigenen torch.Generator verwenden. {plugin}</translation>
        </message>
        <message>
            <source>Use another checkpoint of the run</source>
            <translation>Einen anderen Checkpoint des Laufs verwenden</translation>
        </message>
        <message>
            <source>Use another copy of the run</source>
            <translation>Eine andere Kopie des Laufs verwenden</translation>
        </message>
        <message>
            <source>Use as configuration</source>
            <translation>Als Konfiguration verwenden</translation>
        </message>
        <message>
            <source>Use as corpus</source>
            <translation>Als Korpus verwenden</translation>
        </message>
        <message>
            <source>Use fewer pictures, or set corpus.size to a smaller one</source>
            <translation>Weniger Bilder verwenden oder corpus.size kleiner setzen</translation>
        </message>
        <message>
            <source>Use my own text</source>
            <translation>Eigenen Text verwenden</translation>
        </message>
        <message>
            <source>Use one matrix as the embedding of source and target and as the output head.</source>
            <translation>Eine Matrix als Embedding von Quelle und Ziel und als Ausgabeschicht verwenden.</translation>
        </message>
        <message>
            <source>Use recipe with live edits as a schedule</source>
            <translation>Rezept mit den Änderungen als Zeitplan verwenden</translation>
        </message>
        <message>
            <source>Use the architecture {title}</source>
            <translation>Architektur {title} verwenden</translation>
        </message>
        <message>
            <source>Use the classes {classes}, or add one</source>
            <translation>Verwende die Klassen {classes} oder ergänze eine</translation>
        </message>
        <message>
            <source>Use the clipboard as corpus</source>
            <translation>Zwischenablage als Korpus verwenden</translation>
        </message>
        <message>
            <source>Use the corpus {title}</source>
            <translation>Korpus {title} verwenden</translation>
        </message>
        <message>
            <source>Use the embedding matrix as the output head.</source>
            <translation>Die Embedding-Matrix auch als Ausgabeschicht verwenden.</translation>
        </message>
        <message>
            <source>Use the text on the clipboard</source>
            <translation>Den Text aus der Zwischenablage verwenden</translation>
        </message>
        <message>
            <source>Use the tokenizer {title}</source>
            <translation>Tokenizer {title} verwenden</translation>
        </message>
        <message>
            <source>Use this corpus for the next run</source>
            <translation>Diesen Korpus für den nächsten Lauf verwenden</translation>
        </message>
        <message>
            <source>Used</source>
            <translation>Verwendet</translation>
        </message>
        <message>
            <source>Used for the next run.</source>
            <translation>Wird für den nächsten Lauf verwendet.</translation>
        </message>
        <message>
            <source>V = {n} different characters</source>
            <translation>V = {n} verschiedene Zeichen</translation>
        </message>
        <message>
            <source>V = {n} symbols</source>
            <translation>V = {n} Symbole</translation>
        </message>
        <message>
            <source>Validation loss in {unit}</source>
            <translation>Validierungsverlust in {unit}</translation>
        </message>
        <message>
            <source>Validation perplexity</source>
            <translation>Validierungsperplexität</translation>
        </message>
        <message>
            <source>Validation share</source>
            <translation>Validierungsanteil</translation>
        </message>
        <message>
            <source>Validation text that is also training text does not test the model. Passages of {n} characters are compared.</source>
            <translation>Validierungstext, der auch Trainingstext ist, prüft das Modell nicht. Verglichen werden Stellen von {n} Zeichen.</translation>
        </message>
        <message>
            <source>Validation tokens read by each evaluation, or targets if the corpus has rows; 0 for all. The final evaluation always reads all. Typical: 10,000 to 100,000.</source>
            <translation>Validierungstokens, die jede Auswertung liest, oder Ziele, wenn der Korpus aus Zeilen besteht; 0 für alle. Die letzte Auswertung liest immer alle. Üblich: 10.000 bis 100.000.</translation>
        </message>
        <message>
            <source>Value of another text</source>
            <translation>Wert eines anderen Textes</translation>
        </message>
        <message>
            <source>Value width</source>
            <translation>Breite der Values</translation>
        </message>
        <message>
            <source>Variation</source>
            <translation>Variation</translation>
        </message>
        <message>
            <source>Vector graphics (*.svg)</source>
            <translation>Vektorgrafik (*.svg)</translation>
        </message>
        <message>
            <source>Vector picture (PDF)</source>
            <translation>Vektorbild (PDF)</translation>
        </message>
        <message>
            <source>Vector picture (SVG)</source>
            <translation>Vektorbild (SVG)</translation>
        </message>
        <message>
            <source>Vectors.inputs has no column</source>
            <translation>Vectors.inputs hat keine Spalte</translation>
        </message>
        <message>
            <source>Vectors.{name} has {names} names for {value} columns</source>
            <translation>Vectors.{name} hat {names} Namen für {value} Spalten</translation>
        </message>
        <message>
            <source>Verify reproducibility</source>
            <translation>Reproduzierbarkeit prüfen</translation>
        </message>
        <message>
            <source>Verifying {run}</source>
            <translation>{run} wird geprüft</translation>
        </message>
        <message>
            <source>Version</source>
            <translation>Version</translation>
        </message>
        <message>
            <source>Version of the card's config that the settings were written for.</source>
            <translation>Version der Konfiguration der Karte, für die die Einstellungen geschrieben wurden.</translation>
        </message>
        <message>
            <source>Version {version}, under the MIT License.</source>
            <translation>Version {version}, unter der MIT-Lizenz.</translation>
        </message>
        <message>
            <source>Versions</source>
            <translation>Versionen</translation>
        </message>
        <message>
            <source>View</source>
            <translation>Ansicht</translation>
        </message>
        <message>
            <source>Views</source>
            <translation>Ansichten</translation>
        </message>
        <message>
            <source>Vocabulary</source>
            <translation>Vokabular</translation>
        </message>
        <message>
            <source>Vocabulary size</source>
            <translation>Größe des Vokabulars</translation>
        </message>
        <message>
            <source>Wait for it</source>
            <translation>Darauf warten</translation>
        </message>
        <message>
            <source>Wait until it is prepared</source>
            <translation>Warten, bis er vorbereitet ist</translation>
        </message>
        <message>
            <source>Wait until the run has ended, or train it again</source>
            <translation>Warten, bis der Lauf beendet ist, oder ihn erneut trainieren</translation>
        </message>
        <message>
            <source>Wait until {runs} has ended</source>
            <translation>Warten, bis {runs} geendet hat</translation>
        </message>
        <message>
            <source>Wait, or press Ctrl+C. {remedy}</source>
            <translation>Warten oder Strg+C drücken. {remedy}</translation>
        </message>
        <message>
            <source>Walk on a circle</source>
            <translation>Spaziergang im Kreis</translation>
        </message>
        <message>
            <source>Warm-up</source>
            <translation>Aufwärmphase</translation>
        </message>
        <message>
            <source>Warm-up and cosine</source>
            <translation>Aufwärmphase und Kosinus</translation>
        </message>
        <message>
            <source>Warming up</source>
            <translation>Aufwärmen</translation>
        </message>
        <message>
            <source>Warning</source>
            <translation>Warnung</translation>
        </message>
        <message>
            <source>Warning: the training text contains validation text</source>
            <translation>Warnung: Der Trainingstext enthält Validierungstext</translation>
        </message>
        <message>
            <source>Warning: {what}</source>
            <translation>Warnung: {what}</translation>
        </message>
        <message>
            <source>Watch a model learn</source>
            <translation>Beim Lernen zusehen</translation>
        </message>
        <message>
            <source>Watch a small model learn, use a text of your own, or train two architectures and compare them. Each card says how long it takes on this machine.</source>
            <translation>Einem kleinen Modell beim Lernen zusehen, einen eigenen Text verwenden oder zwei Architekturen trainieren und vergleichen. Jede Karte sagt, wie lange es auf diesem Rechner dauert.</translation>
        </message>
        <message>
            <source>Watch {run}</source>
            <translation>{run} ansehen</translation>
        </message>
        <message>
            <source>Waves</source>
            <translation>Wellen</translation>
        </message>
        <message>
            <source>Weight</source>
            <translation>Gewicht</translation>
        </message>
        <message>
            <source>Weight averaging</source>
            <translation>Gewichtsmittelung</translation>
        </message>
        <message>
            <source>Weight decay</source>
            <translation>Gewichtsabfall</translation>
        </message>
        <message>
            <source>Weight of the loss on large logits of the router, which prevents its softmax from saturating. Typical: 0, or 0.001.</source>
            <translation>Gewicht des Verlusts auf großen Logits des Routers; er verhindert, dass dessen Softmax sättigt. Üblich: 0 oder 0,001.</translation>
        </message>
        <message>
            <source>Weight of the loss that is least when all experts take equally many tokens; with 0 a few may take them all. It counts each layer by itself. Typical: 0.001 to 0.01.</source>
            <translation>Gewicht des Verlusts, der am kleinsten ist, wenn alle Experten gleich viele Tokens übernehmen; mit 0 können wenige alle übernehmen. Er zählt jede Schicht für sich. Üblich: 0,001 bis 0,01.</translation>
        </message>
        <message>
            <source>Weight tying</source>
            <translation>Gewichtskopplung</translation>
        </message>
        <message>
            <source>Weights</source>
            <translation>Gewichte</translation>
        </message>
        <message>
            <source>Weights between tokens of {what}</source>
            <translation>Gewichte zwischen Tokens: {what}</translation>
        </message>
        <message>
            <source>Weights between tokens, as lines</source>
            <translation>Gewichte zwischen Tokens, als Linien</translation>
        </message>
        <message>
            <source>Weights of 0.6 and 0.3: the first expert counts twice as much as the second.</source>
            <translation>Gewichte 0,6 und 0,3: Der erste Experte zählt doppelt so viel wie der zweite.</translation>
        </message>
        <message>
            <source>What a layer stores from token to token, and how much it still knows of earlier ones</source>
            <translation>Was eine Schicht von Token zu Token speichert und wie viel sie noch von früheren weiß</translation>
        </message>
        <message>
            <source>What a model without hidden layers reaches: logistic regression, or least squares for numbers, fitted until it converges to the vector, the pixels, or how often each token occurs.</source>
            <translation>Was ein Modell ohne verborgene Schichten erreicht: logistische Regression oder bei Zahlen kleinste Quadrate, bis zur Konvergenz angepasst an den Vektor, die Pixel oder die Häufigkeit jedes Tokens.</translation>
        </message>
        <message>
            <source>What belongs to a picture: a class, or a caption.</source>
            <translation>Was zu einem Bild gehört: eine Klasse oder eine Bildunterschrift.</translation>
        </message>
        <message>
            <source>What belongs to a picture: the class of its one shape, or a caption such as "a large red square left of a small blue circle".</source>
            <translation>Was zu einem Bild gehört: die Klasse seiner einen Form oder eine Bildunterschrift wie „a large red square left of a small blue circle“.</translation>
        </message>
        <message>
            <source>What compression reaches without a network: the bits that {name} needs for the validation text after the training text, of which it uses only the last part, as much as its window holds.</source>
            <translation>Was Komprimieren ohne Netz erreicht: die Bits, die {name} für den Validierungstext nach dem Trainingstext braucht, von dem es nur den letzten Teil nutzt, so viel sein Fenster fasst.</translation>
        </message>
        <message>
            <source>What counting reaches without a network: the loss of the best interpolated modified Kneser-Ney model of orders 1 to 10, counted on the training text and evaluated like the curve.</source>
            <translation>Was Zählen ohne Netz erreicht: der Verlust des besten interpolierten modifizierten Kneser-Ney-Modells der Ordnungen 1 bis 10, auf dem Trainingstext gezählt und wie die Kurve ausgewertet.</translation>
        </message>
        <message>
            <source>What do you want to do?</source>
            <translation>Was soll getan werden?</translation>
        </message>
        <message>
            <source>What does it attend to?</source>
            <translation>Worauf achtet es?</translation>
        </message>
        <message>
            <source>What does it predict?</source>
            <translation>Was sagt es vorher?</translation>
        </message>
        <message>
            <source>What does it remember?</source>
            <translation>Woran erinnert es sich?</translation>
        </message>
        <message>
            <source>What followed the end of this text in the training text, by the length of the context</source>
            <translation>Was im Trainingstext auf das Ende dieses Textes folgte, nach Länge des Kontexts</translation>
        </message>
        <message>
            <source>What has a label: each text, or each of its words. Words and their labels are lists, or are separated by spaces.</source>
            <translation>Was ein Label hat: jeder Text oder jedes seiner Wörter. Wörter und ihre Labels sind Listen oder durch Leerzeichen getrennt.</translation>
        </message>
        <message>
            <source>What is shown</source>
            <translation>Was gezeigt wird</translation>
        </message>
        <message>
            <source>What it adds</source>
            <translation>Was es hinzufügt</translation>
        </message>
        <message>
            <source>What it holds. Rows are read from the columns with the usual names, unless settings name others.</source>
            <translation>Was darin steht. Zeilen werden aus den Spalten mit den üblichen Namen gelesen, wenn die Einstellungen keine anderen nennen.</translation>
        </message>
        <message>
            <source>What it tests</source>
            <translation>Was geprüft wird</translation>
        </message>
        <message>
            <source>What occurs once estimates how much of a new text was never seen (Good and Turing).</source>
            <translation>Was einmal vorkommt, schätzt, wie viel eines neuen Textes nie gesehen wurde (Good und Turing).</translation>
        </message>
        <message>
            <source>What one token multiplies the state by, as points in the complex plane</source>
            <translation>Womit ein Token den Zustand multipliziert, als Punkte in der komplexen Ebene</translation>
        </message>
        <message>
            <source>What positions alone add to a score, by the distance of two tokens</source>
            <translation>Was Positionen allein zu einem Score beitragen, nach dem Abstand zweier Tokens</translation>
        </message>
        <message>
            <source>What should do well</source>
            <translation>Was gut abschneiden sollte</translation>
        </message>
        <message>
            <source>What the class is to do, as plain text or Markdown</source>
            <translation>Was die Klasse tun soll, als Text oder Markdown</translation>
        </message>
        <message>
            <source>What the model would predict if it ended after each block</source>
            <translation>Was das Modell vorhersagen würde, wenn es nach jedem Block endete</translation>
        </message>
        <message>
            <source>What the recurrent matrix multiplies the state by after many steps</source>
            <translation>Womit die rekurrente Matrix den Zustand nach vielen Schritten multipliziert</translation>
        </message>
        <message>
            <source>What the target is. Found out: classes if it has text or at most 20 different whole numbers.</source>
            <translation>Was das Ziel ist. Wird erkannt: Klassen, wenn es Text oder höchstens 20 verschiedene ganze Zahlen enthält.</translation>
        </message>
        <message>
            <source>What to do with a row that cannot be used: name it and stop, or leave it out and count it.</source>
            <translation>Was mit einer unbrauchbaren Zeile geschieht: Sie wird genannt und das Lesen abgebrochen, oder sie wird ausgelassen und gezählt.</translation>
        </message>
        <message>
            <source>What was handed in</source>
            <translation>Was abgegeben wurde</translation>
        </message>
        <message>
            <source>Where a walk of six steps ends: addition modulo five, one step after the other.</source>
            <translation>Wo ein Weg aus sechs Schritten endet: Addition modulo fünf, ein Schritt nach dem anderen.</translation>
        </message>
        <message>
            <source>Where does the gradient go?</source>
            <translation>Wohin geht der Gradient?</translation>
        </message>
        <message>
            <source>Where each head reads, as means from the second token on: entropy in bits, mean distance in tokens, and its shares on the previous token, on the first, and, in a repeated random sequence, on the same token and on the one after it; NaN where a layer has fewer heads. The maps of layers without heads have a card of their own.</source>
            <translation>Wo jeder Kopf liest, als Mittel ab dem zweiten Token: Entropie in Bit, mittlerer Abstand in Tokens, und seine Anteile auf dem vorigen Token, auf dem ersten und, in einer wiederholten zufälligen Folge, auf demselben Token und dem danach; NaN, wo eine Schicht weniger Köpfe hat. Die Karten von Schichten ohne Köpfe haben eine eigene Ansicht.</translation>
        </message>
        <message>
            <source>Where it keeps rising, nothing is forgotten; where it is level, as much goes as comes.</source>
            <translation>Wo sie weiter steigt, wird nichts vergessen; wo sie gleich bleibt, geht so viel, wie kommt.</translation>
        </message>
        <message>
            <source>Where the colour fades, the prediction was settled: common words early, rare ones late.</source>
            <translation>Wo die Farbe verblasst, stand die Vorhersage fest: häufige Wörter früh, seltene spät.</translation>
        </message>
        <message>
            <source>Where the highest order is dark, its context was never seen, and shorter ones predict.</source>
            <translation>Wo die höchste Ordnung dunkel ist, kam ihr Kontext nie vor, und kürzere sagen vorher.</translation>
        </message>
        <message>
            <source>Where the line is below 0.01 after ten tokens, little can be learned from what was 20 tokens ago.</source>
            <translation>Wo die Linie nach zehn Tokens unter 0,01 liegt, lässt sich aus dem, was 20 Tokens zurückliegt, wenig lernen.</translation>
        </message>
        <message>
            <source>Whether a decoder finds for each letter the one place of the source where it stands.</source>
            <translation>Ob ein Decoder für jeden Buchstaben die eine Stelle der Quelle findet, an der er steht.</translation>
        </message>
        <message>
            <source>Whether a model can read its memory in the opposite order, as a stack does.</source>
            <translation>Ob ein Modell sein Gedächtnis in umgekehrter Reihenfolge lesen kann, wie ein Stapel.</translation>
        </message>
        <message>
            <source>Whether a model carries one bit of state that every symbol may change.</source>
            <translation>Ob ein Modell ein Bit Zustand mitführt, das jedes Symbol ändern kann.</translation>
        </message>
        <message>
            <source>Whether a model counts how often each symbol occurred; their order does not matter.</source>
            <translation>Ob ein Modell zählt, wie oft jedes Symbol vorkam; die Reihenfolge spielt keine Rolle.</translation>
        </message>
        <message>
            <source>Whether a model finds day, month and year in any of 14 spellings, and writes them in another order.</source>
            <translation>Ob ein Modell Tag, Monat und Jahr in jeder von 14 Schreibweisen findet und in anderer Reihenfolge schreibt.</translation>
        </message>
        <message>
            <source>Whether a model finds the last occurrence of the current token and predicts what followed it.</source>
            <translation>Ob ein Modell das letzte Vorkommen des aktuellen Tokens findet und vorhersagt, was darauf folgte.</translation>
        </message>
        <message>
            <source>Whether a model finds the rule of a table from a part of it, long after memorising that part.</source>
            <translation>Ob ein Modell die Regel einer Tabelle aus einem Teil davon findet, lange nachdem es diesen Teil auswendig kann.</translation>
        </message>
        <message>
            <source>Whether a model learns an algorithm: aligning digits and carrying.</source>
            <translation>Ob ein Modell einen Algorithmus lernt: Ziffern ausrichten und Überträge bilden.</translation>
        </message>
        <message>
            <source>Whether a model learns the probabilities of short contexts and ignores the rest: the last few letters hold all information about the next one.</source>
            <translation>Ob ein Modell die Wahrscheinlichkeiten kurzer Kontexte lernt und den Rest ignoriert: Die letzten paar Buchstaben enthalten alle Information über den nächsten.</translation>
        </message>
        <message>
            <source>Whether a model learns to translate: words, another word order, and endings that agree with a word elsewhere in the sentence.</source>
            <translation>Ob ein Modell zu übersetzen lernt: Wörter, eine andere Wortstellung und Endungen, die sich nach einem Wort an anderer Stelle des Satzes richten.</translation>
        </message>
        <message>
            <source>Whether a model maintains a belief over hidden states and updates it with each letter: no fixed number of last letters holds all that can be known, though each further one adds less.</source>
            <translation>Ob ein Modell eine Überzeugung über verborgene Zustände führt und mit jedem Buchstaben aktualisiert: Keine feste Zahl letzter Buchstaben enthält alles, was man wissen kann, auch wenn jeder weitere weniger hinzufügt.</translation>
        </message>
        <message>
            <source>Whether a model reads negation and contrast, or only counts words: where two clauses disagree, the main one decides, and the same words in another order have the other label.</source>
            <translation>Ob ein Modell Verneinung und Gegensatz liest oder nur Wörter zählt: Wo sich zwei Teilsätze widersprechen, entscheidet der Hauptsatz, und dieselben Wörter in anderer Reihenfolge haben das andere Label.</translation>
        </message>
        <message>
            <source>Whether a model recognises a form wherever it lies and however it is drawn.</source>
            <translation>Ob ein Modell eine Form erkennt, wo auch immer sie liegt und wie auch immer sie gezeichnet ist.</translation>
        </message>
        <message>
            <source>Whether a model remembers rare symbols and their order through long noise.</source>
            <translation>Ob ein Modell sich seltene Symbole und ihre Reihenfolge durch langes Rauschen hindurch merkt.</translation>
        </message>
        <message>
            <source>Whether a model stores a complete string and reproduces it token by token.</source>
            <translation>Ob ein Modell eine ganze Zeichenkette speichert und Token für Token wiedergibt.</translation>
        </message>
        <message>
            <source>Whether a model tells forms apart in any colour and size; with captions, whether it binds size, colour and position to the right shape.</source>
            <translation>Ob ein Modell Formen in jeder Farbe und Größe unterscheidet; mit Bildunterschriften, ob es Größe, Farbe und Lage der richtigen Form zuordnet.</translation>
        </message>
        <message>
            <source>Whether a model tracks a state of several values: a counter modulo the length of the cycle.</source>
            <translation>Ob ein Modell einen Zustand mit mehreren Werten verfolgt: einen Zähler modulo der Länge des Kreises.</translation>
        </message>
        <message>
            <source>Whether a model uses both sides of a word: in the light plants fall, light is an adjective since a noun follows.</source>
            <translation>Ob ein Modell beide Seiten eines Wortes nutzt: In the light plants fall ist light ein Adjektiv, weil ein Substantiv folgt.</translation>
        </message>
        <message>
            <source>Whether a model weighs all words of a text: each is evidence, none is proof, and their order means nothing.</source>
            <translation>Ob ein Modell alle Wörter eines Textes abwägt: Jedes ist ein Hinweis, keines ein Beweis, und ihre Reihenfolge bedeutet nichts.</translation>
        </message>
        <message>
            <source>Whether a network bends its border between the classes as the data demand.</source>
            <translation>Ob ein Netz die Grenze zwischen den Klassen so biegt, wie es die Daten verlangen.</translation>
        </message>
        <message>
            <source>Whether a network fits a curve and not its noise: the mean squared error of the wave itself is the square of the noise.</source>
            <translation>Ob ein Netz eine Kurve lernt und nicht ihr Rauschen: Der mittlere quadratische Fehler der Welle selbst ist das Quadrat des Rauschens.</translation>
        </message>
        <message>
            <source>Whether each head raises the probability of the tokens that it reads</source>
            <translation>Ob jeder Kopf die Wahrscheinlichkeit der Tokens erhöht, die er liest</translation>
        </message>
        <message>
            <source>Whether the first line of a CSV file names its columns. Without names they are called 1, 2 and so on.</source>
            <translation>Ob die erste Zeile einer CSV-Datei die Spalten benennt. Ohne Namen heißen sie 1, 2 und so weiter.</translation>
        </message>
        <message>
            <source>Whether what a model stores depends on what it reads: the positions differ from example to example.</source>
            <translation>Ob das, was ein Modell speichert, davon abhängt, was es liest: Die Positionen unterscheiden sich von Beispiel zu Beispiel.</translation>
        </message>
        <message>
            <source>Which came first</source>
            <translation>Was kam zuerst</translation>
        </message>
        <message>
            <source>Which expert takes which token, and how evenly the work is spread</source>
            <translation>Welcher Experte welches Token übernimmt und wie gleichmäßig die Arbeit verteilt ist</translation>
        </message>
        <message>
            <source>Which value belongs to a key: the loss stays flat for a long time, then drops at once.</source>
            <translation>Welcher Wert zu einem Schlüssel gehört: Der Verlust steht lange still und fällt dann auf einmal.</translation>
        </message>
        <message>
            <source>While it is on, anybody on the local network who knows the address can hand in runs to the folder {folder}. It is off when the window closes.</source>
            <translation>Solange sie an ist, kann jeder im lokalen Netz, der die Adresse kennt, Läufe in den Ordner {folder} abgeben. Sie ist aus, wenn das Fenster geschlossen wird.</translation>
        </message>
        <message>
            <source>Who does the work?</source>
            <translation>Wer macht die Arbeit?</translation>
        </message>
        <message>
            <source>Who is ahead is not known: these runs were never evaluated at the same step.</source>
            <translation>Wer vorn liegt, ist nicht bekannt: Diese Läufe wurden nie beim selben Schritt ausgewertet.</translation>
        </message>
        <message>
            <source>Width</source>
            <translation>Breite</translation>
        </message>
        <message>
            <source>Width at which the learning rate was found: matrices and the head get it times base width / inputs, so that it holds at any width (muP). Needs an untied head. Typical: 0, or 64 to 256.</source>
            <translation>Breite, bei der die Lernrate gefunden wurde: Matrizen und Ausgabeschicht erhalten sie mal Grundbreite / Eingänge, sodass sie für jede Breite gilt (muP). Nötig ist eine eigene Ausgabeschicht. Üblich: 0 oder 64 bis 256.</translation>
        </message>
        <message>
            <source>Width {width}: {parameters} parameters; {run} has {wanted}</source>
            <translation>Breite {width}: {parameters} Parameter; {run} hat {wanted}</translation>
        </message>
        <message>
            <source>Window dilation</source>
            <translation>Dehnung des Fensters</translation>
        </message>
        <message>
            <source>Windows-1252 (Latin-1)</source>
            <translation>Windows-1252 (Latin-1)</translation>
        </message>
        <message>
            <source>With ALiBi and eight heads the first one loses 0.5 for each token of distance, the last one 0.004.</source>
            <translation>Mit ALiBi und acht Köpfen verliert der erste 0,5 für jedes Token Abstand, der letzte 0,004.</translation>
        </message>
        <message>
            <source>With eigenvalues from 0 to 1 it stays at chance: no state can change its sign.</source>
            <translation>Mit Eigenwerten von 0 bis 1 bleibt es beim Zufall: Kein Zustand kann sein Vorzeichen wechseln.</translation>
        </message>
        <message>
            <source>With negative eigenvalues Mamba solves it: look at them in Inspect.</source>
            <translation>Mit negativen Eigenwerten löst Mamba es: unter „Untersuchen“ ansehen.</translation>
        </message>
        <message>
            <source>With negative eigenvalues the same model counts to two, for strings of any length.</source>
            <translation>Mit negativen Eigenwerten zählt dasselbe Modell bis zwei, für Folgen jeder Länge.</translation>
        </message>
        <message>
            <source>With one kind and no maximum depth it takes a counter: LSTMs count, GRUs and recurrent layers with tanh do not (Weiss et al. 2018; Merrill et al. 2020). With several kinds it takes a stack: up to a maximum depth recurrent layers hold it in a state of that size (Hewitt et al. 2020) and transformers find the match with two layers (Yao et al. 2021), while no transformer of fixed size does so at every length (Hahn 2020), and without their own stack all fail beyond the trained lengths (Delétang et al. 2023). N-grams find no match beyond their context. A model that starts in the middle of a text cannot know the stack before its context, so the loss falls with the context length.</source>
            <translation>Mit einer Art und ohne größte Tiefe genügt ein Zähler: LSTMs zählen, GRUs und rekurrente Schichten mit tanh nicht (Weiss et al. 2018; Merrill et al. 2020). Mit mehreren Arten braucht es einen Stapel: Bis zu einer größten Tiefe halten ihn rekurrente Schichten in einem Zustand dieser Größe (Hewitt et al. 2020), und Transformer finden das Gegenstück mit zwei Schichten (Yao et al. 2021), während kein Transformer fester Größe es bei jeder Länge tut (Hahn 2020), und ohne eigenen Stapel versagen alle jenseits der trainierten Längen (Delétang et al. 2023). n-Gramme finden kein Gegenstück jenseits ihres Kontexts. Ein Modell, das mitten in einem Text beginnt, kann den Stapel vor seinem Kontext nicht kennen; der Verlust fällt daher mit der Kontextlänge.</translation>
        </message>
        <message>
            <source>With two runs or more, this place says who is ahead, which losses are comparable, and what the runs reach on the same text.</source>
            <translation>Ab zwei Läufen steht hier, welcher vorn liegt, welche Verluste vergleichbar sind und was die Läufe auf demselben Text erreichen.</translation>
        </message>
        <message>
            <source>With which weights the selected experts are added up, token by token</source>
            <translation>Mit welchen Gewichten die ausgewählten Experten addiert werden, Token für Token</translation>
        </message>
        <message>
            <source>Without a loss on their balance a few experts take all tokens: watch Routing.</source>
            <translation>Ohne einen Verlust auf ihrer Balance übernehmen wenige Experten alle Tokens: unter „Routing“ zu sehen.</translation>
        </message>
        <message>
            <source>Without positions and mask the change is 0: attention alone does not know the order of its inputs.</source>
            <translation>Ohne Positionen und Maske ist die Änderung 0: Attention allein kennt die Reihenfolge ihrer Eingaben nicht.</translation>
        </message>
        <message>
            <source>Witten-Bell</source>
            <translation>Witten-Bell</translation>
        </message>
        <message>
            <source>Word file</source>
            <translation>Word-Datei</translation>
        </message>
        <message>
            <source>Word order of the made language; that of English is subject, verb, object.</source>
            <translation>Wortstellung der erfundenen Sprache; die des Englischen ist Subjekt, Verb, Objekt.</translation>
        </message>
        <message>
            <source>Word, unpacked</source>
            <translation>Word-Inhalt, entpackt</translation>
        </message>
        <message>
            <source>Words</source>
            <translation>Wörter</translation>
        </message>
        <message>
            <source>Words that count as keywords, apart from letters: {list}</source>
            <translation>Wörter, die neben Buchstaben als Schlüsselwörter zählen: {list}</translation>
        </message>
        <message>
            <source>Work in {name}</source>
            <translation>Arbeit in {name}</translation>
        </message>
        <message>
            <source>Working on the lab</source>
            <translation>Am Labor arbeiten</translation>
        </message>
        <message>
            <source>Write --architecture {able} --objective {reader}</source>
            <translation>--architecture {able} --objective {reader} angeben</translation>
        </message>
        <message>
            <source>Write --objective {fit}</source>
            <translation>--objective {fit} schreiben</translation>
        </message>
        <message>
            <source>Write @hookimpl above it (of lab.api)</source>
            <translation>@hookimpl (aus lab.api) darüber schreiben</translation>
        </message>
        <message>
            <source>Write a function lab_register_… with @hookimpl (of lab.api) above it</source>
            <translation>Eine Funktion lab_register_… mit @hookimpl (aus lab.api) darüber schreiben</translation>
        </message>
        <message>
            <source>Write a list</source>
            <translation>Eine Liste schreiben</translation>
        </message>
        <message>
            <source>Write a list of messages</source>
            <translation>Eine Liste von Nachrichten schreiben</translation>
        </message>
        <message>
            <source>Write a plugin</source>
            <translation>Plugin schreiben</translation>
        </message>
        <message>
            <source>Write a text, an equals sign and a number: e=-2</source>
            <translation>Einen Text, ein Gleichheitszeichen und eine Zahl schreiben: e=-2</translation>
        </message>
        <message>
            <source>Write an object with named columns</source>
            <translation>Ein Objekt mit benannten Spalten schreiben</translation>
        </message>
        <message>
            <source>Write facts as text, numbers, lists and dicts of these: str(…), int(…), .tolist()</source>
            <translation>Schreibe Angaben als Text, Zahlen, Listen und Tabellen daraus: str(…), int(…), .tolist()</translation>
        </message>
        <message>
            <source>Write for example --set training.steps=300</source>
            <translation>Zum Beispiel --set training.steps=300 schreiben</translation>
        </message>
        <message>
            <source>Write how it begins</source>
            <translation>Einen Anfang schreiben</translation>
        </message>
        <message>
            <source>Write it again</source>
            <translation>Sie neu schreiben</translation>
        </message>
        <message>
            <source>Write kind="{kind}" on its card</source>
            <translation>Schreibe kind="{kind}" auf die Karte</translation>
        </message>
        <message>
            <source>Write numbers as text, and leave rows out that have none</source>
            <translation>Schreibe Zahlen als Text und lass Zeilen ohne Text weg</translation>
        </message>
        <message>
            <source>Write one of {cards} before the colon</source>
            <translation>Eines von {cards} vor den Doppelpunkt schreiben</translation>
        </message>
        <message>
            <source>Write role and content</source>
            <translation>role und content schreiben</translation>
        </message>
        <message>
            <source>Write strength</source>
            <translation>Schreibstärke</translation>
        </message>
        <message>
            <source>Write text or a number</source>
            <translation>Text oder eine Zahl schreiben</translation>
        </message>
        <message>
            <source>Write the data set with its pictures embedded</source>
            <translation>Den Datensatz mit eingebetteten Bildern schreiben</translation>
        </message>
        <message>
            <source>Write the hook as: def {hook}(register):</source>
            <translation>Den Hook so schreiben: def {hook}(register):</translation>
        </message>
        <message>
            <source>Write the sum from its last digit on, in the direction of carries.</source>
            <translation>Die Summe von der letzten Ziffer an schreiben, in Richtung der Überträge.</translation>
        </message>
        <message>
            <source>Write the text in the symbols of the source</source>
            <translation>Den Text in den Symbolen der Quelle schreiben</translation>
        </message>
        <message>
            <source>Write them as blocks of their own: {value}</source>
            <translation>Sie als eigene Blöcke schreiben: {value}</translation>
        </message>
        <message>
            <source>Write, for example: {name} = {example}. {until}</source>
            <translation>Zum Beispiel: {name} = {example}. {until}</translation>
        </message>
        <message>
            <source>Writes the configuration for a class to one file. Students open it with a double click; nothing in it runs by itself.</source>
            <translation>Schreibt die Konfiguration für eine Klasse in eine Datei. Geöffnet wird sie mit einem Doppelklick; nichts darin läuft von selbst.</translation>
        </message>
        <message>
            <source>Writing</source>
            <translation>Schreiben</translation>
        </message>
        <message>
            <source>Writing a checkpoint of {title}</source>
            <translation>Schreiben eines Checkpoints von {title}</translation>
        </message>
        <message>
            <source>Writing labels</source>
            <translation>Beschriftungen werden geschrieben</translation>
        </message>
        <message>
            <source>Writing plugins</source>
            <translation>Plugins schreiben</translation>
        </message>
        <message>
            <source>Writing the size of the decoding state</source>
            <translation>Größe des Decodierzustands wird geschrieben</translation>
        </message>
        <message>
            <source>Writing the tokens as text</source>
            <translation>Schreiben der Tokens als Text</translation>
        </message>
        <message>
            <source>Writing {file}</source>
            <translation>{file} schreiben</translation>
        </message>
        <message>
            <source>XOR</source>
            <translation>XOR</translation>
        </message>
        <message>
            <source>Xavier</source>
            <translation>Xavier</translation>
        </message>
        <message>
            <source>Years</source>
            <translation>Jahre</translation>
        </message>
        <message>
            <source>Years from the first one on; at most 100, so that the last two digits determine a year.</source>
            <translation>Jahre ab dem ersten; höchstens 100, damit die letzten beiden Ziffern das Jahr bestimmen.</translation>
        </message>
        <message>
            <source>You selected it.</source>
            <translation>Es wurde von Hand gewählt.</translation>
        </message>
        <message>
            <source>You trust the file {name} in the plugins folder, also after it is edited.</source>
            <translation>Das Vertrauen gilt der Datei {name} im Plugin-Ordner, auch wenn sie später geändert wird.</translation>
        </message>
        <message>
            <source>You trust the installed package {name}, in this version only.</source>
            <translation>Das Vertrauen gilt dem installierten Paket {name}, nur in dieser Version.</translation>
        </message>
        <message>
            <source>You trust {name}, which is shared on this machine, also after it is changed there.</source>
            <translation>Vertraut wird {name}, das auf diesem Rechner freigegeben ist, auch nachdem es dort geändert wurde.</translation>
        </message>
        <message>
            <source>Your name</source>
            <translation>Name</translation>
        </message>
        <message>
            <source>Your name is stored in the file that is handed in, and nowhere else. Nobody's file is overwritten.</source>
            <translation>Der Name wird in der abgegebenen Datei gespeichert und sonst nirgends. Keine Datei wird überschrieben.</translation>
        </message>
        <message>
            <source>Your own pictures with a class or a caption each: a folder, a Parquet file or a data set.</source>
            <translation>Eigene Bilder mit je einer Klasse oder Beschreibung: ein Ordner, eine Parquet-Datei oder ein Datensatz.</translation>
        </message>
        <message>
            <source>Your own text, code, table, page or document, or all such files of a folder.</source>
            <translation>Eigener Text, Code, eine Tabelle, eine Seite oder ein Dokument, oder alle solchen Dateien eines Ordners.</translation>
        </message>
        <message>
            <source>Your own texts with a label each, or words with a label each: two columns of a table.</source>
            <translation>Eigene Texte mit je einem Label oder Wörter mit je einem Label: zwei Spalten einer Tabelle.</translation>
        </message>
        <message>
            <source>Your own translations, questions and answers, or other pairs: two columns of a table.</source>
            <translation>Eigene Übersetzungen, Fragen und Antworten oder andere Paare: zwei Spalten einer Tabelle.</translation>
        </message>
        <message>
            <source>Your runs and other files may take {size} GB.</source>
            <translation>Läufe und andere Dateien dürfen {size} GB belegen.</translation>
        </message>
        <message>
            <source>Your text</source>
            <translation>Eigener Text</translation>
        </message>
        <message>
            <source>Zipf's law: a word of rank r is about 1/rˢ times as frequent as the first one. Dashed lines are fits.</source>
            <translation>Zipfsches Gesetz: Ein Wort vom Rang r ist etwa 1/rˢ-mal so häufig wie das erste. Gestrichelte Linien sind Anpassungen.</translation>
        </message>
        <message>
            <source>a batch of {batch_size} examples of {context_length} tokens does not fit into memory: tokens and logits alone take {needed}B, {free}B are free</source>
            <translation>ein Batch aus {batch_size} Beispielen mit {context_length} Tokens passt nicht in den Speicher: schon Tokens und Logits belegen {needed}B, {free}B sind frei</translation>
        </message>
        <message>
            <source>a block does not have its stated length</source>
            <translation>ein Block hat nicht die angegebene Länge</translation>
        </message>
        <message>
            <source>a block does not have its stated steps</source>
            <translation>ein Block hat nicht die angegebenen Schritte</translation>
        </message>
        <message>
            <source>a checkpoint of another run, which is not in the link</source>
            <translation>ein Checkpoint eines anderen Laufs, der nicht im Link steht</translation>
        </message>
        <message>
            <source>a class stands in one column</source>
            <translation>eine Klasse steht in einer einzigen Spalte</translation>
        </message>
        <message>
            <source>a comma or the end</source>
            <translation>ein Komma oder das Ende</translation>
        </message>
        <message>
            <source>a context needs one less</source>
            <translation>ein Kontext braucht eines weniger</translation>
        </message>
        <message>
            <source>a corpus with at least 2 tokens in training and in validation</source>
            <translation>ein Korpus mit mindestens 2 Tokens in Training und Validierung</translation>
        </message>
        <message>
            <source>a counting model needs text</source>
            <translation>ein zählendes Modell braucht Text</translation>
        </message>
        <message>
            <source>a crash in the plugin {name} could not be detected: {what}</source>
            <translation>ein Absturz im Plugin {name} ließ sich nicht erkennen: {what}</translation>
        </message>
        <message>
            <source>a description is not that of a reading</source>
            <translation>eine Beschreibung ist nicht die eines Messwerts</translation>
        </message>
        <message>
            <source>a diagonal matrix of the eigenvalues</source>
            <translation>eine Diagonalmatrix der Eigenwerte</translation>
        </message>
        <message>
            <source>a dict</source>
            <translation>eine Tabelle (dict)</translation>
        </message>
        <message>
            <source>a direction of the state</source>
            <translation>eine Richtung des Zustands</translation>
        </message>
        <message>
            <source>a divisor of {heads}</source>
            <translation>ein Teiler von {heads}</translation>
        </message>
        <message>
            <source>a divisor of {rows} and of {columns}</source>
            <translation>ein Teiler von {rows} und von {columns}</translation>
        </message>
        <message>
            <source>a file NAME.py that does not start with _ or .</source>
            <translation>eine Datei NAME.py, die nicht mit _ oder . beginnt</translation>
        </message>
        <message>
            <source>a file or its folder</source>
            <translation>eine Datei oder ihr Ordner</translation>
        </message>
        <message>
            <source>a file was damaged as soon as it was written</source>
            <translation>eine Datei war gleich nach dem Schreiben beschädigt</translation>
        </message>
        <message>
            <source>a finite number ≥ 0</source>
            <translation>eine endliche Zahl ≥ 0</translation>
        </message>
        <message>
            <source>a hidden byte</source>
            <translation>ein verdecktes Byte</translation>
        </message>
        <message>
            <source>a hidden character</source>
            <translation>ein verdecktes Zeichen</translation>
        </message>
        <message>
            <source>a hidden symbol</source>
            <translation>ein verdecktes Symbol</translation>
        </message>
        <message>
            <source>a hidden token</source>
            <translation>ein verdecktes Token</translation>
        </message>
        <message>
            <source>a hidden word</source>
            <translation>ein verdecktes Wort</translation>
        </message>
        <message>
            <source>a killed process left it half written, and that cannot be rolled back on this drive</source>
            <translation>ein abgebrochener Prozess hat sie halb geschrieben hinterlassen, und auf diesem Laufwerk lässt sich das nicht zurücknehmen</translation>
        </message>
        <message>
            <source>a lab.api.Batch</source>
            <translation>ein lab.api.Batch</translation>
        </message>
        <message>
            <source>a lab.api.Loss</source>
            <translation>ein lab.api.Loss</translation>
        </message>
        <message>
            <source>a lab.layers.LanguageModel</source>
            <translation>ein lab.layers.LanguageModel</translation>
        </message>
        <message>
            <source>a length, at most the order of the model</source>
            <translation>eine Länge, höchstens die Ordnung des Modells</translation>
        </message>
        <message>
            <source>a list of at most {largest} words longer than a character, none twice</source>
            <translation>eine Liste von höchstens {largest} Wörtern mit mehr als einem Zeichen, keines doppelt</translation>
        </message>
        <message>
            <source>a list of cpu, cuda, cuda:0, cuda:1 and so on, mps</source>
            <translation>eine Liste aus cpu, cuda, cuda:0, cuda:1 und so weiter, mps</translation>
        </message>
        <message>
            <source>a list of data, inspect, play, compare, plugins</source>
            <translation>eine Liste aus data, inspect, play, compare, plugins</translation>
        </message>
        <message>
            <source>a list of lab.api.Turn</source>
            <translation>eine Liste von lab.api.Turn</translation>
        </message>
        <message>
            <source>a list of names of plugins</source>
            <translation>eine Liste von Namen von Plugins</translation>
        </message>
        <message>
            <source>a list of whole numbers</source>
            <translation>eine Liste ganzer Zahlen</translation>
        </message>
        <message>
            <source>a log-probability for each symbol, {lowest} ≤ x ≤ 0</source>
            <translation>eine Log-Wahrscheinlichkeit für jedes Symbol, {lowest} ≤ x ≤ 0</translation>
        </message>
        <message>
            <source>a mixture draws its examples by weight, in no other order</source>
            <translation>eine Mischung zieht ihre Beispiele nach Gewicht, in keiner anderen Reihenfolge</translation>
        </message>
        <message>
            <source>a mixture has at least two parts</source>
            <translation>eine Mischung hat mindestens zwei Teile</translation>
        </message>
        <message>
            <source>a model of one symbol has no other to replace it</source>
            <translation>ein Modell mit einem Symbol hat kein anderes als Ersatz</translation>
        </message>
        <message>
            <source>a model of one symbol has nothing to recall</source>
            <translation>ein Modell mit einem Symbol hat nichts abzurufen</translation>
        </message>
        <message>
            <source>a model of this size does not fit into memory</source>
            <translation>ein Modell dieser Größe passt nicht in den Speicher</translation>
        </message>
        <message>
            <source>a model of {parameters} parameters does not fit into memory: training needs {needed}B, {free}B are free</source>
            <translation>ein Modell mit {parameters} Parametern passt nicht in den Speicher: das Training braucht {needed}B, {free}B sind frei</translation>
        </message>
        <message>
            <source>a model that reads both ways carries no state</source>
            <translation>ein Modell, das in beide Richtungen liest, trägt keinen Zustand</translation>
        </message>
        <message>
            <source>a model that reads both ways predicts no next token</source>
            <translation>ein Modell, das in beide Richtungen liest, sagt kein nächstes Token voraus</translation>
        </message>
        <message>
            <source>a multiple of {n}</source>
            <translation>ein Vielfaches von {n}</translation>
        </message>
        <message>
            <source>a name</source>
            <translation>ein Name</translation>
        </message>
        <message>
            <source>a name for display</source>
            <translation>ein lesbarer Name</translation>
        </message>
        <message>
            <source>a name for each column, or ()</source>
            <translation>ein Name für jede Spalte, oder ()</translation>
        </message>
        <message>
            <source>a new or empty folder</source>
            <translation>ein neuer oder leerer Ordner</translation>
        </message>
        <message>
            <source>a number</source>
            <translation>eine Zahl</translation>
        </message>
        <message>
            <source>a number of GB from 0.1 to 1,000,000</source>
            <translation>eine Zahl von GB von 0.1 bis 1000000</translation>
        </message>
        <message>
            <source>a number of this corpus is no probability</source>
            <translation>eine Zahl dieses Korpus ist keine Wahrscheinlichkeit</translation>
        </message>
        <message>
            <source>a number, 0 or more</source>
            <translation>eine Zahl, 0 oder mehr</translation>
        </message>
        <message>
            <source>a numpy array {allowed}</source>
            <translation>ein numpy-Array {allowed}</translation>
        </message>
        <message>
            <source>a picture of {width} × {height} pixels</source>
            <translation>ein Bild mit {width} × {height} Pixeln</translation>
        </message>
        <message>
            <source>a plugin by others</source>
            <translation>ein fremdes Plugin</translation>
        </message>
        <message>
            <source>a plugin of the lab</source>
            <translation>ein Plugin des Labors</translation>
        </message>
        <message>
            <source>a point on the unit circle, at which the kernel is evaluated</source>
            <translation>ein Punkt auf dem Einheitskreis, an dem der Kern ausgewertet wird</translation>
        </message>
        <message>
            <source>a pre_tokenizer that keeps all of it</source>
            <translation>ein pre_tokenizer, der alles davon behält</translation>
        </message>
        <message>
            <source>a query or a key</source>
            <translation>eine Query oder ein Key</translation>
        </message>
        <message>
            <source>a recipe</source>
            <translation>ein Rezept</translation>
        </message>
        <message>
            <source>a recipe without a title</source>
            <translation>ein Rezept ohne Titel</translation>
        </message>
        <message>
            <source>a refusal</source>
            <translation>eine Ablehnung</translation>
        </message>
        <message>
            <source>a run cannot be exported in this format</source>
            <translation>ein Lauf kann nicht in diesem Format exportiert werden</translation>
        </message>
        <message>
            <source>a run needs a new or empty folder, and this one is not empty</source>
            <translation>ein Lauf braucht einen neuen oder leeren Ordner, und dieser ist nicht leer</translation>
        </message>
        <message>
            <source>a run stores plain data, not a {name}</source>
            <translation>ein Lauf speichert einfache Daten, kein {name}</translation>
        </message>
        <message>
            <source>a second signal ended the process at once</source>
            <translation>ein zweites Signal hat den Prozess sofort beendet</translation>
        </message>
        <message>
            <source>a series has a longer tail than a block</source>
            <translation>eine Reihe hat ein längeres Ende als ein Block</translation>
        </message>
        <message>
            <source>a series has more than {blocks} blocks</source>
            <translation>eine Reihe hat mehr als {blocks} Blöcke</translation>
        </message>
        <message>
            <source>a short training could not be made</source>
            <translation>ein kurzes Training war nicht möglich</translation>
        </message>
        <message>
            <source>a short training failed</source>
            <translation>ein kurzes Training ist fehlgeschlagen</translation>
        </message>
        <message>
            <source>a small model did not learn in {steps} steps</source>
            <translation>ein kleines Modell hat in {steps} Schritten nichts gelernt</translation>
        </message>
        <message>
            <source>a small model learned in {steps} steps: its loss fell from {start} to {last} nats per token</source>
            <translation>ein kleines Modell hat in {steps} Schritten gelernt: Sein Verlust fiel von {start} auf {last} Nats pro Token</translation>
        </message>
        <message>
            <source>a str</source>
            <translation>ein str</translation>
        </message>
        <message>
            <source>a sum over the states, for two of the vectors</source>
            <translation>eine Summe über die Zustände, für zwei der Vektoren</translation>
        </message>
        <message>
            <source>a symbol for each of the 256 bytes</source>
            <translation>ein Symbol für jedes der 256 Bytes</translation>
        </message>
        <message>
            <source>a table that grows with the text</source>
            <translation>eine Tabelle, die mit dem Text wächst</translation>
        </message>
        <message>
            <source>a table with "model"</source>
            <translation>eine Tabelle mit "model"</translation>
        </message>
        <message>
            <source>a table with only {names}</source>
            <translation>eine Tabelle nur mit {names}</translation>
        </message>
        <message>
            <source>a table with several rows, or a folder with several files</source>
            <translation>eine Tabelle mit mehreren Zeilen oder ein Ordner mit mehreren Dateien</translation>
        </message>
        <message>
            <source>a text, or a source whose examples have a length, such as copy or parity</source>
            <translation>ein Text, oder eine Quelle, deren Beispiele eine Länge haben, wie copy oder parity</translation>
        </message>
        <message>
            <source>a text, or examples that have a length</source>
            <translation>ein Text, oder Beispiele mit einer Länge</translation>
        </message>
        <message>
            <source>a thread</source>
            <translation>ein Thread</translation>
        </message>
        <message>
            <source>a token mixer, a channel mixer, or token+channel</source>
            <translation>ein Token-Mixer, ein Kanal-Mixer oder Token+Kanal</translation>
        </message>
        <message>
            <source>a token of the training text has probability 0</source>
            <translation>ein Token des Trainingstextes hat die Wahrscheinlichkeit 0</translation>
        </message>
        <message>
            <source>a token of the validation text has probability 0</source>
            <translation>ein Token des Validierungstextes hat die Wahrscheinlichkeit 0</translation>
        </message>
        <message>
            <source>a token that is read</source>
            <translation>ein gelesenes Token</translation>
        </message>
        <message>
            <source>a token that may come next</source>
            <translation>ein Token, das als nächstes kommen kann</translation>
        </message>
        <message>
            <source>a tokenizer.json of Hugging Face</source>
            <translation>eine tokenizer.json von Hugging Face</translation>
        </message>
        <message>
            <source>a tokenizer.json that the library tokenizers reads</source>
            <translation>eine tokenizer.json, die die Bibliothek tokenizers liest</translation>
        </message>
        <message>
            <source>a torch.optim.Optimizer</source>
            <translation>ein torch.optim.Optimizer</translation>
        </message>
        <message>
            <source>a tuple of names</source>
            <translation>ein Tupel von Namen</translation>
        </message>
        <message>
            <source>a turn of row {number} has the role {role}</source>
            <translation>ein Beitrag in Zeile {number} hat die Rolle {role}</translation>
        </message>
        <message>
            <source>a whole number from 1 to 1,024</source>
            <translation>eine ganze Zahl von 1 bis 1024</translation>
        </message>
        <message>
            <source>a whole number, 1 or more</source>
            <translation>eine ganze Zahl, 1 oder mehr</translation>
        </message>
        <message>
            <source>a word without white space and commas that does not start with + or -</source>
            <translation>ein Wort ohne Leerraum und Kommas, das nicht mit + oder - beginnt</translation>
        </message>
        <message>
            <source>absolute-discounting</source>
            <translation>Absolute Discounting</translation>
        </message>
        <message>
            <source>accuracy</source>
            <translation>Trefferquote</translation>
        </message>
        <message>
            <source>across {x} · up {y}</source>
            <translation>waagerecht {x} · senkrecht {y}</translation>
        </message>
        <message>
            <source>activations of a token</source>
            <translation>Aktivierungen eines Tokens</translation>
        </message>
        <message>
            <source>add-k</source>
            <translation>Add-k</translation>
        </message>
        <message>
            <source>add-k-5</source>
            <translation>add-k-5</translation>
        </message>
        <message>
            <source>added plugins</source>
            <translation>hinzugefügte Plugins</translation>
        </message>
        <message>
            <source>after the prompt</source>
            <translation>nach dem Prompt</translation>
        </message>
        <message>
            <source>after the source</source>
            <translation>nach der Quelle</translation>
        </message>
        <message numerus="yes">
            <source>after {n} tokens</source>
            <translation>
                <numerusform>nach {n} Token</numerusform>
                <numerusform>nach {n} Tokens</numerusform>
            </translation>
        </message>
        <message>
            <source>after {read}</source>
            <translation>nach {read}</translation>
        </message>
        <message>
            <source>ahead of {run} by {gap} {unit}</source>
            <translation>um {gap} {unit} vor {run}</translation>
        </message>
        <message>
            <source>alice</source>
            <translation>alice</translation>
        </message>
        <message>
            <source>all</source>
            <translation>alle</translation>
        </message>
        <message>
            <source>all labels are {found}: there is nothing to learn</source>
            <translation>alle Labels sind {found}: Es gibt nichts zu lernen</translation>
        </message>
        <message>
            <source>all of the block, then its {parts}</source>
            <translation>alles im Block, dann seine {parts}</translation>
        </message>
        <message>
            <source>all of the validation text, the others on {n} tokens</source>
            <translation>der ganze Validierungstext, die anderen auf {n} Tokens</translation>
        </message>
        <message>
            <source>all rows</source>
            <translation>alle Zeilen</translation>
        </message>
        <message>
            <source>all topics</source>
            <translation>alle Themen</translation>
        </message>
        <message>
            <source>all validation tokens</source>
            <translation>alle Validierungstokens</translation>
        </message>
        <message>
            <source>already exists</source>
            <translation>existiert bereits</translation>
        </message>
        <message>
            <source>among {n}</source>
            <translation>unter {n}</translation>
        </message>
        <message>
            <source>an address like http://proxy.example:3128</source>
            <translation>eine Adresse wie http://proxy.example:3128</translation>
        </message>
        <message>
            <source>an eigenvalue: what a direction is multiplied by</source>
            <translation>ein Eigenwert: womit eine Richtung multipliziert wird</translation>
        </message>
        <message>
            <source>an empty table</source>
            <translation>eine leere Tabelle</translation>
        </message>
        <message>
            <source>an n-gram</source>
            <translation>ein n-Gramm</translation>
        </message>
        <message>
            <source>an n-gram of the training text was never counted</source>
            <translation>ein n-Gramm des Trainingstextes wurde nie gezählt</translation>
        </message>
        <message>
            <source>an n-gram of the validation text was never counted</source>
            <translation>ein n-Gramm des Validierungstextes wurde nie gezählt</translation>
        </message>
        <message>
            <source>an objective without carried state, such as causal</source>
            <translation>ein Ziel ohne mitgeführten Zustand, etwa causal</translation>
        </message>
        <message>
            <source>and {count} more</source>
            <translation>und {count} weitere</translation>
        </message>
        <message>
            <source>and {count} others</source>
            <translation>und {count} weitere</translation>
        </message>
        <message>
            <source>and {n} more</source>
            <translation>und {n} weitere</translation>
        </message>
        <message>
            <source>another corpus</source>
            <translation>ein anderer Korpus</translation>
        </message>
        <message>
            <source>another number of steps</source>
            <translation>eine andere Zahl von Schritten</translation>
        </message>
        <message>
            <source>another objective</source>
            <translation>eine andere Zielfunktion</translation>
        </message>
        <message>
            <source>another order of the tokens</source>
            <translation>eine andere Reihenfolge der Tokens</translation>
        </message>
        <message>
            <source>another protocol</source>
            <translation>ein anderes Verfahren</translation>
        </message>
        <message>
            <source>another run</source>
            <translation>ein anderer Lauf</translation>
        </message>
        <message>
            <source>another split</source>
            <translation>eine andere Aufteilung</translation>
        </message>
        <message>
            <source>another validation split</source>
            <translation>eine andere Validierungsaufteilung</translation>
        </message>
        <message>
            <source>another vocabulary</source>
            <translation>ein anderes Vokabular</translation>
        </message>
        <message>
            <source>answers</source>
            <translation>Antworten</translation>
        </message>
        <message>
            <source>architecture</source>
            <translation>Architektur</translation>
        </message>
        <message>
            <source>are not numbers of symbols</source>
            <translation>sind keine Nummern von Symbolen</translation>
        </message>
        <message>
            <source>are too many</source>
            <translation>sind zu viele</translation>
        </message>
        <message>
            <source>as AdamW</source>
            <translation>wie AdamW</translation>
        </message>
        <message>
            <source>as counted</source>
            <translation>gezählt</translation>
        </message>
        <message>
            <source>as it is</source>
            <translation>unverändert</translation>
        </message>
        <message>
            <source>as it is now</source>
            <translation>im jetzigen Stand</translation>
        </message>
        <message>
            <source>as many of one as of the other</source>
            <translation>von beiden gleich viele</translation>
        </message>
        <message>
            <source>as the source defines length</source>
            <translation>wie die Quelle Länge festlegt</translation>
        </message>
        <message>
            <source>as they are</source>
            <translation>unverändert</translation>
        </message>
        <message>
            <source>as-you-like-it</source>
            <translation>as-you-like-it</translation>
        </message>
        <message>
            <source>at least one</source>
            <translation>mindestens eine</translation>
        </message>
        <message>
            <source>at least one character</source>
            <translation>mindestens ein Zeichen</translation>
        </message>
        <message>
            <source>at least two</source>
            <translation>mindestens zwei</translation>
        </message>
        <message>
            <source>at least two tokens are needed to see whether a state grows</source>
            <translation>mindestens zwei Tokens sind nötig, um zu sehen, ob ein Zustand wächst</translation>
        </message>
        <message>
            <source>at least {data}</source>
            <translation>mindestens {data}</translation>
        </message>
        <message>
            <source>at least {fewest} rows</source>
            <translation>mindestens {fewest} Zeilen</translation>
        </message>
        <message>
            <source>at least {needed} for these rows</source>
            <translation>mindestens {needed} für diese Zeilen</translation>
        </message>
        <message>
            <source>at least {needed} for this source</source>
            <translation>mindestens {needed} für diese Quelle</translation>
        </message>
        <message>
            <source>at least {n} long</source>
            <translation>mindestens {n} lang</translation>
        </message>
        <message>
            <source>at most as many symbols as the model has</source>
            <translation>höchstens so viele Symbole, wie das Modell hat</translation>
        </message>
        <message>
            <source>at most {busiest}</source>
            <translation>höchstens {busiest}</translation>
        </message>
        <message>
            <source>at most {cells} probabilities: order {v} with {v2} letters</source>
            <translation>höchstens {cells} Wahrscheinlichkeiten: Ordnung {v} mit {v2} Buchstaben</translation>
        </message>
        <message>
            <source>at most {free} MB of text now</source>
            <translation>jetzt höchstens {free} MB Text</translation>
        </message>
        <message>
            <source>at most {keys} for {size} symbols</source>
            <translation>höchstens {keys} bei {size} Symbolen</translation>
        </message>
        <message>
            <source>at most {largest} MB</source>
            <translation>höchstens {largest} MB</translation>
        </message>
        <message>
            <source>at most {largest} MiB</source>
            <translation>höchstens {largest} MiB</translation>
        </message>
        <message>
            <source>at most {length} for examples of {length2} tokens</source>
            <translation>höchstens {length} bei Beispielen mit {length2} Tokens</translation>
        </message>
        <message>
            <source>at most {limit} characters</source>
            <translation>höchstens {limit} Zeichen</translation>
        </message>
        <message>
            <source>at most {longest_page}B</source>
            <translation>höchstens {longest_page}B</translation>
        </message>
        <message>
            <source>at most {longest} tokens</source>
            <translation>höchstens {longest} Tokens</translation>
        </message>
        <message>
            <source>at most {most_bytes} bytes</source>
            <translation>höchstens {most_bytes} Bytes</translation>
        </message>
        <message>
            <source>at most {most_calls} calls of torch</source>
            <translation>höchstens {most_calls} Aufrufe von torch</translation>
        </message>
        <message>
            <source>at most {most_columns} columns</source>
            <translation>höchstens {most_columns} Spalten</translation>
        </message>
        <message>
            <source>at most {most_rows} rows</source>
            <translation>höchstens {most_rows} Zeilen</translation>
        </message>
        <message>
            <source>at most {most} pictures of this size</source>
            <translation>höchstens {most} Bilder dieser Größe</translation>
        </message>
        <message>
            <source>at most {most}, or 0 for as many as are allowed</source>
            <translation>höchstens {most}, oder 0 für so viele, wie erlaubt sind</translation>
        </message>
        <message>
            <source>at most {n} for this corpus</source>
            <translation>höchstens {n} bei diesem Korpus</translation>
        </message>
        <message>
            <source>at most {n} long</source>
            <translation>höchstens {n} lang</translation>
        </message>
        <message>
            <source>at most {parameters} parameters now</source>
            <translation>jetzt höchstens {parameters} Parameter</translation>
        </message>
        <message>
            <source>at most {reach} positions</source>
            <translation>höchstens {reach} Positionen</translation>
        </message>
        <message>
            <source>at most {windows} for this corpus and context length</source>
            <translation>höchstens {windows} für diesen Korpus und diese Kontextlänge</translation>
        </message>
        <message>
            <source>at step {step}; {verdict}</source>
            <translation>bei Schritt {step}; {verdict}</translation>
        </message>
        <message>
            <source>at the end</source>
            <translation>am Ende</translation>
        </message>
        <message>
            <source>at the start</source>
            <translation>am Anfang</translation>
        </message>
        <message>
            <source>at token {n}</source>
            <translation>bei Token {n}</translation>
        </message>
        <message>
            <source>attention</source>
            <translation>Attention</translation>
        </message>
        <message>
            <source>auto</source>
            <translation>auto</translation>
        </message>
        <message>
            <source>auto ({value})</source>
            <translation>auto ({value})</translation>
        </message>
        <message>
            <source>background: expert with the largest gate weight · underline: the second one</source>
            <translation>Hintergrund: Experte mit dem größten Gate-Gewicht · Unterstreichung: der zweite</translation>
        </message>
        <message>
            <source>balance {figure} (even is 1)</source>
            <translation>Balance {figure} (gleichmäßig ist 1)</translation>
        </message>
        <message>
            <source>base</source>
            <translation>base</translation>
        </message>
        <message>
            <source>based</source>
            <translation>based</translation>
        </message>
        <message>
            <source>batch</source>
            <translation>Batch</translation>
        </message>
        <message>
            <source>batch · tokens</source>
            <translation>Batch · Tokens</translation>
        </message>
        <message>
            <source>being measured</source>
            <translation>wird gemessen</translation>
        </message>
        <message>
            <source>best constant</source>
            <translation>beste Konstante</translation>
        </message>
        <message>
            <source>best loss</source>
            <translation>bester Verlust</translation>
        </message>
        <message>
            <source>best {series}</source>
            <translation>bester Wert: {series}</translation>
        </message>
        <message>
            <source>between 2</source>
            <translation>unter 2</translation>
        </message>
        <message>
            <source>bfloat16</source>
            <translation>bfloat16</translation>
        </message>
        <message>
            <source>big</source>
            <translation>big</translation>
        </message>
        <message>
            <source>bigram</source>
            <translation>Bigramm</translation>
        </message>
        <message>
            <source>bilinear</source>
            <translation>bilinear</translation>
        </message>
        <message>
            <source>bin ({n}) ▾</source>
            <translation>Papierkorb ({n}) ▾</translation>
        </message>
        <message>
            <source>bin ▾</source>
            <translation>Papierkorb ▾</translation>
        </message>
        <message>
            <source>bits</source>
            <translation>Bit</translation>
        </message>
        <message>
            <source>bits per byte</source>
            <translation>Bits pro Byte</translation>
        </message>
        <message>
            <source>bits per character</source>
            <translation>Bits pro Zeichen</translation>
        </message>
        <message>
            <source>bits per token</source>
            <translation>Bits pro Token</translation>
        </message>
        <message>
            <source>bits/byte</source>
            <translation>Bits/Byte</translation>
        </message>
        <message>
            <source>blobs</source>
            <translation>Wolken</translation>
        </message>
        <message>
            <source>block</source>
            <translation>Block</translation>
        </message>
        <message>
            <source>block {block} would have no expert left</source>
            <translation>Block {block} hätte keinen Experten mehr</translation>
        </message>
        <message>
            <source>block {n}</source>
            <translation>Block {n}</translation>
        </message>
        <message>
            <source>block {n} of the {stack}</source>
            <translation>Block {n} des Stapels {stack}</translation>
        </message>
        <message>
            <source>block {shown}; block {selected} has none</source>
            <translation>Block {shown}; Block {selected} hat keine</translation>
        </message>
        <message>
            <source>blocks</source>
            <translation>Blöcke</translation>
        </message>
        <message>
            <source>blocks such as attention+mlp*2, mamba, (mamba*3, attention)*2, [attention+mlp]</source>
            <translation>Blöcke wie attention+mlp*2, mamba, (mamba*3, attention)*2, [attention+mlp]</translation>
        </message>
        <message>
            <source>bound</source>
            <translation>Schranke</translation>
        </message>
        <message>
            <source>brackets</source>
            <translation>Klammern</translation>
        </message>
        <message>
            <source>brings the numbers of a position to one size</source>
            <translation>bringt die Zahlen einer Position auf eine Größe</translation>
        </message>
        <message>
            <source>buckets</source>
            <translation>Klassen</translation>
        </message>
        <message>
            <source>built in: {name}</source>
            <translation>eingebaut: {name}</translation>
        </message>
        <message>
            <source>by stream</source>
            <translation>als ein Strom</translation>
        </message>
        <message>
            <source>by windows</source>
            <translation>in Fenstern</translation>
        </message>
        <message>
            <source>by {protocol}</source>
            <translation>Verfahren {protocol}</translation>
        </message>
        <message>
            <source>byte_fallback, and a symbol for each of the 256 bytes</source>
            <translation>byte_fallback, und ein Symbol für jedes der 256 Bytes</translation>
        </message>
        <message>
            <source>bytes</source>
            <translation>Bytes</translation>
        </message>
        <message>
            <source>cached data</source>
            <translation>zwischengespeicherte Daten</translation>
        </message>
        <message>
            <source>can also be changed while a run trains, in Live settings under its loss</source>
            <translation>auch während des Trainings änderbar, in den Live-Einstellungen unter dem Verlust</translation>
        </message>
        <message>
            <source>can only be changed while the run trains</source>
            <translation>nur änderbar, solange der Lauf trainiert</translation>
        </message>
        <message>
            <source>cancelled</source>
            <translation>abgebrochen</translation>
        </message>
        <message>
            <source>candidate</source>
            <translation>Kandidat</translation>
        </message>
        <message>
            <source>cannot be compared by {sign}</source>
            <translation>lässt sich nicht mit {sign} vergleichen</translation>
        </message>
        <message>
            <source>cannot be expressed in a config.json of {model_type}</source>
            <translation>lässt sich nicht in einer config.json von {model_type} ausdrücken</translation>
        </message>
        <message>
            <source>cannot be handed out</source>
            <translation>kann nicht ausgeteilt werden</translation>
        </message>
        <message>
            <source>cannot be loaded: {error}</source>
            <translation>kann nicht geladen werden: {error}</translation>
        </message>
        <message>
            <source>cannot be read: {error}</source>
            <translation>kann nicht gelesen werden: {error}</translation>
        </message>
        <message>
            <source>cannot be reproduced: {why}</source>
            <translation>nicht reproduzierbar: {why}</translation>
        </message>
        <message>
            <source>cannot be stored as text: it is not UTF-8</source>
            <translation>lässt sich nicht als Text speichern: es ist kein UTF-8</translation>
        </message>
        <message>
            <source>cannot be used in a policy</source>
            <translation>ist in einer Richtlinie nicht verwendbar</translation>
        </message>
        <message>
            <source>cannot be used: {error}</source>
            <translation>kann nicht verwendet werden: {error}</translation>
        </message>
        <message>
            <source>cannot change while a run trains</source>
            <translation>kann nicht geändert werden, während ein Lauf trainiert</translation>
        </message>
        <message>
            <source>cannot change while the rows of a running batch carry a state: each reads its own part of the text</source>
            <translation>lässt sich nicht ändern, solange die Zeilen eines laufenden Batches einen Zustand tragen: jede liest ihren eigenen Teil des Textes</translation>
        </message>
        <message>
            <source>cannot decode</source>
            <translation>kann nicht dekodieren</translation>
        </message>
        <message>
            <source>cannot read every text: characters without a symbol of their own are lost</source>
            <translation>kann nicht jeden Text lesen: Zeichen ohne eigenes Symbol gehen verloren</translation>
        </message>
        <message>
            <source>cannot write {name}: {error}</source>
            <translation>{name} kann nicht geschrieben werden: {error}</translation>
        </message>
        <message>
            <source>caption</source>
            <translation>Bildunterschrift</translation>
        </message>
        <message>
            <source>causal</source>
            <translation>causal</translation>
        </message>
        <message>
            <source>causal, carried, masked</source>
            <translation>causal, carried, masked</translation>
        </message>
        <message>
            <source>cell candidate</source>
            <translation>Zellkandidat</translation>
        </message>
        <message>
            <source>chance</source>
            <translation>Zufall</translation>
        </message>
        <message>
            <source>changed setting</source>
            <translation>geänderte Einstellung</translation>
        </message>
        <message>
            <source>changed since it was opened</source>
            <translation>wurde seit dem Öffnen geändert</translation>
        </message>
        <message>
            <source>changed while it was read</source>
            <translation>wurde während des Lesens geändert</translation>
        </message>
        <message>
            <source>changing …</source>
            <translation>wird umgestellt …</translation>
        </message>
        <message>
            <source>channel</source>
            <translation>Kanal</translation>
        </message>
        <message>
            <source>channel {n}</source>
            <translation>Kanal {n}</translation>
        </message>
        <message>
            <source>channel:B.N: channel N of the state that block B carries is zero at every token; what bypasses the state stays.</source>
            <translation>channel:B.N: Kanal N des Zustands, den Block B mitführt, ist bei jedem Token null; was am Zustand vorbeigeht, bleibt.</translation>
        </message>
        <message>
            <source>channels</source>
            <translation>Kanäle</translation>
        </message>
        <message>
            <source>character, byte or word</source>
            <translation>character, byte oder word</translation>
        </message>
        <message>
            <source>characters</source>
            <translation>Zeichen</translation>
        </message>
        <message>
            <source>characters that UTF-8 has</source>
            <translation>Zeichen, die UTF-8 hat</translation>
        </message>
        <message>
            <source>chart</source>
            <translation>Diagramm</translation>
        </message>
        <message>
            <source>charts</source>
            <translation>Diagramme</translation>
        </message>
        <message>
            <source>checking …</source>
            <translation>prüft …</translation>
        </message>
        <message>
            <source>checking: {title} …</source>
            <translation>prüft: {title} …</translation>
        </message>
        <message>
            <source>checkpoints</source>
            <translation>checkpoints</translation>
        </message>
        <message>
            <source>choice</source>
            <translation>Auswahl</translation>
        </message>
        <message>
            <source>chosen {chosen} are more than experts {experts}: lower chosen or add experts</source>
            <translation>chosen {chosen} ist mehr als experts {experts}: chosen verringern oder Experten hinzufügen</translation>
        </message>
        <message>
            <source>circles</source>
            <translation>Kreise</translation>
        </message>
        <message>
            <source>class</source>
            <translation>Klasse</translation>
        </message>
        <message>
            <source>class: how its tokens spread over the experts</source>
            <translation>Klasse: wie sich ihre Tokens auf die Experten verteilen</translation>
        </message>
        <message>
            <source>classes</source>
            <translation>Klassen</translation>
        </message>
        <message>
            <source>click: back on</source>
            <translation>Klick: wieder an</translation>
        </message>
        <message>
            <source>click: loss without it</source>
            <translation>Klick: Verlust ohne ihn</translation>
        </message>
        <message>
            <source>clipped</source>
            <translation>begrenzt</translation>
        </message>
        <message>
            <source>clipped steps</source>
            <translation>begrenzte Schritte</translation>
        </message>
        <message>
            <source>column: {name}</source>
            <translation>Spalte: {name}</translation>
        </message>
        <message>
            <source>columns ▾</source>
            <translation>Spalten ▾</translation>
        </message>
        <message>
            <source>component</source>
            <translation>Komponente</translation>
        </message>
        <message>
            <source>computing…</source>
            <translation>wird berechnet …</translation>
        </message>
        <message>
            <source>confidence {share}</source>
            <translation>Konfidenz {share}</translation>
        </message>
        <message>
            <source>configuration</source>
            <translation>Konfiguration</translation>
        </message>
        <message>
            <source>constant</source>
            <translation>fest</translation>
        </message>
        <message>
            <source>content of message {index}</source>
            <translation>Inhalt von Nachricht {index}</translation>
        </message>
        <message>
            <source>conversations</source>
            <translation>Gespräche</translation>
        </message>
        <message>
            <source>cores: {cores} of {every}, processor: {machine}</source>
            <translation>Kerne: {cores} von {every}, Prozessor: {machine}</translation>
        </message>
        <message>
            <source>corpus</source>
            <translation>Korpus</translation>
        </message>
        <message>
            <source>corpus, run</source>
            <translation>corpus, run</translation>
        </message>
        <message>
            <source>count</source>
            <translation>Anzahl</translation>
        </message>
        <message>
            <source>counts, no weights</source>
            <translation>Zählungen, keine Gewichte</translation>
        </message>
        <message>
            <source>crops</source>
            <translation>Ausschnitte</translation>
        </message>
        <message>
            <source>custom</source>
            <translation>eigene</translation>
        </message>
        <message>
            <source>custom size</source>
            <translation>eigene Größe</translation>
        </message>
        <message>
            <source>cuts by {value}</source>
            <translation>trennt nach {value}</translation>
        </message>
        <message>
            <source>d MMM yyyy</source>
            <translation>d. MMM yyyy</translation>
        </message>
        <message>
            <source>date</source>
            <translation>Datum</translation>
        </message>
        <message>
            <source>date and time are plausible</source>
            <translation>Datum und Uhrzeit sind plausibel</translation>
        </message>
        <message>
            <source>dead</source>
            <translation>tot</translation>
        </message>
        <message>
            <source>dead: it takes no token</source>
            <translation>tot: er übernimmt kein Token</translation>
        </message>
        <message>
            <source>decoding state</source>
            <translation>Zustand beim Dekodieren</translation>
        </message>
        <message>
            <source>deepseek-moe</source>
            <translation>deepseek-moe</translation>
        </message>
        <message>
            <source>deepseek-v3</source>
            <translation>deepseek-v3</translation>
        </message>
        <message>
            <source>default</source>
            <translation>Standard</translation>
        </message>
        <message>
            <source>default {value}</source>
            <translation>Standard: {value}</translation>
        </message>
        <message>
            <source>defined by the source</source>
            <translation>durch die Quelle festgelegt</translation>
        </message>
        <message>
            <source>dense, equal active parameters</source>
            <translation>dicht, gleich viele aktive Parameter</translation>
        </message>
        <message>
            <source>dense, equal total parameters</source>
            <translation>dicht, insgesamt gleich viele Parameter</translation>
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
        <message>
            <source>different names</source>
            <translation>verschiedene Namen</translation>
        </message>
        <message>
            <source>different texts, those of several characters with a space at the end</source>
            <translation>verschiedene Texte, die aus mehreren Zeichen mit einem Leerzeichen am Ende</translation>
        </message>
        <message>
            <source>digit</source>
            <translation>Ziffer</translation>
        </message>
        <message>
            <source>digits</source>
            <translation>Ziffern</translation>
        </message>
        <message>
            <source>dilation needs</source>
            <translation>Dilatation braucht</translation>
        </message>
        <message>
            <source>disabled</source>
            <translation>deaktiviert</translation>
        </message>
        <message>
            <source>do not make the symbols</source>
            <translation>ergeben nicht die Symbole</translation>
        </message>
        <message>
            <source>do not start with the 256 bytes</source>
            <translation>beginnen nicht mit den 256 Bytes</translation>
        </message>
        <message>
            <source>documents</source>
            <translation>Dokumente</translation>
        </message>
        <message>
            <source>does not describe a tokenizer</source>
            <translation>beschreibt keinen Tokenizer</translation>
        </message>
        <message>
            <source>does not divide the heads</source>
            <translation>teilt die Zahl der Köpfe nicht</translation>
        </message>
        <message>
            <source>does not divide the images of {rows} × {columns} pixels</source>
            <translation>teilt die Bilder von {rows} × {columns} Pixeln nicht</translation>
        </message>
        <message>
            <source>does not divide the width</source>
            <translation>teilt die Breite nicht</translation>
        </message>
        <message>
            <source>does not divide {width} channels</source>
            <translation>teilt {width} Kanäle nicht</translation>
        </message>
        <message>
            <source>does not fit into memory</source>
            <translation>passt nicht in den Speicher</translation>
        </message>
        <message>
            <source>does not fit into memory: {needed}B are needed to read it, and {free}B are free</source>
            <translation>passt nicht in den Speicher: zum Lesen werden {needed}B gebraucht, und {free}B sind frei</translation>
        </message>
        <message>
            <source>does not fit the experts</source>
            <translation>passt nicht zu den Experten</translation>
        </message>
        <message>
            <source>does not predict the next token of a text</source>
            <translation>sagt nicht das nächste Token eines Textes voraus</translation>
        </message>
        <message>
            <source>does not start with https://</source>
            <translation>beginnt nicht mit https://</translation>
        </message>
        <message>
            <source>down</source>
            <translation>abwärts</translation>
        </message>
        <message>
            <source>downloaded</source>
            <translation>heruntergeladen</translation>
        </message>
        <message>
            <source>downloaded texts</source>
            <translation>heruntergeladene Texte</translation>
        </message>
        <message>
            <source>downloads are not allowed by {value}</source>
            <translation>Downloads sind nicht erlaubt, laut {value}</translation>
        </message>
        <message>
            <source>drawn</source>
            <translation>gezogen</translation>
        </message>
        <message>
            <source>drawn model</source>
            <translation>gezeichnetes Modell</translation>
        </message>
        <message>
            <source>duplicate token</source>
            <translation>gleiches Token</translation>
        </message>
        <message>
            <source>during training</source>
            <translation>im Training</translation>
        </message>
        <message>
            <source>each line is a string, there are no columns</source>
            <translation>jede Zeile ist eine Zeichenkette, es gibt keine Spalten</translation>
        </message>
        <message>
            <source>earlier settings were damaged and set aside</source>
            <translation>frühere Einstellungen waren beschädigt und wurden beiseitegelegt</translation>
        </message>
        <message>
            <source>eigenvalue n</source>
            <translation>der Eigenwert n</translation>
        </message>
        <message>
            <source>embedding</source>
            <translation>Embedding</translation>
        </message>
        <message>
            <source>empty</source>
            <translation>leer</translation>
        </message>
        <message>
            <source>en or de</source>
            <translation>en oder de</translation>
        </message>
        <message>
            <source>enabled</source>
            <translation>aktiviert</translation>
        </message>
        <message>
            <source>entropy</source>
            <translation>Entropie</translation>
        </message>
        <message>
            <source>entropy of the source</source>
            <translation>Entropie der Quelle</translation>
        </message>
        <message>
            <source>entropy rate</source>
            <translation>Entropierate</translation>
        </message>
        <message>
            <source>epochs</source>
            <translation>Epochen</translation>
        </message>
        <message>
            <source>equal losses at step {step}</source>
            <translation>gleiche Verluste bei Schritt {step}</translation>
        </message>
        <message>
            <source>equations</source>
            <translation>Gleichungen</translation>
        </message>
        <message>
            <source>equations of this part ›</source>
            <translation>Gleichungen dieses Teils ›</translation>
        </message>
        <message>
            <source>evaluating</source>
            <translation>Bewerten</translation>
        </message>
        <message>
            <source>even {share}</source>
            <translation>gleichmäßig {share}</translation>
        </message>
        <message>
            <source>event</source>
            <translation>Ereignis</translation>
        </message>
        <message>
            <source>every expert</source>
            <translation>jeder Experte</translation>
        </message>
        <message>
            <source>every token that came after the context</source>
            <translation>jedes Token, das nach dem Kontext kam</translation>
        </message>
        <message>
            <source>every {n} steps</source>
            <translation>alle {n} Schritte</translation>
        </message>
        <message>
            <source>examples</source>
            <translation>Beispiele</translation>
        </message>
        <message>
            <source>examples of {name}</source>
            <translation>Beispiele von {name}</translation>
        </message>
        <message>
            <source>exp</source>
            <translation>exp</translation>
        </message>
        <message>
            <source>expert</source>
            <translation>Experte</translation>
        </message>
        <message>
            <source>expert i, a feed-forward layer</source>
            <translation>Experte i, eine Feedforward-Schicht</translation>
        </message>
        <message>
            <source>expert {n}</source>
            <translation>Experte {n}</translation>
        </message>
        <message>
            <source>expert {n} of block {block}</source>
            <translation>Experte {n} von Block {block}</translation>
        </message>
        <message>
            <source>expert-choice</source>
            <translation>Expertenwahl</translation>
        </message>
        <message>
            <source>expert:B.N: send the tokens of expert N in block B to the other experts.</source>
            <translation>expert:B.N: Die Tokens von Experte N in Block B gehen an die anderen Experten.</translation>
        </message>
        <message>
            <source>experts</source>
            <translation>Experten</translation>
        </message>
        <message>
            <source>experts per token</source>
            <translation>Experten pro Token</translation>
        </message>
        <message>
            <source>experts together</source>
            <translation>gemeinsame Experten</translation>
        </message>
        <message>
            <source>experts {list}</source>
            <translation>Experten {list}</translation>
        </message>
        <message>
            <source>experts {some} and {last} of block {block}</source>
            <translation>Experten {some} und {last} von Block {block}</translation>
        </message>
        <message>
            <source>exponential race (as torch.multinomial)</source>
            <translation>exponentielles Rennen (wie torch.multinomial)</translation>
        </message>
        <message>
            <source>exporting the run</source>
            <translation>Das Exportieren des Laufs</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>fehlgeschlagen</translation>
        </message>
        <message>
            <source>falling from {start} to {end}</source>
            <translation>fallend von {start} auf {end}</translation>
        </message>
        <message>
            <source>faultless examples</source>
            <translation>fehlerfreie Beispiele</translation>
        </message>
        <message>
            <source>faultless training examples</source>
            <translation>fehlerfreie Trainingsbeispiele</translation>
        </message>
        <message>
            <source>faultless validation examples</source>
            <translation>fehlerfreie Validierungsbeispiele</translation>
        </message>
        <message>
            <source>favourite tokens</source>
            <translation>bevorzugte Tokens</translation>
        </message>
        <message>
            <source>features</source>
            <translation>Merkmale</translation>
        </message>
        <message>
            <source>feed-forward</source>
            <translation>Feedforward</translation>
        </message>
        <message>
            <source>few counts</source>
            <translation>selten gezählt</translation>
        </message>
        <message>
            <source>files ending in {readers}</source>
            <translation>Dateien mit der Endung {readers}</translation>
        </message>
        <message>
            <source>finished</source>
            <translation>fertig</translation>
        </message>
        <message numerus="yes">
            <source>finished after {n} steps</source>
            <translation>
                <numerusform>fertig nach {n} Schritt</numerusform>
                <numerusform>fertig nach {n} Schritten</numerusform>
            </translation>
        </message>
        <message>
            <source>finished after {n} steps in {time}</source>
            <translation>fertig nach {n} Schritten in {time}</translation>
        </message>
        <message>
            <source>first</source>
            <translation>sofort</translation>
        </message>
        <message>
            <source>first token</source>
            <translation>erstes Token</translation>
        </message>
        <message>
            <source>fits no parameter</source>
            <translation>passt auf keinen Parameter</translation>
        </message>
        <message>
            <source>fitted</source>
            <translation>angepasst</translation>
        </message>
        <message>
            <source>flag</source>
            <translation>Markierung</translation>
        </message>
        <message>
            <source>float16</source>
            <translation>float16</translation>
        </message>
        <message>
            <source>float32</source>
            <translation>float32</translation>
        </message>
        <message>
            <source>folded</source>
            <translation>zugeklappt</translation>
        </message>
        <message>
            <source>follow</source>
            <translation>folgen</translation>
        </message>
        <message>
            <source>for data without text, such as vectors</source>
            <translation>für Daten ohne Text, etwa Vektoren</translation>
        </message>
        <message>
            <source>for sources that have them, such as copy</source>
            <translation>für Quellen, die welche haben, etwa copy</translation>
        </message>
        <message>
            <source>forget gate</source>
            <translation>Vergiss-Gate</translation>
        </message>
        <message>
            <source>format {version} is newer than this lab</source>
            <translation>Format {version} ist neuer als dieses Labor</translation>
        </message>
        <message>
            <source>found out</source>
            <translation>wird erkannt</translation>
        </message>
        <message>
            <source>free</source>
            <translation>gratis</translation>
        </message>
        <message>
            <source>from</source>
            <translation>von</translation>
        </message>
        <message>
            <source>from step {step} of {run}</source>
            <translation>ab Schritt {step} von {run}</translation>
        </message>
        <message>
            <source>from the bin</source>
            <translation>aus dem Papierkorb</translation>
        </message>
        <message>
            <source>from {host}</source>
            <translation>von {host}</translation>
        </message>
        <message>
            <source>gate</source>
            <translation>Gate</translation>
        </message>
        <message>
            <source>gate weights</source>
            <translation>Gate-Gewichte</translation>
        </message>
        <message>
            <source>generated examples</source>
            <translation>erzeugte Beispiele</translation>
        </message>
        <message>
            <source>generating a sample</source>
            <translation>Erzeugen einer Textprobe</translation>
        </message>
        <message>
            <source>gives {names_of_data}, and the first corpus gives {names_of_data2}</source>
            <translation>liefert {names_of_data}, und der erste Korpus liefert {names_of_data2}</translation>
        </message>
        <message>
            <source>gives {names_of_data}, which are not mixed</source>
            <translation>gibt {names_of_data}, und diese lassen sich nicht mischen</translation>
        </message>
        <message>
            <source>global tokens need</source>
            <translation>globale Tokens brauchen</translation>
        </message>
        <message>
            <source>good</source>
            <translation>gut</translation>
        </message>
        <message>
            <source>gpt-2</source>
            <translation>gpt-2</translation>
        </message>
        <message>
            <source>gpt-3</source>
            <translation>gpt-3</translation>
        </message>
        <message>
            <source>gradient norm</source>
            <translation>Gradientennorm</translation>
        </message>
        <message>
            <source>gradients by lag need a probe text of two tokens or more</source>
            <translation>Gradienten nach Abstand brauchen einen Prüftext mit zwei oder mehr Tokens</translation>
        </message>
        <message>
            <source>grey</source>
            <translation>grau</translation>
        </message>
        <message>
            <source>groups</source>
            <translation>Gruppen</translation>
        </message>
        <message>
            <source>groups at most {deepest} deep</source>
            <translation>Gruppen, die höchstens {deepest} tief verschachtelt sind</translation>
        </message>
        <message>
            <source>grows with every token: it stores all of them</source>
            <translation>wächst mit jedem Token: er speichert alle</translation>
        </message>
        <message>
            <source>grows with the text</source>
            <translation>wächst mit dem Text</translation>
        </message>
        <message>
            <source>half of a surrogate pair, U+{code}, at position {position} is not a character</source>
            <translation>ein halbes Ersatzzeichenpaar, U+{code}, an Position {position} ist kein Zeichen</translation>
        </message>
        <message>
            <source>half of a surrogate pair, U+{text}</source>
            <translation>ein halbes Ersatzzeichenpaar, U+{text}</translation>
        </message>
        <message>
            <source>halves</source>
            <translation>Hälften</translation>
        </message>
        <message>
            <source>handing in</source>
            <translation>Abgabe</translation>
        </message>
        <message>
            <source>handing in over the network is not allowed by {value}</source>
            <translation>Abgeben über das Netz ist nicht erlaubt, laut {value}</translation>
        </message>
        <message>
            <source>handing in was cancelled</source>
            <translation>die Abgabe wurde abgebrochen</translation>
        </message>
        <message>
            <source>has a {part} of the type {value}</source>
            <translation>hat einen {part} vom Typ {value}</translation>
        </message>
        <message>
            <source>has neither letters of bytes nor a sign for a space</source>
            <translation>hat weder Buchstaben für Bytes noch ein Zeichen für Leerzeichen</translation>
        </message>
        <message>
            <source>has no checkpoint</source>
            <translation>hat keinen Checkpoint</translation>
        </message>
        <message>
            <source>has no checkpoint of step {step}</source>
            <translation>hat keinen Checkpoint von Schritt {step}</translation>
        </message>
        <message>
            <source>has no column of text</source>
            <translation>hat keine Spalte mit Text</translation>
        </message>
        <message>
            <source>has no content</source>
            <translation>hat keinen Inhalt</translation>
        </message>
        <message>
            <source>has no examples of different lengths</source>
            <translation>hat keine Beispiele verschiedener Länge</translation>
        </message>
        <message>
            <source>has no learned turn</source>
            <translation>hat keinen gelernten Beitrag</translation>
        </message>
        <message>
            <source>has no numbers to measure</source>
            <translation>hat keine Zahlen, die sich messen lassen</translation>
        </message>
        <message>
            <source>has no part “{part}”</source>
            <translation>hat keinen Teil „{part}“</translation>
        </message>
        <message>
            <source>has no row that can be used; the first of {skipped}: {skipped2}</source>
            <translation>hat keine brauchbare Zeile; die erste von {skipped}: {skipped2}</translation>
        </message>
        <message>
            <source>has no rows</source>
            <translation>hat keine Zeilen</translation>
        </message>
        <message>
            <source>has no settings</source>
            <translation>hat keine Einstellungen</translation>
        </message>
        <message>
            <source>has no token</source>
            <translation>hat kein Token</translation>
        </message>
        <message>
            <source>has no turn</source>
            <translation>hat keinen Beitrag</translation>
        </message>
        <message>
            <source>has no vocabulary of symbols with their numbers</source>
            <translation>hat kein Vokabular aus Symbolen mit ihren Nummern</translation>
        </message>
        <message>
            <source>has no width that could be matched</source>
            <translation>hat keine Breite, die sich anpassen ließe</translation>
        </message>
        <message>
            <source>has no {file}, so the model cannot read text</source>
            <translation>hat keine {file}; das Modell kann daher keinen Text lesen</translation>
        </message>
        <message>
            <source>has other classes than the first corpus, or labels words where that labels texts</source>
            <translation>hat andere Klassen als der erste Korpus, oder Labels für Wörter statt für Texte</translation>
        </message>
        <message>
            <source>has rows of another size than the first corpus, or other columns</source>
            <translation>hat Zeilen einer anderen Größe als der erste Korpus oder andere Spalten</translation>
        </message>
        <message>
            <source>has the name of another file of it</source>
            <translation>heißt wie eine andere Datei davon</translation>
        </message>
        <message>
            <source>has too many columns</source>
            <translation>hat zu viele Spalten</translation>
        </message>
        <message>
            <source>has too many dots in its keys</source>
            <translation>hat zu viele Punkte in seinen Schlüsseln</translation>
        </message>
        <message>
            <source>has too many groups within groups</source>
            <translation>hat zu viele Gruppen in Gruppen</translation>
        </message>
        <message>
            <source>has too many rows</source>
            <translation>hat zu viele Zeilen</translation>
        </message>
        <message>
            <source>has {found} different labels in {labels} rows: no class has examples</source>
            <translation>hat {found} verschiedene Labels in {labels} Zeilen: Keine Klasse hat Beispiele</translation>
        </message>
        <message>
            <source>has {named} symbols, and the model {size}</source>
            <translation>hat {named} Symbole, und das Modell {size}</translation>
        </message>
        <message>
            <source>has {size} MiB</source>
            <translation>hat {size} MiB</translation>
        </message>
        <message>
            <source>has {tokens} tokens, more than this model reads</source>
            <translation>hat {tokens} Tokens, mehr als dieses Modell liest</translation>
        </message>
        <message>
            <source>head</source>
            <translation>Kopf</translation>
        </message>
        <message>
            <source>head {number}</source>
            <translation>Kopf {number}</translation>
        </message>
        <message>
            <source>head {n}</source>
            <translation>Kopf {n}</translation>
        </message>
        <message>
            <source>head:B.H: the output of head H of block B is zero (Michel et al. 2019).</source>
            <translation>head:B.H: Die Ausgabe von Kopf H in Block B ist null (Michel et al. 2019).</translation>
        </message>
        <message>
            <source>heads</source>
            <translation>Köpfe</translation>
        </message>
        <message>
            <source>heads of all blocks</source>
            <translation>Köpfe aller Blöcke</translation>
        </message>
        <message>
            <source>heads of an even width</source>
            <translation>Köpfe gerader Breite</translation>
        </message>
        <message>
            <source>heads of the block</source>
            <translation>Köpfe des Blocks</translation>
        </message>
        <message>
            <source>heads {heads} are not a multiple of kv_heads {kv_heads}</source>
            <translation>heads {heads} ist kein Vielfaches von kv_heads {kv_heads}</translation>
        </message>
        <message>
            <source>held out</source>
            <translation>zurückgehalten</translation>
        </message>
        <message>
            <source>hidden in the charts</source>
            <translation>in den Diagrammen ausgeblendet</translation>
        </message>
        <message>
            <source>highest</source>
            <translation>größter Wert</translation>
        </message>
        <message>
            <source>holds a character twice</source>
            <translation>enthält ein Zeichen doppelt</translation>
        </message>
        <message>
            <source>holds a control character</source>
            <translation>enthält ein Steuerzeichen</translation>
        </message>
        <message>
            <source>holds a pair twice</source>
            <translation>enthält ein Paar doppelt</translation>
        </message>
        <message>
            <source>holds a symbol of several characters without a space at its end</source>
            <translation>enthält ein Symbol aus mehreren Zeichen ohne Leerzeichen am Ende</translation>
        </message>
        <message>
            <source>holds a symbol twice</source>
            <translation>enthält ein Symbol doppelt</translation>
        </message>
        <message>
            <source>holds a word twice</source>
            <translation>enthält ein Wort zweimal</translation>
        </message>
        <message>
            <source>holds half of a surrogate pair, U+{value}, at character {start}</source>
            <translation>enthält ein halbes Ersatzzeichenpaar, U+{value}, bei Zeichen {start}</translation>
        </message>
        <message>
            <source>holds more text than any recipe</source>
            <translation>enthält mehr Text als jedes Rezept</translation>
        </message>
        <message>
            <source>holds no file of text</source>
            <translation>enthält keine Textdatei</translation>
        </message>
        <message>
            <source>holds no file that can be read; the first of {skipped}: {skipped2}</source>
            <translation>enthält keine lesbare Datei; die erste von {skipped}: {skipped2}</translation>
        </message>
        <message>
            <source>holds no table</source>
            <translation>enthält keine Tabelle</translation>
        </message>
        <message>
            <source>holds no table that names its pictures</source>
            <translation>enthält keine Tabelle, die seine Bilder nennt</translation>
        </message>
        <message>
            <source>holds no table with captions</source>
            <translation>enthält keine Tabelle mit Bildunterschriften</translation>
        </message>
        <message>
            <source>holds no text</source>
            <translation>enthält keinen Text</translation>
        </message>
        <message>
            <source>holds no text on its {pages} pages: they are pictures, or empty</source>
            <translation>enthält auf seinen {pages} Seiten keinen Text: sie sind Bilder oder leer</translation>
        </message>
        <message>
            <source>holds no weights</source>
            <translation>enthält keine Gewichte</translation>
        </message>
        <message>
            <source>holds no {config}</source>
            <translation>enthält keine {config}</translation>
        </message>
        <message>
            <source>holds nothing but white space</source>
            <translation>enthält nur Leerraum</translation>
        </message>
        <message>
            <source>holds something that is not a letter of a byte</source>
            <translation>enthält etwas, das kein Buchstabe eines Bytes ist</translation>
        </message>
        <message>
            <source>holds something that is not a log-probability</source>
            <translation>enthält etwas, das keine Log-Wahrscheinlichkeit ist</translation>
        </message>
        <message>
            <source>holds something that is not a symbol number</source>
            <translation>enthält etwas, das keine Symbolnummer ist</translation>
        </message>
        <message>
            <source>holds something that is not a word</source>
            <translation>enthält etwas, das kein Wort ist</translation>
        </message>
        <message>
            <source>holds {files} files of safetensors and no {index}</source>
            <translation>enthält {files} safetensors-Dateien und keine {index}</translation>
        </message>
        <message>
            <source>holds {type}, not text</source>
            <translation>enthält {type}, keinen Text</translation>
        </message>
        <message>
            <source>how many different tokens came after the context</source>
            <translation>wie viele verschiedene Tokens nach dem Kontext kamen</translation>
        </message>
        <message>
            <source>how many experts a token chooses</source>
            <translation>wie viele Experten ein Token auswählt</translation>
        </message>
        <message>
            <source>how many n-grams were counted once; twice, three and four times</source>
            <translation>wie viele n-Gramme einmal, zweimal, dreimal und viermal gezählt wurden</translation>
        </message>
        <message>
            <source>how many r in strawberry</source>
            <translation>wie viele r in strawberry</translation>
        </message>
        <message>
            <source>how many tokens are read</source>
            <translation>wie viele Tokens gelesen werden</translation>
        </message>
        <message>
            <source>how many tokens of class c expert e took</source>
            <translation>wie viele Tokens der Klasse c Experte e nahm</translation>
        </message>
        <message>
            <source>how much one changes with the other</source>
            <translation>wie stark sich eines mit dem anderen ändert</translation>
        </message>
        <message>
            <source>how much worse the model predicts without the part</source>
            <translation>wie viel schlechter das Modell ohne den Teil vorhersagt</translation>
        </message>
        <message>
            <source>how often something followed it in the training text</source>
            <translation>wie oft im Trainingstext etwas darauf folgte</translation>
        </message>
        <message>
            <source>how often the training text contains it</source>
            <translation>wie oft der Trainingstext es enthält</translation>
        </message>
        <message>
            <source>how often the training text contains the tokens</source>
            <translation>wie oft der Trainingstext die Tokens enthält</translation>
        </message>
        <message>
            <source>how the input enters the state</source>
            <translation>wie die Eingabe in den Zustand eingeht</translation>
        </message>
        <message>
            <source>how the output is read from the state</source>
            <translation>wie die Ausgabe aus dem Zustand gelesen wird</translation>
        </message>
        <message>
            <source>how the state changes by itself</source>
            <translation>wie sich der Zustand von selbst ändert</translation>
        </message>
        <message>
            <source>how the token enters the state</source>
            <translation>wie das Token in den Zustand eingeht</translation>
        </message>
        <message>
            <source>how the token is written</source>
            <translation>wie das Token geschrieben wird</translation>
        </message>
        <message>
            <source>hypotheses</source>
            <translation>Hypothesen</translation>
        </message>
        <message>
            <source>id {id}</source>
            <translation>ID {id}</translation>
        </message>
        <message>
            <source>identity</source>
            <translation>Identität</translation>
        </message>
        <message>
            <source>identity of the run</source>
            <translation>Kennung des Laufs</translation>
        </message>
        <message>
            <source>ids</source>
            <translation>IDs</translation>
        </message>
        <message>
            <source>images</source>
            <translation>Bilder</translation>
        </message>
        <message>
            <source>imaginary</source>
            <translation>imaginär</translation>
        </message>
        <message>
            <source>imaginary part</source>
            <translation>Imaginärteil</translation>
        </message>
        <message>
            <source>importing the run</source>
            <translation>Das Importieren des Laufs</translation>
        </message>
        <message>
            <source>imports everything from {module}, so the names it uses are unknown</source>
            <translation>importiert alles aus {module}; die verwendeten Namen sind daher unbekannt</translation>
        </message>
        <message>
            <source>in the light profile, one run at a time trains in a process of its own</source>
            <translation>im leichten Profil trainiert höchstens ein Lauf in einem eigenen Prozess</translation>
        </message>
        <message>
            <source>induction</source>
            <translation>Induktion</translation>
        </message>
        <message>
            <source>influence</source>
            <translation>Einfluss</translation>
        </message>
        <message>
            <source>influences take a pass over the text for each of its tokens, and it has too many</source>
            <translation>Einflüsse brauchen für jedes Token einen Durchlauf über den Text, und er hat zu viele</translation>
        </message>
        <message>
            <source>input gate</source>
            <translation>Eingabe-Gate</translation>
        </message>
        <message>
            <source>interrupted</source>
            <translation>unterbrochen</translation>
        </message>
        <message>
            <source>interrupted at step {step}</source>
            <translation>unterbrochen bei Schritt {step}</translation>
        </message>
        <message>
            <source>inverse CDF</source>
            <translation>inverse Verteilungsfunktion</translation>
        </message>
        <message>
            <source>irnn</source>
            <translation>irnn</translation>
        </message>
        <message>
            <source>is a SOCKS proxy, which needs the package socksio</source>
            <translation>ist ein SOCKS-Proxy, der das Paket socksio braucht</translation>
        </message>
        <message>
            <source>is a file of a mixture, which no link holds</source>
            <translation>ist eine Datei einer Mischung, die kein Link enthält</translation>
        </message>
        <message>
            <source>is a file, not a folder</source>
            <translation>ist eine Datei, kein Ordner</translation>
        </message>
        <message>
            <source>is a file, which no link holds</source>
            <translation>ist eine Datei, und die enthält kein Link</translation>
        </message>
        <message>
            <source>is a folder, which no hand-out holds</source>
            <translation>ist ein Ordner, den eine ausgeteilte Datei nicht enthalten kann</translation>
        </message>
        <message>
            <source>is a link or a device</source>
            <translation>ist ein Link oder ein Gerät</translation>
        </message>
        <message>
            <source>is a link, or not a regular file</source>
            <translation>ist eine Verknüpfung, oder keine gewöhnliche Datei</translation>
        </message>
        <message>
            <source>is a mixture itself</source>
            <translation>ist selbst eine Mischung</translation>
        </message>
        <message>
            <source>is a path, which no link holds</source>
            <translation>ist ein Pfad, und den enthält kein Link</translation>
        </message>
        <message>
            <source>is a string without columns</source>
            <translation>ist eine Zeichenkette ohne Spalten</translation>
        </message>
        <message>
            <source>is already being downloaded</source>
            <translation>wird bereits heruntergeladen</translation>
        </message>
        <message>
            <source>is also the target</source>
            <translation>ist auch das Ziel</translation>
        </message>
        <message>
            <source>is being drawn…</source>
            <translation>wird gezeichnet …</translation>
        </message>
        <message>
            <source>is binary, not text: NUL byte at offset {sample_offset}</source>
            <translation>ist binär, kein Text: NUL-Byte an Stelle {sample_offset}</translation>
        </message>
        <message>
            <source>is blank</source>
            <translation>ist leer</translation>
        </message>
        <message>
            <source>is contradicted by allowed_plugins, which does not name it</source>
            <translation>steht im Widerspruch zu allowed_plugins, wo es fehlt</translation>
        </message>
        <message>
            <source>is damaged</source>
            <translation>ist beschädigt</translation>
        </message>
        <message>
            <source>is empty</source>
            <translation>ist leer</translation>
        </message>
        <message>
            <source>is encrypted</source>
            <translation>ist verschlüsselt</translation>
        </message>
        <message>
            <source>is incomplete or damaged</source>
            <translation>ist unvollständig oder beschädigt</translation>
        </message>
        <message>
            <source>is larger than any vocabulary of this tokenizer</source>
            <translation>ist größer als jedes Vokabular dieses Tokenizers</translation>
        </message>
        <message>
            <source>is locked with a password</source>
            <translation>ist durch ein Passwort geschützt</translation>
        </message>
        <message>
            <source>is locked with a password, or is an old Word file (.doc)</source>
            <translation>ist durch ein Passwort geschützt, oder eine alte Word-Datei (.doc)</translation>
        </message>
        <message>
            <source>is longer than the corpus: its training part has {n} tokens, and one window needs {t}</source>
            <translation>ist länger als der Korpus: sein Trainingsteil hat {n} Tokens, und ein Fenster braucht {t}</translation>
        </message>
        <message>
            <source>is longer than the validation text</source>
            <translation>ist länger als der Validierungstext</translation>
        </message>
        <message>
            <source>is missing</source>
            <translation>fehlt</translation>
        </message>
        <message>
            <source>is missing, although {index} lists it</source>
            <translation>fehlt, obwohl {index} es aufführt</translation>
        </message>
        <message>
            <source>is more than fits into an example</source>
            <translation>ist mehr, als in ein Beispiel passt</translation>
        </message>
        <message>
            <source>is more than the {size} symbols of the alphabet, and the tokens are different</source>
            <translation>ist mehr als die {size} Symbole des Alphabets, und die Tokens sind verschieden</translation>
        </message>
        <message>
            <source>is neither a file nor a folder</source>
            <translation>ist weder Datei noch Ordner</translation>
        </message>
        <message>
            <source>is neither a folder nor a Parquet file</source>
            <translation>ist weder ein Ordner noch eine Parquet-Datei</translation>
        </message>
        <message>
            <source>is neither true nor false</source>
            <translation>ist weder true noch false</translation>
        </message>
        <message>
            <source>is neither yes nor no</source>
            <translation>ist weder yes noch no</translation>
        </message>
        <message>
            <source>is nested too deep</source>
            <translation>ist zu tief verschachtelt</translation>
        </message>
        <message>
            <source>is nested too deeply</source>
            <translation>ist zu tief verschachtelt</translation>
        </message>
        <message>
            <source>is no filter of this text</source>
            <translation>ist kein Filter dieses Textes</translation>
        </message>
        <message>
            <source>is not CSV at line {line_num}: {error}</source>
            <translation>ist kein CSV in Zeile {line_num}: {error}</translation>
        </message>
        <message>
            <source>is not JSON: {error}</source>
            <translation>ist kein JSON: {error}</translation>
        </message>
        <message>
            <source>is not TOML: {error}</source>
            <translation>ist kein TOML: {error}</translation>
        </message>
        <message>
            <source>is not UTF-8: byte 0x{value} at offset {start}</source>
            <translation>ist kein UTF-8: Byte 0x{value} an Stelle {start}</translation>
        </message>
        <message>
            <source>is not UTF-8: it ends in the middle of a character, {location}</source>
            <translation>ist kein UTF-8: es endet mitten in einem Zeichen, {location}</translation>
        </message>
        <message>
            <source>is not UTF-8: {location}</source>
            <translation>ist kein UTF-8: {location}</translation>
        </message>
        <message>
            <source>is not a column of any of these runs</source>
            <translation>ist keine Spalte eines dieser Läufe</translation>
        </message>
        <message>
            <source>is not a command to a training run</source>
            <translation>ist kein Befehl an ein Training</translation>
        </message>
        <message>
            <source>is not a complete safetensors file: {error}</source>
            <translation>ist keine vollständige safetensors-Datei: {error}</translation>
        </message>
        <message>
            <source>is not a length that this source can generate</source>
            <translation>ist keine Länge, die diese Quelle erzeugen kann</translation>
        </message>
        <message>
            <source>is not a link of the lab</source>
            <translation>ist kein Link des Labors</translation>
        </message>
        <message>
            <source>is not a list as long as that of the symbols</source>
            <translation>ist keine Liste, die so lang ist wie die der Symbole</translation>
        </message>
        <message>
            <source>is not a list of pairs</source>
            <translation>ist keine Liste von Paaren</translation>
        </message>
        <message>
            <source>is not a list of texts</source>
            <translation>ist keine Liste von Texten</translation>
        </message>
        <message>
            <source>is not a list of words</source>
            <translation>ist keine Liste von Wörtern</translation>
        </message>
        <message>
            <source>is not a number of symbols</source>
            <translation>ist keine Zahl von Symbolen</translation>
        </message>
        <message>
            <source>is not a number that a model can have</source>
            <translation>ist keine Zahl, die ein Modell haben kann</translation>
        </message>
        <message>
            <source>is not a number to compare by {sign}</source>
            <translation>ist keine Zahl, die sich mit {sign} vergleichen lässt</translation>
        </message>
        <message>
            <source>is not a path: {error}</source>
            <translation>ist kein Pfad: {error}</translation>
        </message>
        <message>
            <source>is not a pattern: found {found} {where}, expected {wanted}</source>
            <translation>ist kein Muster: gefunden {found} {where}, erwartet {wanted}</translation>
        </message>
        <message>
            <source>is not a readable Parquet file: {why}</source>
            <translation>ist keine lesbare Parquet-Datei: {why}</translation>
        </message>
        <message>
            <source>is not a recipe: not a text file</source>
            <translation>ist kein Rezept: keine Textdatei</translation>
        </message>
        <message>
            <source>is not a regular file, or a dangling link</source>
            <translation>ist keine reguläre Datei, oder ein Link ins Leere</translation>
        </message>
        <message>
            <source>is not a sign of comparison</source>
            <translation>ist kein Vergleichszeichen</translation>
        </message>
        <message>
            <source>is not a table of a known kind</source>
            <translation>ist keine Tabelle bekannter Art</translation>
        </message>
        <message>
            <source>is not a text of different characters</source>
            <translation>ist kein Text aus verschiedenen Zeichen</translation>
        </message>
        <message>
            <source>is not a valid tag</source>
            <translation>ist kein gültiges Tag</translation>
        </message>
        <message>
            <source>is not a vocabulary of this tokenizer</source>
            <translation>ist kein Vokabular dieses Tokenizers</translation>
        </message>
        <message>
            <source>is not a {kind}, or is damaged: {why}</source>
            <translation>ist keine Datei der Art {kind}, oder ist beschädigt: {why}</translation>
        </message>
        <message>
            <source>is not allowed</source>
            <translation>ist nicht erlaubt</translation>
        </message>
        <message>
            <source>is not an assignment</source>
            <translation>ist keine Zuweisung</translation>
        </message>
        <message>
            <source>is not in the bin</source>
            <translation>ist nicht im Papierkorb</translation>
        </message>
        <message>
            <source>is not in this model</source>
            <translation>ist nicht in diesem Modell</translation>
        </message>
        <message>
            <source>is not installed</source>
            <translation>nicht installiert ist</translation>
        </message>
        <message>
            <source>is not known</source>
            <translation>ist nicht bekannt</translation>
        </message>
        <message>
            <source>is not known for this architecture</source>
            <translation>ist für diese Architektur nicht bekannt</translation>
        </message>
        <message>
            <source>is not marked as a hook</source>
            <translation>ist nicht als Hook markiert</translation>
        </message>
        <message>
            <source>is not on this machine</source>
            <translation>ist nicht auf diesem Rechner</translation>
        </message>
        <message>
            <source>is not on this machine: a text of {size} characters</source>
            <translation>ist nicht auf diesem Rechner: ein Text mit {size} Zeichen</translation>
        </message>
        <message>
            <source>is not text</source>
            <translation>ist kein Text</translation>
        </message>
        <message>
            <source>is not text with characters that UTF-8 has</source>
            <translation>ist kein Text aus Zeichen, die UTF-8 hat</translation>
        </message>
        <message>
            <source>is not the name of a file</source>
            <translation>ist kein Dateiname</translation>
        </message>
        <message>
            <source>is not the number of a style</source>
            <translation>ist nicht die Nummer eines Stils</translation>
        </message>
        <message>
            <source>is odd, and the channels of a key turn in pairs</source>
            <translation>ist ungerade, und die Kanäle eines Keys drehen sich paarweise</translation>
        </message>
        <message>
            <source>is of version {version}, which this lab does not know</source>
            <translation>hat die Version {version}, die dieses Labor nicht kennt</translation>
        </message>
        <message>
            <source>is outside the lab's folder of runs, and the lab deletes nothing there</source>
            <translation>liegt außerhalb des Ordners der Läufe, und dort löscht das Labor nichts</translation>
        </message>
        <message>
            <source>is read for this, so it cannot be written</source>
            <translation>wird dafür gelesen und kann deshalb nicht geschrieben werden</translation>
        </message>
        <message>
            <source>is registered twice</source>
            <translation>ist doppelt registriert</translation>
        </message>
        <message>
            <source>is registered twice, as sampler too</source>
            <translation>ist zweimal registriert, auch als Sampler</translation>
        </message>
        <message>
            <source>is too large</source>
            <translation>ist zu groß</translation>
        </message>
        <message>
            <source>is too large for this corpus: each row of the batch reads its own part of it, and it has {windows} windows of {context_length} tokens</source>
            <translation>ist zu groß für diesen Korpus: jede Zeile des Batches liest ihren eigenen Teil davon, und er hat {windows} Fenster mit {context_length} Tokens</translation>
        </message>
        <message>
            <source>is too large for this machine: {size} MB of text need {size2} MB of memory, {free} MB are free</source>
            <translation>ist zu groß für diesen Rechner: {size} MB Text brauchen {size2} MB Speicher, {free} MB sind frei</translation>
        </message>
        <message>
            <source>is too large to be read as rows: {size} MB</source>
            <translation>ist zu groß, um als Zeilen gelesen zu werden: {size} MB</translation>
        </message>
        <message>
            <source>is too large to estimate</source>
            <translation>ist zu groß für eine Schätzung</translation>
        </message>
        <message>
            <source>is too large: {size} MB of {kind}</source>
            <translation>ist zu groß: {size} MB ({kind})</translation>
        </message>
        <message>
            <source>is too long</source>
            <translation>ist zu lang</translation>
        </message>
        <message>
            <source>is too long for a link</source>
            <translation>ist zu lang für einen Link</translation>
        </message>
        <message>
            <source>is too long for a mixture, whose parts are held in memory</source>
            <translation>ist zu lang für eine Mischung, deren Teile im Speicher gehalten werden</translation>
        </message>
        <message>
            <source>is too long to be written next to the script</source>
            <translation>ist zu lang, um neben das Skript geschrieben zu werden</translation>
        </message>
        <message>
            <source>is too long: {text} characters or more</source>
            <translation>ist zu lang: {text} Zeichen oder mehr</translation>
        </message>
        <message>
            <source>is too short: an example of {name} has up to {longest} tokens</source>
            <translation>ist zu kurz: ein Beispiel von {name} hat bis zu {longest} Tokens</translation>
        </message>
        <message>
            <source>is too short: the {labels} of row {longest} has {value} tokens</source>
            <translation>ist zu klein: {labels} in Zeile {longest} hat {value} Tokens</translation>
        </message>
        <message>
            <source>is too short: {n} tokens in one of its splits, and a model needs one to read and one to predict</source>
            <translation>ist zu kurz: {n} Tokens in einem seiner Teile, und ein Modell braucht eines zum Lesen und eines zum Vorhersagen</translation>
        </message>
        <message>
            <source>is {tokens} tokens of this model</source>
            <translation>sind {tokens} Tokens dieses Modells</translation>
        </message>
        <message>
            <source>is {values} in column {name}</source>
            <translation>ist {values} in Spalte {name}</translation>
        </message>
        <message>
            <source>it cannot be read</source>
            <translation>sie kann nicht gelesen werden</translation>
        </message>
        <message>
            <source>it does not have the arrays it describes</source>
            <translation>sie hat nicht die Arrays, die sie beschreibt</translation>
        </message>
        <message>
            <source>it does not hold the status of a run</source>
            <translation>sie enthält nicht den Status eines Laufs</translation>
        </message>
        <message>
            <source>it has more than {lines} lines</source>
            <translation>sie hat mehr als {lines} Zeilen</translation>
        </message>
        <message>
            <source>it has more than {most_entries} entries</source>
            <translation>es hat mehr als {most_entries} Einträge</translation>
        </message>
        <message>
            <source>it has more than {most_series} series, or one without a proper name</source>
            <translation>sie hat mehr als {most_series} Reihen, oder eine ohne brauchbaren Namen</translation>
        </message>
        <message>
            <source>it has no format</source>
            <translation>sie hat kein Format</translation>
        </message>
        <message>
            <source>it has no subsets</source>
            <translation>er hat keine Teilmengen</translation>
        </message>
        <message>
            <source>it has several splits, and none is named</source>
            <translation>er hat mehrere Teile, und keiner ist angegeben</translation>
        </message>
        <message>
            <source>it holds more than {containers} lists and tables</source>
            <translation>sie enthält mehr als {containers} Listen und Tabellen</translation>
        </message>
        <message>
            <source>it holds {left}, which {manifest} does not list</source>
            <translation>es enthält {left}, was {manifest} nicht aufführt</translation>
        </message>
        <message>
            <source>it holds {name}, which does not belong in it</source>
            <translation>enthält {name}, was nicht hineingehört</translation>
        </message>
        <message>
            <source>it holds {twice} twice</source>
            <translation>es enthält {twice} doppelt</translation>
        </message>
        <message>
            <source>it holds {values} values or a longer axis, and the limit is {values2}</source>
            <translation>sie enthält {values} Werte oder eine längere Achse, und die Grenze ist {values2}</translation>
        </message>
        <message>
            <source>it is empty</source>
            <translation>sie ist leer</translation>
        </message>
        <message>
            <source>it is larger than {limit} MiB</source>
            <translation>sie ist größer als {limit} MiB</translation>
        </message>
        <message>
            <source>it is missing</source>
            <translation>sie fehlt</translation>
        </message>
        <message>
            <source>it is missing; the series start after step {step}</source>
            <translation>sie fehlt; die Reihen beginnen nach Schritt {step}</translation>
        </message>
        <message>
            <source>it is nested too deeply, more than {deepest} levels</source>
            <translation>sie ist zu tief verschachtelt, mehr als {deepest} Ebenen</translation>
        </message>
        <message>
            <source>it is not a JSON object</source>
            <translation>sie ist kein JSON-Objekt</translation>
        </message>
        <message>
            <source>it must be named: no column has a name by which it is known</source>
            <translation>sie muss genannt werden: Keine Spalte hat einen Namen, an dem sie zu erkennen ist</translation>
        </message>
        <message>
            <source>it names no machine</source>
            <translation>sie nennt keinen Rechner</translation>
        </message>
        <message>
            <source>it was cancelled</source>
            <translation>es wurde abgebrochen</translation>
        </message>
        <message>
            <source>it was enabled as version {before}, and is version {version} now</source>
            <translation>es wurde als Version {before} eingeschaltet und ist jetzt Version {version}</translation>
        </message>
        <message>
            <source>its description is longer than {largest} characters</source>
            <translation>seine Beschreibung ist länger als {largest} Zeichen</translation>
        </message>
        <message>
            <source>its eigenvalues</source>
            <translation>ihre Eigenwerte</translation>
        </message>
        <message>
            <source>its format is {value}, and this lab reads format {format}</source>
            <translation>ihr Format ist {value}, und dieses Labor liest Format {format}</translation>
        </message>
        <message>
            <source>its forward pass seeds torch's random numbers, which all code shares: every step draws the same</source>
            <translation>der Vorwärtsdurchlauf setzt den Startwert der Zufallszahlen von torch, die aller Code teilt: jeder Schritt zieht dieselben</translation>
        </message>
        <message>
            <source>its import</source>
            <translation>der Import</translation>
        </message>
        <message>
            <source>its keys have too many dots</source>
            <translation>ihre Schlüssel haben zu viele Punkte</translation>
        </message>
        <message>
            <source>its last one</source>
            <translation>das letzte</translation>
        </message>
        <message>
            <source>its output</source>
            <translation>seine Ausgabe</translation>
        </message>
        <message>
            <source>its output at this token</source>
            <translation>ihre Ausgabe bei diesem Token</translation>
        </message>
        <message>
            <source>its own symbols</source>
            <translation>eigene Symbole</translation>
        </message>
        <message>
            <source>its process ended with signal {value}</source>
            <translation>sein Prozess endete mit Signal {value}</translation>
        </message>
        <message>
            <source>its process ended with signal {value} ({name})</source>
            <translation>sein Prozess endete mit Signal {value} ({name})</translation>
        </message>
        <message>
            <source>its process ended with status {code}</source>
            <translation>sein Prozess endete mit Status {code}</translation>
        </message>
        <message>
            <source>its process was ended by hand</source>
            <translation>sein Prozess wurde von Hand beendet</translation>
        </message>
        <message>
            <source>its thread {name} still ran at the end, and was not waited for</source>
            <translation>der Thread {name} lief am Ende noch; auf ihn wurde nicht gewartet</translation>
        </message>
        <message>
            <source>its trained embedding</source>
            <translation>sein trainiertes Embedding</translation>
        </message>
        <message>
            <source>its {name} cannot be read: {error}</source>
            <translation>seine {name} kann nicht gelesen werden: {error}</translation>
        </message>
        <message>
            <source>its {name} names files elsewhere</source>
            <translation>seine {name} nennt Dateien an anderem Ort</translation>
        </message>
        <message>
            <source>jamba</source>
            <translation>jamba</translation>
        </message>
        <message>
            <source>just now</source>
            <translation>gerade eben</translation>
        </message>
        <message>
            <source>katharopoulos</source>
            <translation>katharopoulos</translation>
        </message>
        <message>
            <source>key</source>
            <translation>Key</translation>
        </message>
        <message>
            <source>key: the token that is read</source>
            <translation>Key: das gelesene Token</translation>
        </message>
        <message>
            <source>keys of an even number of channels</source>
            <translation>Keys mit gerader Kanalzahl</translation>
        </message>
        <message>
            <source>keyword</source>
            <translation>Schlüsselwort</translation>
        </message>
        <message>
            <source>keywords</source>
            <translation>Schlüsselwörter</translation>
        </message>
        <message>
            <source>kind</source>
            <translation>Art</translation>
        </message>
        <message>
            <source>kinds</source>
            <translation>Arten</translation>
        </message>
        <message>
            <source>lab.api.Continuation</source>
            <translation>lab.api.Continuation</translation>
        </message>
        <message>
            <source>label</source>
            <translation>Beschriftung</translation>
        </message>
        <message>
            <source>labels</source>
            <translation>Labels</translation>
        </message>
        <message>
            <source>lacks the symbols of single bytes</source>
            <translation>fehlen die Symbole einzelner Bytes</translation>
        </message>
        <message>
            <source>lacks the symbols of {missing} bytes</source>
            <translation>fehlen die Symbole von {missing} Bytes</translation>
        </message>
        <message>
            <source>lacks {missing} tensors that {index} names: {missing2}</source>
            <translation>fehlen {missing} Tensoren, die {index} nennt: {missing2}</translation>
        </message>
        <message>
            <source>lag: tokens between</source>
            <translation>Abstand: Tokens dazwischen</translation>
        </message>
        <message>
            <source>largest (dashed): {cell}</source>
            <translation>größter Wert (gestrichelt): {cell}</translation>
        </message>
        <message>
            <source>largest: {value}, equal in {n} cells within rounding</source>
            <translation>größter: {value}, gerundet gleich in {n} Feldern</translation>
        </message>
        <message>
            <source>last checkpoint {step}</source>
            <translation>letzter Checkpoint {step}</translation>
        </message>
        <message>
            <source>later tokens too</source>
            <translation>auch spätere Tokens</translation>
        </message>
        <message>
            <source>layer:B: block B is skipped, and only the residual stream passes.</source>
            <translation>layer:B: Block B wird übersprungen, nur der Residualstrom läuft durch.</translation>
        </message>
        <message>
            <source>layers</source>
            <translation>Schichten</translation>
        </message>
        <message>
            <source>leads to {url}, which is not https</source>
            <translation>führt zu {url}, und das ist nicht https</translation>
        </message>
        <message>
            <source>learn {n}</source>
            <translation>{n} lernen</translation>
        </message>
        <message>
            <source>learned</source>
            <translation>gelernt</translation>
        </message>
        <message>
            <source>learning rate</source>
            <translation>Lernrate</translation>
        </message>
        <message>
            <source>leaves no room for {data} data tokens</source>
            <translation>lässt keinen Platz für {data} Datentokens</translation>
        </message>
        <message>
            <source>leaves nothing to train</source>
            <translation>lässt nichts zu trainieren übrig</translation>
        </message>
        <message>
            <source>left out</source>
            <translation>ausgelassen</translation>
        </message>
        <message>
            <source>length does not apply</source>
            <translation>Länge gibt es hier nicht</translation>
        </message>
        <message>
            <source>length of the example</source>
            <translation>Länge des Beispiels</translation>
        </message>
        <message>
            <source>length of the n-grams</source>
            <translation>Länge der n-Gramme</translation>
        </message>
        <message>
            <source>length that is trained</source>
            <translation>Länge im Training</translation>
        </message>
        <message>
            <source>length {n}</source>
            <translation>Länge {n}</translation>
        </message>
        <message>
            <source>lesson</source>
            <translation>Stunde</translation>
        </message>
        <message>
            <source>letter</source>
            <translation>Buchstabe</translation>
        </message>
        <message>
            <source>letters</source>
            <translation>Buchstaben</translation>
        </message>
        <message>
            <source>level</source>
            <translation>Ebene</translation>
        </message>
        <message>
            <source>level at {value}</source>
            <translation>gleichbleibend bei {value}</translation>
        </message>
        <message>
            <source>level {depth}</source>
            <translation>Ebene {depth}</translation>
        </message>
        <message>
            <source>light profile</source>
            <translation>leichtes Profil</translation>
        </message>
        <message>
            <source>likeliest class</source>
            <translation>wahrscheinlichste Klasse</translation>
        </message>
        <message>
            <source>likely</source>
            <translation>wahrscheinlich</translation>
        </message>
        <message>
            <source>limit</source>
            <translation>Grenze</translation>
        </message>
        <message>
            <source>line</source>
            <translation>Linie</translation>
        </message>
        <message>
            <source>line {line_num} has {row} columns, the first line names {width}</source>
            <translation>Zeile {line_num} hat {row} Spalten, die erste Zeile nennt {width}</translation>
        </message>
        <message>
            <source>line {line}</source>
            <translation>Zeile {line}</translation>
        </message>
        <message>
            <source>line {line} has no field {column}</source>
            <translation>Zeile {line} hat kein Feld {column}</translation>
        </message>
        <message>
            <source>line {line} holds {value}, which is not text</source>
            <translation>Zeile {line} enthält {value}, und das ist kein Text</translation>
        </message>
        <message>
            <source>line {number} is longer than {longest} characters</source>
            <translation>Zeile {number} ist länger als {longest} Zeichen</translation>
        </message>
        <message>
            <source>line {number} is {line}, no JSON object and no string</source>
            <translation>Zeile {number} ist {line}, weder JSON-Objekt noch Zeichenkette</translation>
        </message>
        <message>
            <source>line {number} {what}</source>
            <translation>Zeile {number} {what}</translation>
        </message>
        <message>
            <source>line {number}: {error}</source>
            <translation>Zeile {number}: {error}</translation>
        </message>
        <message>
            <source>linear</source>
            <translation>linear</translation>
        </message>
        <message>
            <source>linear attention</source>
            <translation>Lineare Attention</translation>
        </message>
        <message>
            <source>linear model</source>
            <translation>lineares Modell</translation>
        </message>
        <message>
            <source>lines</source>
            <translation>Linien</translation>
        </message>
        <message>
            <source>lines of text</source>
            <translation>Zeilen</translation>
        </message>
        <message>
            <source>lines ▾</source>
            <translation>Linien ▾</translation>
        </message>
        <message>
            <source>links of at most {longest} characters; this one would have {text}</source>
            <translation>Links mit höchstens {longest} Zeichen; dieser hätte {text}</translation>
        </message>
        <message>
            <source>list</source>
            <translation>Liste</translation>
        </message>
        <message>
            <source>list of numbers</source>
            <translation>Liste von Zahlen</translation>
        </message>
        <message>
            <source>list of whole numbers</source>
            <translation>Liste ganzer Zahlen</translation>
        </message>
        <message>
            <source>lists a file that is not a shard of this folder: {value}</source>
            <translation>nennt eine Datei, die kein Teil dieses Ordners ist: {value}</translation>
        </message>
        <message>
            <source>lists added symbols that are not symbols</source>
            <translation>nennt zusätzliche Symbole, die keine Symbole sind</translation>
        </message>
        <message>
            <source>lists no tensors</source>
            <translation>nennt keine Tensoren</translation>
        </message>
        <message>
            <source>llama</source>
            <translation>llama</translation>
        </message>
        <message>
            <source>llama-2</source>
            <translation>llama-2</translation>
        </message>
        <message>
            <source>lm-lab download --proxy none forgets it</source>
            <translation>lm-lab download --proxy none vergisst ihn</translation>
        </message>
        <message>
            <source>lm-lab download {name}</source>
            <translation>lm-lab download {name}</translation>
        </message>
        <message>
            <source>lm-lab download {name} continues where it stopped</source>
            <translation>lm-lab download {name} macht dort weiter</translation>
        </message>
        <message>
            <source>load</source>
            <translation>Last</translation>
        </message>
        <message>
            <source>loading …</source>
            <translation>lädt …</translation>
        </message>
        <message>
            <source>log x</source>
            <translation>log x</translation>
        </message>
        <message>
            <source>log y</source>
            <translation>log y</translation>
        </message>
        <message>
            <source>logits</source>
            <translation>Logits</translation>
        </message>
        <message>
            <source>longest common passage: {n} characters, at {train} and {validation}</source>
            <translation>längste gemeinsame Stelle: {n} Zeichen, bei {train} und {validation}</translation>
        </message>
        <message>
            <source>longformer</source>
            <translation>longformer</translation>
        </message>
        <message>
            <source>looking for its hooks</source>
            <translation>Suchen der Hooks</translation>
        </message>
        <message>
            <source>loop</source>
            <translation>Schleife</translation>
        </message>
        <message>
            <source>loss</source>
            <translation>Verlust</translation>
        </message>
        <message>
            <source>loss (bits per byte)</source>
            <translation>Verlust (Bits pro Byte)</translation>
        </message>
        <message>
            <source>loss (bits per token)</source>
            <translation>Verlust (Bits pro Token)</translation>
        </message>
        <message>
            <source>loss (nats per token)</source>
            <translation>Verlust (Nats pro Token)</translation>
        </message>
        <message>
            <source>loss ({unit})</source>
            <translation>Verlust ({unit})</translation>
        </message>
        <message>
            <source>lowest</source>
            <translation>kleinster Wert</translation>
        </message>
        <message>
            <source>made</source>
            <translation>angelegt</translation>
        </message>
        <message>
            <source>makes an odd number of channels of a key, and they turn in pairs</source>
            <translation>ergibt eine ungerade Zahl von Kanälen eines Keys, und sie drehen sich paarweise</translation>
        </message>
        <message>
            <source>makes each row positive with the sum 1</source>
            <translation>macht jede Zeile positiv mit Summe 1</translation>
        </message>
        <message>
            <source>makes the row positive with the sum 1</source>
            <translation>macht die Zeile positiv mit Summe 1</translation>
        </message>
        <message>
            <source>map</source>
            <translation>Karte</translation>
        </message>
        <message>
            <source>maps of all blocks</source>
            <translation>Karten aller Blöcke</translation>
        </message>
        <message>
            <source>maps of the block</source>
            <translation>Karten des Blocks</translation>
        </message>
        <message>
            <source>marks words by {key} = {value}</source>
            <translation>markiert Wörter durch {key} = {value}</translation>
        </message>
        <message>
            <source>matching {pattern}</source>
            <translation>passend zu {pattern}</translation>
        </message>
        <message>
            <source>matrices from the input, one for each gate</source>
            <translation>Matrizen von der Eingabe, eine je Gate</translation>
        </message>
        <message>
            <source>matrices from the state before, one for each gate</source>
            <translation>Matrizen vom vorigen Zustand, eine je Gate</translation>
        </message>
        <message>
            <source>maximum likelihood</source>
            <translation>Maximum-Likelihood</translation>
        </message>
        <message>
            <source>may not be read</source>
            <translation>darf nicht gelesen werden</translation>
        </message>
        <message>
            <source>mean</source>
            <translation>Mittel</translation>
        </message>
        <message>
            <source>mean Huber loss</source>
            <translation>mittlerer Huber-Verlust</translation>
        </message>
        <message>
            <source>mean distance</source>
            <translation>mittlerer Abstand</translation>
        </message>
        <message>
            <source>mean of the targets</source>
            <translation>Mittelwert der Ziele</translation>
        </message>
        <message>
            <source>mean over random tokens written twice, not over the text</source>
            <translation>Mittel über doppelt geschriebene zufällige Tokens, nicht über den Text</translation>
        </message>
        <message>
            <source>mean size</source>
            <translation>mittlerer Betrag</translation>
        </message>
        <message>
            <source>mean squared error</source>
            <translation>mittlerer quadratischer Fehler</translation>
        </message>
        <message>
            <source>mean squared error {value}</source>
            <translation>mittlerer quadratischer Fehler {value}</translation>
        </message>
        <message>
            <source>mean {series}, last 100 points</source>
            <translation>Mittel: {series}, letzte 100 Punkte</translation>
        </message>
        <message>
            <source>mean {value}</source>
            <translation>Mittel {value}</translation>
        </message>
        <message>
            <source>mean:head:B.H, mean:unit:B.N, …: the value is its mean over a reference text (Wang et al. 2023).</source>
            <translation>mean:head:B.H, mean:unit:B.N, …: Der Wert ist sein Mittel über einen Vergleichstext (Wang et al. 2023).</translation>
        </message>
        <message>
            <source>measure: </source>
            <translation>Maß: </translation>
        </message>
        <message>
            <source>measured</source>
            <translation>gemessen</translation>
        </message>
        <message>
            <source>measuring, {share} %</source>
            <translation>wird gemessen, {share} %</translation>
        </message>
        <message>
            <source>memory:</source>
            <translation>Gedächtnis:</translation>
        </message>
        <message>
            <source>merge {n}: {left} + {right} → {new}, {count} times</source>
            <translation>Verschmelzung {n}: {left} + {right} → {new}, {count}-mal</translation>
        </message>
        <message>
            <source>merges per second</source>
            <translation>Verschmelzungen pro Sekunde</translation>
        </message>
        <message>
            <source>message {index} has no role</source>
            <translation>Nachricht {index} hat keine Rolle</translation>
        </message>
        <message>
            <source>minima and maxima shown</source>
            <translation>Minima und Maxima gezeigt</translation>
        </message>
        <message>
            <source>mistral</source>
            <translation>mistral</translation>
        </message>
        <message>
            <source>mixer:B.token or mixer:B.channel: this mixer of block B adds nothing to the residual stream.</source>
            <translation>mixer:B.token oder mixer:B.channel: Dieser Mischer von Block B trägt nichts zum Residualstrom bei.</translation>
        </message>
        <message>
            <source>mixers</source>
            <translation>Mischer</translation>
        </message>
        <message>
            <source>mixtral</source>
            <translation>mixtral</translation>
        </message>
        <message>
            <source>mixture of experts</source>
            <translation>Mixture of Experts</translation>
        </message>
        <message>
            <source>model</source>
            <translation>Modell</translation>
        </message>
        <message>
            <source>modern-cpu</source>
            <translation>modern-cpu</translation>
        </message>
        <message>
            <source>modified Kneser-Ney</source>
            <translation>modifiziertes Kneser-Ney</translation>
        </message>
        <message>
            <source>moons</source>
            <translation>Monde</translation>
        </message>
        <message>
            <source>more than a trillion</source>
            <translation>mehr als einer Billion</translation>
        </message>
        <message>
            <source>more than {made}</source>
            <translation>mehr als {made}</translation>
        </message>
        <message>
            <source>more than {redirects} redirects</source>
            <translation>mehr als {redirects} Weiterleitungen</translation>
        </message>
        <message>
            <source>more threads are not allowed by {value}</source>
            <translation>mehr Threads sind nicht erlaubt, laut {value}</translation>
        </message>
        <message>
            <source>most probable here:</source>
            <translation>hier am wahrscheinlichsten:</translation>
        </message>
        <message>
            <source>muP</source>
            <translation>muP</translation>
        </message>
        <message>
            <source>n = {n}</source>
            <translation>n = {n}</translation>
        </message>
        <message>
            <source>n-gram</source>
            <translation>n-Gramm</translation>
        </message>
        <message>
            <source>n-gram models as ARPA files: export a run, count a text, check a file on a text</source>
            <translation>n-Gramm-Modelle als ARPA-Dateien: einen Lauf exportieren, einen Text zählen, eine Datei auf einem Text prüfen</translation>
        </message>
        <message>
            <source>n-grams of</source>
            <translation>n-Gramme aus</translation>
        </message>
        <message>
            <source>name</source>
            <translation>Name</translation>
        </message>
        <message>
            <source>name:address, as head:2.3, layer:4 or expert:2.*, several with commas between them</source>
            <translation>name:adresse, etwa head:2.3, layer:4 oder expert:2.*, mehrere durch Kommas getrennt</translation>
        </message>
        <message>
            <source>names a kind of model that the lab cannot read</source>
            <translation>nennt eine Art von Modell, die das Labor nicht lesen kann</translation>
        </message>
        <message>
            <source>names no intervention</source>
            <translation>nennt keinen Eingriff</translation>
        </message>
        <message>
            <source>names no kind of model</source>
            <translation>nennt keine Art von Modell</translation>
        </message>
        <message>
            <source>names nothing</source>
            <translation>nennt nichts</translation>
        </message>
        <message>
            <source>names other files, as no journal of the lab does</source>
            <translation>nennt andere Dateien, wie es kein Journal des Labors tut</translation>
        </message>
        <message>
            <source>names several settings</source>
            <translation>nennt mehrere Einstellungen</translation>
        </message>
        <message>
            <source>names {name}, and there is no such mixer</source>
            <translation>nennt {name}, und diesen Mixer gibt es nicht</translation>
        </message>
        <message>
            <source>names {value}, {kinds} mixer, as one block</source>
            <translation>nennt {value}, {kinds}, als einen Block</translation>
        </message>
        <message>
            <source>nanogpt-cpu</source>
            <translation>nanogpt-cpu</translation>
        </message>
        <message>
            <source>nanogpt-gpu</source>
            <translation>nanogpt-gpu</translation>
        </message>
        <message>
            <source>nats</source>
            <translation>Nats</translation>
        </message>
        <message>
            <source>nats above the entropy</source>
            <translation>Nats über der Entropie</translation>
        </message>
        <message>
            <source>nats per hidden token</source>
            <translation>Nats pro verdecktem Token</translation>
        </message>
        <message>
            <source>nats per label</source>
            <translation>Nats pro Label</translation>
        </message>
        <message>
            <source>nats per scored token</source>
            <translation>Nats pro gewertetem Token</translation>
        </message>
        <message>
            <source>nats per token</source>
            <translation>Nats pro Token</translation>
        </message>
        <message>
            <source>nats per token above the entropy</source>
            <translation>Nats pro Token über der Entropie</translation>
        </message>
        <message>
            <source>needs model</source>
            <translation>mit Modell</translation>
        </message>
        <message>
            <source>needs one continuous text, and a mixture draws its examples</source>
            <translation>braucht einen fortlaufenden Text, und eine Mischung zieht ihre Beispiele</translation>
        </message>
        <message>
            <source>needs one continuous text, and the examples of this source are independent</source>
            <translation>braucht einen fortlaufenden Text, und die Beispiele dieser Quelle sind unabhängig</translation>
        </message>
        <message>
            <source>needs the library tokenizers, and a script has only torch, numpy and Python's own modules</source>
            <translation>braucht die Bibliothek tokenizers, und ein Skript hat nur torch, numpy und die Module von Python</translation>
        </message>
        <message>
            <source>neighbours</source>
            <translation>Nachbarn</translation>
        </message>
        <message>
            <source>never</source>
            <translation>nie</translation>
        </message>
        <message>
            <source>new token</source>
            <translation>neues Token</translation>
        </message>
        <message>
            <source>new version</source>
            <translation>neue Version</translation>
        </message>
        <message>
            <source>newest</source>
            <translation>neueste</translation>
        </message>
        <message>
            <source>no</source>
            <translation>nein</translation>
        </message>
        <message>
            <source>no FLOPs, as it has no matrix product</source>
            <translation>keine FLOPs, da ohne Matrixprodukt</translation>
        </message>
        <message>
            <source>no GPU</source>
            <translation>keine GPU</translation>
        </message>
        <message>
            <source>no active plugin provides a mixer for its pattern</source>
            <translation>kein aktives Plugin stellt einen Mixer für dieses Muster bereit</translation>
        </message>
        <message>
            <source>no answer</source>
            <translation>keine Antwort</translation>
        </message>
        <message>
            <source>no changes</source>
            <translation>keine Änderungen</translation>
        </message>
        <message>
            <source>no checkpoint</source>
            <translation>kein Checkpoint</translation>
        </message>
        <message>
            <source>no checkpoint was made: {what}</source>
            <translation>es wurde kein Checkpoint angelegt: {what}</translation>
        </message>
        <message>
            <source>no data came for too long</source>
            <translation>es kamen zu lange keine Daten</translation>
        </message>
        <message>
            <source>no dead experts</source>
            <translation>keine toten Experten</translation>
        </message>
        <message>
            <source>no expert takes it</source>
            <translation>kein Experte übernimmt es</translation>
        </message>
        <message>
            <source>no field of this config is live</source>
            <translation>kein Feld dieser Konfiguration ist live änderbar</translation>
        </message>
        <message>
            <source>no fit</source>
            <translation>keine Anpassung</translation>
        </message>
        <message>
            <source>no font has letters of one width, so texts of models are hard to read</source>
            <translation>keine Schrift hat Buchstaben gleicher Breite, daher sind Texte von Modellen schwer zu lesen</translation>
        </message>
        <message>
            <source>no font is installed, so every label is empty</source>
            <translation>es ist keine Schrift installiert, daher ist jede Beschriftung leer</translation>
        </message>
        <message>
            <source>no format for other programs is known for this architecture</source>
            <translation>für diese Architektur ist kein Format für andere Programme bekannt</translation>
        </message>
        <message>
            <source>no format of Hugging Face can express this model</source>
            <translation>kein Format von Hugging Face kann dieses Modell ausdrücken</translation>
        </message>
        <message>
            <source>no layer of this model computes eigenvalues of its state</source>
            <translation>keine Schicht dieses Modells berechnet Eigenwerte ihres Zustands</translation>
        </message>
        <message>
            <source>no limit</source>
            <translation>keine Grenze</translation>
        </message>
        <message>
            <source>no matrix product</source>
            <translation>kein Matrixprodukt</translation>
        </message>
        <message>
            <source>no message is learned; its roles are {roles}</source>
            <translation>keine Nachricht wird gelernt; die Rollen sind {roles}</translation>
        </message>
        <message>
            <source>no more than {limit}B on the disk are allowed by {value}, and {taken}B are taken</source>
            <translation>auf der Platte sind höchstens {limit}B erlaubt, laut {value}, und {taken}B sind belegt</translation>
        </message>
        <message>
            <source>no parameters</source>
            <translation>keine Parameter</translation>
        </message>
        <message>
            <source>no path stands among the settings of a part</source>
            <translation>unter den Einstellungen eines Teils steht kein Pfad</translation>
        </message>
        <message>
            <source>no pictures can be taken: the lab could not be loaded</source>
            <translation>es können keine Bilder aufgenommen werden: Das Labor konnte nicht geladen werden</translation>
        </message>
        <message>
            <source>no plugin that is enabled has the n-grams of the floors</source>
            <translation>kein aktiviertes Plugin hat die N-Gramme der Schranken</translation>
        </message>
        <message>
            <source>no process could be started: {value}</source>
            <translation>es konnte kein Prozess gestartet werden: {value}</translation>
        </message>
        <message>
            <source>no readings were stored at this step</source>
            <translation>bei diesem Schritt wurden keine Messwerte gespeichert</translation>
        </message>
        <message>
            <source>no row</source>
            <translation>keine Zeile</translation>
        </message>
        <message>
            <source>no run can be started, since the lab could not finish loading ({stage}): {why}</source>
            <translation>es kann kein Lauf gestartet werden, weil das Labor nicht fertig geladen werden konnte ({stage}): {why}</translation>
        </message>
        <message>
            <source>no step was trained</source>
            <translation>es wurde kein Schritt trainiert</translation>
        </message>
        <message>
            <source>no such mark</source>
            <translation>keine solche Markierung</translation>
        </message>
        <message>
            <source>no such part</source>
            <translation>kein solcher Teil</translation>
        </message>
        <message>
            <source>no such plugin is shared</source>
            <translation>kein Plugin dieses Namens ist freigegeben</translation>
        </message>
        <message>
            <source>no text</source>
            <translation>keinen Text</translation>
        </message>
        <message>
            <source>no values</source>
            <translation>keine Werte</translation>
        </message>
        <message>
            <source>no weight would be above 0</source>
            <translation>kein Gewicht wäre über 0</translation>
        </message>
        <message>
            <source>no width goes with the other settings</source>
            <translation>keine Breite passt zu den anderen Einstellungen</translation>
        </message>
        <message>
            <source>no window is installed; the command line works without</source>
            <translation>es ist kein Fenster installiert; die Kommandozeile kommt ohne aus</translation>
        </message>
        <message>
            <source>no.</source>
            <translation>Nr.</translation>
        </message>
        <message>
            <source>no: validation loss and training loss</source>
            <translation>nein: Validierungsverlust und Trainingsverlust</translation>
        </message>
        <message>
            <source>no: {run} is not finished</source>
            <translation>nein: {run} ist nicht fertig</translation>
        </message>
        <message>
            <source>no: {why}</source>
            <translation>nein: {why}</translation>
        </message>
        <message>
            <source>noisy-top-k</source>
            <translation>verrauschtes Top-k</translation>
        </message>
        <message>
            <source>none</source>
            <translation>keine</translation>
        </message>
        <message>
            <source>none of its own</source>
            <translation>keine eigenen</translation>
        </message>
        <message>
            <source>none of the registered architectures</source>
            <translation>keine der registrierten Architekturen</translation>
        </message>
        <message>
            <source>none of {layers} layers has experts</source>
            <translation>keine von {layers} Schichten hat Experten</translation>
        </message>
        <message>
            <source>none: it has no checkpoint yet</source>
            <translation>keiner: er hat noch keinen Checkpoint</translation>
        </message>
        <message>
            <source>none: no plugin reads checkpoints</source>
            <translation>keine: kein Plugin liest Checkpoints</translation>
        </message>
        <message>
            <source>none: there is no filter</source>
            <translation>keine: Es gibt keinen Filter</translation>
        </message>
        <message>
            <source>norm</source>
            <translation>Norm</translation>
        </message>
        <message>
            <source>normal</source>
            <translation>normalverteilt</translation>
        </message>
        <message>
            <source>not all queued runs can be read: {why}</source>
            <translation>nicht alle eingereihten Läufe können gelesen werden: {why}</translation>
        </message>
        <message>
            <source>not all weights are finite numbers; the first are in {name}</source>
            <translation>nicht alle Gewichte sind endliche Zahlen; die ersten stehen in {name}</translation>
        </message>
        <message>
            <source>not allowed</source>
            <translation>nicht erlaubt</translation>
        </message>
        <message>
            <source>not compared: {why}</source>
            <translation>nicht verglichen: {why}</translation>
        </message>
        <message>
            <source>not enabled</source>
            <translation>nicht aktiviert</translation>
        </message>
        <message>
            <source>not evaluated at the same step</source>
            <translation>nicht beim selben Schritt ausgewertet</translation>
        </message>
        <message>
            <source>not finished: {about}</source>
            <translation>nicht fertig: {about}</translation>
        </message>
        <message>
            <source>not in this passage</source>
            <translation>nicht in dieser Textstelle</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>nicht gemessen</translation>
        </message>
        <message>
            <source>not settings of version {version}</source>
            <translation>keine Einstellungen der Version {version}</translation>
        </message>
        <message>
            <source>not yet: its last evaluation is running</source>
            <translation>noch nicht: seine letzte Auswertung läuft</translation>
        </message>
        <message>
            <source>not yet: the last evaluation of {run} is running</source>
            <translation>noch nicht: die letzte Auswertung von {run} läuft</translation>
        </message>
        <message>
            <source>note</source>
            <translation>Notiz</translation>
        </message>
        <message>
            <source>nothing</source>
            <translation>nichts</translation>
        </message>
        <message>
            <source>nothing here</source>
            <translation>hier ist nichts</translation>
        </message>
        <message>
            <source>nothing is wrong</source>
            <translation>alles ist in Ordnung</translation>
        </message>
        <message>
            <source>nothing was recorded of these steps that could be compared</source>
            <translation>von diesen Schritten wurde nichts aufgezeichnet, das sich vergleichen ließe</translation>
        </message>
        <message>
            <source>nothing, the bin is empty</source>
            <translation>nichts, der Papierkorb ist leer</translation>
        </message>
        <message>
            <source>nothing: this model has no hook points</source>
            <translation>nichts: dieses Modell hat keine Ansatzpunkte</translation>
        </message>
        <message>
            <source>now</source>
            <translation>jetzt</translation>
        </message>
        <message>
            <source>np.asarray(inputs, np.float32)</source>
            <translation>np.asarray(inputs, np.float32)</translation>
        </message>
        <message>
            <source>np.asarray(labels, np.int64)</source>
            <translation>np.asarray(labels, np.int64)</translation>
        </message>
        <message>
            <source>np.asarray(targets, np.float32)[:, None]</source>
            <translation>np.asarray(targets, np.float32)[:, None]</translation>
        </message>
        <message>
            <source>np.asarray(targets, np.int64)</source>
            <translation>np.asarray(targets, np.int64)</translation>
        </message>
        <message>
            <source>number</source>
            <translation>Zahl</translation>
        </message>
        <message>
            <source>number i of the state after token t</source>
            <translation>die Zahl i des Zustands nach Token t</translation>
        </message>
        <message>
            <source>number of merges</source>
            <translation>Zahl der Verschmelzungen</translation>
        </message>
        <message>
            <source>number of the symbol</source>
            <translation>Nummer des Symbols</translation>
        </message>
        <message>
            <source>numbers</source>
            <translation>Zahlen</translation>
        </message>
        <message>
            <source>numbers its symbols from {symbols} to {named}</source>
            <translation>nummeriert seine Symbole von {symbols} bis {named}</translation>
        </message>
        <message>
            <source>objective</source>
            <translation>Zielfunktion</translation>
        </message>
        <message>
            <source>of a folder</source>
            <translation>aus einem Ordner</translation>
        </message>
        <message>
            <source>of all</source>
            <translation>von allen</translation>
        </message>
        <message>
            <source>of characters</source>
            <translation>der Zeichen</translation>
        </message>
        <message>
            <source>of the {n} passages of the validation text are also in the training text</source>
            <translation>der {n} Stellen des Validierungstextes stehen auch im Trainingstext</translation>
        </message>
        <message>
            <source>of {given} tokens the first {labels} are read</source>
            <translation>von {given} Tokens werden die ersten {labels} gelesen</translation>
        </message>
        <message>
            <source>off</source>
            <translation>aus</translation>
        </message>
        <message>
            <source>on</source>
            <translation>an</translation>
        </message>
        <message>
            <source>on all of the validation text</source>
            <translation>auf dem ganzen Validierungstext</translation>
        </message>
        <message>
            <source>on average over {n}</source>
            <translation>im Mittel über {n}</translation>
        </message>
        <message>
            <source>on this text of {n} tokens alone</source>
            <translation>nur auf diesem Text von {n} Tokens</translation>
        </message>
        <message>
            <source>one label for each token</source>
            <translation>eine Klasse für jedes Token</translation>
        </message>
        <message>
            <source>one norm</source>
            <translation>eine Norm</translation>
        </message>
        <message>
            <source>one of them</source>
            <translation>eines davon</translation>
        </message>
        <message>
            <source>one of {choices}</source>
            <translation>eines von {choices}</translation>
        </message>
        <message>
            <source>one of {value}</source>
            <translation>eines von {value}</translation>
        </message>
        <message>
            <source>one pass</source>
            <translation>ein Durchlauf</translation>
        </message>
        <message>
            <source>one row</source>
            <translation>eine Zeile</translation>
        </message>
        <message>
            <source>one token</source>
            <translation>ein Token</translation>
        </message>
        <message>
            <source>only {free}B of memory is free, and the system may end a training</source>
            <translation>nur {free}B Speicher sind frei, und das System beendet vielleicht ein Training</translation>
        </message>
        <message>
            <source>opticks</source>
            <translation>opticks</translation>
        </message>
        <message>
            <source>or drop a file or folder on the window</source>
            <translation>oder eine Datei oder einen Ordner auf dem Fenster ablegen</translation>
        </message>
        <message>
            <source>or nothing</source>
            <translation>oder nichts</translation>
        </message>
        <message>
            <source>or {addresses}</source>
            <translation>oder {addresses}</translation>
        </message>
        <message>
            <source>order</source>
            <translation>Reihenfolge</translation>
        </message>
        <message>
            <source>order n</source>
            <translation>Ordnung n</translation>
        </message>
        <message>
            <source>order {n}</source>
            <translation>Ordnung {n}</translation>
        </message>
        <message>
            <source>order {n} and above</source>
            <translation>Ordnung {n} und darüber</translation>
        </message>
        <message>
            <source>order {n}: {bits} bits per character as counted, {held_out} held out</source>
            <translation>Ordnung {n}: {bits} Bit pro Zeichen gezählt, {held_out} zurückgehalten</translation>
        </message>
        <message>
            <source>order ▾</source>
            <translation>Reihenfolge ▾</translation>
        </message>
        <message>
            <source>order-5</source>
            <translation>Ordnung 5</translation>
        </message>
        <message>
            <source>order: tokens of context</source>
            <translation>Ordnung: Tokens des Kontexts</translation>
        </message>
        <message>
            <source>order:N: answer with order N − 1, without the n-grams of order N and above.</source>
            <translation>order:N: Antwort mit Ordnung N − 1, ohne die n-Gramme der Ordnung N und darüber.</translation>
        </message>
        <message>
            <source>orders</source>
            <translation>Ordnungen</translation>
        </message>
        <message>
            <source>orthogonal</source>
            <translation>orthogonal</translation>
        </message>
        <message>
            <source>other</source>
            <translation>anderes</translation>
        </message>
        <message>
            <source>other API version</source>
            <translation>andere API-Version</translation>
        </message>
        <message>
            <source>other tokens</source>
            <translation>andere Tokens</translation>
        </message>
        <message>
            <source>other:head:B.H, other:mixer:B.token, …: the value is that of a reference text at the same position; after its end it is unchanged (activation patching, Meng et al. 2022).</source>
            <translation>other:head:B.H, other:mixer:B.token, …: Der Wert ist der eines Vergleichstextes an derselben Position; nach dessen Ende bleibt er unverändert (Activation Patching, Meng et al. 2022).</translation>
        </message>
        <message>
            <source>others {share}</source>
            <translation>andere {share}</translation>
        </message>
        <message>
            <source>out of memory at step {step}; nothing is lost, and smaller pieces give the same result, except for draws of dropout and noise and the balance losses of experts</source>
            <translation>kein Speicher mehr bei Schritt {step}; nichts ist verloren, und kleinere Teile ergeben dasselbe Resultat, abgesehen von den Ziehungen für Dropout und Rauschen und den Balance-Verlusten von Experten</translation>
        </message>
        <message>
            <source>out of memory while {doing} after step {step}; the weights are unchanged</source>
            <translation>kein Speicher mehr ({doing}) nach Schritt {step}; die Gewichte sind unverändert</translation>
        </message>
        <message>
            <source>output</source>
            <translation>Ausgabe</translation>
        </message>
        <message>
            <source>output gate</source>
            <translation>Ausgabe-Gate</translation>
        </message>
        <message>
            <source>output {shape}</source>
            <translation>Ausgabe {shape}</translation>
        </message>
        <message>
            <source>over steps</source>
            <translation>je Schritt</translation>
        </message>
        <message>
            <source>own text</source>
            <translation>eigener Text</translation>
        </message>
        <message>
            <source>packages: {found}</source>
            <translation>Pakete: {found}</translation>
        </message>
        <message>
            <source>pair</source>
            <translation>Paar</translation>
        </message>
        <message>
            <source>pairs</source>
            <translation>Paare</translation>
        </message>
        <message>
            <source>pairs of symbol numbers, none twice, each of which makes a symbol</source>
            <translation>Paare von Symbolnummern, keines doppelt, die je ein Symbol ergeben</translation>
        </message>
        <message>
            <source>pairs of texts</source>
            <translation>Paare von Texten</translation>
        </message>
        <message>
            <source>palm</source>
            <translation>palm</translation>
        </message>
        <message>
            <source>paradise-lost</source>
            <translation>paradise-lost</translation>
        </message>
        <message>
            <source>paragraphs</source>
            <translation>Absätze</translation>
        </message>
        <message>
            <source>parameters</source>
            <translation>Parameter</translation>
        </message>
        <message>
            <source>part</source>
            <translation>Teil</translation>
        </message>
        <message>
            <source>part of text</source>
            <translation>Einheit</translation>
        </message>
        <message>
            <source>partner: takes so many of the expert's tokens too</source>
            <translation>Partner: übernimmt so viele der Tokens des Experten ebenfalls</translation>
        </message>
        <message>
            <source>partner: the other expert of the pair</source>
            <translation>Partner: der andere Experte des Paares</translation>
        </message>
        <message>
            <source>paused</source>
            <translation>angehalten</translation>
        </message>
        <message>
            <source>peak {rate}</source>
            <translation>Spitze {rate}</translation>
        </message>
        <message>
            <source>per step</source>
            <translation>pro Schritt</translation>
        </message>
        <message>
            <source>performer</source>
            <translation>performer</translation>
        </message>
        <message>
            <source>perplexity</source>
            <translation>Perplexität</translation>
        </message>
        <message>
            <source>perplexity {value}</source>
            <translation>Perplexität {value}</translation>
        </message>
        <message>
            <source>pictures</source>
            <translation>Bilder</translation>
        </message>
        <message>
            <source>pieces</source>
            <translation>Teile</translation>
        </message>
        <message>
            <source>pinned: {step}</source>
            <translation>angeheftet: {step}</translation>
        </message>
        <message>
            <source>pixels</source>
            <translation>Pixel</translation>
        </message>
        <message>
            <source>plugin</source>
            <translation>Plugin</translation>
        </message>
        <message>
            <source>plugins by others that are off: {off}</source>
            <translation>fremde Plugins, die nicht aktiviert sind: {off}</translation>
        </message>
        <message>
            <source>plugins by others that run: {good}</source>
            <translation>fremde Plugins, die laufen: {good}</translation>
        </message>
        <message>
            <source>plugins of one .py file; files with a short name and without special characters</source>
            <translation>Plugins aus einer .py-Datei; Dateien mit kurzem Namen ohne Sonderzeichen</translation>
        </message>
        <message>
            <source>plugins of the lab that run: {running} of {total}</source>
            <translation>Plugins des Labors, die laufen: {running} von {total}</translation>
        </message>
        <message>
            <source>plugins that this start leaves out, since they are disabled or by its options: {skipped}</source>
            <translation>Plugins, die dieser Start auslässt, weil sie deaktiviert sind oder wegen seiner Optionen: {skipped}</translation>
        </message>
        <message>
            <source>position in the text</source>
            <translation>Position im Text</translation>
        </message>
        <message>
            <source>positions</source>
            <translation>Positionen</translation>
        </message>
        <message>
            <source>positive</source>
            <translation>positiv</translation>
        </message>
        <message>
            <source>post-norm</source>
            <translation>Post-Norm</translation>
        </message>
        <message>
            <source>post-norm has one norm after the sum of two parallel branches: set parallel one-norm</source>
            <translation>Post-Norm hat eine Norm nach der Summe zweier paralleler Zweige: parallel auf one-norm setzen</translation>
        </message>
        <message>
            <source>powers of ten</source>
            <translation>Zehnerpotenzen</translation>
        </message>
        <message>
            <source>pre-norm</source>
            <translation>Pre-Norm</translation>
        </message>
        <message>
            <source>preparing</source>
            <translation>wird vorbereitet</translation>
        </message>
        <message>
            <source>previous token</source>
            <translation>voriges Token</translation>
        </message>
        <message>
            <source>probability</source>
            <translation>Wahrscheinlichkeit</translation>
        </message>
        <message>
            <source>probe {n}: {title}</source>
            <translation>Sonde {n}: {title}</translation>
        </message>
        <message>
            <source>probing</source>
            <translation>Anwenden der Sonden</translation>
        </message>
        <message>
            <source>process {number}</source>
            <translation>Prozess {number}</translation>
        </message>
        <message>
            <source>protocol </source>
            <translation>Verfahren </translation>
        </message>
        <message>
            <source>punctuation</source>
            <translation>Satzzeichen</translation>
        </message>
        <message>
            <source>quantity</source>
            <translation>Größe</translation>
        </message>
        <message>
            <source>query</source>
            <translation>Query</translation>
        </message>
        <message>
            <source>query: the token that reads</source>
            <translation>Query: das lesende Token</translation>
        </message>
        <message>
            <source>queued</source>
            <translation>eingereiht</translation>
        </message>
        <message>
            <source>queued at position {n}</source>
            <translation>eingereiht an Stelle {n}</translation>
        </message>
        <message>
            <source>queued behind {run}</source>
            <translation>eingereiht hinter {run}</translation>
        </message>
        <message>
            <source>queued behind {run} (paused)</source>
            <translation>eingereiht hinter {run} (angehalten)</translation>
        </message>
        <message>
            <source>quick start</source>
            <translation>Schnellstart</translation>
        </message>
        <message>
            <source>random</source>
            <translation>zufällig</translation>
        </message>
        <message>
            <source>rank</source>
            <translation>Rang</translation>
        </message>
        <message>
            <source>rank of the truth</source>
            <translation>Rang der Wahrheit</translation>
        </message>
        <message>
            <source>rank; bright: the expert takes most occurrences</source>
            <translation>Rang; hell: Der Experte übernimmt die meisten Vorkommen</translation>
        </message>
        <message>
            <source>read token</source>
            <translation>gelesenes Token</translation>
        </message>
        <message>
            <source>reading LAB_API_VERSION</source>
            <translation>Lesen von LAB_API_VERSION</translation>
        </message>
        <message>
            <source>reading the bundle</source>
            <translation>das Lesen des Bündels</translation>
        </message>
        <message>
            <source>reading the folder was cancelled</source>
            <translation>das Lesen des Ordners wurde abgebrochen</translation>
        </message>
        <message>
            <source>reading the model and what it reports on the probe text</source>
            <translation>das Modell und seine Meldungen auf dem Prüftext werden gelesen</translation>
        </message>
        <message>
            <source>reading token</source>
            <translation>lesendes Token</translation>
        </message>
        <message>
            <source>real</source>
            <translation>reell</translation>
        </message>
        <message>
            <source>real part</source>
            <translation>Realteil</translation>
        </message>
        <message>
            <source>recalled</source>
            <translation>erinnert</translation>
        </message>
        <message>
            <source>recipe.toml cannot be read: {error}</source>
            <translation>recipe.toml kann nicht gelesen werden: {error}</translation>
        </message>
        <message>
            <source>recorded runs</source>
            <translation>aufgezeichnete Läufe</translation>
        </message>
        <message>
            <source>recurrent</source>
            <translation>Rekurrent</translation>
        </message>
        <message>
            <source>red, green, blue</source>
            <translation>rot, grün, blau</translation>
        </message>
        <message>
            <source>reference line</source>
            <translation>Vergleichslinie</translation>
        </message>
        <message>
            <source>reference lines ▾</source>
            <translation>Vergleichslinien ▾</translation>
        </message>
        <message>
            <source>refuse</source>
            <translation>ablehnen</translation>
        </message>
        <message>
            <source>registers no card; is @hookimpl missing?</source>
            <translation>registriert keine Karte; fehlt @hookimpl?</translation>
        </message>
        <message>
            <source>remark</source>
            <translation>Bemerkung</translation>
        </message>
        <message>
            <source>removed</source>
            <translation>entfernt</translation>
        </message>
        <message>
            <source>removes separators of a text</source>
            <translation>entfernt Trennzeichen eines Textes</translation>
        </message>
        <message>
            <source>repeated</source>
            <translation>wiederholt</translation>
        </message>
        <message>
            <source>repeats a block {value} times</source>
            <translation>wiederholt einen Block {value}-mal</translation>
        </message>
        <message>
            <source>replaces parts of a text</source>
            <translation>ersetzt Teile eines Textes</translation>
        </message>
        <message>
            <source>reset gate</source>
            <translation>Reset-Gate</translation>
        </message>
        <message>
            <source>residual connections</source>
            <translation>Residualverbindungen</translation>
        </message>
        <message>
            <source>residual:B.token or residual:B.channel: behind this mixer of block B, the stream is only what it computes; what bypasses it is dropped (He et al. 2016).</source>
            <translation>residual:B.token oder residual:B.channel: Hinter diesem Mischer von Block B besteht der Strom nur aus dem, was er berechnet; was an ihm vorbeiführt, entfällt (He et al. 2016).</translation>
        </message>
        <message>
            <source>rising from {start} to {end}</source>
            <translation>steigend von {start} auf {end}</translation>
        </message>
        <message>
            <source>rollout</source>
            <translation>Rollout</translation>
        </message>
        <message>
            <source>rotary positions turn pairs of channels, not {each_head}: change heads</source>
            <translation>rotatorische Positionen drehen Paare von Kanälen, nicht {each_head}: heads ändern</translation>
        </message>
        <message>
            <source>rotary positions turn pairs of channels, not {rotated_channels}: change heads or rotary_share</source>
            <translation>rotatorische Positionen drehen Paare von Kanälen, nicht {rotated_channels}: heads oder rotary_share ändern</translation>
        </message>
        <message>
            <source>rotates {turned} channels of each head, but rotary positions need pairs of channels</source>
            <translation>dreht {turned} Kanäle jedes Kopfes, aber rotatorische Positionen brauchen Paare von Kanälen</translation>
        </message>
        <message>
            <source>router</source>
            <translation>Router</translation>
        </message>
        <message>
            <source>router entropy {bits} of {most} bits</source>
            <translation>Router-Entropie {bits} von {most} Bit</translation>
        </message>
        <message>
            <source>row</source>
            <translation>Zeile</translation>
        </message>
        <message>
            <source>row by row</source>
            <translation>zeilenweise</translation>
        </message>
        <message>
            <source>row {number} of Conversations holds a {name}</source>
            <translation>Zeile {number} von Conversations enthält ein {name}</translation>
        </message>
        <message>
            <source>row {number} of LabelledTexts has {tokens} tokens and {count} labels</source>
            <translation>Zeile {number} von LabelledTexts hat {tokens} Tokens und {count} Klassen</translation>
        </message>
        <message>
            <source>rows</source>
            <translation>Zeilen</translation>
        </message>
        <message>
            <source>run</source>
            <translation>Lauf</translation>
        </message>
        <message>
            <source>run {run}</source>
            <translation>Lauf {run}</translation>
        </message>
        <message>
            <source>run.json or recipe.toml is nested too deep</source>
            <translation>run.json oder recipe.toml ist zu tief verschachtelt</translation>
        </message>
        <message>
            <source>running</source>
            <translation>läuft</translation>
        </message>
        <message>
            <source>running elsewhere</source>
            <translation>läuft anderswo</translation>
        </message>
        <message>
            <source>runs cannot be handed in there: {why}</source>
            <translation>dort können keine Läufe abgegeben werden: {why}</translation>
        </message>
        <message>
            <source>s</source>
            <translation>s</translation>
        </message>
        <message>
            <source>s = {s}</source>
            <translation>s = {s}</translation>
        </message>
        <message>
            <source>s4</source>
            <translation>s4</translation>
        </message>
        <message>
            <source>s4d-inv</source>
            <translation>s4d-inv</translation>
        </message>
        <message>
            <source>s4d-legs</source>
            <translation>s4d-legs</translation>
        </message>
        <message>
            <source>s4d-lin</source>
            <translation>s4d-lin</translation>
        </message>
        <message>
            <source>s4d-real</source>
            <translation>s4d-real</translation>
        </message>
        <message>
            <source>samba</source>
            <translation>samba</translation>
        </message>
        <message>
            <source>samplers are of version 1 of the lab's API, and the plugin names version {version}</source>
            <translation>Sampler gehören zu Version 1 der Schnittstelle des Labors, und das Plugin nennt Version {version}</translation>
        </message>
        <message>
            <source>saving</source>
            <translation>speichert</translation>
        </message>
        <message>
            <source>scored tokens are marked</source>
            <translation>gewertete Tokens sind markiert</translation>
        </message>
        <message>
            <source>scored tokens per example</source>
            <translation>gewertete Tokens pro Beispiel</translation>
        </message>
        <message>
            <source>screens: {sizes}, shown by {platform}; the lab needs no OpenGL</source>
            <translation>Bildschirme: {sizes}, angezeigt von {platform}; das Labor braucht kein OpenGL</translation>
        </message>
        <message>
            <source>seconds</source>
            <translation>Sekunden</translation>
        </message>
        <message>
            <source>selected</source>
            <translation>ausgewählt</translation>
        </message>
        <message>
            <source>sentences</source>
            <translation>Sätze</translation>
        </message>
        <message>
            <source>sequence of blocks</source>
            <translation>Folge von Blöcken</translation>
        </message>
        <message>
            <source>setting</source>
            <translation>Einstellung</translation>
        </message>
        <message>
            <source>setting(…, help=…): describe in one sentence what the setting does</source>
            <translation>setting(…, help=…): in einem Satz beschreiben, was die Einstellung bewirkt</translation>
        </message>
        <message>
            <source>several columns may be the text, and none is named</source>
            <translation>mehrere Spalten können der Text sein, und keine ist angegeben</translation>
        </message>
        <message>
            <source>several runs have names that start with this</source>
            <translation>die Namen mehrerer Läufe beginnen so</translation>
        </message>
        <message>
            <source>several runs have this name</source>
            <translation>mehrere Läufe haben diesen Namen</translation>
        </message>
        <message>
            <source>shakespeare</source>
            <translation>shakespeare</translation>
        </message>
        <message>
            <source>shannon-2</source>
            <translation>shannon-2</translation>
        </message>
        <message>
            <source>shannon-first-order-letters</source>
            <translation>Shannon, Buchstaben 1. Ordnung</translation>
        </message>
        <message>
            <source>shannon-first-order-words</source>
            <translation>Shannon, Wörter 1. Ordnung</translation>
        </message>
        <message>
            <source>shannon-second-order-letters</source>
            <translation>Shannon, Buchstaben 2. Ordnung</translation>
        </message>
        <message>
            <source>shannon-second-order-words</source>
            <translation>Shannon, Wörter 2. Ordnung</translation>
        </message>
        <message>
            <source>shannon-third-order-letters</source>
            <translation>Shannon, Buchstaben 3. Ordnung</translation>
        </message>
        <message>
            <source>shannon-zero-order-letters</source>
            <translation>Shannon, Buchstaben 0. Ordnung</translation>
        </message>
        <message>
            <source>shape</source>
            <translation>Form</translation>
        </message>
        <message>
            <source>shapes</source>
            <translation>Formen</translation>
        </message>
        <message>
            <source>share</source>
            <translation>Anteil</translation>
        </message>
        <message>
            <source>share of assignments</source>
            <translation>Anteil der Zuweisungen</translation>
        </message>
        <message>
            <source>share of the row</source>
            <translation>Anteil an der Zeile</translation>
        </message>
        <message>
            <source>shared</source>
            <translation>geteilt</translation>
        </message>
        <message>
            <source>shared expert j, which reads every token</source>
            <translation>der geteilte Experte j, der jedes Token liest</translation>
        </message>
        <message>
            <source>shared with everybody on this machine</source>
            <translation>für alle an diesem Rechner freigegeben</translation>
        </message>
        <message>
            <source>shares its parameters with another part</source>
            <translation>teilt seine Parameter mit einem anderen Teil</translation>
        </message>
        <message>
            <source>shares of the classes</source>
            <translation>Anteile der Klassen</translation>
        </message>
        <message>
            <source>show all</source>
            <translation>alles zeigen</translation>
        </message>
        <message>
            <source>show ›</source>
            <translation>zeigen ›</translation>
        </message>
        <message>
            <source>sightings</source>
            <translation>Sichtungen</translation>
        </message>
        <message>
            <source>sigmoid</source>
            <translation>Sigmoid</translation>
        </message>
        <message>
            <source>signed</source>
            <translation>mit Vorzeichen</translation>
        </message>
        <message>
            <source>sinusoidal</source>
            <translation>sinusförmig</translation>
        </message>
        <message>
            <source>size of the vocabulary</source>
            <translation>Größe des Vokabulars</translation>
        </message>
        <message>
            <source>skip</source>
            <translation>auslassen</translation>
        </message>
        <message>
            <source>skipped</source>
            <translation>übergangen</translation>
        </message>
        <message>
            <source>slow cores</source>
            <translation>langsame Kerne</translation>
        </message>
        <message>
            <source>small</source>
            <translation>klein</translation>
        </message>
        <message>
            <source>smallest</source>
            <translation>kleinster Wert</translation>
        </message>
        <message>
            <source>smoothing</source>
            <translation>Glättung</translation>
        </message>
        <message>
            <source>smoothing </source>
            <translation>Glättung </translation>
        </message>
        <message>
            <source>snapshot</source>
            <translation>Momentaufnahme</translation>
        </message>
        <message>
            <source>snapshots</source>
            <translation>Momentaufnahmen</translation>
        </message>
        <message>
            <source>softmax</source>
            <translation>Softmax</translation>
        </message>
        <message>
            <source>source</source>
            <translation>Quelle</translation>
        </message>
        <message>
            <source>source: position in the second text</source>
            <translation>Quelle: Position im zweiten Text</translation>
        </message>
        <message>
            <source>space</source>
            <translation>Leerraum</translation>
        </message>
        <message>
            <source>space before a colon</source>
            <translation>Leerzeichen vor Doppelpunkt</translation>
        </message>
        <message>
            <source>spectral</source>
            <translation>spektral</translation>
        </message>
        <message>
            <source>speed of the timeline</source>
            <translation>Tempo der Zeitleiste</translation>
        </message>
        <message>
            <source>speed {rate}</source>
            <translation>Tempo {rate}</translation>
        </message>
        <message>
            <source>spirals</source>
            <translation>Spiralen</translation>
        </message>
        <message>
            <source>squares</source>
            <translation>Quadrate</translation>
        </message>
        <message>
            <source>starred</source>
            <translation>mit Stern</translation>
        </message>
        <message>
            <source>start of the corpus</source>
            <translation>Anfang des Korpus</translation>
        </message>
        <message>
            <source>starts like {names}, but is not: {location}</source>
            <translation>beginnt wie {names}, ist es aber nicht: {location}</translation>
        </message>
        <message>
            <source>state</source>
            <translation>Zustand</translation>
        </message>
        <message>
            <source>state of the run</source>
            <translation>Zustand des Laufs</translation>
        </message>
        <message>
            <source>state spaces</source>
            <translation>Zustandsräume</translation>
        </message>
        <message>
            <source>states</source>
            <translation>Zustände</translation>
        </message>
        <message>
            <source>step</source>
            <translation>Schritt</translation>
        </message>
        <message>
            <source>step of best {series}</source>
            <translation>Schritt des besten Werts: {series}</translation>
        </message>
        <message>
            <source>step sizes from {step_least} to {step_most}: step_least is above step_most</source>
            <translation>Schrittweiten von {step_least} bis {step_most}: step_least liegt über step_most</translation>
        </message>
        <message>
            <source>step sizes from {step_min} to {step_max}: step_min is above step_max</source>
            <translation>Schrittweiten von {step_min} bis {step_max}: step_min liegt über step_max</translation>
        </message>
        <message>
            <source>step {n}</source>
            <translation>Schritt {n}</translation>
        </message>
        <message>
            <source>step {n} of {all}</source>
            <translation>Schritt {n} von {all}</translation>
        </message>
        <message>
            <source>step {step}</source>
            <translation>Schritt {step}</translation>
        </message>
        <message>
            <source>step {step} of {all}{rest}</source>
            <translation>Schritt {step} von {all}{rest}</translation>
        </message>
        <message numerus="yes">
            <source>step {step} · {n} steps behind</source>
            <translation>
                <numerusform>Schritt {step} · {n} Schritt zurück</numerusform>
                <numerusform>Schritt {step} · {n} Schritte zurück</numerusform>
            </translation>
        </message>
        <message>
            <source>step {step}, still training</source>
            <translation>Schritt {step}, trainiert noch</translation>
        </message>
        <message>
            <source>step {step}: {path} = {value}</source>
            <translation>Schritt {step}: {path} = {value}</translation>
        </message>
        <message>
            <source>step {step}: {written}</source>
            <translation>Schritt {step}: {written}</translation>
        </message>
        <message>
            <source>steps</source>
            <translation>Schritte</translation>
        </message>
        <message>
            <source>steps {first} to {last} repeated</source>
            <translation>Schritte {first} bis {last} wiederholt</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>gestoppt</translation>
        </message>
        <message>
            <source>stopped after {n} of {all} tokens</source>
            <translation>gestoppt nach {n} von {all} Tokens</translation>
        </message>
        <message>
            <source>stopping</source>
            <translation>wird gestoppt</translation>
        </message>
        <message>
            <source>stops after this step (running for {time})</source>
            <translation>stoppt nach diesem Schritt (läuft seit {time})</translation>
        </message>
        <message>
            <source>stream</source>
            <translation>fortlaufendem Lesen</translation>
        </message>
        <message>
            <source>strongest in this row: {cell}</source>
            <translation>am stärksten in dieser Zeile: {cell}</translation>
        </message>
        <message>
            <source>student</source>
            <translation>Name</translation>
        </message>
        <message>
            <source>stupid back-off</source>
            <translation>Stupid Backoff</translation>
        </message>
        <message>
            <source>subject, object, verb</source>
            <translation>Subjekt, Objekt, Verb</translation>
        </message>
        <message>
            <source>subject, verb, object</source>
            <translation>Subjekt, Verb, Objekt</translation>
        </message>
        <message>
            <source>surprisal 0</source>
            <translation>Überraschung 0</translation>
        </message>
        <message>
            <source>switch</source>
            <translation>switch</translation>
        </message>
        <message>
            <source>symbol</source>
            <translation>Symbol</translation>
        </message>
        <message>
            <source>symbols</source>
            <translation>Symbole</translation>
        </message>
        <message>
            <source>system, light, dark or contrast</source>
            <translation>system, light, dark oder contrast</translation>
        </message>
        <message>
            <source>table of settings</source>
            <translation>Tabelle von Einstellungen</translation>
        </message>
        <message>
            <source>table of settings, with {tag} = one of {choices}</source>
            <translation>Tabelle von Einstellungen, mit {tag} = eines von {choices}</translation>
        </message>
        <message>
            <source>tables with "id" and "content"</source>
            <translation>Tabellen mit "id" und "content"</translation>
        </message>
        <message>
            <source>tags</source>
            <translation>Schlagwörter</translation>
        </message>
        <message>
            <source>tanh</source>
            <translation>tanh</translation>
        </message>
        <message>
            <source>target</source>
            <translation>Ziel</translation>
        </message>
        <message>
            <source>taylor</source>
            <translation>Taylor</translation>
        </message>
        <message>
            <source>temporary files</source>
            <translation>temporäre Dateien</translation>
        </message>
        <message>
            <source>text</source>
            <translation>Text</translation>
        </message>
        <message>
            <source>texts of a data set</source>
            <translation>Texte eines Datensatzes</translation>
        </message>
        <message>
            <source>texts of up to {long} characters</source>
            <translation>Texte von bis zu {long} Zeichen</translation>
        </message>
        <message>
            <source>texts with labels</source>
            <translation>Texte mit Labels</translation>
        </message>
        <message>
            <source>the 256 bytes and longer symbols as letters of bytes, none twice, at most {largest}</source>
            <translation>die 256 Bytes und längere Symbole als Buchstaben von Bytes, keines doppelt, höchstens {largest}</translation>
        </message>
        <message>
            <source>the activation function</source>
            <translation>die Aktivierungsfunktion</translation>
        </message>
        <message>
            <source>the activation, for example GELU or SiLU</source>
            <translation>die Aktivierung, zum Beispiel GELU oder SiLU</translation>
        </message>
        <message>
            <source>the angle by which a position turns pair i of the channels</source>
            <translation>der Winkel, um den eine Position das Kanalpaar i dreht</translation>
        </message>
        <message>
            <source>the back-off factor</source>
            <translation>der Back-off-Faktor</translation>
        </message>
        <message>
            <source>the batch of the objective is a {name}</source>
            <translation>der Batch des Ziels ist ein {name}</translation>
        </message>
        <message>
            <source>the bias of the decay</source>
            <translation>der Bias des Abklingens</translation>
        </message>
        <message>
            <source>the bias of the gate</source>
            <translation>der Bias des Gates</translation>
        </message>
        <message>
            <source>the bias of the step size</source>
            <translation>der Bias der Schrittweite</translation>
        </message>
        <message>
            <source>the biases of input and state</source>
            <translation>die Biaswerte von Eingabe und Zustand</translation>
        </message>
        <message>
            <source>the bilinear rule at this point</source>
            <translation>die bilineare Regel an diesem Punkt</translation>
        </message>
        <message>
            <source>the block</source>
            <translation>der Block</translation>
        </message>
        <message>
            <source>the bonus of the current token</source>
            <translation>der Bonus des aktuellen Tokens</translation>
        </message>
        <message>
            <source>the bundle has no metrics: {what}</source>
            <translation>das Bündel hat keine Metriken: {what}</translation>
        </message>
        <message>
            <source>the bytes in the order of GPT-2</source>
            <translation>die Bytes in der Reihenfolge von GPT-2</translation>
        </message>
        <message>
            <source>the bytes per token of {run} are unknown</source>
            <translation>die Bytes pro Token von {run} sind unbekannt</translation>
        </message>
        <message>
            <source>the candidate for the new state</source>
            <translation>der Kandidat für den neuen Zustand</translation>
        </message>
        <message>
            <source>the candidate that is written</source>
            <translation>der Kandidat, der geschrieben wird</translation>
        </message>
        <message>
            <source>the card of {title} says {kind}, and it gave {kind2}</source>
            <translation>die Karte von {title} nennt {kind}, geliefert wurde {kind2}</translation>
        </message>
        <message>
            <source>the cell after token t</source>
            <translation>die Zelle nach Token t</translation>
        </message>
        <message>
            <source>the channels of a head that pass the recurrence, at token t</source>
            <translation>die Kanäle eines Kopfes, die die Rekurrenz durchlaufen, bei Token t</translation>
        </message>
        <message>
            <source>the channels of the gate</source>
            <translation>die Kanäle des Gates</translation>
        </message>
        <message>
            <source>the channels that pass the recurrence</source>
            <translation>die Kanäle, die die Rekurrenz durchlaufen</translation>
        </message>
        <message>
            <source>the character {label}{code} does not occur in this model's text (position {position})</source>
            <translation>das Zeichen {label}{code} kommt im Text dieses Modells nicht vor (Stelle {position})</translation>
        </message>
        <message>
            <source>the characters of the corpus as one text, none twice</source>
            <translation>die Zeichen des Korpus als ein Text, keines doppelt</translation>
        </message>
        <message>
            <source>the characters of the vocabulary as one text, none twice</source>
            <translation>die Zeichen des Vokabulars als ein Text, keines doppelt</translation>
        </message>
        <message>
            <source>the check did not end within {longest} s</source>
            <translation>die Prüfung endete nicht innerhalb von {longest} s</translation>
        </message>
        <message>
            <source>the check failed: {name}</source>
            <translation>die Prüfung ist fehlgeschlagen: {name}</translation>
        </message>
        <message>
            <source>the checkpoint does not fit its recipe: {error}</source>
            <translation>der Checkpoint passt nicht zu seinem Rezept: {error}</translation>
        </message>
        <message>
            <source>the checkpoint from which this run was branched is gone</source>
            <translation>den Checkpoint, von dem dieser Lauf abgezweigt wurde, gibt es nicht mehr</translation>
        </message>
        <message>
            <source>the checkpoint was made by an older version, and has the mean of the last steps' weights (training.average) without the weights of the last step: the training continues from the mean</source>
            <translation>der Checkpoint stammt von einer älteren Version und enthält das Mittel der Gewichte der letzten Schritte (training.average), aber nicht die Gewichte des letzten Schritts: das Training wird vom Mittel aus fortgesetzt</translation>
        </message>
        <message>
            <source>the checkpoint, or a live edit, does not fit the recipe: {value}</source>
            <translation>der Checkpoint oder eine Live-Änderung passt nicht zum Rezept: {value}</translation>
        </message>
        <message>
            <source>the class</source>
            <translation>die Klasse</translation>
        </message>
        <message>
            <source>the class {name} of its settings has no source at the top of a module</source>
            <translation>die Klasse {name} seiner Einstellungen hat keinen Quelltext oben in einem Modul</translation>
        </message>
        <message>
            <source>the clock of this machine shows the year {year}</source>
            <translation>die Uhr dieses Rechners zeigt das Jahr {year}</translation>
        </message>
        <message>
            <source>the column {column} holds half of a surrogate pair</source>
            <translation>die Spalte {column} enthält ein halbes Surrogatpaar</translation>
        </message>
        <message>
            <source>the column {column} holds no list</source>
            <translation>die Spalte {column} enthält keine Liste</translation>
        </message>
        <message>
            <source>the column {column} holds no picture</source>
            <translation>die Spalte {column} enthält kein Bild</translation>
        </message>
        <message>
            <source>the column {column} holds the character NUL</source>
            <translation>die Spalte {column} enthält das Zeichen NUL</translation>
        </message>
        <message>
            <source>the column {column} holds {value}, which is not text</source>
            <translation>die Spalte {column} enthält {value}, was kein Text ist</translation>
        </message>
        <message>
            <source>the column {column} is empty</source>
            <translation>die Spalte {column} ist leer</translation>
        </message>
        <message>
            <source>the column {column} is not JSON</source>
            <translation>die Spalte {column} ist kein JSON</translation>
        </message>
        <message>
            <source>the configuration</source>
            <translation>die Konfiguration</translation>
        </message>
        <message>
            <source>the connection ended after {partial} of {bytes} bytes: {why}</source>
            <translation>die Verbindung endete nach {partial} von {bytes} Bytes: {why}</translation>
        </message>
        <message>
            <source>the content of {name} cannot be read on this drive, and is left out</source>
            <translation>der Inhalt von {name} kann auf diesem Laufwerk nicht gelesen werden und fehlt</translation>
        </message>
        <message>
            <source>the context at position t</source>
            <translation>der Kontext an Position t</translation>
        </message>
        <message>
            <source>the context length is now {n} tokens, to fit the longest example</source>
            <translation>die Kontextlänge beträgt jetzt {n} Tokens, damit das längste Beispiel hineinpasst</translation>
        </message>
        <message>
            <source>the context without its oldest token</source>
            <translation>der Kontext ohne sein ältestes Token</translation>
        </message>
        <message>
            <source>the context: the tokens before</source>
            <translation>der Kontext: die Tokens davor</translation>
        </message>
        <message>
            <source>the corpus gave a {name}</source>
            <translation>das Korpus lieferte ein {name}</translation>
        </message>
        <message>
            <source>the corpus has no symbols of its own</source>
            <translation>der Korpus hat keine eigenen Symbole</translation>
        </message>
        <message>
            <source>the corpus is empty, so there are no {what}</source>
            <translation>der Korpus ist leer, also gibt es keine {what}</translation>
        </message>
        <message>
            <source>the corpus is not the text that this run was trained on</source>
            <translation>der Korpus ist nicht der Text, mit dem dieser Lauf trainiert wurde</translation>
        </message>
        <message>
            <source>the corpus is not the text this run was trained on any more</source>
            <translation>der Korpus ist nicht mehr der Text, auf dem dieser Lauf trainiert wurde</translation>
        </message>
        <message>
            <source>the corpus is text and needs a tokenizer</source>
            <translation>das Korpus ist Text und braucht einen Tokenizer</translation>
        </message>
        <message>
            <source>the corpus of this run cannot be read: {what}</source>
            <translation>der Korpus dieses Laufs kann nicht gelesen werden: {what}</translation>
        </message>
        <message>
            <source>the data that the script needs cannot be read: {what}</source>
            <translation>die Daten, die das Skript braucht, können nicht gelesen werden: {what}</translation>
        </message>
        <message>
            <source>the device failed at step {step} and cannot be used again by this process: {first_line}</source>
            <translation>das Gerät versagte bei Schritt {step} und ist für diesen Prozess nicht mehr verwendbar: {first_line}</translation>
        </message>
        <message>
            <source>the devices could not be tried</source>
            <translation>die Geräte konnten nicht erprobt werden</translation>
        </message>
        <message>
            <source>the directions in which the states differ most</source>
            <translation>die Richtungen, in denen sich die Zustände am stärksten unterscheiden</translation>
        </message>
        <message>
            <source>the directions that come out</source>
            <translation>die Richtungen, die herauskommen</translation>
        </message>
        <message>
            <source>the directions that go in</source>
            <translation>die Richtungen, die hineingehen</translation>
        </message>
        <message>
            <source>the discount of what was counted once; twice; three times or more</source>
            <translation>der Abzug von dem, was einmal, zweimal, dreimal oder öfter gezählt wurde</translation>
        </message>
        <message>
            <source>the disk of the folder for {what} has little room: {free}B free</source>
            <translation>der Datenträger des Ordners für {what} hat wenig Platz: {free}B frei</translation>
        </message>
        <message>
            <source>the disk of the folder for {what} is full: {free}B free</source>
            <translation>der Datenträger des Ordners für {what} ist voll: {free}B frei</translation>
        </message>
        <message>
            <source>the disk of the teacher's machine is full</source>
            <translation>die Festplatte des Rechners der Lehrkraft ist voll</translation>
        </message>
        <message>
            <source>the distance of the two tokens</source>
            <translation>der Abstand der beiden Tokens</translation>
        </message>
        <message>
            <source>the distance of two predictions (Kullback and Leibler)</source>
            <translation>der Abstand zweier Vorhersagen (Kullback und Leibler)</translation>
        </message>
        <message>
            <source>the divisor of the gate: larger means longer memory</source>
            <translation>der Divisor des Gates: je größer, desto länger das Gedächtnis</translation>
        </message>
        <message>
            <source>the eigenvalues of such large matrices take minutes</source>
            <translation>die Eigenwerte so großer Matrizen brauchen Minuten</translation>
        </message>
        <message>
            <source>the eigenvalues of the map from the symbol read to the logits</source>
            <translation>die Eigenwerte der Abbildung vom gelesenen Symbol zu den Logits</translation>
        </message>
        <message>
            <source>the eigenvectors: mixtures of symbols</source>
            <translation>die Eigenvektoren: Mischungen von Symbolen</translation>
        </message>
        <message>
            <source>the embedding</source>
            <translation>das Embedding</translation>
        </message>
        <message>
            <source>the embedding of the token k steps back</source>
            <translation>das Embedding des Tokens vor k Schritten</translation>
        </message>
        <message>
            <source>the embedding of the tokens</source>
            <translation>das Embedding der Tokens</translation>
        </message>
        <message>
            <source>the embedding of token s</source>
            <translation>das Embedding von Token s</translation>
        </message>
        <message>
            <source>the end</source>
            <translation>das Ende</translation>
        </message>
        <message>
            <source>the entropy as counted is too low, the held-out bits are too high.</source>
            <translation>Die gezählte Entropie ist zu niedrig, die zurückgehaltenen Bits sind zu hoch.</translation>
        </message>
        <message>
            <source>the entropy as counted is too low.</source>
            <translation>Die gezählte Entropie ist zu niedrig.</translation>
        </message>
        <message>
            <source>the entropy in bits, as a mean over positions</source>
            <translation>die Entropie in Bit, gemittelt über die Positionen</translation>
        </message>
        <message>
            <source>the entropy of its source is unknown</source>
            <translation>die Entropie seiner Quelle ist unbekannt</translation>
        </message>
        <message>
            <source>the entropy of the source</source>
            <translation>der Entropie der Quelle</translation>
        </message>
        <message>
            <source>the entropy of the source (KL)</source>
            <translation>der Entropie der Quelle (KL)</translation>
        </message>
        <message>
            <source>the experts that the token chooses</source>
            <translation>die Experten, die das Token auswählt</translation>
        </message>
        <message>
            <source>the experts that the token chose</source>
            <translation>die Experten, die das Token ausgewählt hat</translation>
        </message>
        <message>
            <source>the export was cancelled, and nothing was written</source>
            <translation>der Export wurde abgebrochen, und nichts wurde geschrieben</translation>
        </message>
        <message>
            <source>the factor by which Good and Turing's estimate discounts</source>
            <translation>der Faktor, um den die Schätzung von Good und Turing abzieht</translation>
        </message>
        <message>
            <source>the feature map</source>
            <translation>die Merkmalsabbildung</translation>
        </message>
        <message>
            <source>the file came too slowly</source>
            <translation>die Datei kam zu langsam</translation>
        </message>
        <message>
            <source>the file cannot be read: {value}</source>
            <translation>die Datei kann nicht gelesen werden: {value}</translation>
        </message>
        <message>
            <source>the file did not arrive whole</source>
            <translation>die Datei kam nicht vollständig an</translation>
        </message>
        <message>
            <source>the file is larger than {largest}B</source>
            <translation>die Datei ist größer als {largest}B</translation>
        </message>
        <message>
            <source>the filter {name} leaves no token</source>
            <translation>der Filter {name} lässt kein Token übrig</translation>
        </message>
        <message>
            <source>the filter {name} returns {best}</source>
            <translation>der Filter {name} gibt {best} zurück</translation>
        </message>
        <message>
            <source>the filter {name} returns {found} for logits</source>
            <translation>der Filter {name} gibt {found} für Logits zurück</translation>
        </message>
        <message>
            <source>the filter {name} returns {shape} for logits {given}</source>
            <translation>der Filter {name} gibt {shape} für Logits {given} zurück</translation>
        </message>
        <message>
            <source>the first matrix of the feed-forward layer</source>
            <translation>die erste Matrix der Feedforward-Schicht</translation>
        </message>
        <message>
            <source>the first token of the source, or patch of the image</source>
            <translation>das erste Token der Quelle oder der erste Ausschnitt des Bildes</translation>
        </message>
        <message>
            <source>the first {n} characters</source>
            <translation>die ersten {n} Zeichen</translation>
        </message>
        <message>
            <source>the first {read} of {given} tokens</source>
            <translation>die ersten {read} von {given} Token</translation>
        </message>
        <message>
            <source>the floor {name} of {kind} is {value}</source>
            <translation>die Schranke {name} von {kind} ist {value}</translation>
        </message>
        <message>
            <source>the folder cannot be made: {reason}</source>
            <translation>der Ordner lässt sich nicht anlegen: {reason}</translation>
        </message>
        <message>
            <source>the folder for {what} can be written, {free}B free</source>
            <translation>der Ordner für {what} ist beschreibbar, {free}B frei</translation>
        </message>
        <message>
            <source>the folder for {what} cannot be used: {why}</source>
            <translation>der Ordner für {what} ist nicht nutzbar: {why}</translation>
        </message>
        <message>
            <source>the folder has several tables, and none is named</source>
            <translation>der Ordner hat mehrere Tabellen, und keine ist genannt</translation>
        </message>
        <message>
            <source>the folder is empty</source>
            <translation>der Ordner ist leer</translation>
        </message>
        <message>
            <source>the folder of a run</source>
            <translation>der Ordner eines Laufs</translation>
        </message>
        <message>
            <source>the folder or the name of a run</source>
            <translation>der Ordner oder der Name eines Laufs</translation>
        </message>
        <message>
            <source>the forget gate: how much of the cell is retained</source>
            <translation>das Vergiss-Gate: wie viel von der Zelle erhalten bleibt</translation>
        </message>
        <message>
            <source>the form cannot be read: {error}</source>
            <translation>das Formular kann nicht gelesen werden: {error}</translation>
        </message>
        <message>
            <source>the full profile is used</source>
            <translation>das volle Profil wird verwendet</translation>
        </message>
        <message>
            <source>the gate's matrices, through a few channels</source>
            <translation>die Matrizen des Gates, über wenige Kanäle</translation>
        </message>
        <message>
            <source>the gradient norm is {gradient_norm}</source>
            <translation>die Gradientennorm ist {gradient_norm}</translation>
        </message>
        <message>
            <source>the head; the embedding itself if both are tied</source>
            <translation>die Ausgabeschicht; das Embedding selbst, wenn beide geteilt sind</translation>
        </message>
        <message>
            <source>the hidden state after token t</source>
            <translation>der verborgene Zustand nach Token t</translation>
        </message>
        <message>
            <source>the hidden state k tokens before</source>
            <translation>der verborgene Zustand k Tokens zuvor</translation>
        </message>
        <message>
            <source>the hidden units</source>
            <translation>die verborgenen Neuronen</translation>
        </message>
        <message>
            <source>the identity matrix</source>
            <translation>die Einheitsmatrix</translation>
        </message>
        <message>
            <source>the identity: what the residual stream passes on</source>
            <translation>die Einheitsmatrix: was der Residualstrom weitergibt</translation>
        </message>
        <message>
            <source>the index of the head, from 0</source>
            <translation>der Index des Kopfes, ab 0</translation>
        </message>
        <message>
            <source>the input at a token</source>
            <translation>die Eingabe bei einem Token</translation>
        </message>
        <message>
            <source>the input at token s</source>
            <translation>die Eingabe bei Token s</translation>
        </message>
        <message>
            <source>the input at token t</source>
            <translation>die Eingabe bei Token t</translation>
        </message>
        <message>
            <source>the input gate: how much is written</source>
            <translation>das Eingabe-Gate: wie viel geschrieben wird</translation>
        </message>
        <message>
            <source>the input mixed with the one before it</source>
            <translation>die Eingabe, gemischt mit der vorigen</translation>
        </message>
        <message>
            <source>the input of a channel</source>
            <translation>die Eingabe eines Kanals</translation>
        </message>
        <message>
            <source>the input of the layer</source>
            <translation>die Eingabe der Schicht</translation>
        </message>
        <message>
            <source>the input of the layer at a token</source>
            <translation>die Eingabe der Schicht bei einem Token</translation>
        </message>
        <message>
            <source>the input of the layer at the token</source>
            <translation>die Eingabe der Schicht bei dem Token</translation>
        </message>
        <message>
            <source>the input of the layer at token s</source>
            <translation>die Eingabe der Schicht bei Token s</translation>
        </message>
        <message>
            <source>the inputs of all tokens, a row each</source>
            <translation>die Eingaben aller Tokens, je eine Zeile</translation>
        </message>
        <message>
            <source>the installed package {name}</source>
            <translation>das installierte Paket {name}</translation>
        </message>
        <message>
            <source>the k experts with the largest shares</source>
            <translation>die k Experten mit den größten Anteilen</translation>
        </message>
        <message>
            <source>the kernel: what an input s tokens before adds to the output</source>
            <translation>der Kern: was eine Eingabe s Tokens zuvor zur Ausgabe beiträgt</translation>
        </message>
        <message>
            <source>the key at token t</source>
            <translation>der Key bei Token t</translation>
        </message>
        <message>
            <source>the key of a token</source>
            <translation>der Key eines Tokens</translation>
        </message>
        <message>
            <source>the keys of head h</source>
            <translation>die Keys von Kopf h</translation>
        </message>
        <message>
            <source>the keys of the source</source>
            <translation>die Keys der Quelle</translation>
        </message>
        <message>
            <source>the keys of the tokens</source>
            <translation>die Keys der Tokens</translation>
        </message>
        <message>
            <source>the lab may not use all cores ({cores} of {every})</source>
            <translation>das Labor darf nicht alle Kerne nutzen ({cores} von {every})</translation>
        </message>
        <message>
            <source>the lab may use {total}B of {total2}B of memory</source>
            <translation>das Labor darf {total}B von {total2}B Speicher nutzen</translation>
        </message>
        <message>
            <source>the lab ships no such recipe</source>
            <translation>das Labor enthält kein solches Rezept</translation>
        </message>
        <message>
            <source>the label in the column {column} is missing</source>
            <translation>das Label in der Spalte {column} fehlt</translation>
        </message>
        <message>
            <source>the label {value} in the column {column} is none of its {names} classes</source>
            <translation>das Label {value} in der Spalte {column} ist keine ihrer {names} Klassen</translation>
        </message>
        <message>
            <source>the lag in tokens</source>
            <translation>der Abstand in Tokens</translation>
        </message>
        <message>
            <source>the largest singular value of the recurrent matrix</source>
            <translation>der größte Singulärwert der rekurrenten Matrix</translation>
        </message>
        <message>
            <source>the largest slope of the nonlinearity</source>
            <translation>die größte Steigung der Nichtlinearität</translation>
        </message>
        <message>
            <source>the last n of them</source>
            <translation>die letzten n davon</translation>
        </message>
        <message>
            <source>the last n tokens of this text</source>
            <translation>die letzten n Tokens dieses Textes</translation>
        </message>
        <message>
            <source>the last start died while loading it, so it is left out</source>
            <translation>der letzte Start brach beim Laden ab, daher wird es weggelassen</translation>
        </message>
        <message>
            <source>the last {share} % of {corpus}</source>
            <translation>den letzten {share} % von {corpus}</translation>
        </message>
        <message>
            <source>the length that the request states is no number</source>
            <translation>die Länge, die die Anfrage angibt, ist keine Zahl</translation>
        </message>
        <message>
            <source>the light profile is used, which draws less and uses less memory</source>
            <translation>das leichte Profil wird verwendet, das weniger zeichnet und weniger Speicher braucht</translation>
        </message>
        <message>
            <source>the live fields: {live}</source>
            <translation>die live änderbaren Felder: {live}</translation>
        </message>
        <message>
            <source>the logarithm of the probability of the token that came next</source>
            <translation>der Logarithmus der Wahrscheinlichkeit des Tokens, das folgte</translation>
        </message>
        <message>
            <source>the logistic function</source>
            <translation>die logistische Funktion</translation>
        </message>
        <message>
            <source>the logits of the model</source>
            <translation>die Logits des Modells</translation>
        </message>
        <message>
            <source>the loss at token t</source>
            <translation>der Verlust bei Token t</translation>
        </message>
        <message>
            <source>the loss is {loss}</source>
            <translation>der Verlust ist {loss}</translation>
        </message>
        <message>
            <source>the loss of the objective is a {name}</source>
            <translation>der Verlust des Ziels ist ein {name}</translation>
        </message>
        <message>
            <source>the loss of {run} is in another unit: {unit}</source>
            <translation>der Verlust von {run} hat eine andere Einheit: {unit}</translation>
        </message>
        <message>
            <source>the loss of {run} is not a number</source>
            <translation>der Verlust von {run} ist keine Zahl</translation>
        </message>
        <message>
            <source>the loss that keeps the experts balanced</source>
            <translation>der Verlust, der die Experten im Gleichgewicht hält</translation>
        </message>
        <message>
            <source>the loss without it is not a finite number</source>
            <translation>der Verlust ohne diesen Teil ist keine endliche Zahl</translation>
        </message>
        <message>
            <source>the losses compare</source>
            <translation>die Verluste sind vergleichbar</translation>
        </message>
        <message>
            <source>the main thread was blocked for {time}</source>
            <translation>der Hauptthread war {time} lang blockiert</translation>
        </message>
        <message>
            <source>the main thread was blocked for {time} by {code}</source>
            <translation>der Hauptthread war {time} lang durch {code} blockiert</translation>
        </message>
        <message>
            <source>the main thread was blocked for {time} by {code} in thread {thread}</source>
            <translation>der Hauptthread war {time} lang durch {code} im Thread {thread} blockiert</translation>
        </message>
        <message>
            <source>the map of block l, as the mean of its heads</source>
            <translation>die Karte von Block l, als Mittel seiner Köpfe</translation>
        </message>
        <message>
            <source>the mask: 0 where a token is read, −∞ where it is not</source>
            <translation>die Maske: 0, wo ein Token gelesen wird, sonst −∞</translation>
        </message>
        <message>
            <source>the matrices of one step from token to token</source>
            <translation>die Matrizen eines Schritts von Token zu Token</translation>
        </message>
        <message>
            <source>the matrices of queries, keys and values</source>
            <translation>die Matrizen der Queries, Keys und Values</translation>
        </message>
        <message>
            <source>the matrix back to the channels</source>
            <translation>die Matrix zurück zu den Kanälen</translation>
        </message>
        <message>
            <source>the matrix from the hidden units to the output</source>
            <translation>die Matrix von den verborgenen Einheiten zur Ausgabe</translation>
        </message>
        <message>
            <source>the matrix from twice the width into the shared block</source>
            <translation>die Matrix von der doppelten Breite in den geteilten Block</translation>
        </message>
        <message>
            <source>the matrix of its own that each use of a shared block has</source>
            <translation>die eigene Matrix, die jede Verwendung eines geteilten Blocks hat</translation>
        </message>
        <message>
            <source>the matrix of the output gate</source>
            <translation>die Matrix des Ausgabe-Gates</translation>
        </message>
        <message>
            <source>the matrix of the router</source>
            <translation>die Matrix des Routers</translation>
        </message>
        <message>
            <source>the matrix of what is gated, in gated layers</source>
            <translation>die Matrix dessen, was das Gate dämpft, in Schichten mit Gate</translation>
        </message>
        <message>
            <source>the matrix that joins the heads</source>
            <translation>die Matrix, die die Köpfe zusammenführt</translation>
        </message>
        <message>
            <source>the matrix that makes the keys</source>
            <translation>die Matrix, die die Keys bildet</translation>
        </message>
        <message>
            <source>the matrix that makes the queries</source>
            <translation>die Matrix, die die Queries bildet</translation>
        </message>
        <message>
            <source>the matrix that makes the values</source>
            <translation>die Matrix, die die Values bildet</translation>
        </message>
        <message>
            <source>the matrix that mixes the channels</source>
            <translation>die Matrix, die die Kanäle mischt</translation>
        </message>
        <message>
            <source>the matrix to the few channels from which the step size is made</source>
            <translation>die Matrix zu den wenigen Kanälen, aus denen die Schrittweite entsteht</translation>
        </message>
        <message>
            <source>the matrix to the hidden units</source>
            <translation>die Matrix zu den verborgenen Einheiten</translation>
        </message>
        <message>
            <source>the mean distance in tokens, likewise</source>
            <translation>der mittlere Abstand in Tokens, ebenso gemittelt</translation>
        </message>
        <message>
            <source>the mean of all states</source>
            <translation>das Mittel aller Zustände</translation>
        </message>
        <message>
            <source>the mean probability of expert i over the tokens</source>
            <translation>die mittlere Wahrscheinlichkeit von Experte i über die Tokens</translation>
        </message>
        <message>
            <source>the mean share that the unit retains from token to token</source>
            <translation>der mittlere Anteil, den das Neuron von Token zu Token behält</translation>
        </message>
        <message>
            <source>the metadata at the beginning of its {name} is not YAML</source>
            <translation>die Metadaten am Anfang von {name} sind kein YAML</translation>
        </message>
        <message>
            <source>the mixers {mixers}</source>
            <translation>die Mixer {mixers}</translation>
        </message>
        <message>
            <source>the model gives no probabilities: its logits are not finite</source>
            <translation>das Modell gibt keine Wahrscheinlichkeiten: seine Logits sind nicht endlich</translation>
        </message>
        <message>
            <source>the model has too many heads to compare all of them</source>
            <translation>das Modell hat zu viele Köpfe, um alle zu vergleichen</translation>
        </message>
        <message>
            <source>the model is at step {step} now</source>
            <translation>das Modell ist jetzt bei Schritt {step}</translation>
        </message>
        <message>
            <source>the model says that it is causal, and its output at position {position} changes with the tokens from {later} on: it sees the tokens it predicts, so its loss cannot be compared</source>
            <translation>das Modell gibt an, kausal zu sein, und seine Ausgabe an Position {position} ändert sich mit den Tokens ab {later}: es sieht die Tokens, die es vorhersagt, sodass sein Verlust nicht vergleichbar ist</translation>
        </message>
        <message>
            <source>the model sees the tokens it predicts</source>
            <translation>das Modell sieht die Tokens, die es vorhersagt</translation>
        </message>
        <message>
            <source>the name of a mixer</source>
            <translation>der Name eines Mixers</translation>
        </message>
        <message>
            <source>the next byte</source>
            <translation>das nächste Byte</translation>
        </message>
        <message>
            <source>the next character</source>
            <translation>das nächste Zeichen</translation>
        </message>
        <message>
            <source>the next symbol</source>
            <translation>das nächste Symbol</translation>
        </message>
        <message>
            <source>the next token</source>
            <translation>das nächste Token</translation>
        </message>
        <message>
            <source>the next word</source>
            <translation>das nächste Wort</translation>
        </message>
        <message>
            <source>the nonlinearity</source>
            <translation>die Nichtlinearität</translation>
        </message>
        <message>
            <source>the nonlinearity of the feed-forward layer</source>
            <translation>die Nichtlinearität der Feedforward-Schicht</translation>
        </message>
        <message>
            <source>the norm before the output layer</source>
            <translation>die Norm vor der Ausgabeschicht</translation>
        </message>
        <message>
            <source>the number in the column {column} is missing</source>
            <translation>die Zahl in der Spalte {column} fehlt</translation>
        </message>
        <message>
            <source>the number of channels</source>
            <translation>die Zahl der Kanäle</translation>
        </message>
        <message>
            <source>the number of contexts of this length in the text</source>
            <translation>die Anzahl der Kontexte dieser Länge im Text</translation>
        </message>
        <message>
            <source>the number of experts that a token can choose</source>
            <translation>die Anzahl der Experten, aus denen ein Token wählen kann</translation>
        </message>
        <message>
            <source>the number of heads</source>
            <translation>die Anzahl der Köpfe</translation>
        </message>
        <message>
            <source>the number of row {row} in the column {name} is no probability</source>
            <translation>die Zahl der Zeile {row} in der Spalte {name} ist keine Wahrscheinlichkeit</translation>
        </message>
        <message>
            <source>the number of sightings</source>
            <translation>die Anzahl der Vorkommen</translation>
        </message>
        <message>
            <source>the number of symbols in the vocabulary</source>
            <translation>die Zahl der Symbole im Vokabular</translation>
        </message>
        <message>
            <source>the number of the block in the pattern</source>
            <translation>die Nummer des Blocks im Muster</translation>
        </message>
        <message>
            <source>the number of the pair of channels</source>
            <translation>die Nummer des Kanalpaars</translation>
        </message>
        <message>
            <source>the number of tokens in the vocabulary</source>
            <translation>die Anzahl der Tokens im Vokabular</translation>
        </message>
        <message>
            <source>the objective {objective} calls one of its metrics 'loss', like the loss itself</source>
            <translation>das Ziel {objective} nennt eine seiner Metriken 'loss', wie den Verlust selbst</translation>
        </message>
        <message>
            <source>the order: the length of the n-gram</source>
            <translation>die Ordnung: die Länge des n-Gramms</translation>
        </message>
        <message>
            <source>the output at position t</source>
            <translation>die Ausgabe an Position t</translation>
        </message>
        <message>
            <source>the output at this token</source>
            <translation>die Ausgabe bei diesem Token</translation>
        </message>
        <message>
            <source>the output at token t</source>
            <translation>die Ausgabe bei Token t</translation>
        </message>
        <message>
            <source>the output gate</source>
            <translation>das Ausgabe-Gate</translation>
        </message>
        <message>
            <source>the output gate: how much of the cell is read</source>
            <translation>das Ausgabe-Gate: wie viel von der Zelle gelesen wird</translation>
        </message>
        <message>
            <source>the output layer</source>
            <translation>die Ausgabeschicht</translation>
        </message>
        <message>
            <source>the output of the layer</source>
            <translation>die Ausgabe der Schicht</translation>
        </message>
        <message>
            <source>the output of the layer at a token</source>
            <translation>die Ausgabe der Schicht bei einem Token</translation>
        </message>
        <message>
            <source>the output of the layer at position t</source>
            <translation>die Ausgabe der Schicht an Position t</translation>
        </message>
        <message>
            <source>the output of the recurrence</source>
            <translation>die Ausgabe der Rekurrenz</translation>
        </message>
        <message>
            <source>the outputs of all tokens, a row each</source>
            <translation>die Ausgaben aller Tokens, je eine Zeile</translation>
        </message>
        <message>
            <source>the packages of the window are not installed</source>
            <translation>die Pakete des Fensters sind nicht installiert</translation>
        </message>
        <message>
            <source>the page there is none of a lab (status {status})</source>
            <translation>die Seite dort ist nicht die eines Labors (Status {status})</translation>
        </message>
        <message>
            <source>the pasted text</source>
            <translation>der eingefügte Text</translation>
        </message>
        <message>
            <source>the pasted text has {n} characters</source>
            <translation>der eingefügte Text hat {n} Zeichen</translation>
        </message>
        <message>
            <source>the path of {name} is {size} bytes long, and SQLite allows {longest_path}</source>
            <translation>der Pfad von {name} ist {size} Bytes lang, und SQLite erlaubt {longest_path}</translation>
        </message>
        <message>
            <source>the picture no. {number}</source>
            <translation>das Bild Nr. {number}</translation>
        </message>
        <message>
            <source>the pictures need more than {most_pixels} MB of memory</source>
            <translation>die Bilder brauchen mehr als {most_pixels} MB Speicher</translation>
        </message>
        <message>
            <source>the pictures would need {size} MB of memory</source>
            <translation>die Bilder würden {size} MB Speicher brauchen</translation>
        </message>
        <message>
            <source>the plugin {name} ({size}B)</source>
            <translation>das Plugin {name} ({size}B)</translation>
        </message>
        <message>
            <source>the plugins folder</source>
            <translation>der Plugin-Ordner</translation>
        </message>
        <message>
            <source>the plugins folder cannot be read: {strerror}</source>
            <translation>der Ordner der Plugins kann nicht gelesen werden: {strerror}</translation>
        </message>
        <message>
            <source>the plugins folder has a file of this name</source>
            <translation>im Plugin-Ordner gibt es schon eine Datei dieses Namens</translation>
        </message>
        <message>
            <source>the plugins {owner} and {plugin} both register the {noun} {name}; that of {owner2} is used</source>
            <translation>die Plugins {owner} und {plugin} registrieren beide {name} ({noun}); verwendet wird das von {owner2}</translation>
        </message>
        <message>
            <source>the policy has no such field</source>
            <translation>die Richtlinie hat kein solches Feld</translation>
        </message>
        <message>
            <source>the policy of this machine cannot be read: {why}</source>
            <translation>die Richtlinie dieses Rechners ist nicht lesbar: {why}</translation>
        </message>
        <message>
            <source>the position</source>
            <translation>die Position</translation>
        </message>
        <message>
            <source>the position, where positions are added to the embedding</source>
            <translation>die Position, wo Positionen zum Embedding addiert werden</translation>
        </message>
        <message>
            <source>the prediction after the last block</source>
            <translation>die Vorhersage nach dem letzten Block</translation>
        </message>
        <message>
            <source>the probability by counts of order n</source>
            <translation>die Wahrscheinlichkeit nach Zählungen der Ordnung n</translation>
        </message>
        <message>
            <source>the probability of a token that was seen after the context</source>
            <translation>die Wahrscheinlichkeit eines Tokens, das nach dem Kontext gesehen wurde</translation>
        </message>
        <message>
            <source>the probability of the next token</source>
            <translation>die Wahrscheinlichkeit des nächsten Tokens</translation>
        </message>
        <message>
            <source>the probability that the model gave</source>
            <translation>die Wahrscheinlichkeit, die das Modell gab</translation>
        </message>
        <message>
            <source>the probability that the router gives expert i</source>
            <translation>die Wahrscheinlichkeit, die der Router Experte i gibt</translation>
        </message>
        <message>
            <source>the process did not end within {limit} seconds, and was ended</source>
            <translation>der Prozess endete nicht innerhalb von {limit} Sekunden und wurde beendet</translation>
        </message>
        <message>
            <source>the queries of head h</source>
            <translation>die Queries von Kopf h</translation>
        </message>
        <message>
            <source>the queries of the target, a row for each position</source>
            <translation>die Queries des Ziels, eine Zeile je Position</translation>
        </message>
        <message>
            <source>the query at token t</source>
            <translation>die Query bei Token t</translation>
        </message>
        <message>
            <source>the query at token t, of length 1 as the key</source>
            <translation>die Query bei Token t, wie der Key von der Länge 1</translation>
        </message>
        <message>
            <source>the query of a position</source>
            <translation>die Query einer Position</translation>
        </message>
        <message>
            <source>the queue could not be saved: {what}</source>
            <translation>die Warteschlange konnte nicht gespeichert werden: {what}</translation>
        </message>
        <message>
            <source>the random directions of Performer</source>
            <translation>die zufälligen Richtungen von Performer</translation>
        </message>
        <message>
            <source>the rate at which the state decays, trained as its logarithm</source>
            <translation>die Rate, mit der der Zustand abklingt, als Logarithmus trainiert</translation>
        </message>
        <message>
            <source>the rate at which the state of a head decays, trained as its logarithm</source>
            <translation>die Rate, mit der der Zustand eines Kopfes abklingt, als Logarithmus trainiert</translation>
        </message>
        <message>
            <source>the reading {name} holds {dtype}, which is not a type of real numbers</source>
            <translation>der Messwert {name} enthält {dtype}, keinen Typ reeller Zahlen</translation>
        </message>
        <message>
            <source>the received file does not have the listed checksum, and was removed</source>
            <translation>die empfangene Datei hat nicht die angegebene Prüfsumme und wurde entfernt</translation>
        </message>
        <message>
            <source>the receptance, a gate</source>
            <translation>die Rezeptanz, ein Gate</translation>
        </message>
        <message>
            <source>the receptance, which reads the state as a query does</source>
            <translation>die Rezeptanz, die den Zustand wie eine Query liest</translation>
        </message>
        <message>
            <source>the recipe of the run {name} cannot be read: {what}</source>
            <translation>das Rezept des Laufs {name} kann nicht gelesen werden: {what}</translation>
        </message>
        <message>
            <source>the recurrent matrix, from state to state</source>
            <translation>die rekurrente Matrix, von Zustand zu Zustand</translation>
        </message>
        <message>
            <source>the reference</source>
            <translation>die Referenz</translation>
        </message>
        <message>
            <source>the request does not state its length</source>
            <translation>die Anfrage gibt ihre Länge nicht an</translation>
        </message>
        <message>
            <source>the reset gate: how much of the state the candidate sees</source>
            <translation>das Reset-Gate: wie viel vom Zustand der Kandidat sieht</translation>
        </message>
        <message>
            <source>the residual connection around both mixers</source>
            <translation>Residualverbindung um beide Mischer</translation>
        </message>
        <message>
            <source>the residual connection around the {n} mixer</source>
            <translation>Residualverbindung um den Mischer {n}</translation>
        </message>
        <message>
            <source>the residual stream</source>
            <translation>der Residualstrom</translation>
        </message>
        <message>
            <source>the residual stream after block l</source>
            <translation>der Residualstrom nach Block l</translation>
        </message>
        <message>
            <source>the residual stream before block l</source>
            <translation>der Residualstrom vor Block l</translation>
        </message>
        <message>
            <source>the residual stream of the decoder</source>
            <translation>der Residualstrom des Decoders</translation>
        </message>
        <message>
            <source>the residual stream, a vector for each token</source>
            <translation>der Residualstrom, ein Vektor je Token</translation>
        </message>
        <message>
            <source>the rotation by the position t</source>
            <translation>die Drehung um die Position t</translation>
        </message>
        <message>
            <source>the row at line {line}</source>
            <translation>die Zeile {line}</translation>
        </message>
        <message>
            <source>the run branches off after {step} steps</source>
            <translation>der Lauf zweigt nach {step} Schritten ab</translation>
        </message>
        <message>
            <source>the run writer failed: {error}</source>
            <translation>das Schreiben des Laufs ist fehlgeschlagen: {error}</translation>
        </message>
        <message>
            <source>the schedule's factor is {number} at step {step}</source>
            <translation>der Faktor des Plans ist {number} in Schritt {step}</translation>
        </message>
        <message>
            <source>the screen is smaller than {smallest}×{smallest2}, so a part of the window is outside</source>
            <translation>der Bildschirm ist kleiner als {smallest}×{smallest2}, daher liegt ein Teil des Fensters außerhalb</translation>
        </message>
        <message>
            <source>the second of these matrices</source>
            <translation>die zweite dieser Matrizen</translation>
        </message>
        <message>
            <source>the series {name} has counts or steps that are not whole numbers from 0 on</source>
            <translation>die Reihe {name} hat Anzahlen oder Schritte, die keine ganzen Zahlen ab 0 sind</translation>
        </message>
        <message>
            <source>the series {name} holds {dtype}, but this lab reads {dtype2}</source>
            <translation>die Reihe {name} enthält {dtype}, aber dieses Labor liest {dtype2}</translation>
        </message>
        <message>
            <source>the server answers {status_code} {reason_phrase}</source>
            <translation>der Server antwortet {status_code} {reason_phrase}</translation>
        </message>
        <message>
            <source>the server closed the connection</source>
            <translation>der Server hat die Verbindung geschlossen</translation>
        </message>
        <message>
            <source>the server sent more than the listed {bytes} bytes</source>
            <translation>der Server hat mehr als die angegebenen {bytes} Bytes gesendet</translation>
        </message>
        <message>
            <source>the server's file has {have} bytes, not the listed {bytes}</source>
            <translation>die Datei des Servers hat {have} Bytes, nicht die angegebenen {bytes}</translation>
        </message>
        <message>
            <source>the settings</source>
            <translation>die Einstellungen</translation>
        </message>
        <message>
            <source>the settings are those of a later version of the lab, whose format is {version}</source>
            <translation>die Einstellungen sind die einer späteren Version des Labors, mit Format {version}</translation>
        </message>
        <message>
            <source>the settings can be read</source>
            <translation>die Einstellungen sind lesbar</translation>
        </message>
        <message>
            <source>the settings cannot be read ({name}), so the defaults are used</source>
            <translation>die Einstellungen sind nicht lesbar ({name}), daher gelten die Vorgaben</translation>
        </message>
        <message>
            <source>the settings could not be read: {reason}</source>
            <translation>die Einstellungen konnten nicht gelesen werden: {reason}</translation>
        </message>
        <message>
            <source>the settings of the form</source>
            <translation>die Einstellungen des Formulars</translation>
        </message>
        <message>
            <source>the settings were taken over from an earlier version of the lab, whose format is {version}</source>
            <translation>die Einstellungen wurden von einer früheren Version des Labors übernommen, mit Format {version}</translation>
        </message>
        <message>
            <source>the share by which the token overwrites what its key held</source>
            <translation>der Anteil, zu dem das Token überschreibt, was unter seinem Key stand</translation>
        </message>
        <message>
            <source>the share of a context that goes to the shorter one, so that all sums to 1</source>
            <translation>der Anteil eines Kontexts, der an den kürzeren geht, sodass die Summe 1 ist</translation>
        </message>
        <message>
            <source>the share of a context that its own counts get</source>
            <translation>der Anteil eines Kontexts, den seine eigenen Zählungen bekommen</translation>
        </message>
        <message>
            <source>the share of all choices that fell on expert i</source>
            <translation>der Anteil aller Auswahlen, der auf Experte i fiel</translation>
        </message>
        <message>
            <source>the share of direction i</source>
            <translation>der Anteil von Richtung i</translation>
        </message>
        <message>
            <source>the share of each channel of the key that is retained</source>
            <translation>der Anteil jedes Kanals des Keys, der erhalten bleibt</translation>
        </message>
        <message>
            <source>the share of its input that each position takes from each token</source>
            <translation>der Anteil der Eingabe, den jede Position von jedem Token nimmt</translation>
        </message>
        <message>
            <source>the share of its input that each position takes from the source</source>
            <translation>der Anteil ihrer Eingabe, den jede Position der Quelle entnimmt</translation>
        </message>
        <message>
            <source>the share of its state that head h retains</source>
            <translation>der Anteil seines Zustands, den Kopf h behält</translation>
        </message>
        <message>
            <source>the share of the input that passes unchanged</source>
            <translation>der Anteil der Eingabe, der unverändert durchgeht</translation>
        </message>
        <message>
            <source>the share of the one before, which depends on both</source>
            <translation>der Anteil der vorigen, der von beiden abhängt</translation>
        </message>
        <message>
            <source>the share of the state that is retained</source>
            <translation>der Anteil des Zustands, der erhalten bleibt</translation>
        </message>
        <message>
            <source>the share of what token s wrote that is left at token t</source>
            <translation>der Anteil dessen, was Token s schrieb, der bei Token t noch übrig ist</translation>
        </message>
        <message>
            <source>the share that position t takes from token s</source>
            <translation>der Anteil, den Position t von Token s nimmt</translation>
        </message>
        <message>
            <source>the share that the router gives each expert</source>
            <translation>der Anteil, den der Router jedem Experten gibt</translation>
        </message>
        <message>
            <source>the singular values of the state</source>
            <translation>die Singulärwerte des Zustands</translation>
        </message>
        <message>
            <source>the singular values, on a diagonal</source>
            <translation>die Singulärwerte, auf einer Diagonale</translation>
        </message>
        <message>
            <source>the size of a matrix (Frobenius norm)</source>
            <translation>die Größe einer Matrix (Frobeniusnorm)</translation>
        </message>
        <message>
            <source>the slope of head h</source>
            <translation>die Steigung von Kopf h</translation>
        </message>
        <message>
            <source>the small matrices through which a token changes the decay</source>
            <translation>die kleinen Matrizen, über die ein Token das Abklingen ändert</translation>
        </message>
        <message>
            <source>the source is the right target in {share} of the validation rows</source>
            <translation>die Quelle selbst ist das richtige Ziel in {share} der Validierungszeilen</translation>
        </message>
        <message>
            <source>the source of {name} is not available, but a script needs it</source>
            <translation>der Quelltext von {name} ist nicht verfügbar, aber ein Skript braucht ihn</translation>
        </message>
        <message>
            <source>the stack of the mixer {name}</source>
            <translation>der Stapel des Mixers {name}</translation>
        </message>
        <message>
            <source>the state after the last token</source>
            <translation>der Zustand nach dem letzten Token</translation>
        </message>
        <message>
            <source>the state after token t</source>
            <translation>der Zustand nach Token t</translation>
        </message>
        <message>
            <source>the state of a channel after token t</source>
            <translation>der Zustand eines Kanals nach Token t</translation>
        </message>
        <message>
            <source>the state of a head after token t, a matrix</source>
            <translation>der Zustand eines Kopfes nach Token t, eine Matrix</translation>
        </message>
        <message>
            <source>the state of a head after token t, keys by values</source>
            <translation>der Zustand eines Kopfes nach Token t, Keys mal Values</translation>
        </message>
        <message>
            <source>the state of this channel</source>
            <translation>der Zustand dieses Kanals</translation>
        </message>
        <message>
            <source>the state of this model cannot start again where a document begins in one of its rows</source>
            <translation>der Zustand dieses Modells kann nicht neu beginnen, wo in einer seiner Zeilen ein Dokument beginnt</translation>
        </message>
        <message>
            <source>the state of this model {why}</source>
            <translation>der Zustand dieses Modells {why}</translation>
        </message>
        <message>
            <source>the step size of a head</source>
            <translation>die Schrittweite eines Kopfes</translation>
        </message>
        <message>
            <source>the step size of each channel at token t</source>
            <translation>die Schrittweite jedes Kanals bei Token t</translation>
        </message>
        <message>
            <source>the step size of the channel</source>
            <translation>die Schrittweite des Kanals</translation>
        </message>
        <message>
            <source>the steps of a series must increase, but {name} got step {step} after {last}</source>
            <translation>die Schritte einer Reihe müssen zunehmen, aber {name} bekam Schritt {step} nach {last}</translation>
        </message>
        <message>
            <source>the stored configuration cannot be read: {reason}</source>
            <translation>die gespeicherte Konfiguration kann nicht gelesen werden: {reason}</translation>
        </message>
        <message>
            <source>the stored state of the window could not be read: {reason}</source>
            <translation>der gespeicherte Zustand des Fensters konnte nicht gelesen werden: {reason}</translation>
        </message>
        <message>
            <source>the strategy gives up every hypothesis, and none has ended</source>
            <translation>die Strategie gibt jede Hypothese auf, und keine ist beendet</translation>
        </message>
        <message>
            <source>the strategy keeps {going} hypotheses, more than its width of {width}</source>
            <translation>die Strategie behält {going} Hypothesen, mehr als ihre Breite von {width}</translation>
        </message>
        <message>
            <source>the sum of the features of all keys so far</source>
            <translation>die Summe der Merkmale aller bisherigen Keys</translation>
        </message>
        <message>
            <source>the symbol at position t</source>
            <translation>das Symbol an Position t</translation>
        </message>
        <message>
            <source>the table of embeddings, one row for each symbol</source>
            <translation>die Tabelle der Embeddings, eine Zeile pro Symbol</translation>
        </message>
        <message>
            <source>the tables of this checkpoint are not those of its model: {strange}</source>
            <translation>die Tabellen dieses Checkpoints sind nicht die seines Modells: {strange}</translation>
        </message>
        <message>
            <source>the teacher's folder has {most_files} files already</source>
            <translation>der Ordner der Lehrkraft hat schon {most_files} Dateien</translation>
        </message>
        <message>
            <source>the teacher's lab does not answer: {error}</source>
            <translation>das Labor der Lehrkraft antwortet nicht: {error}</translation>
        </message>
        <message>
            <source>the tensor {name} holds numbers of the kind {numbers}</source>
            <translation>der Tensor {name} enthält Zahlen der Art {numbers}</translation>
        </message>
        <message>
            <source>the text of a tokenizer.json</source>
            <translation>der Text einer tokenizer.json</translation>
        </message>
        <message>
            <source>the text that the script needs cannot be read: {what}</source>
            <translation>der Text, den das Skript braucht, kann nicht gelesen werden: {what}</translation>
        </message>
        <message>
            <source>the text with SHA-256 {wanted}</source>
            <translation>der Text mit SHA-256 {wanted}</translation>
        </message>
        <message>
            <source>the text {name} ({size}B)</source>
            <translation>den Text {name} ({size}B)</translation>
        </message>
        <message>
            <source>the time, or the index of the token</source>
            <translation>die Zeit oder der Index des Tokens</translation>
        </message>
        <message>
            <source>the token after them</source>
            <translation>das Token danach</translation>
        </message>
        <message>
            <source>the token at position t</source>
            <translation>das Token an Position t</translation>
        </message>
        <message>
            <source>the token k steps back</source>
            <translation>das Token vor k Schritten</translation>
        </message>
        <message>
            <source>the token of the target at position t</source>
            <translation>das Token des Ziels an Position t</translation>
        </message>
        <message>
            <source>the tokenizer of this run was fitted to all of its text by an older version, the validation part included: its bits per byte look better than those of new runs</source>
            <translation>der Tokenizer dieses Laufs wurde von einer älteren Version an seinen ganzen Text angepasst, den Validierungsteil eingeschlossen: seine Bits pro Byte sehen besser aus als die neuer Läufe</translation>
        </message>
        <message>
            <source>the tokens before it</source>
            <translation>die Tokens davor</translation>
        </message>
        <message>
            <source>the tokens between the two</source>
            <translation>die Tokens zwischen den beiden</translation>
        </message>
        <message>
            <source>the tokens of the row, as in row 1</source>
            <translation>die Tokens der Zeile, wie in Zeile 1</translation>
        </message>
        <message>
            <source>the tokens of the text</source>
            <translation>die Tokens des Textes</translation>
        </message>
        <message>
            <source>the trained decay that no token changes</source>
            <translation>das trainierte Abklingen, das kein Token ändert</translation>
        </message>
        <message>
            <source>the trained matrices that make them</source>
            <translation>die trainierten Matrizen, die sie bilden</translation>
        </message>
        <message>
            <source>the trained matrix of each of r, k, v and g</source>
            <translation>die trainierte Matrix von r, k, v und g, je eine</translation>
        </message>
        <message>
            <source>the trained rate of the decay</source>
            <translation>die trainierte Rate des Abklingens</translation>
        </message>
        <message>
            <source>the trained share of the token before</source>
            <translation>der trainierte Anteil des vorigen Tokens</translation>
        </message>
        <message>
            <source>the training did not finish a step within {seconds} seconds</source>
            <translation>das Training beendete keinen Schritt innerhalb von {seconds} Sekunden</translation>
        </message>
        <message>
            <source>the untrained model</source>
            <translation>das untrainierte Modell</translation>
        </message>
        <message>
            <source>the update gate: how much of the state is retained</source>
            <translation>das Update-Gate: wie viel vom Zustand erhalten bleibt</translation>
        </message>
        <message>
            <source>the validation loss of the model in nats per token</source>
            <translation>der Validierungsverlust des Modells in Nats pro Token</translation>
        </message>
        <message>
            <source>the validation text is too short to compare</source>
            <translation>der Validierungstext ist für einen Vergleich zu kurz</translation>
        </message>
        <message>
            <source>the validation text of {run}</source>
            <translation>dem Validierungstext von {run}</translation>
        </message>
        <message>
            <source>the value at token t</source>
            <translation>der Value bei Token t</translation>
        </message>
        <message>
            <source>the values of head h</source>
            <translation>die Values von Kopf h</translation>
        </message>
        <message>
            <source>the values of the source</source>
            <translation>die Values der Quelle</translation>
        </message>
        <message>
            <source>the vector of position t</source>
            <translation>der Vektor von Position t</translation>
        </message>
        <message>
            <source>the vector of the correction of rank one</source>
            <translation>der Vektor der Korrektur vom Rang eins</translation>
        </message>
        <message>
            <source>the vectors of all tokens, a row each</source>
            <translation>die Vektoren aller Tokens, je eine Zeile</translation>
        </message>
        <message>
            <source>the weight of expert e</source>
            <translation>das Gewicht von Experte e</translation>
        </message>
        <message>
            <source>the weight of expert i in the output</source>
            <translation>das Gewicht von Experte i in der Ausgabe</translation>
        </message>
        <message>
            <source>the weight of order n</source>
            <translation>das Gewicht der Ordnung n</translation>
        </message>
        <message>
            <source>the weight of token s at position t</source>
            <translation>das Gewicht von Token s an Position t</translation>
        </message>
        <message>
            <source>the weight of token s at position t: a cell of the map</source>
            <translation>das Gewicht von Token s an Position t: ein Feld der Karte</translation>
        </message>
        <message>
            <source>the weights are quantised</source>
            <translation>die Gewichte sind quantisiert</translation>
        </message>
        <message>
            <source>the weights hold {left} tensors that this model does not have</source>
            <translation>die Gewichte enthalten {left} Tensoren, die dieses Modell nicht hat</translation>
        </message>
        <message>
            <source>the weights of the run do not fit the model of these settings: {error}</source>
            <translation>die Gewichte des Laufs passen nicht zum Modell dieser Einstellungen: {error}</translation>
        </message>
        <message>
            <source>the weights that set decay and share</source>
            <translation>die Gewichte, die Abklingen und Anteil bestimmen</translation>
        </message>
        <message>
            <source>the weights that set the share</source>
            <translation>die Gewichte, die den Anteil bestimmen</translation>
        </message>
        <message>
            <source>the width of a head</source>
            <translation>die Breite eines Kopfes</translation>
        </message>
        <message>
            <source>the width of a key</source>
            <translation>die Breite eines Keys</translation>
        </message>
        <message>
            <source>the {n} mixer</source>
            <translation>Mischer {n}</translation>
        </message>
        <message>
            <source>there are no runs</source>
            <translation>es gibt keine Läufe</translation>
        </message>
        <message>
            <source>there are no settings yet</source>
            <translation>es gibt noch keine Einstellungen</translation>
        </message>
        <message>
            <source>there are not so many different rows with these settings</source>
            <translation>mit diesen Einstellungen gibt es nicht so viele verschiedene Zeilen</translation>
        </message>
        <message>
            <source>there are so many nested clauses that sentences would hardly end: each round of a derivation leaves {growth} of the symbols to expand</source>
            <translation>es gibt so viele verschachtelte Nebensätze, dass Sätze kaum enden würden: jede Runde einer Ableitung hinterlässt {growth} der Symbole zum Ersetzen</translation>
        </message>
        <message>
            <source>there is no class</source>
            <translation>es gibt keine Klasse</translation>
        </message>
        <message>
            <source>there is no column beside the target</source>
            <translation>neben dem Ziel gibt es keine Spalte</translation>
        </message>
        <message>
            <source>there is no graphics card that torch can use; small models need none</source>
            <translation>es gibt keine Grafikkarte, die torch nutzen kann; kleine Modelle brauchen keine</translation>
        </message>
        <message>
            <source>there is no picture {name}</source>
            <translation>es gibt kein Bild {name}</translation>
        </message>
        <message>
            <source>there is no such column</source>
            <translation>diese Spalte gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such download</source>
            <translation>diesen Download gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such file</source>
            <translation>diese Datei gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such file or folder</source>
            <translation>diese Datei oder diesen Ordner gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such folder</source>
            <translation>diesen Ordner gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such group of settings here</source>
            <translation>diese Gruppe von Einstellungen gibt es hier nicht</translation>
        </message>
        <message>
            <source>there is no such hook</source>
            <translation>diesen Hook gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such plugin</source>
            <translation>dieses Plugin gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such protocol</source>
            <translation>dieses Verfahren gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such recipe file</source>
            <translation>diese Rezeptdatei gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such run</source>
            <translation>diesen Lauf gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such setting</source>
            <translation>diese Einstellung gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such split</source>
            <translation>diesen Teil gibt es nicht</translation>
        </message>
        <message>
            <source>there is no such table in the folder</source>
            <translation>im Ordner gibt es keine solche Tabelle</translation>
        </message>
        <message>
            <source>there is no such {kind}</source>
            <translation>es gibt keine Karte dieses Namens ({kind})</translation>
        </message>
        <message>
            <source>there is only one class</source>
            <translation>es gibt nur eine Klasse</translation>
        </message>
        <message>
            <source>there is only one document here</source>
            <translation>hier gibt es nur ein Dokument</translation>
        </message>
        <message>
            <source>these weights are not read: a pickled file can run any code when it is opened</source>
            <translation>diese Gewichte werden nicht gelesen: eine Pickle-Datei kann beim Öffnen beliebigen Code ausführen</translation>
        </message>
        <message>
            <source>this Python has neither its manual nor its sources</source>
            <translation>dieses Python hat weder sein Handbuch noch seine Quelltexte</translation>
        </message>
        <message>
            <source>this bundle has format {value}, and this lab reads formats up to {format}</source>
            <translation>dieses Bündel hat Format {value}, und dieses Labor liest Formate bis {format}</translation>
        </message>
        <message>
            <source>this chain mixes so slowly that its entropy rate cannot be computed</source>
            <translation>diese Kette mischt so langsam, dass sich ihre Entropierate nicht berechnen lässt</translation>
        </message>
        <message>
            <source>this checkpoint belongs to another step than its name says</source>
            <translation>dieser Checkpoint gehört zu einem anderen Schritt, als sein Name sagt</translation>
        </message>
        <message>
            <source>this checkpoint has invalid values</source>
            <translation>dieser Checkpoint hat ungültige Werte</translation>
        </message>
        <message>
            <source>this corpus has no documents that could be read separately</source>
            <translation>dieser Korpus hat keine Dokumente, die getrennt gelesen werden könnten</translation>
        </message>
        <message>
            <source>this corpus has {rows}, but no {name}</source>
            <translation>dieser Korpus hat {rows}, aber nicht {name}</translation>
        </message>
        <message>
            <source>this device is not allowed by {value}</source>
            <translation>dieses Gerät ist nicht erlaubt, laut {value}</translation>
        </message>
        <message>
            <source>this drive does not allow a write-ahead log for {name} ({mode})</source>
            <translation>dieses Laufwerk erlaubt kein Write-ahead-Log für {name} ({mode})</translation>
        </message>
        <message>
            <source>this file is not a table and has no columns</source>
            <translation>diese Datei ist keine Tabelle und hat keine Spalten</translation>
        </message>
        <message>
            <source>this file of the checkpoint {what}</source>
            <translation>diese Datei des Checkpoints {what}</translation>
        </message>
        <message>
            <source>this folder is not empty</source>
            <translation>dieser Ordner ist nicht leer</translation>
        </message>
        <message>
            <source>this is no file of a plugin</source>
            <translation>das ist keine Datei eines Plugins</translation>
        </message>
        <message>
            <source>this is not a bundle: {manifest} is missing</source>
            <translation>das ist kein Bündel: {manifest} fehlt</translation>
        </message>
        <message>
            <source>this is not a run: {missing} missing</source>
            <translation>das ist kein Lauf: {missing} fehlt</translation>
        </message>
        <message>
            <source>this is not the address of the class</source>
            <translation>das ist nicht die Adresse der Klasse</translation>
        </message>
        <message>
            <source>this is not the text that the run was trained on</source>
            <translation>das ist nicht der Text, auf dem der Lauf trainiert wurde</translation>
        </message>
        <message>
            <source>this machine has no such device</source>
            <translation>dieser Rechner hat kein solches Gerät</translation>
        </message>
        <message>
            <source>this model also reads a second text</source>
            <translation>dieses Modell liest auch einen zweiten Text</translation>
        </message>
        <message>
            <source>this model chooses among the tokens of all documents, and cannot read them separately</source>
            <translation>dieses Modell wählt unter den Tokens aller Dokumente und kann sie nicht getrennt lesen</translation>
        </message>
        <message>
            <source>this model counts one continuous text, and cannot read documents separately</source>
            <translation>dieses Modell zählt einen fortlaufenden Text aus und kann Dokumente nicht getrennt lesen</translation>
        </message>
        <message>
            <source>this model has no head of its own, whose rate and initial weights would follow the width</source>
            <translation>dieses Modell hat keine eigene Ausgabeschicht, deren Rate und Anfangsgewichte der Breite folgen könnten</translation>
        </message>
        <message>
            <source>this model has no positions</source>
            <translation>dieses Modell hat keine Positionen</translation>
        </message>
        <message>
            <source>this model has no residual stream that its head can read</source>
            <translation>dieses Modell hat keinen Residualstrom, den sein Ausgang lesen kann</translation>
        </message>
        <message>
            <source>this model has nothing that the intervention {name} can change</source>
            <translation>dieses Modell hat nichts, das der Eingriff {name} ändern kann</translation>
        </message>
        <message>
            <source>this model is on another device</source>
            <translation>dieses Modell ist auf einem anderen Gerät</translation>
        </message>
        <message>
            <source>this model learns by counting, and the script is for training by gradient</source>
            <translation>dieses Modell lernt durch Zählen, und das Skript ist für Training mit Gradienten</translation>
        </message>
        <message>
            <source>this model makes no prediction at each token</source>
            <translation>dieses Modell macht nicht an jedem Token eine Vorhersage</translation>
        </message>
        <message>
            <source>this model reads at most {reach} positions and cannot read the text in one stream</source>
            <translation>dieses Modell liest höchstens {reach} Positionen und kann den Text nicht in einem Strom lesen</translation>
        </message>
        <message>
            <source>this model reads both directions and cannot write</source>
            <translation>dieses Modell liest in beide Richtungen und kann nicht schreiben</translation>
        </message>
        <message>
            <source>this model reads later tokens, though it learned to guess them, and cannot write</source>
            <translation>dieses Modell liest spätere Tokens, obwohl es sie zu raten gelernt hat, und kann nicht schreiben</translation>
        </message>
        <message>
            <source>this model reads numbers or pictures and no text</source>
            <translation>dieses Modell liest Zahlen oder Bilder und keinen Text</translation>
        </message>
        <message>
            <source>this model reads {reads}, so no state can be carried</source>
            <translation>dieses Modell liest {reads}; daher kann kein Zustand mitgeführt werden</translation>
        </message>
        <message>
            <source>this model reports no map of where its positions read</source>
            <translation>dieses Modell meldet nicht, wohin seine Positionen lesen</translation>
        </message>
        <message>
            <source>this model sends no token to an expert of its choice</source>
            <translation>dieses Modell schickt kein Token zu einem Experten seiner Wahl</translation>
        </message>
        <message>
            <source>this model writes what follows from a source, and none is given</source>
            <translation>dieses Modell schreibt, was aus einer Quelle folgt, und es ist keine angegeben</translation>
        </message>
        <message>
            <source>this objective cannot read documents separately (training.separate_documents)</source>
            <translation>dieses Ziel kann Dokumente nicht getrennt lesen (training.separate_documents)</translation>
        </message>
        <message>
            <source>this objective does not read {given}</source>
            <translation>dieses Ziel liest Folgendes nicht: {given}</translation>
        </message>
        <message>
            <source>this objective predicts {names_of_targets}, and {title} has {names_of_targets2}</source>
            <translation>dieses Ziel sagt Folgendes vorher: {names_of_targets}, und {title} hat Folgendes: {names_of_targets2}</translation>
        </message>
        <message>
            <source>this plugin is enabled for everybody by {value}</source>
            <translation>dieses Plugin ist für alle aktiviert, laut {value}</translation>
        </message>
        <message>
            <source>this plugin is not allowed by {value}</source>
            <translation>dieses Plugin ist nicht erlaubt, laut {value}</translation>
        </message>
        <message>
            <source>this probe is for RNN, GRU and LSTM</source>
            <translation>diese Sonde ist für RNN, GRU und LSTM</translation>
        </message>
        <message>
            <source>this probe is for networks with gates</source>
            <translation>diese Sonde ist für Netze mit Gates</translation>
        </message>
        <message>
            <source>this probe is for transformers</source>
            <translation>diese Sonde ist für Transformer</translation>
        </message>
        <message>
            <source>this probe reads models whose blocks all have attention</source>
            <translation>diese Sonde liest Modelle, deren Blöcke alle Attention haben</translation>
        </message>
        <message>
            <source>this probe reads n-gram models</source>
            <translation>diese Sonde liest N-Gramm-Modelle</translation>
        </message>
        <message>
            <source>this protocol is only for next-token prediction of text</source>
            <translation>dieses Verfahren ist nur für die Vorhersage des nächsten Tokens von Text</translation>
        </message>
        <message>
            <source>this random source repeats one letter for ever</source>
            <translation>diese Zufallsquelle wiederholt für immer einen Buchstaben</translation>
        </message>
        <message>
            <source>this recipe has no validation text</source>
            <translation>dieses Rezept hat keinen Validierungstext</translation>
        </message>
        <message>
            <source>this request for a run is invalid</source>
            <translation>diese Anforderung eines Laufs ist ungültig</translation>
        </message>
        <message>
            <source>this run cannot be resumed from any of its checkpoints</source>
            <translation>dieser Lauf lässt sich von keinem seiner Checkpoints fortsetzen</translation>
        </message>
        <message>
            <source>this run does not record its corpus</source>
            <translation>dieser Lauf hat seinen Korpus nicht aufgezeichnet</translation>
        </message>
        <message>
            <source>this run does not say what its model reads</source>
            <translation>dieser Lauf gibt nicht an, was sein Modell liest</translation>
        </message>
        <message>
            <source>this run does not say who speaks in its conversations</source>
            <translation>dieser Lauf gibt nicht an, wer in seinen Gesprächen spricht</translation>
        </message>
        <message>
            <source>this run has format {version}, and this lab reads formats up to {format}</source>
            <translation>dieser Lauf hat Format {version}, und dieses Labor liest Formate bis {format}</translation>
        </message>
        <message>
            <source>this run has made no checkpoint yet</source>
            <translation>dieser Lauf hat noch keinen Checkpoint angelegt</translation>
        </message>
        <message>
            <source>this run has made no step that could be trained again</source>
            <translation>dieser Lauf hat keinen Schritt gemacht, der sich erneut trainieren ließe</translation>
        </message>
        <message>
            <source>this run has no checkpoint of that step</source>
            <translation>dieser Lauf hat keinen Checkpoint von diesem Schritt</translation>
        </message>
        <message>
            <source>this run has no folder yet</source>
            <translation>dieser Lauf hat noch keinen Ordner</translation>
        </message>
        <message>
            <source>this run has no such series</source>
            <translation>dieser Lauf hat keine solche Reihe</translation>
        </message>
        <message>
            <source>this run has not ended</source>
            <translation>dieser Lauf ist nicht beendet</translation>
        </message>
        <message>
            <source>this run has not started to train</source>
            <translation>dieser Lauf hat noch nicht zu trainieren begonnen</translation>
        </message>
        <message>
            <source>this run holds no vocabulary</source>
            <translation>dieser Lauf enthält kein Vokabular</translation>
        </message>
        <message>
            <source>this run is being written by {writer}</source>
            <translation>dieser Lauf wird gerade geschrieben: {writer}</translation>
        </message>
        <message>
            <source>this run is finished after {last_step} steps</source>
            <translation>dieser Lauf ist nach {last_step} Schritten beendet</translation>
        </message>
        <message>
            <source>this run is not training</source>
            <translation>dieser Lauf trainiert nicht</translation>
        </message>
        <message>
            <source>this run lacks its {name}</source>
            <translation>diesem Lauf fehlt {name}</translation>
        </message>
        <message>
            <source>this run learned no classes of texts</source>
            <translation>dieser Lauf hat keine Klassen von Texten gelernt</translation>
        </message>
        <message>
            <source>this run learns from examples, and a text has none</source>
            <translation>dieser Lauf lernt aus Beispielen, und ein Text hat keine</translation>
        </message>
        <message>
            <source>this run learns from examples, and examples are no text</source>
            <translation>dieser Lauf lernt aus Beispielen, und Beispiele sind kein Text</translation>
        </message>
        <message>
            <source>this run learns from generated examples; a script reads a text or rows</source>
            <translation>dieser Lauf lernt aus erzeugten Beispielen; ein Skript liest einen Text oder Zeilen</translation>
        </message>
        <message>
            <source>this run learns from rows, documents or a mixture, and none are given</source>
            <translation>dieser Lauf lernt aus Zeilen, Dokumenten oder einer Mischung, und nichts davon ist angegeben</translation>
        </message>
        <message>
            <source>this run predicts no text, and cannot write</source>
            <translation>dieser Lauf sagt keinen Text vorher und kann nicht schreiben</translation>
        </message>
        <message>
            <source>this run reads each document separately (training.separate_documents), and this protocol reads on across their borders</source>
            <translation>dieser Lauf liest jedes Dokument getrennt (training.separate_documents), und dieses Verfahren liest über ihre Grenzen hinweg weiter</translation>
        </message>
        <message>
            <source>this run reads rows or a mixture of texts, which have no lengths to choose</source>
            <translation>dieser Lauf liest Zeilen oder eine Mischung von Texten, die keine wählbaren Längen haben</translation>
        </message>
        <message>
            <source>this run reads rows that are not one sequence of tokens, which probes and prompts need</source>
            <translation>dieser Lauf liest Zeilen, die keine einzelne Tokenfolge sind, wie Sonden und Eingaben sie brauchen</translation>
        </message>
        <message>
            <source>this run started from a checkpoint of another run, and a script starts with new weights</source>
            <translation>dieser Lauf begann mit einem Checkpoint eines anderen Laufs, und ein Skript beginnt mit neuen Gewichten</translation>
        </message>
        <message>
            <source>this run writes about pictures, and a prompt is text</source>
            <translation>dieser Lauf schreibt über Bilder, und eine Eingabe ist Text</translation>
        </message>
        <message>
            <source>this tensor has another shape than config.json defines</source>
            <translation>dieser Tensor hat eine andere Form, als config.json festlegt</translation>
        </message>
        <message>
            <source>this tensor is missing in the weights</source>
            <translation>dieser Tensor fehlt in den Gewichten</translation>
        </message>
        <message>
            <source>this training would need {needed}B of memory, and no more than {limit}B are allowed by {value}</source>
            <translation>dieses Training bräuchte {needed}B Speicher, und höchstens {limit}B sind erlaubt, laut {value}</translation>
        </message>
        <message>
            <source>those that config.json implies</source>
            <translation>die, die sich aus config.json ergeben</translation>
        </message>
        <message>
            <source>threads</source>
            <translation>Threads</translation>
        </message>
        <message>
            <source>time (UTC)</source>
            <translation>Zeit (UTC)</translation>
        </message>
        <message>
            <source>times the equal share</source>
            <translation>mal der gleichmäßige Anteil</translation>
        </message>
        <message>
            <source>times the width</source>
            <translation>mal die Breite</translation>
        </message>
        <message>
            <source>tiny-shakespeare</source>
            <translation>tiny-shakespeare</translation>
        </message>
        <message>
            <source>token</source>
            <translation>Token</translation>
        </message>
        <message>
            <source>token classes</source>
            <translation>Tokenklassen</translation>
        </message>
        <message>
            <source>token mixing</source>
            <translation>Mischung der Tokens</translation>
        </message>
        <message>
            <source>token {number} “{token}”</source>
            <translation>Token {number} „{token}“</translation>
        </message>
        <message>
            <source>token {n} of {all}</source>
            <translation>Token {n} von {all}</translation>
        </message>
        <message>
            <source>token: {first} to {last} of {all}</source>
            <translation>Token: {first} bis {last} von {all}</translation>
        </message>
        <message>
            <source>tokenizer</source>
            <translation>Tokenizer</translation>
        </message>
        <message>
            <source>tokenizer: {name}</source>
            <translation>Tokenizer: {name}</translation>
        </message>
        <message>
            <source>tokens</source>
            <translation>Tokens</translation>
        </message>
        <message>
            <source>tokens back</source>
            <translation>Tokens zurück</translation>
        </message>
        <message>
            <source>tokens left</source>
            <translation>Tokens übrig</translation>
        </message>
        <message>
            <source>tokens of the longest example</source>
            <translation>Tokens des längsten Beispiels</translation>
        </message>
        <message>
            <source>tokens of the window</source>
            <translation>Tokens des Fensters</translation>
        </message>
        <message>
            <source>tokens per byte</source>
            <translation>Tokens pro Byte</translation>
        </message>
        <message>
            <source>tokens per second</source>
            <translation>Tokens pro Sekunde</translation>
        </message>
        <message>
            <source>tokens read</source>
            <translation>gelesene Tokens</translation>
        </message>
        <message>
            <source>tokens seen</source>
            <translation>gelesene Tokens</translation>
        </message>
        <message>
            <source>tokens that prefer it</source>
            <translation>Tokens, die ihn bevorzugen</translation>
        </message>
        <message>
            <source>tokens with their labels</source>
            <translation>Tokens mit ihren Labels</translation>
        </message>
        <message>
            <source>tokens/s</source>
            <translation>Tokens/s</translation>
        </message>
        <message>
            <source>top-k</source>
            <translation>Top-k</translation>
        </message>
        <message>
            <source>topics</source>
            <translation>Themen</translation>
        </message>
        <message>
            <source>torch cannot be loaded</source>
            <translation>torch lässt sich nicht laden</translation>
        </message>
        <message>
            <source>torch has fewer threads than cores ({threads} for {cores})</source>
            <translation>torch hat weniger Threads als Kerne ({threads} für {cores})</translation>
        </message>
        <message>
            <source>torch has more threads than cores ({threads} for {cores}), which slows it down</source>
            <translation>torch hat mehr Threads als Kerne ({threads} für {cores}), was es bremst</translation>
        </message>
        <message>
            <source>torch is made for CUDA, and finds no card</source>
            <translation>torch ist für CUDA gemacht und findet keine Karte</translation>
        </message>
        <message>
            <source>torch uses no vector instructions of this processor, so it is slow</source>
            <translation>torch nutzt keine Vektorbefehle dieses Prozessors und ist daher langsam</translation>
        </message>
        <message>
            <source>torch {value}, {instructions}, threads: {threads}</source>
            <translation>torch {value}, {instructions}, Threads: {threads}</translation>
        </message>
        <message>
            <source>train</source>
            <translation>Training</translation>
        </message>
        <message>
            <source>train loss, mean of the last steps</source>
            <translation>Trainingsverlust, Mittel der letzten Schritte</translation>
        </message>
        <message>
            <source>train {loss}</source>
            <translation>Training {loss}</translation>
        </message>
        <message>
            <source>train, smoothed by {share}</source>
            <translation>Training, geglättet mit {share}</translation>
        </message>
        <message>
            <source>trained matrices, into the layer and out of it</source>
            <translation>trainierte Matrizen, in die Schicht und aus ihr heraus</translation>
        </message>
        <message>
            <source>trained matrices, of gate, hidden units and output</source>
            <translation>trainierte Matrizen für Gate, verborgene Einheiten und Ausgabe</translation>
        </message>
        <message>
            <source>trained up to {n}</source>
            <translation>trainiert bis {n}</translation>
        </message>
        <message>
            <source>training FLOPs</source>
            <translation>Trainings-FLOPs</translation>
        </message>
        <message>
            <source>training loss</source>
            <translation>Trainingsverlust</translation>
        </message>
        <message>
            <source>training loss, bits per token</source>
            <translation>Trainingsverlust, Bits pro Token</translation>
        </message>
        <message>
            <source>training loss, nats per token</source>
            <translation>Trainingsverlust, Nats pro Token</translation>
        </message>
        <message>
            <source>training loss, smoothed by {share}</source>
            <translation>Trainingsverlust, geglättet mit {share}</translation>
        </message>
        <message>
            <source>training loss: {loss}</source>
            <translation>Trainingsverlust: {loss}</translation>
        </message>
        <message>
            <source>training perplexity</source>
            <translation>Perplexität des Trainings</translation>
        </message>
        <message>
            <source>training rows</source>
            <translation>Trainingszeilen</translation>
        </message>
        <message>
            <source>training time</source>
            <translation>Trainingszeit</translation>
        </message>
        <message>
            <source>training, bits per byte</source>
            <translation>Training, Bits pro Byte</translation>
        </message>
        <message>
            <source>training, nats above the entropy</source>
            <translation>Training, Nats über der Entropie</translation>
        </message>
        <message>
            <source>transformer</source>
            <translation>Transformer</translation>
        </message>
        <message>
            <source>translation-2017</source>
            <translation>translation-2017</translation>
        </message>
        <message>
            <source>true or false</source>
            <translation>wahr oder falsch</translation>
        </message>
        <message>
            <source>turns</source>
            <translation>Windungen</translation>
        </message>
        <message>
            <source>turns scores into probabilities</source>
            <translation>macht aus Scores Wahrscheinlichkeiten</translation>
        </message>
        <message>
            <source>turns scores into shares</source>
            <translation>macht aus Scores Anteile</translation>
        </message>
        <message>
            <source>two columns are called {repeated}</source>
            <translation>zwei Spalten heißen {repeated}</translation>
        </message>
        <message>
            <source>two norms</source>
            <translation>zwei Normen</translation>
        </message>
        <message>
            <source>unclipped</source>
            <translation>roh</translation>
        </message>
        <message>
            <source>under 0.01</source>
            <translation>unter 0,01</translation>
        </message>
        <message>
            <source>unembedding</source>
            <translation>Unembedding</translation>
        </message>
        <message>
            <source>unfolded</source>
            <translation>aufgeklappt</translation>
        </message>
        <message>
            <source>uniform</source>
            <translation>gleichverteilt</translation>
        </message>
        <message>
            <source>uniform (V)</source>
            <translation>gleichverteilt (V)</translation>
        </message>
        <message>
            <source>uniform (ln V)</source>
            <translation>gleichverteilt (ln V)</translation>
        </message>
        <message>
            <source>uniform (log₂ V)</source>
            <translation>gleichverteilt (log₂ V)</translation>
        </message>
        <message>
            <source>uniform attention: {value}</source>
            <translation>gleichmäßige Attention: {value}</translation>
        </message>
        <message>
            <source>unigram</source>
            <translation>Unigramm</translation>
        </message>
        <message>
            <source>unigram (letters alone)</source>
            <translation>Unigramm (nur Buchstaben)</translation>
        </message>
        <message>
            <source>unit</source>
            <translation>Neuron</translation>
        </message>
        <message>
            <source>unit of loss</source>
            <translation>Einheit</translation>
        </message>
        <message>
            <source>unit {n}</source>
            <translation>Neuron {n}</translation>
        </message>
        <message>
            <source>unit: {unit}</source>
            <translation>Einheit: {unit}</translation>
        </message>
        <message>
            <source>unit:B.N: unit N of block B is zero, of its feed-forward layer or of its recurrent state.</source>
            <translation>unit:B.N: Neuron N von Block B ist null, in der Feedforward-Schicht oder im rekurrenten Zustand.</translation>
        </message>
        <message>
            <source>units</source>
            <translation>Neuronen</translation>
        </message>
        <message>
            <source>unknown</source>
            <translation>unbekannt</translation>
        </message>
        <message>
            <source>unknown: {why}</source>
            <translation>unbekannt: {why}</translation>
        </message>
        <message>
            <source>untrained</source>
            <translation>untrainiert</translation>
        </message>
        <message>
            <source>up</source>
            <translation>aufwärts</translation>
        </message>
        <message>
            <source>up to {number} of its {number2} experts</source>
            <translation>bis zu {number} seiner {number2} Experten</translation>
        </message>
        <message>
            <source>up to {n}: {run}</source>
            <translation>bis {n}: {run}</translation>
        </message>
        <message>
            <source>update gate</source>
            <translation>Update-Gate</translation>
        </message>
        <message>
            <source>updating…</source>
            <translation>wird aktualisiert …</translation>
        </message>
        <message>
            <source>used for the next run</source>
            <translation>für den nächsten Lauf verwendet</translation>
        </message>
        <message>
            <source>validation</source>
            <translation>Validierung</translation>
        </message>
        <message>
            <source>validation loss</source>
            <translation>Validierungsverlust</translation>
        </message>
        <message>
            <source>validation loss {before} → {after} ({change} nats) without {experts} · {step}</source>
            <translation>Validierungsverlust {before} → {after} ({change} Nats) ohne {experts} · {step}</translation>
        </message>
        <message>
            <source>validation loss {loss} nats after {step} steps</source>
            <translation>Validierungsverlust {loss} Nats nach {step} Schritten</translation>
        </message>
        <message>
            <source>validation loss, bits per token</source>
            <translation>Validierung, Bits pro Token</translation>
        </message>
        <message>
            <source>validation loss, nats per token</source>
            <translation>Validierung, Nats pro Token</translation>
        </message>
        <message>
            <source>validation loss: {loss}</source>
            <translation>Validierungsverlust: {loss}</translation>
        </message>
        <message>
            <source>validation perplexity</source>
            <translation>Perplexität der Validierung</translation>
        </message>
        <message>
            <source>validation, bits per byte</source>
            <translation>Validierung, Bits pro Byte</translation>
        </message>
        <message>
            <source>validation, nats above the entropy</source>
            <translation>Validierung, Nats über der Entropie</translation>
        </message>
        <message>
            <source>value</source>
            <translation>Value</translation>
        </message>
        <message>
            <source>value of the setting</source>
            <translation>Wert</translation>
        </message>
        <message>
            <source>value shown</source>
            <translation>gezeigter Wert</translation>
        </message>
        <message>
            <source>vaswani-2017</source>
            <translation>vaswani-2017</translation>
        </message>
        <message>
            <source>vectors</source>
            <translation>Vektoren</translation>
        </message>
        <message>
            <source>verb, subject, object</source>
            <translation>Verb, Subjekt, Objekt</translation>
        </message>
        <message>
            <source>verified</source>
            <translation>geprüft</translation>
        </message>
        <message>
            <source>verified: close</source>
            <translation>geprüft: nahezu gleich</translation>
        </message>
        <message>
            <source>verified: exact</source>
            <translation>geprüft: exakt</translation>
        </message>
        <message>
            <source>verified: not reproducible</source>
            <translation>geprüft: nicht reproduzierbar</translation>
        </message>
        <message>
            <source>verifying, {share} %</source>
            <translation>wird geprüft, {share} %</translation>
        </message>
        <message>
            <source>version {version}</source>
            <translation>Version {version}</translation>
        </message>
        <message>
            <source>vocabulary</source>
            <translation>Vokabular</translation>
        </message>
        <message>
            <source>vocabulary {v}</source>
            <translation>Vokabular {v}</translation>
        </message>
        <message>
            <source>vocabulary {v} · this passage: {n} tokens, {a} per byte, {b} bytes per token</source>
            <translation>Vokabular {v} · diese Textstelle: {n} Tokens, {a} pro Byte, {b} Bytes pro Token</translation>
        </message>
        <message>
            <source>was changed since it was unpacked</source>
            <translation>wurde geändert, seit es ausgepackt wurde</translation>
        </message>
        <message>
            <source>was not fetched yet</source>
            <translation>wurde noch nicht heruntergeladen</translation>
        </message>
        <message>
            <source>was not found</source>
            <translation>wurde nicht gefunden</translation>
        </message>
        <message>
            <source>waves</source>
            <translation>Wellen</translation>
        </message>
        <message>
            <source>weights of bf16, fp16 or float32</source>
            <translation>Gewichte in bf16, fp16 oder float32</translation>
        </message>
        <message>
            <source>weights of float32, fp16 or bf16</source>
            <translation>Gewichte in float32, fp16 oder bf16</translation>
        </message>
        <message>
            <source>what JSON can hold</source>
            <translation>was JSON darstellen kann</translation>
        </message>
        <message>
            <source>what a layer reads</source>
            <translation>was eine Schicht liest</translation>
        </message>
        <message>
            <source>what a shared block adds</source>
            <translation>was ein geteilter Block beiträgt</translation>
        </message>
        <message>
            <source>what block l adds</source>
            <translation>was Block l hinzufügt</translation>
        </message>
        <message>
            <source>what each position asks for: its input times the query matrix</source>
            <translation>wonach jede Position fragt: ihre Eingabe mal die Query-Matrix</translation>
        </message>
        <message>
            <source>what each position of the source offers</source>
            <translation>was jede Position der Quelle anbietet</translation>
        </message>
        <message>
            <source>what each position of the target asks for</source>
            <translation>wonach jede Position des Ziels fragt</translation>
        </message>
        <message>
            <source>what each token offers: its input times the key matrix</source>
            <translation>was jedes Token anbietet: seine Eingabe mal die Key-Matrix</translation>
        </message>
        <message>
            <source>what expert e makes of the input</source>
            <translation>was Experte e aus der Eingabe macht</translation>
        </message>
        <message>
            <source>what head h reads</source>
            <translation>was Kopf h liest</translation>
        </message>
        <message>
            <source>what is added to every count</source>
            <translation>was zu jeder Zählung addiert wird</translation>
        </message>
        <message>
            <source>what is left of each token at each position</source>
            <translation>was von jedem Token an jeder Position bleibt</translation>
        </message>
        <message>
            <source>what is left of the state before</source>
            <translation>was vom Zustand davor bleibt</translation>
        </message>
        <message>
            <source>what is shared on this machine cannot be read: {why}</source>
            <translation>auf diesem Rechner Freigegebenes ist nicht lesbar: {why}</translation>
        </message>
        <message>
            <source>what the decay is made from</source>
            <translation>woraus das Abklingen gebildet wird</translation>
        </message>
        <message>
            <source>what the earlier head writes: the product of its output and value matrices</source>
            <translation>was der frühere Kopf schreibt: das Produkt seiner Ausgabe- und Value-Matrizen</translation>
        </message>
        <message>
            <source>what the encoder made of each position of the source</source>
            <translation>was der Encoder aus jeder Position der Quelle gemacht hat</translation>
        </message>
        <message>
            <source>what the head reads</source>
            <translation>was der Kopf liest</translation>
        </message>
        <message>
            <source>what the head writes of what it reads</source>
            <translation>was der Kopf von dem schreibt, was er liest</translation>
        </message>
        <message>
            <source>what the later head reads: the product of its query and key matrices</source>
            <translation>was der spätere Kopf liest: das Produkt seiner Query- und Key-Matrizen</translation>
        </message>
        <message>
            <source>what the linear probe of lag k reads from the state after token t</source>
            <translation>was die lineare Sonde für Abstand k aus dem Zustand nach Token t liest</translation>
        </message>
        <message>
            <source>where the state lies along direction i</source>
            <translation>wo der Zustand entlang Richtung i liegt</translation>
        </message>
        <message>
            <source>whole number</source>
            <translation>ganze Zahl</translation>
        </message>
        <message>
            <source>whole numbers, 1 ≤ n ≤ {most}</source>
            <translation>ganze Zahlen, 1 ≤ n ≤ {most}</translation>
        </message>
        <message>
            <source>width / heads</source>
            <translation>width / heads</translation>
        </message>
        <message>
            <source>width 128</source>
            <translation>Breite 128</translation>
        </message>
        <message>
            <source>width 192</source>
            <translation>Breite 192</translation>
        </message>
        <message>
            <source>width 256</source>
            <translation>Breite 256</translation>
        </message>
        <message>
            <source>width 384</source>
            <translation>Breite 384</translation>
        </message>
        <message>
            <source>width 512</source>
            <translation>Breite 512</translation>
        </message>
        <message>
            <source>width 64</source>
            <translation>Breite 64</translation>
        </message>
        <message>
            <source>width {width} is not a multiple of heads {heads}</source>
            <translation>width {width} ist kein Vielfaches von heads {heads}</translation>
        </message>
        <message>
            <source>width {width} is not a multiple of heads {heads}: set head_width</source>
            <translation>width {width} ist kein Vielfaches von heads {heads}: head_width setzen</translation>
        </message>
        <message>
            <source>windows</source>
            <translation>Fenster</translation>
        </message>
        <message>
            <source>windows, stream, strided:N with 1 ≤ N ≤ {context_length}, the context length</source>
            <translation>windows, stream, strided:N mit 1 ≤ N ≤ {context_length}, der Kontextlänge</translation>
        </message>
        <message>
            <source>windows, strided:N with 1 ≤ N ≤ {context_length}</source>
            <translation>windows, strided:N mit 1 ≤ N ≤ {context_length}</translation>
        </message>
        <message>
            <source>with the mean of {part}</source>
            <translation>mit dem Mittel von {part}</translation>
        </message>
        <message>
            <source>with the values of another text in {part}</source>
            <translation>mit den Werten eines anderen Textes in {part}</translation>
        </message>
        <message>
            <source>with {change} of {part}</source>
            <translation>mit {change} von {part}</translation>
        </message>
        <message>
            <source>without a maximum depth, opening is at most {shallow}: the depth would not settle</source>
            <translation>ohne größte Tiefe ist opening höchstens {shallow}: sonst käme die Tiefe nicht zur Ruhe</translation>
        </message>
        <message>
            <source>without positions</source>
            <translation>ohne Positionen</translation>
        </message>
        <message>
            <source>without {part}</source>
            <translation>ohne {part}</translation>
        </message>
        <message>
            <source>without {setting}</source>
            <translation>ohne {setting}</translation>
        </message>
        <message>
            <source>word</source>
            <translation>Wort</translation>
        </message>
        <message>
            <source>words</source>
            <translation>Wörter</translation>
        </message>
        <message>
            <source>writer: the head whose output is read</source>
            <translation>Schreiber: der Kopf, dessen Ausgabe gelesen wird</translation>
        </message>
        <message>
            <source>written at step {n}</source>
            <translation>geschrieben bei Schritt {n}</translation>
        </message>
        <message>
            <source>written by a newer version ({version}; this one reads up to {version2})</source>
            <translation>von einer neueren Version geschrieben ({version}; diese liest bis {version2})</translation>
        </message>
        <message>
            <source>written by {model}</source>
            <translation>geschrieben von {model}</translation>
        </message>
        <message>
            <source>written for version {version} of the lab's API</source>
            <translation>für Version {version} der API des Labors geschrieben</translation>
        </message>
        <message>
            <source>written in a newer format than this lab knows</source>
            <translation>in einem neueren Format geschrieben, als dieses Labor kennt</translation>
        </message>
        <message>
            <source>wrong</source>
            <translation>falsch</translation>
        </message>
        <message>
            <source>wu</source>
            <translation>Wu</translation>
        </message>
        <message>
            <source>wu divides by ((5 + tokens) / 6)^penalty, as the paper does; tokens by tokens^penalty, as transformers.</source>
            <translation>„Wu“ teilt wie die Arbeit durch ((5 + Tokens) / 6)^Abzug, „Tokens“ wie transformers durch Tokens^Abzug.</translation>
        </message>
        <message>
            <source>x axis</source>
            <translation>x-Achse</translation>
        </message>
        <message>
            <source>years</source>
            <translation>Jahre</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>ja</translation>
        </message>
        <message>
            <source>yes, no</source>
            <translation>yes, no</translation>
        </message>
        <message>
            <source>yesterday</source>
            <translation>gestern</translation>
        </message>
        <message>
            <source>your instructions</source>
            <translation>die Anleitung</translation>
        </message>
        <message>
            <source>zamba</source>
            <translation>zamba</translation>
        </message>
        <message>
            <source>zero-order hold</source>
            <translation>Halteglied nullter Ordnung</translation>
        </message>
        <message>
            <source>{all} = {count} × {each}</source>
            <translation>{all} = {count} × {each}</translation>
        </message>
        <message>
            <source>{architecture} on {corpus}</source>
            <translation>{architecture} auf {corpus}</translation>
        </message>
        <message>
            <source>{a} per byte · {b} bytes per token</source>
            <translation>{a} pro Byte · {b} Bytes pro Token</translation>
        </message>
        <message>
            <source>{before} → {after} nats ({change}) {how}</source>
            <translation>{before} → {after} Nats ({change}) {how}</translation>
        </message>
        <message>
            <source>{bits} bits</source>
            <translation>{bits} Bit</translation>
        </message>
        <message>
            <source>{bits} bits of entropy</source>
            <translation>{bits} Bit Entropie</translation>
        </message>
        <message>
            <source>{bits} bits: the lowest possible loss; random guessing gives {most} nats</source>
            <translation>{bits} Bit: der kleinstmögliche Verlust; zufälliges Raten ergibt {most} Nats</translation>
        </message>
        <message>
            <source>{bits}, seen in training</source>
            <translation>{bits}, im Training gesehen</translation>
        </message>
        <message>
            <source>{blocks} + {others}</source>
            <translation>{blocks} + {others}</translation>
        </message>
        <message>
            <source>{buckets} buckets up to distance {farthest}</source>
            <translation>{buckets} Klassen bis zum Abstand {farthest}</translation>
        </message>
        <message>
            <source>{by} above {floor}</source>
            <translation>{by} über {floor}</translation>
        </message>
        <message>
            <source>{by} below {floor}</source>
            <translation>{by} unter {floor}</translation>
        </message>
        <message>
            <source>{corpus} has {has}: the tokenizer is {own}, not {named}</source>
            <translation>{corpus} hat {has}: der Tokenizer ist {own}, nicht {named}</translation>
        </message>
        <message>
            <source>{corpus}, of which no part is held out</source>
            <translation>{corpus}, wovon kein Teil zurückbehalten ist</translation>
        </message>
        <message>
            <source>{count} ({names})</source>
            <translation>{count} ({names})</translation>
        </message>
        <message>
            <source>{count} ({titles})</source>
            <translation>{count} ({titles})</translation>
        </message>
        <message>
            <source>{count} of {all} experts dead: {names}</source>
            <translation>{count} von {all} Experten tot: {names}</translation>
        </message>
        <message>
            <source>{count} runs still train or are queued</source>
            <translation>{count} Läufe trainieren noch oder sind eingereiht</translation>
        </message>
        <message>
            <source>{count} standard errors lower than any model comes on average</source>
            <translation>{count} Standardfehler niedriger, als ein Modell im Mittel kommt</translation>
        </message>
        <message>
            <source>{count} tokens</source>
            <translation>{count} Tokens</translation>
        </message>
        <message>
            <source>{count} · {size} of {budget} MB</source>
            <translation>{count} · {size} von {budget} MB</translation>
        </message>
        <message>
            <source>{count} × {each} + {others}</source>
            <translation>{count} × {each} + {others}</translation>
        </message>
        <message>
            <source>{count}, the first is {value} at step {step}</source>
            <translation>{count}, der erste ist {value} bei Schritt {step}</translation>
        </message>
        <message>
            <source>{count}×</source>
            <translation>{count}×</translation>
        </message>
        <message>
            <source>{doing} changed {changed}, which all code shares; it was put back</source>
            <translation>{doing} änderte {changed}, was aller Code teilt; es wurde zurückgesetzt</translation>
        </message>
        <message>
            <source>{doing} failed: {text}</source>
            <translation>{doing} ist fehlgeschlagen: {text}</translation>
        </message>
        <message>
            <source>{doing} has taken {slow} seconds, and nothing else can go on</source>
            <translation>{doing} dauert schon {slow} Sekunden, und nichts anderes kann weitergehen</translation>
        </message>
        <message>
            <source>{doing} was cancelled</source>
            <translation>{doing} wurde abgebrochen</translation>
        </message>
        <message>
            <source>{doing} was interrupted</source>
            <translation>{doing} wurde unterbrochen</translation>
        </message>
        <message>
            <source>{done} of {count}</source>
            <translation>{done} von {count}</translation>
        </message>
        <message>
            <source>{done}B of {size}B</source>
            <translation>{done}B von {size}B</translation>
        </message>
        <message>
            <source>{do}: {plugin}</source>
            <translation>{do}: {plugin}</translation>
        </message>
        <message>
            <source>{duty} over tokens 2–{last}</source>
            <translation>{duty} über Tokens 2–{last}</translation>
        </message>
        <message>
            <source>{entry} is no bias</source>
            <translation>{entry} ist kein Zuschlag</translation>
        </message>
        <message>
            <source>{families} families of fonts, {spaced} with letters of one width</source>
            <translation>{families} Schriftfamilien, davon {spaced} mit Buchstaben gleicher Breite</translation>
        </message>
        <message>
            <source>{field} = {value} is not allowed</source>
            <translation>{field} = {value} ist nicht erlaubt</translation>
        </message>
        <message>
            <source>{field} holds {half} in row {number}</source>
            <translation>{field} enthält in Zeile {number} {half}</translation>
        </message>
        <message>
            <source>{field} is {dtype} of the shape {shape}</source>
            <translation>{field} ist {dtype} der Form {shape}</translation>
        </message>
        <message>
            <source>{field} is {label} in row {number}</source>
            <translation>{field} ist {label} in Zeile {number}</translation>
        </message>
        <message>
            <source>{figures}: {passage}</source>
            <translation>{figures}: {passage}</translation>
        </message>
        <message>
            <source>{file} was not opened, since the lab could not finish loading</source>
            <translation>{file} wurde nicht geöffnet, weil das Labor nicht fertig geladen werden konnte</translation>
        </message>
        <message>
            <source>{file}, which is broken</source>
            <translation>{file}, die fehlerhaft ist</translation>
        </message>
        <message>
            <source>{first} at first, {last} at last</source>
            <translation>{first} am Anfang, {last} am Ende</translation>
        </message>
        <message>
            <source>{floors} (mean Huber loss)</source>
            <translation>{floors} (mittlerer Huber-Verlust)</translation>
        </message>
        <message>
            <source>{floors} (mean squared error)</source>
            <translation>{floors} (mittlerer quadratischer Fehler)</translation>
        </message>
        <message>
            <source>{floors} (nats per target)</source>
            <translation>{floors} (Nats pro Ziel)</translation>
        </message>
        <message>
            <source>{fruit} is {tokens}; an r is in {which}.</source>
            <translation>{fruit} ist {tokens}; ein r steckt in {which}.</translation>
        </message>
        <message>
            <source>{fruit} is {tokens}; each r is a separate token.</source>
            <translation>{fruit} ist {tokens}; jedes r ist ein eigenes Token.</translation>
        </message>
        <message>
            <source>{gap} above {floor}</source>
            <translation>{gap} über {floor}</translation>
        </message>
        <message>
            <source>{gap} below {floor}</source>
            <translation>{gap} unter {floor}</translation>
        </message>
        <message numerus="yes">
            <source>{gram}: {n} times</source>
            <translation>
                <numerusform>{gram}: {n}-mal</numerusform>
                <numerusform>{gram}: {n}-mal</numerusform>
            </translation>
        </message>
        <message>
            <source>{heads} heads are not a multiple of groups {groups}</source>
            <translation>{heads} Köpfe sind kein Vielfaches von groups {groups}</translation>
        </message>
        <message>
            <source>{height} × {width} pixels, {colours}</source>
            <translation>{height} × {width} Pixel, {colours}</translation>
        </message>
        <message>
            <source>{held} It holds no weights, and nothing about this machine.</source>
            <translation>{held} Er enthält keine Gewichte und nichts über diesen Rechner.</translation>
        </message>
        <message>
            <source>{hostname} cannot be reached: {error}</source>
            <translation>{hostname} ist nicht erreichbar: {error}</translation>
        </message>
        <message>
            <source>{hours} h {minutes} min</source>
            <translation>{hours} h {minutes} min</translation>
        </message>
        <message>
            <source>{index} of {count}</source>
            <translation>{index} von {count}</translation>
        </message>
        <message>
            <source>{inner} channels, expand × width, are not a multiple of head_width {head_width}</source>
            <translation>{inner} Kanäle, expand × width, sind kein Vielfaches von head_width {head_width}</translation>
        </message>
        <message>
            <source>{kind} ({n})</source>
            <translation>{kind} ({n})</translation>
        </message>
        <message>
            <source>{kind} ended the last start while it was loaded, so it is left out</source>
            <translation>{kind} beendete den letzten Start, während es geladen wurde, und wird daher ausgelassen</translation>
        </message>
        <message>
            <source>{kind} has a problem</source>
            <translation>{kind} hat ein Problem</translation>
        </message>
        <message>
            <source>{kind} is another version than the one you enabled</source>
            <translation>{kind} hat eine andere Version als die, die aktiviert wurde</translation>
        </message>
        <message>
            <source>{kind} {value} at {at}</source>
            <translation>{kind} {value} bei {at}</translation>
        </message>
        <message>
            <source>{kind} {value} at {where}</source>
            <translation>{kind} {value} bei {where}</translation>
        </message>
        <message>
            <source>{kind}.classes is {classes}</source>
            <translation>{kind}.classes ist {classes}</translation>
        </message>
        <message>
            <source>{kind}.classes names {twice} twice</source>
            <translation>{kind}.classes nennt {twice} doppelt</translation>
        </message>
        <message>
            <source>{kind}.facts is a {name}</source>
            <translation>{kind}.facts ist ein {name}</translation>
        </message>
        <message>
            <source>{kind}.facts is not plain data: {error}</source>
            <translation>{kind}.facts sind keine einfachen Daten: {error}</translation>
        </message>
        <message>
            <source>{kind}.floors is a {name}</source>
            <translation>{kind}.floors ist ein {name}</translation>
        </message>
        <message>
            <source>{kind}.name is {name}</source>
            <translation>{kind}.name ist {name}</translation>
        </message>
        <message>
            <source>{kind}.{one} has {first} rows and {kind2}.{other} has {second}</source>
            <translation>{kind}.{one} hat {first} Zeilen und {kind2}.{other} hat {second}</translation>
        </message>
        <message>
            <source>{label}; it took {time} the last time</source>
            <translation>{label}; beim letzten Mal dauerte es {time}</translation>
        </message>
        <message>
            <source>{left} + {right} → {new}</source>
            <translation>{left} + {right} → {new}</translation>
        </message>
        <message>
            <source>{line}, joined to its last point</source>
            <translation>{line}, mit dem letzten Punkt verbunden</translation>
        </message>
        <message>
            <source>{loss} ({unit})</source>
            <translation>{loss} ({unit})</translation>
        </message>
        <message>
            <source>{loss} at step {step}</source>
            <translation>{loss} bei Schritt {step}</translation>
        </message>
        <message>
            <source>{loss} nats per token with all parts, on {count}</source>
            <translation>{loss} Nats pro Token mit allen Teilen, auf {count}</translation>
        </message>
        <message>
            <source>{low} to {high}</source>
            <translation>{low} bis {high}</translation>
        </message>
        <message>
            <source>{made} steps were made already</source>
            <translation>{made} Schritte wurden schon gemacht</translation>
        </message>
        <message>
            <source>{manifest} in it has no format</source>
            <translation>{manifest} darin hat kein Format</translation>
        </message>
        <message>
            <source>{manifest} in it has no run</source>
            <translation>{manifest} darin hat keinen Lauf</translation>
        </message>
        <message>
            <source>{manifest} in it is larger than {largest} MiB</source>
            <translation>{manifest} darin ist größer als {largest} MiB</translation>
        </message>
        <message>
            <source>{manifest} in it lists an entry that is not a file</source>
            <translation>{manifest} darin nennt einen Eintrag, der keine Datei ist</translation>
        </message>
        <message>
            <source>{manifest} in it lists {name}, which the zip does not hold exactly once</source>
            <translation>{manifest} darin nennt {name}, das die Zip-Datei nicht genau einmal enthält</translation>
        </message>
        <message>
            <source>{names_of_data}, which {title} gives</source>
            <translation>{names_of_data}, von {title}</translation>
        </message>
        <message>
            <source>{names} and {last}</source>
            <translation>{names} und {last}</translation>
        </message>
        <message>
            <source>{name} (min:s)</source>
            <translation>{name} (min:s)</translation>
        </message>
        <message>
            <source>{name} ({state}), SHA-256 {digits}</source>
            <translation>{name} ({state}), SHA-256 {digits}</translation>
        </message>
        <message>
            <source>{name} built a {name2}</source>
            <translation>{name} hat {name2} gebaut</translation>
        </message>
        <message>
            <source>{name} cannot be played: no audio device or player was found.</source>
            <translation>{name} kann nicht abgespielt werden: Es wurde kein Audiogerät oder Abspielprogramm gefunden.</translation>
        </message>
        <message>
            <source>{name} cannot be read: {value}</source>
            <translation>{name} kann nicht gelesen werden: {value}</translation>
        </message>
        <message>
            <source>{name} cannot be written: {error}</source>
            <translation>{name} kann nicht geschrieben werden: {error}</translation>
        </message>
        <message>
            <source>{name} computes</source>
            <translation>{name} rechnet</translation>
        </message>
        <message>
            <source>{name} computes: {facts}, {facts2}B</source>
            <translation>{name} rechnet: {facts}, {facts2}B</translation>
        </message>
        <message>
            <source>{name} does not compute: {facts}</source>
            <translation>{name} rechnet nicht: {facts}</translation>
        </message>
        <message>
            <source>{name} does not hold the metrics of a run</source>
            <translation>{name} enthält nicht die Metriken eines Laufs</translation>
        </message>
        <message>
            <source>{name} from {low} to {high}</source>
            <translation>{name} von {low} bis {high}</translation>
        </message>
        <message>
            <source>{name} gives {kind}; chosen for it: {what}</source>
            <translation>{name} enthält {kind}; dafür gewählt: {what}</translation>
        </message>
        <message>
            <source>{name} has format {version}, and this lab reads formats up to {format}</source>
            <translation>{name} hat Format {version}, und dieses Labor liest Formate bis {format}</translation>
        </message>
        <message>
            <source>{name} has {here} pixels, {first} has {there}</source>
            <translation>{name} hat {here} Pixel, {first} hat {there}</translation>
        </message>
        <message>
            <source>{name} has {pixels} million pixels</source>
            <translation>{name} hat {pixels} Millionen Pixel</translation>
        </message>
        <message>
            <source>{name} in it has another size than in {manifest}</source>
            <translation>{name} darin hat eine andere Größe als in {manifest}</translation>
        </message>
        <message>
            <source>{name} in it is a hard link, so that a file elsewhere would change with it</source>
            <translation>{name} darin ist ein Hardlink, sodass sich eine Datei an anderem Ort mit ändern würde</translation>
        </message>
        <message>
            <source>{name} in it is a link or a device</source>
            <translation>{name} darin ist ein Link oder ein Gerät</translation>
        </message>
        <message>
            <source>{name} in it is a link, and a run holds all its files itself</source>
            <translation>{name} darin ist eine Verknüpfung, und ein Lauf enthält alle seine Dateien selbst</translation>
        </message>
        <message>
            <source>{name} in it is compressed by a method that bundles do not use</source>
            <translation>{name} darin ist mit einem Verfahren komprimiert, das Bündel nicht verwenden</translation>
        </message>
        <message>
            <source>{name} in it is encrypted</source>
            <translation>{name} darin ist verschlüsselt</translation>
        </message>
        <message>
            <source>{name} in it is not the file that was packed</source>
            <translation>{name} darin ist nicht die Datei, die gepackt wurde</translation>
        </message>
        <message>
            <source>{name} is a broken link</source>
            <translation>{name} ist ein Link ins Leere</translation>
        </message>
        <message>
            <source>{name} is a {noun} of the lab itself, which is used; the plugin {plugin} registers it too</source>
            <translation>{name} ({noun}) gehört zum Labor selbst, und das wird verwendet; das Plugin {plugin} registriert es ebenfalls</translation>
        </message>
        <message>
            <source>{name} is no picture that can be read: {why}</source>
            <translation>{name} ist kein lesbares Bild: {why}</translation>
        </message>
        <message>
            <source>{name} is not installed</source>
            <translation>{name} ist nicht installiert</translation>
        </message>
        <message>
            <source>{name} lies outside the folder</source>
            <translation>{name} liegt außerhalb des Ordners</translation>
        </message>
        <message>
            <source>{name} made a {name2}</source>
            <translation>{name} machte ein {name2}</translation>
        </message>
        <message>
            <source>{name} returned {found} for {shape}, not the same shape</source>
            <translation>{name} gab {found} für {shape} zurück, nicht dieselbe Form</translation>
        </message>
        <message>
            <source>{name} still needs its log file: {error}</source>
            <translation>{name} braucht noch seine Log-Datei: {error}</translation>
        </message>
        <message>
            <source>{name} {version} does not work with the lab, which needs {allowed}</source>
            <translation>{name} {version} funktioniert nicht mit dem Labor, das {allowed} braucht</translation>
        </message>
        <message>
            <source>{name} · its first {n} characters</source>
            <translation>{name} · die ersten {n} Zeichen</translation>
        </message>
        <message>
            <source>{name} · {n} characters</source>
            <translation>{name} · {n} Zeichen</translation>
        </message>
        <message>
            <source>{name} · {n} rows</source>
            <translation>{name} · {n} Zeilen</translation>
        </message>
        <message>
            <source>{name}, line {lineno}</source>
            <translation>{name}, Zeile {lineno}</translation>
        </message>
        <message>
            <source>{name}, line {number}: {what}</source>
            <translation>{name}, Zeile {number}: {what}</translation>
        </message>
        <message>
            <source>{name}, row no. {number}: {what}</source>
            <translation>{name}, Zeile Nr. {number}: {what}</translation>
        </message>
        <message>
            <source>{name}, slider</source>
            <translation>{name}, Schieberegler</translation>
        </message>
        <message>
            <source>{name}, {n} characters</source>
            <translation>{name}, {n} Zeichen</translation>
        </message>
        <message>
            <source>{name}, {unit}</source>
            <translation>{name}, {unit}</translation>
        </message>
        <message>
            <source>{name}.{name2} may be None and has the default {default}: a recipe cannot express None. Make None the default, or use a number or a choice that means it</source>
            <translation>{name}.{name2} darf None sein und hat die Vorgabe {default}: ein Rezept kann None nicht ausdrücken. None zur Vorgabe machen, oder eine Zahl oder Auswahl verwenden, die das bedeutet</translation>
        </message>
        <message>
            <source>{name}: back to the preset's {value}</source>
            <translation>{name}: zurück zur Vorgabe {value}</translation>
        </message>
        <message>
            <source>{name}: browse</source>
            <translation>{name}: durchsuchen</translation>
        </message>
        <message>
            <source>{name}: exponent {s}, ranks 1 to {last}; most frequent: {first}</source>
            <translation>{name}: Exponent {s}, Ränge 1 bis {last}; am häufigsten: {first}</translation>
        </message>
        <message numerus="yes">
            <source>{name}: mean {mean}, from {low} to {high} in {n} runs</source>
            <translation>
                <numerusform>{name}: Mittel {mean}, {low} bis {high} in {n} Lauf</numerusform>
                <numerusform>{name}: Mittel {mean}, {low} bis {high} in {n} Läufen</numerusform>
            </translation>
        </message>
        <message>
            <source>{name}: one point at {x} {at}, {value}</source>
            <translation>{name}: ein Punkt bei {x} {at}, {value}</translation>
        </message>
        <message>
            <source>{name}: too few to fit; most frequent: {first}</source>
            <translation>{name}: zu wenige für eine Anpassung; am häufigsten: {first}</translation>
        </message>
        <message>
            <source>{name}: type a number, or step with the arrow keys</source>
            <translation>{name}: eine Zahl eingeben oder mit den Pfeiltasten ändern</translation>
        </message>
        <message>
            <source>{name}: {allowed}</source>
            <translation>{name}: {allowed}</translation>
        </message>
        <message>
            <source>{name}: {a} bits per byte of validation</source>
            <translation>{name}: {a} Bits pro Byte der Validierung</translation>
        </message>
        <message>
            <source>{name}: {low} to {high}</source>
            <translation>{name}: {low} bis {high}</translation>
        </message>
        <message>
            <source>{name}: {n} points from {x} {start} to {end}</source>
            <translation>{name}: {n} Punkte von {x} {start} bis {end}</translation>
        </message>
        <message>
            <source>{name}: {share}</source>
            <translation>{name}: {share}</translation>
        </message>
        <message>
            <source>{nats} nats</source>
            <translation>{nats} Nat</translation>
        </message>
        <message>
            <source>{nats} nats = {bits} bits per character</source>
            <translation>{nats} Nats = {bits} Bit pro Zeichen</translation>
        </message>
        <message>
            <source>{nats} nats per scored token</source>
            <translation>{nats} Nats pro gewertetem Token</translation>
        </message>
        <message>
            <source>{number} FLOPs per token</source>
            <translation>{number} FLOPs pro Token</translation>
        </message>
        <message>
            <source>{number} experts per token</source>
            <translation>{number} Experten pro Token</translation>
        </message>
        <message>
            <source>{number} parameters</source>
            <translation>{number} Parameter</translation>
        </message>
        <message>
            <source>{number}, {share} of all</source>
            <translation>{number}, {share} von allen</translation>
        </message>
        <message>
            <source>{n} %</source>
            <translation>{n} %</translation>
        </message>
        <message>
            <source>{n} FLOPs</source>
            <translation>{n} FLOPs</translation>
        </message>
        <message>
            <source>{n} a second</source>
            <translation>{n}/s</translation>
        </message>
        <message>
            <source>{n} billion</source>
            <translation>{n} Milliarden</translation>
        </message>
        <message numerus="yes">
            <source>{n} bits</source>
            <translation>
                <numerusform>{n} Bit</numerusform>
                <numerusform>{n} Bit</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} blocks</source>
            <translation>
                <numerusform>{n} Block</numerusform>
                <numerusform>{n} Blöcke</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} brackets</source>
            <translation>
                <numerusform>{n} Klammer</numerusform>
                <numerusform>{n} Klammern</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} buckets</source>
            <translation>
                <numerusform>{n} Klasse</numerusform>
                <numerusform>{n} Klassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} bytes</source>
            <translation>
                <numerusform>{n} Byte</numerusform>
                <numerusform>{n} Bytes</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} bytes per token</source>
            <translation>{n} Bytes pro Token</translation>
        </message>
        <message>
            <source>{n} bytes · QR code version {version} of 40</source>
            <translation>{n} Bytes · QR-Code Version {version} von 40</translation>
        </message>
        <message numerus="yes">
            <source>{n} changes</source>
            <translation>
                <numerusform>{n} Änderung</numerusform>
                <numerusform>{n} Änderungen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} channels</source>
            <translation>
                <numerusform>{n} Kanal</numerusform>
                <numerusform>{n} Kanäle</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} characters</source>
            <translation>
                <numerusform>{n} Zeichen</numerusform>
                <numerusform>{n} Zeichen</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} characters each</source>
            <translation>je {n} Zeichen</translation>
        </message>
        <message numerus="yes">
            <source>{n} characters left out</source>
            <translation>
                <numerusform>{n} Zeichen ausgelassen</numerusform>
                <numerusform>{n} Zeichen ausgelassen</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} characters, {times} times, at {places}</source>
            <translation>{n} Zeichen, {times}-mal, bei {places}</translation>
        </message>
        <message numerus="yes">
            <source>{n} checkpoints</source>
            <translation>
                <numerusform>{n} Checkpoint</numerusform>
                <numerusform>{n} Checkpoints</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} classes</source>
            <translation>
                <numerusform>{n} Klasse</numerusform>
                <numerusform>{n} Klassen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} columns ({name})</source>
            <translation>
                <numerusform>{n} Spalte ({name})</numerusform>
                <numerusform>{n} Spalten ({name})</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} cores</source>
            <translation>{n} Kerne</translation>
        </message>
        <message numerus="yes">
            <source>{n} damaged files</source>
            <translation>
                <numerusform>{n} beschädigte Datei</numerusform>
                <numerusform>{n} beschädigte Dateien</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} days</source>
            <translation>
                <numerusform>{n} Tag</numerusform>
                <numerusform>{n} Tage</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} days ago</source>
            <translation>vor {n} Tagen</translation>
        </message>
        <message numerus="yes">
            <source>{n} differ</source>
            <translation>
                <numerusform>{n} anders</numerusform>
                <numerusform>{n} anders</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} different</source>
            <translation>{n} verschiedene</translation>
        </message>
        <message>
            <source>{n} different, {once} occurring once</source>
            <translation>{n} verschiedene, {once} kommen nur einmal vor</translation>
        </message>
        <message numerus="yes">
            <source>{n} digits</source>
            <translation>
                <numerusform>{n} Ziffer</numerusform>
                <numerusform>{n} Ziffern</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} documents</source>
            <translation>
                <numerusform>{n} Dokument</numerusform>
                <numerusform>{n} Dokumente</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} examples</source>
            <translation>
                <numerusform>{n} Beispiel</numerusform>
                <numerusform>{n} Beispiele</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} experts</source>
            <translation>
                <numerusform>{n} Experte</numerusform>
                <numerusform>{n} Experten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} experts per token</source>
            <translation>
                <numerusform>{n} Experte pro Token</numerusform>
                <numerusform>{n} Experten pro Token</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} features</source>
            <translation>
                <numerusform>{n} Merkmal</numerusform>
                <numerusform>{n} Merkmale</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} files</source>
            <translation>
                <numerusform>{n} Datei</numerusform>
                <numerusform>{n} Dateien</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} files skipped</source>
            <translation>
                <numerusform>{n} Datei übersprungen</numerusform>
                <numerusform>{n} Dateien übersprungen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} groups</source>
            <translation>
                <numerusform>{n} Gruppe</numerusform>
                <numerusform>{n} Gruppen</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} h ago</source>
            <translation>vor {n} h</translation>
        </message>
        <message numerus="yes">
            <source>{n} heads</source>
            <translation>
                <numerusform>{n} Kopf</numerusform>
                <numerusform>{n} Köpfe</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} hypotheses</source>
            <translation>
                <numerusform>{n} Hypothese</numerusform>
                <numerusform>{n} Hypothesen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} jobs</source>
            <translation>
                <numerusform>{n} Aufgabe</numerusform>
                <numerusform>{n} Aufgaben</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} kinds</source>
            <translation>
                <numerusform>{n} Art</numerusform>
                <numerusform>{n} Arten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} layers</source>
            <translation>
                <numerusform>{n} Schicht</numerusform>
                <numerusform>{n} Schichten</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} learned</source>
            <translation>{n} gelernt</translation>
        </message>
        <message numerus="yes">
            <source>{n} letters</source>
            <translation>
                <numerusform>{n} Buchstabe</numerusform>
                <numerusform>{n} Buchstaben</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} million</source>
            <translation>{n} Millionen</translation>
        </message>
        <message>
            <source>{n} min</source>
            <translation>{n} min</translation>
        </message>
        <message>
            <source>{n} min ago</source>
            <translation>vor {n} min</translation>
        </message>
        <message numerus="yes">
            <source>{n} more curves</source>
            <translation>
                <numerusform>{n} weitere Kurve</numerusform>
                <numerusform>{n} weitere Kurven</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} more lines</source>
            <translation>
                <numerusform>{n} weitere Linie</numerusform>
                <numerusform>{n} weitere Linien</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} more runs tell how much is chance: about {time}, at the measured speed of the runs they repeat.</source>
            <translation>
                <numerusform>{n} weiterer Lauf zeigt, wie viel Zufall ist: etwa {time}, mit dem gemessenen Tempo des wiederholten Laufs.</numerusform>
                <numerusform>{n} weitere Läufe zeigen, wie viel Zufall ist: etwa {time}, mit dem gemessenen Tempo der wiederholten Läufe.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} more runs tell how much is chance; how long they take was not measured.</source>
            <translation>
                <numerusform>{n} weiterer Lauf zeigt, wie viel Zufall ist; seine Dauer wurde nicht gemessen.</numerusform>
                <numerusform>{n} weitere Läufe zeigen, wie viel Zufall ist; ihre Dauer wurde nicht gemessen.</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} ms</source>
            <translation>{n} ms</translation>
        </message>
        <message numerus="yes">
            <source>{n} nats</source>
            <translation>
                <numerusform>{n} Nat</numerusform>
                <numerusform>{n} Nats</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} numbers</source>
            <translation>
                <numerusform>{n} Zahl</numerusform>
                <numerusform>{n} Zahlen</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} of width {width}</source>
            <translation>{n} der Breite {width}</translation>
        </message>
        <message>
            <source>{n} of {all}</source>
            <translation>{n} von {all}</translation>
        </message>
        <message>
            <source>{n} of {all} losses do not compare: {why}</source>
            <translation>{n} von {all} Verlusten sind nicht vergleichbar: {why}</translation>
        </message>
        <message>
            <source>{n} of {all} samples.</source>
            <translation>{n} von {all} Textproben.</translation>
        </message>
        <message>
            <source>{n} of {count} {unit} are repeated, {share}; they take up {characters} of the characters</source>
            <translation>{n} von {count} {unit} wiederholen sich, {share}; sie belegen {characters} der Zeichen</translation>
        </message>
        <message numerus="yes">
            <source>{n} others {share}</source>
            <translation>
                <numerusform>{n} anderes {share}</numerusform>
                <numerusform>{n} andere {share}</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} pages</source>
            <translation>
                <numerusform>{n} Seite</numerusform>
                <numerusform>{n} Seiten</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} pairs</source>
            <translation>
                <numerusform>{n} Paar</numerusform>
                <numerusform>{n} Paare</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} parameters</source>
            <translation>{n} Parameter</translation>
        </message>
        <message>
            <source>{n} per character</source>
            <translation>{n} pro Zeichen</translation>
        </message>
        <message>
            <source>{n} per second</source>
            <translation>{n} pro Sekunde</translation>
        </message>
        <message numerus="yes">
            <source>{n} per step</source>
            <translation>
                <numerusform>{n} pro Schritt</numerusform>
                <numerusform>{n} pro Schritt</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} pictures</source>
            <translation>
                <numerusform>{n} Bild</numerusform>
                <numerusform>{n} Bilder</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} pieces</source>
            <translation>
                <numerusform>{n} Teil</numerusform>
                <numerusform>{n} Teile</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} pixels</source>
            <translation>
                <numerusform>{n} Pixel</numerusform>
                <numerusform>{n} Pixel</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} positions</source>
            <translation>
                <numerusform>{n} Position</numerusform>
                <numerusform>{n} Positionen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} rows</source>
            <translation>
                <numerusform>{n} Zeile</numerusform>
                <numerusform>{n} Zeilen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} rows ({name})</source>
            <translation>
                <numerusform>{n} Zeile ({name})</numerusform>
                <numerusform>{n} Zeilen ({name})</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} runs</source>
            <translation>{n} Läufe</translation>
        </message>
        <message numerus="yes">
            <source>{n} runs are not finished</source>
            <translation>
                <numerusform>{n} Lauf ist nicht fertig</numerusform>
                <numerusform>{n} Läufe sind nicht fertig</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs handed in</source>
            <translation>
                <numerusform>{n} Lauf abgegeben</numerusform>
                <numerusform>{n} Läufe abgegeben</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs train or are queued.</source>
            <translation>
                <numerusform>{n} Lauf trainiert oder ist eingereiht.</numerusform>
                <numerusform>{n} Läufe trainieren oder sind eingereiht.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs were deleted permanently</source>
            <translation>
                <numerusform>{n} Lauf wurde endgültig gelöscht</numerusform>
                <numerusform>{n} Läufe wurden endgültig gelöscht</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs were handed in</source>
            <translation>
                <numerusform>{n} Lauf wurde abgegeben</numerusform>
                <numerusform>{n} Läufe wurden abgegeben</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs were handed in.</source>
            <translation>
                <numerusform>{n} Lauf wurde abgegeben.</numerusform>
                <numerusform>{n} Läufe wurden abgegeben.</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} runs were interrupted</source>
            <translation>{n} Läufe wurden unterbrochen</translation>
        </message>
        <message numerus="yes">
            <source>{n} runs were queued when the lab was closed. Start the queue, or clear it</source>
            <translation>
                <numerusform>{n} Lauf war eingereiht, als das Labor geschlossen wurde. Warteschlange starten oder leeren</numerusform>
                <numerusform>{n} Läufe waren eingereiht, als das Labor geschlossen wurde. Warteschlange starten oder leeren</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} runs will be deleted permanently, with their models.</source>
            <translation>
                <numerusform>{n} Lauf wird mit seinem Modell endgültig gelöscht.</numerusform>
                <numerusform>{n} Läufe werden mit ihren Modellen endgültig gelöscht.</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} s</source>
            <translation>{n} s</translation>
        </message>
        <message numerus="yes">
            <source>{n} scheduled edits from step {first}</source>
            <translation>
                <numerusform>{n} geplante Änderung ab Schritt {first}</numerusform>
                <numerusform>{n} geplante Änderungen ab Schritt {first}</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} selected</source>
            <translation>{n} ausgewählt</translation>
        </message>
        <message numerus="yes">
            <source>{n} sentences</source>
            <translation>
                <numerusform>{n} Satz</numerusform>
                <numerusform>{n} Sätze</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} settings at their defaults</source>
            <translation>
                <numerusform>{n} Einstellung mit ihrem Standardwert</numerusform>
                <numerusform>{n} Einstellungen mit ihren Standardwerten</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} settings differ from the configuration</source>
            <translation>{n} Einstellungen weichen von der Konfiguration ab</translation>
        </message>
        <message numerus="yes">
            <source>{n} shapes</source>
            <translation>
                <numerusform>{n} Form</numerusform>
                <numerusform>{n} Formen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} sightings</source>
            <translation>
                <numerusform>{n} Sichtung</numerusform>
                <numerusform>{n} Sichtungen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} snapshots</source>
            <translation>
                <numerusform>{n} Momentaufnahme</numerusform>
                <numerusform>{n} Momentaufnahmen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} states</source>
            <translation>
                <numerusform>{n} Zustand</numerusform>
                <numerusform>{n} Zustände</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} steps</source>
            <translation>
                <numerusform>{n} Schritt</numerusform>
                <numerusform>{n} Schritte</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} symbols</source>
            <translation>
                <numerusform>{n} Symbol</numerusform>
                <numerusform>{n} Symbole</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} texts were opened, and a model is trained on one: {file} is used</source>
            <translation>{n} Texte wurden geöffnet, ein Modell wird aber auf einem trainiert: {file} wird verwendet</translation>
        </message>
        <message>
            <source>{n} texts were selected, and a model is trained on one</source>
            <translation>{n} Texte wurden ausgewählt, ein Modell wird aber auf einem trainiert</translation>
        </message>
        <message numerus="yes">
            <source>{n} things are wrong</source>
            <translation>
                <numerusform>{n} Sache ist nicht in Ordnung</numerusform>
                <numerusform>{n} Sachen sind nicht in Ordnung</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} threads</source>
            <translation>
                <numerusform>{n} Thread</numerusform>
                <numerusform>{n} Threads</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} times in the corpus</source>
            <translation>
                <numerusform>{n}-mal im Korpus</numerusform>
                <numerusform>{n}-mal im Korpus</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} times in this passage</source>
            <translation>
                <numerusform>{n}-mal in dieser Textstelle</numerusform>
                <numerusform>{n}-mal in dieser Textstelle</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} times the equal share</source>
            <translation>
                <numerusform>{n}-mal der gleichmäßige Anteil</numerusform>
                <numerusform>{n}-mal der gleichmäßige Anteil</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} times the width</source>
            <translation>
                <numerusform>{n}-mal die Breite</numerusform>
                <numerusform>{n}-mal die Breite</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} tokens</source>
            <translation>
                <numerusform>{n} Token</numerusform>
                <numerusform>{n} Tokens</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} tokens of the text, {by}</source>
            <translation>{n} Tokens des Textes, {by}</translation>
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
        <message numerus="yes">
            <source>{n} topics</source>
            <translation>
                <numerusform>{n} Thema</numerusform>
                <numerusform>{n} Themen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} turns</source>
            <translation>
                <numerusform>{n} Windung</numerusform>
                <numerusform>{n} Windungen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} units</source>
            <translation>
                <numerusform>{n} Neuron</numerusform>
                <numerusform>{n} Neuronen</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} validation tokens</source>
            <translation>{n} Validierungstokens</translation>
        </message>
        <message numerus="yes">
            <source>{n} values are not finite</source>
            <translation>
                <numerusform>{n} Wert ist nicht endlich</numerusform>
                <numerusform>{n} Werte sind nicht endlich</numerusform>
            </translation>
        </message>
        <message>
            <source>{n} values, {low} to {high}</source>
            <translation>{n} Werte, {low} bis {high}</translation>
        </message>
        <message numerus="yes">
            <source>{n} waves</source>
            <translation>
                <numerusform>{n} Welle</numerusform>
                <numerusform>{n} Wellen</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{n} years</source>
            <translation>
                <numerusform>{n} Jahr</numerusform>
                <numerusform>{n} Jahre</numerusform>
            </translation>
        </message>
        <message>
            <source>{n}-grams of {kind}: {top}</source>
            <translation>{n}-Gramme aus {kind}: {top}</translation>
        </message>
        <message>
            <source>{n}: {training} for training, {validation} for validation</source>
            <translation>{n}: {training} zum Trainieren, {validation} zum Validieren</translation>
        </message>
        <message>
            <source>{n}; the longest example has {m} tokens</source>
            <translation>{n}; das längste Beispiel hat {m} Tokens</translation>
        </message>
        <message>
            <source>{n}B</source>
            <translation>{n}B</translation>
        </message>
        <message>
            <source>{n}B of memory free</source>
            <translation>{n}B Speicher frei</translation>
        </message>
        <message>
            <source>{parts} and blocks</source>
            <translation>{parts} und Blöcke</translation>
        </message>
        <message>
            <source>{parts}: mean</source>
            <translation>{parts}: Mittel</translation>
        </message>
        <message>
            <source>{parts}: other text</source>
            <translation>{parts}: anderer Text</translation>
        </message>
        <message>
            <source>{part} of {block}</source>
            <translation>{part} von {block}</translation>
        </message>
        <message>
            <source>{part} × {count}</source>
            <translation>{part} × {count}</translation>
        </message>
        <message>
            <source>{ratio} of 20</source>
            <translation>{ratio} von 20</translation>
        </message>
        <message>
            <source>{real} {sign} {imaginary} i · size {size}</source>
            <translation>{real} {sign} {imaginary} i · Betrag {size}</translation>
        </message>
        <message>
            <source>{remedy}, or set corpus.bad_rows to skip</source>
            <translation>{remedy} oder corpus.bad_rows auf skip setzen</translation>
        </message>
        <message>
            <source>{remedy}, or use fewer pairs</source>
            <translation>{remedy}, oder weniger Paare verwenden</translation>
        </message>
        <message>
            <source>{row} {i}, {column} {j}</source>
            <translation>{row} {i}, {column} {j}</translation>
        </message>
        <message>
            <source>{run} cannot be measured: {why}</source>
            <translation>{run} kann nicht gemessen werden: {why}</translation>
        </message>
        <message>
            <source>{run} cannot read examples of length {n} and more: they have {tokens} tokens, its context holds {context}.</source>
            <translation>{run} kann Beispiele der Länge {n} und darüber nicht lesen: Sie haben {tokens} Tokens, der Kontext fasst {context}.</translation>
        </message>
        <message>
            <source>{run} counts: every seed gives the same model, so it has no spread to measure.</source>
            <translation>{run} zählt: Jeder Seed ergibt dasselbe Modell, also gibt es keine Streuung zu messen.</translation>
        </message>
        <message>
            <source>{run} has imported weights and no recipe of their training, so it cannot be repeated.</source>
            <translation>{run} hat importierte Gewichte ohne Rezept ihres Trainings und kann nicht wiederholt werden.</translation>
        </message>
        <message>
            <source>{run} has no checkpoint to measure.</source>
            <translation>{run} hat keinen Checkpoint, der gemessen werden kann.</translation>
        </message>
        <message>
            <source>{run} has no checkpoint yet. Use Save checkpoint while it trains to make one.</source>
            <translation>{run} hat noch keinen Checkpoint. „Checkpoint speichern“ während des Trainings legt einen an.</translation>
        </message>
        <message>
            <source>{run} has no loss</source>
            <translation>{run} hat keinen Verlust</translation>
        </message>
        <message>
            <source>{run} is ahead by {gap} at step {step}</source>
            <translation>{run} liegt bei Schritt {step} um {gap} vorn</translation>
        </message>
        <message>
            <source>{run} is being prepared: its loss appears here with the first step</source>
            <translation>{run} wird vorbereitet: Der Verlust erscheint hier mit dem ersten Schritt</translation>
        </message>
        <message>
            <source>{run} is being prepared; its curve starts with the first step.</source>
            <translation>{run} wird vorbereitet; die Kurve beginnt mit dem ersten Schritt.</translation>
        </message>
        <message>
            <source>{run} is being read.</source>
            <translation>{run} wird gelesen.</translation>
        </message>
        <message>
            <source>{run} is being verified, so it was not deleted</source>
            <translation>{run} wird geprüft und wurde deshalb nicht gelöscht</translation>
        </message>
        <message>
            <source>{run} is measured at up to four times its trained length …</source>
            <translation>{run} wird bis zum Vierfachen der trainierten Länge gemessen …</translation>
        </message>
        <message>
            <source>{run} is measured once it has a checkpoint: at its end, or after Save checkpoint.</source>
            <translation>{run} wird gemessen, sobald es einen Checkpoint gibt: am Ende oder nach „Checkpoint speichern“.</translation>
        </message>
        <message>
            <source>{run} is now at position {n} in the queue</source>
            <translation>{run} ist jetzt an Stelle {n} der Warteschlange</translation>
        </message>
        <message>
            <source>{run} is queued</source>
            <translation>{run} ist eingereiht</translation>
        </message>
        <message>
            <source>{run} is queued behind {other}</source>
            <translation>{run} ist hinter {other} eingereiht</translation>
        </message>
        <message>
            <source>{run} is queued: its loss appears here once it trains</source>
            <translation>{run} ist eingereiht: Der Verlust erscheint hier, sobald der Lauf trainiert</translation>
        </message>
        <message>
            <source>{run} is training, so it was not deleted</source>
            <translation>{run} trainiert und wurde deshalb nicht gelöscht</translation>
        </message>
        <message>
            <source>{run} recorded no loss.</source>
            <translation>{run} hat keinen Verlust aufgezeichnet.</translation>
        </message>
        <message>
            <source>{run} started with the weights of another run, so its recipe alone does not repeat it.</source>
            <translation>{run} begann mit den Gewichten eines anderen Laufs; sein Rezept allein wiederholt ihn nicht.</translation>
        </message>
        <message>
            <source>{run} still trains</source>
            <translation>{run} trainiert noch</translation>
        </message>
        <message>
            <source>{run} was added to the list of runs</source>
            <translation>{run} wurde in die Liste der Läufe aufgenommen</translation>
        </message>
        <message>
            <source>{run} was changed while it trained, so its recipe alone does not repeat it.</source>
            <translation>{run} wurde während des Trainings geändert; sein Rezept allein wiederholt ihn nicht.</translation>
        </message>
        <message>
            <source>{run} was imported</source>
            <translation>{run} wurde importiert</translation>
        </message>
        <message>
            <source>{run} was interrupted at step {step}</source>
            <translation>{run} wurde bei Schritt {step} unterbrochen</translation>
        </message>
        <message>
            <source>{run} with seed {n}</source>
            <translation>{run} mit Seed {n}</translation>
        </message>
        <message>
            <source>{run} {state}. Ending its process loses the steps since its last checkpoint.</source>
            <translation>{run} {state}. Mit seinem Prozess enden auch die Schritte seit dem letzten Checkpoint.</translation>
        </message>
        <message>
            <source>{run} · gradient norm after clipping, smoothed by {share}</source>
            <translation>{run} · Gradientennorm nach der Begrenzung, geglättet mit {share}</translation>
        </message>
        <message>
            <source>{run} · step {step}</source>
            <translation>{run} · Schritt {step}</translation>
        </message>
        <message>
            <source>{run} · untrained</source>
            <translation>{run} · untrainiert</translation>
        </message>
        <message>
            <source>{run} · {what}, smoothed by {share}</source>
            <translation>{run} · {what}, geglättet mit {share}</translation>
        </message>
        <message>
            <source>{run}, step {step}</source>
            <translation>{run}, Schritt {step}</translation>
        </message>
        <message>
            <source>{run}: {problem}</source>
            <translation>{run}: {problem}</translation>
        </message>
        <message>
            <source>{run}: {state}</source>
            <translation>{run}: {state}</translation>
        </message>
        <message>
            <source>{run}: {state}. Its curve starts with the first step.</source>
            <translation>{run}: {state}. Die Kurve beginnt mit dem ersten Schritt.</translation>
        </message>
        <message>
            <source>{setting}: {before} → {now}</source>
            <translation>{setting}: {before} → {now}</translation>
        </message>
        <message>
            <source>{setting}: {value}</source>
            <translation>{setting}: {value}</translation>
        </message>
        <message>
            <source>{share} %</source>
            <translation>{share} %</translation>
        </message>
        <message>
            <source>{share} % clipped</source>
            <translation>{share} % begrenzt</translation>
        </message>
        <message>
            <source>{share} % dropped in training</source>
            <translation>{share} % im Training verworfen</translation>
        </message>
        <message>
            <source>{share} % of the last {n} steps were clipped: their gradient was longer than the bound</source>
            <translation>{share} % der letzten {n} Schritte wurden begrenzt: Ihr Gradient war länger als die Schranke</translation>
        </message>
        <message>
            <source>{share} % of tokens taken by none</source>
            <translation>{share} % der Tokens von keinem übernommen</translation>
        </message>
        <message>
            <source>{share} of it is used</source>
            <translation>{share} davon werden verwendet</translation>
        </message>
        <message>
            <source>{share} of the tokens are scored</source>
            <translation>{share} der Tokens werden bewertet</translation>
        </message>
        <message>
            <source>{share} on itself</source>
            <translation>{share} auf sich selbst</translation>
        </message>
        <message>
            <source>{share} on the first token</source>
            <translation>{share} auf dem ersten Token</translation>
        </message>
        <message>
            <source>{share} on the previous token</source>
            <translation>{share} auf dem vorigen Token</translation>
        </message>
        <message>
            <source>{share} · {time} left</source>
            <translation>{share} · noch {time}</translation>
        </message>
        <message>
            <source>{shortest} to {longest} tokens, median {median}</source>
            <translation>{shortest} bis {longest} Tokens, Median {median}</translation>
        </message>
        <message>
            <source>{shown} at position {position} is not a symbol of this source</source>
            <translation>{shown} an Position {position} ist kein Symbol dieser Quelle</translation>
        </message>
        <message>
            <source>{shown} of {all} are drawn</source>
            <translation>{shown} von {all} sind gezeichnet</translation>
        </message>
        <message>
            <source>{size} · {paper}</source>
            <translation>{size} · {paper}</translation>
        </message>
        <message>
            <source>{size}B</source>
            <translation>{size}B</translation>
        </message>
        <message>
            <source>{size}B of memory</source>
            <translation>{size}B Speicher</translation>
        </message>
        <message>
            <source>{slow} trained {ratio} times as long to this step as {quick} ({long}, {short}).</source>
            <translation>{slow} trainierte bis zu diesem Schritt {ratio}-mal so lange wie {quick} ({long}, {short}).</translation>
        </message>
        <message>
            <source>{smallest} to {largest}, mean {mean}</source>
            <translation>{smallest} bis {largest}, Mittel {mean}</translation>
        </message>
        <message>
            <source>{some}, …: {vocabulary_size} symbols{spaces}</source>
            <translation>{some}, …: {vocabulary_size} Symbole{spaces}</translation>
        </message>
        <message>
            <source>{some}: {vocabulary_size} symbols{spaces}</source>
            <translation>{some}: {vocabulary_size} Symbole{spaces}</translation>
        </message>
        <message>
            <source>{speed} tokens per second in training</source>
            <translation>{speed} Tokens pro Sekunde beim Training</translation>
        </message>
        <message>
            <source>{state} at step {step}</source>
            <translation>{state} bei Schritt {step}</translation>
        </message>
        <message>
            <source>{state} · step {step}</source>
            <translation>{state} · Schritt {step}</translation>
        </message>
        <message>
            <source>{state} · step {step} of {all}</source>
            <translation>{state} · Schritt {step} von {all}</translation>
        </message>
        <message>
            <source>{steps} steps of {batch} × {length} tokens, seed {seed}</source>
            <translation>{steps} Schritte mit {batch} × {length} Tokens, Seed {seed}</translation>
        </message>
        <message>
            <source>{steps}, training loss</source>
            <translation>{steps}, Trainingsverlust</translation>
        </message>
        <message>
            <source>{steps}: bit for bit identical</source>
            <translation>{steps}: Bit für Bit gleich</translation>
        </message>
        <message>
            <source>{steps}: differs by at most {much}</source>
            <translation>{steps}: weicht höchstens um {much} ab</translation>
        </message>
        <message>
            <source>{str} or later, before {str2}</source>
            <translation>{str} oder neuer, vor {str2}</translation>
        </message>
        <message>
            <source>{symbol}: {value}, {share} of all</source>
            <translation>{symbol}: {value}, {share} von allen</translation>
        </message>
        <message>
            <source>{time} on this machine</source>
            <translation>{time} auf diesem Rechner</translation>
        </message>
        <message>
            <source>{title}

Draws this figure from the numbers at the end of this file. It needs numpy and matplotlib:

    python {file} [{example}]

The suffix of the picture sets its format: png, svg or pdf.
</source>
            <translation>{title}

Zeichnet diese Abbildung aus den Zahlen am Ende dieser Datei. Benötigt numpy und matplotlib:

    python {file} [{example}]

Die Endung des Bildes bestimmt sein Format: png, svg oder pdf.
</translation>
        </message>
        <message>
            <source>{title} cannot be trained on this objective</source>
            <translation>{title} lässt sich nicht auf dieses Ziel trainieren</translation>
        </message>
        <message>
            <source>{title} cannot be trained on {given}</source>
            <translation>{title} lässt sich nicht trainieren auf: {given}</translation>
        </message>
        <message>
            <source>{title} chose a {wrong}</source>
            <translation>{title} wählte ein {wrong}</translation>
        </message>
        <message>
            <source>{title} does not run on this device</source>
            <translation>{title} läuft nicht auf diesem Gerät</translation>
        </message>
        <message>
            <source>{title} is the configuration now</source>
            <translation>{title} ist jetzt die Konfiguration</translation>
        </message>
        <message>
            <source>{title}. {summary}</source>
            <translation>{title}. {summary}</translation>
        </message>
        <message>
            <source>{title}: {help}</source>
            <translation>{title}: {help}</translation>
        </message>
        <message>
            <source>{tokenizer} of the configuration</source>
            <translation>{tokenizer} der Konfiguration</translation>
        </message>
        <message>
            <source>{token} is chosen by {method}.</source>
            <translation>{token} wird durch {method} gewählt.</translation>
        </message>
        <message>
            <source>{token} is drawn: its exponential time, {time}, is the shortest.</source>
            <translation>{token} wird gezogen: Seine exponentialverteilte Zeit, {time}, ist die kürzeste.</translation>
        </message>
        <message>
            <source>{token} is drawn: the uniform number {number} lies between the sums {low} and {high}.</source>
            <translation>{token} wird gezogen: Die gleichverteilte Zahl {number} liegt zwischen den Summen {low} und {high}.</translation>
        </message>
        <message>
            <source>{token} is taken: it is the likeliest one left.</source>
            <translation>{token} wird genommen: Es ist das wahrscheinlichste, das übrig ist.</translation>
        </message>
        <message>
            <source>{token} was drawn: {share}</source>
            <translation>{token} wurde gezogen: {share}</translation>
        </message>
        <message>
            <source>{token} {share}, {bits} bits</source>
            <translation>{token} {share}, {bits} Bit</translation>
        </message>
        <message>
            <source>{token}, drawn</source>
            <translation>{token}, gezogen</translation>
        </message>
        <message>
            <source>{twice} is listed twice</source>
            <translation>{twice} ist doppelt aufgeführt</translation>
        </message>
        <message>
            <source>{unit}, {groups}.</source>
            <translation>{unit}, {groups}.</translation>
        </message>
        <message numerus="yes">
            <source>{unit}, {n} times</source>
            <translation>
                <numerusform>{unit}, {n}-mal</numerusform>
                <numerusform>{unit}, {n}-mal</numerusform>
            </translation>
        </message>
        <message>
            <source>{value} after step {step}</source>
            <translation>{value} nach Schritt {step}</translation>
        </message>
        <message>
            <source>{value} at {position}</source>
            <translation>{value} bei {position}</translation>
        </message>
        <message>
            <source>{value} has no name at the top of a module, so a script cannot call it</source>
            <translation>{value} hat keinen Namen oben in einem Modul; ein Skript kann es daher nicht aufrufen</translation>
        </message>
        <message>
            <source>{value} in the column {column} is no label</source>
            <translation>{value} in der Spalte {column} ist kein Label</translation>
        </message>
        <message>
            <source>{value} in the column {column} is not a finite number</source>
            <translation>{value} in der Spalte {column} ist keine endliche Zahl</translation>
        </message>
        <message>
            <source>{value} in the column {column} is not a number</source>
            <translation>{value} in der Spalte {column} ist keine Zahl</translation>
        </message>
        <message>
            <source>{value} · half-life {tokens} tokens</source>
            <translation>{value} · Halbwertszeit {tokens} Tokens</translation>
        </message>
        <message>
            <source>{value}B of memory, {free}B free</source>
            <translation>{value}B Speicher, {free}B frei</translation>
        </message>
        <message>
            <source>{v} letters have {contexts} contexts of {order}, which makes {contexts2} probabilities</source>
            <translation>{v} Buchstaben haben {contexts} Kontexte von {order}; das ergibt {contexts2} Wahrscheinlichkeiten</translation>
        </message>
        <message>
            <source>{v} symbols, examples of up to {n} tokens</source>
            <translation>{v} Symbole, Beispiele mit bis zu {n} Tokens</translation>
        </message>
        <message>
            <source>{weights}, or shards of it</source>
            <translation>{weights}, oder deren Teile</translation>
        </message>
        <message>
            <source>{weights}, which holds only numbers</source>
            <translation>{weights}, die nur Zahlen enthält</translation>
        </message>
        <message>
            <source>{what} (%)</source>
            <translation>{what} (%)</translation>
        </message>
        <message>
            <source>{what} (its process: {ended})</source>
            <translation>{what} (sein Prozess: {ended})</translation>
        </message>
        <message>
            <source>{what} ({changes})</source>
            <translation>{what} ({changes})</translation>
        </message>
        <message>
            <source>{what} a window: set window</source>
            <translation>{what} ein Fenster: window setzen</translation>
        </message>
        <message>
            <source>{what} at step {step}; the training stopped there</source>
            <translation>{what} bei Schritt {step}; dort endete das Training</translation>
        </message>
        <message>
            <source>{what} by layer</source>
            <translation>{what} nach Schicht</translation>
        </message>
        <message>
            <source>{what} needs {library}, which {why}</source>
            <translation>{what} braucht {library}, das {why}</translation>
        </message>
        <message>
            <source>{what} of the shown runs, step by step.</source>
            <translation>{what} der gezeigten Läufe, Schritt für Schritt.</translation>
        </message>
        <message>
            <source>{what} {measured}, estimated {computed}</source>
            <translation>{what} {measured}, geschätzt {computed}</translation>
        </message>
        <message>
            <source>{what}, and in no other encoding that can be detected</source>
            <translation>{what}, und in keiner anderen erkennbaren Kodierung</translation>
        </message>
        <message>
            <source>{what}, smoothed by {share}</source>
            <translation>{what}, geglättet mit {share}</translation>
        </message>
        <message>
            <source>{what}, though most of it is: it is damaged</source>
            <translation>{what}, obwohl das meiste es ist: die Datei ist beschädigt</translation>
        </message>
        <message>
            <source>{what}: dense_first {dense_first} leaves none over, lower it</source>
            <translation>{what}: dense_first {dense_first} lässt keine übrig, den Wert verringern</translation>
        </message>
        <message>
            <source>{what}: every {every} is more, at most {layers} is allowed</source>
            <translation>{what}: every {every} ist mehr, höchstens {layers} ist erlaubt</translation>
        </message>
        <message>
            <source>{what}: t5 needs an even number of buckets, half of it below that distance</source>
            <translation>{what}: t5 braucht eine gerade Zahl von Klassen, die Hälfte davon unter diesem Abstand</translation>
        </message>
        <message numerus="yes">
            <source>{what}: {n} bars, one for each {name}</source>
            <translation>
                <numerusform>{what}: {n} Balken, je einer pro {name}</numerusform>
                <numerusform>{what}: {n} Balken, je einer pro {name}</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{what}: {n} parts</source>
            <translation>
                <numerusform>{what}: {n} Teil</numerusform>
                <numerusform>{what}: {n} Teile</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>{what}: {n} points, {y} over {x}</source>
            <translation>
                <numerusform>{what}: {n} Punkt, {y} über {x}</numerusform>
                <numerusform>{what}: {n} Punkte, {y} über {x}</numerusform>
            </translation>
        </message>
        <message>
            <source>{what}: {y} over {x}</source>
            <translation>{what}: {y} über {x}</translation>
        </message>
        <message>
            <source>{what}; it comes with its own symbols</source>
            <translation>{what}; er bringt eigene Symbole mit</translation>
        </message>
        <message>
            <source>{what}; it is now {name}, and the series start again</source>
            <translation>{what}; sie heißt jetzt {name}, und die Reihen beginnen neu</translation>
        </message>
        <message>
            <source>{what}; it seems to be binary</source>
            <translation>{what}; sie scheint binär zu sein</translation>
        </message>
        <message>
            <source>{what}; {context}</source>
            <translation>{what}; {context}</translation>
        </message>
        <message>
            <source>{where} holds the character NUL</source>
            <translation>{where} enthält das Zeichen NUL</translation>
        </message>
        <message>
            <source>{where} holds {half}</source>
            <translation>{where} enthält {half}</translation>
        </message>
        <message>
            <source>{without_cost}. If the plugin is yours, pytest --conformance shows what to change</source>
            <translation>{without_cost}. Für ein eigenes Plugin zeigt pytest --conformance, was zu ändern ist</translation>
        </message>
        <message>
            <source>{words} words have {labels} labels</source>
            <translation>{words} Wörter haben {labels} Labels</translation>
        </message>
        <message>
            <source>Δ lower limit</source>
            <translation>Untergrenze von Δ</translation>
        </message>
        <message>
            <source>Δ upper limit</source>
            <translation>Obergrenze von Δ</translation>
        </message>
        <message>
            <source>β₁</source>
            <translation>β₁</translation>
        </message>
        <message>
            <source>β₂</source>
            <translation>β₂</translation>
        </message>
        <message>
            <source>δ</source>
            <translation>δ</translation>
        </message>
        <message>
            <source>ε</source>
            <translation>ε</translation>
        </message>
        <message>
            <source>τ: each channel retains σ(·)^(1/τ) of its state per token, so a larger τ retains more. Typical: 16.</source>
            <translation>τ: Jeder Kanal behält pro Token σ(·)^(1/τ) seines Zustands, ein größeres τ behält also mehr. Üblich: 16.</translation>
        </message>
        <message>
            <source>“Hand in” in the menu of a run, under Export and share, sends it to the folder, or to the address that you show.</source>
            <translation>„Abgeben“ im Menü eines Laufs, unter Exportieren und teilen, bringt ihn in den Ordner oder an die Adresse, die gezeigt wird.</translation>
        </message>
        <message>
            <source>“Hand out the configuration” in the menu File writes the file with which all start.</source>
            <translation>„Konfiguration austeilen“ im Menü Datei schreibt die Datei, mit der alle anfangen.</translation>
        </message>
        <message>
            <source>“abab” has two n-grams of order 1, two of order 2 (ab, ba) and two of order 3 (aba, bab).</source>
            <translation>„abab“ hat zwei n-Gramme der Ordnung 1, zwei der Ordnung 2 (ab, ba) und zwei der Ordnung 3 (aba, bab).</translation>
        </message>
        <message>
            <source>“word:” ends in {near}, “word :” in {far}.</source>
            <translation>„word:“ endet mit {near}, „word :“ mit {far}.</translation>
        </message>
        <message>
            <source>“{map}” was not recorded at this step. Select now, or record it in the next run: --set readings.probes.{name}={{}}</source>
            <translation>„{map}“ wurde bei diesem Schritt nicht aufgezeichnet. „jetzt“ auswählen oder im nächsten Lauf aufzeichnen: --set readings.probes.{name}={{}}</translation>
        </message>
        <message>
            <source>“{name}” has the axes {axes}: up to {most} can be drawn.</source>
            <translation>„{name}“ hat die Achsen {axes}: bis zu {most} können gezeichnet werden.</translation>
        </message>
        <message>
            <source>“{name}” is empty: nothing was read.</source>
            <translation>„{name}“ ist leer: Es wurde nichts gelesen.</translation>
        </message>
        <message>
            <source>“{token}” {number} reads {read}</source>
            <translation>„{token}“ {number} liest {read}</translation>
        </message>
        <message>
            <source>“{token}” {number}: {found}</source>
            <translation>„{token}“ {number}: {found}</translation>
        </message>
        <message>
            <source>“{token}”, token {n} · {experts} · largest probability {share}: expert {best} · {bits} bits</source>
            <translation>„{token}“, Token {n} · {experts} · größte Wahrscheinlichkeit {share}: Experte {best} · {bits} Bit</translation>
        </message>
        <message>
            <source>… and {n} more</source>
            <translation>… und {n} weitere</translation>
        </message>
        <message>
            <source>√ scale</source>
            <translation>√-Skala</translation>
        </message>
        <message>
            <source>≈ close: differs by at most {much}</source>
            <translation>≈ nahezu gleich: weicht höchstens um {much} ab</translation>
        </message>
        <message>
            <source>≈ {time}</source>
            <translation>≈ {time}</translation>
        </message>
        <message>
            <source>✓ exact</source>
            <translation>✓ exakt</translation>
        </message>
        <message>
            <source>✕ not reproducible</source>
            <translation>✕ nicht reproduzierbar</translation>
        </message>
    </context>
</TS>
