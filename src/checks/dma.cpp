// Checks of transfers: what breaks them, and what makes them slow.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array dma_table{
    Check{.id = "dma.oob",
          .title = "Row index outside its tensor",
          .rule = "a gathered or scattered row lies inside its tensor",
          .why = "The transfer stops with an error, or drops the row if oob_mode is skip.",
          .source = "nki.isa.dma_copy, oob_mode",
          .fix = "correct the index data, or pass oob_mode=oob_mode.skip to drop such rows",
          .example = R"(def kernel(x):
    index = nl.ndarray((128, 1), nl.int32)
    nisa.memset(dst=index, value=128)
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x.ap([[512, 128], [1, 512]], vector_offset=index))
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "dma.unique",
          .title = "Row that is updated twice",
          .rule = "the row indices of a read-modify-write are unique",
          .why = "Rows are read and written in parallel: one of two updates is lost.",
          .source = "nki.isa.dma_compute, unique_indices",
          .fix = "combine equal rows before the transfer",
          .example = R"(def kernel(x):
    index = nl.ndarray((128, 1), nl.int32)
    nisa.memset(dst=index, value=0)
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    rows = out.ap([[512, 128], [1, 512]], vector_offset=index)
    nisa.dma_compute(dst=rows, srcs=[rows, tile], reduce_op=nl.add, unique_indices=True)
    return out
)"},
    Check{.id = "dma.same_row",
          .severity = Severity::warning,
          .title = "Row that is scattered to twice",
          .rule = "rows of a scatter that go to the same place hold the same values",
          .why = "Rows are written in parallel: which one remains depends on timing.",
          .source = "NKI DMA overview, descriptors are spread over DMA engines",
          .fix = "make the indices unique, or add the rows up with dma_compute",
          .example = R"(def kernel(x):
    index = nl.ndarray((128, 1), nl.int32)
    nisa.memset(dst=index, value=0)
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out.ap([[512, 128], [1, 512]], vector_offset=index), src=tile)
    return out
)"},
    Check{.id = "dma.small",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Transfer in small pieces",
          .rule = "the pieces of a transfer are large enough for the memory to be efficient",
          .why = "Each piece that is contiguous in both memories needs its own descriptor, which "
                 "has a fixed cost; small pieces leave most of the bandwidth unused.",
          .source = "NKI DMA bandwidth guide",
          .fix = "move more bytes of each row at once, or lay the data out so that rows are long",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 16), x.dtype)
    out = nl.ndarray((128, 512), x.dtype, buffer=nl.shared_hbm)
    for i in range(32):
        nisa.dma_copy(dst=tile, src=x[:, 16 * i : 16 * i + 16])
        nisa.dma_copy(dst=out[:, 16 * i : 16 * i + 16], src=tile)
    return out
)"},
    Check{.id = "dma.element_wise",
          .severity = Severity::warning,
          .stage = Stage::lint,
          .title = "Transfer element by element",
          .rule = "neighbouring elements of a transfer are adjacent in both memories",
          .why = "Every element needs its own descriptor.",
          .source = "NKI DMA bandwidth guide; nki.isa.dma_transpose",
          .fix = "load whole rows and rearrange them on chip (nc_transpose, tensor_copy), or "
                 "use dma_transpose",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 128), x.dtype)
    nisa.dma_copy(dst=tile, src=x[:, 0:128].permute((1, 0)))
    out = nl.ndarray((128, 128), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "dma.few_engines",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Transfer that few DMA engines share",
          .rule = "a large transfer touches partitions of every DMA engine",
          .why = "Each DMA engine serves eight neighbouring partitions; the engines of unused "
                 "partitions are idle.",
          .source = "NKI DMA overview",
          .fix = "spread the rows over more partitions",
          .example = R"(def kernel(x):
    tile = nl.ndarray((8, 8192), x.dtype)
    nisa.dma_copy(dst=tile, src=x.reshape((8, 8192)))
    out = nl.ndarray((8, 8192), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "dma.reload",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Bytes loaded more than once",
          .rule = "an instruction does not load data that is already on chip",
          .why = "Loading the same bytes again takes bandwidth that keeping them would save, if "
                 "SBUF has room.",
          .source = "NKI performance guide, minimise data movement",
          .fix = "keep the tile, or change the order of the loops",
          .example = R"(def kernel(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    for i in range(4):
        tile = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(dst=tile, src=x)
        nisa.dma_copy(dst=out[:, 128 * i : 128 * i + 128], src=tile[:, 128 * i : 128 * i + 128])
    return out
)"},
    Check{.id = "dma.spill",
          .severity = Severity::note,
          .stage = Stage::lint,
          .title = "Result that goes to HBM and back",
          .rule = "data that is stored to HBM is not loaded again",
          .why = "Both ways take bandwidth, and the load waits for the store.",
          .source = "NKI performance guide, minimise data movement",
          .fix = "keep the tile in SBUF",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    parked = nl.ndarray(x.shape, x.dtype, buffer=nl.private_hbm)
    nisa.dma_copy(dst=parked, src=tile)
    again = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=again, src=parked)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=again)
    return out
)"},
};

}  // namespace

std::span<const Check> dma_checks() { return dma_table; }

}  // namespace trainyard::checks
