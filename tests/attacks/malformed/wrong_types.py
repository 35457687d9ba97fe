# title: Every part of a notebook has a wrong type
# onto: file
# expect: no points
# read: odd-types
# read: odd-format3

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
odd = [1, None, "x", [], {}, {"cell_type": 7, "source": {}}, {"cell_type": [], "source": [1, None, ["x"]]},
       {"cell_type": "code", "source": None, "metadata": []}, {"cell_type": "code", "source": ["x", 5, "= 1"], "metadata": {"exercise": ["pe"]}},
       {"cell_type": "code", "metadata": {"exercise": "../../x", "locked": "yes"}, "source": "y = 1", "outputs": "none"}]
(folder / "odd-types.ipynb").write_text(json.dumps({"cells": odd, "metadata": [], "nbformat": "four", "nbformat_minor": {}}))
(folder / "odd-format3.ipynb").write_text(json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1"}, 5]}, 7], "nbformat": 3}))
