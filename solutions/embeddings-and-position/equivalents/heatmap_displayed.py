# pe_heatmap: a figure without pyplot
# The figure is made without pyplot and is the value of the cell; a second picture follows the
# first in the same cell.
from matplotlib.figure import Figure

pe = sinusoidal_positional_encoding(20, 64)
plt.imshow(pe[:, :8])
plt.xlabel("the first eight")
plt.show()

figure = Figure(figsize=(9, 4))
axes = figure.subplots()
image = axes.imshow(pe, cmap="coolwarm", vmin=-1, vmax=1)
axes.set(xlabel="dim", ylabel="pos")
figure.colorbar(image)
figure
