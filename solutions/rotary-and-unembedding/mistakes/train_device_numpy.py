# train_steps: a loss becomes a NumPy array
# You made NumPy numbers of losses that may be on an accelerator. NumPy works on the CPU alone:
# take loss.item(), or bring them back with .cpu() first.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach().numpy())
    return np.array(losses)
