# train_steps: uphill
# Your steps make the loss larger: somewhere its sign was turned. The gradient of the loss points
# uphill, and an optimiser goes against it.
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
