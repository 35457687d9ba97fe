# title: Names of students that a spreadsheet would run
# onto: file
# expect: no points
# read: =1+1
# read: +cmd
# read: -cmd
# read: @SUM(A1)
# read: =cmd|'calc'!A1
# read: =2+2
# read: =HYPERLINK(x)
# read: ＝1

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
for name in ("=1+1", "+cmd", "-cmd", "@SUM(A1)", "=cmd|'calc'!A1", "\t=2+2", "=HYPERLINK(x)", "\uff1d1"):
    (folder / (name + ".py")).write_text("# %%\nx = 1\n")
