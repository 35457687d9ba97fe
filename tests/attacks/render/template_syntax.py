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
