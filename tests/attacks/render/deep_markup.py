# title: Deep markup
# onto: template
# place: first
# expect: no points

from IPython.display import HTML, Markdown, display
display(HTML('<div>' * 3000)); display(Markdown('>' * 3000)); display(HTML('<b>' * 9999))
display(Markdown('[' * 3000 + '](' * 3000)); display(HTML('<table>' * 99 + '<a' * 5000))
