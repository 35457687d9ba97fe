# title: NaN, infinities and integers of a hundred thousand digits in metadata
# onto: file
# expect: rejected, no points
# rejected: nn-digits | not a notebook
# read: nn-nan
# read: nn-exponent

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
(folder / "nn-nan.ipynb").write_text('{"cells": [{"cell_type": "code", "source": "x = 1", "metadata": {"n": NaN, "i": -Infinity}}], "metadata": {"exercise": NaN}, "nbformat": NaN}')
(folder / "nn-digits.ipynb").write_text('{"cells": [], "nbformat": ' + "9" * 100_000 + "}")
(folder / "nn-exponent.ipynb").write_text('{"cells": [{"cell_type": "code", "source": "x = 1", "execution_count": 1e999999}], "nbformat": 4e400}')
