# get_learning_rate_scale: the minus sign is in front of the power
# Your scale is negative: the minus sign belongs in the exponent, not in front.
def get_learning_rate_scale(self):
    return -((self.n_embd / 768) ** 0.5)

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
