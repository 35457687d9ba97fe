# train_steps: the loss after the step
# You wrote down the loss after the step. The loss of a batch is the one that the model had before
# it learned from it.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(model(inputs, targets)[1].item())
    return losses
