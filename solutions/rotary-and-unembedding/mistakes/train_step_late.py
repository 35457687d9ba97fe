# train_steps: each step comes a batch too late
# You make the step before the gradients of the batch are there, so each batch moves the model only
# when the next one begins, and the last one never. First `backward`, then `step`.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    optimizer.zero_grad()
    losses = []
    for inputs, targets in batches:
        optimizer.step()
        optimizer.zero_grad()
        _, loss = model(inputs, targets)
        loss.backward()
        losses.append(loss.item())
    return losses
