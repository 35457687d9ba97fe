# train_steps: old gradients are not cleared, plain gradient descent
# You never clear the gradients, so each step repeats all the earlier ones. With small plain steps
# the loss may still fall. Clear the gradients before each backward pass.
def train_steps(model, batches, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
