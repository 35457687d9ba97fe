# title: Odd tensors
# onto: template
# place: own
# expect: no points

pe = torch.zeros(20, 64, device='meta'); one_hot = torch.eye(10).to_sparse()[3]
via_index = torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)])
big_params = torch.tensor(0).expand(10**12)
via_call = torch.quantize_per_tensor(torch.zeros(4), 0.1, 0, torch.qint8)
