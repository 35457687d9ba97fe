# pe_heatmap: 64 positions, 20 wide
# You made the table with 64 positions and a width of 20. Your function takes the number of
# positions first.
pe = sinusoidal_positional_encoding(64, 20)

plt.figure(figsize=(9, 4))
plt.imshow(pe, cmap="RdBu", vmin=-1, vmax=1, aspect="auto")
plt.xlabel("embedding dimension")
plt.ylabel("position")
plt.colorbar()
plt.show()
