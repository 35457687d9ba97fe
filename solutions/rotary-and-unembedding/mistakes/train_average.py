# train_steps: averages
# You return a running average. Return the loss of each batch itself.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return [sum(losses[: n + 1]) / (n + 1) for n in range(len(losses))]
