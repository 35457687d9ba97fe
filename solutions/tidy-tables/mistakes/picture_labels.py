# picture: the labels are exchanged
# The labels of your axes are exchanged: imshow puts the rows, the cities, on the y axis.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="sum")
pieces = wide.fillna(0).to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("city")
axes.set_ylabel("product")
figure.colorbar(image)
plt.show()
