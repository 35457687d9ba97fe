# train_steps: the same batch again and again
# You train on the first batch over and over. Take one step for each batch of the list.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for _ in batches:
        inputs, targets = batches[0]
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
