# picture: another array is shown
# Your array is right, but the image shows another one.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="sum")
pieces = wide.fillna(0).to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces > 0)
axes.set_xlabel("product")
axes.set_ylabel("city")
figure.colorbar(image)
plt.show()
