"""Dtypes and memory regions of nki.language. Source: nki.language, NKI 0.7."""

from __future__ import annotations

from enum import Enum

DType = str
bool_: DType = "bool"
int8: DType = "int8"
int16: DType = "int16"
int32: DType = "int32"
int64: DType = "int64"  # of scalars and what moves them; instructions do not compute with it
uint8: DType = "uint8"
uint16: DType = "uint16"
uint32: DType = "uint32"
float16: DType = "float16"
float32: DType = "float32"
bfloat16: DType = "bfloat16"
tfloat32: DType = "tfloat32"
float8_e4m3: DType = "float8_e4m3"
float8_e4m3fn: DType = "float8_e4m3fn"
float8_e5m2: DType = "float8_e5m2"
float8_e8m0fnu: DType = "float8_e8m0fnu"
float8_e5m2_x4: DType = "float8_e5m2_x4"
float8_e4m3fn_x4: DType = "float8_e4m3fn_x4"
float4_e2m1fn_x4: DType = "float4_e2m1fn_x4"


class MemoryRegion(Enum):
    """Where a tensor lives."""

    sbuf = "sbuf"
    psum = "psum"
    private_hbm = "private_hbm"
    shared_hbm = "shared_hbm"


sbuf = MemoryRegion.sbuf
psum = MemoryRegion.psum
private_hbm = MemoryRegion.private_hbm
hbm = private_hbm
shared_hbm = MemoryRegion.shared_hbm


def is_hbm(buffer: MemoryRegion) -> bool:
    """Whether a memory region is in HBM."""
    return buffer is private_hbm or buffer is shared_hbm


def is_sbuf(buffer: MemoryRegion) -> bool:
    """Whether a memory region is SBUF."""
    return buffer is sbuf


def is_psum(buffer: MemoryRegion) -> bool:
    """Whether a memory region is PSUM."""
    return buffer is psum


def is_on_chip(buffer: MemoryRegion) -> bool:
    """Whether a memory region is SBUF or PSUM."""
    return buffer is sbuf or buffer is psum


__all__ = [
    "DType",
    "MemoryRegion",
    "bfloat16",
    "bool_",
    "float4_e2m1fn_x4",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e4m3fn_x4",
    "float8_e5m2",
    "float8_e5m2_x4",
    "float8_e8m0fnu",
    "float16",
    "float32",
    "hbm",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_hbm",
    "is_on_chip",
    "is_psum",
    "is_sbuf",
    "private_hbm",
    "psum",
    "sbuf",
    "shared_hbm",
    "tfloat32",
    "uint8",
    "uint16",
    "uint32",
]
