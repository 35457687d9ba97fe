# get_learning_rate_scale: a string
# You return a string. A learning rate is multiplied by a number.
def get_learning_rate_scale(self):
    return f"{(self.n_embd / 768) ** -0.5:.4f}"

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
