import torch

x = torch.ones(8).cuda()
y = torch.fft.rfft(x).abs()
u, s, v = torch.linalg.svd(x.reshape(2, 4))
