# title: Markup in values, types and written answers
# onto: template
# place: own
# expect: no points

H = "<script>alert(1)</script><img src=x onerror=1>'\"</textarea></main>"
frequency_order = dna_transfer = vocabulary_trade = H
pe = {H: H}; one_hot = [H] * 10
big_params = type(H, (), {})()
def cosine_similarity(a, b): return H
def embed_tokens(e, i): raise type(H, (Exception,), {})(H)
