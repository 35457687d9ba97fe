# train_steps: cleared only after the step
# You clear the gradients after each step. Gradients that the model has before the first batch still
# affect the first step.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses
