# pretrained_neighbours: the query is in its own list
# The first of your neighbours is the word itself. Leave out the query's id before you rank.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    cosines = F.cosine_similarity(table, table[tokenizer.encode(word)[0]].unsqueeze(0))
    best = torch.topk(cosines, k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text)[0]] for text in (a, b))
    return F.cosine_similarity(first, second, dim=0).item()
