# lm_head: a class of its own
# A subclass of nn.Linear that starts at zero.
class Unembedding(nn.Linear):
    def reset_parameters(self):
        nn.init.zeros_(self.weight)


lm_head = Unembedding(128, 1000, bias=False)
