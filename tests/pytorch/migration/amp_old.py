import torch
from torch import nn
from torch.cuda.amp import GradScaler, autocast

torch.manual_seed(2)
model = nn.Linear(4, 2).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.05, fused=True)
scaler = GradScaler()
x = torch.ones(3, 4, device="cuda")
result = []
for _ in range(2):
    with autocast():
        loss = (model(x) ** 2).mean()
    optimizer.zero_grad(set_to_none=True)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    result.append(loss.item())
