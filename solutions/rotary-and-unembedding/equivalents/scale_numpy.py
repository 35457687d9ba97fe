# get_learning_rate_scale: NumPy
# not with: model_scale_inside
# np.power, and attached by hand.
def get_learning_rate_scale(self):
    return np.power(self.n_embd / 768, -0.5)


NanoChatEmbeddings.get_learning_rate_scale = get_learning_rate_scale
