# embed_sentence: one-hot rows times the table
# Rows of the earlier exercise; those of unknown words are left out.
def embed_sentence(sentence, vocab, table):
    rows = np.asarray(encode_sentence(sentence, vocab), dtype=float).reshape(-1, len(vocab))
    return rows[rows.any(axis=1)] @ table
