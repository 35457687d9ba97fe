# train_steps: uphill
# Your steps make the loss larger: a sign is wrong somewhere. The gradient of the loss points
# uphill, and an optimiser goes the opposite way.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        (-loss).backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
