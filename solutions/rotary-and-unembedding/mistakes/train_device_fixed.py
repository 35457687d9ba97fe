# train_steps: batches are moved to a device of its own choice
# You moved the batches to the accelerator because the machine has one; the model may be elsewhere.
# Batches and model are already on one device: move nothing, or use the device of the model's
# parameters.
def train_steps(model, batches, lr):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs.to(device), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
