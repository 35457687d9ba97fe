# get_learning_rate_scale: a square root
# sqrt(768 / D).
def get_learning_rate_scale(self):
    return math.sqrt(768 / self.n_embd)


NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
