# get_learning_rate_scale: a different reference width
# You compare with a width of 1024. The learning rate was tuned at 768.
def get_learning_rate_scale(self):
    return (self.n_embd / 1024) ** -0.5

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
