# train_steps: the loss by indexing
# Numbers of rows and columns on the CPU, targets where the logits are.
def train_steps(model, batches, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        logits, _ = model(inputs)
        b, t = torch.arange(targets.shape[0])[:, None], torch.arange(targets.shape[1])[None]
        loss = (logits.logsumexp(dim=-1) - logits[b, t, targets]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
