# title: Too many cells, a huge file
# onto: file
# expect: rejected
# rejected: huge-count | cells; at most
# rejected: huge-marks | cells; at most
# rejected: huge-file | larger than 50,000,000 bytes
# rejected: huge-script | larger than 5,000,000 bytes

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
(folder / "huge-count.ipynb").write_text(notebook([code("x = 1")] * 6000))
(folder / "huge-marks.py").write_text("# %%\nx = 1\n" * 6000)
with open(folder / "huge-file.ipynb", "wb") as file: file.truncate(60_000_000); file.seek(0); file.write(b"{")
with open(folder / "huge-script.py", "wb") as file: file.write(b"x = 1\n" * 900_000)
