import torch
from torch.utils.data import DataLoader, TensorDataset

data = TensorDataset(torch.arange(8.0).reshape(4, 2), torch.arange(4))
result = []
for x, y in DataLoader(data, batch_size=2, pin_memory=True):
    x, y = x.to("cuda", non_blocking=True), y.cuda()
    result.append((x.sum() + y.sum()).item())
