# train_steps: Adam by hand
# Its numbers are made on the device of each parameter; the count of steps stays on the CPU.
def train_steps(model, batches, lr):
    means = [torch.zeros(p.shape, device=p.device) for p in model.parameters()]
    squares = [p.new_zeros(p.shape) for p in model.parameters()]
    step = torch.tensor(0.0)
    losses = []
    for inputs, targets in batches:
        for p in model.parameters():
            p.grad = None
        loss = model(inputs, targets)[1]
        loss.backward()
        step += 1
        with torch.no_grad():
            for p, mean, square in zip(model.parameters(), means, squares):
                mean.mul_(0.9).add_(p.grad, alpha=0.1)
                square.mul_(0.99).addcmul_(p.grad, p.grad, value=0.01)
                p -= lr * (mean / (1 - 0.9**step)) / ((square / (1 - 0.99**step)).sqrt() + 1e-8)
        losses.append(loss.item())
    return losses
