# train_steps: torch.autograd.grad
# Gradients without .grad, and SGD with momentum.
def train_steps(model, batches, lr):
    parameters = list(model.parameters())
    speeds = [torch.zeros_like(p) for p in parameters]
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        gradients = torch.autograd.grad(loss, parameters)
        for p, speed, g in zip(parameters, speeds, gradients):
            speed.mul_(0.9).add_(g)
            p.data.sub_(lr * speed)
        losses.append(loss.item())
    return tuple(losses)
