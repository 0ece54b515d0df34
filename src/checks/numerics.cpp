// Checks of values.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array numerics_table{
    Check{.id = "numerics.nan",
          .severity = Severity::warning,
          .title = "First NaN",
          .rule = "an instruction whose operands have no NaN produces no NaN",
          .why = "Later results are NaN, too, or hide it: a maximum or a comparison drops NaN.",
          .source = "IEEE 754",
          .fix = "look at the operands: infinity minus infinity, 0 times infinity, the root or "
                 "logarithm of a negative number",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.activation(dst=tile, op=nl.sqrt, data=tile)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "numerics.overflow",
          .severity = Severity::warning,
          .title = "Result that its format does not hold",
          .rule = "results lie within the range of the format that they are stored in",
          .why = "A finite value becomes infinite or NaN in FP16 and FP8; an integer of 16 or 32 "
                 "bits is cut to the nearest one or, in native arithmetic, wraps around. "
                 "`trainyard check` looks for it, and settings.overflows=True; a plain run does "
                 "not. Integers of 8 bits and unsigned ones that wrap are not told: quantisation "
                 "and hashes mean it.",
          .source = "nki.isa.tensor_copy; NKI 0.6.0 release notes, casts to integers",
          .fix = "scale before the cast, subtract the maximum before an exponential, or keep the "
                 "result in a wider format",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    large = nl.ndarray(x.shape, nl.float16)
    nisa.tensor_scalar(dst=large, data=tile, op0=nl.multiply, operand0=1e6)
    out = nl.ndarray(x.shape, nl.float16, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=large)
    return out
)"},
    Check{.id = "numerics.range",
          .severity = Severity::warning,
          .title = "Argument outside a function's range",
          .rule = "the Scalar engine's functions get arguments inside their valid range",
          .why = "Outside it the device's result is not valid; sin continues with a cubic.",
          .source = "nki.api.shared, supported activation functions",
          .fix = "reduce or clamp the argument first (nl.sin and the like do)",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.activation(dst=tile, op=nl.sin, data=tile, scale=100.0)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "numerics.integer",
          .severity = Severity::warning,
          .title = "Integer that fp32 does not hold",
          .rule = "integers that an engine computes with lie within 2^24 of zero",
          .why = "Engines compute arithmetic in fp32, so the lowest bits of a larger integer are "
                 "lost.",
          .source = "nki.isa.tensor_tensor, computation in fp32",
          .fix = "use bitwise operators, a GpSimd integer instruction, or smaller numbers",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 512), nl.int32)
    nisa.iota(dst=tile, pattern=[[1, 512]], offset=16777216)
    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=1.0, engine=nisa.vector_engine)
    out = nl.ndarray((128, 512), nl.int32, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
};

}  // namespace

std::span<const Check> numerics_checks() { return numerics_table; }

}  // namespace trainyard::checks
