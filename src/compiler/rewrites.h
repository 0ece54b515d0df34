// What an author can change in a kernel without changing what it computes, done here so that a
// simulation tells what it gains. It runs nothing.
#pragma once

#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct Rewrite {
  std::string text;  // what the author would do: "issue every second load from Scalar"
  isa::Program kernel;
  Options options{};
};

// Of a kernel in its author's form that ran with `options`: another schedule, more buffers, other
// queues, other descriptors. Those that change nothing are left out.
[[nodiscard]] std::vector<Rewrite> rewrites(const isa::Program& kernel, const Options& options,
                                            const machine::Core& core);

}  // namespace trainyard::compiler
