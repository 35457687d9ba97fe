# train_steps: old gradients are not cleared
# You never clear the gradients, so each step repeats all the earlier ones. The loss may still fall
# at first, but diverges when batches disagree. Clear them before each backward pass.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
