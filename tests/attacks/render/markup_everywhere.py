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
