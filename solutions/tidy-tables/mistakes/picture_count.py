# picture: the number of orders
# You count orders. Add up the pieces.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="count")
pieces = wide.fillna(0).to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("product")
axes.set_ylabel("city")
figure.colorbar(image)
plt.show()
