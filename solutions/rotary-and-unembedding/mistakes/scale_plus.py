# get_learning_rate_scale: exponent +0.5
# Your scale is larger for wider models. Wide models take smaller steps: the exponent is -0.5.
def get_learning_rate_scale(self):
    return (self.n_embd / 768) ** 0.5

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
