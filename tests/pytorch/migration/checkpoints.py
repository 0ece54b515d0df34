import io

import torch

file = io.BytesIO()
torch.save({"weight": torch.arange(6.0).cuda()}, file)
file.seek(0)
state = torch.load(file, map_location=torch.device("cuda"))
assert state["weight"].device.type == "cuda"
result = state["weight"].mul(2).tolist()
