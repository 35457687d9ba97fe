# train_steps: with a scaler that is switched off
# As in larger programs: autocast and GradScaler, neither enabled, on the device of the model.
def train_steps(model, batches, lr):
    kind = next(model.parameters()).device.type
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.0)
    scaler = torch.amp.GradScaler(kind, enabled=False)
    losses = []
    for inputs, targets in batches:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(kind, dtype=torch.bfloat16, enabled=False):
            _, loss = model(inputs, targets)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss)
    return [float(loss) for loss in losses]
