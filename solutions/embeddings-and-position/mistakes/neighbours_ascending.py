# pretrained_neighbours: the least similar first
# You sorted from small to large, so these are the least similar tokens. The best one comes
# first.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    query = tokenizer.encode(word)[0]
    cosines = F.cosine_similarity(table, table[query].unsqueeze(0))
    order = [i for i in torch.argsort(cosines).tolist() if i != query]
    return [(tokenizer.decode([i]), cosines[i].item()) for i in order[:k]]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text)[0]] for text in (a, b))
    return F.cosine_similarity(first, second, dim=0).item()
