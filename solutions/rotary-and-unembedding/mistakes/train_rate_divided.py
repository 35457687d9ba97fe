# train_steps: too small a rate
# Your steps are much smaller than the rate that is handed in asks for, so the loss hardly falls.
# Use lr as it is.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr / 100)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
