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
