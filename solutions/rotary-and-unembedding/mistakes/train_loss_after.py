# train_steps: the loss after the step
# You recorded the loss after the step. The loss of a batch is the one before the model learns from
# it.
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
