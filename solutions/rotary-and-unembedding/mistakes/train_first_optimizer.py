# train_steps: the optimiser of the first call
# You keep the optimiser of the first call in a global name. It holds the parameters of the first
# model, so another one is never trained. Make an optimiser in each call.
OPTIMIZER = None


def train_steps(model, batches, lr):
    global OPTIMIZER
    if OPTIMIZER is None:
        OPTIMIZER = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        OPTIMIZER.zero_grad()
        loss.backward()
        OPTIMIZER.step()
        losses.append(loss.item())
    return losses
