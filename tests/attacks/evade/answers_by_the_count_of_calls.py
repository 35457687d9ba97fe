# title: Answers by the count of calls
# onto: template
# place: own
# expect: no points
# may pass: cosine_similarity/zero-vector

count = [0]
def cosine_similarity(a, b):
    count[0] += 1; return [0.6, 1.0, float('nan')][count[0] % 3]
