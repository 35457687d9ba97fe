# %% addresses_of_data_and_scripts
# title: Links and pictures with data, script and remote addresses
# onto: template
# place: first
# expect: no points
# shows: tried

from IPython.display import HTML, IFrame, Image, Javascript, Markdown, display
for text in ("<a href='javascript:alert(1)'>x</a>", "<a href='data:text/html,<script>1</script>'>x</a>",
             "<img src='data:image/svg+xml;base64,PHN2Zy8+'>", "<img src=http://127.0.0.1:{tcp}/{name}>",
             "<a href='jav&#x09;ascript:1'>x</a>", "<a href=' javascript:1'>x</a>", "<form action=javascript:1><button>",
             "[x](javascript:alert(1))", "![x](http://127.0.0.1:{tcp}/{name})", "<svg><a xlink:href='javascript:1'>x</a></svg>",
             "<img srcset='http://x 2x'>", "<video poster=http://x>", "<body background=http://x onload=1>"):
    display(HTML(text)); display(Markdown(text))
display(Javascript("1")); display(IFrame("http://x", 9, 9)); display(Image(url="http://127.0.0.1:{tcp}/x"))
display({"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>"}, raw=True)
print("tried")

# %% bundles_of_formats
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

# %% characters_piled_up
# title: Piles of accents, very wide lines and very many lines
# onto: template
# place: first
# expect: no points

print("a" + "\u0301" * 20000)
print("w" * 20000)
print("\n" * 20000)
print("\U000e0041" * 2000, "\ufdfd" * 2000)

# %% claims_full_of_markup
# title: Claims full of markup
# onto: template
# place: first
# expect: no points

from autograder.wire import messages as M
from autograder.runner import serve, session
H = '<script>1</script><img src=x onerror=1>'
out = lambda kind, mime: M.Output(kind, mime, b'\x89PNG\r\n\x1a\n' + H.encode())
done = M.CellDone((out('display', 'text/html'), out('display', 'image/svg+xml'),
    out('result', 'image/png" onerror="1'), out('stdout', 'text/html')),
    M.Error((H, H), H, 5, H, H), 2**60)
session.Session._run_cell = lambda self, r: done

# %% control_and_bidirectional_characters
# title: Terminal sequences and text that runs backwards, in all that is shown
# onto: template
# place: own
# expect: no points

E = "\x1b]0;title\x07\x1b[2J\x1b[31m\u202e\u2066gnp.exe\u2069\u200f\x9b1m\r\b\x00"
print(E); warn = __import__("warnings").warn; warn(E)
frequency_order = dna_transfer = E
class Named: pass
Named.__name__ = Named.__qualname__ = E
big_params = Named()
def one_hot_lookup(w, i): raise type(E, (Exception,), {})(E)

# %% deep_markup
# title: Deep markup
# onto: template
# place: first
# expect: no points

from IPython.display import HTML, Markdown, display
display(HTML('<div>' * 3000)); display(Markdown('>' * 3000)); display(HTML('<b>' * 9999))
display(Markdown('[' * 3000 + '](' * 3000)); display(HTML('<table>' * 99 + '<a' * 5000))

# %% formulas_in_names
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

for name in ("=1+1", "+cmd", "-cmd", "@SUM(A1)", "=cmd|'calc'!A1", "\t=2+2", "=HYPERLINK(x)", "\uff1d1"):
    (folder / (name + ".py")).write_text("# %%\nx = 1\n")

# %% half_a_million_outputs
# title: Cells that claim a hundred thousand tiny outputs each, past the collector's bounds
# onto: template
# place: first
# expect: no points

import gc
from autograder.runner.output import Collector
from autograder.wire.messages import Output
_many = tuple(Output("display", "text/html", b"<b>") for _ in range(110_000))
_left = [4]
def _outputs(self):
    _left[0] -= 1
    return _many if _left[0] >= 0 else ()
Collector.outputs = _outputs

# %% labels_of_frames
# title: Markup, controls and code in the labels and cells of data frames
# onto: template
# place: own
# expect: no points

import pandas as pd
bad = "<img src=x onerror=alert(1)>`</code><script>1</script>\x1b[31m\u202e\n" + "{{ 7 * 7 }}"
big_params = pd.DataFrame({bad: [bad]}, index=[bad]); pe = pd.Series([bad], name=bad)
via_call = pd.DataFrame({bad: [[bad]]}); via_index = pd.Index([bad]); one_hot = pd.Categorical([bad])
halved_dim_params = {bad: pd.DataFrame([[bad]])}

# %% markup_everywhere
# title: Markup everywhere
# onto: template
# place: first
# expect: no points

H = '<script>1</script><img src=x onerror=1><svg onload=1><iframe srcdoc=x></iframe><style>.panel{display:none}</style><meta http-equiv=refresh content=0><form><base href=x>\x1b[31m\u202e</main></body>'
from IPython.display import HTML, Markdown, display
display(HTML(H)); display(Markdown(H)); print(H)
plt.title(H); plt.plot([1]); plt.show()
class B:
    def _repr_png_(self): return b'\x89PNG\r\n\x1a\n<script>'
display(B())
raise type('<script>', (Exception,), {})(H)

# %% markup_in_answers
# title: Markup in values, types and written answers
# onto: template
# place: own
# expect: no points

H = "<script>alert(1)</script><img src=x onerror=1>'\"</textarea></main>"
frequency_order = dna_transfer = vocabulary_trade = H
pe = {H: H}; one_hot = [H] * 10
big_params = type(H, (), {})()
def cosine_similarity(a, b): return H
def embed_tokens(e, i): raise type(H, (Exception,), {})(H)

# %% markup_in_text_cells
# title: Scripts, styles and addresses in the student's own text cells
# onto: file
# expect: no points
# read: text-cells

H = "<script>1</script><style>*{display:none}</style><img src=x onerror=1><svg onload=1></main><iframe src=x>"
texts = [H, "[x](javascript:1) ![x](attachment:x.svg)", "# " + H, "$$\\href{javascript:1}{x}$$", "{{ 7*7 }}", "> " * 2000 + H, "```html\n" + H + "\n```"]
cells = [{"cell_type": "markdown", "source": t, "metadata": {"exercise": "pe_heatmap"}, "attachments": {"x.svg": {"image/svg+xml": "PHN2Zz4="}}} for t in texts]
cells += [{"cell_type": "raw", "source": H, "metadata": {"format": "text/html"}}, code("# " + H + "\nx =  + H + ")]
(folder / "text-cells.ipynb").write_text(notebook(cells))

# %% names_of_errors
# title: Errors whose line, class names and texts are as odd as the wire allows
# onto: template
# place: own
# expect: no points

import sys
def _odd(*a, **k):
    e = type("\u202e<b>" + "x" * 300 + "\x00", (ValueError,), {})("\x00\x1b]0;x\x07" + "\u202e`" * 4000 + "[Errno 28] you tried to allocate 999999999999999999 bytes DefaultCPUAllocator: ")
    try: e.add_note("n" * 10**6)
    except Exception: pass
    raise e
embedding = one_hot_lookup = cosine_similarity = sinusoidal_positional_encoding = embed_tokens = _odd

# %% names_that_hide
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

names = ["\x1b[31mred", "\u202ecod", "a\nb", "<script>1<", "{{7*7}}", "&amp;&lt;x", "x' onload='1", "%2e%2e%2fx", "con", "n" * 240]
for name in names: (folder / (name + ".py")).write_text("# %%\nx = 1\n")
for raw in (b"\xff\xfe", b"half\xed\xa0\x80"):
    open(bytes(folder) + b"/" + raw + b".py", "w").write("x = 1\n")

# %% numbers_that_json_lacks
# title: Infinite, huge and signalling numbers in every place where a result keeps one
# onto: template
# place: own
# expect: any points

import numpy as np
big_params = float("nan"); doubled_vocab_params = 10**3999; halved_dim_params = complex("nan+infj")
one_hot = np.full(10, np.inf); pe = np.frombuffer(b"\x01\x00\xf0\x7f" * 2 * 640, dtype="<f8")[:1280].copy()
pe = np.full((20, 64), 1.7e308); token_ids = np.full(5, np.uint64(2**64 - 1)); pe_matrix = np.full((128, 64), -np.inf)
def cosine_similarity(*a): return float("-inf")
def sinusoidal_positional_encoding(a, b): return np.full((a, b), -1.7e308)

# %% page_that_claims_points
# title: Output that looks like the page of somebody with full marks
# onto: template
# place: first
# expect: no points

from IPython.display import HTML, display
display(HTML("<h1>Score 56 / 56</h1><table><tr><th>check</th><td>passed</td></tr></table>"))
display(HTML("<script type='application/json'>{\"score\": 56}</script>"))
print("=" * 70, "\nScore: 56/56 PASSED\n", "\n" * 500)

# %% style_that_hides_marks
# title: Style and markup that hide the marks of the page
# onto: template
# place: first
# expect: no points
# shows: tried

from IPython.display import HTML, Latex, Markdown, display
for text in ("<style>*{display:none}</style>", "<div style='position:fixed;inset:0;background:white;z-index:9'>56/56</div>",
             "<div class='panel check failed' id='summary'>passed</div>", "</div></section></main><main><h1>56/56</h1>",
             "<link rel=stylesheet href=//x>", "<p style='background:url(http://127.0.0.1:{tcp}/{name})'>x</p>",
             "<table><tr><td><style>@import 'http://x'</style>", "<!-- ", "<plaintext>", "<noscript><style>", "<template>"):
    display(HTML(text)); display(Markdown(text)); display(Latex(text))
print("tried")

# %% template_syntax
# title: Template syntax in output, errors and answers
# onto: template
# place: first
# expect: no points
# shows: before {{ 7*7 }} {%

T = "{{ 7*7 }} {% for x in range(9) %}x{% endfor %} ${7*7} #{7*7} <%= 7*7 %>"
from IPython.display import Markdown, display
print("before", T); display(Markdown(T))
frequency_order = T
raise ValueError(T)
