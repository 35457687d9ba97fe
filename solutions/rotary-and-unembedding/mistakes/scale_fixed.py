# get_learning_rate_scale: the width is fixed
# Your scale is that of one fixed width. Use the width of the model itself.
def get_learning_rate_scale(self):
    return (128 / 768) ** -0.5

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
