# pretrained_neighbours: NumPy, with the raw tokens
# The ranking is done in NumPy, pairs are lists, and tokens are shown as they are in the
# vocabulary.
from transformers import GPT2LMHeadModel, GPT2TokenizerFast

bpe = GPT2TokenizerFast.from_pretrained("gpt2")
rows = GPT2LMHeadModel.from_pretrained("gpt2").transformer.wte.weight.detach().numpy()
unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)


def find_nearest_tokens(word, k):
    query = bpe(word)["input_ids"][0]
    scores = unit @ unit[query]
    scores[query] = -np.inf
    best = np.argsort(-scores)[:k]
    return [[bpe.convert_ids_to_tokens(int(i)), scores[i]] for i in best]


def token_similarity(a, b):
    return unit[bpe(a)["input_ids"][0]] @ unit[bpe(b)["input_ids"][0]]
