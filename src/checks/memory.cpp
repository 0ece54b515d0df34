// Checks of what bytes are read, written and owned.
#include <array>

#include "checks/registry.h"

namespace trainyard::checks {

namespace {

constexpr std::array memory_table{
    Check{.id = "memory.unwritten",
          .title = "Result of unwritten bytes",
          .rule = "results do not depend on bytes that were never written",
          .why = "On the device these bytes hold whatever the last program left there, so a test "
                 "may pass by chance. Reading them is allowed. Values computed from them are "
                 "tracked until they are stored in a tensor of the caller, used as an index or "
                 "offset, or loaded into a register. Bytes that an earlier tensor left in the same "
                 "memory count as unwritten; so do an engine's accumulators, until an instruction "
                 "resets (reduce_cmd.reset_reduce) or loads them.",
          .source = "NKI simulator guide, uninitialised memory",
          .fix = "write all of it first (memset, dma_copy), or read only the part that is written",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile[:, 0:500], src=x[:, 0:500])
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{.id = "memory.output",
          .severity = Severity::warning,
          .title = "Output that is not written",
          .rule = "a kernel writes every byte of the tensors it returns",
          .why = "The caller gets what the memory held before.",
          .source = "nki.jit: outputs are not cleared",
          .fix = "write the rest too, or return a smaller tensor",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out[:, 0:256], src=tile[:, 0:256])
    return out
)"},
    Check{.id = "view.bounds",
          .stage = Stage::trace,
          .title = "Index outside its dimension",
          .rule = "an index lies inside its dimension",
          .why = "The address would belong to another tensor.",
          .source = "NKI language guide, indexing",
          .fix = "correct the index",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile[:, 0:513], src=x)
    return x
)"},
    Check{.id = "register.unset",
          .stage = Stage::trace,
          .title = "Register without a value",
          .rule = "a register gets a value before it is read",
          .why = "It holds what another kernel, or another use of it, left there.",
          .source = "nki.isa.register_alloc",
          .fix = "pass a value to register_alloc, or call register_move or register_load first",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 8), x.dtype)
    register = nisa.register_alloc()
    nisa.dma_copy(dst=tile, src=x[:, nl.ds(register, 8)])
    return x
)"},
    Check{.id = "dynamic.bounds",
          .title = "Run-time address out of bounds",
          .rule = "a run-time address stays inside its tensor",
          .why = "The access would reach another tensor; nothing on the device notices.",
          .source = "nki.isa registers; nki.language.ds",
          .fix = "keep the register or index below the tensor's extent",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    column = nl.ndarray((128, 8), x.dtype)
    register = nisa.register_alloc(510)
    nisa.tensor_copy(dst=column, src=tile[:, nl.ds(register, 8)])
    out = nl.ndarray((128, 8), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=column)
    return out
)"},
    Check{.id = "gather.bounds",
          .title = "Gathered index outside its row",
          .rule = "a gathered index stays inside its row",
          .why = "Outside its row the result of a gather is undefined.",
          .source = "nki.isa.local_gather, nki.isa.nc_n_gather",
          .fix = "check the index data",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    index = nl.ndarray((128, 16), nl.uint32)
    nisa.memset(dst=index, value=600)
    picked = nl.ndarray((128, 16), x.dtype)
    nisa.nc_n_gather(dst=picked, data=tile, indices=index)
    out = nl.ndarray((128, 16), x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=picked)
    return out
)"},
    Check{.id = "memory.overlap",
          .stage = Stage::compile,
          .title = "Live tensors that share bytes",
          .rule = "tensors that are live at the same time do not share bytes",
          .why =
              "Writing one changes the other. Nothing else keeps tensors apart whose addresses "
              "are chosen by hand, or stops a read of a stale tile whose memory is in use again.",
          .source = "NKI simulator guide, memory model; nki.language.ndarray, address",
          .fix = "move one of them, or stop using one before the other is written",
          .example = R"(def kernel(x):
    a = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf, address=(0, 0))
    b = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf, address=(0, 1024))
    nisa.dma_copy(dst=a, src=x)
    nisa.dma_copy(dst=b, src=x)
    nisa.tensor_tensor(dst=a, data1=a, data2=b, op=nl.add)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=a)
    return out
)"},
    Check{
        .id = "memory.address",
        .stage = Stage::compile,
        .title = "Address that no tensor can have",
        .rule = "a manual address lies inside the memory, at a multiple of its alignment",
        .why = "The tensor would reach past the end of its partitions, or start inside an element.",
        .source = "nki.language.ndarray, address; NKI migration guide (PSUM banks)",
        .fix = "choose another address, or leave it to the compiler",
        .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf, address=(0, 1022))
    nisa.dma_copy(dst=tile, src=x)
    return x
)"},
    Check{.id = "sbuf.capacity",
          .stage = Stage::compile,
          .title = "More than SBUF holds",
          .rule = "the live tensors fit into the bytes that an SBUF partition offers",
          .why = "There is no other memory behind it.",
          .source = "NeuronCore architecture guides",
          .fix = "use smaller tiles, or end the use of a tensor earlier",
          .example = R"(def kernel(x):
    tile = nl.ndarray((128, 100000), nl.float32)
    nisa.memset(dst=tile[:, 0:512], value=0.0)
    return x
)"},
    Check{.id = "psum.capacity",
          .stage = Stage::compile,
          .title = "More than PSUM holds",
          .rule = "the live tensors fit into the bytes that a PSUM partition offers, bank by bank",
          .why = "Each automatic PSUM tensor takes whole banks.",
          .source = "NeuronCore architecture guides",
          .fix = "copy finished sums to SBUF before starting the next ones",
          .example = R"(def kernel(x):
    sums = [nl.ndarray((128, 512), nl.float32, buffer=nl.psum) for _ in range(9)]
    for one in sums:
        nisa.memset(dst=one, value=0.0)
    total = nl.ndarray((128, 512), nl.float32)
    for one in sums:
        nisa.tensor_copy(dst=total, src=one)
    return x
)"},
    Check{.id = "memory.alias",
          .severity = Severity::warning,
          .stage = Stage::lint,
          .title = "Destination over a shifted source",
          .rule = "an instruction's destination is exactly its source, or does not overlap it",
          .why = "Engines stream elements, and how far they read ahead of their writes is not "
                 "published, so an element may be overwritten before it is read. DMA engines move "
                 "the pieces of a transfer in parallel.",
          .source =
              "NeuronCore architecture guide, engines stream through access patterns; NKI DMA "
              "overview",
          .fix = "write to another tensor",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_copy(dst=tile[:, 1:512], src=tile[:, 0:511])
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
    Check{
        .id = "memory.dead_store",
        .severity = Severity::warning,
        .stage = Stage::lint,
        .title = "Bytes written twice and not read between",
        .rule = "what an instruction writes is read before it is overwritten",
        .why = "The first write has no effect, or the instruction that should read it is missing.",
        .source = "follows from the program",
        .fix = "drop the first write, or read it before the second",
        .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    result = nl.ndarray(x.shape, x.dtype)
    nisa.activation(dst=result, op=nl.exp, data=tile)
    nisa.activation(dst=result, op=nl.tanh, data=tile)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=result)
    return out
)"},
    Check{.id = "memory.unused",
          .severity = Severity::warning,
          .stage = Stage::lint,
          .title = "Tensor that is written and never read",
          .rule = "something reads every tensor that is written",
          .why = "An unused load takes bandwidth. An unused result may mean that another "
                 "instruction reads the wrong tensor.",
          .source = "follows from the program",
          .fix = "drop the instruction, or use its result",
          .example = R"(def kernel(x):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(dst=tile, src=x)
    squares = nl.ndarray(x.shape, x.dtype)
    nisa.tensor_tensor(dst=squares, data1=tile, data2=tile, op=nl.multiply)
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out
)"},
};

}  // namespace

std::span<const Check> memory_checks() { return memory_table; }

}  // namespace trainyard::checks
