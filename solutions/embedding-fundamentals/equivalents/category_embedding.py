# category_similarity: an nn.Embedding whose weights are set
# The rows are set under no_grad; a 0-d tensor is returned.
category_words = np.array(
    ["cat", "dog", "cow", "pig", "hen", "car", "bus", "tram", "bike", "ship"]
).tolist()
hand_made = nn.Embedding(10, 6)
with torch.no_grad():
    hand_made.weight[:5] = torch.tensor([1.0, 1.0, 1.0, -0.2, 0.0, 0.0]) + 0.1 * torch.eye(5, 6)
    hand_made.weight[5:] = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0]) - 0.1 * torch.eye(5, 6)


def category_similarity(word_a, word_b):
    ids = torch.tensor([category_words.index(word_a), category_words.index(word_b)])
    a, b = hand_made(ids)
    return torch.dot(a, b) / (a.norm() * b.norm())
