# train_steps: RMSprop, cleared after the step
# Gradients are cleared before the first batch and at the end of each iteration.
def train_steps(model, batches, lr):
    optimizer = torch.optim.RMSprop(model.parameters(), lr)
    optimizer.zero_grad()
    losses = []
    for batch in batches:
        loss = model(*batch)[1]
        losses.append(loss)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    return losses
