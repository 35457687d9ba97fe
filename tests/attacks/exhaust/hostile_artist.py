# title: A hostile artist
# onto: template
# place: first
# expect: no points

from matplotlib.artist import Artist
class H(Artist):
    def draw(self, renderer):
        while True: pass
figure = plt.figure(); figure.add_artist(H()); figure._suptitle = H()
plt.get_fignums = lambda: range(10**9)
plt.close = lambda *a: 1 / 0
