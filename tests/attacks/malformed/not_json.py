# title: Files that are no JSON: damaged, cut off, other formats
# onto: file
# expect: rejected
# rejected: nj-damaged | damaged JSON
# rejected: nj-cut | is cut off
# rejected: nj-page | web page
# rejected: nj-empty | empty
# rejected: nj-blank | empty
# rejected: nj-list | not a notebook
# rejected: nj-number | not a notebook
# rejected: nj-nothing | not a notebook
# rejected: nj-cellless | no list 'cells'
# rejected: nj-zip | zip archive
# rejected: nj-pdf | a PDF
# rejected: nj-gzip | gzip

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
whole = notebook([code("x = 1")])
files = {"damaged": whole.replace(":", ";"), "cut": whole[:60], "page": "<html></html>", "empty": "", "blank": " \n\0\0",
         "list": "[1]", "number": "5", "nothing": "null", "cellless": "{}"}
for name, text in files.items(): (folder / f"nj-{name}.ipynb").write_text(text)
for name, data in {"zip": b"PK\3\4rest", "pdf": b"%PDF-1.7", "gzip": b"\x1f\x8b\x08"}.items():
    (folder / f"nj-{name}.ipynb").write_bytes(data)
