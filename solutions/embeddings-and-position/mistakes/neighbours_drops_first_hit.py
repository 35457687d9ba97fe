# pretrained_neighbours: drops the first result instead of the query
# You dropped the first result because it is usually the query. If another token has the same
# vector, it may not be: leave out the query's id.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    cosines = F.cosine_similarity(table, table[tokenizer.encode(word)[0]].unsqueeze(0))
    order = sorted(range(len(cosines)), key=lambda i: -round(cosines[i].item(), 6))
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order[1 : k + 1]]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text)[0]] for text in (a, b))
    return F.cosine_similarity(first, second, dim=0).item()
