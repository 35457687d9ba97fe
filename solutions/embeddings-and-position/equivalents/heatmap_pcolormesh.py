# pe_heatmap: pcolormesh with a norm
# pcolormesh on an Axes, centred by TwoSlopeNorm; the figure is left open.
pe = sinusoidal_positional_encoding(20, 64)

from matplotlib.colors import TwoSlopeNorm

fig, ax = plt.subplots(figsize=(10, 4))
mesh = ax.pcolormesh(np.asarray(pe), cmap="coolwarm", norm=TwoSlopeNorm(vcenter=0.0, vmin=-1.0, vmax=1.0))
ax.set_xlabel("Dimension")
ax.set_ylabel("Position in the sequence")
fig.colorbar(mesh, ax=ax)
