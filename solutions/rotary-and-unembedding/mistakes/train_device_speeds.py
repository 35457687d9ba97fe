# train_steps: the optimiser's state without a device
# You keep the momentum of each parameter in a torch.zeros(...) on the CPU, and the gradients may be
# elsewhere. Use torch.zeros_like(parameter).
def train_steps(model, batches, lr):
    parameters = list(model.parameters())
    speeds = [torch.zeros(p.shape) for p in parameters]
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs, targets)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for p, speed, gradient in zip(parameters, speeds, gradients):
                speed.mul_(0.9).add_(gradient)
                p.sub_(lr * speed)
        losses.append(loss.item())
    return losses
