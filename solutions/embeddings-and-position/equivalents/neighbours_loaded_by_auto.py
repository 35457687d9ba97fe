# pretrained_neighbours: the Auto classes and argsort
# The classes are found by AutoModel and AutoTokenizer; the ranking is an argsort over
# F.cosine_similarity, the scores stay tensors.
from transformers import AutoModel, AutoTokenizer

auto_tokenizer = AutoTokenizer.from_pretrained("gpt2")
wte = AutoModel.from_pretrained("gpt2").wte


def row(word):
    ids = auto_tokenizer.encode(word, add_special_tokens=False)
    return ids[0], wte(torch.tensor(ids[0]))


@torch.no_grad()
def find_nearest_tokens(word, k):
    query, vector = row(word)
    cosines = F.cosine_similarity(wte.weight, vector, dim=-1)
    order = [i for i in cosines.argsort(descending=True).tolist() if i != query]
    return [(auto_tokenizer.decode([i]).strip(), cosines[i]) for i in order[:k]]


@torch.no_grad()
def token_similarity(a, b):
    return F.cosine_similarity(row(a)[1], row(b)[1], dim=0)
