# picture: with crosstab
# A cross table, shown by pcolormesh.
table = pd.crosstab(orders["city"], orders["product"], values=orders["quantity"], aggfunc="sum")
pieces = table.fillna(0)
plt.figure()
plt.pcolormesh(pieces.to_numpy())
plt.colorbar()
plt.xlabel("Product")
plt.ylabel("City")
plt.show()
