import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

dist.init_process_group("nccl")
rank = dist.get_rank()
model = DDP(torch.nn.Linear(2, 2).to(f"cuda:{rank}"), device_ids=[rank])
