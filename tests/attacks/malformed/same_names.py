# title: Files whose students have the same name, in other folders and letters
# onto: file
# expect: no points
# read: SAME-name
# read: same-name (a)
# read: same-name (b)
# read: same-name (c)
# read: same-name-2

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
for where in ("a", "b", "c"):
    (folder / where).mkdir(); (folder / where / "same-name.py").write_text(f"# %%\nx = '{where}'\n")
(folder / "a" / "SAME-name.py").write_text("x = 1\n")
(folder / "a" / "same-name.ipynb").write_text(notebook([code("x = 2")]))
