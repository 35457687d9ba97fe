# title: Thousands of displays and of figures
# onto: template
# place: first
# expect: no points

from IPython.display import HTML, display
for n in range(3000): display(HTML("<b>%d</b>" % n))
for n in range(300): plt.figure(figsize=(1, 1))
