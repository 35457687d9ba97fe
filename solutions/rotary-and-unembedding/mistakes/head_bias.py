# lm_head: a layer with a bias
# Your layer has a bias. It is zero, but it would be learned, and 1000 more numbers would favour
# frequent words whatever the vector is. The unembedding has no bias.
lm_head = nn.Linear(128, 1000)
nn.init.zeros_(lm_head.weight)
nn.init.zeros_(lm_head.bias)
