# pretrained_neighbours: ids instead of tokens
# Your pairs contain the ids of the neighbours. Decode each id, so that the pair contains its text.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    cosines = F.cosine_similarity(table, table[tokenizer.encode(word)[0]].unsqueeze(0))
    cosines[tokenizer.encode(word)[0]] = -2
    best = torch.topk(cosines, k)
    return [(i, s) for s, i in zip(best.values.tolist(), best.indices.tolist())]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text)[0]] for text in (a, b))
    return F.cosine_similarity(first, second, dim=0).item()
