# train_steps: the loss from the logits
# Only the logits of the model are used; float64 for the mean, NAdam.
def train_steps(model, batches, lr):
    optimizer = torch.optim.NAdam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        logits, _ = model(inputs)
        chosen = torch.log_softmax(logits, dim=-1).gather(-1, targets.unsqueeze(-1))
        loss = -chosen.double().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
