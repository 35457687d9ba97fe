# title: Control characters, bidirectional text, markup and templates in names
# onto: file
# expect: no points
# read: %2e%2e%2fx
# read: &amp;&lt;x
# read: <script>1<
# read: [31mred
# read: ab
# read: cod
# read: con
# read: half���
# read: nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn
# read: x' onload='1
# read: {{7*7}}
# read: ��

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
names = ["\x1b[31mred", "\u202ecod", "a\nb", "<script>1<", "{{7*7}}", "&amp;&lt;x", "x' onload='1", "%2e%2e%2fx", "con", "n" * 240]
for name in names: (folder / (name + ".py")).write_text("# %%\nx = 1\n")
for raw in (b"\xff\xfe", b"half\xed\xa0\x80"):
    open(bytes(folder) + b"/" + raw + b".py", "w").write("x = 1\n")
