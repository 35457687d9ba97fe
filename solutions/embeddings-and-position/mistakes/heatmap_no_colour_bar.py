# pe_heatmap: no colour bar
# Without a colour bar nobody can see which colour means which value.
pe = sinusoidal_positional_encoding(20, 64)

fig, ax = plt.subplots(figsize=(9, 4))
ax.imshow(pe, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto")
ax.set_xlabel("embedding dimension")
ax.set_ylabel("position")
plt.show()
