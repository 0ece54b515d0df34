import torch
import torch.nn as nn
import torch.nn.functional as F

use_cuda = torch.cuda.is_available()
device = "cuda" if use_cuda else "cpu"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.norm = nn.BatchNorm2d(4)
        self.head = nn.Linear(4 * 3 * 3, 2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        return self.head(x.flatten(1))


torch.manual_seed(9)
net = Net().to(device=device, memory_format=torch.channels_last)
x = torch.linspace(0, 1, 2 * 64).reshape(2, 1, 8, 8).to(device)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
result = []
for _ in range(2):
    loss = F.cross_entropy(net(x), torch.tensor([0, 1], device=device))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    result.append(loss.item())
