# title: No cells, no code, another language
# onto: file
# expect: rejected
# rejected: none-cells | no cells
# rejected: none-code | none of its 1 cells has code
# rejected: none-python | not for Python

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
(folder / "none-cells.ipynb").write_text(notebook([]))
(folder / "none-code.ipynb").write_text(notebook([{"cell_type": "markdown", "source": "x", "metadata": {}}]))
(folder / "none-python.ipynb").write_text(notebook([code("1")], metadata={"kernelspec": {"name": "ir", "language": "R"}}))
