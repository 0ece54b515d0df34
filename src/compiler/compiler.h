// The back end for kernels: takes a program in the author's order and fills in what the author left
// open: accumulate flags, engines, DMA queues, addresses, the order of execution, semaphores and
// per-engine streams. It changes no meaning.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "compiler/pass_log.h"
#include "compiler/variation.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

enum class Order : std::uint8_t {
  author,  // each engine runs its instructions in the author's order
  list,    // a list scheduler may reorder independent instructions
};

// A schedule, by the name that users know it by.
struct Schedule {
  std::string_view name;
  Order order = Order::author;
  bool rewrite = false;
};
inline constexpr std::array<Schedule, 3> schedules{{
    {"author", Order::author, false},
    {"list", Order::list, false},
    {"free", Order::list, true},
}};

// Whether layers of a model that are equal, written out one after the other, are programs of
// their own, compiled once (lowering/equal_layers.h).
enum class Layers : std::uint8_t {
  by_time,   // where the change from one program to the next is a small part of their time
  together,  // no: one program, in which a layer begins while the one before it ends
  apart,     // always
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
  // Tiles are written in parts, by instructions that may take any order: the list scheduler looks
  // for room before whichever comes first, not only before the author's first one.
  bool written_in_parts = false;
  // A turn of an innermost loop begins when what it needs of the one before has ended, rather than
  // when all of it has.
  bool turns_overlap = false;
  // The list scheduler chooses who issues transfers.
  bool issuers_open = false;
  // Of SBUF, which a new order may fill; where it does not fit, less is tried.
  std::int64_t percent_max = 90;
  Layers layers = Layers::by_time;  // of a tensor program
  Variation variation{};            // likewise
  // Called between passes, and often while orders are tried, so it must be quick; may end the
  // compilation by throwing.
  std::function<void()> pulse{};
  PassOptions passes{};
};

// One way to compile a kernel; a later one needs less memory at once.
struct Attempt {
  Order order = Order::author;
  std::int64_t percent = 100;  // of SBUF, which a new order may fill
  bool joins = false;          // transfers, which makes larger tiles
};

// A compiled kernel, the attempt that found room for it, and what its passes did.
struct Compiled {
  isa::Program program;
  Attempt attempt{};
  PassLog log{};
};

// The schedule that the options ask for, by name; "other" where it has none.
[[nodiscard]] std::string_view schedule_name(const Options& options);
// A hash of what in the options decides how a kernel is compiled.
[[nodiscard]] std::uint64_t key(const Options& options);

// The compiled form of `kernel`. Throws InputError (labels "sbuf.capacity", "psum.capacity",
// "memory.overlap", "memory.address", "schedule.cycle", "program.compiled" and those of validate())
// naming the author's source lines.
[[nodiscard]] isa::Program compile(isa::Program kernel, const machine::Core& core,
                                   const Options& options = {});
// The same, and how it was done.
[[nodiscard]] Compiled compile_and_tell(isa::Program kernel, const machine::Core& core,
                                        const Options& options = {});

}  // namespace trainyard::compiler
