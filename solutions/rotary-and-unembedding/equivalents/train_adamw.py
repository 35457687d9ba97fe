# train_steps: AdamW, tensors as losses
# AdamW; the losses are a tensor.
def train_steps(model, batches, lr):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.1)
    model.train()
    losses = []
    for x, y in batches:
        optimizer.zero_grad(set_to_none=True)
        logits, loss = model(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return torch.stack(losses)
