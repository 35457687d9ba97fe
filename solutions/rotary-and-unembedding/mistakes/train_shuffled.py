# train_steps: the batches are shuffled
# You shuffle the batches. Go through the list in its own order: the losses belong to its batches,
# one after the other.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for place in torch.randperm(len(batches)).tolist():
        inputs, targets = batches[place]
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
