// The back end for kernels: takes a program in the author's order and fills in what the author left
// open: accumulate flags, engines, DMA queues, addresses, the order of execution, semaphores and
// per-engine streams. It changes no meaning.
#pragma once

#include <functional>

#include "isa/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

enum class Order : std::uint8_t {
  author,  // each engine runs its instructions in the author's order
  list,    // a list scheduler may reorder independent instructions
};

struct Options {
  Order order = Order::author;
  // Loads of the same bytes and repeated products are merged, transfers of neighbouring tiles
  // joined, and engines that the author left open are chosen by how busy they are, as AWS's
  // first-generation compiler does.
  bool rewrite = false;
  // Manual addresses of live tensors may overlap. A list scheduler always allows it: who uses bytes
  // first is as the author wrote, but the spans of whole tensors move.
  bool allow_overlap = false;
  // Called between passes; may end the compilation by throwing.
  std::function<void()> pulse{};
};

// The compiled form of `kernel`. Throws InputError (labels "sbuf.capacity", "psum.capacity",
// "memory.overlap", "memory.address", "schedule.cycle" and those of the instructions) naming the
// author's source lines.
[[nodiscard]] isa::Program compile(isa::Program kernel, const machine::Core& core,
                                   const Options& options = {});

}  // namespace trainyard::compiler
