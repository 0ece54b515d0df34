"""A hardware loop over windows of x [P, n], whose number is only known on the machine."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128
WINDOW = 64


@nki.jit
def running(x, count):
    """count: [1, 1] int32, how many windows are added up."""
    n = x.shape[1]
    tile = nl.ndarray((P, n), x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    total = nl.ndarray((P, WINDOW), x.dtype)
    nisa.memset(dst=total, value=0.0)
    last = nl.ndarray((1, 1), nl.int32)
    nisa.dma_copy(dst=last, src=count)
    end = nisa.register_alloc()
    nisa.register_load(end, last)
    for i in nl.dynamic_range(end):
        window = tile[:, nl.ds(i, WINDOW)]
        nisa.tensor_tensor(dst=total, data1=total, data2=window, op=nl.add)
    out = nl.ndarray((P, WINDOW), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=total)
    return out
