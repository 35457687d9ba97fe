# train_steps: a loss becomes a NumPy array
# You converted losses that may be on an accelerator to NumPy. NumPy works only on the CPU: use
# loss.item(), or copy them with .cpu() first.
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
