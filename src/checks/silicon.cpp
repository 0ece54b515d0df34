// Checks of what silicon is reported to do otherwise than its documents say.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array silicon_table{
    Check{.id = "silicon.copy_bias",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Bias of a copy",
          .rule = "a kernel does not lean on what silicon is reported to do otherwise",
          .why = "Trn1 is reported to leave the bias of activation(op=copy) out; here it is added, "
                 "as documented.",
          .source = "aws-neuron-sdk issue 1296; docs/deviations.md, copy-with-bias",
          .fix = "add with tensor_scalar where the kernel also runs on Trn1",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.activation(dst=tile, op=nl.copy, data=tile, bias=tile[:, 0:1])
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
};

}  // namespace

std::span<const Check> silicon_checks() { return silicon_table; }

}  // namespace trainyard::checks
