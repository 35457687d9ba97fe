# train_steps: the model is moved to the CPU
# You moved the model to the CPU, and the batches are still where it was. Train it where it is.
def train_steps(model, batches, lr):
    model = model.cpu().train()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
