# title: Byte order marks, UTF-16 and UTF-32, old code pages, lone surrogates, NUL
# onto: file
# expect: rejected, no points
# rejected: enc-noise | damaged JSON
# read: enc-utf-8-sig
# read: enc-utf-16
# read: enc-utf-16-le
# read: enc-utf-32
# read: enc-cp1252
# read: enc-surrogate
# read: enc-noise2

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
text = notebook([code("x = 'caf\u00e9'")]).encode().decode("unicode_escape")
for name in ("utf-8-sig", "utf-16", "utf-16-le", "utf-32", "cp1252"):
    (folder / f"enc-{name}.ipynb").write_bytes(text.encode(name))
(folder / "enc-surrogate.ipynb").write_text(notebook([code("x = '\ud800'\0\r\n\ufeff")]))
(folder / "enc-noise.ipynb").write_bytes(bytes(range(256)) * 50)
(folder / "enc-noise2.py").write_bytes(bytes(range(1, 256)) * 50)
