# pe_heatmap: pcolor, closed after it was shown
# pcolor in place of imshow, and a figure that is shown and then closed.
pe = sinusoidal_positional_encoding(20, 64)

plt.pcolor(pe, cmap="PuOr", vmin=-1, vmax=1)
plt.gca().invert_yaxis()
plt.xlabel("index within the positional vector")
plt.ylabel("Position im Satz")
plt.colorbar(orientation="horizontal")
plt.show()
plt.close()
