# picture: no colour bar
# The colour bar is missing.
wide = orders.pivot_table(index="city", columns="product", values="quantity", aggfunc="sum")
pieces = wide.fillna(0).to_numpy()
figure, axes = plt.subplots()
image = axes.imshow(pieces)
axes.set_xlabel("product")
axes.set_ylabel("city")
plt.show()
