# train_steps: 0 is treated as no learning rate
# You write `lr or ...`, which treats a learning rate of 0 as none. Use lr as it is.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr or 1e-3)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
