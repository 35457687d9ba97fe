# get_learning_rate_scale: integer division
# You used integer division, so narrow models get 0 to the power -0.5. Divide with a single slash.
def get_learning_rate_scale(self):
    return max(self.n_embd // 768, 1) ** -0.5

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
