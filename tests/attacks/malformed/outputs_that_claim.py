# title: Outputs, attachments and metadata that claim results
# onto: file
# expect: no points
# read: claims-outputs

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
claim = {"output_type": "execute_result", "data": {"text/plain": "56/56", "text/html": "<script>1</script>"}, "metadata": {}, "execution_count": 1}
cell = code("x = 1", outputs=[claim] * 3, attachments={"x.svg": {"image/svg+xml": "<svg onload=1>"}})
cell["metadata"] = {"nbgrader": {"grade": True, "points": 56, "locked": False}, "autograder": {"score": 56}, "otter": {"tests": []}}
(folder / "claims-outputs.ipynb").write_text(notebook([cell], metadata={"autograder": {"score": 56, "seed": 1}, "widgets": {"state": {}}}))
