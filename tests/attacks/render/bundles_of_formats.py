# title: Objects that display themselves in formats that can act
# onto: template
# place: first
# expect: no points

from IPython.display import display
class Bundle:
    def _repr_mimebundle_(self, **k):
        return {"application/javascript": "1", "text/html": "<script>1</script>", "image/svg+xml": "<svg onload=1>",
                "application/vnd.jupyter.widget-view+json": {"model_id": "x"}, "text/latex": "\\href{javascript:1}{x}"}
    _repr_html_ = lambda self: "<img src=x onerror=1>"
    _repr_javascript_ = lambda self: "1"
    _repr_latex_ = lambda self: "$\\href{javascript:1}{x}\\unicode{<script>}$"
    _repr_jpeg_ = _repr_png_ = lambda self: b"<script>1</script>"
display(Bundle())
display({"text/html": "<script>1</script>", "application/javascript": "1"}, raw=True, metadata={"x": "<script>"})
Bundle()
