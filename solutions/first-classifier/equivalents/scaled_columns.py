# scaled: column by column
# A loop over the columns.
def scaled(x_train, x_test):
    train, test = np.empty_like(x_train), np.empty_like(x_test)
    for number in range(x_train.shape[1]):
        column = x_train[:, number]
        train[:, number] = (column - column.mean()) / column.std()
        test[:, number] = (x_test[:, number] - column.mean()) / column.std()
    return train, test
