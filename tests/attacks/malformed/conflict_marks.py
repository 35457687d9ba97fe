# title: Marks of an unsolved merge
# onto: file
# expect: rejected
# rejected: conflict-nb | merge conflict

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
whole = notebook([code("x = 1")])
(folder / "conflict-nb.ipynb").write_text(whole[:20] + "\n<<<<<<< HEAD\n" + whole[20:] + "\n=======\n>>>>>>> theirs\n")
