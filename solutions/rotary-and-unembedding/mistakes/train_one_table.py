# train_steps: only one parameter is trained
# You passed only the first parameter of the model to the optimiser. Pass all of them.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(list(model.parameters())[:1], lr=lr)
    losses = []
    for inputs, targets in batches:
        optimizer.zero_grad()
        _, loss = model(inputs, targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
