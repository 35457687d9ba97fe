# pretrained_neighbours: distance instead of cosine
# You ranked by distance. Two rows with the same direction and different lengths are far apart, but
# similar: use the cosine.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    query = tokenizer.encode(word)[0]
    closeness = 1 / (1 + (table - table[query]).norm(dim=1))
    closeness[query] = -1
    best = torch.topk(closeness, k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text)[0]] for text in (a, b))
    return 1 / (1 + (first - second).norm().item())
