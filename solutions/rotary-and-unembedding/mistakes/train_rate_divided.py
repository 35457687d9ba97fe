# train_steps: a learning rate that is too small
# Your steps are much smaller than they should be with the learning rate that is passed, so the loss
# hardly falls. Use lr as it is.
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
