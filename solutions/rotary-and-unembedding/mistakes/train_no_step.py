# train_steps: no step has an effect
# The parameters never change. Either the optimiser takes no step, or it has no gradients: none were
# computed, or they were cleared between the backward pass and the step.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        losses.append(loss.item())
    return losses
