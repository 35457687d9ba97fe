# title: A name in an archive that holds a NUL, and a hand-in beside a link to it
# onto: file
# expect: rejected, no points
# read: gone-�nul
# read: gone-linked
# rejected: another-gone | is a link

import json, pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
cell = {"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": []}
text = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
archive = folder / "class.zip"
with zipfile.ZipFile(archive, "w") as made:
    made.writestr("gone-!nul.ipynb", text)
archive.write_bytes(archive.read_bytes().replace(b"gone-!nul", b"gone-\0nul"))
(folder / "gone-linked.ipynb").write_text(text)
(folder / "another-gone.ipynb").symlink_to("gone-linked.ipynb")
