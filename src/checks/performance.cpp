// Checks of engines that work below their rate.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array performance_table{
    Check{.id = "perf.fp32_matmul",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Matmul in fp32",
          .rule = "matmul operands are bf16, fp16, tf32 or FP8 unless fp32 is needed",
          .why = "fp32 goes through the array several times, at a fraction of the rate.",
          .source = "nki.isa.nc_matmul, cost; machine files, array.macs_fp32",
          .fix = "cast the operands to bfloat16; sums stay fp32",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    sums = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=tile[:, 0:128], moving=tile)
    nisa.tensor_copy(dst=tile, src=sums)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "perf.array_idle",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Matmuls that leave most of the array idle",
          .rule = "matmuls use at least half of the array's rows and columns",
          .why = "A matmul takes as long with 16 rows as with 128.",
          .source = "NKI performance guide, tensor engine",
          .fix = "contract more rows at once, or run tiles side by side (tile_position)",
          .example = R"(def kernel(x):
    whole = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=whole, src=x)
    tile = nl.ndarray(x.shape, nl.bfloat16)
    nisa.tensor_copy(dst=tile, src=whole)
    sums = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=tile[0:16, 0:128], moving=tile[0:16, :])
    nisa.tensor_copy(dst=whole, src=sums)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=whole)
    return out
)"},
    Check{.id = "perf.weights_again",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Stationary operand loaded again",
          .rule = "matmuls with the same stationary operand follow one another",
          .why = "Every change of the stationary operand loads the array again.",
          .source = "NKI performance guide, tensor engine",
          .fix = "change the order of the loops so that the stationary operand stays the same",
          .example = R"(def kernel(x):
    whole = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=whole, src=x)
    tile = nl.ndarray(x.shape, nl.bfloat16)
    nisa.tensor_copy(dst=tile, src=whole)
    sums = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
    for i in range(16):
        part = tile[:, 0:128] if i % 2 else tile[:, 128:256]
        nisa.nc_matmul(dst=sums[:, 32 * i : 32 * i + 32], stationary=part, moving=tile[:, 0:32])
    nisa.tensor_copy(dst=whole, src=sums)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=whole)
    return out
)"},
    Check{.id = "perf.short_rows",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Instructions too short for their start-up",
          .rule = "an instruction works longer than it takes to start",
          .why = "Every instruction has a fixed cost, which is most of the time if a row has few "
                 "elements.",
          .source = "NKI performance guide, instruction overhead; machine files, startup",
          .fix = "process longer rows with one instruction",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    for i in range(128):
        part = tile[:, 4 * i : 4 * i + 4]
        nisa.tensor_scalar(dst=part, data=part, op0=nl.multiply, operand0=2.0)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "perf.few_partitions",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Instructions on few partitions",
          .rule = "long instructions use at least half of the partitions",
          .why = "An engine works on all partitions at once; unused partitions do no work.",
          .source = "NKI performance guide, partition utilisation",
          .fix = "fold the free dimension into the partition dimension",
          .example = R"(def kernel(x):
    tile = nl.ndarray((8, 8192), x.dtype)
    nisa.dma_copy(dst=tile, src=x.reshape((8, 8192)))
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
    out = nl.ndarray((8, 8192), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "perf.repeated_column",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Column written out over a row",
          .rule = "a column that an elementwise instruction needs is passed to it as a column",
          .why = "Repeating it takes an engine as long as the instruction that then reads it; "
                 "tensor_scalar, activation (bias, scale) and scalar_tensor_tensor read one "
                 "element of each partition.",
          .source = "nki.isa.tensor_scalar, operand0",
          .fix = "use nki.isa.tensor_scalar with the column as operand0, in place of "
                 "nl.broadcast_to and tensor_tensor",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    column = nl.ndarray((128, 1), nl.float32)
    nisa.tensor_reduce(dst=column, op=nl.maximum, data=tile, axis=1)
    wide = nl.broadcast_to(column, x.shape)
    nisa.tensor_tensor(dst=tile, data1=tile, data2=wide, op=nl.subtract)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "perf.psum_bank",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Consecutive sums in one PSUM bank",
          .rule = "the next sum goes to another PSUM bank than the one being read",
          .why = "A matmul into a bank that is being copied out waits for the copy; with two "
                 "banks, they overlap.",
          .source = "NKI performance guide, PSUM banks",
          .fix = "alternate between two or more PSUM tensors",
          .example = R"(def kernel(x):
    whole = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=whole, src=x)
    tile = nl.ndarray(x.shape, nl.bfloat16)
    nisa.tensor_copy(dst=tile, src=whole)
    sums = nl.ndarray((128, 128), nl.float32, buffer=nl.psum)
    for i in range(4):
        part = slice(128 * i, 128 * i + 128)
        nisa.nc_matmul(dst=sums, stationary=tile[:, 0:128], moving=tile[:, part], accumulate=False)
        nisa.tensor_copy(dst=whole[:, part], src=sums)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=whole)
    return out
)"},
    Check{.id = "perf.memset",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Memset that is overwritten unread",
          .rule = "the bytes that a memset writes are read before they are overwritten",
          .why = "Clearing a tile that is then filled takes an engine's time.",
          .source = "follows from the program",
          .fix = "drop the memset, or clear only the part that is not written later",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.memset(dst=tile, value=0.0)
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
};

}  // namespace

std::span<const Check> performance_checks() { return performance_table; }

}  // namespace trainyard::checks
