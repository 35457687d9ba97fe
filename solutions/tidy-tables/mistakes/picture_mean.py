# picture: the mean
# These are means: `pivot_table` takes the mean unless you say `aggfunc="sum"`.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="mean")
pieces = wide.fillna(0).to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("product")
axes.set_ylabel("city")
figure.colorbar(image)
plt.show()
