# title: Output that looks like the page of somebody with full marks
# onto: template
# place: first
# expect: no points

from IPython.display import HTML, display
display(HTML("<h1>Score 56 / 56</h1><table><tr><th>check</th><td>passed</td></tr></table>"))
display(HTML("<script type='application/json'>{\"score\": 56}</script>"))
print("=" * 70, "\nScore: 56/56 PASSED\n", "\n" * 500)
