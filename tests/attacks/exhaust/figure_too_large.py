# title: A figure too large
# onto: template
# place: first
# expect: no points

plt.figure(figsize=(2000, 2000)); plt.plot([1, 2])
