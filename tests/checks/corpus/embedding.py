"""Rows of a table by index, their columns permuted, and an update of the table by the same rows."""

import nki
import nki.isa as nisa
import nki.language as nl

P = 128


@nki.jit
def embedding(table, index, columns):
    """table [rows, n] float32, index [P, 1] int32, columns [P, n] uint32."""
    rows, n = table.shape
    where = nl.ndarray((P, 1), nl.int32)
    nisa.dma_copy(dst=where, src=index)
    picked = nl.ndarray((P, n), table.dtype)
    nisa.dma_copy(dst=picked, src=table.ap([[n, P], [1, n]], vector_offset=where))
    order = nl.ndarray((P, n), nl.uint32)
    nisa.dma_copy(dst=order, src=columns)
    permuted = nl.ndarray((P, n), table.dtype)
    nisa.nc_n_gather(dst=permuted, data=picked, indices=order)
    updated = nl.ndarray((rows, n), table.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=updated, src=table)
    target = updated.ap([[n, P], [1, n]], vector_offset=where)
    nisa.dma_compute(dst=target, srcs=[target, permuted], reduce_op=nl.add, unique_indices=True)
    return updated
