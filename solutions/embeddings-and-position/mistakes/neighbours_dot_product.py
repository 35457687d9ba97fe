# pretrained_neighbours: the rows are not scaled to length 1
# You ranked by the plain dot product, which favours long rows. Divide by both lengths.
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("gpt2")
table = AutoModel.from_pretrained("gpt2").wte.weight.detach()


def find_nearest_tokens(word, k):
    query = tokenizer.encode(word)[0]
    scores = table @ table[query]
    scores[query] = -float("inf")
    best = torch.topk(scores, k)
    return [(tokenizer.decode([i]), s) for s, i in zip(best.values.tolist(), best.indices.tolist())]


def token_similarity(a, b):
    first, second = (table[tokenizer.encode(text)[0]] for text in (a, b))
    return (first @ second).item()
