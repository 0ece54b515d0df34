"""Sizes of the target's memories and instructions. Source: nki.language.tile_size, NKI 0.6."""

from __future__ import annotations

import os
from typing import Any

from nki import _context, _target


class _TileSize:
    """Sizes of the target's memories and instructions, by AWS's names."""

    pmax = property(lambda self: self._machine.partitions)
    psum_bank_fmax_bytes = property(lambda self: self._machine.psum_bank_bytes)
    psum_bank_fmax = property(lambda self: self._machine.psum_bank_bytes // 4)
    psum_fmax = psum_bank_fmax
    gemm_stationary_fmax = property(lambda self: self._machine.stationary_free_max)
    gemm_moving_fmax = psum_bank_fmax
    bn_stats_fmax = property(lambda self: self._machine.bn_stats_elements_max)
    psum_min_align = property(lambda self: self._machine.psum_alignment)
    sbuf_min_align = property(lambda self: self._machine.sbuf_alignment)
    sbuf_fmax_bytes = property(lambda self: self._machine.sbuf_bytes_per_partition)
    sbuf_fmax = property(lambda self: self._machine.sbuf_bytes_per_partition // 4)
    total_available_sbuf_size = sbuf_fmax_bytes

    @property
    def psum_num_banks(self) -> int:
        """Banks of PSUM a kernel may use; NKI_DMA_TRANSPOSE_AS_PE_TRANSPOSE=true takes one.

        From trn2 on: DMA transposes then run on the Tensor engine and need a bank of their own.
        """
        machine = self._machine
        by_array = os.environ.get("NKI_DMA_TRANSPOSE_AS_PE_TRANSPOSE", "").lower() in ("1", "true")
        if by_array and machine.generation >= 3:
            return machine.psum_banks_dma_transpose
        return machine.psum_banks

    @property
    def sbuf_size_bytes(self) -> int:
        """Bytes of SBUF in all partitions together."""
        return self._machine.partitions * self._machine.sbuf_partition_size

    @property
    def _machine(self) -> Any:
        context = _context.current()
        return context.machine if context else _target.machine()


tile_size = _TileSize()
