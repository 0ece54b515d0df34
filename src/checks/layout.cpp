// Checks of where operands lie and how they are walked. They are rules of the instruction set, so
// they are found while the author's function runs; each instruction has more of its own.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array layout_table{
    Check{.id = "tensor.partitions",
          .stage = Stage::trace,
          .title = "More partitions than the memory has",
          .rule = "an on-chip tensor has a partition dimension of at most 128",
          .why = "The first dimension of an on-chip tensor is the partition.",
          .source = "NKI language guide, tensors",
          .fix = "split the tensor along its first dimension",
          .example = R"(def kernel(x):
    tile = nl.ndarray((256, 256), x.dtype)
    return x
)"},
    Check{.id = "tile.partition_start",
          .stage = Stage::trace,
          .title = "Start partition that engines cannot use",
          .rule =
              "a tile of more than 64 partitions starts at partition 0, of 33 to 64 at 0 or 64, "
              "of at most 32 at a multiple of 32",
          .why = "Engines reach partitions by quadrants of 32.",
          .source = "NeuronCore-v2 architecture guide, tensor access",
          .fix = "move the tile, or copy it with dma_copy, which has no such rule",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.memset(dst=tile[16:32, :], value=0.0)
    return x
)"},
    Check{.id = "view.partition_step",
          .stage = Stage::trace,
          .title = "Partitions with gaps",
          .rule = "the partitions of an on-chip view are contiguous",
          .why = "An engine operand has a first partition and a number of partitions.",
          .source = "NeuronCore-v2 architecture guide, tensor access",
          .fix = "gather the partitions with dma_copy or nc_stream_shuffle first",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.memset(dst=tile[0:128:2, :], value=0.0)
    return x
)"},
    Check{.id = "tile.rank",
          .stage = Stage::trace,
          .title = "Pattern with too many dimensions",
          .rule = "an instruction's pattern has no more free dimensions than the hardware walks",
          .why = "An access pattern has a fixed number of size and step fields.",
          .source = "NKI access patterns deep dive",
          .fix = "merge contiguous dimensions or split the instruction"},
    Check{.id = "tile.step",
          .stage = Stage::trace,
          .title = "Step that does not fit its field",
          .rule = "a pattern's steps fit the hardware's step field",
          .why = "A step is a signed 16-bit number of elements.",
          .source = "NeuronCore-v2 architecture guide, tensor access",
          .fix = "use a smaller stride"},
    Check{.id = "tile.elements",
          .stage = Stage::trace,
          .title = "More elements than one instruction streams",
          .rule = "an instruction streams at most 64 Ki elements per partition from or to SBUF, "
                  "and 4 Ki (Trainium3: 8 Ki) from or to PSUM",
          .why = "An access pattern counts its elements in fields of fixed width.",
          .source = "NeuronCore-v2 architecture guide, tensor access; release notes of NKI 0.5",
          .fix = "work on pieces",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 70000), nl.int8)
    nisa.memset(dst=tile, value=0)
    return x
)"},
    Check{.id = "engine.psum",
          .stage = Stage::trace,
          .title = "PSUM out of an engine's reach",
          .rule = "GpSimd does not reach PSUM",
          .why = "Only the Tensor, Vector and Scalar engines have a port to PSUM.",
          .source = "NeuronCore architecture guides",
          .fix = "use the Vector or Scalar engine",
          .example = R"(def kernel(x):
    sums = nl.ndarray((128, 512), nl.float32, buffer=nl.psum)
    nisa.memset(dst=sums, value=0.0, engine=nisa.gpsimd_engine)
    return x
)"},
    Check{.id = "nc_matmul.c1",
          .stage = Stage::trace,
          .title = "Matmul operand outside SBUF",
          .rule = "stationary and moving are in SBUF",
          .why = "The Tensor engine reads SBUF and writes PSUM.",
          .source = "nki.isa.nc_matmul",
          .fix = "copy the operand to SBUF with tensor_copy, or load it with dma_copy",
          .example = R"(def kernel(x):
    sums = nl.ndarray((128, 128), nl.float32, buffer=nl.psum)
    nisa.memset(dst=sums, value=0.0)
    nisa.nc_matmul(dst=sums, stationary=sums, moving=sums)
    return x
)"},
    Check{.id = "nc_matmul.c2",
          .stage = Stage::trace,
          .title = "Matmul result outside PSUM",
          .rule = "dst is in PSUM",
          .why = "The Tensor engine reads SBUF and writes PSUM.",
          .source = "nki.isa.nc_matmul",
          .fix = "allocate dst with buffer=nl.psum and copy it to SBUF afterwards",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 128), x.dtype)
    nisa.dma_copy(dst=tile, src=x[:, 0:128])
    nisa.nc_matmul(dst=tile, stationary=tile, moving=tile)
    return x
)"},
    Check{.id = "nc_matmul.c12",
          .stage = Stage::trace,
          .title = "Matmul of too many columns",
          .rule = "moving has at most as many columns as one matmul may write",
          .why = "A bank holds 512 fp32; gen4 writes up to the whole of PSUM.",
          .source = "nki.isa.nc_matmul; NKI migration guide",
          .fix = "split the columns over several matmuls"},
};

}  // namespace

std::span<const Check> layout_checks() { return layout_table; }

}  // namespace trainyard::checks
