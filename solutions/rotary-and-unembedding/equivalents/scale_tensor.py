# get_learning_rate_scale: a tensor
# not with: model_words_on_axis_1, layer_one_hot
# A 0-d tensor, by the width of a table.
def get_learning_rate_scale(self):
    width = next(self.parameters()).shape[-1]
    return torch.tensor(width / 768).rsqrt()


NanoChatEmbeddings = add_method(
    NanoChatEmbeddings, "get_learning_rate_scale", get_learning_rate_scale
)
