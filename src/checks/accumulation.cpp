// Checks of sums in PSUM.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array accumulation_table{
    Check{.id = "psum.group",
          .title = "Sum that was never begun",
          .rule = "a matmul adds only to PSUM bytes where a sum was begun",
          .why = "On gen2 and gen3 only an overwriting matmul begins a sum, and the result is "
                 "undefined even after a memset; on gen4 any write does.",
          .source = "nki.isa.nc_matmul, accumulate; machine-core 2.2",
          .fix = "let the first matmul of the sum overwrite (accumulate=False)",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 128), x.dtype)
    nisa.dma_copy(dst=tile, src=x[:, 0:128])
    sums = nl.ndarray((128, 128), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(dst=sums, stationary=tile, moving=tile, accumulate=True)
    total = nl.ndarray((128, 128), x.dtype)
    nisa.tensor_copy(dst=total, src=sums)
    out = nl.ndarray((128, 128), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=total)
    return out
)"},
    Check{.id = "psum.lost_sum",
          .severity = Severity::warning,
          .title = "Sum overwritten before it was read",
          .rule = "a finished sum is read before a matmul overwrites it",
          .why = "The products are lost. Usually an accumulate flag is wrong, or two groups share "
                 "a bank.",
          .source = "nki.isa.nc_matmul, accumulate",
          .fix = "accumulate, or copy the sum out of PSUM first",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 128), x.dtype)
    nisa.dma_copy(dst=tile, src=x[:, 0:128])
    sums = nl.ndarray((128, 128), nl.float32, buffer=nl.psum)
    for _ in range(2):
        nisa.nc_matmul(dst=sums, stationary=tile, moving=tile, accumulate=False)
    total = nl.ndarray((128, 128), x.dtype)
    nisa.tensor_copy(dst=total, src=sums)
    out = nl.ndarray((128, 128), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=total)
    return out
)"},
    Check{.id = "psum.split_sum",
          .severity = Severity::warning,
          .title = "Sum read before it was complete",
          .rule = "a sum is read after the last matmul that adds to it",
          .why = "The reader sees only a part of the sum. Usually the read is inside a loop and "
                 "belongs after it.",
          .source = "nki.isa.nc_matmul, accumulate",
          .fix = "read after the last matmul of the group",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 128), x.dtype)
    nisa.dma_copy(dst=tile, src=x[:, 0:128])
    sums = nl.ndarray((128, 128), nl.float32, buffer=nl.psum)
    total = nl.ndarray((128, 128), x.dtype)
    nisa.nc_matmul(dst=sums, stationary=tile, moving=tile, accumulate=False)
    nisa.tensor_copy(dst=total, src=sums)
    nisa.nc_matmul(dst=sums, stationary=tile, moving=tile, accumulate=True)
    out = nl.ndarray((128, 128), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=total)
    return out
)"},
    Check{.id = "psum.format",
          .title = "Sum continued in another format",
          .rule = "the matmuls of one sum agree on the width of its elements",
          .why =
              "The adder reads the old sum in the format of the new one: two bf16 sums are taken "
              "for one fp32 sum, or the other way round.",
          .source = "Trainium3 architecture guide, bf16 accumulation in PSUM",
          .fix = "use one dtype for every view of the sum",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 128), nl.bfloat16)
    whole = nl.ndarray((128, 128), x.dtype)
    nisa.dma_copy(dst=whole, src=x[:, 0:128])
    nisa.tensor_copy(dst=tile, src=whole)
    sums = nl.ndarray((128, 128), nl.float32, buffer=nl.psum)
    halves = sums.view(nl.bfloat16)
    nisa.nc_matmul(dst=sums, stationary=tile, moving=tile, accumulate=False)
    nisa.nc_matmul(dst=halves[:, 0:128], stationary=tile, moving=tile, accumulate=True)
    nisa.tensor_copy(dst=whole, src=sums)
    out = nl.ndarray((128, 128), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=whole)
    return out
)"},
};

}  // namespace

std::span<const Check> accumulation_checks() { return accumulation_table; }

}  // namespace trainyard::checks
