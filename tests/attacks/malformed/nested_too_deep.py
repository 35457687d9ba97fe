# title: Lists and objects nested a hundred thousand deep
# onto: file
# expect: rejected
# rejected: deep-plain | nested too deeply
# rejected: deep-source | nested too deeply
# rejected: deep-object | nested too deeply
# rejected: deep-many | more than 3,000,000

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
deep = "[" * 100_000 + "]" * 100_000
(folder / "deep-plain.ipynb").write_text(deep)
(folder / "deep-source.ipynb").write_text('{"cells": [{"cell_type": "code", "source": ' + deep + '}], "nbformat": 4}')
(folder / "deep-object.ipynb").write_text('{"a":' * 100_000 + "1" + "}" * 100_000)
(folder / "deep-many.ipynb").write_text('{"cells": [' + "[]," * 3_100_000 + "[]]}")
