# train_steps: trains a copy
# You trained a copy and left the model that was passed as it was. Train the model itself.
def train_steps(model, batches, lr):
    import copy

    model = copy.deepcopy(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
