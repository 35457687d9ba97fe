# title: Scripts with quotes, marks and headers that never end
# onto: file
# expect: no points
# read: py-quotes
# read: py-header
# read: py-mark
# read: py-brackets
# read: py-null

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
(folder / "py-quotes.py").write_text(('"' * 3 + "\n# %%\n") * 200)
(folder / "py-header.py").write_text("# ---\n" + "# jupyter: {{{{\n" * 150 + "x = 1\n")
(folder / "py-mark.py").write_text("# %% " + "a=[" * 5_000 + "\nx = 1\n")
(folder / "py-brackets.py").write_text("# %%\nx = " + "(" * 5000 + "\n# %%\n" + "-" * 5_000 + "1\n# %%\n" + "x." * 5_000 + "x\n")
(folder / "py-null.py").write_bytes(b"# %%\nx = 1\0\n# %%\n\x0c\x1a\n")
