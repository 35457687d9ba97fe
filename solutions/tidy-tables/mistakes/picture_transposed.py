# picture: products as rows
# Your rows are products. They are to be cities.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="sum")
pieces = wide.fillna(0).to_numpy().T
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("city")
axes.set_ylabel("product")
figure.colorbar(image)
plt.show()
