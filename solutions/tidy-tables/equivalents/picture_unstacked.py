# picture: with unstack
# Groups are unstacked, and the image is turned by hand.
pieces = orders.groupby(["city", "product"])["quantity"].sum().unstack(fill_value=0).values
plt.matshow(pieces.T)
plt.xlabel("the cities")
plt.ylabel("the products")
plt.colorbar()
plt.show()
