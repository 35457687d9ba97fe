# get_learning_rate_scale: not divided by 768
# You took the width alone to the power -0.5. Divide it by 768 first, so that the scale is 1
# there.
def get_learning_rate_scale(self):
    return self.n_embd**-0.5

NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
