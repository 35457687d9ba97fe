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
