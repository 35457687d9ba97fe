# get_learning_rate_scale: at most 1
# You limited the number to 1. A narrow model gets a number above 1.
def get_learning_rate_scale(self):
    return min(1.0, (self.n_embd / 768) ** -0.5)

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
