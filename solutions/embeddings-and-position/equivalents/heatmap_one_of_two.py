# pe_heatmap: two figures, the second is the right one
# A first attempt is drawn before the complete figure; the data come as a list.
pe = sinusoidal_positional_encoding(20, 64)

plt.imshow(pe)
plt.show()

plt.figure()
plt.imshow(pe.tolist(), cmap="PiYG", aspect="auto")
plt.clim(-1, 1)
plt.xlabel("dim i")
plt.ylabel("pos")
plt.colorbar(label="PE value")
plt.title("PE")
plt.show()
