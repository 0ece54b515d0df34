"""What becomes of each name of CUDA, and what has no equal on the device."""

from __future__ import annotations

# Of torch.cuda: the same function of torch.neuron.
SAME = frozenset(
    [
        "is_available",
        "device_count",
        "current_device",
        "set_device",
        "get_device_name",
        "get_device_properties",
        "synchronize",
        "manual_seed",
        "manual_seed_all",
        "initial_seed",
        "memory_allocated",
        "max_memory_allocated",
        "reset_peak_memory_stats",
        "mem_get_info",
        "memory_summary",
        "empty_cache",
        "is_bf16_supported",
        "get_rng_state",
        "set_rng_state",
        "device",
        "is_initialized",
        "Event",
    ]
)
RENAMED = {
    "torch.cuda.memory_reserved": "torch.neuron.memory_allocated",
    "torch.cuda.max_memory_reserved": "torch.neuron.max_memory_allocated",
    "torch.cuda.memory_cached": "torch.neuron.memory_allocated",
    "torch.cuda.reset_max_memory_allocated": "torch.neuron.reset_peak_memory_stats",
    "torch.cuda.OutOfMemoryError": "torch.OutOfMemoryError",
    "torch.cuda.nvtx.range": "torch.profiler.record_function",
}
# Functions of amp that take the device first, by their old names.
AMP = {
    "torch.cuda.amp.autocast": "torch.autocast",
    "torch.cuda.amp.autocast_mode.autocast": "torch.autocast",
    "torch.cuda.amp.GradScaler": "torch.amp.GradScaler",
    "torch.cuda.amp.grad_scaler.GradScaler": "torch.amp.GradScaler",
}
AMP_DECORATORS = {
    "torch.cuda.amp.custom_fwd": "torch.amp.custom_fwd",
    "torch.cuda.amp.custom_bwd": "torch.amp.custom_bwd",
}
REFUSED = {
    "torch.cuda.Stream": "the device has no streams: remove them",
    "torch.cuda.stream": "the device has no streams: remove the block's head",
    "torch.cuda.current_stream": "the device has no streams: use torch.neuron.synchronize()",
    "torch.cuda.default_stream": "the device has no streams: use torch.neuron.synchronize()",
    "torch.cuda.CUDAGraph": "use torch.compile(backend='neuron'), which launches one program",
    "torch.cuda.graph": "use torch.compile(backend='neuron'), which launches one program",
    "torch.cuda.make_graphed_callables": "use torch.compile(backend='neuron')",
    "torch.cuda.get_device_capability": "remove what depends on a GPU's generation",
    "torch.cuda.nvtx.range_push": "use `with torch.profiler.record_function(name):`",
    "torch.cuda.nvtx.range_pop": "use `with torch.profiler.record_function(name):`",
    "torch.cuda.comm": "there is one device: remove it",
    "torch.cuda.nccl": "there is one device: remove it",
    "torch.distributed.init_process_group": "there is one device and no torch.distributed: leave "
    "out what needs a process group when the world is 1",
    "torch.nn.parallel.DistributedDataParallel": "there is one device: use the model itself",
    "torch.distributed.fsdp.FullyShardedDataParallel": "there is one device: use the model itself",
    "torch.distributed.fsdp.fully_shard": "there is one device: use the model itself",
    "torch.utils.cpp_extension": "C++ and CUDA extensions do not run: write the kernel with NKI",
    "torch.sparse_coo_tensor": "sparse tensors: use dense ones",
    "torch.sparse_csr_tensor": "sparse tensors: use dense ones",
    "torch.linalg.eig": "no operator of the device: compute it on the host, x.cpu()",
    "torch.linalg.eigvals": "no operator of the device: compute it on the host, x.cpu()",
}
# All names below these.
REFUSED_BELOW = {
    "torch.cuda.nvtx": "use torch.profiler.record_function",
    "torch.cuda.graphs": "use torch.compile(backend='neuron')",
    "torch.sparse": "sparse tensors: use dense ones",
}
# Modules of attention kernels, whose plain calls are rewritten; of other names:
ATTENTION_MODULES = ("flash_attn", "xformers")
ATTENTION = "a GPU's kernel: use torch.nn.functional.scaled_dot_product_attention"
# Modules whose kernels are a GPU's.
MODULES = {
    "triton": "write the kernel with NKI: `import nki`, torch_neuronx.nki_op",
    "cupy": "use torch or NumPy",
    "pycuda": "write the kernel with NKI",
    "numba.cuda": "write the kernel with NKI",
    "apex": "use torch.autocast, torch.optim and torch.nn.LayerNorm",
    "bitsandbytes": "use torch.optim and torch.autocast",
    "deepspeed": "there is one device: use torch.optim",
    "tensorrt": "use torch.compile(backend='neuron')",
    "torch_tensorrt": "use torch.compile(backend='neuron')",
    "transformer_engine": "use torch.nn and torch.autocast",
    "pynvml": "use torch.neuron.memory_summary() and torch_neuronx.timing()",
    "vllm": "it has kernels of its own: serve with `trainyard serve`",
}
ATTENTION_NAMES = {"flash_attention_2": "sdpa", "flash_attention_3": "sdpa"}
CUDA_TENSORS = {
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "BFloat16Tensor": "bfloat16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ShortTensor": "int16",
    "CharTensor": "int8",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
}
