# train_steps: 0 counts as no rate
# You write `lr or ...`, and a rate of 0 counts as none there. Use the rate as it is handed in.
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
