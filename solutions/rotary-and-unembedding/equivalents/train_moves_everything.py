# train_steps: everything to the device of the machine
# The usual line at the top of a notebook: both the model and the batches are moved.
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train_steps(model, batches, lr):
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = []
    for inputs, targets in batches:
        _, loss = model(inputs.to(device), targets.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach().cpu().numpy())
    return np.array(losses)
