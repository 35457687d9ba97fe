# picture: missing in place of 0
# Where nothing was ordered, your array has missing values. Fill in 0.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="sum")
pieces = wide.to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("product")
axes.set_ylabel("city")
figure.colorbar(image)
plt.show()
