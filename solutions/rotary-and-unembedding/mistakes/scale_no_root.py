# get_learning_rate_scale: no square root
# You divided without taking the square root. The exponent is -0.5, not -1.
def get_learning_rate_scale(self):
    return 768 / self.n_embd

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
