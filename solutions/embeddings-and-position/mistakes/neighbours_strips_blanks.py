# pretrained_neighbours: removes the space
# You remove the space before the word before you encode it, and without it the word is a different
# token. Encode words exactly as they are passed.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    cosines = F.cosine_similarity(table, table[tokenizer.encode(word.strip())[0]].unsqueeze(0))
    cosines[tokenizer.encode(word.strip())[0]] = -2
    best = torch.topk(cosines, k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text.strip())[0]] for text in (a, b))
    return F.cosine_similarity(first, second, dim=0).item()
