import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3)).to(device)
x, y = torch.linspace(-1, 1, 32).reshape(4, 8).to(device), torch.tensor([0, 2, 1, 0]).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
result = []
for _ in range(3):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    result.append(loss.item())
