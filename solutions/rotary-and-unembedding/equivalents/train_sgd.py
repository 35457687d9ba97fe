# train_steps: plain gradient descent
# No optimiser class: p -= lr * gradient.
def train_steps(model, batches, lr):
    losses = []
    for inputs, targets in batches:
        model.zero_grad()
        loss = model(inputs, targets)[1]
        loss.backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= lr * parameter.grad
        losses.append(float(loss))
    return np.array(losses)
