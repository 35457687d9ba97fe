# title: Cells and exercises that stand many times, keys twice, cell ids all alike
# onto: file
# expect: no points
# read: dup-cells
# read: dup-keys

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
tagged = code("embedding = 1", id="same")
tagged["metadata"] = {"exercise": "embedding_lookup", "locked": True, "tags": ["solution"]}
(folder / "dup-cells.ipynb").write_text(notebook([tagged] * 50))
(folder / "dup-keys.ipynb").write_text('{"cells": [], "nbformat": 4, "cells": [{"cell_type": "code", "cell_type": "code", "source": "x = 1", "source": "y = 2"}]}')
