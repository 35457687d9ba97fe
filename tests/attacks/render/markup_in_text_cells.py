# title: Scripts, styles and addresses in the student's own text cells
# onto: file
# expect: no points
# read: text-cells

import json, pathlib, sys
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
H = "<script>1</script><style>*{display:none}</style><img src=x onerror=1><svg onload=1></main><iframe src=x>"
texts = [H, "[x](javascript:1) ![x](attachment:x.svg)", "# " + H, "$$\\href{javascript:1}{x}$$", "{{ 7*7 }}", "> " * 2000 + H, "```html\n" + H + "\n```"]
cells = [{"cell_type": "markdown", "source": t, "metadata": {"exercise": "pe_heatmap"}, "attachments": {"x.svg": {"image/svg+xml": "PHN2Zz4="}}} for t in texts]
cells += [{"cell_type": "raw", "source": H, "metadata": {"format": "text/html"}}, code("# " + H + "\nx =  + H + ")]
(folder / "text-cells.ipynb").write_text(notebook(cells))
