// The memory of a simulated core for one program: a state of the sizes the machine file gives, with
// the program's HBM tensors placed in the stack. It runs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isa/core/program.h"
#include "machine/machine.h"
#include "state/core.h"

namespace trainyard::engines {

[[nodiscard]] state::CoreSizes sizes_of(const machine::Core& core);

// An empty stack of the machine's size. It costs no host memory until it is touched.
[[nodiscard]] std::shared_ptr<state::Hbm> make_stack(const machine::Machine& machine);

// Where the stack holds each tensor, by tensor id; -1 for those on chip. Tensors without an address
// get fresh memory; constants are filled in. Throws InputError "hbm.capacity".
[[nodiscard]] std::vector<std::int64_t> place_tensors(const isa::Program& program, state::Hbm& hbm);

// Prepares the host's memory behind a core for a compiled program: large pages where it uses most.
void expect(const isa::Program& program, state::Core& core);

// Copies row-major content into a placed HBM tensor and marks it as written. `content` has exactly
// its bytes.
void write_tensor(const isa::Program& program, isa::TensorId tensor,
                  std::span<const std::int64_t> hbm_base, state::Hbm& hbm,
                  std::span<const std::byte> content);
// The row-major content of a placed HBM tensor.
[[nodiscard]] std::span<const std::byte> tensor_content(const isa::Program& program,
                                                        isa::TensorId tensor,
                                                        std::span<const std::int64_t> hbm_base,
                                                        const state::Hbm& hbm);

}  // namespace trainyard::engines
